package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// Unevaluated members and elements are those that no schema applied in place has
// looked at. After a value has passed the other checks, mark functions repeat
// which ones were: func(v *contract.Validator, n contract.Node, m contract.Marks).

// markKey names a mark function: self leaves out the schema's own unevaluated
// keywords, which ask and do not answer.
type markKey struct {
	schema model.Ref
	self   bool
}

// marker returns the mark function of r, or "" when r never marks anything.
func (e *emitter) marker(r model.Ref, self bool) string {
	if !e.marks(r, self, map[model.Ref]bool{}) {
		return ""
	}
	key := markKey{r, self}
	if name, known := e.markers[key]; known {
		return name
	}
	want := "mark" + goname.Exported(e.Schema(r).Name)
	if self {
		want += "Self"
	}
	name := e.free(want)
	e.markers[key] = name
	e.markQueue = append(e.markQueue, key)
	return name
}

func (e *emitter) marks(r model.Ref, self bool, busy map[model.Ref]bool) bool {
	if r == 0 || busy[r] {
		return false
	}
	busy[r] = true
	s := e.Schema(r)
	if len(s.Properties)+len(s.PatternProperties)+len(s.PrefixItems) > 0 || s.AdditionalProperties != 0 || s.Items != 0 ||
		s.Contains != 0 && s.ContainsMarks || !self && (s.UnevaluatedProperties != 0 || s.UnevaluatedItems != 0) {
		return true
	}
	for _, o := range inPlace(s) {
		if e.marks(o, false, busy) {
			return true
		}
	}
	return false
}

// inPlace are the schemas that s applies to the same value, not among them.
func inPlace(s *model.Schema) []model.Ref {
	var out []model.Ref
	for _, r := range []model.Ref{s.Ref, s.If, s.Then, s.Else} {
		if r != 0 {
			out = append(out, r)
		}
	}
	out = append(append(append(out, s.AllOf...), s.AnyOf...), s.OneOf...)
	for _, p := range s.DependentSchemas {
		out = append(out, p.Schema)
	}
	return out
}

// unevaluated emits the check of what nothing has looked at.
func (b *body) unevaluated() {
	b.unmarked(b.s.UnevaluatedProperties, "Object", "unevaluatedProperties")
	b.unmarked(b.s.UnevaluatedItems, "Array", "unevaluatedItems")
}

func (b *body) unmarked(r model.Ref, kind, keyword string) {
	if b.none(r) {
		return
	}
	var check jen.Code = jen.Nil()
	if !b.Schema(b.target(r)).Never {
		check = b.checkValue(r)
	}
	block := []jen.Code{jen.Id("m").Op(":=").Id("v").Dot("OpenMarks").Call(n())}
	if mark := b.marker(b.s.ID, true); mark != "" {
		block = append(block, jen.Id(mark).Call(jen.Id("v"), n(), jen.Id("m")))
	}
	block = append(block, jen.If(
		jen.Op("!").Id("v").Dot("CloseMarks").Call(n(), jen.Id("m"), check, jen.Lit(b.s.Location+"/"+keyword)),
	).Block(jen.Return(jen.False())))
	b.add(jen.If(jen.Id("v").Dot("Kind").Call(n()).Op("==").Add(b.kind(kind)).Op("&&").Id("v").Dot("Found").Call().Op("==").Id("found")).Block(block...))
}

func (e *emitter) markFunc(f *jen.File, key markKey) {
	b := &body{emitter: e, s: e.Schema(key.schema)}
	name := e.markers[key]
	var object, array []jen.Code
	outer := b.codes
	b.markObject(key.self)
	object, b.codes = b.codes, outer
	b.markArray(key.self)
	array, b.codes = b.codes, outer
	if len(object)+len(array) > 0 {
		var cases []jen.Code
		if len(object) > 0 {
			cases = append(cases, jen.Case(b.kind("Object")).Block(object...))
		}
		if len(array) > 0 {
			cases = append(cases, jen.Case(b.kind("Array")).Block(array...))
		}
		b.add(jen.Switch(jen.Id("v").Dot("Kind").Call(n())).Block(cases...))
	}
	b.markInPlace()
	f.Add(goview.Remark("%s marks what %s looks at in the value n, which it accepts.", name, b.s.Location))
	f.Func().Id(name).Params(
		jen.Id("v").Op("*").Add(e.RT("Validator")), jen.Id("n").Add(e.RT("Node")), jen.Id("m").Add(e.RT("Marks")),
	).Block(b.codes...)
}

