package interp

import (
	"slices"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// unevaluated checks what nothing has looked at, when nothing else was wrong.
func (in *Interp) unevaluated(v *contract.Validator, n contract.Node, s *model.Schema, found int) bool {
	r, keyword := s.UnevaluatedProperties, "/unevaluatedProperties"
	if v.Kind(n) == contract.Array {
		r, keyword = s.UnevaluatedItems, "/unevaluatedItems"
	}
	if r == 0 || v.Kind(n) != contract.Object && v.Kind(n) != contract.Array || v.Found() != found {
		return true
	}
	m := v.OpenMarks(n)
	in.mark(v, n, m, s, true)
	check := func(v *contract.Validator, n contract.Node) bool { return in.check(v, n, r) }
	if in.m.Schema(in.target(r)).Never {
		check = nil
	}
	return v.CloseMarks(n, m, check, s.Location+keyword)
}

// mark adds to m what s looks at in n, which it accepts; self leaves out the
// unevaluated keywords of s.
func (in *Interp) mark(v *contract.Validator, n contract.Node, m contract.Marks, s *model.Schema, self bool) {
	switch v.Kind(n) {
	case contract.Object:
		in.markObject(v, n, m, s, self)
	case contract.Array:
		in.markArray(v, n, m, s, self)
	}
	apply := func(r model.Ref) {
		if r != 0 && v.MarkOnce(m, int(r)) {
			in.mark(v, n, m, in.m.Schema(r), false)
		}
	}
	apply(s.Ref)
	for _, r := range s.AllOf {
		apply(r)
	}
	for _, r := range append(slices.Clone(s.AnyOf), s.OneOf...) {
		if in.probe(v, n, r) {
			apply(r)
		}
	}
	for _, p := range s.DependentSchemas {
		if v.Kind(n) == contract.Object && v.Has(n, p.Name) {
			apply(p.Schema)
		}
	}
	switch {
	case s.If == 0:
	case in.probe(v, n, s.If):
		apply(s.If)
		apply(s.Then)
	default:
		apply(s.Else)
	}
}

func (in *Interp) markObject(v *contract.Validator, n contract.Node, m contract.Marks, s *model.Schema, self bool) {
	if s.AdditionalProperties != 0 || !self && s.UnevaluatedProperties != 0 {
		v.MarkAll(m)
		return
	}
	i := 0
	for k, end := n+1, v.Next(n); k < end; k = v.Next(k + 1) {
		name := string(v.Text(k))
		known := slices.ContainsFunc(s.Properties, func(p model.Property) bool { return p.Name == name }) ||
			slices.ContainsFunc(s.PatternProperties, func(p model.PatternProperty) bool { return in.matches(p.Pattern, []byte(name)) })
		if known {
			v.Mark(m, i)
		}
		i++
	}
}

func (in *Interp) markArray(v *contract.Validator, n contract.Node, m contract.Marks, s *model.Schema, self bool) {
	if s.Items != 0 || !self && s.UnevaluatedItems != 0 {
		v.MarkAll(m)
		return
	}
	v.MarkFirst(m, len(s.PrefixItems))
	if s.Contains == 0 || !s.ContainsMarks {
		return
	}
	i := 0
	for e, end := n+1, v.Next(n); e < end; e = v.Next(e) {
		if in.probe(v, e, s.Contains) {
			v.Mark(m, i)
		}
		i++
	}
}
