package rules

import (
	"fmt"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/spelling"
)

// knownPath reports a path that names a member which the schema does not declare.
// Steps that are computed, and what follows them, are looked at as far as the types go.
func (c *checker) knownPath(rule *Rule, at *model.Term) {
	if c.Registry.Profile == "kubernetes" || rule.Scope == History || rule.Scope == Collection {
		return
	}
	parts, err := splitPath(rule.Path.Value)
	if err != nil {
		return // said elsewhere
	}
	for _, p := range parts {
		switch at.Kind {
		case model.TermList, model.TermMap:
			at = at.Elem
			continue
		case model.TermObject:
		default:
			return
		}
		if p.expr != "" {
			return
		}
		var names []string
		var next *model.Term
		for _, f := range c.t.views[at.Object].Fields {
			names = append(names, f.Name)
			if f.Name == p.text {
				next = f.Term
			}
		}
		if next == nil {
			hint := spelling.Ask(p.text, names, "a path goes through members that the schema declares")
			c.problem(rule.Path, 0, "rules.path", fmt.Sprintf("the path %s names %q, which %s does not have", rule.Path.Value, p.text, c.t.views[at.Object].Name), hint)
			return
		}
		at = next
	}
}
