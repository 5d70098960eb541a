package gocel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// Most documents obey most rules, and most of their lists are short. So where a rule
// asks whether a list that it makes is empty, has each element once, is within another
// one or in order, a condition is tried first that sees so without making the list. It
// is true only if the rule's own expression could be evaluated and says the same; when it
// is not true it says nothing, and the expression decides.

// quickWork bounds the code of one such condition, in expressions compiled.
const quickWork = 1500

// Empty is the quick condition that the list e has no elements; nil when there is none.
func (c *Compiler) Empty(e *model.Expr) *jen.Statement {
	if x, ok := c.quickly(func() (condition, bool) { return c.empty(e) }); ok {
		return x.bare()
	}
	return nil
}

// quickly compiles a quick condition, or goes back to where it began.
func (c *Compiler) quickly(compile func() (condition, bool)) (condition, bool) {
	back, work, most := c.mark(), c.work, c.most
	c.most = min(most, work+quickWork)
	c.quick++
	x, ok := compile()
	c.quick--
	c.most = most
	if !ok || c.err != nil || x.op == "lit" && !x.lit {
		back()
		c.work = work
		return condition{}, false
	}
	if x.drops {
		c.top().drops = true
	}
	return x, true
}

// empty: e is a list without elements.
func (c *Compiler) empty(e *model.Expr) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	e = c.reduced(e)
	switch {
	case e.Op == model.ExprList:
		return literal(true), len(e.Args) == 0
	case e.Op == model.ExprCond:
		return c.either(e, c.empty)
	case isCall(e, "_+_", 2):
		return c.both(e.Args[0], e.Args[1], c.empty)
	case isCall(e, "repeats", 1):
		return c.distinct(e.Args[0])
	case isCall(e, "misses", 2):
		return c.within(e.Args[0], e.Args[1])
	case isCall(e, "flatten", 1):
		return c.every(e.Args[0], func(x *model.Expr) (condition, bool) {
			if x.Term.Kind != model.TermList {
				return condition{}, false // an element that is no list stays
			}
			return c.empty(x)
		})
	case isCall(e, "findStrings", 2) || isCall(e, "findKeys", 2):
		return c.nothingFound(e)
	case e.Op == model.ExprFilter || e.Op == model.ExprMapList && e.Args[1] != nil:
		return c.elements(e, func(pred, _ *model.Expr) (condition, bool) {
			return c.cond(pred, false), true
		})
	case e.Op == model.ExprMapList:
		return c.empty(e.Args[0])
	case e.Op == model.ExprBind:
		ok := true
		code := c.bound(e, jen.Bool(), func(body *model.Expr) []jen.Code {
			var x condition
			if x, ok = c.empty(body); !ok {
				return nil
			}
			if x.drops {
				c.top().drops = true
			}
			return []jen.Code{jen.Return(x.bare())}
		})
		return plain(code), ok
	}
	return condition{}, false
}

// nothingFound compiles searches for strings and names by a constant pattern.
func (c *Compiler) nothingFound(e *model.Expr) (condition, bool) {
	text := c.constantText(e.Args[1])
	if text == "" || c.Matcher == nil {
		return condition{}, false
	}
	f := c.Matcher(text)
	x := c.value(e.Args[0])
	if f == "" || x.repr != asNode {
		return condition{}, false
	}
	name := map[string]string{"findStrings": "NoStrings", "findKeys": "NoKeys"}[e.Name]
	return plain(c.ctx().Dot(name).Call(c.doc(x.doc), x.code, jen.Id(f))), true
}

// maxText bounds the patterns that constants join to, in bytes.
const maxText = 1 << 16

// constantText is the string that an expression of constants is; "" when it is none.
func (c *Compiler) constantText(e *model.Expr) string {
	if c.tooLarge() {
		return ""
	}
	e = c.reduced(e)
	switch {
	case e.Op == model.ExprConst && isString(e.Term):
		return e.Value
	case isJoin(e):
		a, b := c.constantText(e.Args[0]), c.constantText(e.Args[1])
		if a != "" && b != "" && len(a)+len(b) <= maxText {
			return a + b
		}
	case isCall(e, "join", 1) || isCall(e, "join", 2):
		texts, ok := constantTexts(e.Args[0])
		between := ""
		if len(e.Args) == 2 {
			between = c.constantText(e.Args[1])
		}
		if ok {
			return strings.Join(texts, between)
		}
	}
	return ""
}

