package model

import (
	encjson "encoding/json"
	"slices"
)

// types decides the type of every schema. Roots and named definitions come first,
// so that they keep their names when an inline schema would take the same one.
func (b *builder) types() {
	schemas := b.g.Schemas()
	for i := range b.m.Documents {
		b.use(b.m.Documents[i].Root)
	}
	for _, s := range schemas {
		if isDefinition(s.Pointer) {
			b.use(b.canonical(s))
		}
	}
	b.drain()
	for i := 1; i < len(b.m.Schemas); i++ {
		b.use(Ref(i))
	}
	b.drain()
	for i := range b.m.Documents {
		d := &b.m.Documents[i]
		if root := b.m.Schema(d.Root); b.opt.Root && !b.g.Documents()[i].Joined || !root.unconstrained() || !b.holdsDefinitions(i) {
			d.Type = b.rootType(root)
		}
	}
	b.markRecursion()
	for i := range b.m.Documents {
		b.markUsed(b.m.Documents[i].Type)
	}
	for _, s := range schemas {
		if isDefinition(s.Pointer) {
			b.markUsed(b.m.Schema(b.canonical(s)).Use.Type)
		}
	}
}

// markUsed marks the types that a value of type r holds.
func (b *builder) markUsed(r Ref) {
	t := b.m.Type(r)
	if r == 0 || t.Used {
		return
	}
	t.Used = true
	for i := range t.Fields {
		if t.Fields[i].Const == nil {
			b.markUsed(t.Fields[i].Use.Type)
		}
	}
	if t.Extra != nil {
		b.markUsed(t.Extra.Type)
	}
	b.markUsed(t.Elem.Type)
}

// rootType returns the type that stands for a whole document: the one declared for
// its root, or a wrapper around whatever the root accepts.
func (b *builder) rootType(root *Schema) Ref {
	if t := b.m.Type(root.Use.Type); t.Schema == root.ID && t.Kind == Struct && !root.Use.Nullable {
		return t.ID
	}
	return b.declare(root, Type{Kind: Wrapper, Elem: root.Use, ElemSchema: root.ID})
}

// use returns the type of the values that schema r accepts, and remembers it.
func (b *builder) use(r Ref) Use {
	s := b.m.Schema(r)
	if s.Use.Type == 0 {
		s.Use = b.infer(s)
	}
	return s.Use
}

func (b *builder) infer(s *Schema) Use {
	switch {
	case s.Never:
		return b.any()
	case s.Ref != 0 && !s.shapes():
		return b.use(s.Ref)
	case len(s.AllOf) == 1 && s.Ref == 0 && !s.shapesBut(s.AllOf):
		return b.use(s.AllOf[0])
	}
	if other := b.nullBranch(s); other != 0 {
		u := b.use(other)
		return Use{u.Type, true}
	}
	nullable := s.Types&KindNull != 0
	rest := s.Types &^ KindNull
	values, nullValue := stringValues(s)
	if len(values) > 0 && (s.Types == 0 || rest == KindString) {
		if s.Types != 0 {
			nullValue = nullValue && nullable
		}
		return Use{b.declare(s, Type{Kind: Enum, Values: values}), nullValue}
	}
	if s.IsEnum || s.Const != nil {
		if s.Types == 0 {
			return b.any()
		}
	}
	var t Ref
	switch rest {
	case KindString:
		t = b.basic(Text)
	case KindInteger:
		t = b.basic(Integer)
	case KindNumber | KindInteger:
		t = b.basic(Number)
	case KindBool:
		t = b.basic(Boolean)
	case KindArray:
		t = b.list(s)
	case KindObject:
		t = b.object(s)
	default:
		return b.any()
	}
	return Use{t, nullable}
}

// shapes reports whether s says anything about the type of its values by itself.
func (s *Schema) shapes() bool {
	return s.Types != 0 || s.Const != nil || s.IsEnum || len(s.Properties) > 0 || s.Items != 0 || len(s.PrefixItems) > 0 ||
		s.AdditionalProperties != 0 && !s.Never || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0
}

