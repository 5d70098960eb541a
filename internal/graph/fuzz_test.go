package graph

import (
	"errors"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// FuzzResolve holds that no pair of documents makes Resolve panic, that all
// problems lie inside the files, and that what resolves has no open reference.
func FuzzResolve(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"$id":"a","$ref":"b.json#x","$defs":{"d":{"$dynamicRef":"#d","$dynamicAnchor":"d"}}}`, `{"$anchor":"x","items":{"$ref":"a#/$defs/d"}}`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x/","dependencies":{"a":["b"],"c":{"id":"#y"}},"not":{"$ref":"#y"}}`, `true`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"additionalItems":{"$recursiveRef":"#"},"items":[{}]}`, `{"$ref":"#"}`},
		{`{"x":{"y":[{"$id":"urn:a:b","$ref":"#/z"}]},"$ref":"#/x/y/0","minLength":1e99999}`, `{"allOf":[{"$ref":"a.json"}],"$id":"?q#"}`},
		{`{"type":"strng","properties":{"a/b":{"$id":"//h:x"}},"$defs":{"d":{"$schema":"http://json-schema.org/draft-07/schema","$id":"#p"}}}`, `[1]`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	lim := source.Limits{MaxDepth: 40, MaxValues: 2000}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		first, err := source.Parse("s/a.json", a, lim)
		if err != nil {
			t.Skip()
		}
		second, err := source.Parse("s/b.json", b, lim)
		if err != nil {
			t.Skip()
		}
		set, err := source.NewSet(first, second)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Resolve("c", set, Options{Dir: "s"})
		if err != nil {
			list, ok := errors.AsType[diag.List](err)
			if !ok {
				t.Fatal(err)
			}
			for _, d := range list {
				if d.Severity != diag.Error {
					continue
				}
				within(t, map[string][]byte{"s/a.json": a, "s/b.json": b}, d.Pos)
				for _, r := range d.Related {
					within(t, map[string][]byte{"s/a.json": a, "s/b.json": b}, r.Pos)
				}
			}
			return
		}
		for _, s := range g.Schemas() {
			if s.Value.Kind != source.Object && s.Value.Kind != source.Bool || s.Resource == nil || s.Doc.Root.Lookup(s.Pointer) != s.Value {
				t.Fatalf("%+v", s)
			}
			if v := s.Value.Get("$ref"); v != nil && v.Kind == source.String && s.Ref == nil {
				t.Fatalf("%s: the reference %q is open", s.Location, v.Text)
			}
		}
	})
}

func within(t *testing.T, files map[string][]byte, pos diag.Pos) {
	t.Helper()
	rows := strings.Split(string(files[pos.File]), "\n")
	if pos.Line < 1 || pos.Line > len(rows) || pos.Col < 1 || pos.Col > len(rows[pos.Line-1])+1 {
		t.Fatalf("%v is outside the file", pos)
	}
}
