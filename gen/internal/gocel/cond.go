package gocel

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// True is the Go condition for "e is true", False that for "e is false".
func (c *Compiler) True(e *model.Expr) *jen.Statement { return c.cond(e, true).bare() }

// False is the Go condition for "e is false".
func (c *Compiler) False(e *model.Expr) *jen.Statement { return c.cond(e, false).bare() }

// condition is a Go condition with its outermost operator, for parentheses.
type condition struct {
	code *jen.Statement
	op   string // "", "&&", "||", "==" for any comparison, or "lit"
	lit  bool

	drops bool // an operand was compiled and is not part of it

	of *condition // of a negation: what it negates
}

func (x condition) bare() *jen.Statement { return x.code }

// within is the code as an operand of op.
func (x condition) within(op string) *jen.Statement {
	switch x.op {
	case "&&", "||":
		if x.op != op {
			return jen.Parens(x.code)
		}
	case "==":
		if op == "==" {
			return jen.Parens(x.code)
		}
	}
	return x.code
}

func literal(v bool) condition {
	if v {
		return condition{code: jen.True(), op: "lit", lit: true}
	}
	return condition{code: jen.False(), op: "lit"}
}

func plain(s *jen.Statement) condition { return condition{code: s} }

func and(a, b condition) condition { return joined("&&", a, b) }

func or(a, b condition) condition { return joined("||", a, b) }

// joined joins two conditions by && or ||, without those that are known.
func joined(op string, a, b condition) condition {
	drops := a.drops || b.drops
	decides := op == "||" // the literal that decides
	out := condition{op: op}
	switch {
	case a.op == "lit" && a.lit == decides:
		out, drops = a, drops || b.op != "lit"
	case b.op == "lit" && b.lit == decides:
		out, drops = b, drops || a.op != "lit"
	case a.op == "lit":
		out = b
	case b.op == "lit":
		out = a
	default:
		out.code = a.within(op).Clone().Op(op).Add(b.within(op))
	}
	out.drops = drops
	return out
}

func not(a condition) condition {
	if a.op == "lit" {
		return literal(!a.lit)
	}
	if a.of != nil {
		return *a.of
	}
	out := plain(jen.Op("!").Parens(a.code))
	if a.op == "" {
		out.code = jen.Op("!").Add(a.code)
	}
	out.of = &a
	return out
}

// cond compiles a boolean expression to the condition that its value is want.
func (c *Compiler) cond(e *model.Expr, want bool) condition {
	x := c.condition(e, want)
	if x.drops {
		c.top().drops = true
	}
	return x
}

func (c *Compiler) condition(e *model.Expr, want bool) condition {
	if c.tooLarge() {
		return literal(false)
	}
	if !want && e.Op != model.ExprConst && c.sure(e) {
		switch e.Op {
		case model.ExprAnd, model.ExprOr, model.ExprNot, model.ExprHas:
		default:
			return not(c.cond(e, true))
		}
	}
	switch e.Op {
	case model.ExprConst:
		if e.Term.Kind == model.TermBool {
			return literal((e.Value == "true") == want)
		}
		return literal(false)
	case model.ExprNot:
		return c.cond(e.Args[0], !want)
	case model.ExprAnd, model.ExprOr:
		a, b := c.cond(e.Args[0], want), c.cond(e.Args[1], want)
		if (e.Op == model.ExprAnd) == want {
			return and(a, b)
		}
		return or(a, b)
	case model.ExprCond:
		yes := and(c.cond(e.Args[0], true), c.cond(e.Args[1], want))
		no := and(c.cond(e.Args[0], false), c.cond(e.Args[2], want))
		return or(yes, no)
	case model.ExprHas:
		base := c.value(e.Args[0])
		if base.repr == asNode && base.term.Kind == model.TermObject {
			return c.has(base, e.Name, want)
		}
		if base.repr == asNode {
			name := "Has"
			if !want {
				name = "Lacks"
			}
			return plain(c.linear(name).Call(c.doc(base.doc), base.code, jen.Lit(e.Name)))
		}
		return c.truth(c.ctx().Dot("Has").Call(c.val(base), jen.Lit(e.Name)), want)
	case model.ExprAll, model.ExprExists, model.ExprOne:
		return plain(c.quantified(e, want))
	case model.ExprBind:
		return plain(c.bound(e, jen.Bool(), func(body *model.Expr) []jen.Code {
			return []jen.Code{jen.Return(c.cond(body, want).bare())}
		}))
	case model.ExprDef:
		return c.defCond(e, want)
	case model.ExprCall:
		back := c.mark()
		if x, ok := c.callCond(e, want); ok {
			return x
		}
		back()
		if x, ok := c.quickly(func() (condition, bool) { return c.quickCall(e, want) }); ok {
			if c.quick > 0 {
				return x
			}
			return or(x, c.valueCond(c.value(e), want))
		}
	}
	return c.valueCond(c.value(e), want)
}

