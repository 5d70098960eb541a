package graph

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/source"
)

// load makes a set of in-memory documents.
func load(t testing.TB, files map[string]string) *source.Set {
	t.Helper()
	var docs []*source.Document
	for name, text := range files {
		doc, err := source.Parse(name, []byte(text), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	set, err := source.NewSet(docs...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func resolve(t testing.TB, files map[string]string) *Graph {
	t.Helper()
	g, err := Resolve("c", load(t, files), Options{Dir: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// refs lists where every reference leads, by location.
func refs(g *Graph) []string {
	var all []string
	for _, s := range g.Schemas() {
		if s.Ref != nil {
			all = append(all, s.Location+" -> "+s.Ref.Location)
		}
		if d := s.DynamicRef; d != nil {
			all = append(all, fmt.Sprintf("%s ~> %s %s %v", s.Location, d.Target.Location, d.Anchor, d.Dynamic))
		}
		if d := s.RecursiveRef; d != nil {
			all = append(all, fmt.Sprintf("%s ~> %s %v", s.Location, d.Target.Location, d.Dynamic))
		}
	}
	sort.Strings(all)
	return all
}

func TestReferences(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"by id, by path, by pointer and anchor", map[string]string{
			"s/a.json":       `{"$id":"first","properties":{"x":{"$ref":"second"},"y":{"$ref":"t/b.yaml#/$defs/d"},"z":{"$ref":"second#here"},"w":{"$ref":"#/properties/x"}}}`,
			"s/t/b.yaml":     "$id: second\n$defs: {d: {$anchor: here}, e: {$ref: c.json}, f: {$ref: '../a.json'}, g: {$ref: 'contract://c/first'}}\n",
			"s/t/c.json":     `true`,
			"s/t/other.json": `{"items":{"$ref":"b.yaml"}}`,
		}, []string{
			"first#/properties/w -> first#/properties/x",
			"first#/properties/x -> second#",
			"first#/properties/y -> second#/$defs/d",
			"first#/properties/z -> second#/$defs/d",
			"second#/$defs/e -> t/c.json#",
			"second#/$defs/f -> first#",
			"second#/$defs/g -> first#",
			"t/other.json#/items -> second#",
		}},
		{"base URIs nest", map[string]string{
			"s/a.json": `{"$id":"http://x.test/top/a.json","$defs":{
				"in":{"$id":"sub/","$defs":{"leaf":{"$id":"leaf.json","$ref":"#/$defs/own","$defs":{"own":{}}}},"items":{"$ref":"leaf.json"}},
				"up":{"$ref":"sub/leaf.json#/$defs/own"},"whole":{"$ref":"#/$defs/in/$defs/leaf/$defs/own"},
				"urn":{"$id":"urn:x:y","$ref":"#/$defs/q","$defs":{"q":{}}}, "u2":{"$ref":"urn:x:y#/$defs/q"}}}`,
		}, []string{
			"http://x.test/top/a.json#/$defs/in/$defs/leaf -> http://x.test/top/a.json#/$defs/in/$defs/leaf/$defs/own",
			"http://x.test/top/a.json#/$defs/in/items -> http://x.test/top/a.json#/$defs/in/$defs/leaf",
			"http://x.test/top/a.json#/$defs/u2 -> http://x.test/top/a.json#/$defs/urn/$defs/q",
			"http://x.test/top/a.json#/$defs/up -> http://x.test/top/a.json#/$defs/in/$defs/leaf/$defs/own",
			"http://x.test/top/a.json#/$defs/urn -> http://x.test/top/a.json#/$defs/urn/$defs/q",
			"http://x.test/top/a.json#/$defs/whole -> http://x.test/top/a.json#/$defs/in/$defs/leaf/$defs/own",
		}},
		{"escapes and unknown keywords", map[string]string{
			"s/a.json": `{"$defs":{"a/b~c%":{"type":"string"},"é":{}},"x-own":{"deep":[{"properties":{"p":{"$ref":"#/$defs/%C3%A9"}}}]},
				"properties":{"a":{"$ref":"#/$defs/a~1b~0c%25"},"b":{"$ref":"#/x-own/deep/0"}}}`,
		}, []string{
			"a.json#/properties/a -> a.json#/$defs/a~1b~0c%",
			"a.json#/properties/b -> a.json#/x-own/deep/0",
			"a.json#/x-own/deep/0/properties/p -> a.json#/$defs/é",
		}},
		{"draft-07 ignores what stands beside $ref", map[string]string{
			"s/a.json": `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","$id":"ignored",
				"definitions":{"a":{"$id":"#named"},"b":{"$ref":"#named"}},"properties":{"x":{"$ref":"nowhere"}}}`,
		}, []string{
			"a.json# -> a.json#/definitions/a",
			"a.json#/definitions/b -> a.json#/definitions/a",
		}},
		{"draft-04 says id", map[string]string{
			"s/a.json": `{"$schema":"http://json-schema.org/draft-04/schema","id":"root.json","properties":{"id":{"type":"string"},"x":{"$ref":"in.json#y"}},
				"definitions":{"d":{"id":"in.json","definitions":{"e":{"id":"#y"}}}}}`,
		}, []string{"root.json#/properties/x -> root.json#/definitions/d/definitions/e"}},
		{"dynamic", map[string]string{
			"s/a.json": `{"$id":"tree","$dynamicAnchor":"node","properties":{"c":{"$dynamicRef":"#node"},"p":{"$dynamicRef":"#/$defs/n"},"s":{"$dynamicRef":"#plain"}},
				"$defs":{"n":{"$anchor":"plain"}}}`,
			"s/b.json": `{"$id":"strict","$dynamicAnchor":"node","$ref":"tree"}`,
		}, []string{
			"strict# -> tree#",
			"tree#/properties/c ~> tree# node true",
			"tree#/properties/p ~> tree#/$defs/n  false",
			"tree#/properties/s ~> tree#/$defs/n  false",
		}},
		{"recursive", map[string]string{
			"s/a.json": `{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"items":[{"$recursiveRef":"#"}],
				"$defs":{"x":{"$id":"x","not":{"items":{"$recursiveRef":"#"}}}}}`,
		}, []string{
			"a.json#/$defs/x/not/items ~> a.json#/$defs/x false",
			"a.json#/items/0 ~> a.json# true",
		}},
		{"a document within a document of another draft", map[string]string{
			"s/a.json": `{"$defs":{"old":{"$schema":"http://json-schema.org/draft-07/schema#","$id":"old.json","items":[{"$ref":"#/definitions/d","x":1}],"definitions":{"d":{}}}},
				"items":{"$ref":"old.json#/items/0"}}`,
		}, []string{
			"a.json#/$defs/old/items/0 -> a.json#/$defs/old/definitions/d",
			"a.json#/items -> a.json#/$defs/old/items/0",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := refs(resolve(t, test.files))
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}
