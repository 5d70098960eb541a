package graph

import (
	"fmt"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// identifier returns the value of the keyword that names a resource, unless
// there is none or its object ignores it.
func (b *builder) identifier(v *source.Value, draft Draft) (*source.Value, bool) {
	id := v.Get(draft.idKeyword())
	if id == nil || id.Kind != source.String || draft == OpenAPI30 || draft.refAlone() && v.Get("$ref") != nil {
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
		if b.g.byURI != nil { // a document of the library joins
			b.g.byURI[r.uri.text] = r
		}
		return
	}
	b.add(diag.Diagnostic{Code: "graph.duplicate-id", Pos: r.pos,
		Message: "the identifier " + quote(r.uri.text) + " is declared twice", Hint: "give one of the schemas another $id",
		Related: []diag.Related{{Pos: first.pos, Message: "first declared here"}}})
}
