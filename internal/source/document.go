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
	docs   []*Document
	broken []Broken
}

// Broken is a file that is no document, because Load found something wrong with it.
type Broken struct {
	Path string
	IDs  []string // what seems to stand behind "$id" in it
	Dark bool     // it could not be read, so that it may have any id
}

// Broken returns the files that Load could make no documents of; none when it succeeded.
func (s *Set) Broken() []Broken { return s.broken }

// Documents returns the documents ordered by path. The slice must not be changed.
func (s *Set) Documents() []*Document { return s.docs }
