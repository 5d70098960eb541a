package glob

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPath is the longest path, in bytes, that is matched.
const maxPath = 4096

// Match reports whether the pattern matches a path: relative to the workspace,
// clean, with / between segments. A path that is absolute or not clean, that has
// a backslash, a NUL or a byte that is not UTF-8, is matched by nothing.
func (p Pattern) Match(path string) bool {
	if !IsClean(path) {
		return false
	}
	at, next := p.start(), p.newSet()
	for _, c := range path {
		next.clear(&p)
		for _, st := range at.list {
			p.step(next, st, c)
		}
		if len(next.list) == 0 {
			return false
		}
		at, next = next, at
	}
	return slices.ContainsFunc(at.list, p.accepts)
}

// IsClean reports whether path is one that scopes speak of: relative, not empty,
// at most 4096 bytes of UTF-8, / between segments, none of them empty, "." or
// "..", and no backslash or NUL.
func IsClean(path string) bool {
	if path == "" || len(path) > maxPath || strings.ContainsAny(path, "\\\x00") || !utf8.ValidString(path) {
		return false
	}
	for path != "" {
		name, rest, more := strings.Cut(path, "/")
		if name == "" || name == "." || name == ".." || more && rest == "" {
			return false
		}
		path = rest
	}
	return true
}

// Reaches reports whether the pattern may match the entry name at the top of the
// workspace or anything below it. Letter case is ignored: some file systems do
// not tell it apart. An uncompiled pattern reaches nothing.
func (p Pattern) Reaches(name string) bool {
	folded := strings.ToLower(name)
	for _, s := range p.shapes {
		for _, seg := range s {
			if seg.matchesFolded(folded) {
				return true
			}
			if !seg.deep { // ** may stand for nothing
				break
			}
		}
	}
	return false
}

// matchesFolded matches one segment against a lower-case name.
func (s segment) matchesFolded(name string) bool {
	if strings.HasPrefix(name, ".") && s.wildFirst() {
		return false
	}
	if s.deep {
		return true
	}
	folded := segment{parts: make([]part, len(s.parts))}
	for i, part := range s.parts {
		part.r = unicode.ToLower(part.r)
		folded.parts[i] = part
	}
	p := Pattern{shapes: []shape{{folded}}, places: len(folded.parts) + 2}
	return p.Match(name)
}
