// Package glob reads the patterns of path scopes, matches paths with them, and
// decides whether one pattern covers another.
//
// Everything errs towards less: a pattern outside the subset matches nothing, a
// path that is not clean is matched by nothing, and covering is claimed only when
// it is proven. In particular no wildcard matches the leading dot of a segment, so
// that "**" gives no access to ".git".
package glob

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds on one pattern.
const (
	maxPattern    = 1024 // bytes
	maxExpansions = 64   // patterns that braces stand for
)

// Pattern is a compiled pattern; the zero Pattern matches nothing. A Pattern is
// not changed after it was made.
type Pattern struct {
	text   string
	shapes []shape // the pattern matches what any of them matches
	places int     // of all shapes, as counted by segment.first
}

// shape is a pattern without braces: one entry a segment.
type shape []segment

type segment struct {
	deep  bool // ** as a whole segment: any number of segments
	parts []part
	first int32 // the number of this segment's first place
}

type partKind uint8

const (
	literal partKind = iota
	one              // ?
	run              // *
)

type part struct {
	kind partKind
	r    rune // of a literal
}

// Compile reads a pattern of the subset:
//
//	literal      itself, case and all
//	*            any run of characters without /; a whole segment: at least one
//	?            one character but /
//	**           as a whole segment: zero or more segments; else like *
//	{a,b}        either one; at least two, not nested
//	./           in front, dropped once
//
// The error says why a pattern is outside the subset: absolute, a segment "." or
// "..", empty segments, brackets, parentheses, |, backslash, ! in front, a drive,
// control characters, braces that do not pair.
func Compile(text string) (Pattern, error) {
	if err := refuse(text); err != nil {
		return Pattern{}, err
	}
	expanded, err := expand(strings.TrimPrefix(text, "./"))
	if err != nil {
		return Pattern{}, err
	}
	p := Pattern{text: text}
	for _, e := range expanded {
		s, err := compile(e)
		if err != nil {
			return Pattern{}, err
		}
		for i := range s {
			s[i].first = int32(p.places)
			p.places += len(s[i].parts) + 2
		}
		p.shapes = append(p.shapes, s)
	}
	return p, nil
}

// String returns the text that the pattern was read from.
func (p Pattern) String() string { return p.text }

// IsZero reports whether p was never compiled.
func (p Pattern) IsZero() bool { return p.shapes == nil }

func refuse(text string) error {
	switch {
	case text == "":
		return errors.New("the pattern is empty")
	case len(text) > maxPattern:
		return fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	case !utf8.ValidString(text):
		return errors.New("the pattern is not UTF-8")
	case strings.HasPrefix(text, "/"):
		return errors.New("the pattern is absolute; paths are relative to the workspace")
	case strings.HasPrefix(text, "!"):
		return errors.New("a pattern cannot be negated")
	case len(text) > 1 && text[1] == ':' && isLetter(text[0]):
		return errors.New("the pattern begins with a drive")
	}
	for _, r := range text {
		switch {
		case r < 0x20 || r == 0x7F:
			return fmt.Errorf("the pattern holds the control character %U", r)
		case strings.ContainsRune(`[]()|\`, r):
			return fmt.Errorf("%q is not supported in patterns", r)
		}
	}
	return nil
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// expand writes the braces out.
func expand(text string) ([]string, error) {
	done, rest := []string{""}, text
	for {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			break
		}
		end := strings.IndexAny(rest[i+1:], "{}")
		if rest[i] == '}' || end < 0 {
			return nil, errors.New("the braces do not pair")
		}
		if rest[i+1+end] == '{' {
			return nil, errors.New("braces cannot stand inside braces")
		}
		options := strings.Split(rest[i+1:i+1+end], ",")
		if len(options) < 2 {
			return nil, errors.New("braces need at least two alternatives, with commas between")
		}
		if len(done)*len(options) > maxExpansions {
			return nil, fmt.Errorf("the braces stand for more than %d patterns", maxExpansions)
		}
		var next []string
		for _, d := range done {
			for _, o := range options {
				next = append(next, d+rest[:i]+o)
			}
		}
		done, rest = next, rest[i+end+2:]
	}
	for i := range done {
		done[i] += rest
	}
	return done, nil
}

func compile(text string) (shape, error) {
	var s shape
	for name := range strings.SplitSeq(text, "/") {
		switch name {
		case "":
			return nil, errors.New("the pattern has an empty segment")
		case ".", "..":
			return nil, fmt.Errorf("the pattern has the segment %q", name)
		case "**":
			// Two of them in a row say no more than one.
			if len(s) == 0 || !s[len(s)-1].deep {
				s = append(s, segment{deep: true})
			}
			continue
		}
		var seg segment
		for _, r := range name {
			switch {
			case r == '?':
				seg.parts = append(seg.parts, part{kind: one})
			case r != '*':
				seg.parts = append(seg.parts, part{literal, r})
			case len(seg.parts) == 0 || seg.parts[len(seg.parts)-1].kind != run:
				seg.parts = append(seg.parts, part{kind: run})
			}
		}
		s = append(s, seg)
	}
	return s, nil
}

// wildFirst reports whether the segment begins with a wildcard, which keeps it
// from matching names with a leading dot.
func (s segment) wildFirst() bool { return s.deep || s.parts[0].kind != literal }
