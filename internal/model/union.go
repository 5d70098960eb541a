package model

import "slices"

// unions finds, for every oneOf and anyOf, what tells its alternatives apart, so
// that targets can go straight to the one that matters.
func (b *builder) unions() {
	for i := 1; i < len(b.m.Schemas); i++ {
		b.accepts(Ref(i))
	}
	for i := 1; i < len(b.m.Schemas); i++ {
		s := &b.m.Schemas[i]
		union := s.union()
		if len(union) < 2 {
			continue
		}
		s.ByKind = b.disjointKinds(union)
		if !s.ByKind {
			s.Variants = b.variants(union)
		}
		b.nameVariants(s)
	}
}

// union returns the alternatives of the only oneOf or anyOf of s.
func (s *Schema) union() []Ref {
	switch {
	case len(s.OneOf) > 0 && len(s.AnyOf) > 0:
		return nil
	case len(s.OneOf) > 0:
		return s.OneOf
	}
	return s.AnyOf
}

// accepts computes Schema.Accepts. In-place references have no loops: the graph
// has seen to that.
func (b *builder) accepts(r Ref) Kinds {
	s := b.m.Schema(r)
	if s.Accepts != 0 || s.Never {
		return s.Accepts
	}
	k := AllKinds
	if s.Types != 0 {
		k = s.Types &^ KindInteger
		if s.Types&KindInteger != 0 {
			k |= KindNumber
		}
	}
	if s.Const != nil {
		k &= kindOfJSON(s.Const.JSON)
	}
	if s.IsEnum {
		var e Kinds
		for _, l := range s.Enum {
			e |= kindOfJSON(l.JSON)
		}
		k &= e
	}
	if s.Ref != 0 {
		k &= b.accepts(s.Ref)
	}
	for _, o := range s.AllOf {
		k &= b.accepts(o)
	}
	for _, list := range [][]Ref{s.AnyOf, s.OneOf} {
		var any Kinds
		for _, o := range list {
			any |= b.accepts(o)
		}
		if len(list) > 0 {
			k &= any
		}
	}
	s.Accepts = k
	return k
}

func kindOfJSON(text string) Kinds {
	switch text[0] {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	}
	return KindNumber
}

func (b *builder) disjointKinds(union []Ref) bool {
	var seen Kinds
	for _, r := range union {
		k := b.m.Schema(r).Accepts
		if seen&k != 0 {
			return false
		}
		seen |= k
	}
	return true
}

// variants looks for a member that every alternative requires with strings of its own.
func (b *builder) variants(union []Ref) *Variants {
	var names []string
	for _, r := range union {
		if b.m.Schema(r).Accepts != KindObject {
			return nil
		}
	}
	b.eachProperty(union[0], func(p Property) { names = append(names, p.Name) })
	for _, name := range names {
		if v := b.variantsBy(union, name); v != nil {
			return v
		}
	}
	return nil
}

func (b *builder) variantsBy(union []Ref, name string) *Variants {
	v := &Variants{Member: name}
	var all []string
	for _, r := range union {
		if !b.requires(r, name) {
			return nil
		}
		var values []string
		b.eachProperty(r, func(p Property) {
			if p.Name == name && values == nil {
				values = b.onlyStrings(p.Schema)
			}
		})
		if len(values) == 0 {
			return nil
		}
		for _, s := range values {
			if s == "" || slices.Contains(all, s) {
				return nil
			}
			all = append(all, s)
		}
		v.Cases = append(v.Cases, Variant{values, r})
	}
	return v
}

// eachProperty calls fn for the properties that every valid value of r obeys.
func (b *builder) eachProperty(r Ref, fn func(Property)) {
	b.parts(b.m.Schema(r), func(s *Schema) {
		for _, p := range s.Properties {
			fn(p)
		}
	})
}

func (b *builder) requires(r Ref, name string) bool {
	found := false
	b.parts(b.m.Schema(r), func(s *Schema) { found = found || slices.Contains(s.Required, name) })
	return found
}

// onlyStrings returns the strings that r allows when it allows nothing else.
func (b *builder) onlyStrings(r Ref) []string {
	s := b.m.Schema(r)
	literals, null := stringValues(s)
	if len(literals) == 0 && s.Ref != 0 {
		return b.onlyStrings(s.Ref)
	}
	if null && s.Accepts&KindNull != 0 {
		return nil
	}
	values := make([]string, len(literals))
	for i, l := range literals {
		values[i] = unquote(l.JSON)
	}
	return values
}
