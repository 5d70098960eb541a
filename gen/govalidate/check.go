package govalidate

import (
	"math/bits"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// body builds one check function: func(v *contract.Validator, n contract.Node) bool.
type body struct {
	*emitter
	s     *model.Schema
	codes []jen.Code

	tables []jen.Code // declarations that the codes use
}

func (e *emitter) checkFunc(f *jen.File, r model.Ref) {
	s := e.Schema(r)
	name := e.names[r]
	b := &body{emitter: e, s: s}
	b.all()
	b.finish()
	f.Add(goview.Remark("%s checks the value n against %s.", name, s.Location))
	f.Func().Id(name).Params(
		jen.Id("v").Op("*").Add(e.RT("Validator")), jen.Id("n").Add(e.RT("Node")),
	).Bool().Block(b.codes...)
	for _, t := range b.tables {
		f.Add(t)
	}
}

func (b *body) add(c ...jen.Code) { b.codes = append(b.codes, c...) }

// step is one test of a check function. Standing last it is what the function
// returns; elsewhere it is an if.
type step struct {
	jen.Code
	last *jen.Statement
}

// finish turns the last test into the return statement.
func (b *body) finish() {
	if len(b.codes) > 0 {
		if s, isStep := b.codes[len(b.codes)-1].(step); isStep {
			b.codes[len(b.codes)-1] = jen.Return(s.last)
			b.unwrap()
			return
		}
	}
	b.unwrap()
	b.add(jen.Return(jen.True()))
}

func (b *body) unwrap() { b.codes = unwrap(b.codes) }

func unwrap(codes []jen.Code) []jen.Code {
	for i, c := range codes {
		if s, isStep := c.(step); isStep {
			codes[i] = s.Code
		}
	}
	return codes
}

// fail is: if bad and the validation stops, return false. good is the opposite of bad.
func (b *body) fail(bad, good, report *jen.Statement) step {
	return step{
		jen.If(bad.Clone().Op("&&").Op("!").Add(report.Clone())).Block(jen.Return(jen.False())),
		good.Clone().Op("||").Add(report.Clone()),
	}
}

// stop is: report, and if the validation stops, return false.
func stop(report *jen.Statement) step {
	return step{jen.If(jen.Op("!").Add(report.Clone())).Block(jen.Return(jen.False())), report}
}

// compare is fail for the two sides of a comparison that must not hold.
func (b *body) compare(left *jen.Statement, op string, right, report *jen.Statement) step {
	opposite := map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}
	return b.fail(left.Clone().Op(op).Add(right.Clone()), left.Clone().Op(opposite[op]).Add(right.Clone()), report)
}

// report calls the validator's method for a fault of node; the schema's location
// is always the last argument before the names.
func (b *body) report(method string, args ...jen.Code) *jen.Statement {
	return jen.Id("v").Dot(method).Call(args...)
}

func (b *body) loc() jen.Code { return jen.Lit(b.s.Location) }

func n() *jen.Statement { return jen.Id("n") }

// must is: if the check of node by schema r fails, return false.
func (e *emitter) must(r model.Ref, node *jen.Statement) step { return stop(e.call(r, node)) }

func (b *body) kind(k string) *jen.Statement { return b.RT(k) }

var kindNames = []struct {
	kind model.Kinds
	name string
}{
	{model.KindString, "String"}, {model.KindNumber, "Num"}, {model.KindArray, "Array"},
	{model.KindObject, "Object"}, {model.KindBool, "Bool"}, {model.KindNull, "Null"},
}

// all emits every assertion of the schema.
func (b *body) all() {
	s := b.s
	if s.Never {
		b.add(stop(b.report("Forbidden", n(), b.loc())))
		return
	}
	if s.Ref != 0 && !b.accepts(s.Ref) {
		b.add(b.must(s.Ref, n()))
	}
	if !b.none(s.UnevaluatedProperties) || !b.none(s.UnevaluatedItems) {
		b.codes = append([]jen.Code{jen.Id("found").Op(":=").Id("v").Dot("Found").Call()}, b.codes...)
	}
	sure := b.types()
	b.values()
	b.byKind(sure)
	b.combinators()
	b.unevaluated()
}

// kinds are the kinds that the type keyword admits, in the tape's terms.
func kinds(t model.Kinds) model.Kinds {
	k := t &^ model.KindInteger
	if t&model.KindInteger != 0 {
		k |= model.KindNumber
	}
	return k
}

