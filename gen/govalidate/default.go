package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// fills reports whether Parse gives the field a value when it is absent. Which defaults
// apply was decided with the model; what they are completed to stands in field.Filled.
func fills(field *model.Field) bool {
	return goview.Stored(field) && field.Default != nil && field.Filled != ""
}

// longestLiteral is how long a default may be, as JSON, to become an expression: Go's
// compiler takes minutes for one with some ten thousand values.
const longestLiteral = 4 << 10

// fillIn sets an absent field to its default.
func (e *emitter) fillIn(field *model.Field, x *jen.Statement) jen.Code {
	absent := x.Clone().Dot("IsZero").Call()
	presence := e.Presence(field)
	if presence == goview.NilIsOut || presence == goview.Pointer {
		absent = x.Clone().Op("==").Nil()
	}
	var value *jen.Statement
	if !field.Recursive && len(field.Default.JSON) <= longestLiteral {
		value = e.literalOf(field.Use, field.Default.JSON)
	}
	if value == nil { // no expression is that value, or a long one, but decoding makes it
		return jen.If(absent).Block(e.RT("DecodeDefault").Call(goview.Raw(field.Default.JSON),
			jen.Func().Params(jen.Id("d").Op("*").Add(e.RT("Decoder"))).Block(e.assign(field, x.Clone(), e.RT("Root")))))
	}
	switch presence {
	case goview.NilIsOut:
		return jen.If(absent).Block(x.Clone().Op("=").Add(value))
	case goview.Pointer:
		return jen.If(absent).Block(jen.Id("y").Op(":=").Add(value), x.Clone().Op("=").Op("&").Id("y"))
	}
	return jen.If(absent).Block(x.Clone().Op("=").Add(e.RT("Some")).Call(value))
}
