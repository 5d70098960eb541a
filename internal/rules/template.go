package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

var hole = regexp.MustCompile(`\$\{([a-zA-Z_][a-zA-Z0-9_]*)\}`)

// templateKeys are those of rules that several rules can have in common.
var templateKeys = slices.Concat([]string{"params"}, slices.DeleteFunc(slices.Clone(ruleKeys), func(k string) bool {
	return k == "id" || k == "template" || k == "with" || k == "witnesses" || k == "equivalent"
}))

// readTemplates notes the templates by name.
func (d *decoder) readTemplates(v *source.Value) {
	out := d.templates
	if v == nil {
		return
	}
	if v.Kind != source.Object {
		d.errorf(Text{Pos: v.Pos, Pointer: "/templates"}, "templates is an object of names and their templates")
		return
	}
	for i := range v.Members {
		m := &v.Members[i]
		if d.object(m.Value, "/templates/"+source.EscapeToken(m.Name), templateKeys...) {
			out[m.Name] = m.Value
		}
	}
}

// expand merges the template of the rule v into it: what the rule says itself
// counts more, and ${name} in the template's texts is what the rule's with says.
func (d *decoder) expand(v *source.Value, pointer string, templates map[string]*source.Value) *source.Value {
	use := d.text(v, pointer, "template", false)
	with := v.Get("with")
	if use.Value == "" {
		if with != nil {
			d.errorf(Text{Pos: with.Pos, Pointer: pointer + "/with"}, "with is for rules that use a template")
		}
		return v
	}
	tmpl := templates[use.Value]
	if tmpl == nil {
		d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: use.Pos, Pointer: use.Pointer, Message: fmt.Sprintf("no template is called %.100q", use.Value),
			Hint: spelling.Ask(use.Value, slices.Sorted(maps.Keys(templates)), "templates are declared under templates, by their names")})
		return nil // what the template says is not missing
	}
	args := map[string]string{}
	if with != nil && with.Kind == source.Object {
		for i := range with.Members {
			m := &with.Members[i]
			if m.Value.Kind == source.Array || m.Value.Kind == source.Object {
				d.errorf(Text{Pos: m.Value.Pos, Pointer: pointer + "/with/" + m.Name}, "a template is filled in with single values")
			}
			args[m.Name] = m.Value.Text
		}
	}
	used := map[string]bool{}
	out := &source.Value{Kind: source.Object, Pos: v.Pos}
	out.Members = append(out.Members, v.Members...)
	for i := range tmpl.Members {
		m := tmpl.Members[i]
		if m.Name == "params" || v.Get(m.Name) != nil {
			continue
		}
		m.Value = d.fill(m.Value, args, used, use)
		out.Members = append(out.Members, m)
	}
	for i := range v.Members { // a rule may use the parameters too
		if name := v.Members[i].Name; name != "with" && name != "template" && name != "witnesses" {
			out.Members[i].Value = d.fill(v.Members[i].Value, args, used, use)
		}
	}
	params := tmpl.Get("params")
	for name := range args {
		declared := params != nil && slices.ContainsFunc(params.Items, func(p *source.Value) bool { return p.Text == name })
		if !used[name] && !declared {
			d.errorf(use, "the template %s has no place for %.100q", use.Value, name)
		}
	}
	return out
}

func (d *decoder) fill(v *source.Value, args map[string]string, used map[string]bool, use Text) *source.Value {
	switch v.Kind {
	case source.String:
		if !strings.Contains(v.Text, "${") {
			return v
		}
		text := hole.ReplaceAllStringFunc(v.Text, func(s string) string {
			name := s[2 : len(s)-1]
			arg, given := args[name]
			if !given && !used[name] {
				d.errorf(use, "the template %s needs a value for %s", use.Value, name)
			}
			used[name] = true
			return arg
		})
		return &source.Value{Kind: source.String, Pos: v.Pos, Text: text}
	case source.Array:
		out := &source.Value{Kind: source.Array, Pos: v.Pos}
		for _, x := range v.Items {
			out.Items = append(out.Items, d.fill(x, args, used, use))
		}
		return out
	case source.Object:
		out := &source.Value{Kind: source.Object, Pos: v.Pos}
		for i := range v.Members {
			m := v.Members[i]
			m.Value = d.fill(m.Value, args, used, use)
			out.Members = append(out.Members, m)
		}
		return out
	}
	return v
}

// pathPart is a piece of a rule's path: a name or index as written, or an
// expression whose value is one.
type pathPart struct {
	text string
	expr string
	at   int // byte offset of expr in the path
}

// splitPath takes a path apart.
func splitPath(path string) (parts []pathPart, err error) {
	for i := 0; i < len(path); {
		if path[i] != '/' {
			return nil, fmt.Errorf("a / is missing before %.40q", path[i:])
		}
		i++
		if i < len(path) && path[i] == '{' {
			end := closingBrace(path, i)
			if end < 0 {
				return nil, fmt.Errorf("the { of %.40q has no }", path[i:])
			}
			parts = append(parts, pathPart{expr: path[i+1 : end], at: i + 1})
			i = end + 1
			continue
		}
		end := strings.IndexByte(path[i:], '/')
		if end < 0 {
			end = len(path) - i
		}
		name, ok := source.UnescapeToken(path[i : i+end])
		if !ok {
			return nil, fmt.Errorf("~ in a path is written ~0, and / is written ~1")
		}
		parts = append(parts, pathPart{text: name})
		i += end
	}
	return parts, nil
}

// closingBrace returns the place of the } that closes the { at i; braces within
// strings do not count.
func closingBrace(s string, i int) int {
	depth := 0
	var quote byte
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
