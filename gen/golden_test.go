package gen_test

import (
	"bytes"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/contractkit/contractkit/gen"
	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/module"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

const runtimePath = "github.com/contractkit/contractkit/runtime/contract"

// TestGolden emits the schemas of each archive and compares with the archive's
// out/<target>/ files. Then the Go of all archives is compiled together with their
// use/*.go files, which hold tests that use it as a caller would.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	dir := newModule(t)
	for _, file := range archives {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := emitAll(t, name, ar)
			if *update {
				rewrite(t, file, ar, got)
			} else {
				compare(t, ar, got)
			}
			for _, f := range got {
				if rest, isGo := strings.CutPrefix(f.Name, "out/go-"); isGo {
					module.Write(t, dir, name+"/"+path.Base(rest), f.Data)
				}
			}
			for _, f := range ar.Files {
				if rest, isUse := strings.CutPrefix(f.Name, "use/"); isUse {
					module.Write(t, dir, name+"/"+rest, f.Data)
				}
			}
		})
	}
	module.Go(t, dir, "vet", "./...")
	module.Go(t, dir, "test", "./...")
}

func emitAll(t *testing.T, name string, ar *txtar.Archive) []txtar.File {
	t.Helper()
	m := build(t, name, ar)
	var out []txtar.File
	for _, target := range gen.Targets() {
		files, err := target.Emit(m, nil, emit.Context{Runtime: runtimePath})
		if err != nil {
			t.Fatalf("%s: %v", target.Name, err)
		}
		for _, f := range files {
			if target.Name == "bundle" && strings.Contains(f.Path, "provenance") {
				continue
			}
			out = append(out, txtar.File{Name: "out/" + target.Name + "/" + f.Path, Data: f.Data})
		}
	}
	return out
}

func build(t *testing.T, name string, ar *txtar.Archive) *model.Model {
	t.Helper()
	var docs []*source.Document
	var registry *source.Document
	opt := model.Options{Contract: name}
	for _, line := range strings.Split(string(ar.Comment), "\n") {
		if member, found := strings.CutPrefix(line, "dispatch: "); found {
			opt.Dispatch = member
		}
		if line == "assertFormat" {
			opt.AssertFormat = true
		}
	}
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "schemas/") {
			continue
		}
		d, err := source.Parse(f.Name, f.Data, source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(f.Name) == "invariants.yaml" {
			registry = d
		} else {
			docs = append(docs, d)
		}
	}
	set, err := source.NewSet(docs...)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve(name, set, graph.Options{Dir: "schemas"})
	if err != nil {
		t.Fatal(err)
	}
	m, diags := model.Build(g, opt)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	interp.Settle(m)
	if registry != nil {
		reg, err := rules.Decode(rules.Files{Main: registry})
		if err != nil {
			t.Fatal(err)
		}
		if _, warnings, err := rules.Check(reg, m); err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
	}
	return m
}

func compare(t *testing.T, ar *txtar.Archive, got []txtar.File) {
	want := map[string]string{}
	for _, f := range ar.Files {
		if strings.HasPrefix(f.Name, "out/") {
			want[f.Name] = string(f.Data)
		}
	}
	have := map[string]string{}
	for _, f := range got {
		if keep(f.Name) {
			have[f.Name] = string(end(f.Data))
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("output differs (go test ./gen -update rewrites it):\n%s", diff)
	}
}

// keep tells which outputs the archives show; the others are tested by their use.
func keep(name string) bool {
	return strings.HasPrefix(name, "out/go-types/") || strings.HasSuffix(name, "_validate.gen.go") || strings.HasSuffix(name, "/invariants.gen.go") || strings.HasSuffix(name, "/invariant-registry.json")
}

func rewrite(t *testing.T, file string, ar *txtar.Archive, got []txtar.File) {
	fresh := &txtar.Archive{Comment: ar.Comment}
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "out/") {
			fresh.Files = append(fresh.Files, f)
		}
	}
	for _, f := range got {
		if keep(f.Name) {
			fresh.Files = append(fresh.Files, txtar.File{Name: f.Name, Data: end(f.Data)})
		}
	}
	if err := os.WriteFile(file, txtar.Format(fresh), 0o644); err != nil {
		t.Fatal(err)
	}
}

func end(data []byte) []byte { return append(bytes.TrimRight(data, "\n"), '\n') }

// newModule makes a Go module for emitted code beside this one and returns its folder.
func newModule(t *testing.T) string {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	module.Write(t, dir, "go.mod", []byte("module emitted\n\ngo 1.26\n\nrequire github.com/contractkit/contractkit v0.0.0\n\nreplace github.com/contractkit/contractkit => "+root+"\n"))
	return dir
}
