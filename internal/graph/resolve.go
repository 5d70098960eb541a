package graph

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
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
func (b *builder) document(src *source.Document) {
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
		return
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

// identifier returns the value of the keyword that names a resource, unless
// there is none or its object ignores it.
func (b *builder) identifier(v *source.Value, draft Draft) (*source.Value, bool) {
	id := v.Get(draft.idKeyword())
	if id == nil || id.Kind != source.String || draft.refAlone() && v.Get("$ref") != nil {
		return nil, false
	}
	return id, true
}

// parseID reads an identifier; the fragment is an anchor in the older drafts.
func (b *builder) parseID(id *source.Value, draft Draft, pointer string) (*uriRef, string, bool) {
	u, fragment, err := reference(id.Text)
	switch {
	case err != nil:
		b.add(diag.Diagnostic{Code: "graph.bad-id", Pos: id.Pos, Pointer: pointer,
			Message: fmt.Sprintf("%s is not a URI reference: %v", quote(id.Text), err),
			Hint:    `use a name such as "task.v1.json" or an absolute URL`})
		return nil, "", false
	case fragment != "" && draft >= Draft2019:
		b.add(diag.Diagnostic{Code: "graph.bad-id", Pos: id.Pos, Pointer: pointer,
			Message: fmt.Sprintf("the identifier %s has a fragment", quote(id.Text)),
			Hint:    `name a place inside a document with "$anchor"`})
		return nil, "", false
	case strings.HasPrefix(fragment, "/"):
		fragment = "" // a pointer restates where the schema stands and names nothing
	}
	return u, fragment, true
}

// declare makes r known by its URI.
func (b *builder) declare(r *resource) {
	if b.late {
		return // an identifier at a place that no keyword leads to names nothing
	}
	first, taken := b.declared[r.uri.text]
	if !taken {
		b.declared[r.uri.text] = r
		return
	}
	b.add(diag.Diagnostic{Code: "graph.duplicate-id", Pos: r.pos,
		Message: "the identifier " + quote(r.uri.text) + " is declared twice", Hint: "give one of the schemas another $id",
		Related: []diag.Related{{Pos: first.pos, Message: "first declared here"}}})
}

// enter records the schema v and all schemas inside it. r is the resource around
// it; when r has no root yet, v becomes it. anchor is a name that an identifier
// gave it.
func (b *builder) enter(d *Document, v *source.Value, pointer string, r *resource, draft Draft, anchor string) *Schema {
	if v.Kind != source.Object && v.Kind != source.Bool {
		return nil // the meta-schema says so
	}
	if s := d.schemas[pointer]; s != nil {
		return s
	}
	if d.size += 2*len(pointer) + len(d.label); d.size > maxNames {
		if !d.overfull {
			d.overfull = true
			b.add(diag.Diagnostic{Code: "graph.too-large", Pos: v.Pos,
				Message: "the names of the schemas in this document are too long together", Hint: "shorten the names, or split the document"})
		}
		return nil
	}
	s := &Schema{Doc: d.Source, Pointer: pointer, Value: v, Location: d.label + "#" + pointer, doc: d}
	if r.root != nil {
		r, draft, anchor = b.embedded(s, r, draft)
	}
	if r.root == nil {
		r.root = s
	}
	s.Draft, s.res, s.Resource, s.BaseURI = draft, r, r.root, r.uri.text
	d.schemas[pointer] = s
	d.order = append(d.order, s)
	if pointer == "" {
		d.Root = s
	}
	b.queue = append(b.queue, s)
	b.anchors(s, anchor)
	b.children(s)
	return s
}

// embedded returns the resource that s belongs to when it stands inside r: a
// new one when s has an identifier.
func (b *builder) embedded(s *Schema, r *resource, draft Draft) (*resource, Draft, string) {
	own, known := draft, true
	dialect := s.Value.Get("$schema")
	if dialect != nil && dialect.Kind == source.String {
		var named Draft
		if named, known = draftOf(dialect.Text); known {
			own = named
		}
	}
	id, ok := b.identifier(s.Value, own)
	if !ok {
		return r, draft, ""
	}
	if !known {
		b.unknownDialect(dialect, s.Pointer)
	}
	pointer := s.Pointer + "/" + own.idKeyword()
	u, fragment, ok := b.parseID(id, own, pointer)
	if !ok {
		return r, draft, ""
	}
	inner := r.uri.resolve(u)
	if inner.text == r.uri.text {
		return r, draft, fragment // only an anchor
	}
	b.named = append(b.named, candidate{strings.TrimSuffix(id.Text, "#"), id.Pos})
	in := &resource{uri: inner, pos: id.Pos}
	b.declare(in)
	return in, own, fragment
}

// ignores reports whether a member counts for nothing because a "$ref" stands
// beside it. Definitions are kept: nothing but references looks at them.
func (s *Schema) ignores(name string) bool {
	return s.Draft.refAlone() && name != "$ref" && name != "definitions" && name != "$schema" && s.Value.Get("$ref") != nil
}

// children enters the schemas that the keywords of s hold.
func (b *builder) children(s *Schema) {
	for i := range s.Value.Members {
		m := &s.Value.Members[i]
		if s.ignores(m.Name) {
			continue
		}
		k := s.Draft.keyword(m.Name)
		at := s.Pointer + "/" + m.Name // no keyword needs escaping
		array := m.Value.Kind == source.Array
		switch {
		case k.shape == none:
		case k.shape == single && !array, k.shape == either && !array:
			b.child(s, k, m.Value, at)
		case k.shape == list && array, k.shape == either && array:
			for j, item := range m.Value.Items {
				if s.doc.overfull {
					return // even putting a pointer together costs
				}
				b.child(s, k, item, at+"/"+strconv.Itoa(j))
			}
		case (k.shape == names || k.shape == partial) && m.Value.Kind == source.Object:
			for j := range m.Value.Members {
				if s.doc.overfull {
					return
				}
				in := &m.Value.Members[j]
				b.child(s, k, in.Value, at+"/"+source.EscapeToken(in.Name))
			}
		}
	}
}

func (b *builder) child(s *Schema, k keyword, v *source.Value, pointer string) {
	c := b.enter(s.doc, v, pointer, s.res, s.Draft, "")
	if c == nil {
		return
	}
	c.placed = true
	if k.inPlace {
		s.inPlace = append(s.inPlace, c)
	}
}

// finish orders the schemas of each document by where they are written, and
// indexes the anchors that references can be redirected to.
func (b *builder) finish() {
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
