package build

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/gotypes"
	"github.com/contractkit/contractkit/gen/govalidate"
	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	rt "github.com/contractkit/contractkit/runtime"
)

// Single is one schema without a project: what becomes of it and how.
type Single struct {
	Name string // the schema's file name, for messages
	Data []byte // its text, JSON or, by the ending of Name, YAML
	Dir  string // folder that Name is in, and below it what relative references lead to; "" for none

	Package string      // Go package name
	Root    string      // name of the root's type; "" lets the schema say
	Draft   graph.Draft // what a schema without "$schema" is written in; 0 for 2020-12

	Rules *rules.Files // registry whose rules for this schema are compiled in; nil without

	AssertFormat  bool
	AssertContent bool
	Maps          []source.Mapping // folders that serve remote references

	Runtime string // import path of the runtime package
	Vendor  string // folder for the runtime below the output, or "" when it lies elsewhere
}

// Files returns the files of the package, with paths relative to its folder, and
// notes on what is not typed and on rules. The error is a [diag.List] when the schema or
// a rule is at fault.
func (s *Single) Files(ctx context.Context) ([]closure.File, diag.List, error) {
	doc, err := source.Parse(s.Name, s.Data, source.Limits{})
	if err != nil {
		return nil, nil, err
	}
	set, err := source.NewSet(doc)
	if err != nil {
		return nil, nil, err
	}
	maps := s.Maps
	if s.Dir != "" {
		maps = append(slices.Clip(maps), source.Mapping{Prefix: graph.Base("schema"), Dir: s.Dir, Local: true})
	}
	served, err := source.OpenMapped(maps, source.Limits{})
	if err != nil {
		return nil, nil, err
	}
	defer served.Close()
	g, err := graph.Resolve("schema", set, graph.Options{Draft: s.Draft, Retrieve: served.Retrieve})
	if err != nil {
		return nil, nil, err
	}
	m, notes := model.Build(g, model.Options{
		Contract: s.Package, AssertFormat: s.AssertFormat, AssertContent: s.AssertContent, Root: true, RootName: s.Root,
	})
	if err := notes.Err(); err != nil {
		return nil, nil, err
	}
	notes = append(append(notes, g.Warnings()...), interp.Settle(m)...)
	if s.Rules != nil {
		_, warnings, err := CheckOnly(*s.Rules, m)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, warnings...)
	}
	notes.Sort()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	emitCtx := emit.Context{Runtime: s.Runtime, Renumber: true}
	types, err := gotypes.Emit(m, gotypes.Options{Package: s.Package}, emitCtx)
	if err == nil {
		var checks []emit.File
		checks, err = govalidate.Emit(m, govalidate.Options{Package: s.Package}, emitCtx)
		types = append(types, checks...)
	}
	if err != nil {
		if list, ok := errors.AsType[diag.List](err); ok {
			return nil, nil, list
		}
		return nil, nil, fmt.Errorf("emit %s: %w", s.Name, err)
	}
	var files []closure.File
	for _, f := range types {
		files = append(files, closure.File{Path: f.Path, Data: f.Data})
	}
	if used, ruled := imports(files, s.Runtime); s.Vendor != "" && used {
		runtime, err := RuntimeFiles(s.Runtime, ruled)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range runtime {
			files = append(files, closure.File{Path: path.Join(s.Vendor, f.Path), Data: f.Data})
		}
	}
	return files, notes, nil
}

// CheckOnly type-checks the rules of a registry that speak of the files of m, and adds
// them to it, with warnings. The error is a [diag.List] when a rule is at fault.
func CheckOnly(f rules.Files, m *model.Model) (*rules.Set, diag.List, error) {
	reg, err := rules.Decode(f)
	if err != nil {
		return nil, nil, err
	}
	reg.Only(m)
	return rules.Check(reg, m)
}

// NeedsRules reports whether files import the runtime's package of rules.
func (s *Single) NeedsRules(files []closure.File) bool {
	_, ruled := imports(files, s.Runtime)
	return ruled
}

// RuntimeFiles returns the files of the runtime, ready to be copied to importPath; with
// rules also those that invariants need.
func RuntimeFiles(importPath string, rules bool) ([]closure.File, error) {
	sources, err := rt.Contract(importPath, rules)
	if err != nil {
		return nil, fmt.Errorf("copy the runtime: %w", err)
	}
	files := make([]closure.File, len(sources))
	for i, f := range sources {
		files[i] = closure.File{Path: f.Name, Data: f.Data}
	}
	return files, nil
}
