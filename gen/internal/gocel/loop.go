package gocel

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// loop writes a function that runs over the range of e. inside returns the
// statements for an element, after those at the end of the loop, and failed what is
// returned when the range cannot be run through or the steps are spent.
func (c *Compiler) loop(e *model.Expr, kind string, result *jen.Statement, before []jen.Code, failed *jen.Statement, inside func() []jen.Code, after ...jen.Code) *jen.Statement {
	if texts, ok := constantTexts(e.Args[0]); ok && len(e.Vars) == 1 {
		return c.function(kind, result, nil, nil, func() []jen.Code {
			return c.textLoop(e, texts, before, jen.Return(failed.Clone()), inside, after)
		})
	}
	var over operand
	back := c.mark()
	node, orEmpty := c.overNode(e.Args[0])
	if node != nil && orEmpty {
		over = *node
	} else {
		back()
		orEmpty = false
		over = c.value(e.Args[0])
	}
	static := over.repr == asNode && (over.term.Kind == model.TermList || over.term.Kind == model.TermMap) && !over.term.Nullable
	param := variable{name: "\x01list", id: "list", operand: operand{repr: asVal, code: jen.Id("list"), term: over.term}}
	arg := over.code
	if static {
		param.repr, param.doc = asNode, over.doc
	} else {
		arg = c.val(over)
	}
	return c.function(kind, result, []variable{param}, []*jen.Statement{arg}, func() []jen.Code {
		stop := jen.Return(failed.Clone())
		if static {
			return c.nodeLoop(e, over, orEmpty, before, stop, inside, after)
		}
		return c.valLoop(e, over, before, stop, inside, after)
	})
}

func (c *Compiler) nodeLoop(e *model.Expr, over operand, orEmpty bool, before []jen.Code, stop *jen.Statement, inside func() []jen.Code, after []jen.Code) []jen.Code {
	f := c.top()
	doc := c.doc(over.doc)
	list, end := jen.Id("list"), jen.Id("end")
	kind, wanted := "Array", over.term.Kind == model.TermList
	if !wanted {
		kind = "Object"
	}
	elem := over.term.Elem
	var init []jen.Code // statements before the loop
	var heads []head
	declare := func(name string, o operand) string {
		id := c.fresh(name)
		o.code, o.there = jen.Id(id), true
		if o.repr == asNode {
			o.id = id
		}
		f.own[id] = true
		f.vars = append(f.vars, variable{name, id, o})
		return id
	}
	node := "n"
	for c.inScope(node) {
		node += "_"
	}
	f.own[node] = true
	next := doc.Clone().Dot("Next").Call(jen.Id(node))
	post := jen.Id(node).Op("=").Add(next)
	start := jen.List(jen.Id(node), end.Clone()).Op(":=").List(list.Clone().Op("+").Lit(1), doc.Clone().Dot("Next").Call(list.Clone()))
	bind := func(name string, o operand, code *jen.Statement) {
		id := declare(name, o)
		heads = append(heads, head{id, code})
	}
	var count []jen.Code
	if wanted {
		if len(e.Vars) == 2 {
			index := "at"
			for c.inScope(index) {
				index += "_"
			}
			f.own[index] = true
			init = append(init, jen.Id(index).Op(":=").Lit(-1))
			count = append(count, jen.Id(index).Op("++"))
			bind(e.Vars[0], operand{repr: asInt, term: &model.Term{Kind: model.TermInt}}, c.cel("N").Call(jen.Int64().Call(jen.Id(index))))
		}
		bind(e.Vars[len(e.Vars)-1], operand{repr: asNode, doc: over.doc, term: elem}, jen.Id(node))
	} else {
		post = jen.Id(node).Op("=").Add(doc.Clone().Dot("Next").Call(jen.Id(node).Op("+").Lit(1)))
		bind(e.Vars[0], operand{repr: asStr, term: &model.Term{Kind: model.TermString}}, c.cel("S").Call(c.cel("Name").Call(doc.Clone(), jen.Id(node))))
		if len(e.Vars) == 2 {
			bind(e.Vars[1], operand{repr: asNode, doc: over.doc, term: elem}, jen.Id(node).Op("+").Lit(1))
		}
	}
	body := inside()
	members := c.settle(func(id string) bool { return slices.ContainsFunc(heads, func(h head) bool { return h.id == id }) })
	var guard jen.Code
	if c.quick > 0 {
		init = append(init, jen.Id("few").Op(":=").Lit(0))
		guard = jen.If(jen.Id("few").Op("++"), jen.Id("few").Op(">").Add(c.cel("Few"))).Block(stop.Clone())
	} else {
		guard = jen.If(jen.Op("!").Add(c.ctx()).Dot("Step").Call()).Block(stop.Clone())
	}
	block := append([]jen.Code{guard}, count...)
	block = append(append(append(block, declared(heads, f)...), members...), body...)
	wrong := list.Clone().Op("<").Lit(0).Op("||").Add(doc.Clone()).Dot("Kind").Call(list.Clone()).Op("!=").Add(c.rt(kind))
	if orEmpty {
		wrong = list.Clone().Op(">=").Lit(0).Op("&&").Add(doc.Clone()).Dot("Kind").Call(list.Clone()).Op("!=").Add(c.rt(kind))
	}
	out := []jen.Code{jen.If(wrong).Block(stop.Clone())}
	out = append(out, before...)
	out = append(out, init...)
	loop := jen.For(start, jen.Id(node).Op("<").Add(end), post).Block(block...)
	if orEmpty {
		loop = jen.If(list.Clone().Op(">=").Lit(0)).Block(loop)
	}
	out = append(out, loop)
	return append(out, after...)
}