// valueCond is the condition of a value that is a boolean.
func (c *Compiler) valueCond(x operand, want bool) condition {
	if x.repr == asNode {
		name := "True"
		if !want {
			name = "False"
		}
		return plain(c.cel(name).Call(c.doc(x.doc), x.code))
	}
	return c.truth(c.val(x), want)
}

// truth is the condition of a dynamic value.
func (c *Compiler) truth(v *jen.Statement, want bool) condition {
	if want {
		return plain(v.Dot("IsTrue").Call())
	}
	return plain(v.Dot("IsFalse").Call())
}

// sure reports whether a boolean expression cannot fail on valid documents.
func (c *Compiler) sure(e *model.Expr) bool {
	switch e.Op {
	case model.ExprConst:
		return e.Term.Kind == model.TermBool
	case model.ExprHas:
		return c.sureNode(e.Args[0])
	case model.ExprNot, model.ExprAnd, model.ExprOr:
		for _, x := range e.Args {
			if !c.sure(x) {
				return false
			}
		}
		return true
	case model.ExprCall:
		if (e.Name == "_==_" || e.Name == "_!=_") && len(e.Args) == 2 {
			return c.surePlain(e.Args[0]) && e.Args[1].Op == model.ExprConst && e.Args[1].Term.Kind == e.Args[0].Term.Kind
		}
	}
	return false
}

// sureList: lists that are there for sure, whose sum cannot fail therefore.
func (c *Compiler) sureList(e *model.Expr) bool {
	if _, constant := constantTexts(e); constant {
		return true
	}
	return e.Op == model.ExprSelect && e.Term.Kind == model.TermList && c.sureNode(e)
}

// surePlain: a string that is there for sure.
func (c *Compiler) surePlain(e *model.Expr) bool {
	return e.Term.Kind == model.TermString && !e.Term.Nullable && c.sureNode(e)
}

// sureNode: required members of the document's values, which are there for sure.
func (c *Compiler) sureNode(e *model.Expr) bool {
	if e.Term.Nullable {
		return false
	}
	switch e.Op {
	case model.ExprVar:
		v, ok := c.lookup(e.Name)
		return ok && v.repr == asNode && v.there && !v.term.Nullable && (v.term.Kind == model.TermObject || v.term.Kind == model.TermString)
	case model.ExprSelect:
		base := e.Args[0]
		if base.Term.Kind != model.TermObject || !c.sureNode(base) {
			return false
		}
		for _, f := range c.Views[base.Term.Object].Fields {
			if f.Name == e.Name {
				return !f.Optional && !f.Term.Nullable
			}
		}
	}
	return false
}

