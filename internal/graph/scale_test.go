package graph

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/source"
)

// many returns n documents that refer to one another.
func many(t testing.TB, n int) []*source.Document {
	docs := make([]*source.Document, n)
	for i := range docs {
		text := fmt.Sprintf(`{"$id":"doc%d.json","type":"object","$dynamicAnchor":"node","properties":{"next":{"$ref":"doc%d.json"},"by":{"$ref":"t/%d.json#/$defs/d"},"dyn":{"$dynamicRef":"#node"}},"$defs":{"d":{"$anchor":"a","minLength":%d}}}`,
			i, (i+1)%n, (i*7)%n, i)
		doc, err := source.Parse(fmt.Sprintf("s/t/%d.json", i), []byte(text), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		docs[i] = doc
	}
	return docs
}

// wide returns one document with n subschemas that all refer to another, and
// members that no keyword knows.
func wide(t testing.TB, n int) []*source.Document {
	var b strings.Builder
	b.WriteString(`{"$defs":{`)
	for i := range n / 2 {
		fmt.Fprintf(&b, `"d%d":{"properties":{"p":{"$ref":"#/$defs/d%d"},"q":{"$ref":"#/x-defs/u%d"}}},`, i, (i+1)%(n/2), i)
	}
	b.WriteString(`"end":true},"x-defs":{`)
	for i := range n / 2 {
		fmt.Fprintf(&b, `"u%d":{"allOf":[{"$ref":"#/$defs/d%d"}]},`, i, i)
	}
	b.WriteString(`"end":true}}`)
	doc, err := source.Parse("s/wide.json", []byte(b.String()), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return []*source.Document{doc}
}

// TestOrder holds that the result does not depend on the order of the
// documents, and that schemas stand in the order in which they are written.
func TestOrder(t *testing.T) {
	docs := append(many(t, 50), wide(t, 40)...)
	var want []string
	for round := range 5 {
		rand.New(rand.NewSource(int64(round))).Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		set, err := source.NewSet(docs...)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Resolve("c", set, Options{Dir: "s"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, s := range g.Schemas() {
			got = append(got, s.Doc.Path+" "+s.BaseURI+" "+s.Location)
			if i == 0 {
				continue
			}
			before := g.Schemas()[i-1]
			if s.Doc == before.Doc && s.Value.Pos.Col <= before.Value.Pos.Col {
				t.Fatalf("%s stands before %s", s.Location, before.Location)
			}
			if s.Doc != before.Doc && s.Doc.Path <= before.Doc.Path {
				t.Fatalf("%s comes after %s", s.Doc.Path, before.Doc.Path)
			}
		}
		got = append(got, refs(g)...)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Fatal("the result depends on the order of the documents")
		}
	}
}

// TestChild walks the tree by names.
func TestChild(t *testing.T) {
	g := resolve(t, map[string]string{"s/a.json": `{"$id":"http://x.test/a","properties":{"a/b":{"allOf":[true,{"$anchor":"here"}]}},"$defs":{"in":{"$id":"in","$dynamicAnchor":"n"}}}`})
	root := g.Documents()[0].Root
	got := g.Child(root, "properties", "a/b", "allOf", "1")
	if got == nil || got.Location != "http://x.test/a#/properties/a~1b/allOf/1" || got != g.Anchor(root, "here") || g.Document(got).ID != "http://x.test/a" {
		t.Errorf("%+v", got)
	}
	for _, tokens := range [][]string{{"properties"}, {"properties", "c"}, {"allOf", "0"}} {
		if got := g.Child(root, tokens...); got != nil {
			t.Errorf("%v: %s", tokens, got.Location)
		}
	}
	in := g.Child(root, "$defs", "in")
	if in.BaseURI != "http://x.test/in" || in.Resource != in || g.ByURI("http://x.test/in#") != in || g.ByURI("contract://c/a.json") != root {
		t.Errorf("%+v", in)
	}
	if d := g.DynamicAnchors("n"); len(d) != 1 || d[0] != in {
		t.Errorf("dynamic anchors: %v", d)
	}
}

func benchmark(b *testing.B, docs []*source.Document) {
	set, err := source.NewSet(docs...)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Resolve("c", set, Options{Dir: "s"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDocuments1000(b *testing.B) { benchmark(b, many(b, 1000)) }
func BenchmarkDocuments5000(b *testing.B) { benchmark(b, many(b, 5000)) }
func BenchmarkWide10000(b *testing.B)     { benchmark(b, wide(b, 10_000)) }
func BenchmarkWide50000(b *testing.B)     { benchmark(b, wide(b, 50_000)) }
