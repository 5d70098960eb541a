package gocel

import (
	"slices"

	"github.com/contractkit/contractkit/internal/model"
)

// A parameter of the type dyn often gets values whose types are known where the
// function is called. retype is the function's expression with these types.

type typed struct {
	name string
	term *model.Term
}

func (c *Compiler) retype(e *model.Expr, scope []typed) *model.Expr {
	if e == nil {
		return nil
	}
	out := *e
	out.Args = make([]*model.Expr, len(e.Args))
	inner := scope
	for i, a := range e.Args {
		if i == 1 { // the first argument of loops and binds is outside
			first := out.Args[0]
			switch {
			case e.Op == model.ExprBind:
				inner = append(inner[:len(inner):len(inner)], typed{e.Accu, first.Term})
			case e.Op == model.ExprFold:
				inner = append(inner[:len(inner):len(inner)], loopTypes(e, first.Term)...)
				inner = append(inner, typed{e.Accu, e.Args[1].Term})
			case len(e.Vars) > 0:
				inner = append(inner[:len(inner):len(inner)], loopTypes(e, first.Term)...)
			}
		}
		out.Args[i] = c.retype(a, inner)
	}
	isDyn := e.Term.Kind == model.TermDyn
	switch e.Op {
	case model.ExprVar:
		for i := len(scope) - 1; i >= 0; i-- {
			if scope[i].name == e.Name {
				if isDyn {
					out.Term = scope[i].term
				}
				out.Term = out.Term.Or(scope[i].term)
				break
			}
		}
	case model.ExprSelect, model.ExprHas:
		if t := out.Args[0].Term; t.Kind == model.TermObject && !t.Nullable {
			for _, f := range c.Views[t.Object].Fields {
				if f.Ident == e.Name || f.Name == e.Name {
					out.Name = f.Name
					if e.Op == model.ExprSelect && isDyn {
						out.Term = f.Term
					}
				}
			}
		}
	case model.ExprCond:
		if a, b := out.Args[1].Term, out.Args[2].Term; isDyn && a.Kind == b.Kind && a.Kind != model.TermList && a.Kind != model.TermMap && a.Object == b.Object && !a.Nullable && !b.Nullable {
			out.Term = a
		}
	case model.ExprFilter:
		if t := out.Args[0].Term; t.Kind == model.TermList {
			out.Term = t
		}
	case model.ExprBind:
		if isDyn {
			out.Term = out.Args[1].Term
		}
	case model.ExprCall:
		if t := out.Args; e.Name == "_[_]" && isDyn && (t[0].Term.Kind == model.TermList || t[0].Term.Kind == model.TermMap) && t[0].Term.Elem != nil {
			out.Term = t[0].Term.Elem
		}
	case model.ExprFold:
		if start := out.Args[1].Term.Or(out.Args[3].Term); start != out.Args[1].Term {
			again, first := *e, *e.Args[1]
			again.Args, first.Term = slices.Clone(e.Args), start
			again.Args[1] = &first
			return c.retype(&again, scope)
		}
	}
	c.widener().Settle(&out)
	return &out
}

// widener knows the functions.
func (c *Compiler) widener() *model.Widener {
	if c.wide == nil {
		c.wide = model.NewWidener(c.Defs)
	}
	return c.wide
}

// loopTypes are the types of a loop's variables.
func loopTypes(e *model.Expr, over *model.Term) []typed {
	dyn := &model.Term{Kind: model.TermDyn}
	first, second := dyn, dyn
	switch over.Kind {
	case model.TermList:
		first, second = over.Elem, over.Elem
		if len(e.Vars) == 2 {
			first = &model.Term{Kind: model.TermInt}
		}
	case model.TermMap:
		first, second = over.Key, over.Elem
	}
	if len(e.Vars) == 1 {
		return []typed{{e.Vars[0], first}}
	}
	return []typed{{e.Vars[0], first}, {e.Vars[1], second}}
}

// plainTerm reports whether values of the type are equal in CEL when they are equal
// as JSON.
func (c *Compiler) plainTerm(t *model.Term) bool { return c.plainIn(t, map[int]bool{}) }

func (c *Compiler) plainIn(t *model.Term, seen map[int]bool) bool {
	switch t.Kind {
	case model.TermBool, model.TermInt, model.TermDouble, model.TermString, model.TermNull, model.TermDyn:
		return true
	case model.TermList, model.TermMap:
		return !t.Set && t.Keys == nil && c.plainIn(t.Elem, seen)
	case model.TermObject:
		if seen[t.Object] {
			return true
		}
		seen[t.Object] = true
		for _, f := range c.Views[t.Object].Fields {
			if !c.plainIn(f.Term, seen) {
				return false
			}
		}
		return true
	}
	return false
}
