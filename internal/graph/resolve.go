package graph

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// Options is what Resolve needs to know besides the documents.
type Options struct {
	// Dir is the folder of the contract's schemas, relative to the project root.
	// Documents are named by their path below it. Empty is the root itself.
	Dir string
	// Base is the absolute URI that documents are named under; default
	// contract://<contract>/.
	Base string
	// Draft is what documents without "$schema" are written in; default 2020-12.
	Draft Draft
	// Library holds documents that join the graph when a reference names them by
	// their $id, for example meta-schemas. Their paths differ from the contract's.
	Library *source.Set
	// Retrieve gives the document that is served under an absolute URI without
	// fragment, which no document of the contract, of Library and no published
	// meta-schema has; nil when it knows none. It is asked once a URI, and what it
	// gives joins the graph under that URI and its own $id. It must not fetch
	// anything from a network. The documents' paths must differ from all others.
	Retrieve func(uri string) (*source.Document, error)
	// MaxProblems bounds the diagnostics; default 1,000.
	MaxProblems int
}

// maxNames bounds the bytes of pointers and locations of one document: long
// names, deeply nested, would otherwise need memory without measure.
const maxNames = 64 << 20

// builder is a Graph in the making.
type builder struct {
	opt      Options
	base     *uri
	g        *Graph
	list     diag.List
	dropped  int
	shelf    shelf
	dialects map[string]meaning   // by URI of the meta-schema
	declared map[string]*resource // by $id, or by path when a document has none
	named    []candidate          // all names, for suggestions
	queue    []*Schema            // in the order in which they were found
	late     bool                 // all names are declared
	effort   int                  // how many names suggestions may still be compared with
}

// resource is a schema with a URI of its own and all that shares its URI.
type resource struct {
	uri     *uri
	root    *Schema
	pos     diag.Pos // where the URI is written
	anchors map[string]*Schema
	where   map[string]diag.Pos // of each anchor
}

// candidate is a name that a reference may have meant.
type candidate struct {
	name string
	pos  diag.Pos
}

// Resolve connects the documents of one contract.
//
// A document's base URI is its $id, resolved against opt.Base,
// or its path below opt.Dir when it has none; it can be referred to by both.
// Nothing is fetched. The error is a [diag.List] with the problems of all
// documents.
func Resolve(contract string, set *source.Set, opt Options) (*Graph, error) {
	if opt.MaxProblems <= 0 {
		opt.MaxProblems = 1000
	}
	if opt.Draft == 0 {
		opt.Draft = Draft2020
	}
	base := newURI(baseOf(contract))
	if opt.Base != "" {
		u, err := url.Parse(opt.Base)
		if err != nil || !u.IsAbs() {
			return nil, fmt.Errorf("the base %q is not an absolute URI", opt.Base)
		}
		base = newURI(u)
	}
	b := &builder{opt: opt, base: base, g: &Graph{dynamic: map[string][]*Schema{}},
		declared: map[string]*resource{}, dialects: map[string]meaning{}, effort: 200_000}
	b.shelve(set, opt.Library)
	for _, doc := range set.Documents() {
		b.document(doc, "")
	}
	b.late = true
	b.g.byURI = make(map[string]*resource, 2*len(b.declared))
	for u, r := range b.declared {
		b.g.byURI[u] = r
	}
	// A path is a second name, which never hides a declared one.
	for _, d := range b.g.docs {
		if _, taken := b.g.byURI[d.file.text]; !taken && d.Root != nil {
			b.g.byURI[d.file.text] = d.Root.res
		}
		b.named = append(b.named, candidate{d.rel, diag.Pos{File: d.Source.Path, Line: 1, Col: 1}})
	}
	for i := 0; i < len(b.queue); i++ { // the queue grows
		b.references(b.queue[i])
	}
	b.meta()
	b.finish()
	b.loops()
	if b.dropped > 0 {
		b.list = append(b.list, diag.Diagnostic{Severity: diag.Note, Code: "graph.more",
			Message: fmt.Sprintf("at least %d further problems are not shown", b.dropped)})
	}
	if err := b.list.Err(); err != nil {
		return nil, err
	}
	return b.g, nil
}

