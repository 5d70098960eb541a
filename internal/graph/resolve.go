package graph

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
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
	library  map[string]*source.Document // by URI; those that have not joined
	declared map[string]*resource        // by $id, or by path when a document has none
	named    []candidate                 // all names, for suggestions
	queue    []*Schema                   // in the order in which they were found
	late     bool                        // all names are declared
	effort   int                         // how many names suggestions may still be compared with
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
	base := newURI(&url.URL{Scheme: "contract", Host: contract, Path: "/"})
	if opt.Base != "" {
		u, err := url.Parse(opt.Base)
		if err != nil || !u.IsAbs() {
			return nil, fmt.Errorf("the base %q is not an absolute URI", opt.Base)
		}
		base = newURI(u)
	}
	b := &builder{opt: opt, base: base, g: &Graph{dynamic: map[string][]*Schema{}},
		declared: map[string]*resource{}, effort: 200_000}
	b.shelve(opt.Library)
	for _, doc := range set.Documents() {
		b.document(doc)
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

// document identifies one document and walks it.
func (b *builder) document(src *source.Document) *Document {
	d := &Document{Source: src, Draft: b.opt.Draft, schemas: map[string]*Schema{}}
	b.g.docs = append(b.g.docs, d)
	d.rel = src.Path
	if dir := path.Clean(b.opt.Dir); dir != "." {
		d.rel = strings.TrimPrefix(src.Path, dir+"/")
	}
	d.file = b.base.resolve(&url.URL{Path: "./" + d.rel}) // ./ keeps a colon in the name from reading as a scheme
	d.label = d.rel
	if k := src.Root.Kind; k != source.Object && k != source.Bool {
		b.add(diag.Diagnostic{Code: "graph.meta-schema", Pos: src.Root.Pos, Message: "a schema is an object or a boolean, not " + kindName(src.Root),
			Hint: "fixtures belong in files named *.valid.json or *.invalid.json"})
		d.unknown = true
		return d
	}
	if v := src.Root.Get("$schema"); v != nil {
		b.dialect(d, v)
	}
	r := &resource{uri: d.file, pos: diag.Pos{File: src.Path, Line: 1, Col: 1}}
	anchor := ""
	if id, ok := b.identifier(src.Root, d.Draft); ok {
		u, fragment, ok := b.parseID(id, d.Draft, "/"+d.Draft.idKeyword())
		if ok {
			r.pos = id.Pos
			d.ID = id.Text
			if named := strings.TrimSuffix(id.Text, "#"+fragment); named != "" {
				d.label = named
				r.uri = b.base.resolve(u)
				b.named = append(b.named, candidate{named, id.Pos})
			}
			anchor = fragment
		}
	}
	b.declare(r)
	b.enter(d, src.Root, "", r, d.Draft, anchor)
	return d
}

// dialect reads "$schema".
func (b *builder) dialect(d *Document, v *source.Value) {
	if v.Kind != source.String {
		return // the meta-schema says so
	}
	draft, ok := draftOf(v.Text)
	if ok {
		d.Draft = draft
		return
	}
	d.unknown = true
	b.unknownDialect(v, "")
}

// unknownDialect reports the "$schema" of the schema at a pointer.
func (b *builder) unknownDialect(v *source.Value, pointer string) {
	hint := `write "$schema": "` + Draft2020.URL() + `", or leave it out`
	if best := b.closest(v.Text, dialects()); best != "" {
		hint = "did you mean \"" + best + "\"?"
	}
	b.add(diag.Diagnostic{Code: "graph.unknown-dialect", Pos: v.Pos, Pointer: pointer + "/$schema",
		Message: "the dialect " + quote(v.Text) + " is not known", Hint: hint})
}

func dialects() []string {
	var all []string
	for _, u := range draftURLs {
		all = append(all, u)
	}
	slices.Sort(all)
	return all
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
