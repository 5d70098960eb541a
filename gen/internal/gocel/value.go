package gocel

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules/gofunc"
)

// Value is the Go expression of a cel.Val.
func (c *Compiler) Value(e *model.Expr) *jen.Statement { return c.val(c.value(e)) }

// Text is the Go expression of a cel.Str, for an expression of the type string.
func (c *Compiler) Text(e *model.Expr) *jen.Statement { return c.str(e) }

// Node is the Go expression of a node of the document, if e is one.
func (c *Compiler) Node(e *model.Expr) (code *jen.Statement, doc int, ok bool) {
	back := c.mark()
	o := c.value(e)
	if o.repr != asNode {
		back()
		return nil, 0, false
	}
	return o.code, o.doc, true
}

// val turns an operand into a cel.Val.
func (c *Compiler) val(x operand) *jen.Statement {
	switch x.repr {
	case asVal:
		return x.code
	case asOpt:
		return c.ctx().Dot("OptView").Call(jen.Lit(x.doc), x.code, c.shape(x.term.Elem))
	case asNode:
		return c.ctx().Dot("View").Call(jen.Lit(x.doc), x.code, c.shape(x.term))
	}
	if x.fixed != nil {
		return x.fixed
	}
	return x.code.Clone().Dot("Val").Call()
}

func value(code *jen.Statement, t *model.Term) operand {
	return operand{repr: asVal, code: code, term: t}
}

// value compiles an expression to whatever represents it best.
func (c *Compiler) value(e *model.Expr) operand {
	if c.tooLarge() {
		return value(c.cel("Null").Call(), e.Term)
	}
	switch e.Op {
	case model.ExprConst:
		return c.constant(e)
	case model.ExprVar:
		v, ok := c.lookup(e.Name)
		if !ok {
			c.fail("the variable %s is not known", e.Name)
			return value(c.cel("Null").Call(), e.Term)
		}
		c.use(v.id)
		v.code = v.code.Clone()
		return v.operand
	case model.ExprSelect:
		base := c.value(e.Args[0])
		if x := c.optional(base, e.Args[0], e.Name, e.Term); x != nil {
			return *x
		}
		if base.repr == asNode && base.term.Kind == model.TermObject {
			return operand{repr: asNode, code: c.member(base, e.Name), doc: base.doc, term: e.Term}
		}
		if base.repr == asNode && base.term.Kind != model.TermOptional {
			return operand{repr: asNode, code: c.linear("Member").Call(c.doc(base.doc), base.code, jen.Lit(e.Name)), doc: base.doc, term: e.Term}
		}
		return value(c.ctx().Dot("Select").Call(c.val(base), jen.Lit(e.Name)), e.Term)
	case model.ExprHas, model.ExprNot, model.ExprAnd, model.ExprOr, model.ExprAll, model.ExprExists, model.ExprOne:
		return c.boolean(e)
	case model.ExprCond:
		return c.alternative(e)
	case model.ExprCall:
		return c.call(e)
	case model.ExprList:
		if fixed(e) {
			return value(c.fixture(e), e.Term)
		}
		return value(c.list(e), e.Term)
	case model.ExprMap:
		if fixed(e) {
			return value(c.fixture(e), e.Term)
		}
		return value(c.mapping(e), e.Term)
	case model.ExprFilter, model.ExprMapList:
		return value(c.mapped(e), e.Term)
	case model.ExprFold:
		return value(c.fold(e), e.Term)
	case model.ExprBind:
		return value(c.bound(e, c.cel("Val"), func(body *model.Expr) []jen.Code {
			return []jen.Code{jen.Return(c.val(c.value(body)))}
		}), e.Term)
	case model.ExprDef:
		return c.defValue(e)
	}
	c.fail("the expression %s has no form in Go", e.Op)
	return value(c.cel("Null").Call(), e.Term)
}

// boolean is the dynamic value of a condition.
func (c *Compiler) boolean(e *model.Expr) operand {
	if c.sure(e) {
		return value(c.cel("Bool").Call(c.cond(e, true).bare()), e.Term)
	}
	return value(c.cel("Tri").Call(c.cond(e, true).bare(), c.cond(e, false).bare()), e.Term)
}