// callCond compiles calls that are conditions where types are known.
func (c *Compiler) callCond(e *model.Expr, want bool) (condition, bool) {
	switch e.Name {
	case "_==_", "_!=_":
		return c.equality(e.Args[0], e.Args[1], (e.Name == "_==_") == want)
	case "_<_", "_<=_":
		return c.ordering(e.Args[0], e.Args[1], e.Name == "_<_", want)
	case "_>_", "_>=_":
		return c.ordering(e.Args[1], e.Args[0], e.Name == "_>_", want)
	case "@in":
		return c.membership(e.Args[0], e.Args[1], want)
	case "startsWith", "endsWith", "contains":
		if len(e.Args) == 2 && isString(e.Args[0].Term) && isString(e.Args[1].Term) {
			name := map[string]string{"startsWith": "Starts", "endsWith": "Ends", "contains": "Holds"}[e.Name]
			if !want {
				name = "Not" + name
			}
			if e.Name == "startsWith" && isJoin(e.Args[1]) {
				return plain(c.cel(name+"Join").Call(c.str(e.Args[0]), c.parts(e.Args[1]))), true
			}
			return plain(c.cel(name).Call(c.str(e.Args[0]), c.str(e.Args[1]))), true
		}
	case "hasValue":
		if o := c.value(e.Args[0]); o.repr == asOpt {
			op := ">="
			if !want {
				op = "<"
			}
			return condition{code: o.code.Clone().Op(op).Lit(0), op: "=="}, true
		}
	case "isPrefix":
		if len(e.Args) == 2 && e.Args[0].Term.Kind == model.TermList && e.Args[1].Term.Kind == model.TermList && c.plainTerm(e.Args[0].Term) && c.plainTerm(e.Args[1].Term) {
			o, p := c.value(e.Args[0]), c.value(e.Args[1])
			if o.repr == asNode && p.repr == asNode {
				name := "Begins"
				if !want {
					name = "BeginsNot"
				}
				return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.doc(p.doc), p.code)), true
			}
		}
	case "sets.contains", "sets.intersects":
		if x, ok := c.textSets(e, want); ok {
			return x, true
		}
	case "matches":
		if len(e.Args) == 2 && isString(e.Args[0].Term) && e.Args[1].Op == model.ExprConst && c.Matcher != nil {
			if f := c.Matcher(e.Args[1].Value); f != "" {
				name := "Matches"
				if !want {
					name = "NotMatches"
				}
				return plain(c.cel(name).Call(c.str(e.Args[0]), jen.Id(f))), true
			}
		}
	}
	return condition{}, false
}

func isString(t *model.Term) bool { return t.Kind == model.TermString }

// str, integer, num and instant are operands of known types.
func (c *Compiler) str(e *model.Expr) *jen.Statement { return c.toStr(c.value(e)) }

func (c *Compiler) toStr(x operand) *jen.Statement {
	switch x.repr {
	case asStr:
		return x.code
	case asNode:
		return c.cel("Text").Call(c.doc(x.doc), x.code)
	}
	return c.cel("ToStr").Call(c.val(x))
}

func (c *Compiler) toInt(x operand) *jen.Statement {
	switch x.repr {
	case asInt:
		return x.code
	case asNode:
		return c.cel("IntAt").Call(c.doc(x.doc), x.code)
	}
	return c.cel("ToInt").Call(c.val(x))
}

func (c *Compiler) toNum(x operand) *jen.Statement {
	switch x.repr {
	case asNum:
		return x.code
	case asNode:
		return c.cel("Num").Call(c.doc(x.doc), x.code)
	}
	return c.cel("ToNum").Call(c.val(x))
}

func (c *Compiler) toTime(x operand) *jen.Statement {
	switch {
	case x.repr == asTime:
		return x.code
	case x.repr == asNode && !x.term.Date:
		return c.cel("Time").Call(c.doc(x.doc), x.code)
	}
	return c.cel("ToTime").Call(c.val(x))
}

// scalar compares two operands of one known type by a function of the library.
func (c *Compiler) scalar(kind model.TermKind, a, b *model.Expr, function string) (condition, bool) {
	var suffix string
	var take func(operand) *jen.Statement
	switch kind {
	case model.TermString:
		suffix, take = "Str", c.toStr
	case model.TermInt:
		suffix, take = "Int", c.toInt
	case model.TermDouble:
		suffix, take = "Num", c.toNum
	case model.TermTimestamp:
		suffix, take = "Time", c.toTime
	default:
		return condition{}, false
	}
	if kind == model.TermString && (function == "Eq" || function == "Ne") {
		if isJoin(a) || isJoin(b) {
			return plain(c.cel(function+"Join").Call(c.parts(a), c.parts(b))), true
		}
		if b.Op != model.ExprConst {
			a, b = b, a
		}
		if b.Op == model.ExprConst {
			back := c.mark()
			if x := c.value(a); x.repr == asNode {
				name := "Is"
				if function == "Ne" {
					name = "Isnt"
				}
				return plain(c.cel(name).Call(c.doc(x.doc), x.code, jen.Lit(b.Value))), true
			}
			back()
		}
	}
	return plain(c.cel(function+suffix).Call(take(c.value(a)), take(c.value(b)))), true
}

