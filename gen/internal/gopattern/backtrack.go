package gopattern

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
	"github.com/contractkit/contractkit/runtime/contract"
)

// stepNames are the instructions as emitted code spells them.
var stepNames = map[contract.StepOp]string{
	contract.StepMatch: "StepMatch", contract.StepSet: "StepSet", contract.StepSetBack: "StepSetBack",
	contract.StepSplit: "StepSplit", contract.StepJump: "StepJump", contract.StepSave: "StepSave",
	contract.StepClear: "StepClear", contract.StepMoved: "StepMoved", contract.StepBegin: "StepBegin",
	contract.StepEnd: "StepEnd", contract.StepWord: "StepWord", contract.StepNotWord: "StepNotWord",
	contract.StepLook: "StepLook", contract.StepNotLook: "StepNotLook", contract.StepRef: "StepRef",
	contract.StepRefBack: "StepRefBack",
}

// backtrack declares the search as data, which costs nothing when a program starts.
func (e *emitter) backtrack(plan *pattern.Backtrack) []jen.Code {
	name := e.name + "Search"
	search := &plan.Search
	e.decls = append(e.decls, jen.Comment(name+" tries one way after the other, within bounds.").Line().
		Var().Id(name).Op("=").Qual(e.runtime, "Backtracker").Values(jen.Dict{
		jen.Id("Steps"): jen.Index().Qual(e.runtime, "Step").ValuesFunc(func(g *jen.Group) {
			for _, s := range search.Steps {
				fields := []jen.Code{jen.Id("Op").Op(":").Qual(e.runtime, stepNames[s.Op])}
				if s.X != 0 {
					fields = append(fields, jen.Id("X").Op(":").Lit(s.X))
				}
				if s.Y != 0 {
					fields = append(fields, jen.Id("Y").Op(":").Lit(s.Y))
				}
				g.Line().Values(fields...)
			}
			g.Line()
		}),
		jen.Id("Sets"): jen.Index().Qual(e.runtime, "RuneSet").ValuesFunc(func(g *jen.Group) {
			for _, s := range search.Sets {
				g.Line().Add(e.runeSetValue(s))
			}
			g.Line()
		}),
		jen.Id("Slots"): jen.Lit(search.Slots),
	}))
	return []jen.Code{jen.Return(jen.Id(name).Dot("Match").Call(jen.Id("s")))}
}

// padded declares the search as data.
func (e *emitter) padded(plan *pattern.Padded) []jen.Code {
	name := e.name + "Search"
	e.decls = append(e.decls, jen.Comment(name+" looks for a text between padding.").Line().
		Var().Id(name).Op("=").Qual(e.runtime, "Padded").Values(
		jen.Line().Id("Pad").Op(":").Qual(e.runtime, "RuneSet").Add(e.runeSetValue(plan.Search.Pad)),
		jen.Line().Id("Edge").Op(":").Qual(e.runtime, "RuneSet").Add(e.runeSetValue(plan.Search.Edge)),
		jen.Line().Id("Inner").Op(":").Qual(e.runtime, "RuneSet").Add(e.runeSetValue(plan.Search.Inner)),
		jen.Line().Id("Max").Op(":").Lit(plan.Search.Max),
		jen.Line(),
	))
	return []jen.Code{jen.Return(jen.Id(name).Dot("Match").Call(jen.Id("s")))}
}

// runeSetValue is the value of a contract.RuneSet without its type.
func (e *emitter) runeSetValue(s contract.RuneSet) jen.Code {
	fields := []jen.Code{jen.Id("ASCII").Op(":").Add(e.byteSetValue(pattern.ByteSet(s.ASCII)))}
	if len(s.High) > 0 {
		fields = append(fields, jen.Id("High").Op(":").Add(runes(s.High)))
	}
	return jen.Values(fields...)
}

// runes is a list of code points.
func runes(list []rune) jen.Code {
	return jen.Index().Rune().ValuesFunc(func(g *jen.Group) {
		for _, r := range list {
			g.Op(fmt.Sprintf("%#x", r))
		}
	})
}
