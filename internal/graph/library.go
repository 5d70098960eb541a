package graph

import (
	"fmt"
	"path"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/metaschema"
	"github.com/contractkit/contractkit/internal/source"
)

// shelf finds documents by URI that are at hand and not part of the graph yet.
type shelf struct {
	own     map[string]*source.Document // the contract's, which are part of it: for what their bytes say
	given   map[string]*source.Document // of Options.Library
	fetched map[string]*source.Document // what Options.Retrieve has answered
	joined  map[*source.Document]*Document
	paths   map[string]bool      // of the graph's documents: places are told apart by them
	digests map[string]*Document // documents of the graph with an id, by their bytes
	lost    map[string]bool      // URIs of the contract's files that are broken, as far as they can be told
	dark    bool                 // there is one that may have any URI
}

// shelve indexes the documents by their URIs: by $id, and the contract's own
// also by path.
func (b *builder) shelve(set, library *source.Set) {
	b.shelf = shelf{own: map[string]*source.Document{}, given: map[string]*source.Document{}, fetched: map[string]*source.Document{},
		joined: map[*source.Document]*Document{}, paths: map[string]bool{}, digests: map[string]*Document{}}
	put := func(to map[string]*source.Document, doc *source.Document) {
		for _, keyword := range []string{"$id", "id"} {
			id := doc.Root.Get(keyword)
			if id == nil || id.Kind != source.String {
				continue
			}
			if u, _, err := reference(id.Text); err == nil {
				to[b.base.resolve(u).text] = doc
			}
			break
		}
	}
	if library != nil {
		for _, doc := range library.Documents() {
			put(b.shelf.given, doc)
		}
	}
	for _, doc := range set.Documents() {
		b.shelf.own[b.fileURI(doc).text] = doc
	}
	for _, doc := range set.Documents() {
		b.shelf.paths[doc.Path] = true
		put(b.shelf.own, doc)
	}
	b.shelf.lost = map[string]bool{}
	for _, x := range set.Broken() {
		file := b.fileURI(&source.Document{Path: x.Path})
		b.shelf.lost[file.text] = true
		b.shelf.dark = b.shelf.dark || x.Dark
		bases := []*uri{b.base, file}
		for i, id := range x.IDs {
			u, _, err := reference(id)
			if err != nil {
				continue
			}
			for _, base := range bases {
				b.shelf.lost[base.resolve(u).text] = true
			}
			if i == 0 { // inner ids are written inside the first
				bases = append(bases, b.base.resolve(u))
			}
		}
	}
}

// broken reports whether a URI is that of a file of the contract which has been
// reported already: that it leads nowhere follows from that.
func (b *builder) broken(absolute string) bool { return b.shelf.dark || b.shelf.lost[absolute] }

// peek returns the document with the URI: one of the library, a published
// meta-schema, or what Options.Retrieve knows. nil: there is none.
func (b *builder) peek(absolute string) *source.Document {
	if doc := b.shelf.given[absolute]; doc != nil {
		return doc
	}
	if doc := metaschema.Find(absolute); doc != nil {
		return doc
	}
	if b.opt.Retrieve == nil {
		return nil
	}
	if doc, asked := b.shelf.fetched[absolute]; asked {
		return doc
	}
	doc, err := b.opt.Retrieve(absolute)
	if err != nil {
		doc = nil
		if list, ok := err.(diag.List); ok {
			for _, d := range list {
				b.add(d)
			}
		} else {
			b.add(diag.Diagnostic{Code: "graph.unreadable", Message: fmt.Sprintf("%s cannot be read: %v", quote(absolute), err)})
		}
	}
	b.shelf.fetched[absolute] = doc
	return doc
}

// join adds the document that has the URI, and returns what the URI names, or
// nil when there is no such document.
func (b *builder) join(absolute string) *resource {
	src := b.peek(absolute)
	if src == nil {
		return nil
	}
	d := b.shelf.joined[src]
	if d == nil {
		// Several addresses may serve one schema, which then is called by its id.
		if d = b.shelf.digests[src.Digest]; d == nil {
			if b.shelf.paths[src.Path] {
				b.add(diag.Diagnostic{Code: "graph.unreadable", Pos: diag.Pos{File: src.Path},
					Message: fmt.Sprintf("%s and another document both have this path", quote(absolute)), Hint: "rename one of the files"})
				return nil
			}
			b.shelf.paths[src.Path] = true
			late := b.late
			b.late = false
			d = b.document(src, absolute)
			d.Joined = true
			b.late = late
		}
		b.shelf.joined[src] = d
	}
	if d.Root == nil {
		return nil
	}
	if b.g.byURI[absolute] == nil { // a document may have another $id, or none
		b.g.byURI[absolute] = d.Root.res
	}
	return b.g.byURI[absolute]
}

// fileURI is the name of a contract's document by its path.
func (b *builder) fileURI(doc *source.Document) *uri {
	return b.base.resolve(&uriRef{Path: "./" + b.relative(doc)}) // ./ keeps a colon in the name from reading as a scheme
}

func (b *builder) relative(doc *source.Document) string {
	if dir := path.Clean(b.opt.Dir); dir != "." {
		return strings.TrimPrefix(doc.Path, dir+"/")
	}
	return doc.Path
}
