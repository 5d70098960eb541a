package build

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/contractkit/contractkit/internal/testkit/module"
)

// roundTrip is a program of a fresh module: it decodes every file and prints it
// again, one a line.
const roundTrip = `package main

import (
	"fmt"
	"os"

	"example.com/fresh/gen/catalog"
)

func main() {
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		x, err := catalog.Decode(data)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
		out, err := x.MarshalJSON()
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", out)
	}
}
`

// A program in a fresh module, with the files that a project with runtime: vendor
// gets and no module of ours, reads and writes every valid fixture without loss.
func TestVendoredCatalogRoundTrips(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "schemas"), os.DirFS(filepath.FromSlash("../../schemas/catalog"))); err != nil {
		t.Fatal(err)
	}
	p := project(t, dir, map[string]string{
		"go.mod":  "module example.com/fresh\n\ngo 1.24\n",
		"main.go": roundTrip,
		"contracts.yaml": `version: 1
runtimeDir: gen/contract
contracts:
  - {name: catalog, schemas: schemas, dispatch: schema, assertFormat: true}
targets:
  - {use: go-types, out: gen/catalog}
  - {use: go-validators, out: gen/catalog}
`,
	})
	set, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range set.Files() {
		module.Write(t, dir, f.Path, f.Data)
	}
	fixtures, err := filepath.Glob(filepath.Join(dir, "schemas", "fixtures", "*.valid.json"))
	if err != nil || len(fixtures) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	fixtures = slices.DeleteFunc(fixtures, func(name string) bool { // these name no schema
		return strings.HasPrefix(filepath.Base(name), "comms_tagged_message.") || strings.HasPrefix(filepath.Base(name), "deployment_record_set.")
	})
	out := module.Output(t, module.Command(t, dir, append([]string{"run", "."}, fixtures...)...))
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(fixtures) {
		t.Fatalf("%d lines for %d fixtures", len(lines), len(fixtures))
	}
	for i, name := range fixtures {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := ordered(t, data), ordered(t, []byte(lines[i])); want != got {
			t.Errorf("%s comes back as %s", filepath.Base(name), got)
		}
	}
}

// ordered prints a JSON text with sorted members and numbers as they were written.
func ordered(t *testing.T, data []byte) string {
	t.Helper()
	v := jsontext.Value(bytes.Clone(data))
	if err := v.Format(jsontext.ReorderRawObjects(true), jsontext.Multiline(false)); err != nil {
		t.Fatal(err)
	}
	return string(v)
}
