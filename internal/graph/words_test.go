package graph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/shared"
)

func warned(t *testing.T, draft Draft, text string) string {
	t.Helper()
	doc, err := source.Parse("a.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Resolve("words", set, Options{Draft: draft})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var out []string
	for _, d := range g.Warnings() {
		out = append(out, fmt.Sprintf("%d:%d %s %s: %s", d.Pos.Line, d.Pos.Col, d.Pointer, d.Code, d.Hint))
	}
	return strings.Join(out, "\n")
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		draft        Draft
		schema, want string
	}{
		{Draft2020, `{"minLenght":2}`, `1:2 /minLenght graph.unknown-keyword: did you mean "minLength"?`},
		{Draft2020, `{"properties":{"minLenght":{"requierd":[]}}}`, `1:29 /properties/minLenght/requierd graph.unknown-keyword: did you mean "required"?`},
		{Draft2020, `{"items":{"addtionalProperties":false}}`, `1:11 /items/addtionalProperties graph.unknown-keyword: did you mean "additionalProperties"?`},
		{Draft2020, `{"tpye":"string"}`, `1:2 /tpye graph.unknown-keyword: did you mean "type"?`},
		{Draft2020, `{"ref":"#/$defs/a"}`, `1:2 /ref graph.unknown-keyword: did you mean "$ref"?`},
		{Draft2020, `{"$defs":{"a/b":{"enmu":[1]}}}`, `1:18 /$defs/a~1b/enmu graph.unknown-keyword: did you mean "enum"?`},
		// What is no schema, and words that nobody took for a keyword.
		{Draft2020, `{"const":{"minLenght":2},"enum":[{"tpye":1}],"default":{"tpye":1},"examples":[{"tpye":1}],"required":["tpye"],"dependentRequired":{"tpye":[]}}`, ""},
		{Draft2020, `{"x-minLength":2,"example":1,"comment":"","markdownDescription":"","enumNames":[],"notes":"","title":"","tsType":"","errorMessage":"","` + strings.Repeat("minLength", 9) + `":1}`, ""},
		// Keywords of other drafts that have an effect all the same, and annotations.
		{Draft2020, `{"definitions":{"a":{}},"dependencies":{"a":["b"]},"$ref":"#/definitions/a"}`, ""},
		{Draft4, `{"$defs":{"a":{}},"properties":{"b":{"$ref":"#/$defs/a"}},"$comment":"","readOnly":true,"examples":[1],"deprecated":true}`, ""},
		{Draft2020, `{"id":7,"nullable":false}`, ""},
		{Draft7, `{"definitions":{"a":{}},"properties":{"p":{"$ref":"#/definitions/a","minLenght":1}}}`, ""},
		{OpenAPI30, `{"type":"string","nullable":true,"readOnly":true}`, ""},
		// Keywords of other drafts that have none.
		{Draft2020, `{"type":"string","nullable":true}`, `1:18 /nullable graph.other-draft: write a type such as ["string", "null"]`},
		{Draft2020, `{"id":"a.json"}`, `1:2 /id graph.other-draft: it is $id now`},
		{Draft4, `{"$id":"a.json"}`, `1:2 /$id graph.other-draft: it is id in draft 4`},
		{Draft2020, `{"divisibleBy":2}`, `1:2 /divisibleBy graph.other-draft: it is multipleOf now`},
		{Draft2020, `{"additionalItems":false}`, `1:2 /additionalItems graph.other-draft: items beside prefixItems says it now`},
		{Draft7, `{"prefixItems":[{}]}`, `1:2 /prefixItems graph.other-draft: an array of schemas in items says it here`},
		{Draft7, `{"unevaluatedProperties":false}`, `1:2 /unevaluatedProperties graph.other-draft: it is a keyword from draft 2019-09 on; name that in "$schema"`},
		{Draft4, `{"if":{}}`, `1:2 /if graph.other-draft: it is a keyword from draft 7 on; name that in "$schema"`},
		{Draft4, `{"const":1}`, `1:2 /const graph.other-draft: an enum of one value says the same`},
	} {
		if got := warned(t, c.draft, c.schema); got != c.want {
			t.Errorf("%v %s\n got %s\nwant %s", c.draft, c.schema, got, c.want)
		}
	}
}

// TestWarningsEnd holds that hostile schemas cost neither time nor room.
func TestWarningsEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"properties":{`)
	for i := range 30_000 {
		fmt.Fprintf(&b, `"a%d":{"tpye":1,"w%d":2},`, i, i)
	}
	b.WriteString(`"z":{}}}`)
	if got := strings.Count(warned(t, Draft2020, b.String()), "\n") + 1; got != maxWarnings+1 {
		t.Errorf("%d warnings", got)
	}
}

// TestStoreWarnings counts what is said of schemas that people use.
func TestStoreWarnings(t *testing.T) {
	dir := shared.Path(t, "schemastore")
	names, err := source.Discover(dir, "src/schemas")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range names {
		set, err := source.Load(t.Context(), dir, []string{name}, source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := Resolve("store", set, Options{Dir: "src/schemas"})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range g.Warnings() {
			count++
			t.Log(d)
		}
	}
	if count > len(names)/10 {
		t.Errorf("%d warnings in %d schemas", count, len(names))
	}
}
