package cli

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
	"github.com/contractkit/contractkit/runtime/contract"
)

// checker finds what is wrong with a JSON document; nothing when it is valid.
type checker interface {
	Check(data []byte) contract.Issues
}

// interpreted checks by a model, without generated code.
type interpreted struct {
	by    *interp.Interp
	root  model.Ref
	rules *rules.Evaluator // nil without
}

func (c interpreted) Check(data []byte) contract.Issues {
	issues := c.by.Validate(c.root, data)
	if len(issues) > 0 || c.rules == nil {
		return issues // rules speak of documents whose structure is sound
	}
	return c.rules.Validate(c.root, c.by.Complete(c.root, data))
}

// Parse returns the document with defaults filled in and strings normalised.
func (c interpreted) Parse(data []byte) ([]byte, error) {
	if err := c.Check(data).Err(); err != nil {
		return nil, err
	}
	return c.by.Complete(c.root, data), nil
}

// change judges the change from one document to the next; see [entry.change].
func (c interpreted) change(old, data []byte) (before, current, between contract.Issues) {
	before, current = c.by.Validate(c.root, old), c.by.Validate(c.root, data)
	if c.rules == nil {
		return before, current, nil
	}
	oldFull, full := old, data
	switch {
	case before == nil:
		oldFull = c.by.Complete(c.root, old)
		if !c.rules.OldStands() {
			before = c.rules.Alone(c.root, oldFull)
		}
	case c.rules.OldStands() && !malformed(before):
		before = nil
	}
	if current == nil {
		full = c.by.Complete(c.root, data)
		if !c.rules.OldStands() || before != nil {
			current = c.rules.Alone(c.root, full)
		}
	}
	if before == nil && current == nil {
		between = c.rules.Transition(c.root, oldFull, full)
	}
	return before, current, between
}

// Set returns what is wrong with documents that belong together: each by itself, or
// if nothing is, all together.
func (c interpreted) Set(docs [][]byte) contract.Issues {
	issues, _, full := c.each(docs)
	if issues != nil || c.rules == nil {
		return issues
	}
	return c.rules.List(rules.Collection, c.root, full)
}

// History returns what is wrong with the versions of a document: each by itself, the
// whole where nothing is, and each change from one sound version to the next.
func (c interpreted) History(docs [][]byte) contract.Issues {
	issues, sound, full := c.each(docs)
	if c.rules == nil {
		return issues
	}
	if issues == nil {
		return c.rules.List(rules.History, c.root, full)
	}
	for i := 1; i < len(docs) && len(issues) < mostIssues; i++ {
		if sound[i-1] && sound[i] {
			issues = append(issues, inside(fmt.Sprintf("/%d", i), c.rules.Transition(c.root, full[i-1], full[i]))...)
		}
	}
	return issues
}

// mostIssues is where lists of documents end; what one document may have is bounded
// elsewhere.
const mostIssues = 1000

// each checks documents by themselves, and completes those that are sound.
func (c interpreted) each(docs [][]byte) (issues contract.Issues, sound []bool, full [][]byte) {
	sound, full = make([]bool, len(docs)), make([][]byte, len(docs))
	for i, data := range docs {
		if len(issues) >= mostIssues {
			break
		}
		found := inside(fmt.Sprintf("/%d", i), c.Check(data))
		if issues, sound[i] = append(issues, found...), found == nil; sound[i] {
			full[i] = c.by.Complete(c.root, data)
		}
	}
	return issues, sound, full
}

// entry is a schema that documents can be checked by.
type entry struct {
	checker
	id    string
	parse func(data []byte) ([]byte, error) // fills in defaults and normalises; nil: the value stays as it is

	notes diag.List // warnings of the contract or file that the schema stands in

	// changes judges a change; nil: by Check, and by transition where both are sound.
	changes func(old, data []byte) (before, current, between contract.Issues)

	// Of schemas with rules for them; else nil. The documents of a change are sound.
	transition func(old, data []byte) contract.Issues // takes data as the document that follows on old
	history    func(docs [][]byte) contract.Issues    // takes docs as the versions of a document, oldest first
	set        func(docs [][]byte) contract.Issues    // takes docs as documents that belong together
}

// change judges the change from one document to the next: what is wrong with each by
// itself, and only where nothing is, with the change. Where what is stored stands, the
// rules of the current document are among those of the change.
func (e *entry) change(old, data []byte) (before, current, between contract.Issues) {
	if e.changes != nil {
		return e.changes(old, data)
	}
	before, current = e.Check(old), e.Check(data)
	if before == nil && current == nil && e.transition != nil {
		between = e.transition(old, data)
	}
	return before, current, between
}

