package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// combinators emits allOf, anyOf, oneOf, not and if.
func (b *body) combinators() {
	s := b.s
	for _, r := range s.AllOf {
		if !b.accepts(r) {
			b.add(b.must(r, n()))
		}
	}
	single := len(s.AnyOf) == 0 || len(s.OneOf) == 0
	if len(s.AnyOf) > 0 {
		b.union(s.AnyOf, "anyOf", single)
	}
	if len(s.OneOf) > 0 {
		b.union(s.OneOf, "oneOf", single)
	}
	if s.Not != 0 {
		report := b.report("Forbidden", n(), jen.Lit(s.Location+"/not"))
		if b.accepts(s.Not) {
			b.add(stop(report))
		} else {
			b.add(b.fail(b.probe(s.Not), jen.Op("!").Add(b.probe(s.Not)), report))
		}
	}
	b.condition()
}

func (b *body) union(union []model.Ref, keyword string, single bool) {
	s := b.s
	var open []model.Ref // alternatives that accept everything
	for _, r := range union {
		if b.accepts(r) {
			open = append(open, r)
		}
	}
	switch {
	case keyword == "anyOf" && len(open) > 0:
	case len(union) == 1:
		b.add(b.must(union[0], n()))
	case single && s.ByKind && len(open) == 0:
		b.switchOnKind(union)
	case single && s.Variants != nil:
		b.switchOnName(keyword)
	case keyword == "anyOf":
		var cond *jen.Statement
		for _, r := range union {
			if cond == nil {
				cond = b.probe(r)
			} else {
				cond = cond.Op("||").Line().Add(b.probe(r))
			}
		}
		b.add(jen.If(jen.Op("!").Parens(cond)).Block(b.noAlternative(keyword)))
	default:
		b.add(jen.Id("fits").Op(":=").Lit(len(open)))
		for _, r := range union {
			if !b.accepts(r) {
				b.add(jen.If(b.probe(r)).Block(jen.Id("fits").Op("++")))
			}
		}
		b.add(jen.Switch(jen.Id("fits")).Block(
			jen.Case(jen.Lit(0)).Block(b.noAlternative(keyword)),
			jen.Case(jen.Lit(1)),
			jen.Default().Block(stop(b.report("TwoAlternatives", n(), b.loc())).Code),
		))
	}
}

func (b *body) noAlternative(keyword string) jen.Code {
	return stop(b.report("NoAlternative", n(), jen.Lit(keyword), b.loc())).Code
}

// switchOnKind goes to the only alternative that accepts values of that kind.
func (b *body) switchOnKind(union []model.Ref) {
	var cases []jen.Code
	var all *jen.Statement
	for _, r := range union {
		var kinds []jen.Code
		for _, k := range kindNames {
			if b.Schema(r).Accepts&k.kind == 0 {
				continue
			}
			kinds = append(kinds, b.kind(k.name))
			bit := jen.Lit(1).Op("<<").Add(b.kind(k.name))
			if all == nil {
				all = bit
			} else {
				all = all.Op("|").Add(bit)
			}
		}
		if len(kinds) > 0 {
			cases = append(cases, jen.Case(kinds...).Block(b.must(r, n()).Code))
		}
	}
	if all == nil {
		all = jen.Lit(0)
	}
	cases = append(cases, jen.Default().Block(
		stop(b.report("WrongType", n(), all, b.loc())).Code))
	b.add(jen.Switch(jen.Id("v").Dot("Kind").Call(n())).Block(cases...))
}

// switchOnName goes to the only alternative whose name the value carries.
func (b *body) switchOnName(keyword string) {
	vs := b.s.Variants
	var cases []jen.Code
	for _, c := range vs.Cases {
		var values []jen.Code
		for _, s := range c.Values {
			values = append(values, jen.Lit(s))
		}
		cases = append(cases, jen.Case(values...).Block(b.must(c.Schema, n()).Code))
	}
	cases = append(cases, jen.Default().Block(
		stop(b.report("NoSuchVariant", n(), jen.Lit(vs.Member), jen.Lit(keyword), b.loc())).Code))
	b.add(jen.Switch(jen.String().Call(jen.Id("v").Dot("VariantName").Call(n(), jen.Lit(vs.Member)))).Block(cases...))
}

func (b *body) condition() {
	s := b.s
	if s.If == 0 {
		return
	}
	var then, otherwise []jen.Code
	if !b.none(s.Then) {
		then = append(then, b.must(s.Then, n()))
	}
	if !b.none(s.Else) {
		otherwise = append(otherwise, b.must(s.Else, n()))
	}
	switch {
	case len(then)+len(otherwise) == 0:
	case b.accepts(s.If):
		b.add(unwrap(then)...)
	case len(then) == 0:
		b.add(jen.If(jen.Op("!").Add(b.probe(s.If))).Block(unwrap(otherwise)...))
	case len(otherwise) == 0:
		b.add(jen.If(b.probe(s.If)).Block(unwrap(then)...))
	default:
		b.add(jen.If(b.probe(s.If)).Block(unwrap(then)...).Else().Block(unwrap(otherwise)...))
	}
}
