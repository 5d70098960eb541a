package interp

import (
	"slices"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

func (in *Interp) combinators(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	for _, r := range s.AllOf {
		if !in.check(v, n, r) {
			return false
		}
	}
	single := len(s.AnyOf) == 0 || len(s.OneOf) == 0
	if len(s.AnyOf) > 0 && !in.union(v, n, s, s.AnyOf, "anyOf", single) {
		return false
	}
	if len(s.OneOf) > 0 && !in.union(v, n, s, s.OneOf, "oneOf", single) {
		return false
	}
	if s.Not != 0 && in.probe(v, n, s.Not) && !v.Forbidden(n, s.Location+"/not") {
		return false
	}
	if s.If == 0 {
		return true
	}
	branch := s.Else
	if in.probe(v, n, s.If) {
		branch = s.Then
	}
	return branch == 0 || in.check(v, n, branch)
}

func (in *Interp) union(v *contract.Validator, n contract.Node, s *model.Schema, list []model.Ref, keyword string, single bool) bool {
	switch {
	case len(list) == 1:
		return in.check(v, n, list[0])
	case single && s.ByKind:
		var all model.Kinds
		for _, r := range list {
			accepts := in.m.Schema(r).Accepts
			all |= accepts
			if kinds(accepts).Has(v.Kind(n)) {
				return in.check(v, n, r)
			}
		}
		return v.WrongType(n, kinds(all), s.Location)
	case single && s.Variants != nil:
		name := string(v.VariantName(n, s.Variants.Member))
		for _, c := range s.Variants.Cases {
			if slices.Contains(c.Values, name) {
				return in.check(v, n, c.Schema)
			}
		}
		return v.NoSuchVariant(n, s.Variants.Member, keyword, s.Location)
	}
	fits := 0
	for _, r := range list {
		if in.probe(v, n, r) {
			fits++
			if keyword == "anyOf" {
				return true
			}
		}
	}
	switch {
	case fits == 0:
		return v.NoAlternative(n, keyword, s.Location)
	case fits > 1:
		return v.TwoAlternatives(n, s.Location)
	}
	return true
}