func (c *Compiler) constant(e *model.Expr) operand {
	switch e.Term.Kind {
	case model.TermString:
		return operand{repr: asStr, code: c.cel("S").Call(jen.Lit(e.Value)), fixed: c.cel("String").Call(jen.Lit(e.Value)), term: e.Term}
	case model.TermInt:
		return operand{repr: asInt, code: c.cel("N").Call(quoteInt(e.Value)), fixed: c.cel("Int").Call(quoteInt(e.Value)), term: e.Term}
	case model.TermDouble:
		return operand{repr: asNum, code: c.cel("F").Call(c.float(e.Value)), fixed: c.cel("Double").Call(c.float(e.Value)), term: e.Term}
	case model.TermBool:
		return value(c.cel("Bool").Call(jen.Lit(e.Value == "true")), e.Term)
	case model.TermUint:
		n, err := strconv.ParseUint(e.Value, 10, 64)
		if err != nil {
			c.fail("%s is no uint", e.Value)
		}
		return value(c.cel("Uint").Call(jen.Op(strconv.FormatUint(n, 10))), e.Term)
	case model.TermBytes:
		return value(c.cel("Bytes").Call(jen.Lit(e.Value)), e.Term)
	case model.TermType:
		return value(c.cel("TypeNamed").Call(jen.Lit(e.Value)), e.Term)
	case model.TermNull:
		return value(c.cel("Null").Call(), e.Term)
	}
	c.fail("a constant of the type %s has no form in Go", e.Term.Kind)
	return value(c.cel("Null").Call(), e.Term)
}

func (c *Compiler) float(text string) *jen.Statement {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && f == 0 {
		c.fail("%s is no double", text)
	}
	switch {
	case f != f:
		return jen.Qual("math", "NaN").Call()
	case f > 1.7e308 && f*2 == f:
		return jen.Qual("math", "Inf").Call(jen.Lit(1))
	case f < -1.7e308 && f*2 == f:
		return jen.Qual("math", "Inf").Call(jen.Lit(-1))
	case f == 0 && text[0] == '-':
		return jen.Qual("math", "Copysign").Call(jen.Lit(0), jen.Lit(-1))
	}
	return jen.Op(strconv.FormatFloat(f, 'g', -1, 64))
}