// textLoop runs over strings that the rule lists.
func (c *Compiler) textLoop(e *model.Expr, texts []string, before []jen.Code, stop *jen.Statement, inside func() []jen.Code, after []jen.Code) []jen.Code {
	f := c.top()
	text := "text"
	for c.inScope(text) {
		text += "_"
	}
	f.own[text] = true
	id := c.fresh(e.Vars[0])
	f.own[id] = true
	f.vars = append(f.vars, variable{e.Vars[0], id, operand{repr: asStr, code: jen.Id(id), term: &model.Term{Kind: model.TermString}}})
	body := inside()
	block := []jen.Code{jen.If(jen.Op("!").Add(c.ctx()).Dot("Step").Call()).Block(stop)}
	block = append(append(block, declared([]head{{id, c.cel("S").Call(jen.Id(text))}}, f)...), body...)
	loop := jen.For(jen.List(jen.Id("_"), jen.Id(text)).Op(":=").Range().Id(c.strings(texts)))
	if !f.seen[id] {
		loop = jen.For(jen.Range().Id(c.strings(texts)))
	}
	return append(append(append([]jen.Code{}, before...), loop.Block(block...)), after...)
}

// head is a variable that the loop's body may use.
type head struct {
	id   string
	code *jen.Statement
}

// declared declares the variables that are used.
func declared(heads []head, f *frame) (out []jen.Code) {
	for _, h := range heads {
		if f.seen[h.id] {
			out = append(out, jen.Id(h.id).Op(":=").Add(h.code))
			if f.drops { // what uses it may not be part of the code
				out = append(out, jen.Id("_").Op("=").Id(h.id))
			}
		}
	}
	return out
}

func (c *Compiler) valLoop(e *model.Expr, over operand, before []jen.Code, stop *jen.Statement, inside func() []jen.Code, after []jen.Code) []jen.Code {
	f := c.top()
	it := "it"
	for c.inScope(it) {
		it += "_"
	}
	f.own[it] = true
	var heads []head
	bind := func(name, method string, t *model.Term) {
		id := c.fresh(name)
		f.own[id] = true
		f.vars = append(f.vars, variable{name, id, operand{repr: asVal, code: jen.Id(id), term: t}})
		heads = append(heads, head{id, jen.Id(it).Dot(method).Call()})
	}
	firstTerm, secondTerm := &model.Term{Kind: model.TermDyn}, &model.Term{Kind: model.TermDyn}
	switch over.term.Kind {
	case model.TermList:
		firstTerm, secondTerm = over.term.Elem, over.term.Elem
		if len(e.Vars) == 2 {
			firstTerm = &model.Term{Kind: model.TermInt}
		}
	case model.TermMap:
		firstTerm, secondTerm = over.term.Key, over.term.Elem
	}
	if len(e.Vars) == 2 {
		bind(e.Vars[0], "Key", firstTerm)
		bind(e.Vars[1], "Val", secondTerm)
	} else {
		bind(e.Vars[0], "First", firstTerm)
	}
	body := inside()
	out := append([]jen.Code{}, before...)
	out = append(out,
		jen.Id(it).Op(":=").Add(c.ctx()).Dot("Iter").Call(jen.Id("list")),
		jen.For(jen.Id(it).Dot("Next").Call()).Block(append(declared(heads, f), body...)...),
		jen.If(jen.List(jen.Id("_"), jen.Id("failed")).Op(":=").Id(it).Dot("Err").Call(), jen.Id("failed")).Block(stop.Clone()),
	)
	return append(out, after...)
}

// quantified compiles all, exists and exists_one to a function that is true when the
// macro's value is want.
func (c *Compiler) quantified(e *model.Expr, want bool) *jen.Statement {
	no := jen.False()
	switch {
	case e.Op == model.ExprOne:
		name, op := "One", "=="
		if !want {
			name, op = "NotOne", "!="
		}
		return c.loop(e, name, jen.Bool(), []jen.Code{jen.Id("count").Op(":=").Lit(0)}, no, func() []jen.Code {
			return []jen.Code{jen.Switch().Block(
				jen.Case(c.cond(e.Args[1], true).bare()).Block(jen.Id("count").Op("++")),
				jen.Case(not(c.cond(e.Args[1], false)).bare()).Block(jen.Return(jen.False())),
			)}
		}, jen.Return(jen.Id("count").Op(op).Lit(1)))
	case (e.Op == model.ExprAll) == want: // every element has to be so
		name := "All"
		if !want {
			name = "None"
		}
		return c.loop(e, name, jen.Bool(), nil, no, func() []jen.Code {
			return []jen.Code{jen.If(not(c.cond(e.Args[1], want)).bare()).Block(jen.Return(jen.False()))}
		}, jen.Return(jen.True()))
	}
	name := "Any"
	if !want {
		name = "NotAll"
	}
	return c.loop(e, name, jen.Bool(), nil, no, func() []jen.Code {
		return []jen.Code{jen.If(c.cond(e.Args[1], want).bare()).Block(jen.Return(jen.True()))}
	}, jen.Return(jen.False()))
}

