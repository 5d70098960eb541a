package graph

import (
	"strings"
	"testing"
)

func TestBaseAndDraft(t *testing.T) {
	set := load(t, map[string]string{
		"s/a b.json":   `{"items":[{"$ref":"http://x.test/base/in/c.json"}],"additionalItems":{"$ref":"in/c.json#/definitions/d"}}`,
		"s/in/c.json":  `{"definitions":{"d":{"$ref":"../a%20b.json"}}}`,
		"s/in/d:e.yml": `{"$id":"named","not":{"$ref":"c.json"}}`,
	})
	g, err := Resolve("c", set, Options{Dir: "s", Base: "http://x.test/base/", Draft: Draft7})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a b.json#/additionalItems -> in/c.json#/definitions/d",
		"a b.json#/items/0 -> in/c.json#",
		"in/c.json#/definitions/d -> a b.json#",
		"named#/not -> in/c.json#", // by the path of the file: base/c.json is nothing
	}
	if got := refs(g); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if d := g.Documents()[2].Root; d.BaseURI != "http://x.test/base/named" || g.ByURI("http://x.test/base/in/d:e.yml") != d {
		t.Errorf("%+v", d)
	}
	if _, err := Resolve("c", set, Options{Base: "relative/"}); err == nil {
		t.Error("a relative base is accepted")
	}
}
