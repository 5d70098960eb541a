package gotypes

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// manyValues is where a table of the values takes less of the compiler than a switch.
const manyValues = 512

// manyValid declares Valid for an enum of many values.
func manyValid(f *jen.File, name string, t *model.Type) {
	var texts []string
	for _, l := range t.Values {
		texts = append(texts, goview.Unquote(l.JSON))
	}
	slices.Sort(texts)
	f.Comment("Valid reports whether x is one of the values.")
	f.Func().Params(jen.Id("x").Id(name)).Id("Valid").Params().Bool().Block(
		jen.List(jen.Id("_"), jen.Id("found")).Op(":=").Qual("slices", "BinarySearch").Call(jen.Id("sorted"+name), jen.String().Call(jen.Id("x"))),
		jen.Return(jen.Id("found")),
	)
	f.Var().Id("sorted"+name).Op("=").Index().String().CustomFunc(
		jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, func(g *jen.Group) {
			for _, text := range texts {
				g.Lit(text)
			}
		})
}

// enumType declares a string type, its constants and Valid.
func enumType(f *jen.File, v *goview.View, t *model.Type) {
	name := v.TypeName(t.ID)
	comment(f, goview.Comment(name, t.Doc, "is one of a fixed set of strings."))
	deprecation(f, t.Deprecated)
	f.Type().Id(name).String()

	var constants []jen.Code
	f.Commentf("The values of %s.", name)
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, l := range t.Values {
			value := goview.Unquote(l.JSON)
			constant := v.Constant(t, value)
			constants = append(constants, jen.Id(constant))
			g.Id(constant).Id(name).Op("=").Lit(value)
		}
	})

	if len(t.Values) > manyValues {
		manyValid(f, name, t)
		return
	}
	f.Comment("Valid reports whether x is one of the values.")
	f.Func().Params(jen.Id("x").Id(name)).Id("Valid").Params().Bool().Block(
		jen.Switch(jen.Id("x")).Block(
			jen.Case(constants...).Block(jen.Return(jen.True())),
		),
		jen.Return(jen.False()),
	)
}
