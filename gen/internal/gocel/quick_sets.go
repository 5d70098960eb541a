package gocel

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// within: each element of list is in whole.
func (c *Compiler) within(list, whole *model.Expr) (condition, bool) {
	whole = c.reduced(whole)
	sound, ok := c.sound(whole)
	if !ok {
		return sound, false
	}
	all, ok := c.every(list, func(x *model.Expr) (condition, bool) { return c.inList(x, whole, true) })
	return and(sound, all), ok
}

// outside: no element of list is in whole.
func (c *Compiler) outside(list, whole *model.Expr) (condition, bool) {
	whole = c.reduced(whole)
	sound, ok := c.sound(whole)
	if !ok {
		return sound, false
	}
	all, ok := c.every(list, func(x *model.Expr) (condition, bool) { return c.inList(x, whole, false) })
	return and(sound, all), ok
}

// sound: a list that can be made without a fault.
func (c *Compiler) sound(e *model.Expr) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	e = c.reduced(e)
	switch {
	case c.sureList(e):
		return literal(true), true
	case isCall(e, "orValue", 2):
		return literal(true), c.isNode(e)
	case e.Op == model.ExprList:
		for _, x := range e.Args {
			if x.Op != model.ExprConst && !c.soundText(x) {
				return condition{}, false
			}
		}
		return literal(true), len(e.Optional) == 0
	case isCall(e, "_+_", 2):
		return c.both(e.Args[0], e.Args[1], c.sound)
	case isCall(e, "distinct", 1):
		return c.sound(e.Args[0])
	case e.Op == model.ExprCond:
		return c.either(e, c.sound)
	case e.Op == model.ExprMapList && e.Args[1] == nil && len(e.Vars) == 1:
		elem := e.Args[2]
		for elem.Op == model.ExprSelect && c.required(elem.Args[0].Term, elem.Name) {
			elem = elem.Args[0]
		}
		if elem.Op == model.ExprVar && elem.Name == e.Vars[0] || elem.Op == model.ExprConst {
			return c.sound(e.Args[0])
		}
	case e.Term.Kind == model.TermList && !e.Term.Nullable:
		if x := c.value(e); x.repr == asNode {
			return condition{code: x.code.Op(">=").Lit(0), op: "=="}, true
		}
	}
	return condition{}, false
}

// soundText: a string that can be made without a fault for sure.
func (c *Compiler) soundText(e *model.Expr) bool {
	if isCall(e, "_+_", 2) {
		return c.soundText(e.Args[0]) && c.soundText(e.Args[1])
	}
	return e.Op == model.ExprConst && isString(e.Term) || c.surePlain(e)
}

// required: objects of the type have the member, and it is not null.
func (c *Compiler) required(t *model.Term, name string) bool {
	if t.Kind != model.TermObject || t.Nullable {
		return false
	}
	for _, f := range c.Views[t.Object].Fields {
		if f.Name == name {
			return !f.Optional && !f.Term.Nullable
		}
	}
	return false
}