// library finds schemas: the built-in catalog, then those of the project around
// the working folder. The project is read when the catalog does not know an id.
type library struct {
	ctx    context.Context
	env    *Env
	config string // project file; "" for the nearest, if any

	interpret bool // the project's schemas count before the built-in ones

	once    sync.Once
	project []projectContract
	err     error
	byID    map[string]*entry // of the catalog, so far
}

// projectContract is one contract of the project.
type projectContract struct {
	dispatch string
	docs     []projectDocument
}

type projectDocument struct {
	*entry
	listed     bool // it describes documents, not only parts of them, that can name it
	dispatched bool
	file       string // full path
	stem       string // the file's name up to the first dot; "" for a file of definitions
}

func newLibrary(ctx context.Context, env *Env, config string) *library {
	return &library{ctx: ctx, env: env, config: config, byID: map[string]*entry{}}
}

// find returns the schema of that id, or nil when there is none.
func (l *library) find(id string) (*entry, error) {
	if e, seen := l.byID[id]; seen && e != nil {
		return e, nil
	}
	if e := catalogEntry(id); e != nil && !l.interpret {
		l.byID[id] = e
		return e, nil
	}
	if err := l.load(); err != nil {
		return nil, err
	}
	for i := range l.project {
		c := &l.project[i]
		for j := range c.docs {
			if d := &c.docs[j]; d.id == id {
				return d.entry, nil
			}
		}
	}
	return nil, nil
}

// unknown is the issue for an id that find knows no schema of.
func (l *library) unknown(id string) contract.Issues {
	issues := contract.UnknownSchema(id)
	if best := l.closest(id); best != "" {
		issues[0].Message += fmt.Sprintf("; did you mean %q?", best)
	}
	return issues
}

// closest is the schema that a misspelt id may mean, of the catalog and of the project
// as far as it has been read; "" when none is close.
func (l *library) closest(id string) string {
	ids := catalogIDs()
	for _, c := range l.project {
		for _, d := range c.docs {
			ids = append(ids, d.id)
		}
	}
	return spelling.Closest(id, ids)
}

// part returns a schema of the catalog that documents do not name, or any other.
func (l *library) part(id string) (*entry, error) {
	if e, err := l.find(id); e != nil && l.interpret || err != nil {
		return e, err
	}
	return compiledEntry(id), nil
}

// identify returns the schema that the document names, or nil with the issues
// that say why there is none. Malformed documents have an issue of the code syntax.
func (l *library) identify(data []byte) (*entry, contract.Issues, error) {
	id, issues := contract.SchemaID(data, dispatchMember)
	if malformed(issues) {
		return nil, issues, nil
	}
	named := issues == nil
	if named {
		if e := catalogEntry(id); e != nil && !l.interpret {
			return e, nil, nil
		}
	}
	if err := l.load(); err != nil {
		return nil, nil, err
	}
	if named {
		issues = l.unknown(id)
		issues[0].Path = "/" + dispatchMember
	}
	for i := range l.project {
		c := &l.project[i]
		if c.dispatch == "" {
			continue
		}
		id, missing := contract.SchemaID(data, c.dispatch)
		if missing != nil {
			continue
		}
		for j := range c.docs {
			if d := &c.docs[j]; d.dispatched && d.id == id {
				return d.entry, nil, nil
			}
		}
	}
	return nil, issues, nil
}

// named returns the schema that a fixture's file is called after, as in
// order_set.empty.valid.json, among the project's schemas whose documents name none;
// nil when there is no such schema, or more than one.
func (l *library) named(file string) (*entry, error) {
	if err := l.load(); err != nil {
		return nil, err
	}
	stem, _, _ := strings.Cut(filepath.Base(file), ".")
	var found *entry
	for i := range l.project {
		c := &l.project[i]
		for j := range c.docs {
			if d := &c.docs[j]; c.dispatch != "" && !d.dispatched && d.stem != "" && d.stem == stem {
				if found != nil {
					return nil, nil
				}
				found = d.entry
			}
		}
	}
	return found, nil
}

// malformed reports whether issues say that the text itself is none that a
// schema could be applied to.
func malformed(issues contract.Issues) bool {
	if len(issues) == 0 {
		return false
	}
	switch issues[0].Code {
	case contract.CodeSyntax, contract.CodeDuplicate, contract.CodeTooLarge, contract.CodeTooDeep:
		return true
	}
	return false
}

// ids lists all schemas: the catalog's, then the project's others.
func (l *library) ids() ([]string, error) {
	ids := catalogIDs()
	if err := l.load(); err != nil {
		return nil, err
	}
	for _, c := range l.project {
		for _, d := range c.docs {
			if d.listed && !slices.Contains(ids, d.id) {
				ids = append(ids, d.id)
			}
		}
	}
	return ids, nil
}

// load reads the project, once. No project file is no error unless it was named.
func (l *library) load() error {
	l.once.Do(func() { l.project, l.err = l.read() })
	return l.err
}