func (b *builder) add(d diag.Diagnostic) {
	if b.full() {
		b.dropped++
		return
	}
	b.list.Add(d)
}

// full reports whether further problems are only counted.
func (b *builder) full() bool { return len(b.list) >= b.opt.MaxProblems }

// document identifies one document and walks it. retrieved is the URI that it
// was asked for by; "" for a document of the contract, which is called by its path.
func (b *builder) document(src *source.Document, retrieved string) *Document {
	d := &Document{Source: src, Draft: b.opt.Draft, schemas: map[string]*Schema{}}
	b.g.docs = append(b.g.docs, d)
	d.rel = b.relative(src)
	d.file = b.fileURI(src)
	if u, err := url.Parse(retrieved); err == nil && retrieved != "" {
		d.rel, d.file = retrieved, newURI(u)
	}
	d.label = d.rel
	if k := src.Root.Kind; k != source.Object && k != source.Bool {
		b.add(diag.Diagnostic{Code: "graph.meta-schema", Pos: src.Root.Pos, Message: "a schema is an object or a boolean, not " + kindName(src.Root),
			Hint: "fixtures belong in files named *.valid.json or *.invalid.json"})
		d.unknown = true
		return d
	}
	read := b.rootDialect(d, src.Root.Get("$schema"))
	d.Draft = read.draft
	r := &resource{uri: d.file, pos: diag.Pos{File: src.Path, Line: 1, Col: 1}}
	anchor := ""
	if id, ok := b.identifier(src.Root, d.Draft); ok {
		u, fragment, ok := b.parseID(id, d.Draft, "/"+d.Draft.idKeyword())
		if ok {
			r.pos = id.Pos
			d.ID = id.Text
			if named := strings.TrimSuffix(id.Text, "#"+fragment); named != "" {
				d.label = named
				r.uri = d.base(b).resolve(u)
				b.shelf.digests[src.Digest] = d
				b.named = append(b.named, candidate{named, id.Pos})
			}
			anchor = fragment
		}
	}
	b.declare(r)
	b.enter(d, src.Root, "", r, read, anchor)
	return d
}

// base is what the document's $id is resolved against: contracts name their
// documents side by side, whatever the folder; others are named by where they were found.
func (d *Document) base(b *builder) *uri {
	if d.rel == d.file.text {
		return d.file
	}
	return b.base
}

// finish orders the schemas of each document by where they are written, and
// indexes the anchors that references can be redirected to.
func (b *builder) finish() {
	slices.SortStableFunc(b.g.docs, func(x, y *Document) int { return cmp.Compare(x.Source.Path, y.Source.Path) })
	for _, d := range b.g.docs {
		if d.added {
			d.sort()
		}
		b.g.schemas = append(b.g.schemas, d.order...)
	}
	for _, s := range b.g.schemas {
		if name := s.dynamicAnchor(); name != "" {
			b.g.dynamic[name] = append(b.g.dynamic[name], s)
		}
		if s.recursiveAnchor() {
			b.g.recurse = append(b.g.recurse, s)
		}
	}
}

// sort brings schemas that were found late to their place.
func (d *Document) sort() {
	place := make(map[*source.Value]int)
	number(d.Source.Root, place)
	slices.SortStableFunc(d.order, func(a, b *Schema) int { return cmp.Compare(place[a.Value], place[b.Value]) })
}

func number(v *source.Value, place map[*source.Value]int) {
	place[v] = len(place)
	for i := range v.Members {
		number(v.Members[i].Value, place)
	}
	for _, item := range v.Items {
		number(item, place)
	}
}

// Base is the base URI of the documents of a contract that have no $id: a document's is
// its path below it.
func Base(contract string) string { return baseOf(contract).String() }

func baseOf(contract string) *url.URL {
	return &url.URL{Scheme: "contract", Host: contract, Path: "/"}
}
