package model

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// strings returns the strings that r allows when, null aside, it allows nothing
// else: by enum, const, or a union of such.
func (b *builder) strings(r Ref) (values []Literal, only bool) {
	known, done := b.texts[r]
	if !done {
		known, _ = b.readStrings(r)
		b.texts[r] = known
	}
	return known, len(known) > 0
}

func (b *builder) readStrings(r Ref) (values []Literal, only bool) {
	s := b.m.Schema(r)
	if s.Accepts&^KindNull != KindString {
		return nil, false
	}
	if list, _ := stringValues(s); len(list) > 0 {
		return list, true
	}
	union := s.OneOf
	if len(union) == 0 {
		union = s.AnyOf
	}
	seen := map[string]bool{}
	for _, o := range union {
		if b.m.Schema(o).Accepts == KindNull {
			continue
		}
		list, only := b.strings(o)
		if !only {
			return nil, false
		}
		for _, l := range list {
			if !seen[l.JSON] {
				seen[l.JSON] = true
				values = append(values, l)
			}
		}
	}
	return values, len(values) > 0
}

// declareEnum declares the enum of s, or takes the one of the schema that s is an
// alias or a nullable form of.
func (b *builder) declareEnum(s *Schema, values []Literal) Ref {
	alone := s.Const == nil && !s.IsEnum
	union := append(append([]Ref{s.Ref}, s.OneOf...), s.AnyOf...)
	union = slices.DeleteFunc(union, func(r Ref) bool { return r == 0 || b.m.Schema(r).Accepts == KindNull })
	if alone && len(union) == 1 {
		return b.use(union[0]).Type
	}
	return b.declare(s, Type{Kind: Enum, Values: values})
}

// union decides the type of a schema that is nothing but alternatives.
func (b *builder) union(s *Schema, kinds Kinds, nullable bool) (Use, bool) {
	list := s.union()
	if len(list) == 0 || s.Ref != 0 || len(s.AllOf) > 0 || len(s.Properties) > 0 || len(s.PrefixItems) > 0 || s.Items != 0 {
		return Use{}, false
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r Ref) bool {
		return b.m.Schema(r).Never || b.m.Schema(r).Accepts&^KindNull == 0
	})
	var options []Option
	for i, r := range list {
		u := b.use(r)
		if b.m.Type(u.Type).Kind == Any {
			return Use{}, false
		}
		o := Option{Use: Use{Type: u.Type}, Schemas: []Ref{r}, Kinds: b.m.Schema(r).Accepts &^ KindNull, name: b.optionName(s, r, i, u)}
		at := slices.IndexFunc(options, func(p Option) bool { return p.Use == o.Use })
		if at >= 0 {
			options[at].Schemas = append(options[at].Schemas, r)
			options[at].Kinds |= o.Kinds
			continue
		}
		options = append(options, o)
	}
	switch {
	case len(options) == 0:
		return Use{}, false
	case len(options) == 1:
		return Use{options[0].Use.Type, nullable}, true
	case bits.OnesCount8(uint8(kinds)) == 1 && kinds&(KindString|KindNumber|KindBool) != 0:
		return Use{}, false // scalars of one kind have one type
	}
	return Use{b.declareUnion(s, options), nullable}, true
}

// unionOfKinds is the type of a schema that lists several types.
func (b *builder) unionOfKinds(s *Schema, kinds Kinds) Ref {
	r := b.declare(s, Type{Kind: Union, By: "kind"})
	number := Number
	if b.integral(s) {
		number = Integer
	}
	var options []Option
	for _, k := range []struct {
		kind Kinds
		name string
		use  func() Ref
	}{
		{KindString, "Text", func() Ref { return b.basic(Text) }},
		{KindNumber, "Number", func() Ref { return b.basic(number) }},
		{KindBool, "Bool", func() Ref { return b.basic(Boolean) }},
		{KindArray, "List", func() Ref { return b.list(b.only(s, "List")) }},
		{KindObject, "Object", func() Ref { return b.object(b.only(s, "Object")) }},
	} {
		if kinds&k.kind != 0 {
			options = append(options, Option{Name: k.name, Kinds: k.kind, Use: Use{Type: k.use()}})
		}
	}
	b.m.Types[r].Options = options
	return r
}

// only returns s under another name, for the type of one of its kinds.
func (b *builder) only(s *Schema, suffix string) *Schema {
	c := *s
	c.GoName, c.Name = "", s.Name+suffix
	return &c
}

func (b *builder) declareUnion(s *Schema, options []Option) Ref {
	t := Type{Kind: Union, By: "check", Options: options}
	var seen Kinds
	disjoint := true
	for _, o := range options {
		disjoint = disjoint && seen&o.Kinds == 0
		seen |= o.Kinds
	}
	switch {
	case disjoint:
		t.By = "kind"
	case s.Variants != nil:
		t.By, t.Member = "member", s.Variants.Member
		for i := range options {
			for _, c := range s.Variants.Cases {
				if slices.Contains(options[i].Schemas, c.Schema) {
					options[i].Values = append(options[i].Values, c.Values...)
				}
			}
		}
	}
	taken := map[string]bool{}
	for i := range options {
		name := options[i].name
		for n := 2; taken[name]; n++ {
			name = options[i].name + strconv.Itoa(n)
		}
		taken[name] = true
		options[i].Name = name
	}
	return b.declare(s, t)
}

// optionName finds a word for an alternative: the string that tells it apart, its
// definition or title, or what it is.
func (b *builder) optionName(s *Schema, r Ref, i int, u Use) string {
	if v := s.Variants; v != nil {
		for _, c := range v.Cases {
			if c.Schema == r && len(c.Values) == 1 {
				return camel(c.Values[0])
			}
		}
	}
	t := b.m.Type(u.Type)
	switch t.Kind {
	case Text:
		return "Text"
	case Integer:
		return "Integer"
	case Number:
		return "Number"
	case Boolean:
		return "Bool"
	case List:
		return "List"
	case Map:
		return "Map"
	}
	alt := b.m.Schema(r)
	if t.Schema != r || alt.GoName != "" { // a named definition
		if t.Name != "" {
			return t.Name
		}
	}
	if words := camel(alt.Title); words != "" && len(words) <= 32 {
		return words
	}
	if rest, found := strings.CutPrefix(alt.Name, s.Name); found && rest != "" {
		return rest
	}
	return "Option" + strconv.Itoa(i+1)
}

// nameVariants gives inline alternatives the name of the string that tells them
// apart: PaymentCard rather than PaymentOption1.
func (b *builder) nameVariants(s *Schema) {
	if s.Variants == nil {
		return
	}
	for _, c := range s.Variants.Cases {
		alt := b.m.Schema(c.Schema)
		if len(c.Values) == 1 && strings.HasPrefix(alt.Name, s.Name+"Option") && camel(c.Values[0]) != "" {
			old := alt.Name
			fresh := s.Name + camel(c.Values[0])
			for i := int(c.Schema); i < len(b.m.Schemas); i++ { // and what is written below it
				o := &b.m.Schemas[i]
				rest, below := strings.CutPrefix(o.Name, old)
				if !below || !strings.HasPrefix(o.Location, alt.Location) {
					break
				}
				o.Name = fresh + rest
			}
		}
	}
}
