package gotypes

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

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

	f.Comment("Valid reports whether x is one of the values.")
	f.Func().Params(jen.Id("x").Id(name)).Id("Valid").Params().Bool().Block(
		jen.Switch(jen.Id("x")).Block(
			jen.Case(constants...).Block(jen.Return(jen.True())),
		),
		jen.Return(jen.False()),
	)
}
