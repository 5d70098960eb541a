package semrange

import (
	"errors"
	"fmt"
	"strings"
)

// Range is a set of versions: the union of its alternatives. The zero Range
// holds nothing. A Range is not changed after it was made.
type Range struct {
	text         string
	alternatives []alternative
}

// alternative holds the versions that satisfy all its comparators; without any
// it holds every release.
type alternative []comparator

type operator uint8

const (
	equal operator = iota
	less
	lessEqual
	greater
	greaterEqual
)

type comparator struct {
	op operator
	v  Version
}

// ParseRange reads a range in npm's grammar: alternatives with || between, each a
// list of comparators or a hyphen range; ^, ~, x-ranges and partial versions.
//
// npm lets pass what is refused here: an empty text or alternative (it would mean
// "any"), repeated or misplaced = and v ("==6", "^=6", "> =6"), "~ >", a star beside
// a number or word ("6.1.2*", which would mean "6.1.2"), and blanks beyond ASCII. The error says what is wrong and, for other tools' spellings, what
// npm writes.
func ParseRange(text string) (Range, error) {
	r := Range{text: text}
	if err := foreign(text); err != nil {
		return Range{}, err
	}
	any := false
	for part := range strings.SplitSeq(text, "||") {
		part = strings.Trim(part, blanks)
		if part == "" {
			if strings.Trim(text, blanks) == "" {
				return Range{}, errors.New(`the range is empty; write "*" for every release`)
			}
			return Range{}, errors.New(`an alternative beside || is empty`)
		}
		a, err := parseAlternative(part)
		if err != nil {
			return Range{}, err
		}
		any = any || len(a) == 0
		r.alternatives = append(r.alternatives, a)
	}
	if any {
		// As in npm, "any release" swallows the others, and with them the
		// prereleases that they would have let in.
		r.alternatives = []alternative{nil}
	}
	return r, nil
}

// foreign answers the spellings of other tools with npm's.
func foreign(text string) error {
	switch {
	case strings.Contains(text, ","):
		return errors.New(`a comma joins nothing in npm's grammar; put a blank between comparators, as in ">=6.0.0 <7.0.0"`)
	case strings.Contains(text, "!="):
		return errors.New(`npm's grammar has no !=; leave a version out with two alternatives, as in "<6.1.1 || >6.1.1"`)
	case strings.Contains(text, "=>"), strings.Contains(text, "=<"):
		return errors.New(`write ">=" or "<=", the equals sign last`)
	case strings.Contains(text, "=="):
		return errors.New(`write one equals sign, or none`)
	}
	return nil
}

// String returns the text that the range was read from.
func (r Range) String() string { return r.text }

// IsZero reports whether r was never parsed.
func (r Range) IsZero() bool { return r.alternatives == nil }

// Contains reports whether v satisfies the range. A prerelease does only where a
// comparator of the same alternative names a prerelease of the same
// major.minor.patch. It does not allocate.
func (r Range) Contains(v Version) bool {
	for _, a := range r.alternatives {
		if a.contains(v) {
			return true
		}
	}
	return false
}

func (a alternative) contains(v Version) bool {
	open := !v.IsPrerelease()
	for _, c := range a {
		if !c.contains(v) {
			return false
		}
		open = open || c.v.IsPrerelease() && c.v.sameTriple(v)
	}
	return open
}

func (c comparator) contains(v Version) bool {
	d := v.Compare(c.v)
	switch c.op {
	case less:
		return d < 0
	case lessEqual:
		return d <= 0
	case greater:
		return d > 0
	case greaterEqual:
		return d >= 0
	}
	return d == 0
}

// check reports an error unless every number is one that npm can write: a bound made by
// adding one may not be.
func (a alternative) check() error {
	for _, c := range a {
		if max(c.v.major, c.v.minor, c.v.patch) > maxNumber {
			return fmt.Errorf("the bound %s has a number above %d", c.v, uint64(maxNumber))
		}
	}
	return nil
}