// isJoin: strings joined by +.
func isJoin(e *model.Expr) bool {
	return isCall(e, "_+_", 2) && isString(e.Term) && isString(e.Args[0].Term) && isString(e.Args[1].Term) && !e.Args[0].Term.Nullable && !e.Args[1].Term.Nullable
}

// parts is the slice of the strings that e joins, which need not be joined to be compared.
func (c *Compiler) parts(e *model.Expr) *jen.Statement {
	var parts []jen.Code
	var add func(*model.Expr)
	add = func(x *model.Expr) {
		if isJoin(x) {
			add(x.Args[0])
			add(x.Args[1])
			return
		}
		parts = append(parts, c.str(x))
	}
	add(e)
	return jen.Index().Add(c.cel("Str")).Values(parts...)
}

func isNull(e *model.Expr) bool {
	return e.Op == model.ExprConst && e.Term.Kind == model.TermNull
}

// equality compiles a == b, or a != b where equal is false, as the condition that it is true.
func (c *Compiler) equality(a, b *model.Expr, equal bool) (condition, bool) {
	if isNull(a) {
		a, b = b, a
	}
	a, b = c.inlined(a), c.inlined(b)
	if x, ok := c.sameBut(a, b, equal); ok {
		return x, true
	}
	if x, ok := c.lookedUp(a, b, equal); ok {
		return x, true
	}
	if x, ok := c.lookedUp(b, a, equal); ok {
		return x, true
	}
	if a.Op == model.ExprList && b.Op == model.ExprList {
		if x, ok := c.literals(a, b, equal); ok {
			return x, true
		}
	}
	x, y := a.Term, b.Term
	if isNull(b) {
		o := c.value(a)
		if o.repr != asNode {
			return condition{}, false
		}
		if equal {
			return plain(c.cel("IsNull").Call(c.doc(o.doc), o.code)), true
		}
		return plain(c.cel("NotNull").Call(c.doc(o.doc), o.code)), true
	}
	function := "Eq"
	if !equal {
		function = "Ne"
	}
	if x.Kind == y.Kind {
		switch x.Kind {
		case model.TermOptional:
			o, p := c.value(a), c.value(b)
			if text, ok := optionalText(b); ok && o.repr == asOpt && isString(x.Elem) && !x.Elem.Nullable {
				name := "OptIs"
				if !equal {
					name = "OptIsnt"
				}
				return plain(c.cel(name).Call(c.doc(o.doc), o.code, jen.Lit(text))), true
			}
			if o.repr == asOpt && p.repr == asOpt && c.plainTerm(x.Elem) && c.plainTerm(y.Elem) {
				name := "SameOpt"
				if !equal {
					name = "DifferOpt"
				}
				return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.doc(p.doc), p.code)), true
			}
			return condition{}, false
		case model.TermBool:
			if c.sure(a) && c.sure(b) {
				op := "=="
				if !equal {
					op = "!="
				}
				p, q := c.cond(a, true), c.cond(b, true)
				return plain(jen.Parens(p.within("==").Clone().Op(op).Add(q.within("==")))), true
			}
			if x.Nullable || y.Nullable {
				return condition{}, false
			}
			return or(and(c.cond(a, true), c.cond(b, equal)), and(c.cond(a, false), c.cond(b, !equal))), true
		case model.TermObject, model.TermList, model.TermMap:
			o, p := c.value(a), c.value(b)
			if o.repr == asNode && p.repr == asNode && c.plainTerm(x) && c.plainTerm(y) {
				name := "Same"
				if !equal {
					name = "Differ"
				}
				return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.doc(p.doc), p.code)), true
			}
			return condition{}, false
		}
		if (x.Nullable || y.Nullable) && (!equal || x.Nullable && y.Nullable) {
			if o, p := c.value(a), c.value(b); x.Kind == model.TermString && o.repr == asNode && p.repr == asNode {
				name := "Same"
				if !equal {
					name = "Differ"
				}
				return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.doc(p.doc), p.code)), true
			}
			return condition{}, false // null is a value here
		}
		return c.scalar(x.Kind, a, b, function)
	}
	if equal && (x.Kind == model.TermDyn && isString(y) || isString(x) && y.Kind == model.TermDyn) && !x.Nullable && !y.Nullable {
		return c.scalar(model.TermString, a, b, function)
	}
	return condition{}, false
}

