package build

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
)

// FuzzSchema takes any text for a schema through all stages: no panic, problems
// are diagnostics that lie inside the file, and what comes out in Go is Go.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(orders))
	f.Add([]byte(`{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}}, "$ref": "#/$defs/a"}`))
	f.Add([]byte(`{"type": ["object", "null"], "properties": {"": {}, "a b": {"enum": ["x", 1, null]}}, "patternProperties": {"^x": {"const": {"a": 1e400}}}}`))
	f.Add([]byte(`{"oneOf": [{"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, {"properties": {"kind": {"const": "b"}}, "required": ["kind"]}], "unevaluatedProperties": false}`))
	f.Add([]byte(`true`))
	dir := f.TempDir()
	os.MkdirAll(filepath.Join(dir, "schemas"), 0o755)
	os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x\n"), 0o644)
	os.WriteFile(filepath.Join(dir, config.FileName), []byte(`version: 1
runtime: import
contracts:
  - {name: shop, schemas: schemas, dispatch: schema, assertFormat: true}
targets:
  - {use: go-types, out: go}
  - {use: go-validators, out: go}
  - {use: bundle, out: a}
  - {use: modeljson, out: m}
`), 0o644)
	p, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, "schemas", "x.json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		set, err := Run(t.Context(), p)
		if list, ok := errors.AsType[diag.List](err); ok {
			lines := bytes.Count(data, []byte{'\n'}) + 1
			for _, d := range list {
				if d.Pos.File == "schemas/x.json" && (d.Pos.Line < 1 || d.Pos.Line > lines || d.Pos.Col < 1 || d.Pos.Col > len(data)+1) {
					t.Errorf("%v lies outside the file", d)
				}
				if d.Message == "" || d.Code == "" {
					t.Errorf("an empty diagnostic: %+v", d)
				}
			}
			return
		}
		if err != nil {
			t.Fatalf("not a diagnostic: %v", err)
		}
		for _, file := range set.Files() {
			if filepath.Ext(file.Path) != ".go" {
				continue
			}
			if _, err := parser.ParseFile(token.NewFileSet(), file.Path, file.Data, 0); err != nil {
				t.Errorf("%s is no Go: %v", file.Path, err)
			}
		}
	})
}