// inList: x can be evaluated and is in the list whole, which is sound; or, where in is
// false, is not.
func (c *Compiler) inList(x, whole *model.Expr, in bool) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	whole = c.reduced(whole)
	join := or
	if !in {
		join = and
	}
	switch {
	case whole.Op == model.ExprList && len(whole.Args) <= 12:
		if _, constant := constantTexts(whole); constant && isString(x.Term) && !x.Term.Nullable {
			return c.membership(x, whole, in)
		}
		out := literal(!in)
		for _, a := range whole.Args {
			y, ok := c.same(x, a, in)
			if !ok {
				return y, false
			}
			out = join(out, y)
		}
		return out, len(whole.Args) > 0
	case isCall(whole, "_+_", 2):
		a, okA := c.try(func() (condition, bool) { return c.inList(x, whole.Args[0], in) })
		b, okB := c.try(func() (condition, bool) { return c.inList(x, whole.Args[1], in) })
		switch {
		case !in:
			return and(a, b), okA && okB
		case okA && okB:
			return or(a, b), true
		case okA:
			return a, true
		}
		return b, okB
	case isCall(whole, "distinct", 1):
		return c.inList(x, whole.Args[0], in)
	case whole.Op == model.ExprCond:
		return c.either(whole, func(w *model.Expr) (condition, bool) { return c.inList(x, w, in) })
	case whole.Op == model.ExprMapList && whole.Args[1] == nil && len(whole.Vars) == 1 && c.isNode(whole.Args[0]) && straight(x):
		v := c.another(whole.Vars[0])
		elem := c.replaced(whole.Args[2], map[string]*model.Expr{whole.Vars[0]: {Op: model.ExprVar, Name: v, Term: whole.Args[0].Term.Elem}})
		ok := true
		name, found := "Any", in
		if !in {
			name = "None"
		}
		code := c.loop(&model.Expr{Args: whole.Args[:1], Vars: []string{v}}, name, jen.Bool(), nil, jen.False(), func() []jen.Code {
			var y condition
			if y, ok = c.same(c.retype(elem, c.scope()), x, in); !ok {
				return nil
			}
			if !in {
				y = not(y)
			}
			return []jen.Code{jen.If(y.bare()).Block(jen.Return(jen.Lit(found)))}
		}, jen.Return(jen.Lit(!found)))
		return plain(code), ok
	case whole.Term.Kind == model.TermList && c.isNode(whole):
		return c.membership(x, whole, in)
	}
	return condition{}, false
}

// same: a and b can be evaluated and are equal, or are not.
func (c *Compiler) same(a, b *model.Expr, equal bool) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	a, b = c.reduced(bare(a)), c.reduced(bare(b))
	if a.Term.Nullable || b.Term.Nullable {
		return condition{}, false
	}
	switch {
	case a.Op == model.ExprCond && b.Op != model.ExprCond:
		return c.either(a, func(x *model.Expr) (condition, bool) { return c.same(x, b, equal) })
	case b.Op == model.ExprCond:
		return c.either(b, func(x *model.Expr) (condition, bool) { return c.same(a, x, equal) })
	case isCall(a, "canonical", 1) && isCall(b, "canonical", 1) && a.Args[0].Op == model.ExprList && b.Args[0].Op == model.ExprList:
		return c.sameLists(a.Args[0], b.Args[0], equal)
	case a.Op == model.ExprList && b.Op == model.ExprList:
		return c.sameLists(a, b, equal)
	case isCall(a, "string", 1) && isCall(b, "string", 1) && a.Args[0].Term.Kind == model.TermInt && b.Args[0].Term.Kind == model.TermInt:
		return c.same(a.Args[0], b.Args[0], equal)
	case a.Term.Kind != b.Term.Kind:
		// Values of such types are never equal; each is read, so that both are there.
		x, okA := c.there(a)
		y, okB := c.there(b)
		return and(x, y), okA && okB && !equal && plainKind(a.Term.Kind) && plainKind(b.Term.Kind) && !(number(a.Term.Kind) && number(b.Term.Kind))
	case plainKind(a.Term.Kind) || a.Term.Kind == model.TermObject:
		return c.equality(a, b, equal)
	}
	return condition{}, false
}

// sameLists compares lists that the rule writes out, of strings that are there for sure.
func (c *Compiler) sameLists(a, b *model.Expr, equal bool) (condition, bool) {
	if len(a.Args) != len(b.Args) || len(a.Optional)+len(b.Optional) > 0 {
		return condition{}, false
	}
	for i := range a.Args {
		if !c.soundText(a.Args[i]) || !c.soundText(b.Args[i]) {
			return condition{}, false
		}
	}
	return c.literals(a, b, equal)
}

func plainKind(k model.TermKind) bool {
	return k == model.TermString || k == model.TermInt || k == model.TermDouble || k == model.TermBool
}

func number(k model.TermKind) bool { return k == model.TermInt || k == model.TermDouble }

// bare is what dyn is called with.
func bare(e *model.Expr) *model.Expr {
	for isCall(e, "dyn", 1) {
		e = e.Args[0]
	}
	return e
}

