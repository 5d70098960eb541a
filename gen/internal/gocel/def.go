package gocel

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// A named expression of the registry becomes a function for each way in which it is
// called: with values of this or that document, or with dynamic values.

func (c *Compiler) def(name string) *model.Def {
	for i := range c.Defs {
		if c.Defs[i].Name == name {
			return &c.Defs[i]
		}
	}
	c.fail("no function is called %s", name)
	return nil
}

// defCall returns the call of the function that kind asks for, writing it first
// where nobody asked before.
func (c *Compiler) defCall(e *model.Expr, kind string, result, failed *jen.Statement, body func(*model.Expr) []jen.Code) *jen.Statement {
	d := c.def(e.Name)
	if d == nil {
		return jen.False()
	}
	args := []jen.Code{c.ctx(), c.doc(0)}
	key := d.Name + " " + kind
	old := false
	for i, a := range e.Args {
		x := c.value(a)
		if x.repr == asNode && d.Terms[i].Kind == model.TermDyn && x.term.Kind != model.TermObject {
			x = value(c.val(x), d.Terms[i]) // what is dynamic keeps its own shape
		}
		if kindAsked(a, d.Terms[i]) != "" {
			x = value(c.val(x), d.Terms[i])
		}
		key += fmt.Sprintf(" %d.%d", x.repr, x.doc)
		if narrows(a, d.Terms[i]) {
			key += "!"
		}
		if t := d.Param(i, a.Term); t != d.Terms[i] {
			key += "?" + t.Width()
		}
		if x.repr == asNode {
			key += fmt.Sprintf(".%d.%t", x.term.Object, x.there)
		}
		old = old || x.repr == asNode && x.doc == 1
		args = append(args, x.code)
	}
	if old {
		args = append([]jen.Code{args[0], args[1], c.doc(1)}, args[2:]...)
	}
	id, known := c.defs[key]
	if !known {
		id = c.Free("def" + strings.ToUpper(d.Name[:1]) + d.Name[1:] + kind)
		c.defs[key] = id
		c.defOrder = append(c.defOrder, key)
		c.writeDef(e, d, id, old, result, failed, body)
	}
	return jen.Id(id).Call(args...)
}

func (c *Compiler) writeDef(e *model.Expr, d *model.Def, id string, old bool, result, failed *jen.Statement, body func(*model.Expr) []jen.Code) {
	var params []jen.Code
	f := &frame{own: map[string]bool{"c": true, "d": true, "o": true}, def: true}
	reprs := make([]operand, len(e.Args))
	var scope []typed
	for i, a := range e.Args {
		back := c.mark()
		reprs[i] = c.value(a)
		back()
		term := d.Param(i, a.Term)
		if term != d.Terms[i] {
			scope = append(scope, typed{d.Params[i], term})
		}
		switch {
		case kindAsked(a, term) != "":
			reprs[i] = operand{repr: asVal}
		case reprs[i].repr != asNode || term.Kind != model.TermDyn:
		case reprs[i].term.Kind == model.TermObject: // the caller knows more
			term = reprs[i].term
			scope = append(scope, typed{d.Params[i], term})
		default:
			reprs[i] = operand{repr: asVal}
		}
		reprs[i].term = term
	}
	expr := d.Expr
	if scope != nil {
		expr = c.retype(expr, scope)
	}
	frames, prefix, count, quick, seldom := c.frames, c.prefix, c.count, c.quick, c.seldom
	c.frames, c.prefix, c.count, c.quick, c.seldom = []*frame{f}, id, 0, 0, 0
	params = append(params, jen.Id("c").Add(c.goType("c")), jen.Id("d").Add(c.goType("d")))
	if old {
		params = append(params, jen.Id("o").Add(c.goType("o")))
	}
	var guard *jen.Statement
	for i, name := range d.Params {
		v := variable{name: name, id: c.fresh(name), operand: operand{repr: reprs[i].repr, doc: reprs[i].doc, term: reprs[i].term}}
		v.code = jen.Id(v.id)
		object := false
		if v.repr == asNode {
			// An object that is not there fails the call, so that within it is there.
			object = v.term.Kind == model.TermObject && !v.term.Nullable && !reprs[i].there
			v.operand.id, v.there = v.id, reprs[i].there
		}
		f.own[v.id] = true
		f.vars = append(f.vars, v)
		params = append(params, jen.Id(v.id).Add(c.reprType(v.repr)))
		bad := isFailed(v.operand)
		if narrows(e.Args[i], d.Terms[i]) {
			bad = c.isNull(v.operand)
			if kind := kindAsked(e.Args[i], d.Terms[i]); kind != "" {
				bad = v.code.Clone().Dot("Kind").Call().Op("!=").Add(c.cel("Kind" + kind))
			}
		}
		f.vars[len(f.vars)-1].there = v.there || object
		if bad != nil && (object || narrows(e.Args[i], d.Terms[i]) || !strict(d.Expr, name)) {
			if guard != nil {
				bad = guard.Op("||").Add(bad)
			}
			guard = bad
		}
	}
	code := body(expr)
	code = append(c.settle(func(string) bool { return true }), code...)
	if guard != nil {
		code = append([]jen.Code{jen.If(guard).Block(jen.Return(failed))}, code...)
	}
	c.frames, c.prefix, c.count, c.quick, c.seldom = frames, prefix, count, quick, seldom
	c.funcs = append(c.funcs, jen.Func().Id(id).Params(params...).Add(result).Block(code...).Line())
}

