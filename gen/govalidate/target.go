// Package govalidate is the target go-validators: compiled checks, and the
// functions that decode validated documents into the types of go-types.
package govalidate

import (
	"bytes"
	"fmt"
	"path"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
)

// Target emits compiled validators and decoders for the types of go-types.
var Target = emit.New("go-validators", "Compiled validators and decoders for the types of go-types", Emit)

// Options are the keys under "options:" for go-validators.
type Options struct {
	Package string `json:"package"` // Go package name; the same as that of go-types
}

// Emit returns one file per schema file, one with the patterns and one with what
// concerns the whole package.
func Emit(m *model.Model, opt Options, ctx emit.Context) ([]emit.File, error) {
	v, err := goview.New(m, opt.Package, ctx)
	if err != nil {
		return nil, err
	}
	e := newEmitter(v)
	e.rules = newRuleset(e)
	e.sheets = make([]*goview.Sheet, len(m.Documents))
	for doc := range m.Documents {
		e.sheets[doc] = v.NewSheet(path.Base(m.Documents[doc].Path))
		e.entryPoints(e.sheets[doc].File, doc)
		e.settle(doc)
	}
	e.checks()
	var judge *jen.File
	if ctx.Judge != nil && e.rules != nil {
		judge = e.rules.judge(ctx.Judge)
	}
	e.decoders()
	var invariants *jen.File
	if e.rules != nil {
		invariants = e.rules.file()
	}
	e.checks() // decoders ask for more: alternatives that only a check tells apart
	if err := e.diags.Err(); err != nil {
		return nil, err
	}
	if e.failed != nil {
		return nil, e.failed
	}
	var files []emit.File
	for doc, sheet := range e.sheets {
		e.sheets[doc] = nil // both texts of all documents need not be there at once
		if !e.used[doc] {
			continue
		}
		data, err := sheet.Format()
		if err != nil {
			return nil, fmt.Errorf("go-validators: %s: %w", m.Documents[doc].Path, err)
		}
		files = append(files, emit.File{Path: v.FileName(doc, "_validate.gen.go"), Data: data})
	}
	render := func(name string, f *jen.File) error {
		var buf bytes.Buffer
		if err := f.Render(&buf); err != nil {
			return fmt.Errorf("go-validators: %s: %w", name, err)
		}
		files = append(files, emit.File{Path: name, Data: buf.Bytes()})
		return nil
	}
	if judge != nil {
		if err := render("judge.gen.go", judge); err != nil {
			return nil, err
		}
	}
	if invariants != nil {
		if err := render("invariants.gen.go", invariants); err != nil {
			return nil, err
		}
	}
	if f := e.patternsFile(); f != nil {
		if err := render("patterns.gen.go", f); err != nil {
			return nil, err
		}
	}
	if err := render("package.gen.go", e.packageFile()); err != nil {
		return nil, err
	}
	return files, nil
}

// checks emits the check and mark functions that are asked for, and those that
// they ask for. The queue leads from document to document and back.
func (e *emitter) checks() {
	for len(e.queue)+len(e.markQueue) > 0 { // functions ask for those they call
		var doc int
		if len(e.queue) == 0 {
			key := e.markQueue[0]
			e.markQueue = e.markQueue[1:]
			doc = e.Schema(key.schema).Document
			e.markFunc(e.sheets[doc].File, key)
		} else {
			r := e.queue[0]
			e.queue = e.queue[1:]
			doc = e.Schema(r).Document
			e.checkFunc(e.sheets[doc].File, r)
		}
		e.used[doc] = true
		e.settle(doc)
	}
}

// decoders emits what turns nodes into values, and what completes both.
func (e *emitter) decoders() {
	for i := 1; i < len(e.Types); i++ {
		t := &e.Types[i]
		if !e.reached[i] && !e.patched[i] || !e.Composite(t.ID) {
			continue
		}
		f := e.sheets[t.Document].File
		if e.reached[i] {
			e.decodeFunc(f, t)
			e.completeFunc(f, t)
		}
		if e.patched[i] {
			e.patchFunc(f, t)
		}
		e.used[t.Document] = true
		e.settle(t.Document)
	}
}

func (e *emitter) decodeFunc(f *jen.File, t *model.Type) {
	switch t.Kind {
	case model.Struct:
		e.decodeStruct(f, t)
	case model.Wrapper:
		e.decodeWrapper(f, t)
	case model.Union:
		e.decodeUnion(f, t)
	case model.Tuple:
		e.decodeTuple(f, t)
	}
}

// settle gives up the trees of a document's file. The first error is kept in e.failed.
func (e *emitter) settle(doc int) {
	if err := e.sheets[doc].Settle(); err != nil && e.failed == nil {
		e.failed = fmt.Errorf("go-validators: %s: %w", e.Documents[doc].Path, err)
	}
}

type emitter struct {
	*goview.View
	rules     *ruleset             // nil without invariants
	sheets    []*goview.Sheet      // by document
	failed    error                // a declaration that cannot be written
	names     map[model.Ref]string // functions that check a schema
	taken     map[string]bool
	queue     []model.Ref // checks still to be emitted
	markers   map[markKey]string
	markQueue []markKey
	probes    map[model.Ref]bool
	heights   []int  // by schema; see shared.go
	callers   []int  // by schema: how many calls of its check there are
	forked    []bool // by schema: two ways may meet at its check
	marking   []int  // by schema: how many calls of its mark function there are
	used      []bool // by document: its file has declarations
	reached   []bool // by type: its decoder is called
	patched   []bool // by type: its patch function is called
	patterns  []patternUse
	byText    map[string]string // pattern → function
	literals  map[string]string // JSON text → variable
	busy      map[model.Ref]bool
	trivial   map[model.Ref]bool
	work      []int // by type: does Parse change its values; see needsWork
	diags     diag.List
}

func newEmitter(v *goview.View) *emitter {
	e := &emitter{
		View: v, names: map[model.Ref]string{}, taken: map[string]bool{}, used: make([]bool, len(v.Documents)),
		reached: make([]bool, len(v.Types)), patched: make([]bool, len(v.Types)), byText: map[string]string{}, literals: map[string]string{},
		markers: map[markKey]string{}, probes: map[model.Ref]bool{},
		busy: map[model.Ref]bool{}, trivial: map[model.Ref]bool{}, work: make([]int, len(v.Types)),
	}
	e.settleWork()
	e.settleShared()
	return e
}
