package catalog_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// facts is testdata/structure.json: what the catalog has to say, kept apart
// from the sources so that a slip in one shows against the other.
type facts struct {
	Comment    string
	Deviations []struct{ On, Path, Reference, Reason string }
	Formats    map[string]format
	Types      map[string]typeFacts // by schema id or name of the shared type
}

// format is a text format as it applies to the trimmed text.
type format struct {
	Trim    bool   `json:"trim,omitempty"`
	Min     int    `json:"min,omitempty"`
	Pattern string `json:"pattern,omitempty"`

	Normalize string `json:"normalize,omitempty"` // what happens after trimming
}

type typeFacts struct {
	Closed bool    `json:"closed"` // unknown members are rejected
	Fields []field `json:"fields"` // in order; members of inline objects follow with a dotted path

	// Rows are the combinations of which a value has to have one: the values
	// that a member may have, by name; of an object, those of its kind.
	Rows []map[string][]string `json:"rows,omitempty"`
}

type field struct {
	Path     string      `json:"path,omitempty"`
	Type     string      `json:"type,omitempty"`   // alternatives are joined by |
	Ref      string      `json:"ref,omitempty"`    // schema id or shared type, instead of Type
	Format   string      `json:"format,omitempty"` // instead of Type
	AnyOf    []string    `json:"anyOf,omitempty"`  // shared types, told apart by their kind; instead of Type
	Const    any         `json:"const,omitempty"`
	Enum     []string    `json:"enum,omitempty"`
	Min      json.Number `json:"min,omitempty"`
	Max      json.Number `json:"max,omitempty"`
	Pattern  string      `json:"pattern,omitempty"`
	Items    *field      `json:"items,omitempty"`
	Nullable bool        `json:"nullable,omitempty"`
	Required bool        `json:"required,omitempty"`
	Default  any         `json:"default,omitempty"`
	Closed   bool        `json:"closed,omitempty"` // of an inline object
	Free     bool        `json:"free,omitempty"`   // an object with members of any name

	Normalize []string `json:"normalize,omitempty"` // of a text or a list without a format
}

