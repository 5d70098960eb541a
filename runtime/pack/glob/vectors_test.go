package glob

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

func compileAll(t testing.TB, texts ...string) []Pattern {
	t.Helper()
	var out []Pattern
	for _, text := range texts {
		p, err := Compile(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		out = append(out, p)
	}
	return out
}

func TestVectors(t *testing.T) {
	var file struct {
		Paths    []string
		Patterns []struct {
			Pattern string
			Matches []string
		}
		Unsupported []string `json:"unsupported_patterns"`
		Containment []struct {
			Container, Nested string
			Contains          bool
		}
		Intersection []struct {
			Workspace, Lane, Task, Tool, Result []string
		}
	}
	if err := json.Unmarshal(shared.Read(t, "vectors", "pack", "globs.json"), &file); err != nil {
		t.Fatal(err)
	}
	for _, row := range file.Patterns {
		p := compileAll(t, row.Pattern)[0]
		var got []string
		for _, path := range file.Paths {
			if p.Match(path) {
				got = append(got, path)
			}
		}
		if !slices.Equal(got, row.Matches) {
			t.Errorf("%q matches %q, want %q", row.Pattern, got, row.Matches)
		}
	}
	for _, text := range file.Unsupported {
		if p, err := Compile(text); err == nil || p.Match("src/a.ts") {
			t.Errorf("%q is compiled", text)
		}
	}
	for _, row := range file.Containment {
		p := compileAll(t, row.Container, row.Nested)
		if got := p[0].Contains(p[1]); got != row.Contains {
			t.Errorf("%q contains %q: %v", row.Container, row.Nested, got)
		}
	}
	for _, row := range file.Intersection {
		got := Intersect(compileAll(t, row.Workspace...), compileAll(t, row.Lane...), compileAll(t, row.Task...), compileAll(t, row.Tool...))
		texts := []string{}
		for _, p := range got {
			texts = append(texts, p.String())
		}
		if !slices.Equal(texts, row.Result) {
			t.Errorf("%+v: got %q", row, texts)
		}
	}
	t.Logf("%d patterns, %d unsupported, %d containments, %d intersections",
		len(file.Patterns), len(file.Unsupported), len(file.Containment), len(file.Intersection))
}