// either joins the two ways of a choice; one of them may be unknown.
func (c *Compiler) either(e *model.Expr, of func(*model.Expr) (condition, bool)) (condition, bool) {
	yes, okYes := c.try(func() (condition, bool) { return of(e.Args[1]) })
	no, okNo := c.try(func() (condition, bool) { return of(e.Args[2]) })
	return or(and(c.cond(e.Args[0], true), yes), and(c.cond(e.Args[0], false), no)), okYes || okNo
}

// try goes back to where it began when there is no condition: it is false then.
func (c *Compiler) try(compile func() (condition, bool)) (condition, bool) {
	back := c.mark()
	x, ok := compile()
	if !ok {
		back()
		return literal(false), false
	}
	return x, true
}

func (c *Compiler) both(a, b *model.Expr, of func(*model.Expr) (condition, bool)) (condition, bool) {
	x, ok := of(a)
	if !ok {
		return x, false
	}
	y, ok := of(b)
	return and(x, y), ok
}

// every: e is a list, and each of its elements is as is says.
//
// vars are the names of a loop over the document that has an index, and of its elements.
func (c *Compiler) every(e *model.Expr, is func(*model.Expr) (condition, bool), vars ...string) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	e = c.reduced(e)
	if len(vars) == 2 && !c.isNode(e) {
		return condition{}, false
	}
	switch {
	case e.Op == model.ExprList && len(e.Optional) == 0 && len(e.Args) <= 12:
		out := literal(true)
		for _, a := range e.Args {
			x, ok := is(a)
			if !ok {
				return x, false
			}
			out = and(out, x)
		}
		return out, true
	case e.Op == model.ExprCond:
		return c.either(e, func(x *model.Expr) (condition, bool) { return c.every(x, is) })
	case isCall(e, "_+_", 2):
		return c.both(e.Args[0], e.Args[1], func(x *model.Expr) (condition, bool) { return c.every(x, is) })
	case isCall(e, "distinct", 1):
		return c.every(e.Args[0], is)
	case isCall(e, "flatten", 1):
		return c.every(e.Args[0], func(x *model.Expr) (condition, bool) {
			if x.Term.Kind != model.TermList {
				return condition{}, false
			}
			return c.every(x, is)
		})
	case e.Op == model.ExprMapList || e.Op == model.ExprFilter:
		return c.elements(e, func(pred, elem *model.Expr) (condition, bool) {
			x, ok := is(elem)
			if pred != nil && ok {
				x = or(c.cond(pred, false), and(c.cond(pred, true), x))
			}
			return x, ok
		})
	case e.Term.Kind == model.TermList && c.isNode(e):
		if len(vars) == 0 {
			vars = []string{c.another("element")}
		}
		elem := &model.Expr{Op: model.ExprVar, Name: vars[len(vars)-1], Term: e.Term.Elem}
		ok := true
		code := c.loop(&model.Expr{Args: []*model.Expr{e}, Vars: vars}, "Every", jen.Bool(), nil, jen.False(), func() []jen.Code {
			var x condition
			if x, ok = is(elem); !ok {
				return nil
			}
			return []jen.Code{jen.If(not(x).bare()).Block(jen.Return(jen.False()))}
		}, jen.Return(jen.True()))
		return plain(code), ok
	}
	return condition{}, false
}

