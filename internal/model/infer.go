package model

import (
	encjson "encoding/json"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
)

// types decides the type of every schema. Roots and named definitions come first,
// so that they keep their names when an inline schema would take the same one.
func (b *builder) types() {
	schemas := b.g.Schemas()
	b.reserve()
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
	b.nameCycles()
	for i := range b.m.Documents {
		d := &b.m.Documents[i]
		if root := b.m.Schema(d.Root); b.opt.Root && !b.g.Documents()[i].Joined || !root.unconstrained() || !b.holdsDefinitions(i) {
			d.Type = b.rootType(root)
		}
	}
	b.markRecursion()
	b.dropEndless()
	for i := range b.m.Documents {
		b.markUsed(b.m.Documents[i].Type)
	}
	for _, s := range schemas {
		if isDefinition(s.Pointer) {
			b.markUsed(b.m.Schema(b.canonical(s)).Use.Type)
		}
	}
	b.noteUntyped()
}

// noteUntyped says which members, elements and documents are kept as JSON text
// although their schema asks something of them. They are checked all the same.
func (b *builder) noteUntyped() {
	said := map[Ref]bool{}
	note := func(u Use, r Ref) {
		if r == 0 || said[r] || b.m.Type(u.Type).Kind != Any {
			return
		}
		said[r] = true
		if s := b.m.Schema(r); !s.unconstrained() {
			b.diags.Add(diag.Diagnostic{
				Severity: diag.Note, Code: "model.untyped", Pos: s.Pos, Pointer: s.Location[strings.IndexByte(s.Location, '#')+1:],
				Message: "no type says what this schema accepts; it is kept as JSON text and checked in full",
				Hint:    "a type keyword, or a constant that tells alternatives apart, gives it a type",
			})
		}
	}
	for i := range b.m.Types {
		t := &b.m.Types[i]
		if !t.Used {
			continue
		}
		for j := range t.Fields {
			note(t.Fields[j].Use, t.Fields[j].Schema)
		}
		if t.Elem.Type != 0 {
			note(t.Elem, t.ElemSchema)
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
	for i := range t.Options {
		b.markUsed(t.Options[i].Use.Type)
	}
}

// rootType returns the type that stands for a whole document: the one declared for
// its root, or a wrapper around whatever the root accepts.
func (b *builder) rootType(root *Schema) Ref {
	if t := b.m.Type(root.Use.Type); t.Schema == root.ID && t.Kind == Struct && !root.Use.Nullable {
		return t.ID
	}
	if t := b.m.Type(root.Use.Type); t.Schema == root.ID && (t.Kind == Union || t.Kind == Tuple) && !root.Use.Nullable {
		return t.ID
	}
	if t := b.m.Type(root.Use.Type); b.opt.Root && t.Schema == root.ID && t.Name != "" {
		// The document has the first right to the name, and what it holds the second.
		delete(b.names, t.Name)
		t.Name = b.name(root, Enum)
		b.names[t.Name] = t.ID
	}
	if w := b.rewraps[root.Use.Type]; w != 0 && b.m.Type(w).Schema == root.ID && !root.Use.Nullable {
		return w
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

// infer chooses a type that holds every value that s accepts. A value satisfies all
// that applies to it in place, so the type of any one part would do; the most
// telling one is taken.
func (b *builder) infer(s *Schema) Use {
	if s.Never {
		return b.any()
	}
	kinds := s.Accepts &^ KindNull
	nullable := s.Accepts&KindNull != 0
	if values, only := b.strings(s.ID); only {
		return Use{b.declareEnum(s, values), nullable}
	}
	if s.narrows() && s.Ref != 0 && len(s.AllOf) == 0 {
		if u := b.use(s.Ref); b.m.Type(u.Type).Kind != Any {
			return Use{u.Type, u.Nullable && nullable}
		}
	}
	if kinds == KindObject && b.hasProperties(s) && (b.partsOf(s) > 1 || len(s.Properties) > 0) {
		return Use{b.object(s), nullable}
	}
	if s.narrows() { // a reference, or one of allOf, says it all
		for _, r := range append([]Ref{s.Ref}, s.AllOf...) {
			if r == 0 {
				continue
			}
			if u := b.use(r); b.m.Type(u.Type).Kind != Any {
				return Use{u.Type, u.Nullable && nullable}
			}
		}
	}
	if u, found := b.union(s, kinds, nullable); found {
		return u
	}
	var t Ref
	switch kinds {
	case KindString:
		t = b.basic(Text)
	case KindNumber:
		t = b.basic(Number)
		if b.integral(s) {
			t = b.basic(Integer)
		}
	case KindBool:
		t = b.basic(Boolean)
	case KindArray:
		t = b.list(s)
	case KindObject:
		t = b.object(s)
	default:
		if s.Types != 0 && kinds != 0 && len(s.AnyOf)+len(s.OneOf) == 0 {
			return Use{b.unionOfKinds(s, kinds), nullable}
		}
		return b.any()
	}
	return Use{t, nullable}
}

// narrows reports whether s says nothing about the inside of its values, beside
// what its references and allOf say.
func (s *Schema) narrows() bool {
	return len(s.Properties)+len(s.PatternProperties)+len(s.PrefixItems)+len(s.AnyOf)+len(s.OneOf) == 0 &&
		s.Items == 0 && s.AdditionalProperties == 0
}

// integral reports whether every number that s accepts is an integer.
func (b *builder) integral(s *Schema) bool {
	found := false
	b.parts(s, func(p *Schema) { found = found || p.integral() })
	return found
}

// integral is the builder's, by the words of s alone.
func (s *Schema) integral() bool {
	if s.Types&KindInteger != 0 && s.Types&KindNumber == 0 {
		return true
	}
	values := s.Enum
	if s.Const != nil {
		values = []Literal{*s.Const}
	}
	for _, l := range values {
		if kindOfJSON(l.JSON) == KindNumber && !isIntegral(l.JSON) {
			return false
		}
	}
	return len(values) > 0
}

// shapes reports whether s says anything about the type of its values by itself.
func (s *Schema) shapes() bool {
	return s.Types != 0 || s.Const != nil || s.IsEnum || len(s.Properties) > 0 || s.Items != 0 || len(s.PrefixItems) > 0 ||
		s.AdditionalProperties != 0 && !s.Never || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0
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

// stringValues returns the strings of const or enum when all values but null are
// strings, and whether null is one of them.
func stringValues(s *Schema) (values []Literal, null bool) {
	all := s.Enum
	if s.Const != nil {
		all = []Literal{*s.Const}
	}
	seen := map[string]bool{}
	for _, l := range all {
		switch {
		case l.JSON == "null":
			null = true
		case l.JSON[0] == '"':
			if !seen[l.JSON] {
				seen[l.JSON] = true
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
			if k := b.m.Type(f.Use.Type).Kind; k != Struct && k != Tuple {
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
		if k := b.m.Types[r].Kind; (k == Struct || k == Tuple) && state[r] == fresh {
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
