package model

import (
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
)

// Options say how a contract wants its schemas read.
type Options struct {
	Contract     string // the contract's name
	Dispatch     string // member whose constant names a document's schema id; "" for none
	AssertFormat bool   // format is an assertion, not an annotation
	// AssertContent makes assertions of contentEncoding and contentMediaType, as far
	// as the encoding and the media type are known.
	AssertContent bool
	Root          bool // every document gets a type, also one that asserts nothing
	// RootName is the name of the type of each document that is no library's; default:
	// x-go-name or the file's name.
	RootName string
}

// Build turns a resolved graph into the model of one contract. It returns a
// diag.List when a schema uses what no target can honour.
func Build(g *graph.Graph, opt Options) (*Model, diag.List) {
	b := &builder{
		g: g, m: &Model{Contract: opt.Contract, Dispatch: opt.Dispatch},
		refs: map[instance]Ref{}, docs: map[*source.Document]int{}, names: map[string]Ref{}, next: map[string]int{}, texts: map[Ref][]Literal{}, opt: opt,
	}
	b.m.Schemas, b.m.Types = make([]Schema, 1, len(g.Schemas())+1), make([]Type, 1)
	for i, d := range g.Documents() {
		b.docs[d.Source] = i
		b.m.Documents = append(b.m.Documents, Document{Path: d.Source.Path, Digest: d.Source.Digest, Source: source.AppendJSON(nil, d.Root.Value)})
	}
	b.scopes(g)
	for _, s := range g.Schemas() {
		b.canonical(s)
	}
	for len(b.open) > 0 && !b.full {
		next := b.open[0]
		b.open = b.open[1:]
		b.schema(next.schema, next.env)
	}
	if b.full {
		return b.m, b.diags
	}
	for i, d := range g.Documents() {
		b.m.Documents[i].Root = b.canonical(d.Root)
		b.identify(i, d)
	}
	b.unions()
	b.types()
	return b.m, b.diags
}

type builder struct {
	g        *graph.Graph
	m        *Model
	refs     map[instance]Ref
	open     []instance // schemas whose keywords are still to be read
	docs     map[*source.Document]int
	names    map[string]Ref // type names given so far
	next     map[string]int // the number to try first behind a name
	reserved map[string]Ref // type names kept for a schema
	queue    []func()       // insides of types, still to be filled
	rewraps  map[Ref]Ref    // lists and maps of themselves: the type declared for each
	diags    diag.List
	full     bool              // a diagnostic says that there are too many schemas
	copies   int               // schemas that are reached with bindings
	texts    map[Ref][]Literal // what strings has answered
	opt      Options

	anchors   map[*graph.Schema][]anchor // dynamic anchors by resource
	sensitive map[*graph.Schema]bool     // schemas that lead to a dynamic reference
	envs      map[string]*env            // every set of bindings that came up
}

// identify finds the id by which callers ask for a document.
func (b *builder) identify(i int, d *graph.Document) {
	doc := &b.m.Documents[i]
	doc.ID = d.ID
	if doc.ID == "" {
		doc.ID = stem(doc.Path)
	}
	if b.m.Dispatch == "" {
		return
	}
	root := b.m.Schema(doc.Root)
	for _, p := range root.Properties {
		if p.Name != b.m.Dispatch {
			continue
		}
		if c := b.m.Schema(p.Schema).Const; c != nil && c.JSON[0] == '"' {
			doc.ID, doc.Dispatched = unquote(c.JSON), true
		}
	}
	if !doc.Dispatched {
		return
	}
	for j := range b.m.Documents[:i] {
		if o := &b.m.Documents[j]; o.Dispatched && o.ID == doc.ID {
			b.diags.Add(diag.Diagnostic{
				Code: "model.duplicate-schema-id", Pos: root.Pos,
				Message: "two documents claim the schema id " + doc.ID + " for the member " + b.m.Dispatch,
				Hint:    "give each document a constant of its own",
				Related: []diag.Related{{Pos: b.m.Schema(o.Root).Pos, Message: "the other one"}},
			})
		}
	}
}