// mapped compiles map and filter to a function that returns the list.
func (c *Compiler) mapped(e *model.Expr) *jen.Statement {
	out := jen.Id("out")
	failed := c.cel("Val").Values()
	start := []jen.Code{out.Clone().Op(":=").Add(c.ctx()).Dot("Items").Call()}
	keep := func(pred *model.Expr) []jen.Code {
		if pred == nil {
			return nil
		}
		if c.sure(pred) {
			return []jen.Code{jen.If(c.cond(pred, false).bare()).Block(jen.Continue())}
		}
		return []jen.Code{jen.If(not(c.cond(pred, true)).bare()).Block(
			jen.If(c.cond(pred, false).bare()).Block(jen.Continue()),
			jen.Return(failed.Clone()),
		)}
	}
	name, pred := "Filter", e.Args[1]
	if e.Op == model.ExprMapList {
		name = "Map"
	}
	return c.loop(e, name, c.cel("Val"), start, failed, func() []jen.Code {
		c.use("c") // for the memory of the list
		code := keep(pred)
		var item *jen.Statement
		if e.Op == model.ExprFilter {
			v, _ := c.lookup(e.Vars[0])
			c.use(v.id)
			v.code = v.code.Clone()
			item = c.val(v.operand)
		} else {
			item = c.val(c.value(e.Args[2]))
		}
		return append(code, out.Clone().Op("=").Append(out.Clone(), item))
	}, jen.Return(c.ctx().Dot("Made").Call(out.Clone())))
}

// summed compiles the sum of integers that map would list.
func (c *Compiler) summed(e *model.Expr) *jen.Statement {
	failed := c.cel("I64").Values()
	return c.loop(e, "Sum", c.cel("I64"), []jen.Code{jen.Id("sum").Op(":=").Add(c.cel("N")).Call(jen.Lit(0))}, failed, func() []jen.Code {
		return []jen.Code{
			jen.Id("sum").Op("=").Add(c.cel("AddInt")).Call(jen.Id("sum"), c.toInt(c.value(e.Args[2]))),
			jen.If(jen.Op("!").Id("sum").Dot("OK")).Block(jen.Return(failed.Clone())),
		}
	}, jen.Return(jen.Id("sum")))
}

// counted compiles size(list.filter(x, p)) without the list; nil when e is none.
func (c *Compiler) counted(e *model.Expr, t *model.Term) *operand {
	if e.Op != model.ExprFilter && (e.Op != model.ExprMapList || e.Args[1] == nil) {
		return nil
	}
	if e.Op == model.ExprMapList {
		return nil // an element may fail
	}
	pred := e.Args[1]
	failed := c.cel("I64").Values()
	code := c.loop(e, "Count", c.cel("I64"), []jen.Code{jen.Id("count").Op(":=").Int64().Call(jen.Lit(0))}, failed, func() []jen.Code {
		return []jen.Code{jen.Switch().Block(
			jen.Case(c.cond(pred, true).bare()).Block(jen.Id("count").Op("++")),
			jen.Case(not(c.cond(pred, false)).bare()).Block(jen.Return(failed.Clone())),
		)}
	}, jen.Return(c.cel("N").Call(jen.Id("count"))))
	return &operand{repr: asInt, code: code, term: t}
}

// fold compiles any other comprehension, over dynamic values.
func (c *Compiler) fold(e *model.Expr) *jen.Statement {
	id := c.fresh("accu" + e.Accu)
	accu := variable{e.Accu, id, operand{repr: asVal, code: jen.Id(id), term: e.Args[1].Term}}
	start := c.val(c.value(e.Args[1]))
	// The accumulator is a parameter, so that the start is evaluated outside.
	over := c.value(e.Args[0])
	param := variable{name: "\x01list", id: "list", operand: operand{repr: asVal, code: jen.Id("list"), term: over.term}}
	return c.function("Fold", c.cel("Val"), []variable{param, accu}, []*jen.Statement{c.val(over), start}, func() []jen.Code {
		var result *jen.Statement
		loop := c.valLoop(e, over, nil, jen.Return(c.cel("Val").Values()), func() []jen.Code {
			var code []jen.Code
			if cond := c.cond(e.Args[2], true); cond.op != "lit" || !cond.lit {
				code = append(code, jen.If(not(cond).bare()).Block(jen.Break()))
			}
			return append(code, jen.Id(id).Op("=").Add(c.val(c.value(e.Args[3]))))
		}, nil)
		result = c.val(c.value(e.Args[4]))
		return append(loop, jen.Return(result))
	})
}