func markAll() jen.Code { return jen.Id("v").Dot("MarkAll").Call(jen.Id("m")) }

func markOne() jen.Code { return jen.Id("v").Dot("Mark").Call(jen.Id("m"), jen.Id("i")) }

func (b *body) markObject(self bool) {
	s := b.s
	if s.AdditionalProperties != 0 || !self && s.UnevaluatedProperties != 0 {
		b.add(markAll())
		return
	}
	if len(s.Properties)+len(s.PatternProperties) == 0 {
		return
	}
	text := jen.Id("v").Dot("Text").Call(jen.Id("k"))
	var loop []jen.Code
	if len(s.Properties) > 0 {
		var labels []jen.Code
		for _, p := range s.Properties {
			labels = append(labels, jen.Lit(p.Name))
		}
		loop = append(loop, jen.Switch(jen.String().Call(text.Clone())).Block(jen.Case(labels...).Block(markOne())))
	}
	for _, p := range s.PatternProperties {
		loop = append(loop, jen.If(jen.Id(b.matcher(p.Pattern, b.Schema(p.Schema))).Call(text.Clone())).Block(markOne()))
	}
	loop = append(loop, jen.Id("i").Op("++"))
	b.add(jen.Id("i").Op(":=").Lit(0), jen.For(
		jen.List(jen.Id("k"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("v").Dot("Next").Call(n())),
		jen.Id("k").Op("<").Id("end"),
		jen.Id("k").Op("=").Id("v").Dot("Next").Call(jen.Id("k").Op("+").Lit(1)),
	).Block(loop...))
}

func (b *body) markArray(self bool) {
	s := b.s
	if s.Items != 0 || !self && s.UnevaluatedItems != 0 {
		b.add(markAll())
		return
	}
	if len(s.PrefixItems) > 0 {
		b.add(jen.Id("v").Dot("MarkFirst").Call(jen.Id("m"), jen.Lit(len(s.PrefixItems))))
	}
	if s.Contains != 0 && s.ContainsMarks {
		if b.accepts(s.Contains) {
			b.add(markAll())
			return
		}
		b.add(jen.Id("i").Op(":=").Lit(0), jen.For(
			jen.List(jen.Id("e"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("v").Dot("Next").Call(n())),
			jen.Id("e").Op("<").Id("end"),
			jen.Id("e").Op("=").Id("v").Dot("Next").Call(jen.Id("e")),
		).Block(
			jen.If(b.probeOf(s.Contains, jen.Id("e"))).Block(markOne()),
			jen.Id("i").Op("++"),
		))
	}
}

func (b *body) markInPlace() {
	s := b.s
	plain := func(r model.Ref) []jen.Code {
		mark := b.marker(r, false)
		if mark == "" {
			return nil
		}
		call := jen.Id(mark).Call(jen.Id("v"), n(), jen.Id("m"))
		if b.marking[r] > 1 && len(inPlace(b.Schema(r))) > 0 { // ways that meet: see shared.go
			call = jen.If(jen.Id("v").Dot("MarkOnce").Call(jen.Id("m"), jen.Lit(int(r)))).Block(call)
		}
		return []jen.Code{call}
	}
	if s.Ref != 0 {
		b.add(plain(s.Ref)...)
	}
	for _, r := range s.AllOf {
		b.add(plain(r)...)
	}
	for _, list := range [][]model.Ref{s.AnyOf, s.OneOf} {
		for _, r := range list {
			code := plain(r)
			switch {
			case len(code) == 0:
			case b.accepts(r):
				b.add(code...)
			default:
				b.add(jen.If(b.probe(r)).Block(code...))
			}
		}
	}
	for _, p := range s.DependentSchemas {
		if code := plain(p.Schema); len(code) > 0 {
			b.add(jen.If(jen.Id("v").Dot("Has").Call(n(), jen.Lit(p.Name))).Block(code...))
		}
	}
	if s.If == 0 {
		return
	}
	then := plain(s.If)
	if s.Then != 0 {
		then = append(then, plain(s.Then)...)
	}
	var otherwise []jen.Code
	if s.Else != 0 {
		otherwise = plain(s.Else)
	}
	switch {
	case len(then)+len(otherwise) == 0:
	case b.accepts(s.If):
		b.add(then...)
	case len(then) == 0:
		b.add(jen.If(jen.Op("!").Add(b.probe(s.If))).Block(otherwise...))
	case len(otherwise) == 0:
		b.add(jen.If(b.probe(s.If)).Block(then...))
	default:
		b.add(jen.If(b.probe(s.If)).Block(then...).Else().Block(otherwise...))
	}
}
