package corpus

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, dir, name string, lines ...string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "bases.ndjson.gz",
		`{"base":"a","doc":{"n":1e3,"list":[1,2,3],"in":{"x":true}}}`,
		`{"base":"b","doc":{"first":{"$base":"a"},"second":{"$base":"a","$patch":[{"op":"remove","path":"/in"}]}}}`)
	write(t, dir, "bases.more.ndjson.gz", `{"base":"c","doc":{"$base":"b","$patch":[{"op":"replace","path":"/first/in/x","value":{"$base":"a"}}]}}`)
	write(t, dir, "edge.ndjson.gz", `{"id":"e1","fn":"validate","schema":null,"input":-0.0,"valid":true,"why":"number-range"}`)
	write(t, dir, "validate.x.ndjson.gz",
		`{"id":"v1","fn":"validate","schema":"x","mut":["base",""],"input":{"$base":"a","$patch":[{"op":"add","path":"/list/1","value":9},{"op":"add","path":"/list/-","value":"<"},{"op":"remove","path":"/list/0"},{"op":"add","path":"/a~1b~0","value":null}]},"valid":true,"output":{"$base":"@input","$patch":[{"op":"add","path":"/extra","value":[]}]}}`,
		``,
		`{"id":"v2","fn":"validate","schema":"x","input":{"$base":"c"},"valid":false,"issues":[{"path":"/first","code":"rule"}],"more_issues":2}`,
		`{"id":"v3","fn":"validate","schema":"x","input":[{"$base":"a"}, 1.0],"valid":false}`)

	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	want := []Case{
		{ID: "e1", Fn: "validate", Input: raw(`-0.0`), Valid: true, Tier: Edge, Why: "number-range", File: "edge.ndjson.gz", Line: 1},
		{ID: "v1", Fn: "validate", Schema: "x", Mut: []string{"base", ""}, Valid: true, Tier: Main, File: "validate.x.ndjson.gz", Line: 1,
			Input:  raw(`{"a/b~":null,"in":{"x":true},"list":[9,2,3,"<"],"n":1e3}`),
			Output: raw(`{"a/b~":null,"extra":[],"in":{"x":true},"list":[9,2,3,"<"],"n":1e3}`)},
		{ID: "v2", Fn: "validate", Schema: "x", Issues: []Issue{{"/first", "rule"}}, MoreIssues: 2, Tier: Main, File: "validate.x.ndjson.gz", Line: 3,
			Input: raw(`{"first":{"in":{"x":{"in":{"x":true},"list":[1,2,3],"n":1e3}},"list":[1,2,3],"n":1e3},"second":{"list":[1,2,3],"n":1e3}}`)},
		{ID: "v3", Fn: "validate", Schema: "x", Tier: Main, File: "validate.x.ndjson.gz", Line: 4,
			Input: raw(`[{"in":{"x":true},"list":[1,2,3],"n":1e3},1.0]`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
}

func TestLoadReportsEveryProblem(t *testing.T) {
	one := `{"base":"a","doc":{"list":[1]}}`
	tests := []struct{ name, line, want string }{
		{"unknown base", `{"id":"1","fn":"f","input":{"$base":"z"}}`, `no base has the name "z"`},
		{"input base in an input", `{"id":"1","fn":"f","input":{"$base":"@input"}}`, `no base has the name "@input"`},
		{"base is a number", `{"id":"1","fn":"f","input":{"$base":1}}`, `$base is not a string`},
		{"member beside", `{"id":"1","fn":"f","input":{"$base":"a","x":1}}`, `unknown member "x"`},
		{"patch is an object", `{"id":"1","fn":"f","input":{"$base":"a","$patch":{}}}`, `$patch is not a list`},
		{"index beyond", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"replace","path":"/list/1","value":0}]}}`, `index 1 in an array of 1`},
		{"index with zero", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"replace","path":"/list/00","value":0}]}}`, `not an array index`},
		{"member missing", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"replace","path":"/x","value":0}]}}`, `no member "x"`},
		{"through a number", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"add","path":"/list/0/x","value":0}]}}`, `neither an object nor an array`},
		{"remove all", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"remove","path":""}]}}`, `cannot be removed`},
		{"no value", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"add","path":"/x"}]}}`, `add without a value`},
		{"other operation", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"move","path":"/x"}]}}`, `unknown operation "move"`},
		{"bad escape", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"remove","path":"/~2"}]}}`, `~ without 0 or 1`},
		{"relative pointer", `{"id":"1","fn":"f","input":{"$base":"a","$patch":[{"op":"remove","path":"x"}]}}`, `does not start with /`},
		{"no input", `{"id":"1","fn":"f"}`, `has no input`},
		{"no id", `{"fn":"f","input":1}`, `without an id`},
		{"not JSON", `{`, `unexpected end of JSON input`},
	}
	dir := t.TempDir()
	write(t, dir, "bases.ndjson.gz", one)
	lines := []string{}
	for _, tt := range tests {
		lines = append(lines, tt.line)
	}
	write(t, dir, "x.ndjson.gz", lines...)
	cases, err := Load(dir)
	if err == nil || cases != nil {
		t.Fatalf("got %d cases and error %v, want no case and an error", len(cases), err)
	}
	problems := strings.Split(err.Error(), "\n")
	if len(problems) != len(tests) {
		t.Fatalf("got %d problems, want %d:\n%v", len(problems), len(tests), err)
	}
	for i, tt := range tests {
		if !strings.Contains(problems[i], tt.want) {
			t.Errorf("%s: got %q, want it to say %q", tt.name, problems[i], tt.want)
		}
	}
}