// there: e can be evaluated.
func (c *Compiler) there(e *model.Expr) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	e = c.reduced(bare(e))
	switch {
	case e.Term.Nullable:
		return condition{}, false
	case e.Op == model.ExprConst || c.soundText(e):
		return literal(true), true
	case e.Op == model.ExprCond:
		return c.either(e, c.there)
	case isCall(e, "canonical", 1):
		return c.there(e.Args[0])
	case isCall(e, "string", 1) && e.Args[0].Term.Kind == model.TermInt:
		return c.there(e.Args[0])
	case e.Op == model.ExprList && len(e.Optional) == 0:
		out := literal(true)
		for _, a := range e.Args {
			x, ok := c.there(a)
			if !ok {
				return x, false
			}
			out = and(out, x)
		}
		return out, true
	case e.Term.Kind == model.TermString:
		return plain(c.str(e).Dot("OK")), true
	case e.Term.Kind == model.TermInt:
		if v, ok := c.lookup(e.Name); ok && e.Op == model.ExprVar && v.repr == asInt && v.there {
			return literal(true), true // an index
		}
		return plain(c.toInt(c.value(e)).Dot("OK")), true
	case e.Term.Kind == model.TermObject:
		if c.sureNode(e) {
			return literal(true), true
		}
		if x := c.value(e); x.repr == asNode {
			return condition{code: x.code.Clone().Op(">=").Lit(0), op: "=="}, true
		}
	}
	return condition{}, false
}

// distinct: no two elements of the list are equal.
func (c *Compiler) distinct(e *model.Expr) (condition, bool) {
	if c.tooLarge() {
		return condition{}, false
	}
	e = c.reduced(e)
	switch {
	case isCall(e, "_+_", 2) && isCall(e.Args[0], "distinct", 1) && isCall(e.Args[1], "distinct", 1):
		return c.outside(e.Args[1].Args[0], e.Args[0])
	case e.Op == model.ExprMapList && e.Args[1] == nil:
		list := c.reduced(e.Args[0])
		if list.Op == model.ExprMapList && list.Args[1] == nil && len(list.Vars) == 1 && len(e.Vars) == 1 && (c.certain(list.Args[2]) || strict(e.Args[2], e.Vars[0])) && (straight(list.Args[2]) || uses(e.Args[2], e.Vars[0]) <= 1) {
			fused := *list // a map over a map
			fused.Args = []*model.Expr{list.Args[0], nil, c.replaced(e.Args[2], map[string]*model.Expr{e.Vars[0]: list.Args[2]})}
			fused.Term = e.Term
			return c.distinct(&fused)
		}
		if !c.isNode(list) {
			return condition{}, false
		}
		if x, ok := c.distinctTexts(list, e.Args[2], e.Vars); ok {
			return x, true
		}
		if x, ok := c.try(func() (condition, bool) { return c.distinctKeys(list, e) }); ok {
			return x, true
		}
		return c.pairs(list, e, "Distinct", func(elem, earlier *model.Expr) (one, two condition, ok bool) {
			one, okOne := c.there(elem)
			two, okTwo := c.same(elem, earlier, false)
			return one, two, okOne && okTwo
		}, false)
	case c.isNode(e):
		if x, ok := c.distinctTexts(e, nil, nil); ok {
			return x, true
		}
		v := c.another("element")
		elem := &model.Expr{Op: model.ExprVar, Name: v, Term: e.Term.Elem}
		return c.distinct(&model.Expr{Op: model.ExprMapList, Term: e.Term, Vars: []string{v}, Args: []*model.Expr{e, nil, elem}})
	}
	return condition{}, false
}

// distinctTexts compares strings of the document, or one member of its objects.
func (c *Compiler) distinctTexts(list, elem *model.Expr, vars []string) (condition, bool) {
	t := list.Term.Elem
	if t == nil || t.Nullable {
		return condition{}, false
	}
	view, slot := jen.Nil(), jen.Lit(0)
	switch {
	case elem == nil || elem.Op == model.ExprVar && len(vars) == 1 && elem.Name == vars[0]:
		if !isString(t) {
			return condition{}, false
		}
	case elem.Op == model.ExprSelect && len(vars) == 1 && elem.Args[0].Op == model.ExprVar && elem.Args[0].Name == vars[0] && t.Kind == model.TermObject && isString(elem.Term) && !elem.Term.Nullable && c.declared(t, elem.Name):
		view, slot = c.slot(t.Object, elem.Name)
	default:
		return condition{}, false
	}
	over, orEmpty := c.overNode(list)
	return plain(c.ctx().Dot("DistinctTexts").Call(jen.Lit(over.doc), over.code, view, slot, jen.Lit(orEmpty))), true
}