func (l *library) read() ([]projectContract, error) {
	file := l.config
	if file == "" {
		var err error
		if file, err = config.Find(l.env.Dir); err != nil {
			if _, ok := errors.AsType[diag.List](err); ok {
				return nil, nil // there is none
			}
			return nil, err
		}
	}
	p, err := config.Load(inDir(l.env, file))
	if err != nil {
		return nil, err
	}
	var out []projectContract
	for i := range p.Contracts {
		c := &p.Contracts[i]
		loaded, err := build.Load(l.ctx, p, c)
		if err != nil {
			return nil, err
		}
		m, notes, err := loaded.Model()
		if err != nil {
			return nil, err
		}
		set, _, err := loaded.Rules(m)
		if err != nil {
			return nil, err
		}
		by, err := interp.New(m)
		if err != nil {
			return nil, err
		}
		var evaluator *rules.Evaluator
		if set != nil {
			if evaluator, err = set.Evaluator(by); err != nil {
				return nil, err
			}
		}
		pc := projectContract{dispatch: c.Dispatch.Value}
		for j := range m.Documents {
			d := &m.Documents[j]
			by := interpreted{by, d.Root, evaluator}
			stem := ""
			if d.Type != 0 {
				stem, _, _ = strings.Cut(path.Base(d.Path), ".")
			}
			pc.docs = append(pc.docs, projectDocument{&entry{checker: by, id: d.ID, notes: notes.Warnings(), parse: by.Parse, changes: by.change, history: by.History, set: by.Set}, d.Type != 0 && (pc.dispatch == "" || d.Dispatched), d.Dispatched, filepath.Join(p.Dir, filepath.FromSlash(d.Path)), stem})
		}
		out = append(out, pc)
	}
	return out, nil
}

// file returns the schema that is written in a file: as the project understands it,
// where it is one of the project's, else by itself. Diagnostics name files as name does,
// relative to the working folder.
func (l *library) file(name string) (*entry, error) {
	if err := l.load(); err == nil { // a faulty project does not keep a file from being read by itself
		for _, c := range l.project {
			for _, d := range c.docs {
				if d.file == filepath.Clean(inDir(l.env, name)) {
					return d.entry, nil
				}
			}
		}
	}
	e, err := l.alone(name)
	if list, ok := errors.AsType[diag.List](err); ok {
		placed := slices.Clone(list)
		for i := range placed {
			placed[i] = beside(name, placed[i])
		}
		return nil, placed
	}
	return e, err
}

// beside moves the places of a diagnostic from the folder of the file name to the one
// that name is relative to.
func beside(name string, d diag.Diagnostic) diag.Diagnostic {
	move := func(pos *diag.Pos) {
		if pos.File != "" {
			pos.File = path.Join(path.Dir(filepath.ToSlash(name)), pos.File)
		}
	}
	move(&d.Pos)
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		move(&d.Related[i].Pos)
	}
	return d
}

func (l *library) alone(name string) (*entry, error) {
	full := inDir(l.env, name)
	set, err := source.Load(l.ctx, filepath.Dir(full), []string{filepath.Base(full)}, source.Limits{})
	if err != nil {
		return nil, err
	}
	// Relative references lead to files beside this one, or below.
	served, err := source.OpenMapped([]source.Mapping{{Prefix: graph.Base("file"), Dir: filepath.Dir(full), Local: true}}, source.Limits{})
	if err != nil {
		return nil, err
	}
	defer served.Close()
	g, err := graph.Resolve("file", set, graph.Options{Retrieve: served.Retrieve})
	if err != nil {
		return nil, err
	}
	m, problems := model.Build(g, model.Options{Contract: "file", AssertFormat: true})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	problems = append(append(problems, g.Warnings()...), interp.Settle(m)...)
	problems.Sort()
	by, err := interp.New(m)
	if err != nil {
		return nil, err
	}
	evaluator, err := l.rulesBeside(full, m, by)
	if err != nil {
		return nil, problems.Warnings().Before(err)
	}
	d := &m.Documents[0]
	id := g.Documents()[0].ID
	if id == "" {
		id = name
	}
	check := interpreted{by, d.Root, evaluator}
	return &entry{checker: check, id: id, notes: problems.Warnings(), parse: check.Parse, changes: check.change, history: check.History, set: check.Set}, nil
}

// rulesBeside reads the rules in invariants.yaml beside a schema file, as far as they
// speak of its schemas; nil when there is no such file.
func (l *library) rulesBeside(file string, m *model.Model, by *interp.Interp) (*rules.Evaluator, error) {
	files, err := build.Beside(l.ctx, filepath.Dir(file), filepath.Base(file), source.Limits{})
	if err != nil || files == nil {
		return nil, err
	}
	set, _, err := build.CheckOnly(*files, m)
	if err != nil {
		return nil, err
	}
	return set.Evaluator(by)
}
