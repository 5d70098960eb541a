package model

import (
	"slices"
	"strconv"
)

// list decides the type of an array.
func (b *builder) list(s *Schema) Ref {
	id := s.ID
	if len(s.PrefixItems) > 0 {
		r := b.declare(s, Type{Kind: Tuple})
		b.later(func() { b.positions(r) })
		return r
	}
	r := b.add(Type{Kind: List, Schema: id, Document: s.Document})
	b.later(func() {
		s, elem := b.m.Schema(id), b.any()
		if s.Items != 0 {
			elem = b.use(s.Items)
			b.m.Types[r].ElemSchema = s.Items
		}
		b.m.Types[r].Elem = elem
	})
	return r
}

// positions fills in the elements of the tuple r.
func (b *builder) positions(r Ref) {
	s := b.m.Schema(b.m.Types[r].Schema)
	least := 0
	if s.MinItems != nil {
		least = *s.MinItems
	}
	var fields []Field
	for i, p := range s.PrefixItems {
		v := b.m.Schema(p)
		if v.Never {
			break // the array ends before this element
		}
		fields = append(fields, Field{
			Name: "item" + strconv.Itoa(i), GoName: v.GoName, Schema: p, Pos: v.Pos, Required: i < least,
			Use: b.use(p), Doc: v.doc(), Deprecated: v.Deprecated, Normalize: b.m.NormalizeOf(p),
		})
	}
	rest := b.any()
	b.m.Types[r].Extra = &rest
	if s.Items != 0 {
		if b.m.Schema(s.Items).Never {
			b.m.Types[r].Extra = nil
		} else {
			rest = b.use(s.Items)
			b.m.Types[r].ElemSchema = s.Items
		}
	}
	if len(fields) < len(s.PrefixItems) {
		b.m.Types[r].Extra = nil
	}
	b.m.Types[r].Fields = fields
}

// object decides the type of an object: a struct when members are named, else a map.
func (b *builder) object(s *Schema) Ref {
	if b.hasProperties(s) {
		r := b.declare(s, Type{Kind: Struct})
		b.later(func() { b.members(r) })
		return r
	}
	id := s.ID
	r := b.add(Type{Kind: Map, Schema: id, Document: s.Document})
	b.later(func() {
		elem, schema := b.others(b.m.Schema(id))
		if elem == nil { // nothing is allowed: an empty object
			any := b.any()
			elem = &any
		}
		b.m.Types[r].Elem, b.m.Types[r].ElemSchema = *elem, schema
	})
	return r
}

// parts calls fn for s and what applies to the same value beside it, always; once
// for each, however many ways lead there.
func (b *builder) parts(s *Schema, fn func(*Schema)) { b.m.parts(s, fn) }

func (m *Model) parts(s *Schema, fn func(*Schema)) {
	seen := map[Ref]bool{s.ID: true}
	var visit func(s *Schema)
	visit = func(s *Schema) {
		fn(s)
		for _, r := range append([]Ref{s.Ref}, s.AllOf...) {
			if r != 0 && !seen[r] {
				seen[r] = true
				visit(m.Schema(r))
			}
		}
	}
	visit(s)
}

// MemberSchemas returns the schemas that a value of the struct t has to obey in each
// of its named members: several for a name that several parts of t's schema name.
func (m *Model) MemberSchemas(t *Type) map[string][]Ref {
	out := map[string][]Ref{}
	m.parts(m.Schema(t.Schema), func(p *Schema) {
		for _, q := range p.Properties {
			out[q.Name] = append(out[q.Name], q.Schema)
		}
	})
	return out
}

func (b *builder) hasProperties(s *Schema) bool {
	found := false
	b.parts(s, func(p *Schema) { found = found || len(p.Properties) > 0 })
	return found
}

// partsOf counts the parts that name members.
func (b *builder) partsOf(s *Schema) int {
	n := 0
	b.parts(s, func(p *Schema) {
		if len(p.Properties) > 0 {
			n++
		}
	})
	return n
}

