package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// probe is the condition that n passes schema r.
func (b *body) probe(r model.Ref) *jen.Statement { return b.probeOf(r, n()) }

// probeOf is the condition that node passes schema r. The verdict of a schema that
// probes in its turn is remembered: otherwise nested unions would be tried anew at
// every level, twice as often each time.
func (b *body) probeOf(r model.Ref, node *jen.Statement) *jen.Statement {
	r = b.target(r)
	if b.probing(r) {
		return jen.Id("v").Dot("ProbesOnce").Call(jen.Lit(int(r)), jen.Id(b.check(r)), node)
	}
	return jen.Id("v").Dot("Probes").Call(jen.Id(b.check(r)), node)
}

// probing reports whether the check of r tries alternatives, at any depth, or
// comes back to itself.
func (e *emitter) probing(r model.Ref) bool {
	if known, done := e.probes[r]; done {
		return known
	}
	e.probes[r] = true // what is met again on the way comes back to itself
	s := e.Schema(r)
	found := s.Not != 0 || s.If != 0 || s.Contains != 0 || s.UnevaluatedProperties != 0 || s.UnevaluatedItems != 0 ||
		(len(s.AnyOf) > 1 || len(s.OneOf) > 1) && !(s.ByKind || s.Variants != nil)
	for _, o := range e.below(s) {
		if found {
			break
		}
		found = e.probing(o)
	}
	e.probes[r] = found
	return found
}

// below are all the schemas that s applies, to the value or to its parts.
func (e *emitter) below(s *model.Schema) []model.Ref {
	out := inPlace(s)
	for _, r := range []model.Ref{s.Items, s.Contains, s.AdditionalProperties, s.PropertyNames, s.Not, s.UnevaluatedProperties, s.UnevaluatedItems} {
		if r != 0 {
			out = append(out, r)
		}
	}
	out = append(out, s.PrefixItems...)
	for _, p := range s.Properties {
		out = append(out, p.Schema)
	}
	for _, p := range s.PatternProperties {
		out = append(out, p.Schema)
	}
	return out
}
