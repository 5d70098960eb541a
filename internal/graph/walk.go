package graph

import (
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// enter records the schema v and all schemas inside it. r is the resource around
// it; when r has no root yet, v becomes it. anchor is a name that an identifier
// gave it.
func (b *builder) enter(d *Document, v *source.Value, pointer string, r *resource, in dialect, anchor string) *Schema {
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
		r, in, anchor = b.embedded(s, r, in)
	}
	if r.root == nil {
		r.root = s
	}
	s.Draft, s.Vocabulary, s.res, s.Resource, s.BaseURI = in.draft, in.vocab, r, r.root, r.uri.text
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
func (b *builder) embedded(s *Schema, r *resource, outer dialect) (*resource, dialect, string) {
	own := meaning{dialect: outer, known: true}
	named := s.Value.Get("$schema")
	if named != nil && named.Kind == source.String {
		if own = b.dialectOf(r.uri, named); !own.known {
			own.dialect = outer
		}
	}
	id, ok := b.identifier(s.Value, own.draft)
	if !ok {
		return r, outer, ""
	}
	if !own.known && !own.lost {
		b.unknownDialect(named, s.Pointer)
	}
	pointer := s.Pointer + "/" + own.draft.idKeyword()
	u, fragment, ok := b.parseID(id, own.draft, pointer)
	if !ok {
		return r, outer, ""
	}
	inner := r.uri.resolve(u)
	if inner.text == r.uri.text {
		return r, outer, fragment // only an anchor
	}
	b.unknownVocabulary(own, named, s.Pointer)
	b.named = append(b.named, candidate{strings.TrimSuffix(id.Text, "#"), id.Pos})
	in := &resource{uri: inner, pos: id.Pos}
	b.declare(in)
	return in, own.dialect, fragment
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
		k := s.dialect().keyword(m.Name)
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
	c := b.enter(s.doc, v, pointer, s.res, s.dialect(), "")
	if c == nil {
		return
	}
	c.placed = true
	if k.inPlace {
		s.inPlace = append(s.inPlace, c)
	}
}
