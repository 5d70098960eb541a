package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"

	"github.com/contractkit/contractkit/internal/spelling"
)

var (
	undeclared = regexp.MustCompile(`^undeclared reference to '([^']+)'`)
	undefined  = regexp.MustCompile(`^undefined field '([^']+)'`)
	loopNames  = regexp.MustCompile(`[(,]\s*([A-Za-z_][A-Za-z0-9_]*)\s*,`) // what macros declare
)

// hintFor says what a name was probably meant to be in an expression that does not compile.
func (c *checker) hintFor(message, text string, env *cel.Env) string {
	if m := undefined.FindStringSubmatch(message); m != nil {
		var known []string
		for i := range c.t.views {
			for _, f := range c.t.views[i].Fields {
				known = append(known, f.Ident)
			}
		}
		return spelling.Ask(m[1], known, "a rule sees only the members that the schema declares")
	}
	m := undeclared.FindStringSubmatch(message)
	switch {
	case m == nil:
		return ""
	case m[1] == "oldSelf":
		return "a rule about changes needs scope: transition"
	}
	return spelling.Ask(m[1], declared(env, text), "")
}

// declared lists what an expression may name: variables first, of its environment and of
// its own loops, then functions and macros.
func declared(env *cel.Env, text string) []string {
	var names []string
	for _, v := range env.Variables() {
		names = append(names, v.Name())
	}
	slices.Sort(names)
	for _, m := range loopNames.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	var functions []string
	for name := range env.Functions() {
		if !strings.ContainsAny(name, "_@!-") {
			functions = append(functions, name)
		}
	}
	for _, m := range env.Macros() {
		functions = append(functions, m.Function())
	}
	slices.Sort(functions)
	return append(names, functions...)
}

// schemaNames lists the names of schemas that look like the one that was written.
func (c *checker) schemaNames(like string) []string {
	var known []string
	for name := range c.schemas {
		if !strings.Contains(name, "://") && strings.Contains(name, "#") == strings.Contains(like, "#") {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	return known
}

// typeNames are CEL's types of parameters.
var typeNames = []string{"bool", "bytes", "double", "duration", "dyn", "int", "list", "map", "optional", "string", "timestamp", "uint"}

// typeHint says which type was probably meant by a parameter's.
func (c *checker) typeHint(text string) string {
	return spelling.Ask(strings.TrimSpace(text), append(slices.Clone(typeNames), c.schemaNames(text)...), fmt.Sprintf("types are %s, or a schema such as order.json#/$defs/line", strings.Join(typeNames, ", ")))
}