// elements is every over what a map or filter goes through: is gets its condition and its
// element for each.
func (c *Compiler) elements(e *model.Expr, is func(pred, elem *model.Expr) (condition, bool)) (condition, bool) {
	pred, elem := e.Args[1], (*model.Expr)(nil)
	if e.Op == model.ExprMapList {
		elem = e.Args[2]
	}
	// Variables of loops over the document keep their names: the loop itself has them.
	vars := make([]string, len(e.Vars))
	renamed := map[string]*model.Expr{}
	terms := loopTypes(e, e.Args[0].Term)
	for i, v := range e.Vars {
		vars[i] = c.another(v)
		renamed[v] = &model.Expr{Op: model.ExprVar, Name: vars[i], Term: terms[i].term}
	}
	if elem == nil {
		elem = &model.Expr{Op: model.ExprVar, Name: e.Vars[len(e.Vars)-1], Term: terms[len(terms)-1].term}
	}
	pred, elem = c.replaced(pred, renamed), c.replaced(elem, renamed)
	// missed: x may fail to be there, and nothing would say so.
	missed := func(x *model.Expr, name string) bool {
		return !c.certain(x) && !(pred != nil && strict(pred, name) || pred == nil && strict(elem, name))
	}
	if m := e.Args[0]; m.Op == model.ExprMap {
		if len(vars) != 2 || len(m.Optional) > 0 || len(m.Args) > 2*maxEntries+8 {
			return condition{}, false
		}
		out := literal(true)
		for i := 0; i < len(m.Args); i += 2 {
			if m.Args[i].Op != model.ExprConst || !isString(m.Args[i].Term) || missed(m.Args[i+1], vars[1]) {
				return condition{}, false
			}
			with := map[string]*model.Expr{vars[0]: m.Args[i], vars[1]: m.Args[i+1]}
			x, ok := is(c.replaced(pred, with), c.replaced(elem, with))
			if !ok {
				return x, false
			}
			out = and(out, x)
		}
		return out, true
	}
	last := vars[len(vars)-1]
	if len(vars) == 1 {
		vars = nil
	}
	return c.every(e.Args[0], func(x *model.Expr) (condition, bool) {
		if missed(x, last) {
			return condition{}, false
		}
		with := map[string]*model.Expr{last: x}
		p, m := c.replaced(pred, with), c.replaced(elem, with)
		if weight(m, maxWeight) > maxWeight || p != nil && weight(p, maxWeight) > maxWeight {
			return condition{}, false
		}
		if !straight(x) && (uses(pred, last) > 1 || uses(elem, last) > 1) {
			return condition{}, false // it would be computed several times
		}
		if x.Term.Kind != model.TermDyn {
			scope := c.scope()
			p, m = c.retype(p, scope), c.retype(m, scope)
		}
		return is(p, m)
	}, vars...)
}

// isNode reports whether e is a value of the document, or the empty list where it is not there.
func (c *Compiler) isNode(e *model.Expr) bool {
	back := c.mark()
	defer back()
	over, _ := c.overNode(e)
	return over != nil && over.term.Kind == model.TermList && !over.term.Nullable
}

// another returns a name for a variable that no expression has.
func (c *Compiler) another(name string) string {
	c.names++
	return fmt.Sprintf("%s'%d", name, c.names)
}

// reduced writes a list that has a name, or is what a function returns, as what it is,
// so far as nothing is computed twice for that.
func (c *Compiler) reduced(e *model.Expr) *model.Expr {
	for range 8 {
		from := e
		switch {
		case e.Op == model.ExprBind && (straight(e.Args[0]) || e.Args[0].Term.Kind == model.TermList):
			e = c.replaced(e.Args[1], map[string]*model.Expr{e.Accu: e.Args[0]})
		case e.Op == model.ExprDef:
			d := c.def(e.Name)
			if d == nil {
				return e
			}
			args := map[string]*model.Expr{}
			for i, name := range d.Params {
				a := e.Args[i]
				if narrows(a, d.Terms[i]) || !straight(a) && a.Term.Kind != model.TermList || !c.certain(a) && !strict(d.Expr, name) {
					return e
				}
				args[name] = a
			}
			e = c.replaced(d.Expr, args)
		case e.Op == model.ExprMapList && e.Args[1] == nil && len(e.Vars) == 1 && e.Args[0].Op == model.ExprList && len(e.Args[0].Optional) == 0 && len(e.Args[0].Args) <= 12:
			out := *e.Args[0]
			out.Term, out.Args = e.Term, nil
			for _, x := range e.Args[0].Args {
				if !straight(x) || !c.certain(x) && !strict(e.Args[2], e.Vars[0]) {
					return e
				}
				out.Args = append(out.Args, c.replaced(e.Args[2], map[string]*model.Expr{e.Vars[0]: x}))
			}
			e = &out
		default:
			return e
		}
		if weight(e, maxWeight) > maxWeight {
			return from
		}
		e = c.retype(e, c.scope())
	}
	return e
}

// maxWeight bounds the expressions that replacing makes, which may double with each
// function.
const maxWeight = 2000

// weight counts the parts of e, up to some more than most.
func weight(e *model.Expr, most int) int {
	n := 1
	for _, a := range e.Args {
		if a != nil && n <= most {
			n += weight(a, most-n)
		}
	}
	return n
}

// certain reports whether e can be evaluated for sure.
func (c *Compiler) certain(e *model.Expr) bool {
	if e.Op == model.ExprConst || c.sureNode(e) {
		return true
	}
	if v, ok := c.lookup(e.Name); ok && e.Op == model.ExprVar && v.there {
		return true
	}
	if e.Term.Kind != model.TermList {
		return false
	}
	defer c.mark()()
	x, ok := c.sound(e)
	return ok && x.op == "lit" && x.lit
}

