package graph

import (
	"strings"
	"testing"
)

func TestLibrary(t *testing.T) {
	set := load(t, map[string]string{"s/m.json": `{"items":{"$ref":"http://x.test/a#/$defs/d"},"not":{"$ref":"http://x.test/inner"}}`})
	library := load(t, map[string]string{
		"lib/a.json":      `{"$id":"http://x.test/a","$defs":{"d":{"$ref":"b#here"},"i":{"$id":"inner"}}}`,
		"lib/b.json":      `{"$id":"http://x.test/b","$defs":{"e":{"$anchor":"here"}}}`,
		"lib/unused.json": `{"$id":"http://x.test/unused","type":"wrong"}`,
	})
	g, err := Resolve("c", set, Options{Dir: "s", Library: library})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range g.Documents() {
		text := d.Source.Path
		if d.Joined {
			text += " joined"
		}
		got = append(got, text)
	}
	got = append(got, refs(g)...)
	want := []string{"lib/a.json joined", "lib/b.json joined", "s/m.json",
		"http://x.test/a#/$defs/d -> http://x.test/b#/$defs/e",
		"m.json#/items -> http://x.test/a#/$defs/d",
		"m.json#/not -> http://x.test/a#/$defs/i"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	// An identifier inside a document is known once the document has joined, not before.
	set = load(t, map[string]string{"s/m.json": `{"not":{"$ref":"http://x.test/inner"}}`})
	if _, err := Resolve("c", set, Options{Dir: "s", Library: library}); err == nil || !strings.Contains(err.Error(), "[graph.remote-ref]") {
		t.Error(err)
	}
}
