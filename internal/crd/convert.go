package crd

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

type converter struct {
	name, file string
	rules      []rule
	problems   diag.List
}

func str(s string) *source.Value { return &source.Value{Kind: source.String, Text: s} }

func boolean(b bool) *source.Value { return &source.Value{Kind: source.Bool, Bool: b} }

func object(pairs ...any) *source.Value {
	v := &source.Value{Kind: source.Object}
	for i := 0; i < len(pairs); i += 2 {
		v.Members = append(v.Members, source.Member{Name: pairs[i].(string), Value: pairs[i+1].(*source.Value)})
	}
	return v
}

func list(items ...*source.Value) *source.Value {
	return &source.Value{Kind: source.Array, Items: items}
}

func add(v *source.Value, name string, value *source.Value) {
	v.Members = append(v.Members, source.Member{Name: name, Value: value})
}

// kept are the keywords that mean the same in both.
var kept = []string{
	"description", "title", "enum", "pattern", "format", "default", "maximum", "minimum", "multipleOf", "maxLength", "minLength",
	"maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required",
	"x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type",
}

// schema converts a structural schema at the pointer at. bone is the part of the skeleton
// for the same values, which says what members there are and what stands in for those that
// are absent: v itself, but within allOf, anyOf, oneOf and not, which only check values;
// nil when there is none.
func (c *converter) schema(v, bone *source.Value, at string) *source.Value {
	if v == nil || v.Kind != source.Object {
		return boolean(true)
	}
	typed := v == bone
	// below is the skeleton for the members or elements that a keyword of v speaks of.
	below := func(x *source.Value, path ...string) *source.Value {
		if typed {
			return x
		}
		b := bone
		for _, name := range path {
			b = b.Get(name)
		}
		return b
	}
	out := &source.Value{Kind: source.Object, Pos: v.Pos}
	kind := text(v.Get("type"))
	intOrString := v.Get("x-kubernetes-int-or-string").IsTrue()
	nullable := v.Get("nullable").IsTrue()
	var kinds []string
	switch {
	case intOrString:
		kinds = []string{"integer", "string"}
	case kind != "":
		kinds = []string{kind}
	}
	if nullable && len(kinds) > 0 {
		kinds = append(kinds, "null")
	}
	switch len(kinds) {
	case 0:
	case 1:
		add(out, "type", str(kinds[0]))
	default:
		t := list()
		for _, k := range kinds {
			t.Items = append(t.Items, str(k))
		}
		add(out, "type", t)
	}
	for i := range v.Members {
		m := &v.Members[i]
		switch {
		case m.Name == "enum" && nullable && m.Value.Kind == source.Array:
			with := list(m.Value.Items...)
			if !slices.ContainsFunc(with.Items, func(x *source.Value) bool { return x.Kind == source.Null }) {
				with.Items = append(with.Items, &source.Value{Kind: source.Null})
			}
			add(out, m.Name, with)
		case m.Name == "default" && m.Value.Kind == source.Null: // the API server takes it for none
		case m.Name == "required" && m.Value.Kind == source.Array:
			if names := missable(m.Value, bone); len(names.Items) > 0 || len(m.Value.Items) == 0 {
				add(out, m.Name, names)
			}
		case slices.Contains(kept, m.Name):
			add(out, m.Name, m.Value)
		}
	}
	c.bound(v, out, "maximum", "exclusiveMaximum")
	c.bound(v, out, "minimum", "exclusiveMinimum")
	c.members(v, out, at, typed, below)
	if items := v.Get("items"); items != nil && items.Kind == source.Object {
		add(out, "items", c.schema(items, below(items, "items"), at+"/items"))
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		if branches := v.Get(name); branches != nil && branches.Kind == source.Array && !(intOrString && name == "anyOf" && isIntOrString(branches)) {
			l := list()
			for i, x := range branches.Items {
				l.Items = append(l.Items, c.schema(x, bone, at+"/"+name+"/"+strconv.Itoa(i)))
			}
			add(out, name, l)
		}
	}
	if not := v.Get("not"); not != nil {
		add(out, "not", c.schema(not, bone, at+"/not"))
	}
	if text(v.Get("x-kubernetes-list-type")) == "set" && v.Get("uniqueItems") == nil {
		add(out, "uniqueItems", boolean(true))
	}
	if text(v.Get("x-kubernetes-list-type")) == "map" && typed {
		c.keys(v, at)
	}
	c.validations(v, at)
	return out
}

// missable leaves out the names that bone has a default for: the API server fills it in
// before it looks for required members, so that none of them is ever missing.
func missable(names, bone *source.Value) *source.Value {
	props := bone.Get("properties")
	return list(slices.DeleteFunc(slices.Clone(names.Items), func(name *source.Value) bool {
		d := props.Get(text(name)).Get("default")
		return d != nil && d.Kind != source.Null
	})...)
}

// isIntOrString recognises the alternatives that only repeat int-or-string.
func isIntOrString(branches *source.Value) bool {
	return len(branches.Items) == 2 && text(branches.Items[0].Get("type")) == "integer" && text(branches.Items[1].Get("type")) == "string" &&
		len(branches.Items[0].Members) == 1 && len(branches.Items[1].Members) == 1
}

// bound turns the exclusive flag of OpenAPI 3.0 into a bound of its own.
func (c *converter) bound(v, out *source.Value, name, exclusive string) {
	if !v.Get(exclusive).IsTrue() || v.Get(name) == nil {
		return
	}
	for i := range out.Members {
		if out.Members[i].Name == name {
			out.Members[i].Name = exclusive
		}
	}
}