// distinctKeys compiles what makes a string of each element of a list of the document, or
// of some of them: the others have their index, which no other element has.
func (c *Compiler) distinctKeys(list, e *model.Expr) (condition, bool) {
	stop := jen.Return(jen.False())
	keys := jen.Id("keys")
	known, strings := true, false
	var add func(*model.Expr) []jen.Code
	add = func(x *model.Expr) []jen.Code {
		switch x = c.reduced(bare(x)); {
		case x.Op == model.ExprCond:
			yes, no := c.cond(x.Args[0], true), c.cond(x.Args[0], false)
			return []jen.Code{jen.Switch().Block(
				jen.Case(yes.bare()).Block(add(x.Args[1])...),
				jen.Case(not(no).bare()).Block(stop.Clone()),
				jen.Default().Block(add(x.Args[2])...),
			)}
		case isString(x.Term) && !x.Term.Nullable && straight(x): // what is joined is compared by part
			strings = true
			return []jen.Code{jen.If(jen.Op("!").Add(keys.Clone()).Dot("Add").Call(c.str(x))).Block(stop.Clone())}
		case x.Op == model.ExprVar && len(e.Vars) == 2 && x.Name == e.Vars[0]:
			return nil
		}
		known = false
		return nil
	}
	code := c.loop(&model.Expr{Args: []*model.Expr{list}, Vars: e.Vars}, "Distinct", jen.Bool(), []jen.Code{jen.Var().Add(keys).Add(c.cel("Keys"))}, jen.False(), func() []jen.Code {
		return add(c.retype(e.Args[2], c.scope()))
	}, jen.Return(jen.True()))
	return plain(code), known && strings
}