// literals compares two lists that the rule writes out, element by element.
func (c *Compiler) literals(a, b *model.Expr, equal bool) (condition, bool) {
	if len(a.Args) != len(b.Args) || len(a.Args) == 0 || len(a.Optional)+len(b.Optional) > 0 {
		return condition{}, false
	}
	out := literal(equal)
	for i := range a.Args {
		if !equal && !(c.surePlain(a.Args[i]) && c.surePlain(b.Args[i])) {
			return condition{}, false // an element that fails would make the lists fail
		}
		x, ok := c.equality(a.Args[i], b.Args[i], equal)
		if !ok {
			return condition{}, false
		}
		if equal {
			out = and(out, x)
		} else {
			out = or(out, x)
		}
	}
	return out, true
}

// inlined replaces a call of a named expression that is a list by the list.
func (c *Compiler) inlined(e *model.Expr) *model.Expr {
	if e.Op != model.ExprDef {
		return e
	}
	d := c.def(e.Name)
	if d == nil || d.Expr.Op != model.ExprList || !straight(d.Expr) {
		return e
	}
	args := map[string]*model.Expr{}
	for i, name := range d.Params {
		a := e.Args[i]
		if narrows(a, d.Terms[i]) {
			return e // null fails the call
		}
		for x := a; x.Op != model.ExprVar; x = x.Args[0] {
			if x.Op != model.ExprSelect {
				return e // what is computed is computed once
			}
		}
		args[name] = a
	}
	return c.retype(substitute(d.Expr, args), c.scope())
}

// straight reports whether an expression only reads members.
func straight(e *model.Expr) bool {
	switch e.Op {
	case model.ExprConst, model.ExprVar:
		return true
	case model.ExprSelect, model.ExprList:
		return len(e.Optional) == 0 && !slices.ContainsFunc(e.Args, func(x *model.Expr) bool { return !straight(x) })
	}
	return false
}

// scope lists the variables that are known, with their types.
func (c *Compiler) scope() (out []typed) {
	for _, f := range c.frames {
		for _, v := range f.vars {
			out = append(out, typed{v.name, v.term})
		}
	}
	return out
}

// substitute replaces variables; e has no loops.
func substitute(e *model.Expr, args map[string]*model.Expr) *model.Expr {
	if e.Op == model.ExprVar && args[e.Name] != nil {
		return args[e.Name]
	}
	out := *e
	out.Args = make([]*model.Expr, len(e.Args))
	for i, x := range e.Args {
		if x != nil {
			out.Args[i] = substitute(x, args)
		}
	}
	return &out
}

// ordering compiles a < b, or a <= b, as the condition that it is want.
func (c *Compiler) ordering(a, b *model.Expr, strict, want bool) (condition, bool) {
	kind := a.Term.Kind
	if kind != b.Term.Kind {
		return condition{}, false
	}
	name := "Le"
	if strict {
		name = "Lt"
	}
	switch {
	case want:
	case kind == model.TermDouble:
		name = "Not" + name
	case strict: // !(a < b) is b <= a
		a, b, name = b, a, "Le"
	default:
		a, b, name = b, a, "Lt"
	}
	return c.scalar(kind, a, b, name)
}

