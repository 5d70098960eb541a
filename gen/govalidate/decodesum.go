package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// decodeUnion fills the field of the alternative that the value is.
func (e *emitter) decodeUnion(f *jen.File, t *model.Type) {
	name := e.TypeName(t.ID)
	f.Commentf("decode%s fills the field of x that the valid value n belongs to.", name)
	f.Func().Id("decode" + name).Params(e.decodeParams(name)...).Block(e.switchOption(t, jen.Id("d"), func(i int) []jen.Code {
		return []jen.Code{e.assign(e.Option(t.ID, i), jen.Id("x").Dot(e.FieldName(t.ID, i)), n())}
	}))
}

// switchOption is the switch to what is done to the valid value n of a union, by the
// alternative that it is. v is a validator, or a decoder, which holds one.
func (e *emitter) switchOption(t *model.Type, v *jen.Statement, do func(option int) []jen.Code) jen.Code {
	var cases []jen.Code
	add := func(labels, code []jen.Code) {
		if len(code) > 0 {
			cases = append(cases, jen.Case(labels...).Block(code...))
		}
	}
	switch t.By {
	case "kind":
		for i := range t.Options {
			var kinds []jen.Code
			for _, k := range kindNames {
				if t.Options[i].Kinds&k.kind != 0 {
					kinds = append(kinds, e.RT(k.name))
				}
			}
			add(kinds, do(i))
		}
		return jen.Switch(v.Clone().Dot("Kind").Call(n())).Block(cases...)
	case "member":
		for i := range t.Options {
			var values []jen.Code
			for _, v := range t.Options[i].Values {
				values = append(values, jen.Lit(v))
			}
			add(values, do(i))
		}
		return jen.Switch(jen.String().Call(v.Clone().Dot("VariantName").Call(n(), jen.Lit(t.Member)))).Block(cases...)
	}
	for i := range t.Options { // the first that fits, also where nothing is done to it
		var cond *jen.Statement
		for _, r := range t.Options[i].Schemas {
			c := jen.True()
			if !e.accepts(r) {
				c = v.Clone().Dot("Probes").Call(jen.Id(e.check(r)), n())
			}
			if cond == nil {
				cond = c
			} else {
				cond = cond.Op("||").Add(c)
			}
		}
		cases = append(cases, jen.Case(cond).Block(do(i)...))
	}
	return jen.Switch().Block(cases...)
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
