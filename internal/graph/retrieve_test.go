package graph

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/source"
)

// served is a Retrieve over texts by URI; it notes what it was asked for.
func served(t *testing.T, texts map[string]string, asked *[]string) func(string) (*source.Document, error) {
	return func(uri string) (*source.Document, error) {
		*asked = append(*asked, uri)
		text, found := texts[uri]
		if !found {
			return nil, nil
		}
		if text == "!" {
			return nil, errors.New("it is a directory")
		}
		return source.Parse(strings.TrimPrefix(uri, "http://"), []byte(text), source.Limits{})
	}
}

// TestRetrieve holds that a document is found by the URI it is served under and by
// its own $id, that its references lead on, and that nothing is asked for twice.
func TestRetrieve(t *testing.T) {
	set := load(t, map[string]string{"s/m.json": `{"allOf":[
		{"$ref":"http://x.test/dir/a.json#/$defs/d"},{"$ref":"http://y.test/real.json"},{"$ref":"http://x.test/dir/a.json"},
		{"$ref":"http://x.test/copy.json"},{"$ref":"http://x.test/plain"}]}`})
	var asked []string
	retrieve := served(t, map[string]string{
		"http://x.test/dir/a.json":    `{"$id":"http://y.test/real.json","$defs":{"d":{"$ref":"next.json"}}}`,
		"http://x.test/copy.json":     `{"$id":"http://y.test/real.json","$defs":{"d":{"$ref":"next.json"}}}`,
		"http://y.test/next.json":     `{"$ref":"sub/last.json"}`,
		"http://y.test/sub/last.json": `true`,
		"http://x.test/plain":         `{"items":{"$ref":"plain"}}`,
	}, &asked)
	g, err := Resolve("c", set, Options{Dir: "s", Retrieve: retrieve})
	if err != nil {
		t.Fatal(err)
	}
	got := refs(g)
	want := []string{
		"http://x.test/plain#/items -> http://x.test/plain#",
		"http://y.test/next.json# -> http://y.test/sub/last.json#",
		"http://y.test/real.json#/$defs/d -> http://y.test/next.json#",
		"m.json#/allOf/0 -> http://y.test/real.json#/$defs/d",
		"m.json#/allOf/1 -> http://y.test/real.json#",
		"m.json#/allOf/2 -> http://y.test/real.json#",
		"m.json#/allOf/3 -> http://y.test/real.json#",
		"m.json#/allOf/4 -> http://x.test/plain#",
	}
	slices.Sort(got)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	seen := map[string]int{}
	for _, uri := range asked {
		seen[uri]++
	}
	for uri := range maps.Keys(seen) {
		if seen[uri] > 1 || strings.Contains(uri, "real") {
			t.Errorf("asked for %s %d times", uri, seen[uri])
		}
	}
}

func TestRetrieveFails(t *testing.T) {
	set := load(t, map[string]string{"s/m.json": `{"$ref":"http://x.test/a","not":{"$ref":"http://x.test/a"}}`})
	var asked []string
	_, err := Resolve("c", set, Options{Dir: "s", Retrieve: served(t, map[string]string{"http://x.test/a": "!"}, &asked)})
	if err == nil || !strings.Contains(err.Error(), "it is a directory") || !strings.Contains(err.Error(), "[graph.remote-ref]") {
		t.Error(err)
	}
}

// TestPublishedMetaSchemas holds that every draft's meta-schema can be referred to,
// by http and https.
func TestPublishedMetaSchemas(t *testing.T) {
	for d, url := range draftURLs {
		for _, u := range []string{url, strings.Replace(url, "https:", "http:", 1), strings.Replace(url, "http:", "https:", 1)} {
			set := load(t, map[string]string{"s/m.json": `{"items":{"$ref":"` + u + `"}}`})
			g, err := Resolve("c", set, Options{Dir: "s", Draft: Draft7})
			if err != nil {
				t.Fatalf("%s: %v", u, err)
			}
			items := g.Child(g.ByURI("contract://c/m.json"), "items")
			if items.Ref == nil || items.Ref.Draft != d {
				t.Errorf("%s leads to %v", u, items.Ref)
			}
		}
	}
}

// TestDialects holds that the vocabularies of a meta-schema decide what counts.
func TestDialects(t *testing.T) {
	const base = "https://json-schema.org/draft/2020-12/"
	meta := func(schema, vocabulary string) string {
		return `{"$id":"http://x.test/meta","$schema":"` + schema + `","$vocabulary":{` + vocabulary + `}}`
	}
	for _, c := range []struct {
		name, meta, want string // want: known keywords, or an error's code
	}{
		{"no validation", meta(base+"schema", `"`+base+`vocab/core":true,"`+base+`vocab/applicator":true`), "properties"},
		{"optional unknown", meta(base+"schema", `"`+base+`vocab/validation":true,"http://x.test/v":false`), "minimum"},
		{"required unknown", meta(base+"schema", `"`+base+`vocab/validation":true,"http://x.test/v":true`), "graph.unknown-vocabulary"},
		{"vocabulary of another draft", meta(base+"schema", `"https://json-schema.org/draft/2019-09/vocab/core":true`), "graph.unknown-vocabulary"},
		{"format 2020", meta(base+"schema", `"`+base+`vocab/format-assertion":false`), "format assertion"},
		{"format 2019", meta("https://json-schema.org/draft/2019-09/schema", `"https://json-schema.org/draft/2019-09/vocab/format":true`), "format assertion"},
		{"format 2019 optional", meta("https://json-schema.org/draft/2019-09/schema", `"https://json-schema.org/draft/2019-09/vocab/format":false`), "format"},
		{"draft 7 has none", meta("http://json-schema.org/draft-07/schema#", `"http://x.test/v":true`), "properties minimum unevaluatedItems format"},
		{"none listed", `{"$id":"http://x.test/meta","$schema":"` + base + `schema"}`, "properties minimum unevaluatedItems format"},
		{"by way of another", `{"$id":"http://x.test/meta","$schema":"other.json"}`, "graph.unknown-dialect"},
		{"itself", `{"$id":"http://x.test/meta","$schema":"http://x.test/meta"}`, "graph.unknown-dialect"},
		{"no draft", `{"$id":"http://x.test/meta"}`, "graph.unknown-dialect"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := load(t, map[string]string{"s/m.json": `{"$schema":"http://x.test/meta","$comment":""}`})
			library := load(t, map[string]string{"lib/meta.json": c.meta})
			g, err := Resolve("c", set, Options{Dir: "s", Library: library})
			if strings.HasPrefix(c.want, "graph.") {
				if err == nil || !strings.Contains(err.Error(), "["+c.want+"]") {
					t.Fatal(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			s := g.ByURI("contract://c/m.json")
			var known []string
			for _, k := range []string{"properties", "minimum", "unevaluatedItems", "format"} {
				if s.Knows(k) {
					known = append(known, k)
				}
			}
			if s.Vocabulary&FormatAssertion != 0 {
				known = append(known, "assertion")
			}
			if got := strings.Join(known, " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRetrievedPathTaken(t *testing.T) {
	set := load(t, map[string]string{"x.test/a": `{"$ref":"http://x.test/a"}`})
	var asked []string
	_, err := Resolve("c", set, Options{Retrieve: served(t, map[string]string{"http://x.test/a": "true"}, &asked)})
	if err == nil || !strings.Contains(err.Error(), "both have this path") {
		t.Error(err)
	}
}
