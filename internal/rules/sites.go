package rules

import "github.com/contractkit/contractkit/internal/model"

// Leads tells, by schema, whether a rule can apply to a value of the schema or to
// a part of it. scopes says which rules count.
func Leads(m *model.Model, scopes ...Scope) []bool {
	leads := make([]bool, len(m.Schemas))
	for i := range m.Invariants {
		for _, s := range scopes {
			if m.Invariants[i].Scope == string(s) {
				leads[m.Invariants[i].Schema] = true
			}
		}
	}
	return spread(m, leads)
}

// spread marks what the marked schemas are part of.
func spread(m *model.Model, leads []bool) []bool {
	for changed := true; changed; {
		changed = false
		for r := 1; r < len(m.Schemas); r++ {
			if leads[r] {
				continue
			}
			for _, next := range Below(m.Schema(model.Ref(r))) {
				if leads[next] {
					leads[r], changed = true, true
					break
				}
			}
		}
	}
	return leads
}

// Below lists the schemas that s applies to the same value or to parts of it.
// Schemas of not, of property names and of conditions assert nothing about valid
// documents, so rules in them bind nothing.
func Below(s *model.Schema) []model.Ref {
	var out []model.Ref
	add := func(list ...model.Ref) {
		for _, r := range list {
			if r != 0 {
				out = append(out, r)
			}
		}
	}
	add(s.Ref, s.Then, s.Else, s.Items, s.AdditionalProperties, s.UnevaluatedProperties, s.UnevaluatedItems, s.Contains)
	add(s.AllOf...)
	add(s.AnyOf...)
	add(s.OneOf...)
	add(s.PrefixItems...)
	for _, p := range s.Properties {
		add(p.Schema)
	}
	for _, p := range s.PatternProperties {
		add(p.Schema)
	}
	for _, p := range s.DependentSchemas {
		add(p.Schema)
	}
	return out
}
