// Package catalog_test holds the catalog's sources to the conventions of the
// repository, to the facts in testdata/structure.json, to their own fixtures
// and, where it is at hand, to the differential corpus.
package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSourcesFollowTheConventions(t *testing.T) {
	c := load(t)
	if len(c.ids) != 46 {
		t.Errorf("got %d document schemas, want 46", len(c.ids))
	}
	order := []string{"$schema", "$id", "title", "description", "x-go-name", "type", "additionalProperties", "required", "properties", "examples", "$defs"}
	goName := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	seen := map[string]string{}
	for _, id := range c.ids {
		root := c.roots[id]
		want := order
		if root.get("$defs") == nil {
			want = order[:len(order)-1]
		}
		if !slices.Equal(root.names, want) {
			t.Errorf("%s: members %q, want %q", id, root.names, want)
		}
		name := root.text("x-go-name")
		if !goName.MatchString(name) {
			t.Errorf("%s: x-go-name %q is not an exported Go name", id, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%s and %s have the same x-go-name", id, other)
		}
		seen[name] = id
	}
	if got, want := c.roots[commonID].names, []string{"$schema", "$id", "title", "description", "$defs"}; !slices.Equal(got, want) {
		t.Errorf("%s: members %q, want %q", commonID, got, want)
	}
	c.eachDef(func(id, name string, s *node) {
		if name == "" && s.text("$schema") != dialect {
			t.Errorf("%s: $schema is %q", id, s.text("$schema"))
		}
		if s.text("title") == "" {
			t.Errorf("%s %s: no title", id, name)
		}
		described(t, id+" "+name, s)
	})
}

// described wants a description at s and at each property below it.
func described(t *testing.T, where string, s *node) {
	t.Helper()
	if d := s.text("description"); !strings.HasSuffix(d, ".") || strings.TrimSpace(d) != d {
		t.Errorf("%s: description %q is not a sentence", where, d)
	}
	for _, name := range s.get("properties").namesOf() {
		described(t, where+"."+name, s.get("properties").get(name))
	}
}

// A definition that nothing refers to would be a leftover.
func TestDefinitionsAreUsed(t *testing.T) {
	c := load(t)
	used := map[string]bool{}
	var walk func(id string, n *node)
	walk = func(id string, n *node) {
		if n == nil {
			return
		}
		for name, m := range n.members {
			if ref, ok := m.value.(string); ok && name == "$ref" {
				file, _ := c.target(t, id, ref)
				_, def, _ := strings.Cut(ref, "#/$defs/")
				used[file+" "+def] = true
			}
			if name != "examples" && name != "default" {
				walk(id, m)
			}
		}
		for _, m := range n.items {
			walk(id, m)
		}
	}
	for id, root := range c.roots {
		walk(id, root)
	}
	c.eachDef(func(id, name string, _ *node) {
		if name != "" && !used[id+" "+name] {
			t.Errorf("%s: nothing refers to %s", id, name)
		}
	})
}

// Escapes whose meaning differs between ECMA-262, RE2 and Python must not occur.
func TestPatternsArePortable(t *testing.T) {
	c := load(t)
	escape := regexp.MustCompile(`(?s)\\.`)
	portable := []string{`\.`, `\\`, `\/`, `\+`, `\$`, `\x`}
	var walk func(where string, n *node)
	walk = func(where string, n *node) {
		if p := n.text("pattern"); p != "" {
			for _, got := range escape.FindAllString(p, -1) {
				if !slices.Contains(portable, got) {
					t.Errorf("%s: pattern %q uses %s", where, p, got)
				}
			}
			if strings.Contains(p, "(?") && regexp.MustCompile(`\(\?[^:]`).MatchString(p) {
				t.Errorf("%s: pattern %q uses a group other than (?:", where, p)
			}
		}
		for _, name := range n.namesOf() {
			if name != "examples" {
				walk(where+"/"+name, n.get(name))
			}
		}
		for _, m := range n.items {
			walk(where, m)
		}
	}
	for id, root := range c.roots {
		walk(id, root)
	}
}

func TestFixtures(t *testing.T) {
	c := load(t)
	type count struct{ full, minimal, invalid int }
	counts := map[string]*count{}
	for _, id := range c.ids {
		counts[id] = &count{}
	}
	for _, f := range fixtures(t) {
		schema, n := c.compiled[f.id], counts[f.id]
		if schema == nil {
			t.Errorf("%s: no schema %s", f.name, f.id)
			continue
		}
		err := schema.Validate(f.doc.value)
		switch {
		case f.valid && err != nil:
			t.Errorf("%s: refused: %#v", f.name, err)
		case !f.valid && err == nil:
			t.Errorf("%s: accepted", f.name)
		}
		switch {
		case n == nil: // it names no schema
		case !f.valid:
			n.invalid++
		case f.kind == "full":
			n.full++
		case f.kind == "minimal":
			n.minimal++
		}
	}
	for id, n := range counts {
		if n.full != 1 || n.minimal != 1 || n.invalid < 3 {
			t.Errorf("%s: %d full, %d minimal, %d invalid fixtures; want 1, 1 and 3 or more", id, n.full, n.minimal, n.invalid)
		}
	}
}

// A minimal document has what is required and nothing else.
func TestMinimalFixturesAreMinimal(t *testing.T) {
	c := load(t)
	for _, f := range fixtures(t) {
		if f.kind != "minimal" {
			continue
		}
		required := c.roots[f.id].get("required").value.([]any)
		extra := len(f.doc.names) - len(required)
		// A locator, or the reason for a state, may be needed by a rule.
		rule := map[string]int{"hasna.resource_ref.v1": 1, "hasna.integration_ref.v1": 1, "hasna.project_panel.v1": 1}[f.id]
		if extra != rule {
			t.Errorf("%s: %d members beyond the required ones, want %d", f.name, extra, rule)
		}
	}
}

func TestExamples(t *testing.T) {
	c := load(t)
	for _, id := range c.ids {
		for i, example := range c.roots[id].get("examples").items {
			if err := c.compiled[id].Validate(example.value); err != nil {
				t.Errorf("%s: example %d is refused: %#v", id, i, err)
			}
		}
	}
}

// fits reports whether doc has the constants of one alternative of a union, or
// whether that is no object.
func (c *catalog) fits(t *testing.T, id string, s, doc *node) bool {
	if ref := s.text("$ref"); ref != "" {
		_, s = c.target(t, id, ref)
	}
	for _, name := range s.get("properties").namesOf() {
		if want := s.get("properties").get(name).text("const"); want != "" && doc.text(name) != want {
			return false
		}
	}
	return true
}

// The full fixture of a schema uses every property of that schema's file, and
// all of them together use every property of the shared types. No projection can
// have every property at once, so there all valid fixtures count.
func TestFullFixturesUseEveryProperty(t *testing.T) {
	c := load(t)
	visited := map[*node]bool{}
	var visit func(id string, s, doc *node)
	visit = func(id string, s, doc *node) {
		if ref := s.text("$ref"); ref != "" {
			file, target := c.target(t, id, ref)
			visit(file, target, doc)
			return
		}
		for _, list := range []string{"anyOf", "oneOf"} {
			if branches := s.get(list); branches != nil && s.get("properties") == nil {
				for _, branch := range branches.items {
					if c.fits(t, id, branch, doc) {
						visit(id, branch, doc)
					}
				}
			}
		}
		for _, name := range s.get("properties").namesOf() {
			if member := doc.get(name); member != nil {
				property := s.get("properties").get(name)
				visited[property] = true
				visit(id, property, member)
			}
		}
		for _, item := range doc.items {
			visit(id, s.get("items"), item)
		}
	}
	for _, f := range fixtures(t) {
		if f.kind == "full" || f.valid && f.id == taskToPRID {
			visit(f.id, c.roots[f.id], f.doc)
		}
	}
	var missing func(where string, s *node)
	missing = func(where string, s *node) {
		for _, name := range s.get("properties").namesOf() {
			property := s.get("properties").get(name)
			if !visited[property] {
				t.Errorf("%s.%s: no full fixture uses it", where, name)
			}
			missing(where+"."+name, property)
		}
	}
	c.eachDef(func(id, name string, s *node) { missing(id+" "+name, s) })
}
