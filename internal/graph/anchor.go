package graph

import (
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// anchors records the names that s has inside its resource. byID is the one
// that a fragment of its identifier gave it.
func (b *builder) anchors(s *Schema, byID string) {
	if byID != "" {
		b.anchor(s, byID, s.Draft.idKeyword())
	}
	if s.Draft >= Draft2019 {
		if v := s.Value.Get("$anchor"); v != nil && v.Kind == source.String {
			b.anchor(s, v.Text, "$anchor")
		}
	}
	if name := s.dynamicAnchor(); name != "" {
		b.anchor(s, name, "$dynamicAnchor")
	}
}

func (b *builder) anchor(s *Schema, name, keyword string) {
	r := s.res
	if r.anchors == nil {
		r.anchors, r.where = map[string]*Schema{}, map[string]diag.Pos{}
	}
	pos := s.Value.Get(keyword).Pos
	switch first := r.anchors[name]; first {
	case nil:
		r.anchors[name], r.where[name] = s, pos
	case s: // "$anchor" and "$dynamicAnchor" agree
	default:
		b.add(diag.Diagnostic{Code: "graph.duplicate-anchor", Pos: pos, Pointer: s.Pointer + "/" + keyword,
			Message: "the anchor " + quote(name) + " is declared twice in one resource", Hint: "rename one of the two",
			Related: []diag.Related{{Pos: r.where[name], Message: "first declared here"}}})
	}
}

// dynamicAnchor returns the name by which references are redirected to s.
func (s *Schema) dynamicAnchor() string {
	if s.Draft != Draft2020 {
		return ""
	}
	if v := s.Value.Get("$dynamicAnchor"); v != nil && v.Kind == source.String {
		return v.Text
	}
	return ""
}

// recursiveAnchor reports whether recursive references are redirected to s.
func (s *Schema) recursiveAnchor() bool {
	v := s.Value.Get("$recursiveAnchor")
	return s.Draft == Draft2019 && s == s.Resource && v != nil && v.Kind == source.Bool && v.Bool
}