// strict reports whether e cannot be evaluated where the variable cannot: a function's
// arguments are evaluated before it is called, whether it needs them or not.
func strict(e *model.Expr, name string) bool {
	switch e.Op {
	case model.ExprVar:
		return e.Name == name
	case model.ExprConst, model.ExprAnd, model.ExprOr, model.ExprFold:
		return false
	case model.ExprCond:
		return strict(e.Args[0], name) || strict(e.Args[1], name) && strict(e.Args[2], name)
	case model.ExprBind:
		return e.Accu != name && strict(e.Args[1], name)
	case model.ExprAll, model.ExprExists, model.ExprOne, model.ExprFilter, model.ExprMapList:
		return strict(e.Args[0], name)
	case model.ExprCall:
		if e.Name == "orValue" || e.Name == "or" { // the other value may not be needed
			return strict(e.Args[0], name)
		}
		return slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return strict(a, name) })
	case model.ExprDef, model.ExprList, model.ExprMap, model.ExprSelect, model.ExprHas, model.ExprNot:
		return slices.ContainsFunc(e.Args, func(a *model.Expr) bool { return strict(a, name) })
	}
	return false
}

// replaced is e with expressions in the place of variables. The variables of e's own
// loops get new names, so that they are not taken for those of the expressions.
func (c *Compiler) replaced(e *model.Expr, by map[string]*model.Expr) *model.Expr {
	if e == nil || len(by) == 0 {
		return e
	}
	if e.Op == model.ExprVar {
		if x := by[e.Name]; x != nil {
			return x
		}
		return e
	}
	out := *e
	out.Args = make([]*model.Expr, len(e.Args))
	inner := by
	own := slices.Clone(e.Vars)
	if e.Accu != "" {
		own = append(own, e.Accu)
	}
	if len(own) > 0 {
		inner = make(map[string]*model.Expr, len(by)+len(own))
		for name, x := range by {
			inner[name] = x
		}
		var types []typed
		if len(e.Vars) > 0 {
			types = loopTypes(e, e.Args[0].Term)
		}
		switch e.Op {
		case model.ExprBind:
			types = append(types, typed{e.Accu, e.Args[0].Term})
		case model.ExprFold:
			types = append(types, typed{e.Accu, e.Args[1].Term})
		}
		out.Vars = make([]string, len(e.Vars))
		for i, name := range own {
			to := c.another(name)
			if i < len(e.Vars) {
				out.Vars[i] = to
			} else {
				out.Accu = to
			}
			inner[name] = &model.Expr{Op: model.ExprVar, Name: to, Term: types[i].term}
		}
		if len(e.Vars) == 0 {
			out.Vars = nil
		}
	}
	for i, a := range e.Args {
		if i == 0 || e.Op == model.ExprFold && i == 1 { // outside of the loop
			out.Args[i] = c.replaced(a, by)
		} else {
			out.Args[i] = c.replaced(a, inner)
		}
	}
	return &out
}

// uses counts the places where a variable stands.
func uses(e *model.Expr, name string) (n int) {
	if e == nil {
		return 0
	}
	if e.Op == model.ExprVar && e.Name == name {
		return 1
	}
	for _, a := range e.Args {
		n += uses(a, name)
	}
	return n
}

func isCall(e *model.Expr, name string, args int) bool {
	return e.Op == model.ExprCall && e.Name == name && len(e.Args) == args
}

// quickCall is the quick condition that a call is want; there is none for most functions.
func (c *Compiler) quickCall(e *model.Expr, want bool) (condition, bool) {
	switch {
	case isCall(e, "unique", 1) && want:
		return c.distinct(e.Args[0])
	case isCall(e, "sorted", 1) && want:
		return c.inOrder(e.Args[0])
	case isCall(e, "sets.contains", 2) && want:
		return c.within(e.Args[1], e.Args[0])
	case isCall(e, "sets.intersects", 2) && !want:
		return c.outside(e.Args[1], e.Args[0])
	case isCall(e, "@in", 2) && e.Args[1].Term.Kind == model.TermList:
		sound, ok := c.sound(e.Args[1])
		if !ok {
			return sound, false
		}
		x, ok := c.inList(e.Args[0], e.Args[1], want)
		return and(sound, x), ok
	case (isCall(e, "_>_", 2) || isCall(e, "_!=_", 2)) && !want, isCall(e, "_==_", 2) && want:
		size, zero := e.Args[0], e.Args[1]
		if isCall(size, "size", 1) && isCall(c.reduced(size.Args[0]), "misses", 2) && zero.Op == model.ExprConst && zero.Term.Kind == model.TermInt && zero.Value == "0" {
			return c.empty(size.Args[0])
		}
	}
	return condition{}, false
}