// pairs compiles a loop over pairs of elements of a list of the document: all pairs, or
// those that are neighbours. is gets what the map e makes of the later and of the earlier
// one; it returns what has to be true of each element by itself and of each pair.
func (c *Compiler) pairs(list, e *model.Expr, name string, is func(elem, earlier *model.Expr) (one, two condition, ok bool), neighbours bool) (condition, bool) {
	over, orEmpty := c.overNode(list)
	term := list.Term.Elem
	param := variable{name: "\x01list", id: "list", operand: operand{repr: asNode, doc: over.doc, code: jen.Id("list"), term: over.term}}
	known := true
	code := c.function(name, jen.Bool(), []variable{param}, []*jen.Statement{over.code}, func() []jen.Code {
		f := c.top()
		doc := c.doc(over.doc)
		declare := func(cel string, o operand) (string, *model.Expr) {
			cel = c.another(cel)
			id := c.fresh(cel)
			o.code, o.there = jen.Id(id), true
			if o.repr == asNode {
				o.id = id
			}
			f.own[id] = true
			f.vars = append(f.vars, variable{cel, id, o})
			return id, &model.Expr{Op: model.ExprVar, Name: cel, Term: o.term}
		}
		v := e.Vars[len(e.Vars)-1]
		later, x := declare(v, operand{repr: asNode, doc: over.doc, term: term})
		earlier, y := declare(v, operand{repr: asNode, doc: over.doc, term: term})
		byX, byY := map[string]*model.Expr{v: x}, map[string]*model.Expr{v: y}
		var laterAt, earlierAt string
		if len(e.Vars) == 2 {
			index := operand{repr: asInt, term: &model.Term{Kind: model.TermInt}}
			laterAt, byX[e.Vars[0]] = declare(e.Vars[0], index)
			earlierAt, byY[e.Vars[0]] = declare(e.Vars[0], index)
		}
		elem, other := c.retype(c.replaced(e.Args[2], byX), c.scope()), c.retype(c.replaced(e.Args[2], byY), c.scope())
		one, two, ok := is(elem, other)
		if known = ok; !ok {
			return nil
		}
		if one.drops || two.drops {
			f.drops = true
		}
		stop := jen.Return(jen.False())
		inner := c.settle(func(id string) bool { return id == earlier })
		outer := c.settle(func(id string) bool { return id == later })
		check := jen.If(not(two).bare()).Block(stop.Clone())
		next := func(n string) *jen.Statement { return doc.Clone().Dot("Next").Call(jen.Id(n)) }
		var body, before []jen.Code
		body = append(body, jen.If(jen.Id("few").Op("++"), jen.Id("few").Op(">").Add(c.cel("Few"))).Block(stop.Clone()))
		at := func(id string, n *jen.Statement) {
			if f.seen[id] {
				body = append(body, declared([]head{{id, c.cel("N").Call(n)}}, f)...)
			}
		}
		if laterAt != "" {
			at(laterAt, jen.Int64().Call(jen.Id("few").Op("-").Lit(1)))
		}
		body = append(body, outer...)
		if one.op != "lit" || !one.lit {
			body = append(body, jen.If(not(one).bare()).Block(stop.Clone()))
		}
		if neighbours {
			before = append(before, jen.Id(earlier).Op(":=").Add(c.cel("Nowhere")))
			body = append(body,
				jen.If(jen.Id(earlier).Op(">=").Lit(0)).Block(append(inner, check)...),
				jen.Id(earlier).Op("=").Id(later))
		} else {
			step := append(inner, check)
			if earlierAt != "" && f.seen[earlierAt] {
				step = append(declared([]head{{earlierAt, c.cel("N").Call(jen.Int64().Call(jen.Id("l")))}}, f), step...)
				step = append(step, jen.Id("l").Op("++"))
				body = append(body, jen.Id("l").Op(":=").Lit(0))
			}
			body = append(body, jen.For(jen.Id(earlier).Op(":=").Id("list").Op("+").Lit(1), jen.Id(earlier).Op("<").Id(later), jen.Id(earlier).Op("=").Add(next(earlier))).Block(step...))
		}
		wrong := jen.If(jen.Id("list").Op("<").Lit(0).Op("||").Add(doc.Clone()).Dot("Kind").Call(jen.Id("list")).Op("!=").Add(c.rt("Array"))).Block(stop.Clone())
		if orEmpty {
			wrong = jen.If(jen.Id("list").Op("<").Lit(0)).Block(jen.Return(jen.True())).Line().
				If(doc.Clone().Dot("Kind").Call(jen.Id("list")).Op("!=").Add(c.rt("Array"))).Block(stop.Clone())
		}
		code := append([]jen.Code{wrong, jen.Id("few").Op(":=").Lit(0)}, before...)
		return append(code, jen.For(
			jen.List(jen.Id(later), jen.Id("end")).Op(":=").List(jen.Id("list").Op("+").Lit(1), doc.Clone().Dot("Next").Call(jen.Id("list"))),
			jen.Id(later).Op("<").Id("end"), jen.Id(later).Op("=").Add(next(later)),
		).Block(body...), jen.Return(jen.True()))
	})
	return plain(code), known
}

// inOrder: no element of the list is less than the one before.
func (c *Compiler) inOrder(e *model.Expr) (condition, bool) {
	e = c.reduced(e)
	list := e
	if e.Op == model.ExprMapList && e.Args[1] == nil && len(e.Vars) == 1 {
		list = c.reduced(e.Args[0])
	} else {
		v := c.another("element")
		if e.Term.Elem == nil {
			return condition{}, false
		}
		e = &model.Expr{Op: model.ExprMapList, Term: e.Term, Vars: []string{v}, Args: []*model.Expr{e, nil, {Op: model.ExprVar, Name: v, Term: e.Term.Elem}}}
	}
	if !c.isNode(list) {
		return condition{}, false
	}
	return c.pairs(list, e, "Sorted", func(elem, earlier *model.Expr) (one, two condition, ok bool) {
		if k := elem.Term.Kind; elem.Term.Nullable || k != model.TermString && k != model.TermInt {
			return one, two, false
		}
		one, okOne := c.there(elem)
		two, okTwo := c.ordering(earlier, elem, false, true)
		return one, two, okOne && okTwo
	}, true)
}
