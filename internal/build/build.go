// Package build runs the stages in order, in memory: a project enters, a closed
// set of files leaves. generate writes that set and check compares it with the
// disk, so the two cannot disagree.
package build

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/contractkit/contractkit/gen"
	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// Run takes a project from its sources to a closed set of files, in memory.
// It reads the project's files and nothing else: no clock, no environment, no network.
//
// The error is a [diag.List] with the problems of all contracts and targets, or
// an ordinary error when a stage could not do its work.
func Run(ctx context.Context, p *config.Project) (*closure.Set, error) {
	targets, err := find(p)
	if err != nil {
		return nil, err
	}
	models := make([]*model.Model, len(p.Contracts))
	notes := make([]diag.List, len(p.Contracts))
	inexact := make([]diag.List, len(p.Contracts))
	err = all(ctx, len(p.Contracts), func(ctx context.Context, i int) error {
		c, err := Load(ctx, p, &p.Contracts[i])
		if err != nil {
			return err
		}
		// The model is all that is kept: sources and graph are as large as it is.
		inexact[i] = inexactNumbers(c.Sources)
		models[i], notes[i], err = c.Model()
		if err != nil {
			return err
		}
		_, warnings, err := c.Rules(models[i])
		notes[i] = append(notes[i], warnings...)
		return err
	})
	if err != nil {
		return nil, err
	}
	emitted := make([][]closure.File, len(p.Targets))
	err = all(ctx, len(p.Targets), func(_ context.Context, i int) error {
		var err error
		emitted[i], err = run(p, &p.Targets[i], targets[i], models)
		return err
	})
	if err != nil {
		return nil, err
	}
	sources := protected(models)
	clear(models) // no longer needed, and large
	var files []closure.File
	for _, f := range emitted {
		files = append(files, f...)
	}
	if err := sealedNumbers(p, inexact, files); err != nil {
		return nil, err
	}
	copied, err := vendored(p, files)
	if err != nil {
		return nil, err
	}
	set, err := closure.Close(append(files, copied...), names(p), sources)
	if err != nil {
		return nil, err
	}
	set.Notes = slices.Concat(notes...)
	for i := range p.Targets {
		set.Folders = append(set.Folders, path.Clean(p.Targets[i].Out.Value))
	}
	return set, nil
}

// Contract is a contract whose sources are read and connected.
type Contract struct {
	Config  *config.Contract
	Sources *source.Set
	Graph   *graph.Graph

	Invariants *rules.Files // nil without

	warnings diag.List // of the model
}

// Load reads and connects the schemas of one contract of p.
func Load(ctx context.Context, p *config.Project, c *config.Contract) (*Contract, error) {
	paths, err := source.Discover(p.Dir, c.Schemas.Value)
	if err != nil {
		return nil, pointAt(err, c.Schemas)
	}
	if len(paths) == 0 {
		return nil, diag.List{{Severity: diag.Error, Code: "build.no-schemas", Pos: c.Schemas.Pos, Pointer: c.Schemas.Pointer,
			Message: fmt.Sprintf("the folder %s holds no schema", c.Schemas.Value),
			Hint:    "put a .json, .yaml or .yml file there; *.valid.*, *.invalid.* and invariants.* are not schemas"}}
	}
	// A file that is broken does not hide what is wrong with others.
	var problems diag.List
	keep := func(err error) error {
		list, ok := errors.AsType[diag.List](err)
		if problems = append(problems, list...); ok {
			return nil
		}
		return err
	}
	set, err := source.Load(ctx, p.Dir, paths, p.Limits)
	if err := keep(err); err != nil {
		return nil, err
	}
	out := &Contract{Config: c, Sources: set}
	if set != nil {
		out.Graph, err = graph.Resolve(c.Name.Value, set, graph.Options{Dir: c.Schemas.Value})
		if err := keep(err); err != nil {
			return nil, err
		}
	}
	if c.Invariants.Value != "" {
		out.Invariants, err = invariants(ctx, p, c)
		if err := keep(err); err != nil {
			return nil, err
		}
	}
	problems.Sort()
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// invariants reads the files of the contract's registry.
func invariants(ctx context.Context, p *config.Project, c *config.Contract) (*rules.Files, error) {
	docs, err := source.Load(ctx, p.Dir, []string{c.Invariants.Value}, p.Limits)
	if err != nil {
		err = pointAt(err, c.Invariants)
		if list, ok := errors.AsType[diag.List](err); ok && !exists(p.Dir, c.Invariants.Value) {
			for i := range list {
				list[i].Hint = missingRegistry(p.Dir, c.Invariants.Value)
			}
		}
		return nil, err
	}
	return registry(ctx, p.Dir, docs.Documents()[0], p.Limits)
}

// pointAt moves what is said about the folder itself to where it is named.
func pointAt(err error, folder config.Text) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	for i := range list {
		if list[i].Pos == (diag.Pos{File: folder.Value}) {
			list[i].Message = folder.Value + ": " + list[i].Message
			list[i].Pos, list[i].Pointer = folder.Pos, folder.Pointer
		}
	}
	return list
}