func TestLoadBoundsGrowth(t *testing.T) {
	dir := t.TempDir()
	lines := []string{`{"base":"b0","doc":[0,0,0,0,0,0,0,0]}`}
	for i, names := 1, "0123456789"; i < 10; i++ {
		ref := `{"$base":"b` + names[i-1:i] + `"}`
		lines = append(lines, `{"base":"b`+names[i:i+1]+`","doc":[`+strings.Repeat(ref+",", 7)+ref+`]}`)
	}
	write(t, dir, "bases.ndjson.gz", lines...)
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "parts") {
		t.Errorf("got %v, want a refusal to grow", err)
	}
}

func TestLoadShared(t *testing.T) {
	cases, err := Load(Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	ids := map[string]bool{}
	for _, c := range cases {
		key := c.Tier + " invalid"
		if c.Valid {
			key = c.Tier + " valid"
		}
		counts[key]++
		if ids[c.ID] {
			t.Errorf("%s:%d: id %s is used twice", c.File, c.Line, c.ID)
		}
		ids[c.ID] = true
	}
	want := map[string]int{"main valid": 3006, "main invalid": 8363, "edge valid": 57, "edge invalid": 20, "disputed valid": 271, "disputed invalid": 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-README +loaded):\n%s", diff)
	}
}

// An edit must leave the shared document alone, whatever the patch is.
func FuzzExpand(f *testing.F) {
	f.Add(`{"$base":"a","$patch":[{"op":"add","path":"/list/0","value":7}]}`)
	f.Add(`{"$base":"a","$patch":[{"op":"remove","path":"/in/x"},{"op":"replace","path":"/list","value":{"$base":"a"}}]}`)
	f.Add(`[{"$base":"a","$patch":[{"op":"replace","path":"","value":0}]}]`)
	const doc = `{"in":{"x":true},"list":[1,2.0,-3e1]}`
	f.Fuzz(func(t *testing.T, text string) {
		b := bases{}
		if err := b.add([]byte(`{"base":"a","doc":` + doc + `}`)); err != nil {
			t.Fatal(err)
		}
		out, err := b.expand([]byte(text), nil)
		if err == nil && strings.Contains(text, "$base") && !json.Valid(out) {
			t.Errorf("expanded to %q, which is not JSON", out)
		}
		again, err := b.expand([]byte(`{"$base":"a"}`), nil)
		if err != nil || string(again) != doc {
			t.Errorf("the base is now %s (%v)", again, err)
		}
	})
}