func readFacts(t testing.TB) facts {
	t.Helper()
	f, err := os.Open("testdata/structure.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	dec.UseNumber()
	dec.DisallowUnknownFields()
	var out facts
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// formatDefs says which definition in the sources stands for which format, and
// with which greatest length. Every other format is its name in lower camel.
var formatDefs = map[string]struct {
	format string
	max    json.Number
}{
	"waiverReason":   {"waiver_text", "500"},
	"waiverReviewer": {"waiver_text", "200"},
	"displayName":    {"nonblank", "200"},
	"mediaType":      {"nonblank", "160"},
}

func TestSourcesStateTheFacts(t *testing.T) {
	c, want := load(t), readFacts(t)
	got := map[string]typeFacts{}
	c.eachDef(func(id, name string, s *node) {
		if s.get("properties") == nil || id == taskToPRID {
			return // task_to_pr_test.go has facts of its own
		}
		if name == "" {
			name = id
		}
		if _, ok := got[name]; ok {
			t.Errorf("two types have the name %s", name)
		}
		d := deriver{t: t, c: c, id: id, formats: want.Formats}
		closed := d.object(name, "", s)
		got[name] = typeFacts{Closed: closed, Fields: d.fields, Rows: d.rows(name, s)}
	})
	if diff := cmp.Diff(want.Types, got); diff != "" {
		t.Errorf("facts (-structure.json +sources):\n%s", diff)
	}
}

// deriver reads the facts off one type. It refuses keywords that it does not
// know, so that nothing in a source goes unnoticed.
type deriver struct {
	t       testing.TB
	c       *catalog
	id      string // of the file
	formats map[string]format
	fields  []field
}

var annotations = []string{"$schema", "$id", "$defs", "title", "description", "x-go-name", "examples", "x-normalize"}

// only fails when s has a keyword besides the annotations and the given ones.
func (d *deriver) only(where string, s *node, keywords ...string) {
	for _, name := range s.namesOf() {
		if !slices.Contains(keywords, name) && !slices.Contains(annotations, name) {
			d.t.Errorf("%s %s: unexpected keyword %s", d.id, where, name)
		}
	}
}

// object adds the fields of s below prefix and reports whether s is closed.
func (d *deriver) object(where, prefix string, s *node) bool {
	keywords := []string{"type", "additionalProperties", "required", "properties", "default"}
	if prefix == "" {
		keywords = append(keywords, "anyOf") // see rows
	}
	d.only(where, s, keywords...)
	if s.text("type") != "object" {
		d.t.Errorf("%s %s: type is not object", d.id, where)
	}
	required := map[string]bool{}
	if r := s.get("required"); r != nil {
		for _, name := range r.value.([]any) {
			required[name.(string)] = true
		}
	}
	for _, name := range s.get("properties").namesOf() {
		at := len(d.fields)
		d.fields = append(d.fields, field{})
		f := d.field(where, prefix+name, s.get("properties").get(name))
		f.Path, f.Required = prefix+name, required[name]
		d.fields[at] = f
		delete(required, name)
	}
	for name := range required {
		d.t.Errorf("%s %s: required %q is no property", d.id, where, name)
	}
	extra := s.get("additionalProperties")
	if extra != nil && extra.value != false {
		d.t.Errorf("%s %s: additionalProperties is %v", d.id, where, extra.value)
	}
	return extra != nil
}

// rows reads the combinations of constants at the anyOf of an object.
func (d *deriver) rows(where string, s *node) (rows []map[string][]string) {
	if s.get("anyOf") == nil {
		return nil
	}
	for _, branch := range s.get("anyOf").items {
		d.only(where, branch, "properties")
		row := map[string][]string{}
		for _, name := range branch.get("properties").namesOf() {
			member := branch.get("properties").get(name)
			if inner := member.get("properties"); inner != nil {
				d.only(where, member, "properties")
				if !slices.Equal(inner.names, []string{"kind"}) {
					d.t.Errorf("%s %s: a row looks into %s", d.id, where, name)
				}
				member = inner.get("kind")
			}
			d.only(where, member, "const", "enum")
			if one := member.text("const"); one != "" {
				row[name] = []string{one}
				continue
			}
			for _, v := range member.get("enum").items {
				row[name] = append(row[name], v.value.(string))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (d *deriver) field(where, path string, s *node) field {
	f := d.value(where+"."+path, path, s)
	if def := s.get("default"); def != nil {
		f.Default = def.value
	}
	return f
}

func (d *deriver) value(where, path string, s *node) field {
	switch {
	case s.get("$ref") != nil:
		d.only(where, s, "$ref", "default")
		return d.reference(where, s.text("$ref"))
	case s.get("oneOf") != nil:
		d.only(where, s, "oneOf")
		var f field
		for _, branch := range s.get("oneOf").items {
			d.only(where, branch, "$ref")
			_, target := d.c.target(d.t, d.id, branch.text("$ref"))
			if target.get("properties").get("kind").text("const") == "" {
				d.t.Errorf("%s %s: %s has no constant kind", d.id, where, branch.text("$ref"))
			}
			f.AnyOf = append(f.AnyOf, strings.TrimPrefix(branch.text("$ref"), "#/$defs/"))
		}
		return f
	case s.get("anyOf") != nil:
		d.only(where, s, "anyOf", "default")
		branches := s.get("anyOf").items
		if len(branches) != 2 || branches[1].text("type") != "null" {
			d.t.Errorf("%s %s: anyOf is not a value or null", d.id, where)
		}
		f := d.value(where, path, branches[0])
		f.Nullable = true
		return f
	case s.text("type") == "object" && s.get("properties") != nil:
		f := field{Type: "object"}
		f.Closed = d.object(where, path+".", s)
		return f
	case s.text("type") == "object":
		d.only(where, s, "type", "default")
		return field{Type: "object", Free: true}
	}
	return d.simple(where, s)
}

// simple reads a schema of a text, a number, a truth value or a list.
func (d *deriver) simple(where string, s *node) field {
	var f field
	switch typ := s.get("type").value.(type) {
	case string:
		f.Type = typ
	case []any:
		var names []string
		for _, name := range typ {
			names = append(names, name.(string))
		}
		f.Type = strings.Join(names, "|")
	}
	lower, upper := "", ""
	switch f.Type {
	case "string":
		lower, upper = "minLength", "maxLength"
		f.Pattern = s.text("pattern")
	case "integer", "number":
		lower, upper = "minimum", "maximum"
	case "array":
		lower, upper = "minItems", "maxItems"
		if f.Items = new(field); s.get("items") != nil {
			*f.Items = d.value(where+"[]", "", s.get("items"))
		}
	}
	d.only(where, s, "type", "const", "enum", "pattern", "items", "default", lower, upper)
	if n := s.get(lower); n != nil {
		f.Min = n.value.(json.Number)
	}
	if n := s.get(upper); n != nil {
		f.Max = n.value.(json.Number)
	}
	if n := s.get("const"); n != nil {
		f.Const = n.value
	}
	f.Normalize = normalizeOf(s)
	if n := s.get("enum"); n != nil {
		for _, v := range n.value.([]any) {
			f.Enum = append(f.Enum, v.(string))
		}
	}
	return f
}

func normalizeOf(s *node) (steps []string) {
	if n := s.get("x-normalize"); n != nil {
		for _, step := range n.value.([]any) {
			steps = append(steps, step.(string))
		}
	}
	return steps
}

func (d *deriver) reference(where, ref string) field {
	file, target := d.c.target(d.t, d.id, ref)
	_, name, inside := strings.Cut(ref, "#/$defs/")
	switch {
	case !inside:
		return field{Ref: file}
	case target.get("properties") != nil:
		return field{Ref: name}
	case target.get("pattern") == nil:
		f := d.simple(where, target)
		return f
	}
	known := formatDefs[name]
	if known.format == "" {
		known.format = snake(name)
	}
	if _, ok := d.formats[known.format]; !ok {
		d.t.Errorf("%s %s: %s is no known format", d.id, where, name)
	}
	d.only(where, target, "type", "pattern")
	return field{Format: known.format, Max: known.max}
}

// snake turns sha256Hex into sha256_hex.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