// shapesBut is shapes without the given allOf.
func (s *Schema) shapesBut(allOf []Ref) bool {
	c := *s
	c.AllOf = nil
	return len(allOf) > 0 && c.shapes()
}

// holdsDefinitions reports whether the i-th document has definitions.
func (b *builder) holdsDefinitions(i int) bool {
	root := b.g.Documents()[i].Root.Value
	return root.Get("$defs") != nil || root.Get("definitions") != nil
}

// unconstrained reports whether s has no assertion at all, as a file has that
// only holds definitions.
func (s *Schema) unconstrained() bool {
	return !s.Never && s.Ref == 0 && !s.shapes() && s.Not == 0 && s.If == 0 && len(s.Required) == 0 && s.Pattern == "" &&
		len(s.PatternProperties) == 0 && s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil &&
		s.MultipleOf == nil && s.MinLength == nil && s.MaxLength == nil && s.MinItems == nil && s.MaxItems == nil && !s.UniqueItems && s.Contains == 0 &&
		s.PropertyNames == 0 && s.MinProperties == nil && s.MaxProperties == nil && len(s.DependentRequired) == 0 && len(s.DependentSchemas) == 0 &&
		s.UnevaluatedProperties == 0 && s.UnevaluatedItems == 0 && s.Format == ""
}

// nullBranch finds the other branch of a union of two of which one is null.
func (b *builder) nullBranch(s *Schema) Ref {
	union := s.AnyOf
	if len(union) == 0 {
		union = s.OneOf
	}
	if len(union) != 2 || s.Types != 0 || s.Ref != 0 || s.Const != nil || s.IsEnum || len(s.Properties) > 0 || len(s.AnyOf) > 0 && len(s.OneOf) > 0 || len(s.AllOf) > 0 {
		return 0
	}
	isNull := func(r Ref) bool {
		o := b.m.Schema(r)
		return o.Types == KindNull && o.Ref == 0
	}
	switch {
	case isNull(union[0]):
		return union[1]
	case isNull(union[1]):
		return union[0]
	}
	return 0
}

// stringValues returns the strings of const or enum when all values but null are
// strings, and whether null is one of them.
func stringValues(s *Schema) (values []Literal, null bool) {
	all := s.Enum
	if s.Const != nil {
		all = []Literal{*s.Const}
	}
	for _, l := range all {
		switch {
		case l.JSON == "null":
			null = true
		case l.JSON[0] == '"':
			if !slices.ContainsFunc(values, func(o Literal) bool { return o.JSON == l.JSON }) {
				values = append(values, l)
			}
		default:
			return nil, false
		}
	}
	return values, null
}

// basic returns the one type of that kind.
func (b *builder) basic(kind TypeKind) Ref {
	for i := 1; i < len(b.m.Types) && i < 8; i++ {
		if b.m.Types[i].Kind == kind && b.m.Types[i].Schema == 0 {
			return Ref(i)
		}
	}
	return b.add(Type{Kind: kind})
}

func (b *builder) any() Use { return Use{Type: b.basic(Any)} }

func (b *builder) add(t Type) Ref {
	t.ID = Ref(len(b.m.Types))
	b.m.Types = append(b.m.Types, t)
	return t.ID
}

// declare adds a named type for s.
func (b *builder) declare(s *Schema, t Type) Ref {
	t.Schema, t.Document, t.Pos = s.ID, s.Document, s.Pos
	t.Doc, t.Deprecated = s.doc(), s.Deprecated
	t.Name = b.name(s, t.Kind)
	r := b.add(t)
	b.names[t.Name] = r
	return r
}

// doc is what the schema says of itself.
func (s *Schema) doc() string {
	if s.Description != "" {
		return s.Description
	}
	return s.Title
}

