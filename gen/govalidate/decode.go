package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// fill returns the name of the function that decodes into a named type held in
// place, and sees to it that it is emitted.
func (e *emitter) fill(r model.Ref) string {
	e.reach(r)
	return "decode" + e.TypeName(r)
}

// reach marks the types whose decoders are called, from r on.
func (e *emitter) reach(r model.Ref) {
	if e.reached[r] {
		return
	}
	e.reached[r] = true
	t := e.Type(r)
	for i := range t.Fields {
		if goview.Stored(&t.Fields[i]) {
			e.reach(t.Fields[i].Use.Type)
		}
	}
	if t.Extra != nil {
		e.reach(t.Extra.Type)
	}
	if t.Elem.Type != 0 {
		e.reach(t.Elem.Type)
	}
	for i := range t.Options {
		e.reach(t.Options[i].Use.Type)
	}
}

func (e *emitter) decodeParams(name string) []jen.Code {
	return []jen.Code{jen.Id("d").Op("*").Add(e.RT("Decoder")), jen.Id("n").Add(e.RT("Node")), jen.Id("x").Op("*").Id(name)}
}

func (e *emitter) decodeWrapper(f *jen.File, t *model.Type) {
	name := e.TypeName(t.ID)
	f.Func().Id("decode" + name).Params(e.decodeParams(name)...).Block(
		jen.Id("x").Dot("Value").Op("=").Add(e.decode(t.Elem, n())),
	)
}

