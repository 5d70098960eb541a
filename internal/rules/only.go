package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/model"
)

// Only leaves out what speaks of other files than those of m: rules, derived members,
// and functions that take a value of another file or call one that does.
func (r *Registry) Only(m *model.Model) {
	have := map[string]bool{}
	for name := range index(m, path.Dir(r.Path)) {
		file, _, _ := strings.Cut(name, "#")
		have[file] = true
	}
	lacks := func(schema Text) bool {
		pattern, _, _ := strings.Cut(schema.Value, "#")
		if have[pattern] {
			return false
		}
		for file := range have {
			if fits, err := path.Match(pattern, file); err == nil && fits {
				return false
			}
		}
		return true
	}
	// left has what remains of the schemas that something binds.
	left := func(schema Text, others []Text) (Text, []Text) {
		others = slices.DeleteFunc(slices.Clone(others), lacks)
		if len(others) > 0 && lacks(schema) {
			return others[0], others[1:]
		}
		return schema, others
	}
	for i := range r.Rules {
		x := &r.Rules[i]
		x.Schema, x.Others = left(x.Schema, x.Others)
	}
	r.Rules = slices.DeleteFunc(r.Rules, func(x Rule) bool { return lacks(x.Schema) })
	for i := range r.Derived {
		x := &r.Derived[i]
		x.Schema, x.Others = left(x.Schema, x.Others)
	}
	r.Derived = slices.DeleteFunc(r.Derived, func(x Derived) bool { return lacks(x.Schema) })
	gone := map[string]bool{}
	r.Functions = slices.DeleteFunc(r.Functions, func(f Function) bool {
		away := slices.ContainsFunc(f.Params, func(p Param) bool {
			name := schemaIn(p.Type.Value)
			return name != "" && lacks(Text{Value: name})
		})
		for _, call := range callName.FindAllStringSubmatch(f.Expr.Value, -1) {
			away = away || gone[call[1]]
		}
		if away {
			gone[f.Name.Value] = true
		}
		return away
	})
}

var (
	callName = regexp.MustCompile(`\b([a-zA-Z_][a-zA-Z0-9_]*)\s*\(`)
	generic  = regexp.MustCompile(`^(?:list|optional|map)\((?:[a-z]+,)?(.*)\)$`)
)

// schemaIn is the schema that a parameter's type names, "" for types of CEL.
func schemaIn(typ string) string {
	typ = strings.TrimSpace(typ)
	if inner := generic.FindStringSubmatch(typ); inner != nil {
		return schemaIn(inner[1])
	}
	if strings.ContainsAny(typ, ".#/:") {
		return typ
	}
	return ""
}