// call compiles a function call.
func (c *Compiler) call(e *model.Expr) operand {
	kinds := make([]model.TermKind, len(e.Args))
	for i, a := range e.Args {
		kinds[i] = a.Term.Kind
		if a.Term.Nullable {
			kinds[i] = model.TermDyn
		}
	}
	both := func(k model.TermKind) bool { return len(kinds) == 2 && kinds[0] == k && kinds[1] == k }
	switch e.Name {
	case "_+_", "_-_":
		if both(model.TermInt) {
			name := "AddInt"
			if e.Name == "_-_" {
				name = "SubInt"
			}
			return operand{repr: asInt, code: c.cel(name).Call(c.toInt(c.value(e.Args[0])), c.toInt(c.value(e.Args[1]))), term: e.Term}
		}
	case "size":
		if len(e.Args) != 1 {
			break
		}
		back := c.mark()
		if x := c.counted(e.Args[0], e.Term); x != nil {
			return *x
		}
		back()
		switch x := c.value(e.Args[0]); {
		case x.repr == asStr:
			return operand{repr: asInt, code: c.cel("Length").Call(x.code), term: e.Term}
		case x.repr == asNode && kinds[0] != model.TermDyn && kinds[0] != model.TermBytes:
			return operand{repr: asInt, code: c.linear("Count").Call(c.doc(x.doc), x.code), term: e.Term}
		default:
			return value(c.ctx().Dot("Size").Call(c.val(x)), e.Term)
		}
	case "_[_]":
		list := kinds[0] == model.TermList
		if len(e.Args) != 2 || !(list && kinds[1] == model.TermInt) && kinds[0] != model.TermMap {
			break // a chain of tries would double the work with each link
		}
		x := c.value(e.Args[0])
		if x.repr == asNode && list {
			return operand{repr: asNode, doc: x.doc, code: c.linear("At").Call(c.doc(x.doc), x.code, c.toInt(c.value(e.Args[1]))), term: e.Term}
		}
		if x.repr == asNode && kinds[0] == model.TermMap && e.Args[1].Op == model.ExprConst && kinds[1] == model.TermString {
			return operand{repr: asNode, doc: x.doc, code: c.linear("Member").Call(c.doc(x.doc), x.code, jen.Lit(e.Args[1].Value)), term: e.Term}
		}
		return value(c.ctx().Dot(gofunc.Names[e.Name]).Call(c.val(x), c.val(c.value(e.Args[1]))), e.Term)
	case "sum":
		if len(e.Args) == 1 && e.Args[0].Op == model.ExprMapList && e.Args[0].Args[1] == nil && e.Args[0].Args[2].Term.Kind == model.TermInt && !e.Args[0].Args[2].Term.Nullable {
			return operand{repr: asInt, code: c.summed(e.Args[0]), term: e.Term}
		}
	case "repeats", "unique":
		if len(e.Args) == 1 {
			back := c.mark()
			if x := c.repeated(e); x != nil {
				return value(x, e.Term)
			}
			back()
		}
	case "_?._":
		if t := e.Args[0].Term; len(e.Args) == 2 && e.Args[1].Op == model.ExprConst && (t.Kind == model.TermObject || t.Kind == model.TermOptional && t.Elem != nil && t.Elem.Kind == model.TermObject) {
			base := c.value(e.Args[0])
			if x := c.optional(base, e.Args[0], e.Args[1].Value, e.Term); x != nil {
				return *x
			}
			if base.repr == asNode && base.term.Kind == model.TermObject && c.sureNode(e.Args[0]) && c.declared(base.term, e.Args[1].Value) {
				return operand{repr: asOpt, doc: base.doc, code: c.member(base, e.Args[1].Value), term: c.optionalTerm(base.term, e.Args[1].Value)}
			}
			return value(c.ctx().Dot(gofunc.Names[e.Name]).Call(c.val(base), c.val(c.value(e.Args[1]))), e.Term)
		}
	case "orValue":
		if len(e.Args) == 2 && isString(e.Args[1].Term) && !e.Args[1].Term.Nullable {
			back := c.mark()
			if x := c.value(e.Args[0]); x.repr == asOpt && isString(x.term.Elem) && !x.term.Elem.Nullable {
				return operand{repr: asStr, code: c.cel("TextOr").Call(c.doc(x.doc), x.code, c.str(e.Args[1])), term: e.Term}
			}
			back()
		}
	case "instantMillis":
		if len(e.Args) == 1 && isString(e.Args[0].Term) {
			return operand{repr: asInt, code: c.cel("Millis").Call(c.str(e.Args[0])), term: e.Term}
		}
	case "instant":
		if len(e.Args) == 1 && isString(e.Args[0].Term) {
			return operand{repr: asTime, code: c.cel("Instant").Call(c.str(e.Args[0])), term: e.Term}
		}
	case "dyn":
		if len(e.Args) == 1 {
			x := c.value(e.Args[0])
			x.term = e.Term
			if x.repr == asNode {
				x = value(c.val(operand{repr: asNode, code: x.code, doc: x.doc, term: e.Args[0].Term}), e.Term)
			}
			return value(c.val(x), e.Term)
		}
	case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in", "startsWith", "endsWith", "contains", "matches":
		back := c.mark()
		if x, ok := c.callCond(e, true); ok {
			if y, ok := c.callCond(e, false); ok {
				return value(c.cel("Tri").Call(x.bare(), y.bare()), e.Term)
			}
		}
		back()
	}
	name, known := gofunc.Names[e.Name]
	if !known {
		c.fail("the function %s has no form in Go", e.Name)
		return value(c.cel("Null").Call(), e.Term)
	}
	args := make([]jen.Code, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.val(c.value(a))
	}
	return value(c.ctx().Dot(name).Call(args...), e.Term)
}

