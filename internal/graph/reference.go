package graph

import (
	"fmt"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// link is a reference that is being followed.
type link struct {
	from     *Schema
	text     string
	pos      diag.Pos
	pointer  string // of the reference itself
	fragment string
}

// references follows the references that stand in s.
func (b *builder) references(s *Schema) {
	if s.doc.unknown {
		return // what its keywords mean is not known
	}
	s.Ref, _ = b.follow(s, "$ref")
	switch s.Draft {
	case Draft2020:
		if target, l := b.follow(s, "$dynamicRef"); target != nil {
			s.DynamicRef = &DynamicRef{Target: target}
			if l.fragment != "" && target.dynamicAnchor() == l.fragment {
				s.DynamicRef.Anchor, s.DynamicRef.Dynamic = l.fragment, true
			}
		}
	case Draft2019:
		if target, _ := b.follow(s, "$recursiveRef"); target != nil {
			s.RecursiveRef = &DynamicRef{Target: target, Dynamic: target.recursiveAnchor()}
		}
	}
}

// follow returns the schema that the reference in a keyword of s leads to, or
// nil when there is none or the problem has been reported.
func (b *builder) follow(s *Schema, keyword string) (*Schema, *link) {
	v := s.Value.Get(keyword)
	if v == nil || v.Kind != source.String {
		return nil, nil // the meta-schema says so
	}
	l := &link{from: s, text: v.Text, pos: v.Pos, pointer: s.Pointer + "/" + keyword}
	u, fragment, err := reference(v.Text)
	if err != nil {
		b.bad(l, fmt.Sprintf("%s is not a URI reference: %v", quote(v.Text), err), `a reference looks like "task.json#/properties/name"`)
		return nil, nil
	}
	l.fragment = fragment
	if keyword == "$recursiveRef" && v.Text != "#" {
		b.bad(l, `a "$recursiveRef" can only be "#"`, `use "$ref" to refer to anything else`)
		return nil, nil
	}
	r := b.resource(s, u)
	if r == nil {
		b.missingResource(l, u)
		return nil, nil
	}
	switch {
	case fragment == "":
		return r.root, l
	case fragment[0] == '/':
		return b.byPointer(l, r), l
	}
	if target := r.anchors[fragment]; target != nil {
		return target, l
	}
	b.missingAnchor(l, r)
	return nil, nil
}

// resource finds what u names inside s: by the base URI, as the standard has
// it, else by the path of the file, as people expect it.
func (b *builder) resource(s *Schema, u *uriRef) *resource {
	if *u == (uriRef{}) {
		return s.res
	}
	absolute := s.res.uri.resolve(u).text
	if r := b.g.byURI[absolute]; r != nil && r.root != nil {
		return r
	}
	if r := b.join(absolute); r != nil {
		return r
	}
	if u.Scheme == "" && u.Host == "" {
		beside := s.doc.file.resolve(u).text
		if r := b.g.byURI[beside]; r != nil && r.root != nil {
			return r
		}
		return b.join(beside)
	}
	return nil
}

// byPointer follows a pointer from the root of r. It may lead through embedded
// resources, and to a place where no keyword puts a schema: what stands there
// is a schema from now on.
func (b *builder) byPointer(l *link, r *resource) *Schema {
	d, pointer := r.root.doc, r.root.Pointer+l.fragment
	if s := d.schemas[pointer]; s != nil {
		return s
	}
	v := r.root.Value.Lookup(l.fragment)
	switch {
	case v == nil:
		b.missingPointer(l, r)
		return nil
	case v.Kind != source.Object && v.Kind != source.Bool:
		b.bad(l, fmt.Sprintf("%s leads to %s, not to a schema", quote(l.text), kindName(v)), "")
		return nil
	}
	around := r.root
	for up := pointer; len(up) > len(r.root.Pointer); {
		up = up[:strings.LastIndexByte(up, '/')]
		if s := d.schemas[up]; s != nil {
			around = s
			break
		}
	}
	d.added = true
	return b.enter(d, v, pointer, around.res, around.dialect(), "")
}

func (b *builder) bad(l *link, message, hint string) {
	b.add(diag.Diagnostic{Code: "graph.bad-ref", Pos: l.pos, Pointer: l.pointer, Message: message, Hint: hint})
}

func (b *builder) unresolved(l *link, message, hint string) {
	b.add(diag.Diagnostic{Code: "graph.unresolved-ref", Pos: l.pos, Pointer: l.pointer, Message: message, Hint: hint})
}

func (b *builder) missingResource(l *link, u *uriRef) {
	if b.broken(l.from.res.uri.resolve(u).text) || b.broken(l.from.doc.file.resolve(u).text) {
		return
	}
	if b.full() {
		b.dropped++
		return
	}
	name, _, _ := strings.Cut(l.text, "#")
	hint := b.suggest(name, b.named)
	if u.Scheme == "http" || u.Scheme == "https" {
		if hint == "" {
			hint = `add the document to the schemas of the contract, with this "$id"`
		}
		b.add(diag.Diagnostic{Code: "graph.remote-ref", Pos: l.pos, Pointer: l.pointer, Hint: hint,
			Message: "no document has the id " + quote(name) + ", and documents are never fetched from the network"})
		return
	}
	if hint == "" {
		hint = "a reference names a document by its $id or by its path below the schemas folder"
	}
	b.unresolved(l, "no document has the id "+quote(name), hint)
}

func (b *builder) missingAnchor(l *link, r *resource) {
	if b.full() {
		b.dropped++
		return
	}
	var known []candidate
	if b.effort >= len(r.where) {
		for name, pos := range r.where {
			known = append(known, candidate{name, pos})
		}
	}
	hint := b.suggest(l.fragment, known)
	if hint == "" && r.root.Value.Lookup("/"+l.fragment) != nil {
		hint = fmt.Sprintf("a pointer starts with a slash: did you mean %s?", quote("#/"+l.fragment))
	}
	b.unresolved(l, fmt.Sprintf("%s has no anchor %s", quote(r.root.Location), quote(l.fragment)), hint)
}

// missingPointer names the first token that leads nowhere.
func (b *builder) missingPointer(l *link, r *resource) {
	if b.full() {
		b.dropped++
		return
	}
	v, good := r.root.Value, ""
	rest := l.fragment
	for {
		token, after, more := strings.Cut(rest[1:], "/")
		next := v.Lookup("/" + token)
		if next == nil {
			name, ok := source.UnescapeToken(token)
			if !ok {
				b.bad(l, fmt.Sprintf("%s is not a JSON Pointer", quote(l.fragment)), "in a pointer, ~ is written ~0 and / is written ~1")
				return
			}
			var known []candidate
			if b.effort >= len(v.Members) {
				for i := range v.Members {
					known = append(known, candidate{v.Members[i].Name, v.Members[i].NamePos})
				}
			}
			hint := b.suggest(name, known)
			if root := r.root.doc.Root; hint == "" && root != r.root && root.Value.Lookup(l.fragment) != nil {
				hint = fmt.Sprintf("the $id at %v makes # mean the schema around it; write %s", r.pos, quote(root.doc.label+"#"+l.fragment))
			}
			b.unresolved(l, fmt.Sprintf("%s leads nowhere: %s has no %s", quote(l.text), quote(r.root.Location+good), quote(name)), hint)
			return
		}
		if !more {
			return
		}
		v, good, rest = next, good+"/"+token, "/"+after
	}
}
