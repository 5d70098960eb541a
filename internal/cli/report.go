package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/contractkit/contractkit/internal/diag"
)

// format is how a command reports.
type format struct {
	name string
	json bool
}

func (f *format) flags(set *pflag.FlagSet, sarif bool) {
	kinds := "text or json"
	if sarif {
		kinds = "text, json or sarif"
	}
	set.StringVar(&f.name, "format", "text", "how to report: "+kinds)
	set.BoolVarP(&f.json, "json", "j", false, "report as JSON")
}

// settle checks the options and returns the format.
func (f *format) settle(sarif bool) (string, error) {
	if f.json {
		return "json", nil
	}
	if sarif {
		return f.name, oneOf("format", f.name, "text", "json", "sarif")
	}
	return f.name, oneOf("format", f.name, "text", "json")
}

// Report is what generate, check, verify and import print with --json.
type Report struct {
	Version        int       `json:"version" jsonschema:"enum=1" jsonschema_description:"Version of this report's format."`
	Command        string    `json:"command" jsonschema:"enum=generate,enum=check,enum=verify,enum=init,enum=pack,enum=import"`
	OK             bool      `json:"ok" jsonschema_description:"Whether there is no error."`
	ContractDigest string    `json:"contractDigest,omitempty" jsonschema_description:"Digest that stands for all contracts together."`
	Written        []string  `json:"written,omitempty" jsonschema_description:"Files that generate or import wrote."`
	Removed        []string  `json:"removed,omitempty" jsonschema_description:"Files that generate removed."`
	Diagnostics    diag.List `json:"diagnostics" jsonschema_description:"All problems."`
}

// show prints the report in the format and returns the verdict as an error.
func (r *Report) show(env *Env, format string) error {
	if r.Diagnostics == nil {
		r.Diagnostics = diag.List{}
	}
	r.Version, r.OK = 1, !r.Diagnostics.HasErrors()
	switch format {
	case "json":
		if err := printJSON(env, r); err != nil {
			return err
		}
	case "sarif":
		if err := printJSON(env, sarif(r.Diagnostics)); err != nil {
			return err
		}
	default:
		if err := printText(env.Stdout, r.Diagnostics, env.colour()); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if r.OK {
		return nil
	}
	return verdict(exitCode(r.Diagnostics))
}

// failed is show for an error of a stage: diagnostics are reported, anything else is returned.
func (r *Report) failed(env *Env, format string, err error) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	r.Diagnostics = append(r.Diagnostics, list...)
	return r.show(env, format)
}

// operational lists the codes after which a command has not done its work:
// what could not be read, and a project file that does not say what to do.
var operational = []string{"config.", "build.", "source.unreadable", "closure.path-escape", "closure.source-path", "closure.duplicate-path"}

// exitCode tells problems in contracts from a job that could not be done.
func exitCode(list diag.List) int {
	for _, d := range list {
		for _, prefix := range operational {
			if d.Severity == diag.Error && strings.HasPrefix(d.Code, prefix) {
				return exitFailed
			}
		}
	}
	return exitFinding
}

const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
	plain = "\x1b[0m"
)

// printText prints diagnostics for people; the first line of each is one that
// editors parse.
func printText(w io.Writer, list diag.List, colour bool) error {
	var b strings.Builder
	for _, d := range list {
		first := visible(d.String())
		if colour {
			first = bold + first + plain
		}
		b.WriteString(first + "\n")
		if d.Pointer != "" {
			b.WriteString("    at " + visible(d.Pointer) + "\n")
		}
		for _, r := range d.Related {
			b.WriteString("    " + visible(r.Pos.String()+": "+r.Message) + "\n")
		}
		if d.Hint != "" {
			b.WriteString("    hint: " + visible(d.Hint) + "\n")
		}
		for line := range strings.Lines(d.Detail) {
			line = strings.TrimSuffix(line, "\n")
			b.WriteString("    " + paint(line, colour) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// paint colours a line of a diff.
func paint(line string, colour bool) string {
	if !colour || line == "" {
		return line
	}
	switch line[0] {
	case '-':
		return red + line + plain
	case '+':
		return green + line + plain
	case '@':
		return cyan + line + plain
	}
	return line
}

// visible spells out control characters: names come from files that anyone may
// have written, and a terminal would obey them.
func visible(s string) string {
	clean := true
	for i := range len(s) {
		clean = clean && s[i] >= ' ' && s[i] != 0x7F
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if r < ' ' || r == 0x7F {
			fmt.Fprintf(&b, `\x%02x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
