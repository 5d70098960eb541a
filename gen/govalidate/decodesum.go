package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// decodeUnion fills the field of the alternative that the value is.
func (e *emitter) decodeUnion(f *jen.File, t *model.Type) {
	name := e.TypeName(t.ID)
	assign := func(i int) jen.Code {
		return e.assign(e.Option(t.ID, i), jen.Id("x").Dot(e.FieldName(t.ID, i)), n())
	}
	var block []jen.Code
	switch t.By {
	case "kind":
		var cases []jen.Code
		for i := range t.Options {
			var kinds []jen.Code
			for _, k := range kindNames {
				if t.Options[i].Kinds&k.kind != 0 {
					kinds = append(kinds, e.RT(k.name))
				}
			}
			cases = append(cases, jen.Case(kinds...).Block(assign(i)))
		}
		block = append(block, jen.Switch(jen.Id("d").Dot("Kind").Call(n())).Block(cases...))
	case "member":
		var cases []jen.Code
		for i := range t.Options {
			var values []jen.Code
			for _, v := range t.Options[i].Values {
				values = append(values, jen.Lit(v))
			}
			cases = append(cases, jen.Case(values...).Block(assign(i)))
		}
		block = append(block, jen.Switch(jen.String().Call(jen.Id("d").Dot("VariantName").Call(n(), jen.Lit(t.Member)))).Block(cases...))
	default:
		var cases []jen.Code
		for i := range t.Options {
			var cond *jen.Statement
			for _, r := range t.Options[i].Schemas {
				c := jen.True()
				if !e.accepts(r) {
					c = jen.Id("d").Dot("Probes").Call(jen.Id(e.check(r)), n())
				}
				if cond == nil {
					cond = c
				} else {
					cond = cond.Op("||").Add(c)
				}
			}
			cases = append(cases, jen.Case(cond).Block(assign(i)))
		}
		block = append(block, jen.Switch().Block(cases...))
	}
	f.Commentf("decode%s fills the field of x that the valid value n belongs to.", name)
	f.Func().Id("decode" + name).Params(e.decodeParams(name)...).Block(block...)
}

// decodeTuple fills the fields by position.
func (e *emitter) decodeTuple(f *jen.File, t *model.Type) {
	name := e.TypeName(t.ID)
	var cases []jen.Code
	for i := range t.Fields {
		cases = append(cases, jen.Case(jen.Lit(i)).Block(
			e.assign(&t.Fields[i], jen.Id("x").Dot(e.FieldName(t.ID, i)), jen.Id("m"))))
	}
	if t.Extra != nil {
		extra := jen.Id("x").Dot("Extra")
		cases = append(cases, jen.Default().Block(
			extra.Clone().Op("=").Append(extra.Clone(), e.decode(*t.Extra, jen.Id("m")))))
	}
	f.Commentf("decode%s fills x from the valid array n.", name)
	f.Func().Id("decode"+name).Params(e.decodeParams(name)...).Block(
		jen.Id("i").Op(":=").Lit(0),
		jen.For(
			jen.List(jen.Id("m"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("d").Dot("Next").Call(n())),
			jen.Id("m").Op("<").Id("end"),
			jen.Id("m").Op("=").Id("d").Dot("Next").Call(jen.Id("m")),
		).Block(
			jen.Switch(jen.Id("i")).Block(cases...),
			jen.Id("i").Op("++"),
		),
	)
}