// membership compiles x in list.
func (c *Compiler) membership(x, list *model.Expr, want bool) (condition, bool) {
	if list.Term.Kind == model.TermList && !list.Term.Nullable && x.Term.Kind == model.TermObject && c.plainTerm(x.Term) && c.plainTerm(list.Term) {
		o, p := c.value(list), c.value(x)
		if o.repr != asNode || p.repr != asNode {
			return condition{}, false
		}
		name := "HasSame"
		if !want {
			name = "LacksSame"
		}
		return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.doc(p.doc), p.code)), true
	}
	if x.Term.Nullable || !isString(x.Term) {
		return condition{}, false
	}
	prefix := ""
	if !want {
		prefix = "Not"
	}
	if list.Op == model.ExprList && len(list.Optional) == 0 {
		texts, ok := constantTexts(list)
		if !ok {
			return condition{}, false
		}
		back := c.mark()
		if o := c.value(x); o.repr == asNode {
			name := "OneOf"
			if !want {
				name = "NoneOf"
			}
			return plain(c.cel(name).Call(c.doc(o.doc), o.code, jen.Id(c.strings(texts)))), true
		}
		back()
		return plain(c.cel(prefix+"Among").Call(c.str(x), jen.Id(c.strings(texts)).Op("..."))), true
	}
	if list.Op == model.ExprCall && list.Name == "_+_" && c.sureList(list.Args[0]) && c.sureList(list.Args[1]) {
		a, aok := c.membership(x, list.Args[0], want)
		b, bok := c.membership(x, list.Args[1], want)
		if aok && bok {
			if want {
				return or(a, b), true
			}
			return and(a, b), true
		}
		return condition{}, false
	}
	if entries := c.tableEntries(list, "_[_]"); entries != nil {
		return c.among(entries, list.Args[1], func(v *model.Expr) (condition, bool) { return c.membership(x, v, want) })
	}
	if isCall(list, "orValue", 2) {
		if over, orEmpty := c.overNode(list); over != nil && orEmpty && isString(over.term.Elem) && !over.term.Elem.Nullable {
			name := map[bool]string{true: "HoldsOpt", false: "LacksOpt"}[want]
			return plain(c.linear(name).Call(c.doc(over.doc), over.code, c.str(x))), true
		}
		return condition{}, false
	}
	o := c.value(list)
	if o.repr != asNode {
		return condition{}, false
	}
	switch list.Term.Kind {
	case model.TermList:
		if e := list.Term.Elem; !isString(e) {
			return condition{}, false
		}
		if isJoin(x) {
			return plain(c.linear(prefix+"WithinJoin").Call(c.doc(o.doc), o.code, c.parts(x))), true
		}
		return plain(c.linear(prefix+"Within").Call(c.doc(o.doc), o.code, c.str(x))), true
	case model.TermMap:
		name := "HasNamed"
		if !want {
			name = "LacksNamed"
		}
		return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.str(x))), true
	}
	return condition{}, false
}

// optionalText recognises optional.of of a constant string.
func optionalText(e *model.Expr) (string, bool) {
	if e.Op != model.ExprCall || e.Name != "optional.of" || len(e.Args) != 1 || e.Args[0].Op != model.ExprConst || !isString(e.Args[0].Term) {
		return "", false
	}
	return e.Args[0].Value, true
}

// textSets compiles questions about a list of strings in the document and constant ones.
func (c *Compiler) textSets(e *model.Expr, want bool) (condition, bool) {
	if len(e.Args) != 2 {
		return condition{}, false
	}
	list, other := e.Args[0], e.Args[1]
	texts, ok := constantTexts(other)
	if !ok && e.Name == "sets.intersects" {
		list, other = other, list
		texts, ok = constantTexts(other)
	}
	if !ok || list.Term.Kind != model.TermList || list.Term.Nullable || !isString(list.Term.Elem) || list.Term.Elem.Nullable {
		return condition{}, false
	}
	o := c.value(list)
	if o.repr != asNode {
		return condition{}, false
	}
	name := map[bool]string{true: "HoldsAll", false: "LacksSome"}[want]
	if e.Name == "sets.intersects" {
		name = map[bool]string{true: "HoldsAny", false: "HoldsNone"}[want]
	}
	return plain(c.linear(name).Call(c.doc(o.doc), o.code, jen.Id(c.strings(texts)))), true
}

// constantTexts returns the strings of a list that has nothing else.
func constantTexts(list *model.Expr) (texts []string, ok bool) {
	if list.Op != model.ExprList || len(list.Optional) > 0 {
		return nil, false
	}
	for _, v := range list.Args {
		if v.Op != model.ExprConst || !isString(v.Term) {
			return nil, false
		}
		texts = append(texts, v.Value)
	}
	return texts, len(texts) > 0
}

func quoteInt(s string) *jen.Statement {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return jen.Lit(0)
	}
	if n == -1<<63 {
		return jen.Op("-").Lit(1).Op("<<").Lit(63)
	}
	return jen.Lit(int(n))
}
