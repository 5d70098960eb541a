// Package shape validates the input and output of tools against the small subset
// of JSON Schema that manifests may use for them.
//
// It differs from JSON Schema in one point on purpose: an object is closed unless
// additionalProperties is true. A keyword that it does not know makes a schema
// unusable rather than lax.
package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/contractkit/contractkit/runtime/contract"
)

const (
	maxDepth = 12
	maxSize  = 256 << 10 // bytes of one schema
)

// Schema is a compiled schema; nil accepts any object.
type Schema struct {
	kind       string // "" for a schema that is only const or enum
	allowed    []any  // of const and enum; nil when there is neither
	properties map[string]*Schema
	required   []string
	open       bool
	items      *Schema
	min, max   *int
	pattern    *regexp.Regexp
	bounds     []bound
}

type bound struct {
	text   string
	limit  contract.Decimal
	accept func(c int) bool
	words  string
}

// Compile reads the schema of a whole input or output; empty text is nil. The
// error says what is outside the subset.
func Compile(text []byte) (*Schema, error) {
	if len(text) == 0 {
		return nil, nil
	}
	if len(text) > maxSize || !contract.IsJSON(text) {
		return nil, fmt.Errorf("the schema is no JSON of at most %d bytes", maxSize)
	}
	root, err := decode(text)
	if err != nil {
		return nil, err
	}
	m, ok := root.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the schema is no object")
	}
	if _, typed := m["type"]; !typed {
		m["type"] = "object"
	}
	if m["type"] != "object" {
		return nil, fmt.Errorf(`the root of the schema must have the type "object"`)
	}
	return compile(m, 1)
}

func decode(text []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

var keywords = map[string][]string{
	"":        {"const", "enum", "title", "description", "default", "examples", "type", "$schema", "$comment"},
	"object":  {"properties", "required", "additionalProperties"},
	"array":   {"items", "minItems", "maxItems"},
	"string":  {"minLength", "maxLength", "pattern"},
	"number":  {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
	"integer": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
	"boolean": {},
}

func compile(m map[string]any, depth int) (*Schema, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the schema is more than %d deep", maxDepth)
	}
	s := &Schema{}
	if t, typed := m["type"]; typed {
		s.kind, _ = t.(string)
		if _, known := keywords[s.kind]; !known || s.kind == "" {
			return nil, fmt.Errorf("the type %s is not supported", show(t))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(keywords[""], k) && !slices.Contains(keywords[s.kind], k) {
			return nil, fmt.Errorf("the keyword %q is not supported here", k)
		}
	}
	if v, there := m["const"]; there {
		s.allowed = []any{v}
	}
	if v, there := m["enum"]; there {
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			return nil, fmt.Errorf("enum must be a list that is not empty")
		}
		if s.allowed == nil {
			s.allowed = list
		} else if !slices.ContainsFunc(list, func(e any) bool { return equal(e, s.allowed[0]) }) {
			return nil, fmt.Errorf("const is not in enum")
		}
	}
	var err error
	switch s.kind {
	case "":
		if s.allowed == nil {
			return nil, fmt.Errorf("a schema needs a type, const or enum")
		}
	case "object":
		err = s.object(m, depth)
	case "array":
		err = s.array(m, depth)
	case "string":
		err = s.text(m)
	case "number", "integer":
		err = s.number(m)
	}
	return s, err
}

func (s *Schema) object(m map[string]any, depth int) error {
	s.open = m["additionalProperties"] == true
	s.properties = map[string]*Schema{}
	if v, there := m["properties"]; there {
		list, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("properties must be an object")
		}
		for _, name := range slices.Sorted(maps.Keys(list)) {
			child, ok := list[name].(map[string]any)
			if !ok {
				return fmt.Errorf("the property %q has no schema", name)
			}
			c, err := compile(child, depth+1)
			if err != nil {
				return fmt.Errorf("property %q: %w", name, err)
			}
			s.properties[name] = c
		}
	}
	if v, there := m["required"]; there {
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("required must be a list of names")
		}
		for _, e := range list {
			name, ok := e.(string)
			if !ok {
				return fmt.Errorf("required must be a list of names")
			}
			s.required = append(s.required, name)
		}
	}
	return nil
}

func (s *Schema) array(m map[string]any, depth int) (err error) {
	items, ok := m["items"].(map[string]any)
	if !ok {
		return fmt.Errorf("an array needs items")
	}
	if s.items, err = compile(items, depth+1); err != nil {
		return fmt.Errorf("items: %w", err)
	}
	return s.counts(m, "minItems", "maxItems")
}

