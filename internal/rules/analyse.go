package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
)

// reads reports whether e reads the variable name.
func reads(e *model.Expr, name string) bool {
	if e == nil {
		return false
	}
	if e.Op == model.ExprVar && e.Name == name {
		return true
	}
	if slices.Contains(e.Vars, name) || e.Accu == name {
		return reads(e.Args[0], name) // hidden further in
	}
	return slices.ContainsFunc(e.Args, func(x *model.Expr) bool { return reads(x, name) })
}

func usesVariables(e *model.Expr) bool {
	if e == nil {
		return false
	}
	return e.Op == model.ExprVar || slices.ContainsFunc(e.Args, usesVariables)
}

// constantBool evaluates what does not depend on the document.
func constantBool(e *model.Expr) (value, fixed bool) {
	switch e.Op {
	case model.ExprConst:
		return e.Value == "true", e.Term.Kind == model.TermBool
	case model.ExprNot:
		v, ok := constantBool(e.Args[0])
		return !v, ok
	case model.ExprAnd, model.ExprOr:
		decides := e.Op == model.ExprOr
		a, aok := constantBool(e.Args[0])
		b, bok := constantBool(e.Args[1])
		switch {
		case aok && a == decides, bok && b == decides:
			return decides, true
		case aok && bok:
			return !decides, true
		}
		// x || !x
		if same := printed(e.Args[0]); decides && (same == negated(e.Args[1]) || negated(e.Args[0]) == printed(e.Args[1])) {
			return true, true
		}
	case model.ExprCond:
		if v, ok := constantBool(e.Args[0]); ok {
			if v {
				return constantBool(e.Args[1])
			}
			return constantBool(e.Args[2])
		}
		a, aok := constantBool(e.Args[1])
		b, bok := constantBool(e.Args[2])
		return a, aok && bok && a == b
	case model.ExprCall:
		if (e.Name == "_==_" || e.Name == "_<=_" || e.Name == "_>=_") && printed(e.Args[0]) == printed(e.Args[1]) {
			return true, true
		}
		if e.Name == "_!=_" && printed(e.Args[0]) == printed(e.Args[1]) {
			return false, true
		}
	}
	return false, false
}

func negated(e *model.Expr) string {
	if e.Op == model.ExprNot {
		return printed(e.Args[0])
	}
	return "!(" + printed(e) + ")"
}

