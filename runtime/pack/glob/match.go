package glob

import (
	"strings"
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
	set, next := p.start(), []state(nil)
	for _, c := range path {
		next = next[:0]
		for _, st := range set {
			next = p.step(next, st, c)
		}
		if len(next) == 0 {
			return false
		}
		set, next = next, set
	}
	for _, st := range set {
		if p.accepts(st) {
			return true
		}
	}
	return false
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