// members fills in the fields of the struct r, from all its parts.
func (b *builder) members(r Ref) {
	s := b.m.Schema(b.m.Types[r].Schema)
	var required []string
	merged, closed := 0, false
	b.parts(s, func(p *Schema) {
		required = append(required, p.Required...)
		if len(p.Properties) > 0 || p.AdditionalProperties != 0 || len(p.PatternProperties) > 0 {
			merged++
		}
		if p.AdditionalProperties != 0 && b.m.Schema(p.AdditionalProperties).Never && len(p.PatternProperties) == 0 {
			closed = true
		}
	})
	var fields []Field
	b.parts(s, func(p *Schema) {
		for _, q := range p.Properties {
			f, stored := b.field(q, slices.Contains(required, q.Name))
			if !stored {
				continue
			}
			at := slices.IndexFunc(fields, func(o Field) bool { return o.Name == q.Name })
			if at < 0 {
				fields = append(fields, f)
				continue
			}
			// Both parts hold for the member: the more telling type is right, too.
			if o := &fields[at]; b.m.Type(o.Use.Type).Kind == Any && o.Const == nil {
				f.Doc = first(o.Doc, f.Doc)
				fields[at] = f
			} else {
				o.Use.Nullable = o.Use.Nullable && f.Use.Nullable
				if o.Const == nil {
					o.Const = f.Const
				}
				if o.Default == nil {
					o.Default = f.Default
				}
			}
		}
	})
	extra := b.any()
	b.m.Types[r].Extra = &extra
	switch {
	case closed:
		b.m.Types[r].Extra = nil
	case merged == 1:
		b.parts(s, func(p *Schema) {
			if p.AdditionalProperties != 0 || len(p.PatternProperties) > 0 {
				b.m.Types[r].Extra, b.m.Types[r].ElemSchema = b.others(p)
			}
		})
	}
	b.m.Types[r].Fields = fields
}

// others returns the type of the members that s admits without naming them: nil
// for none, and any JSON when there are several.
func (b *builder) others(s *Schema) (*Use, Ref) {
	var found []Ref
	for _, p := range s.PatternProperties {
		if !b.m.Schema(p.Schema).Never {
			found = append(found, p.Schema)
		}
	}
	any := b.any()
	switch a := s.AdditionalProperties; {
	case a == 0:
		return &any, 0
	case !b.m.Schema(a).Never:
		found = append(found, a)
	}
	if len(found) == 0 {
		return nil, 0
	}
	u := b.use(found[0])
	for _, r := range found[1:] {
		if b.use(r) != u {
			return &any, 0
		}
	}
	if len(found) > 1 { // one type, but each name has its own schema
		return &u, 0
	}
	return &u, found[0]
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// field is the struct field of a property; false when no value is allowed.
func (b *builder) field(p Property, required bool) (Field, bool) {
	v := b.m.Schema(p.Schema)
	if v.Never {
		return Field{}, false
	}
	f := Field{
		Name: p.Name, GoName: v.GoName, Schema: p.Schema, Pos: p.Pos, Deprecated: v.Deprecated, Doc: v.doc(),
		Required: required, Use: b.use(p.Schema), Normalize: b.m.NormalizeOf(p.Schema),
	}
	b.chain(p.Schema, func(c *Schema) bool { // what a $ref leads to counts unless said here
		if f.Default == nil && !required {
			f.Default = c.Default
		}
		if f.Const == nil && required && c.Const != nil && isScalar(c.Const.JSON) {
			f.Const = c.Const
		}
		return true
	})
	return f, true
}

// chain calls fn for r and what its references lead to, until fn returns false.
func (b *builder) chain(r Ref, fn func(*Schema) bool) {
	for r != 0 && fn(b.m.Schema(r)) {
		r = b.m.Schema(r).Ref
	}
}
