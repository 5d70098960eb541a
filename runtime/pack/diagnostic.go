package pack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Severity says whether a diagnostic refuses.
type Severity string

// The severities. Only an Error refuses a manifest or a batch.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is one thing that is wrong with a manifest or a set of packs.
type Diagnostic struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Pack     string   `json:"pack,omitempty"` // id of the pack, when it can be read and is one
	Path     string   `json:"path"`           // JSON Pointer into the manifest; "" is the whole
	Message  string   `json:"message"`        // one or more lines
	Hint     string   `json:"hint,omitempty"` // the way out
	File     string   `json:"file,omitempty"` // as given to ParseManifest
	Line     int      `json:"line,omitempty"` // from 1; 0 when unknown
	Col      int      `json:"col,omitempty"`  // from 1, in bytes
	Data     Data     `json:"data,omitzero"`
}

// Data is what a program needs to know about a diagnostic. Which members are
// there depends on the code.
type Data struct {
	Keyword    string   `json:"keyword,omitempty"`    // PACK_SCHEMA: the JSON Schema keyword
	Fields     []string `json:"fields,omitempty"`     // PACK_CLOSURE_EXECUTABLE_FORBIDDEN
	Range      string   `json:"range,omitempty"`      // as the manifest has it
	Running    string   `json:"running,omitempty"`    // kernel or host version
	Dependency string   `json:"dependency,omitempty"` // id of the needed pack
	Installed  string   `json:"installed,omitempty"`  // its version
	Cycle      []string `json:"cycle,omitempty"`      // ids, the first repeated at the end
	Kind       string   `json:"kind,omitempty"`       // command, state, telemetry or config
	Namespace  string   `json:"namespace,omitempty"`
	Packs      []string `json:"packs,omitempty"` // ids in byte order
	Tool       string   `json:"tool,omitempty"`
	AdapterID  string   `json:"adapter_id,omitempty"`
}

// Diagnostics are in the order that the contract gives them. As an error they
// read as their text form.
type Diagnostics []Diagnostic

// HasErrors reports whether any of them refuses.
func (l Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Err returns l when it holds an error, and nil otherwise.
func (l Diagnostics) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return l
}

// Error prints one diagnostic after the other.
func (l Diagnostics) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// String prints "file:line:col: severity: message [code]", and the pointer and
// the hint on lines of their own.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(d.File + ":")
	}
	if d.Line > 0 {
		fmt.Fprintf(&b, "%d:%d:", d.Line, d.Col)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%s: %s [%s]", d.Severity, d.Message, d.Code)
	if d.Path != "" {
		b.WriteString("\n    at " + d.Path)
	}
	if d.Hint != "" {
		b.WriteString("\n    hint: " + strings.ReplaceAll(d.Hint, "\n", "\n          "))
	}
	return b.String()
}

// quote prints text of a manifest in double quotes: control characters are
// escaped, and what is long is cut.
func quote(s string) string {
	const most = 120
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return strconv.Quote(s[:cut]) + "…"
	}
	return strconv.Quote(s)
}
