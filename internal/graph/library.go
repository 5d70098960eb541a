package graph

import "github.com/contractkit/contractkit/internal/source"

// shelve indexes the library by the URIs of its documents.
func (b *builder) shelve(set *source.Set) {
	if set == nil {
		return
	}
	b.library = make(map[string]*source.Document, len(set.Documents()))
	for _, doc := range set.Documents() {
		for _, keyword := range []string{"$id", "id"} {
			id := doc.Root.Get(keyword)
			if id == nil || id.Kind != source.String {
				continue
			}
			if u, _, err := reference(id.Text); err == nil {
				b.library[b.base.resolve(u).text] = doc
			}
			break
		}
	}
}

// join adds the document of the library that has the URI, and returns what the
// URI names, or nil when the library has no such document.
func (b *builder) join(absolute string) *resource {
	doc := b.library[absolute]
	if doc == nil {
		return nil
	}
	delete(b.library, absolute)
	late := b.late
	b.late = false
	b.document(doc).Joined = true
	b.late = late
	if r := b.g.byURI[absolute]; r != nil && r.root != nil {
		return r
	}
	return nil
}