// repeated compiles repeats and unique over strings in the document; nil for others.
func (c *Compiler) repeated(e *model.Expr) *jen.Statement {
	list, name := e.Args[0], ""
	if list.Op == model.ExprMapList {
		v := list.Args[2]
		if list.Args[1] != nil || len(list.Vars) != 1 || v.Op != model.ExprSelect || v.Args[0].Op != model.ExprVar || v.Args[0].Name != list.Vars[0] || !isString(v.Term) || v.Term.Nullable {
			return nil
		}
		list, name = list.Args[0], v.Name
	}
	over, orEmpty := c.overNode(list)
	if over == nil || over.term.Kind != model.TermList || over.term.Nullable {
		return nil
	}
	elem := over.term.Elem
	view, slot := jen.Nil(), jen.Lit(0)
	if name != "" {
		if elem.Kind != model.TermObject || elem.Nullable || !c.declared(elem, name) {
			return nil
		}
		view, slot = c.slot(elem.Object, name)
	} else if !isString(elem) || elem.Nullable {
		return nil
	}
	method := "RepeatsOf"
	if e.Name == "unique" {
		method = "UniqueOf"
	}
	return c.ctx().Dot(method).Call(jen.Lit(over.doc), over.code, view, slot, jen.Lit(orEmpty))
}

// overNode is the node of a list in the document; with orEmpty there may be none, and
// the list is empty then: x.orValue([]). It is nil for other lists.
func (c *Compiler) overNode(list *model.Expr) (over *operand, orEmpty bool) {
	if list.Op == model.ExprCall && list.Name == "orValue" && len(list.Args) == 2 && list.Args[1].Op == model.ExprList && len(list.Args[1].Args) == 0 {
		if x := c.value(list.Args[0]); x.repr == asOpt && x.term.Elem.Kind == model.TermList && !x.term.Elem.Nullable {
			return &operand{repr: asNode, code: x.code, doc: x.doc, term: x.term.Elem}, true
		}
		return nil, false
	}
	if x := c.value(list); x.repr == asNode {
		return &x, false
	}
	return nil, false
}

// optional reads a member of an optional object that is a node; nil when base is none.
func (c *Compiler) optional(base operand, e *model.Expr, name string, _ *model.Term) *operand {
	if base.repr != asOpt || base.term.Elem == nil || base.term.Elem.Kind != model.TermObject || base.term.Elem.Nullable || !c.declared(base.term.Elem, name) {
		return nil
	}
	inner := operand{repr: asNode, code: base.code, doc: base.doc, term: base.term.Elem}
	return &operand{repr: asOpt, doc: base.doc, code: c.member(inner, name), term: c.optionalTerm(base.term.Elem, name)}
}

func (c *Compiler) declared(t *model.Term, name string) bool {
	return slices.ContainsFunc(c.Views[t.Object].Fields, func(f model.ViewField) bool { return f.Name == name })
}

func (c *Compiler) optionalTerm(t *model.Term, name string) *model.Term {
	for _, f := range c.Views[t.Object].Fields {
		if f.Name == name {
			return &model.Term{Kind: model.TermOptional, Elem: f.Term}
		}
	}
	return &model.Term{Kind: model.TermOptional, Elem: &model.Term{Kind: model.TermDyn}}
}

// fixed reports whether a list or map is made of constants only.
func fixed(e *model.Expr) bool {
	switch e.Op {
	case model.ExprConst:
		return true
	case model.ExprList, model.ExprMap:
		return len(e.Args) > 0 && len(e.Optional) == 0 && !slices.ContainsFunc(e.Args, func(x *model.Expr) bool { return !fixed(x) })
	}
	return false
}

// fixture is the package variable with a list or map of constants.
func (c *Compiler) fixture(e *model.Expr) *jen.Statement {
	key := constantKey(e)
	if l, known := c.texts[key]; known {
		return jen.Id(l.name)
	}
	code := c.fixedCode(e)
	name := c.Free(fmt.Sprintf("fixed%d", len(c.texts)+1))
	c.texts[key] = textList{name, len(c.lists)}
	c.lists = append(c.lists, jen.Var().Id(name).Op("=").Add(code))
	return jen.Id(name)
}

// fixedCode is the code of a constant that lives as long as the package.
func (c *Compiler) fixedCode(e *model.Expr) *jen.Statement {
	slice := func(from, step int) *jen.Statement {
		var items []jen.Code
		for i := from; i < len(e.Args); i += step {
			items = append(items, c.fixedCode(e.Args[i]))
		}
		return jen.Index().Add(c.cel("Val")).Values(items...)
	}
	switch e.Op {
	case model.ExprList:
		return c.cel("List").Call(slice(0, 1))
	case model.ExprMap:
		return c.cel("MapOf").Call(slice(0, 2), slice(1, 2))
	}
	return c.val(c.value(e))
}

