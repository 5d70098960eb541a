package gotypes

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// unionType declares a struct with one field an alternative.
func unionType(f *jen.File, v *goview.View, t *model.Type) {
	name := v.TypeName(t.ID)
	comment(f, goview.Comment(name, t.Doc, "is one of several things."))
	f.Comment("")
	f.Comment("Exactly one of the fields is there.")
	deprecation(f, t.Deprecated)
	f.Type().Id(name).StructFunc(func(g *jen.Group) {
		for i := range t.Options {
			g.Id(v.FieldName(t.ID, i)).Add(v.Field(v.Option(t.ID, i)))
		}
	})
	output(f, name)
	f.Line()
	f.Commentf("append%s appends the field that is there, or null.", name)
	f.Func().Id("append"+name).Params(jen.Id("dst").Index().Byte(), jen.Id("x").Op("*").Id(name)).Index().Byte().BlockFunc(func(g *jen.Group) {
		for i := range t.Options {
			option := v.Option(t.ID, i)
			x := jen.Id("x").Dot(v.FieldName(t.ID, i))
			if v.Presence(option) == goview.Wrapped {
				g.If(jen.List(jen.Id("y"), jen.Id("present")).Op(":=").Add(x).Dot("Get").Call(), jen.Id("present")).Block(
					jen.Return(appendValue(v, option, jen.Id("y"))))
				continue
			}
			g.If(x.Clone().Op("!=").Nil()).Block(jen.Return(appendValue(v, option, x)))
		}
		g.Return(jen.Append(jen.Id("dst"), jen.Lit("null").Op("...")))
	})
}

// tupleType declares a struct with one field a position.
func tupleType(f *jen.File, v *goview.View, t *model.Type) {
	name := v.TypeName(t.ID)
	comment(f, goview.Comment(name, t.Doc, "is an array whose elements have types by position."))
	deprecation(f, t.Deprecated)
	f.Type().Id(name).StructFunc(func(g *jen.Group) {
		for i := range t.Fields {
			for _, line := range goview.Wrap(t.Fields[i].Doc) {
				g.Add(goview.Remark("%s", line))
			}
			g.Id(v.FieldName(t.ID, i)).Add(v.Field(&t.Fields[i]))
		}
		if t.Extra != nil {
			g.Line().Comment("Extra are the elements behind those.")
			g.Id("Extra").Index().Add(v.Value(*t.Extra))
		}
	})
	output(f, name)
	f.Line()
	f.Commentf("append%s appends the elements up to the first that is absent.", name)
	f.Func().Id("append"+name).Params(jen.Id("dst").Index().Byte(), jen.Id("x").Op("*").Id(name)).Index().Byte().BlockFunc(func(g *jen.Group) {
		g.Id("dst").Op("=").Append(jen.Id("dst"), jen.LitRune('['))
		for i := range t.Fields {
			field := &t.Fields[i]
			x := jen.Id("x").Dot(v.FieldName(t.ID, i))
			done := jen.Return(v.RT("CloseArray").Call(jen.Id("dst")))
			switch v.Presence(field) {
			case goview.NilIsOut, goview.Pointer:
				g.If(x.Clone().Op("==").Nil()).Block(done)
			case goview.Wrapped:
				y := jen.Id("y" + v.FieldName(t.ID, i))
				there := jen.Id("has" + v.FieldName(t.ID, i))
				g.List(y.Clone(), there.Clone()).Op(":=").Add(x).Dot("Get").Call()
				g.If(jen.Op("!").Add(there)).Block(done)
				x = y
			}
			g.Id("dst").Op("=").Append(appendValue(v, field, x), jen.LitRune(','))
		}
		if t.Extra != nil {
			g.For(jen.List(jen.Id("_"), jen.Id("y")).Op(":=").Range().Id("x").Dot("Extra")).Block(
				jen.Id("dst").Op("=").Append(AppendExpr(v, *t.Extra, jen.Id("dst"), jen.Id("y")), jen.LitRune(',')),
			)
		}
		g.Return(v.RT("CloseArray").Call(jen.Id("dst")))
	})
}
