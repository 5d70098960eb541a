// Package source reads schema files into values that know where they were written.
//
// Bytes enter, documents leave: text is well formed UTF-8 JSON or YAML, member
// names are unique, and every value has a position. It knows nothing of JSON
// Schema; that is package graph's job.
package source

// Document is one source file.
type Document struct {
	Path   string // slash-separated, relative to the project root
	Bytes  []byte // the file as read
	Digest string // "sha256:<hex>" of Bytes
	Root   *Value
}

// Set is the read-only result of Load: documents ordered by path.
type Set struct {
	docs []*Document
}

// Documents returns the documents ordered by path. The slice must not be changed.
func (s *Set) Documents() []*Document { return s.docs }
