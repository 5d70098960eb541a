// Package graph connects schemas: it identifies every document's draft, holds
// each document to its meta-schema, finds all subschemas, names them by $id and
// $anchor, and leads every $ref to the schema that it means.
//
// A source.Set enters; a read-only Graph leaves in which no reference is open
// and no schema applies itself to one and the same value without end. What the
// keywords mean is the business of package model.
package graph

import (
	"strings"

	"github.com/contractkit/contractkit/internal/source"
)

// Graph is the read-only result of Resolve. It is safe for concurrent use.
type Graph struct {
	docs    []*Document
	schemas []*Schema
	dynamic map[string][]*Schema
	recurse []*Schema
	byURI   map[string]*resource
}

// Document is one file of the contract.
type Document struct {
	Source *source.Document
	Root   *Schema
	ID     string // the root's $id as written, or ""
	Draft  Draft
	Joined bool // it is not one of the contract: it came because a reference names it

	rel      string // path below the schemas folder
	label    string // ID, or rel when there is none
	file     *uri   // the name by path
	schemas  map[string]*Schema
	order    []*Schema
	added    bool // schemas were found at places that no keyword leads to
	unknown  bool // the dialect is not understood
	size     int  // bytes of pointers and locations
	overfull bool
}

// Schema is one place where a schema is written.
type Schema struct {
	Doc     *source.Document
	Pointer string        // RFC 6901, from the document's root
	Value   *source.Value // an object or a boolean
	Draft   Draft
	// Vocabulary is what of the draft counts; see [Schema.Knows].
	Vocabulary Vocabulary
	BaseURI    string  // absolute URI of the enclosing resource, without fragment
	Location   string  // for messages: the document's $id or path as written, then # and Pointer
	Resource   *Schema // root of the enclosing resource: the schema that the fragment "#" means here

	Ref          *Schema     // what "$ref" leads to, or nil
	DynamicRef   *DynamicRef // what "$dynamicRef" leads to, or nil
	RecursiveRef *DynamicRef // what "$recursiveRef" leads to, or nil; it has no Anchor

	doc     *Document
	res     *resource
	placed  bool      // a keyword leads here
	inPlace []*Schema // schemas inside s that apply to the same value as s
}

// DynamicRef is a reference that may be redirected by the schemas on the way.
type DynamicRef struct {
	Target  *Schema // what it means when nothing redirects it
	Anchor  string  // the name that is looked for in outer resources; empty unless Dynamic
	Dynamic bool    // false: it is an ordinary reference to Target
}

// Schemas returns every schema, ordered by document path, then by where it is
// written. The slice must not be changed.
func (g *Graph) Schemas() []*Schema { return g.schemas }

// Documents returns the documents ordered by path. The slice must not be changed.
func (g *Graph) Documents() []*Document { return g.docs }

// Child returns the schema at a way of unescaped pointer tokens below s, for
// example Child(s, "properties", "kind"), or nil when no schema is there.
func (g *Graph) Child(s *Schema, tokens ...string) *Schema {
	n := len(s.Pointer)
	for _, t := range tokens {
		n += len(t) + 1
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteString(s.Pointer)
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(source.EscapeToken(t))
	}
	return s.doc.schemas[b.String()]
}

// Document returns the document in which s is written.
func (g *Graph) Document(s *Schema) *Document { return s.doc }

// DynamicAnchors returns the schemas with a "$dynamicAnchor" of that name, in
// the order of Schemas.
func (g *Graph) DynamicAnchors(name string) []*Schema { return g.dynamic[name] }

// RecursiveAnchors returns the resource roots with "$recursiveAnchor": true, in
// the order of Schemas.
func (g *Graph) RecursiveAnchors() []*Schema { return g.recurse }

// Anchor returns the schema that is called name by "$anchor" or
// "$dynamicAnchor" in the resource of s, or nil.
func (g *Graph) Anchor(s *Schema, name string) *Schema { return s.res.anchors[name] }

// ByURI returns the root of the resource with that absolute URI, or nil. A
// document is found by its $id and by its path: contract://<contract>/<path>.
func (g *Graph) ByURI(absolute string) *Schema {
	if r := g.byURI[strings.TrimSuffix(absolute, "#")]; r != nil {
		return r.root
	}
	return nil
}