// Model builds the contract's model, with notes on what it cannot type.
func (c *Contract) Model() (*model.Model, diag.List, error) {
	m, problems := model.Build(c.Graph, model.Options{
		Contract: c.Config.Name.Value, Dispatch: c.Config.Dispatch.Value, AssertFormat: c.Config.AssertFormat, AssertContent: c.Config.AssertContent,
	})
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	problems = append(append(problems, c.Graph.Warnings()...), interp.Settle(m)...)
	problems.Sort()
	c.warnings = problems.Warnings()
	return m, problems, nil
}

// Rules type-checks the contract's invariants against m and adds them to it. Set is
// nil without invariants. Faults come with the warnings of the model: what is misspelt in
// a schema is often why a rule does not find it.
func (c *Contract) Rules(m *model.Model) (*rules.Set, diag.List, error) {
	if c.Invariants == nil {
		return nil, nil, nil
	}
	reg, err := rules.Decode(*c.Invariants)
	if err != nil {
		return nil, nil, c.warnings.Before(err)
	}
	set, warnings, err := rules.Check(reg, m)
	return set, warnings, c.warnings.Before(err)
}

// find looks the targets up and reports all unknown ones.
func find(p *config.Project) ([]emit.Target, error) {
	byName := map[string]emit.Target{}
	var known []string
	for _, t := range gen.Targets() {
		byName[t.Name] = t
		known = append(known, t.Name)
	}
	var problems diag.List
	found := make([]emit.Target, len(p.Targets))
	for i, t := range p.Targets {
		var ok bool
		if found[i], ok = byName[t.Use.Value]; ok {
			continue
		}
		hint := spelling.Ask(t.Use.Value, known, fmt.Sprintf("the targets are %v", known))
		problems.Add(diag.Diagnostic{Code: "build.unknown-target", Pos: t.Use.Pos, Pointer: t.Use.Pointer,
			Message: fmt.Sprintf("no target is called %.100q", t.Use.Value), Hint: hint})
	}
	return found, problems.Err()
}

// run emits one target's files, with paths from the project's folder.
func run(p *config.Project, t *config.Target, target emit.Target, models []*model.Model) ([]closure.File, error) {
	var m *model.Model
	for i := range p.Contracts {
		if p.Contracts[i].Name.Value == t.Contract.Value {
			m = models[i]
		}
	}
	emitted, err := target.Emit(m, t.Options, emit.Context{Runtime: runtimePath(p)})
	if err != nil {
		if list, ok := errors.AsType[diag.List](err); ok {
			return nil, place(list, t)
		}
		return nil, fmt.Errorf("target %s for %s: %w", t.Use.Value, t.Contract.Value, err)
	}
	files := make([]closure.File, 0, len(emitted))
	for _, f := range emitted {
		file := closure.File{Path: path.Join(t.Out.Value, f.Path), Data: f.Data, Pos: t.Out.Pos, Pointer: t.Out.Pointer}
		if !closure.CleanPath(f.Path) { // Join would hide dot segments
			file.Path = t.Out.Value + "/" + f.Path
		}
		if f.Sealed {
			file.Contract = m.Contract
		}
		files = append(files, file)
	}
	return files, nil
}

// place gives what a target says about its options the target's position.
func place(list diag.List, t *config.Target) diag.List {
	for i := range list {
		if strings.HasPrefix(list[i].Code, "config.") { // its pointer counts from the options
			list[i].Pointer = t.Pointer + "/options" + list[i].Pointer
		}
		if list[i].Pos.File != "" {
			continue
		}
		list[i].Pos = t.Pos
		if t.Options != nil {
			list[i].Pos = t.Options.Pos
		}
		if list[i].Pointer == "" {
			list[i].Pointer = t.Pointer + "/options"
		}
	}
	return list
}

func names(p *config.Project) []string {
	out := make([]string, len(p.Contracts))
	for i := range p.Contracts {
		out[i] = p.Contracts[i].Name.Value
	}
	return out
}

// protected lists the files that no generated one may replace.
func protected(models []*model.Model) []string {
	out := []string{config.FileName, "go.mod"}
	for _, m := range models {
		for i := range m.Documents {
			out = append(out, m.Documents[i].Path)
		}
	}
	return out
}

// all calls do for 0 to n-1, a few at a time, and joins the diagnostics of all
// calls. Another kind of error wins over diagnostics: they may be incomplete.
func all(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	errs := make([]error, n)
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for i := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				errs[i] = err
				return nil
			}
			errs[i] = do(ctx, i)
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs, in the order of the work
	var problems diag.List
	for _, err := range errs {
		if err == nil {
			continue
		}
		list, ok := errors.AsType[diag.List](err)
		if !ok {
			return err
		}
		problems = append(problems, list...)
	}
	return unique(problems).Err()
}

// unique drops repetitions: two targets that share a view report the same.
func unique(list diag.List) diag.List {
	seen := map[string]bool{}
	var out diag.List
	for _, d := range list {
		key := fmt.Sprint(d.Pos, d.Pointer, d.Code, d.Message)
		if !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	return out
}