// printed tells expressions apart.
func printed(e *model.Expr) string {
	if e == nil {
		return "-"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q %q %q %q %v(", e.Op, e.Name, e.Value, e.Vars, e.Accu, e.Optional)
	for _, x := range e.Args {
		b.WriteString(printed(x) + ",")
	}
	return b.String() + ")"
}

// facts are the paths of optional members that are known to be there.
type facts map[string]bool

func (f facts) with(more facts) facts {
	if len(more) == 0 {
		return f
	}
	out := maps.Clone(f)
	maps.Copy(out, more)
	return out
}

func (f facts) both(g facts) facts {
	out := facts{}
	for k := range f {
		if g[k] {
			out[k] = true
		}
	}
	return out
}

// filtered adds what the elements of e are known to have, for the variable name.
func (f facts) filtered(e *model.Expr, name string) facts {
	if e.Op != model.ExprFilter || e.Args[1] == nil {
		return f
	}
	more := facts{}
	for k := range truths(e.Args[1], true) {
		if rest, ok := strings.CutPrefix(k, e.Vars[0]+"."); ok {
			more[name+"."+rest] = true
		}
	}
	return f.with(more).filtered(e.Args[0], name)
}

// pathOf is the path of a chain of members, "" for anything else.
func pathOf(e *model.Expr) string {
	switch {
	case e.Op == model.ExprVar:
		return e.Name
	case e.Op == model.ExprSelect || e.Op == model.ExprHas:
		if p := pathOf(e.Args[0]); p != "" {
			return p + "." + e.Name
		}
	case e.Op == model.ExprCall && e.Name == "_[_]" && e.Args[1].Op == model.ExprConst:
		if p := pathOf(e.Args[0]); p != "" {
			if e.Args[1].Term.Kind == model.TermString {
				return fmt.Sprintf("%s.[%q]", p, e.Args[1].Value)
			}
			return p + ".[" + e.Args[1].Value + "]"
		}
	}
	return ""
}

// truths returns what is there when e has the value want.
func truths(e *model.Expr, want bool) facts {
	switch e.Op {
	case model.ExprHas:
		if want {
			if p := pathOf(e); p != "" {
				return facts{p: true}
			}
		}
	case model.ExprNot:
		return truths(e.Args[0], !want)
	case model.ExprAnd, model.ExprOr:
		a, b := truths(e.Args[0], want), truths(e.Args[1], want)
		if (e.Op == model.ExprAnd) == want {
			return a.with(b)
		}
		return a.both(b)
	case model.ExprCall:
		// has(x) == has(y), and the like, say nothing for sure
	}
	return facts{}
}

// guarded reports optional members that are read where they may be missing.
func (c *checker) guarded(rule *Rule, t Text, base int, e *model.Expr, known facts) {
	if rule.Unguarded != "" || c.Registry.Profile == "kubernetes" {
		return
	}
	c.guard(t, base, e, known)
}

func (c *checker) guard(t Text, base int, e *model.Expr, known facts) {
	if e == nil {
		return
	}
	switch e.Op {
	case model.ExprAnd:
		c.guard(t, base, e.Args[0], known)
		c.guard(t, base, e.Args[1], known.with(truths(e.Args[0], true)))
		return
	case model.ExprOr:
		c.guard(t, base, e.Args[0], known)
		c.guard(t, base, e.Args[1], known.with(truths(e.Args[0], false)))
		return
	case model.ExprCond:
		c.guard(t, base, e.Args[0], known)
		c.guard(t, base, e.Args[1], known.with(truths(e.Args[0], true)))
		c.guard(t, base, e.Args[2], known.with(truths(e.Args[0], false)))
		return
	case model.ExprAll, model.ExprExists, model.ExprOne, model.ExprFilter, model.ExprMapList:
		c.guard(t, base, e.Args[0], known)
		inner := known
		for _, v := range e.Vars { // an outer variable of that name is hidden
			inner = inner.without(v)
		}
		inner = inner.filtered(e.Args[0], e.Vars[len(e.Vars)-1])
		if e.Op == model.ExprMapList && e.Args[1] != nil {
			c.guard(t, base, e.Args[1], inner)
			inner = inner.with(truths(e.Args[1], true))
			c.guard(t, base, e.Args[2], inner)
			return
		}
		for _, x := range e.Args[1:] {
			c.guard(t, base, x, inner)
		}
		return
	case model.ExprSelect, model.ExprHas:
		c.guard(t, base, e.Args[0], known)
		if e.Op == model.ExprHas {
			return
		}
		operand := e.Args[0].Term
		if operand.Kind != model.TermObject {
			return
		}
		p := pathOf(e)
		for _, f := range c.t.views[operand.Object].Fields {
			if f.Name == e.Name && f.Optional && (p == "" || !known[p]) {
				shown := strings.ReplaceAll(p, ".[", "[")
				if p == "" {
					shown = e.Name
				}
				c.report(diag.Error, t, base+e.At, "rules.optional", fmt.Sprintf("%s may be missing here", shown),
					fmt.Sprintf("ask first: has(%s) && … or !has(%s) || …, or read .?%s", shown, shown, f.Ident))
			}
		}
		return
	case model.ExprBind:
		c.guard(t, base, e.Args[0], known)
		c.guard(t, base, e.Args[1], known.without(e.Accu))
		return
	}
	for _, x := range e.Args {
		c.guard(t, base, x, known)
	}
}

func (f facts) without(name string) facts {
	out := facts{}
	for k := range f {
		if k != name && !strings.HasPrefix(k, name+".") {
			out[k] = true
		}
	}
	return out
}