func (s *Schema) text(m map[string]any) error {
	if v, there := m["pattern"]; there {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("pattern must be a string")
		}
		re, err := regexp.Compile(text)
		if err != nil {
			return fmt.Errorf("the pattern %q cannot be used", text)
		}
		s.pattern = re
	}
	return s.counts(m, "minLength", "maxLength")
}

func (s *Schema) counts(m map[string]any, least, most string) error {
	for _, c := range []struct {
		name string
		into **int
	}{{least, &s.min}, {most, &s.max}} {
		v, there := m[c.name]
		if !there {
			continue
		}
		n, _ := v.(json.Number)
		i, err := n.Int64()
		if err != nil || i < 0 || i > 1<<31-1 {
			return fmt.Errorf("%s must be a count", c.name)
		}
		count := int(i)
		*c.into = &count
	}
	return nil
}

func (s *Schema) number(m map[string]any) error {
	for _, b := range []struct {
		name, words string
		accept      func(int) bool
	}{
		{"minimum", "at least", func(c int) bool { return c >= 0 }},
		{"maximum", "at most", func(c int) bool { return c <= 0 }},
		{"exclusiveMinimum", "more than", func(c int) bool { return c > 0 }},
		{"exclusiveMaximum", "less than", func(c int) bool { return c < 0 }},
	} {
		v, there := m[b.name]
		if !there {
			continue
		}
		n, ok := v.(json.Number)
		if !ok {
			return fmt.Errorf("%s must be a number", b.name)
		}
		s.bounds = append(s.bounds, bound{n.String(), contract.ParseDecimal(n.String()), b.accept, b.words})
	}
	return nil
}

// Validate checks a JSON text; the error names the place of the first fault.
func (s *Schema) Validate(text []byte) error {
	if !contract.IsJSON(text) {
		return fmt.Errorf("it is no JSON document")
	}
	v, err := decode(text)
	if err != nil {
		return err
	}
	if s == nil {
		if _, ok := v.(map[string]any); !ok {
			return fmt.Errorf("it must be an object")
		}
		return nil
	}
	return s.check(v, "")
}

func (s *Schema) check(v any, at string) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: "+format, append([]any{where(at)}, args...)...)
	}
	if s.allowed != nil && !slices.ContainsFunc(s.allowed, func(a any) bool { return equal(a, v) }) {
		return fail("the value is not one of those allowed")
	}
	switch s.kind {
	case "object":
		m, ok := v.(map[string]any)
		if !ok {
			return fail("must be an object")
		}
		for _, name := range s.required {
			if _, there := m[name]; !there {
				return fail("the member %q is missing", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(m)) {
			child := s.properties[name]
			if child == nil {
				if !s.open {
					return fail("the member %q is not known", name)
				}
				continue
			}
			if err := child.check(m[name], at+"/"+name); err != nil {
				return err
			}
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			return fail("must be an array")
		}
		if !s.counted(len(list)) {
			return fail("has %d elements", len(list))
		}
		for i, e := range list {
			if err := s.items.check(e, fmt.Sprintf("%s/%d", at, i)); err != nil {
				return err
			}
		}
	case "string":
		text, ok := v.(string)
		switch {
		case !ok:
			return fail("must be a string")
		case !s.counted(utf8.RuneCountInString(text)):
			return fail("has %d characters", utf8.RuneCountInString(text))
		case s.pattern != nil && !s.pattern.MatchString(text):
			return fail("must match %s", s.pattern)
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			return fail("must be a boolean")
		}
	case "number", "integer":
		n, ok := v.(json.Number)
		if !ok {
			return fail("must be a number")
		}
		if s.kind == "integer" && !contract.IsIntegral([]byte(n)) {
			return fail("must be an integer")
		}
		for _, b := range s.bounds {
			if !b.accept(contract.CompareNumber([]byte(n), b.limit)) {
				return fail("must be %s %s", b.words, b.text)
			}
		}
	}
	return nil
}

func (s *Schema) counted(n int) bool {
	return (s.min == nil || n >= *s.min) && (s.max == nil || n <= *s.max)
}

func where(at string) string {
	if at == "" {
		return "the whole"
	}
	return at
}

// equal compares decoded JSON values; numbers by value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && contract.EqualNumbers([]byte(a), []byte(b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equal)
	}
	switch b.(type) {
	case json.Number, []any, map[string]any:
		return false
	}
	return a == b
}

func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil || len(text) > 60 {
		return "given"
	}
	return string(text)
}
