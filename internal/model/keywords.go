package model

import (
	"go/token"
	"math"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
)

// since says which draft made a keyword of a word, where that was after draft 4.
var since = map[string]graph.Draft{
	"const": graph.Draft6, "contains": graph.Draft6, "propertyNames": graph.Draft6,
	"contentEncoding": graph.Draft7, "contentMediaType": graph.Draft7,
	"if": graph.Draft7, "then": graph.Draft7, "else": graph.Draft7,
	"dependentRequired": graph.Draft2019, "dependentSchemas": graph.Draft2019, "minContains": graph.Draft2019, "maxContains": graph.Draft2019,
	"unevaluatedProperties": graph.Draft2019, "unevaluatedItems": graph.Draft2019, "$recursiveRef": graph.Draft2019,
	"prefixItems": graph.Draft2020, "$dynamicRef": graph.Draft2020,
}

// schema reads the keywords of s, reached with e, into its model form.
func (b *builder) schema(s *graph.Schema, e *env) {
	id := b.refs[instance{s, e}]
	var read Schema // b.m.Schemas grows meanwhile
	m := &read
	b.keywords(m, s, e)
	at := b.m.Schema(id)
	m.ID, m.Location, m.Pos, m.Document, m.Name = id, at.Location, at.Pos, at.Document, at.Name
	*at = read
}

func (b *builder) keywords(m *Schema, s *graph.Schema, e *env) {
	v := s.Value
	if v.Kind == source.Bool {
		m.Never = !v.Bool
		return
	}
	child := func(tokens ...string) Ref { return b.ref(b.g.Child(s, tokens...), e) }
	if s.Ref != nil {
		m.Ref = b.ref(s.Ref, e)
		if s.Draft <= graph.Draft7 { // a $ref stands alone there
			return
		}
	}
	for i := range v.Members {
		name, val := v.Members[i].Name, v.Members[i].Value
		if s.Draft < since[name] || !s.Knows(name) || name == "$recursiveRef" && s.Draft != graph.Draft2019 {
			continue // the draft does not know the word
		}
		switch name {
		case "type":
			m.Types = kindsOf(val)
		case "const":
			m.Const = literal(val)
		case "enum":
			m.IsEnum = true
			for _, item := range val.Items {
				m.Enum = append(m.Enum, *literal(item))
			}
		case "minimum":
			m.Minimum = literal(val)
		case "maximum":
			m.Maximum = literal(val)
		case "exclusiveMinimum", "exclusiveMaximum":
			b.exclusive(m, name, val)
		case "multipleOf":
			m.MultipleOf = literal(val)
		case "minLength":
			m.MinLength = count(val)
		case "maxLength":
			m.MaxLength = count(val)
		case "pattern":
			m.Pattern = val.Text
		case "format":
			m.Format = val.Text
			m.AssertFormat = b.opt.AssertFormat || s.Vocabulary&graph.FormatAssertion != 0
		case "contentEncoding":
			m.ContentEncoding, m.AssertContent = text(val), b.opt.AssertContent
		case "contentMediaType":
			m.ContentMediaType, m.AssertContent = text(val), b.opt.AssertContent
		case "minItems":
			m.MinItems = count(val)
		case "maxItems":
			m.MaxItems = count(val)
		case "uniqueItems":
			m.UniqueItems = val.Bool
		case "prefixItems":
			m.PrefixItems = b.each(s, e, name, val)
		case "items":
			if val.Kind == source.Array {
				m.PrefixItems = b.each(s, e, name, val)
				m.Items = child("additionalItems") // 0 when absent
			} else {
				m.Items = child(name)
			}
		case "contains":
			m.Contains = child(name)
		case "minContains":
			m.MinContains = count(val)
		case "maxContains":
			m.MaxContains = count(val)
		case "properties":
			for _, p := range val.Members {
				m.Properties = append(m.Properties, Property{p.Name, child(name, p.Name), p.NamePos})
			}
		case "required":
			if val.Kind == source.Array {
				m.Required = strs(val)
			}
		case "patternProperties":
			for _, p := range val.Members {
				m.PatternProperties = append(m.PatternProperties, PatternProperty{p.Name, child(name, p.Name)})
			}
		case "additionalProperties":
			m.AdditionalProperties = child(name)
		case "propertyNames":
			m.PropertyNames = child(name)
		case "minProperties":
			m.MinProperties = count(val)
		case "maxProperties":
			m.MaxProperties = count(val)
		case "dependentRequired":
			for _, p := range val.Members {
				m.DependentRequired = append(m.DependentRequired, Dependency{p.Name, strs(p.Value)})
			}
		case "dependentSchemas":
			for _, p := range val.Members {
				m.DependentSchemas = append(m.DependentSchemas, Property{p.Name, child(name, p.Name), p.NamePos})
			}
		case "dependencies":
			for _, p := range val.Members {
				if p.Value.Kind == source.Array {
					m.DependentRequired = append(m.DependentRequired, Dependency{p.Name, strs(p.Value)})
				} else {
					m.DependentSchemas = append(m.DependentSchemas, Property{p.Name, child(name, p.Name), p.NamePos})
				}
			}
		case "allOf":
			m.AllOf = b.each(s, e, name, val)
		case "anyOf":
			m.AnyOf = b.each(s, e, name, val)
		case "oneOf":
			m.OneOf = b.each(s, e, name, val)
		case "not":
			m.Not = child(name)
		case "if":
			m.If = child(name)
		case "then":
			m.Then = child(name)
		case "else":
			m.Else = child(name)
		case "title":
			m.Title = text(val)
		case "description":
			m.Description = text(val)
		case "default":
			m.Default = literal(val)
		case "deprecated":
			m.Deprecated = val.Kind == source.Bool && val.Bool
		case "x-kubernetes-list-type":
			m.ListSet = val.Text == "set"
		case "x-kubernetes-list-map-keys":
			for _, k := range val.Items {
				if k.Kind == source.String {
					m.ListMapKeys = append(m.ListMapKeys, k.Text)
				}
			}
		case "x-go-name":
			m.GoName = b.goName(s, name, val)
		case "x-go-type":
			m.GoType = b.goName(s, name, val)
		case "x-normalize":
			m.Normalize = b.normalize(s, val)
		case "unevaluatedProperties":
			m.UnevaluatedProperties = child(name)
		case "unevaluatedItems":
			m.UnevaluatedItems = child(name)
		}
	}
	if r := s.DynamicRef; r != nil {
		b.refer(m, b.ref(e.dynamicTarget(r, r.Anchor), e))
	}
	if r := s.RecursiveRef; r != nil {
		b.refer(m, b.ref(e.dynamicTarget(r, recursive), e))
	}
	if s.Draft == graph.OpenAPI30 && m.Types != 0 && v.Get("nullable").IsTrue() {
		m.Types |= KindNull // without a type beside it, the word says nothing
	}
	m.ContainsMarks = s.Draft >= graph.Draft2020
	if v.Get("exclusiveMinimum").IsTrue() {
		m.Minimum, m.ExclusiveMinimum = nil, m.Minimum
	}
	if v.Get("exclusiveMaximum").IsTrue() {
		m.Maximum, m.ExclusiveMaximum = nil, m.Maximum
	}
	if m.Contains == 0 {
		m.MinContains, m.MaxContains = nil, nil
	}
	if m.If == 0 {
		m.Then, m.Else = 0, 0
	}
}

