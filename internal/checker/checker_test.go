package checker

import (
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
)

func load(t testing.TB, files map[string]string) *graph.Graph {
	t.Helper()
	var docs []*source.Document
	for name, text := range files {
		d, err := source.Parse(name, []byte(text), source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	set, err := source.NewSet(docs...)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("c", set, graph.Options{Dir: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestCheck(t *testing.T) {
	g := load(t, map[string]string{
		"s/a.json": `{
			"$id": "a.v1", "type": "object", "required": ["x", "y/z"], "additionalProperties": false,
			"properties": {"x": {"$ref": "b.json#/$defs/n"}, "y/z": {"type": "array", "items": {"format": "date"}},
				"u": {"anyOf": [{"type": "string"}, {"minimum": 3}]}}}`,
		"s/b.json": `{"$defs": {"n": {"type": "integer", "maximum": 5}}}`,
	})
	set, err := New(g, true)
	if err != nil {
		t.Fatal(err)
	}
	check, err := set.For(g.Documents()[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ in, want string }{
		{`{"x": 1, "y/z": []}`, ""},
		{`{}`, "/x required, /y~1z required"},
		{`{"it's": 1, "y/z": ["2026-02-30", 1], "x": 9, "u": 1}`,
			"/it's unrecognized_key, /y~1z/0 invalid_format, /x too_big, /u invalid_union"},
		{`[]`, " invalid_type"},
		{`{"x": 1, "x": 1}`, " duplicate_key"},
		{`{`, " syntax"},
		{`{"x": 1e999999999, "y/z": []}`, " too_large"},
	} {
		var got []string
		for _, i := range check.Check([]byte(tt.in)) {
			got = append(got, i.Path+" "+string(i.Code))
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: got %q, want %q", tt.in, s, tt.want)
		}
	}
}