func (b *builder) list(s *Schema) Ref {
	r := b.add(Type{Kind: List, Schema: s.ID, Document: s.Document})
	id := s.ID
	b.later(func() {
		s, elem := b.m.Schema(id), b.any()
		if s.Items != 0 && len(s.PrefixItems) == 0 {
			elem = b.use(s.Items)
			b.m.Types[r].ElemSchema = s.Items
		}
		b.m.Types[r].Elem = elem
	})
	return r
}

func (b *builder) object(s *Schema) Ref {
	id := s.ID
	if len(s.Properties) == 0 {
		r := b.add(Type{Kind: Map, Schema: s.ID, Document: s.Document})
		b.later(func() {
			s, elem := b.m.Schema(id), b.any()
			if a := s.AdditionalProperties; a != 0 && !b.m.Schema(a).Never && len(s.PatternProperties) == 0 {
				elem = b.use(a)
				b.m.Types[r].ElemSchema = a
			}
			b.m.Types[r].Elem = elem
		})
		return r
	}
	r := b.declare(s, Type{Kind: Struct})
	b.later(func() { b.members(r) })
	return r
}

// members fills in the fields of the struct r.
func (b *builder) members(r Ref) {
	s := b.m.Schema(b.m.Types[r].Schema)
	var fields []Field
	for _, p := range s.Properties {
		if f, stored := b.field(s, p); stored {
			fields = append(fields, f)
		}
	}
	extra := b.any()
	b.m.Types[r].Extra = &extra
	if a := s.AdditionalProperties; a != 0 && len(s.PatternProperties) == 0 {
		if b.m.Schema(a).Never {
			b.m.Types[r].Extra = nil
		} else {
			extra = b.use(a)
		}
	}
	b.m.Types[r].Fields = fields
}

// later defers the inside of a type until its name and the names of its siblings
// are given; types may then refer to each other in any order.
func (b *builder) later(fill func()) { b.queue = append(b.queue, fill) }

func (b *builder) drain() {
	for len(b.queue) > 0 {
		fill := b.queue[0]
		b.queue = b.queue[1:]
		fill()
	}
}

func (b *builder) field(s *Schema, p Property) (Field, bool) {
	v := b.m.Schema(p.Schema)
	if v.Never {
		return Field{}, false
	}
	f := Field{Name: p.Name, GoName: v.GoName, Schema: p.Schema, Pos: p.Pos, Deprecated: v.Deprecated, Doc: v.doc()}
	f.Required = slices.Contains(s.Required, p.Name)
	f.Use = b.use(p.Schema)
	for c, hops := v, 0; hops < 16; hops++ { // what a $ref leads to counts unless said here
		if f.Default == nil && !f.Required {
			f.Default = c.Default
		}
		if f.Normalize == nil {
			f.Normalize = c.Normalize
		}
		if f.Const == nil && f.Required && c.Const != nil && isScalar(c.Const.JSON) && !f.Use.Nullable {
			f.Const = c.Const
		}
		if c.Ref == 0 {
			break
		}
		c = b.m.Schema(c.Ref)
	}
	return f, true
}

func isScalar(text string) bool { return text[0] != '{' && text[0] != '[' }

// markRecursion finds the fields through which a struct would contain itself.
func (b *builder) markRecursion() {
	const (
		fresh = iota
		open
		done
	)
	state := make([]int, len(b.m.Types))
	var visit func(r Ref)
	visit = func(r Ref) {
		state[r] = open
		t := b.m.Type(r)
		for i := range t.Fields {
			f := &t.Fields[i]
			if b.m.Type(f.Use.Type).Kind != Struct {
				continue
			}
			switch state[f.Use.Type] {
			case open:
				f.Recursive = true
			case fresh:
				visit(f.Use.Type)
			}
		}
		state[r] = done
	}
	for r := 1; r < len(b.m.Types); r++ {
		if b.m.Types[r].Kind == Struct && state[r] == fresh {
			visit(Ref(r))
		}
	}
}

func unquote(json string) string {
	var s string
	if err := encjson.Unmarshal([]byte(json), &s); err != nil {
		panic("model: a literal is not JSON: " + json)
	}
	return s
}