// refer adds a reference beside those that m has.
func (b *builder) refer(m *Schema, to Ref) {
	if m.Ref == 0 {
		m.Ref = to
	} else {
		m.AllOf = append(m.AllOf, to)
	}
}

// exclusive reads both readings of the keyword: a bound, or draft 4's modifier of
// minimum or maximum.
func (b *builder) exclusive(m *Schema, name string, val *source.Value) {
	switch {
	case val.Kind == source.Number && name == "exclusiveMinimum":
		m.ExclusiveMinimum = literal(val)
	case val.Kind == source.Number:
		m.ExclusiveMaximum = literal(val)
	}
}

// goName reads a name that stands in emitted code as it is.
func (b *builder) goName(s *graph.Schema, keyword string, val *source.Value) string {
	if name := text(val); token.IsIdentifier(name) && token.IsExported(name) {
		return name
	}
	b.diags.Add(diag.Diagnostic{
		Code: "model.go-name", Pos: val.Pos, Pointer: s.Pointer + "/" + keyword,
		Message: keyword + " must be an exported Go identifier", Hint: "letters and digits, a capital letter first",
	})
	return ""
}

// normalizations are the values that x-normalize may list, each with the kind of
// value that it changes.
var normalizations = map[string]Kinds{
	"trim": KindString, "lowercase": KindString, "canonical-uri": KindString, "set": KindArray,
}

func (b *builder) normalize(s *graph.Schema, val *source.Value) []string {
	names := strs(val)
	var kinds Kinds
	if typ := s.Value.Get("type"); typ != nil {
		kinds = kindsOf(typ)
	}
	for i, n := range names {
		d := diag.Diagnostic{
			Code: "model.normalize", Pos: val.Items[i].Pos, Pointer: s.Pointer + "/x-normalize/" + strconv.Itoa(i),
			Message: "unknown normalisation " + strconv.Quote(n), Hint: `known are "trim", "lowercase" and "canonical-uri" for strings, "set" for arrays`,
		}
		switch kind, known := normalizations[n]; {
		case known && (kinds == 0 || kinds&kind != 0):
			continue
		case known:
			d.Message = "the normalisation " + strconv.Quote(n) + " does not apply to the type of the schema"
		}
		b.diags.Add(d)
	}
	return names
}

func (b *builder) each(s *graph.Schema, e *env, name string, val *source.Value) []Ref {
	refs := make([]Ref, len(val.Items))
	for i := range val.Items {
		refs[i] = b.ref(b.g.Child(s, name, strconv.Itoa(i)), e)
	}
	return refs
}

var kindNames = map[string]Kinds{
	"null": KindNull, "boolean": KindBool, "number": KindNumber | KindInteger, "string": KindString,
	"array": KindArray, "object": KindObject, "integer": KindInteger,
}

func kindsOf(v *source.Value) (k Kinds) {
	if v.Kind == source.String {
		return kindNames[v.Text]
	}
	for _, item := range v.Items {
		k |= kindNames[item.Text]
	}
	return k
}

func literal(v *source.Value) *Literal {
	return &Literal{JSON: string(source.AppendJSON(nil, v)), Pos: v.Pos}
}

// count reads a size, which the meta-schema has shown to be integral and not
// negative; it may be written 2.0 or 2e1. A size that no document reaches stays one.
func count(v *source.Value) *int {
	f, err := strconv.ParseFloat(v.Text, 64)
	n := math.MaxInt32
	if err == nil && f < math.MaxInt32 {
		n = int(f)
	}
	return &n
}

func strs(v *source.Value) []string {
	out := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind == source.String {
			out = append(out, item.Text)
		}
	}
	return out
}

func text(v *source.Value) string {
	if v.Kind != source.String {
		return ""
	}
	return strings.TrimSpace(v.Text)
}
