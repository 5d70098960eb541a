package govalidate

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
)

// judge declares Judge, which validates by a schema's number; see emit.Context.
func (g *ruleset) judge(refs []model.Ref) *jen.File {
	f := g.NewFile("the witnesses of the contract " + g.Contract)
	refs = slices.Clone(refs)
	slices.Sort(refs)
	refs = slices.Compact(refs)
	roots := map[model.Ref]*model.Document{}
	for i := range g.Documents {
		if g.Documents[i].Type != 0 {
			roots[g.Documents[i].Root] = &g.Documents[i]
		}
	}
	by := func(scope rules.Scope, verb string, args ...jen.Code) jen.Code {
		var cases []jen.Code
		for _, r := range refs {
			d := roots[r]
			switch {
			case d == nil && scope == rules.Document:
				cases = append(cases, jen.Case(jen.Lit(int(r))).Block(jen.Return(g.cel("Validate").Call(append(args[:1:1], g.part(r)...)...))))
				continue
			case d == nil && scope == rules.Transition:
				cases = append(cases, jen.Case(jen.Lit(int(r))).Block(jen.Return(g.change(args[0], args[1], g.part(r)))))
				continue
			case d == nil:
				continue
			case scope == rules.Transition && !g.has(d.Root, scope): // no function is declared
				cases = append(cases, jen.Case(jen.Lit(int(r))).Block(jen.Return(g.change(args[0], args[1], g.part(r)))))
				continue
			case scope != rules.Document && !g.has(d.Root, scope):
				continue
			}
			cases = append(cases, jen.Case(jen.Lit(int(r))).Block(jen.Return(jen.Id("Validate"+g.TypeName(d.Type)+verb).Call(args...))))
		}
		return jen.Case(jen.Lit(string(scope))).Block(jen.Switch(jen.Id("ref")).Block(cases...))
	}
	f.Comment("Judge validates documents by the number of their schema.")
	f.Func().Id("Judge").Params(jen.Id("scope").String(), jen.Id("ref").Int(), jen.Id("old").Index().Byte(), jen.Id("docs").Index().Index().Byte()).Add(g.RT("Issues")).Block(
		jen.Switch(jen.Id("scope")).Block(
			by(rules.Document, "", jen.Id("docs").Index(jen.Lit(0))),
			by(rules.Transition, "Transition", jen.Id("old"), jen.Id("docs").Index(jen.Lit(0))),
			by(rules.History, "History", jen.Id("docs")),
			by(rules.Collection, "Set", jen.Id("docs")),
		),
		jen.Return(g.RT("UnknownSchema").Call(jen.Id("scope"))),
	)
	f.Comment("Rule returns the function of a rule over one value; nil for rules over lists. was is the value before.")
	f.Func().Id("Rule").Params(jen.Id("id").String()).Func().Params(jen.Id("r").Op("*").Add(g.cel("Run")), jen.List(jen.Id("self"), jen.Id("was")).Add(g.RT("Node"))).Block(
		jen.Switch(jen.Id("id")).BlockFunc(func(b *jen.Group) {
			seen := map[string]bool{}
			for i := range g.Invariants {
				inv := &g.Invariants[i]
				if seen[inv.ID] || inv.Native != "" {
					continue
				}
				seen[inv.ID] = true
				switch rules.Scope(inv.Scope) {
				case rules.Document:
					b.Case(jen.Lit(inv.ID)).Block(jen.Return(jen.Func().Params(jen.Id("r").Op("*").Add(g.cel("Run")), jen.List(jen.Id("self"), jen.Id("_")).Add(g.RT("Node"))).Block(
						jen.Id(g.rule(inv)).Call(jen.Id("r"), jen.Id("self")))))
				case rules.Transition:
					b.Case(jen.Lit(inv.ID)).Block(jen.Return(jen.Id(g.rule(inv))))
				}
			}
		}),
		jen.Return(jen.Nil()),
	)
	return f
}

// part is the check, completion and rules of a schema that is no document.
func (g *ruleset) part(r model.Ref) []jen.Code {
	complete := g.completer(g.Schema(r).Use.Type)
	if !g.leads[r] {
		return []jen.Code{g.checkOrAny(r), complete, jen.Func().Params(jen.Op("*").Add(g.cel("Run")), g.RT("Node"), g.RT("Node")).Block()}
	}
	return []jen.Code{g.checkOrAny(r), complete, jen.Id(g.walker(r))}
}
