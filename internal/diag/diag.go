// Package diag is how every stage reports a problem in what the user wrote.
//
// A stage collects all the problems it can find into one List and returns it as
// its error. Everything that is not the user's input (a full disk, a bug) stays
// an ordinary Go error.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a source file. The zero Pos means that no place is known.
type Pos struct {
	File string `json:"file,omitempty"` // slash-separated, relative to the project root
	Line int    `json:"line,omitempty"` // from 1; 0 when unknown
	Col  int    `json:"col,omitempty"`  // from 1, in bytes
}

// String prints file:line:col, leaving out what is unknown.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity orders diagnostics by what they mean for the exit status.
type Severity string

// The severities. Only an Error makes a command fail.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Diagnostic is one problem: what is wrong, where, and what to try next.
type Diagnostic struct {
	Severity Severity  `json:"severity"`
	Code     string    `json:"code"`              // package.kebab-word, stable, documented in docs/diagnostics
	Message  string    `json:"message"`           // what is wrong, in the user's words; one line
	Pos      Pos       `json:"pos,omitzero"`      // first byte of the offending value
	Pointer  string    `json:"pointer,omitempty"` // JSON Pointer (RFC 6901) in the file
	Hint     string    `json:"hint,omitempty"`    // what to do
	Related  []Related `json:"related,omitempty"` // other places that matter
	Detail   string    `json:"detail,omitempty"`  // further lines, for example a unified diff
}

// Related is a second place that a diagnostic speaks of.
type Related struct {
	Pos     Pos    `json:"pos"`
	Message string `json:"message"`
}

// List is a set of diagnostics. As an error it reads as its text form.
type List []Diagnostic

// Error prints one diagnostic a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// String prints the first line of the text form.
func (d Diagnostic) String() string {
	pos := d.Pos.String()
	if pos != "" {
		pos += ": "
	}
	return fmt.Sprintf("%s%s: %s [%s]", pos, d.Severity, d.Message, d.Code)
}

// Errorf adds an error without a hint.
func (l *List) Errorf(pos Pos, pointer, code, format string, args ...any) {
	l.Add(Diagnostic{Severity: Error, Code: code, Pos: pos, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

// Add appends d; a diagnostic without a severity is an Error.
func (l *List) Add(d Diagnostic) {
	if d.Severity == "" {
		d.Severity = Error
	}
	*l = append(*l, d)
}

// Sort orders by file, line, column, code and message, so that the result does
// not depend on the order in which stages found the problems.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// HasErrors reports whether any diagnostic is an Error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Warnings returns the diagnostics of l that are Warnings.
func (l List) Warnings() List {
	return slices.DeleteFunc(slices.Clone(l), func(d Diagnostic) bool { return d.Severity != Warning })
}

// Err returns l sorted when it holds an Error, and nil otherwise.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	l.Sort()
	return l
}

// Before returns err with the diagnostics of l before its own, if it has any; else err.
func (l List) Before(err error) error {
	if list, ok := errors.AsType[List](err); ok {
		return append(slices.Clip(l), list...)
	}
	return err
}
