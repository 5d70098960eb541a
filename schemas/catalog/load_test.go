package catalog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/schemas"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

const (
	base     = "contract://catalog/" // what the relative ids are resolved against
	commonID = "hasna.common.v1"
	dialect  = "https://json-schema.org/draft/2020-12/schema"
)

// node is a JSON value that remembers the order of its members.
type node struct {
	names   []string         // of an object, in source order
	members map[string]*node // of an object; nil otherwise
	items   []*node          // of an array
	value   any              // the whole value, with json.Number for numbers
}

func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	return n.members[name]
}

// text returns the string at a member, or "".
func (n *node) text(name string) string {
	if m := n.get(name); m != nil {
		s, _ := m.value.(string)
		return s
	}
	return ""
}

func parse(t testing.TB, name string, text []byte) *node {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n, err := parseValue(dec)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Fatalf("%s: text after the value", name)
	}
	return n
}

func parseValue(dec *json.Decoder) (*node, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		n := &node{members: map[string]*node{}}
		value := map[string]any{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			member, err := parseValue(dec)
			if err != nil {
				return nil, err
			}
			name := key.(string)
			if _, ok := n.members[name]; ok {
				return nil, fmt.Errorf("member %q stands twice", name)
			}
			n.names = append(n.names, name)
			n.members[name], value[name] = member, member.value
		}
		n.value = value
		_, err := dec.Token()
		return n, err
	case json.Delim('['):
		n := &node{}
		value := []any{}
		for dec.More() {
			item, err := parseValue(dec)
			if err != nil {
				return nil, err
			}
			n.items, value = append(n.items, item), append(value, item.value)
		}
		n.value = value
		_, err := dec.Token()
		return n, err
	}
	return &node{value: tok}, nil
}

// catalog is the parsed and compiled sources.
type catalog struct {
	ids      []string         // of documents that name their schema, sorted
	roots    map[string]*node // by id, commonID included
	compiled map[string]*jsonschema.Schema
	compiler *jsonschema.Compiler
}

func load(t testing.TB) *catalog {
	t.Helper()
	names, err := fs.Glob(schemas.FS(), "catalog/*.json")
	if err != nil {
		t.Fatal(err)
	}
	c := &catalog{roots: map[string]*node{}, compiled: map[string]*jsonschema.Schema{}}
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is not a source of the catalog", url)
	}
	for _, name := range names {
		text, err := fs.ReadFile(schemas.FS(), name)
		if err != nil {
			t.Fatal(err)
		}
		root := parse(t, name, text)
		id := root.text("$id")
		if want := "hasna." + strings.TrimSuffix(path.Base(name), ".json"); id != want {
			t.Fatalf("%s: $id is %q, want %q", name, id, want)
		}
		if err := compiler.AddResource(base+id, bytes.NewReader(text)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c.roots[id] = root
		if root.get("properties").get("schema") != nil { // or it is no record: parts, a set of records, a post
			c.ids = append(c.ids, id)
		}
	}
	slices.Sort(c.ids)
	c.compiler = compiler
	for id := range c.roots {
		// Compile checks the source against the meta-schema first.
		if c.compiled[id], err = compiler.Compile(base + id); err != nil {
			t.Fatalf("%s: %#v", id, err)
		}
	}
	return c
}

// definition compiles one entry of $defs.
func (c *catalog) definition(t testing.TB, id, name string) *jsonschema.Schema {
	t.Helper()
	s, err := c.compiler.Compile(base + id + "#/$defs/" + name)
	if err != nil {
		t.Fatalf("%s %s: %v", id, name, err)
	}
	return s
}

// target returns the schema that a $ref in the source file of id means, and the
// id of the file that holds it.
func (c *catalog) target(t testing.TB, id, ref string) (string, *node) {
	t.Helper()
	file, pointer, inside := strings.Cut(ref, "#")
	if file == "" {
		file = id
	}
	root := c.roots[file]
	if !inside {
		if root == nil {
			t.Fatalf("%s: $ref %q finds nothing", id, ref)
		}
		return file, root
	}
	name, ok := strings.CutPrefix(pointer, "/$defs/")
	def := root.get("$defs").get(name)
	if !ok || def == nil {
		t.Fatalf("%s: $ref %q finds nothing", id, ref)
	}
	return file, def
}

// eachDef calls f for the root and every entry of $defs of every source.
func (c *catalog) eachDef(f func(id, name string, s *node)) {
	for _, id := range append([]string{commonID}, c.ids...) {
		f(id, "", c.roots[id])
		for _, name := range c.roots[id].get("$defs").namesOf() {
			f(id, name, c.roots[id].get("$defs").get(name))
		}
	}
}

func (n *node) namesOf() []string {
	if n == nil {
		return nil
	}
	return n.names
}

// fixture is a document beside the schemas.
type fixture struct {
	name  string // file name
	id    string // of the schema
	kind  string // full, minimal or the point that the fixture is about
	valid bool
	doc   *node
}

func fixtures(t testing.TB) []fixture {
	t.Helper()
	entries, err := os.ReadDir("fixtures")
	if err != nil {
		t.Fatal(err)
	}
	var out []fixture
	for _, e := range entries {
		parts := strings.Split(e.Name(), ".")
		if len(parts) != 4 || parts[3] != "json" || parts[2] != "valid" && parts[2] != "invalid" {
			t.Fatalf("%s: want <schema>.<case>.valid.json or .invalid.json", e.Name())
		}
		text, err := os.ReadFile(path.Join("fixtures", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fixture{e.Name(), "hasna." + parts[0] + ".v1", parts[1], parts[2] == "valid", parse(t, e.Name(), text)})
	}
	return out
}
