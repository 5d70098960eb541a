package build

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// besideName is the registry that a schema file obeys without a project.
const besideName = "invariants.yaml"

// Beside reads the registry in the folder of a schema file, named by a path relative to
// dir; nil when there is none. Rules that speak of other files are in it too: see
// [rules.Registry.Only].
func Beside(ctx context.Context, dir, schema string, lim source.Limits) (*rules.Files, error) {
	name := path.Join(path.Dir(schema), besideName)
	if !exists(dir, name) {
		return nil, nil
	}
	docs, err := source.Load(ctx, dir, []string{name}, lim)
	if err != nil {
		return nil, err
	}
	return registry(ctx, dir, docs.Documents()[0], lim)
}

// registry reads what the main file of a registry names, and the files of witnesses;
// paths are relative to dir.
func registry(ctx context.Context, dir string, main *source.Document, lim source.Limits) (*rules.Files, error) {
	f := &rules.Files{Main: main}
	for _, name := range rules.Includes(main) {
		file := path.Join(path.Dir(main.Path), name.Value)
		if !closure.CleanPath(file) {
			return nil, diag.List{{Severity: diag.Error, Code: "rules.registry", Pos: name.Pos, Pointer: name.Pointer, Message: "the file lies outside the project"}}
		}
		docs, err := source.Load(ctx, dir, []string{file}, lim)
		if err != nil {
			return nil, pointAt(err, config.Text{Value: file, Pos: name.Pos, Pointer: name.Pointer})
		}
		f.Included = append(f.Included, docs.Documents()[0])
	}
	for _, doc := range append([]*source.Document{f.Main}, f.Included...) {
		more := rules.WitnessFile(doc.Path)
		if !exists(dir, more) {
			continue
		}
		docs, err := source.Load(ctx, dir, []string{more}, lim)
		if err != nil {
			return nil, err
		}
		f.Witnesses = append(f.Witnesses, docs.Documents()[0])
	}
	return f, nil
}

// missingRegistry says what to do where there is no file of that name.
func missingRegistry(dir, name string) string {
	var known []string
	entries, _ := os.ReadDir(filepath.Join(dir, filepath.FromSlash(path.Dir(name))))
	for _, e := range entries {
		if !e.IsDir() {
			known = append(known, e.Name())
		}
	}
	if best := spelling.Closest(path.Base(name), known); best != "" {
		return fmt.Sprintf("did you mean %q?", path.Join(path.Dir(name), best))
	}
	return "write the file, which begins with version: 1, or leave invariants out; its path counts from contracts.yaml"
}

// exists reports whether there is a file, of whatever kind.
func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}
