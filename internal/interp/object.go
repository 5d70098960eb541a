package interp

import (
	"slices"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

func (in *Interp) object(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	count := 0
	for k, end := n+1, v.Next(n); k < end; k = v.Next(k + 1) {
		count++
		if !in.member(v, k, s) {
			return false
		}
	}
	var named []string
	for _, name := range s.Required {
		if slices.Contains(named, name) {
			continue
		}
		named = append(named, name)
		if !v.Has(n, name) && !v.Missing(n, name, s.Location) {
			return false
		}
	}
	if s.MinProperties != nil && count < *s.MinProperties && !v.TooFew(n, *s.MinProperties, s.Location) {
		return false
	}
	if s.MaxProperties != nil && count > *s.MaxProperties && !v.TooMany(n, *s.MaxProperties, s.Location) {
		return false
	}
	for _, d := range s.DependentRequired {
		if !v.Has(n, d.Name) {
			continue
		}
		for _, name := range d.Required {
			if !v.Has(n, name) && !v.MissingWith(n, name, d.Name, s.Location) {
				return false
			}
		}
	}
	for _, p := range s.DependentSchemas {
		if v.Has(n, p.Name) && !in.check(v, n, p.Schema) {
			return false
		}
	}
	return true
}

// member checks the member with the name node k.
func (in *Interp) member(v *contract.Validator, k contract.Node, s *model.Schema) bool {
	if s.PropertyNames != 0 && !in.check(v, k, s.PropertyNames) {
		return false
	}
	known := false
	name := string(v.Text(k))
	if i := slices.IndexFunc(s.Properties, func(p model.Property) bool { return p.Name == name }); i >= 0 {
		known = true
		if !in.check(v, k+1, s.Properties[i].Schema) {
			return false
		}
	}
	for _, p := range s.PatternProperties {
		if in.matches(p.Pattern, []byte(name)) {
			known = true
			if !in.check(v, k+1, p.Schema) {
				return false
			}
		}
	}
	switch a := s.AdditionalProperties; {
	case known || a == 0:
		return true
	case in.m.Schema(in.target(a)).Never:
		return v.Unknown(k, s.Location)
	default:
		return in.check(v, k+1, a)
	}
}

// target follows references that stand alone.
func (in *Interp) target(r model.Ref) model.Ref {
	for hops := 0; hops < 64; hops++ {
		s := in.m.Schema(r)
		if s.Ref == 0 || s.Types != 0 || len(s.AllOf) > 0 {
			break
		}
		r = s.Ref
	}
	return r
}