func (e *emitter) decodeStruct(f *jen.File, t *model.Type) {
	name := e.TypeName(t.ID)
	val := jen.Id("k").Op("+").Lit(1)
	var cases []memberCase
	for i := range t.Fields {
		field := &t.Fields[i]
		if !goview.Stored(field) {
			if t.Extra != nil {
				cases = append(cases, memberCase{name: field.Name})
			}
			continue
		}
		x := jen.Id("x").Dot(e.FieldName(t.ID, i))
		cases = append(cases, memberCase{name: field.Name, code: []jen.Code{e.assign(field, x, val.Clone())}})
	}
	var otherwise []jen.Code
	if t.Extra != nil {
		otherwise = []jen.Code{
			jen.If(jen.Id("x").Dot("Extra").Op("==").Nil()).Block(
				jen.Id("x").Dot("Extra").Op("=").Map(jen.String()).Add(e.View.Value(*t.Extra)).Values(),
			),
			jen.Id("x").Dot("Extra").Index(jen.Id("d").Dot("Str").Call(jen.Id("k"))).Op("=").Add(e.decode(*t.Extra, val.Clone())),
		}
	}
	var body, helpers []jen.Code
	if len(cases)+len(otherwise) > 0 {
		text := jen.Id("d").Dot("Text").Call(jen.Id("k"))
		loop := []jen.Code{memberSwitch(text, cases, otherwise)}
		if len(cases) > manyMembers {
			h := helper{prefix: "decode", name: name, text: text}
			h.param("d", jen.Op("*").Add(e.RT("Decoder")), jen.Id("d"))
			h.param("k", e.RT("Node"), jen.Id("k"))
			h.param("x", jen.Op("*").Id(name), jen.Id("x"))
			loop, helpers = e.splitSwitch(h, cases, otherwise)
		}
		body = append(body, jen.For(
			jen.List(jen.Id("k"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("d").Dot("Next").Call(n())),
			jen.Id("k").Op("<").Id("end"),
			jen.Id("k").Op("=").Id("d").Dot("Next").Call(val.Clone()),
		).Block(loop...))
	}
	f.Commentf("decode%s fills x from the valid object n.", name)
	f.Func().Id("decode" + name).Params(e.decodeParams(name)...).Block(body...)
	for _, h := range helpers {
		f.Add(h)
	}
}

// assign decodes the value at node into the field x.
func (e *emitter) assign(field *model.Field, x *jen.Statement, node *jen.Statement) jen.Code {
	isStruct := e.Composite(field.Use.Type) && !e.IsNullable(field.Use)
	d := jen.Id("d")
	switch e.Presence(field) {
	case goview.Pointer:
		return x.Op("=").Add(e.RT("DecodeNew")).Call(d, node, jen.Id(e.fill(field.Use.Type)))
	case goview.Wrapped:
		switch {
		case isStruct:
			return jen.Id(e.fill(field.Use.Type)).Call(d, node, x.Dot("Set").Call())
		case field.Recursive:
			return x.Op("=").Add(e.RT("Some")).Call(e.recursive(field, node))
		}
		return x.Op("=").Add(e.RT("Some")).Call(e.decode(field.Use, node))
	}
	switch {
	case isStruct:
		return jen.Id(e.fill(field.Use.Type)).Call(d, node, jen.Op("&").Add(x))
	case field.Recursive:
		return x.Op("=").Add(e.recursive(field, node))
	}
	return x.Op("=").Add(e.decode(field.Use, node))
}

func (e *emitter) recursive(field *model.Field, node *jen.Statement) *jen.Statement {
	ptr := jen.Op("*").Add(e.Base(field.Use.Type))
	return e.RT("DecodeNullable").Call(jen.Id("d"), node, jen.Func().Params(
		jen.Id("d").Op("*").Add(e.RT("Decoder")), jen.Id("n").Add(e.RT("Node")),
	).Add(ptr).Block(jen.Return(e.RT("DecodeNew").Call(jen.Id("d"), n(), jen.Id(e.fill(field.Use.Type))))))
}

// decode is the expression that decodes the value at node.
func (e *emitter) decode(u model.Use, node *jen.Statement) *jen.Statement {
	d := jen.Id("d")
	if e.IsNullable(u) {
		return e.RT("DecodeNullable").Call(d, node, e.decoder(model.Use{Type: u.Type}))
	}
	t := e.Type(u.Type)
	switch t.Kind {
	case model.Text:
		return d.Dot("Str").Call(node)
	case model.Enum:
		return jen.Id(e.TypeName(u.Type)).Call(d.Dot("Str").Call(node))
	case model.Integer:
		return d.Dot("Integer").Call(node)
	case model.Number:
		return d.Dot("Num").Call(node)
	case model.Boolean:
		return d.Dot("Bool").Call(node)
	case model.List:
		if e.Composite(t.Elem.Type) && !e.IsNullable(t.Elem) {
			return e.RT("DecodeStructs").Call(d, node, jen.Id(e.fill(t.Elem.Type)))
		}
		return e.RT("DecodeList").Call(d, node, e.decoder(t.Elem))
	case model.Map:
		return e.RT("DecodeMap").Call(d, node, e.decoder(t.Elem))
	case model.Struct, model.Wrapper, model.Union, model.Tuple:
		return e.RT("DecodeStruct").Call(d, node, jen.Id(e.fill(u.Type)))
	}
	return d.Dot("Value").Call(node)
}

// decoder is a function value func(*Decoder, Node) T.
func (e *emitter) decoder(u model.Use) *jen.Statement {
	method := func(name string) *jen.Statement { return jen.Parens(jen.Op("*").Add(e.RT("Decoder"))).Dot(name) }
	if !e.IsNullable(u) {
		switch e.Type(u.Type).Kind {
		case model.Text:
			return method("Str")
		case model.Enum:
			return e.RT("DecodeText").Types(e.Base(u.Type))
		case model.Integer:
			return method("Integer")
		case model.Number:
			return method("Num")
		case model.Boolean:
			return method("Bool")
		case model.Any:
			return method("Value")
		}
	}
	return jen.Func().Params(jen.Id("d").Op("*").Add(e.RT("Decoder")), jen.Id("n").Add(e.RT("Node"))).Add(e.View.Value(u)).Block(
		jen.Return(e.decode(u, n())),
	)
}
