package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/spelling"
)

// impossible warns of strings that are compared with a value of an enum which does not
// have them: such a comparison has one result for every document.
func (c *checker) impossible(t Text, base int, e *model.Expr) {
	if e == nil {
		return
	}
	if e.Op == model.ExprCall && len(e.Args) == 2 {
		a, b := e.Args[0], e.Args[1]
		switch e.Name {
		case "_==_", "_!=_":
			c.never(t, base, a, b)
			c.never(t, base, b, a)
		case "@in":
			if b.Op == model.ExprList {
				for i, x := range b.Args {
					if !slices.Contains(b.Optional, i) {
						c.never(t, base, a, x)
					}
				}
			} else if b.Term.Kind == model.TermList {
				c.never(t, base, &model.Expr{Op: model.ExprCall, Term: b.Term.Elem}, a)
			}
		}
	}
	for _, x := range e.Args {
		c.impossible(t, base, x)
	}
}

// never reports a constant that the value cannot be.
func (c *checker) never(t Text, base int, value, constant *model.Expr) {
	values := enumOf(value)
	if len(values) == 0 || constant.Op != model.ExprConst || constant.Term.Kind != model.TermString || slices.Contains(values, constant.Value) {
		return
	}
	const shown = 12
	others := "the values are " + quoted(values[:min(len(values), shown)])
	if len(values) > shown {
		others += ", …"
	}
	c.report(diag.Warning, t, base+constant.At, "rules.unknown-constant",
		fmt.Sprintf("the value is never %.100q, which its enum does not have", constant.Value), spelling.Ask(constant.Value, values, others))
}

// enumOf lists the strings that a value can be; nil when it can be others.
func enumOf(e *model.Expr) []string {
	if e.Op == model.ExprCall && e.Name == "orValue" && len(e.Args) == 2 && e.Args[0].Term.Kind == model.TermOptional {
		values := e.Args[0].Term.Elem.Values
		if other := e.Args[1]; values != nil && other.Op == model.ExprConst && other.Term.Kind == model.TermString {
			return append(slices.Clip(values), other.Value)
		}
		return nil
	}
	if e.Term.Kind != model.TermString {
		return nil
	}
	return e.Term.Values
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = fmt.Sprintf("%.60q", s)
	}
	return strings.Join(out, ", ")
}