// types emits the type keyword and returns the one kind that is left, or 0.
func (b *body) types() model.Kinds {
	t := b.s.Types
	if t == 0 {
		return 0
	}
	if b.s.Const != nil && b.s.Const.JSON[0] == '"' && t == model.KindString || b.s.IsEnum && t == model.KindString && allStrings(b.s.Enum) {
		return model.KindString // the comparison of values says it all
	}
	k := kinds(t)
	integral := t&model.KindInteger != 0 && t&model.KindNumber == 0
	kind := jen.Id("v").Dot("Kind").Call(n())
	if bits.OnesCount8(uint8(k)) == 1 {
		var name string
		for _, kn := range kindNames {
			if kn.kind == k {
				name = kn.name
			}
		}
		if integral {
			b.add(jen.If(kind.Op("!=").Add(b.kind("Num")).Op("||").Op("!").Id("v").Dot("IsInteger").Call(n())).Block(
				jen.Return(b.report("NotInteger", n(), b.loc()))))
			return k
		}
		b.add(jen.If(kind.Op("!=").Add(b.kind(name))).Block(
			jen.Return(b.report("WrongType", n(), jen.Lit(1).Op("<<").Add(b.kind(name)), b.loc()))))
		return k
	}
	var set *jen.Statement
	var cases []jen.Code
	for _, kn := range kindNames {
		if k&kn.kind == 0 {
			continue
		}
		cases = append(cases, b.kind(kn.name))
		bit := jen.Lit(1).Op("<<").Add(b.kind(kn.name))
		if set == nil {
			set = bit
		} else {
			set = set.Op("|").Add(bit)
		}
	}
	b.add(jen.Switch(kind).Block(
		jen.Case(cases...),
		jen.Default().Block(jen.Return(b.report("WrongType", n(), set, b.loc()))),
	))
	if integral {
		b.add(jen.If(jen.Id("v").Dot("Kind").Call(n()).Op("==").Add(b.kind("Num")).Op("&&").Op("!").Id("v").Dot("IsInteger").Call(n())).Block(
			jen.Return(b.report("NotInteger", n(), b.loc()))))
	}
	return 0
}

// byKind emits the assertions that only concern one kind of value, each group
// behind a question for the kind unless it is sure.
func (b *body) byKind(sure model.Kinds) {
	for _, g := range []struct {
		kind model.Kinds
		name string
		emit func()
	}{
		{model.KindString, "String", b.str},
		{model.KindNumber, "Num", b.number},
		{model.KindArray, "Array", b.array},
		{model.KindObject, "Object", b.object},
	} {
		if b.s.Types != 0 && kinds(b.s.Types)&g.kind == 0 {
			continue
		}
		outer := b.codes
		b.codes = nil
		g.emit()
		inner := b.codes
		b.codes = outer
		switch {
		case len(inner) == 0:
		case sure == g.kind:
			b.add(inner...)
		default:
			b.add(jen.If(jen.Id("v").Dot("Kind").Call(n()).Op("==").Add(b.kind(g.name))).Block(unwrap(inner)...))
		}
	}
}

func allStrings(list []model.Literal) bool {
	for _, l := range list {
		if l.JSON[0] != '"' {
			return false
		}
	}
	return len(list) > 0
}

// onlyRefers reports whether s is a reference and nothing else that asserts.
func (e *emitter) onlyRefers(s *model.Schema) bool {
	if s.Ref == 0 {
		return false
	}
	c := *s
	c.Ref = 0
	return e.assertsNothing(&c)
}

// accepts reports whether schema r accepts every value, so that no check is needed.
func (e *emitter) accepts(r model.Ref) bool {
	if known, done := e.trivial[r]; done {
		return known
	}
	if e.busy[r] {
		return false
	}
	e.busy[r] = true
	defer delete(e.busy, r)
	s := e.Schema(r)
	c := *s
	ok := true
	if s.Ref != 0 {
		ok = e.accepts(s.Ref)
		c.Ref = 0
	}
	ok = ok && e.assertsNothing(&c)
	e.trivial[r] = ok
	return ok
}

func (e *emitter) assertsNothing(s *model.Schema) bool {
	return !s.Never && s.Ref == 0 && s.Types == 0 && s.Const == nil && !s.IsEnum &&
		s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil && s.MultipleOf == nil &&
		s.MinLength == nil && s.MaxLength == nil && s.Pattern == "" && formatFunc(s) == "" && !contentChecked(s) &&
		s.MinItems == nil && s.MaxItems == nil && !s.UniqueItems && len(s.PrefixItems) == 0 && e.none(s.Items) && s.Contains == 0 &&
		len(s.Properties) == 0 && len(s.Required) == 0 && len(s.PatternProperties) == 0 && e.none(s.AdditionalProperties) &&
		e.none(s.PropertyNames) && s.MinProperties == nil && s.MaxProperties == nil && len(s.DependentRequired) == 0 && len(s.DependentSchemas) == 0 &&
		len(s.AllOf) == 0 && len(s.AnyOf) == 0 && len(s.OneOf) == 0 && s.Not == 0 && s.If == 0 &&
		e.none(s.UnevaluatedProperties) && e.none(s.UnevaluatedItems)
}

func (e *emitter) none(r model.Ref) bool { return r == 0 || e.accepts(r) }