// narrows reports whether null, or a value of another type, may be handed to a parameter,
// which fails the call.
func narrows(arg *model.Expr, param *model.Term) bool {
	return arg.Term.Nullable && !param.Nullable && param.Kind != model.TermDyn || arg.Term.Kind == model.TermDyn && param.Kind != model.TermDyn && param.Kind != model.TermOptional
}

// kindAsked is the kind that an argument of any type is asked for; "" where it is not.
func kindAsked(arg *model.Expr, param *model.Term) string {
	if arg.Term.Kind != model.TermDyn {
		return ""
	}
	return map[model.TermKind]string{model.TermBool: "Bool", model.TermInt: "Int", model.TermUint: "Uint", model.TermDouble: "Double",
		model.TermString: "String", model.TermBytes: "Bytes", model.TermTimestamp: "Timestamp", model.TermDuration: "Duration"}[param.Kind]
}

// isNull is the condition that an argument is null or its evaluation failed.
func (c *Compiler) isNull(x operand) *jen.Statement {
	switch x.repr {
	case asVal:
		return x.code.Clone().Dot("IsErr").Call().Op("||").Add(x.code.Clone()).Dot("IsNull").Call()
	case asNode:
		return x.code.Clone().Op("<").Lit(0).Op("||").Add(c.doc(x.doc)).Dot("Kind").Call(x.code.Clone()).Op("==").Add(c.rt("Null"))
	}
	return isFailed(x)
}

// isFailed is the condition that the evaluation of an argument failed, which fails the
// call even where the function has no need of it; nil when it cannot fail.
func isFailed(x operand) *jen.Statement {
	switch x.repr {
	case asVal:
		return x.code.Clone().Dot("IsErr").Call()
	case asNode:
		if !x.there {
			return x.code.Clone().Op("<").Lit(0)
		}
	case asStr, asInt, asNum, asTime:
		return jen.Op("!").Add(x.code.Clone()).Dot("OK")
	}
	return nil
}

func (c *Compiler) defCond(e *model.Expr, want bool) condition {
	kind := "Holds"
	if !want {
		kind = "Fails"
	}
	return plain(c.defCall(e, kind, jen.Bool(), jen.False(), func(body *model.Expr) []jen.Code {
		return []jen.Code{jen.Return(c.cond(body, want).bare())}
	}))
}

func (c *Compiler) defValue(e *model.Expr) operand {
	if e.Term.Kind == model.TermString && !e.Term.Nullable {
		return operand{repr: asStr, term: e.Term, code: c.defCall(e, "Text", c.cel("Str"), c.cel("Str").Values(), func(body *model.Expr) []jen.Code {
			return []jen.Code{jen.Return(c.toStr(c.value(body)))}
		})}
	}
	return value(c.defCall(e, "", c.cel("Val"), c.cel("Val").Values(), func(body *model.Expr) []jen.Code {
		return []jen.Code{jen.Return(c.val(c.value(body)))}
	}), e.Term)
}