func (c *converter) members(v, out *source.Value, at string, typed bool, below func(*source.Value, ...string) *source.Value) {
	props := v.Get("properties")
	embedded := v.Get("x-kubernetes-embedded-resource").IsTrue()
	keep := v.Get("x-kubernetes-preserve-unknown-fields").IsTrue()
	extra := v.Get("additionalProperties")
	if props != nil && props.Kind == source.Object || embedded {
		p := &source.Value{Kind: source.Object}
		if props != nil {
			for i := range props.Members {
				m := &props.Members[i]
				add(p, m.Name, c.schema(m.Value, below(m.Value, "properties", m.Name), at+"/properties/"+source.EscapeToken(m.Name)))
			}
		}
		if embedded {
			describe(p) // the API server wants both names in another step than the schema
		}
		add(out, "properties", p)
	}
	switch {
	case extra != nil && extra.Kind == source.Object:
		add(out, "additionalProperties", c.schema(extra, below(extra, "additionalProperties"), at+"/additionalProperties"))
	case extra != nil && extra.Kind == source.Bool && extra.Bool, keep, !typed:
	case props != nil && text(v.Get("type")) == "object" && !embedded:
		add(out, "additionalProperties", boolean(false))
	}
}

// describe adds the members that every object of the API has.
func describe(p *source.Value) {
	if p.Get("apiVersion") == nil {
		add(p, "apiVersion", object("type", str("string")))
	}
	if p.Get("kind") == nil {
		add(p, "kind", object("type", str("string")))
	}
	meta := p.Get("metadata")
	if meta == nil {
		meta = object("type", str("object"))
		add(p, "metadata", meta)
	}
	inner := meta.Get("properties")
	if inner == nil {
		inner = &source.Value{Kind: source.Object}
		add(meta, "properties", inner)
	}
	for _, name := range []string{"name", "generateName"} {
		if inner.Get(name) == nil {
			add(inner, name, object("type", str("string")))
		}
	}
	for i := range meta.Members {
		if meta.Members[i].Name == "additionalProperties" {
			meta.Members[i].Value = boolean(true)
			return
		}
	}
	add(meta, "additionalProperties", boolean(true))
}

// root finishes the schema of a whole resource.
func (c *converter) root(out *source.Value, v Version) {
	props := out.Get("properties")
	if props == nil {
		props = &source.Value{Kind: source.Object}
		add(out, "properties", props)
	}
	describe(props)
	head := object(
		"$schema", str("https://json-schema.org/draft/2020-12/schema"),
		"title", str(v.Kind),
		"x-go-name", str(goName(v.Kind)+goName(v.Version)),
	)
	rest := out.Members
	out.Members = head.Members
	for _, m := range rest {
		if m.Name != "title" {
			out.Members = append(out.Members, m)
		}
	}
}

var word = regexp.MustCompile(`[A-Za-z0-9]+`)

func goName(s string) string {
	var b strings.Builder
	for _, w := range word.FindAllString(s, -1) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

func (c *converter) id(at, keyword string, i int) string {
	return c.name + at + "/" + keyword + "/" + strconv.Itoa(i)
}

func (c *converter) place(at string) string {
	if at == "" {
		return c.file
	}
	return c.file + "#" + at
}

// keys adds the rule that the entries of a list of type map differ in their keys.
func (c *converter) keys(v *source.Value, at string) {
	var parts []string
	keys := v.Get("x-kubernetes-list-map-keys")
	if keys == nil || keys.Kind != source.Array || len(keys.Items) == 0 {
		return
	}
	for _, k := range keys.Items {
		name := "`" + k.Text + "`"
		if identifier.MatchString(k.Text) {
			name = k.Text
		}
		parts = append(parts, "has(x."+name+") ? [x."+name+"] : []")
	}
	c.rules = append(c.rules, rule{
		id: c.id(at, "x-kubernetes-list-map-keys", 0), schema: c.place(at),
		rule:    "unique(self.map(x, [" + strings.Join(parts, ", ") + "]))",
		message: "two entries have the same keys", pos: v.Pos,
	})
}

var identifier = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

func (c *converter) validations(v *source.Value, at string) {
	vals := v.Get("x-kubernetes-validations")
	if vals == nil || vals.Kind != source.Array {
		return
	}
	for i, x := range vals.Items {
		r := rule{
			id: c.id(at, "x-kubernetes-validations", i), schema: c.place(at), rule: text(x.Get("rule")),
			message: text(x.Get("message")), messageExpression: text(x.Get("messageExpression")), reason: text(x.Get("reason")),
			optional: x.Get("optionalOldSelf").IsTrue(), pos: x.Pos,
		}
		r.transition = r.optional || readsOld.MatchString(unquoted(r.rule))
		if p := text(x.Get("fieldPath")); p != "" {
			pointer, err := fieldPath(p)
			if err != nil {
				c.problems.Add(diag.Diagnostic{Code: "crd.invalid", Pos: x.Pos, Message: fmt.Sprintf("%s: %v", r.id, err)})
			}
			r.path = pointer
		}
		if strings.TrimSpace(r.rule) == "" {
			c.problems.Add(diag.Diagnostic{Code: "crd.invalid", Pos: x.Pos, Message: r.id + ": the rule is empty"})
			continue
		}
		c.rules = append(c.rules, r)
	}
}

var readsOld = regexp.MustCompile(`\boldSelf\b`)

// unquoted removes string literals, in which a name means nothing.
func unquoted(s string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
