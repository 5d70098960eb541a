package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/checker"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/runtime/contract"
)

// entry is a schema that documents can be checked by.
type entry struct {
	checker.Checker
	id    string
	parse func(data []byte) ([]byte, error) // fills in defaults and normalises; nil: the value stays as it is
}

// library finds schemas: the built-in catalog, then those of the project around
// the working folder. The project is read when the catalog does not know an id.
type library struct {
	ctx    context.Context
	env    *Env
	config string // project file; "" for the nearest, if any

	once    sync.Once
	project []projectContract
	err     error
	byID    map[string]*entry // of the catalog, so far
}

// projectContract is one contract of the project.
type projectContract struct {
	dispatch string
	set      *checker.Set
	docs     []projectDocument
}

type projectDocument struct {
	id         string
	listed     bool // it describes documents, not only parts of them
	dispatched bool
	graph      *graph.Document
	entry      *entry // once it was asked for
}

func newLibrary(ctx context.Context, env *Env, config string) *library {
	return &library{ctx: ctx, env: env, config: config, byID: map[string]*entry{}}
}

// find returns the schema of that id, or nil when there is none.
func (l *library) find(id string) (*entry, error) {
	if e, seen := l.byID[id]; seen && e != nil {
		return e, nil
	}
	if e := catalogEntry(id); e != nil {
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
				return c.entryOf(d)
			}
		}
	}
	return nil, nil
}

// identify returns the schema that the document names, or nil with the issues
// that say why there is none. Malformed documents have an issue of the code syntax.
func (l *library) identify(data []byte) (*entry, contract.Issues, error) {
	id, issues := contract.SchemaID(data, dispatchMember)
	if malformed(issues) {
		return nil, issues, nil
	}
	if issues == nil {
		if e := catalogEntry(id); e != nil {
			return e, nil, nil
		}
		issues = contract.UnknownSchema(id)
		issues[0].Path = "/" + dispatchMember
	}
	if err := l.load(); err != nil {
		return nil, nil, err
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
				e, err := c.entryOf(d)
				return e, nil, err
			}
		}
	}
	return nil, issues, nil
}

func malformed(issues contract.Issues) bool {
	return len(issues) > 0 && (issues[0].Code == contract.CodeSyntax || issues[0].Code == contract.CodeTooLarge || issues[0].Code == contract.CodeTooDeep)
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
		m, err := loaded.Model()
		if err != nil {
			return nil, err
		}
		set, err := checker.New(loaded.Graph, c.AssertFormat)
		if err != nil {
			return nil, err
		}
		pc := projectContract{dispatch: c.Dispatch.Value, set: set}
		for j, d := range loaded.Graph.Documents() {
			doc := &m.Documents[j]
			pc.docs = append(pc.docs, projectDocument{id: doc.ID, listed: doc.Type != 0, dispatched: doc.Dispatched, graph: d})
		}
		out = append(out, pc)
	}
	return out, nil
}

func (c *projectContract) entryOf(d *projectDocument) (*entry, error) {
	if d.entry == nil {
		check, err := c.set.For(d.graph)
		if err != nil {
			return nil, err
		}
		d.entry = &entry{Checker: check, id: d.id}
	}
	return d.entry, nil
}

// file returns the schema that is written in a file of its own.
func (l *library) file(name string) (*entry, error) {
	full := inDir(l.env, name)
	set, err := source.Load(l.ctx, filepath.Dir(full), []string{filepath.Base(full)}, source.Limits{})
	if err != nil {
		return nil, err
	}
	g, err := graph.Resolve("file", set, graph.Options{})
	if err != nil {
		return nil, err
	}
	checkers, err := checker.New(g, true)
	if err != nil {
		return nil, err
	}
	d := g.Documents()[0]
	check, err := checkers.For(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	id := d.ID
	if id == "" {
		id = name
	}
	return &entry{Checker: check, id: id}, nil
}