// constantKey tells constant lists and maps apart.
func constantKey(e *model.Expr) string {
	if e.Op == model.ExprConst {
		return fmt.Sprintf("%s %q", e.Term.Kind, e.Value)
	}
	key := string(e.Op) + "("
	for _, x := range e.Args {
		key += constantKey(x) + ","
	}
	return key + ")"
}

// list is the code of a list that the rule makes.
func (c *Compiler) list(e *model.Expr) *jen.Statement {
	var items []jen.Code
	for _, a := range e.Args {
		items = append(items, c.val(c.value(a)))
	}
	if len(e.Optional) == 0 {
		return c.ctx().Dot("ListOf").Call(items...)
	}
	optional := map[int]bool{}
	for _, i := range e.Optional {
		optional[i] = true
	}
	code := c.ctx().Dot("NewBuilder").Call()
	for i := range items {
		if optional[i] {
			code = code.Dot("Optional").Call(items[i])
		} else {
			code = code.Dot("Add").Call(items[i])
		}
	}
	return code.Dot("List").Call()
}

// mapping is the code of a map that the rule makes.
func (c *Compiler) mapping(e *model.Expr) *jen.Statement {
	if len(e.Optional) == 0 {
		var entries []jen.Code
		for _, a := range e.Args {
			entries = append(entries, c.val(c.value(a)))
		}
		return c.ctx().Dot("MapWith").Call(entries...)
	}
	optional := map[int]bool{}
	for _, i := range e.Optional {
		optional[i] = true
	}
	code := c.ctx().Dot("NewBuilder").Call()
	for i := 0; i < len(e.Args); i += 2 {
		name := "Entry"
		if optional[i/2] {
			name = "OptionalEntry"
		}
		code = code.Dot(name).Call(c.val(c.value(e.Args[i])), c.val(c.value(e.Args[i+1])))
	}
	return code.Dot("Map").Call()
}

// alternative compiles x ? a : b as a function of its own.
func (c *Compiler) alternative(e *model.Expr) operand {
	if e.Term.Kind == model.TermBool && e.Args[1].Term.Kind == model.TermBool && e.Args[2].Term.Kind == model.TermBool && !e.Term.Nullable {
		return c.boolean(e)
	}
	kind := asVal
	switch {
	case e.Args[1].Term.Kind != e.Args[2].Term.Kind || e.Args[1].Term.Nullable || e.Args[2].Term.Nullable:
	case e.Term.Kind == model.TermString:
		kind = asStr
	case e.Term.Kind == model.TermInt:
		kind = asInt
	}
	take := func(x *model.Expr) *jen.Statement {
		switch kind {
		case asStr:
			return c.toStr(c.value(x))
		case asInt:
			return c.toInt(c.value(x))
		}
		return c.val(c.value(x))
	}
	var failed *jen.Statement
	switch kind {
	case asStr:
		failed = c.cel("Str").Values()
	case asInt:
		failed = c.cel("I64").Values()
	default:
		failed = c.cel("Val").Values()
	}
	code := c.function("Either", c.reprType(kind), nil, nil, func() []jen.Code {
		cases := []jen.Code{
			jen.Case(c.cond(e.Args[0], true).bare()).Block(jen.Return(take(e.Args[1]))),
			jen.Case(c.cond(e.Args[0], false).bare()).Block(jen.Return(take(e.Args[2]))),
		}
		return []jen.Code{jen.Switch().Block(cases...), jen.Return(failed)}
	})
	return operand{repr: kind, code: code, term: e.Term}
}

// bound compiles cel.bind: a function with the value as its parameter.
func (c *Compiler) bound(e *model.Expr, result *jen.Statement, body func(*model.Expr) []jen.Code) *jen.Statement {
	x := c.value(e.Args[0])
	v := variable{name: e.Accu, id: c.fresh(e.Accu), operand: x}
	v.code = jen.Id(v.id)
	v.operand.id, v.there = "", false
	if v.repr == asNode {
		v.there = c.sureNode(e.Args[0])
		v.operand.id = v.id
	}
	return c.function("With", result, []variable{v}, []*jen.Statement{x.code}, func() []jen.Code { return body(e.Args[1]) })
}
