// Package semrange reads versions by SemVer 2.0.0 and ranges of versions by
// npm's grammar, and says which version is inside which range.
//
// It is npm's range layer, prerelease rule included, less the spellings that npm
// lets pass by accident (see [ParseRange]). It imports the standard library only.
package semrange

import (
	"cmp"
	"fmt"
	"strings"
)

// Bounds that npm sets too.
const (
	maxNumber  = 1<<53 - 1 // largest major, minor or patch
	maxVersion = 256       // bytes of one version
)

// Version is a SemVer 2.0.0 version. The zero Version is 0.0.0. Versions are
// values; they may be copied and compared from many goroutines.
type Version struct {
	major, minor, patch uint64
	pre                 string // without the hyphen; "" for a release
	build               string // without the plus sign; means nothing for precedence
}

// ParseVersion reads a strict version: three numbers without leading zeros,
// then optionally -prerelease and +build. No v in front, no blanks, at most 256
// bytes. The error says what is wrong.
func ParseVersion(text string) (Version, error) {
	v, parts, rest, err := scanVersion(text, false)
	switch {
	case err != nil:
		return Version{}, err
	case parts < 3:
		return Version{}, fmt.Errorf("%q has %d of the three numbers of a version", text, parts)
	case rest != "":
		return Version{}, fmt.Errorf("%q goes on after the version with %q", text, rest)
	}
	return v, nil
}

// String prints the version, build part included.
func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch)
	if v.pre != "" {
		s += "-" + v.pre
	}
	if v.build != "" {
		s += "+" + v.build
	}
	return s
}

// Major returns the first number.
func (v Version) Major() uint64 { return v.major }

// IsPrerelease reports whether the version has a prerelease part.
func (v Version) IsPrerelease() bool { return v.pre != "" }

// HasBuild reports whether the version has a build part.
func (v Version) HasBuild() bool { return v.build != "" }

// Compare orders by precedence: -1 if v is lower than w, 0 if neither is lower,
// 1 if it is higher. The build part is ignored. It does not allocate.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.major, w.major), cmp.Compare(v.minor, w.minor), cmp.Compare(v.patch, w.patch),
		comparePre(v.pre, w.pre))
}

// sameTriple reports whether the three numbers agree.
func (v Version) sameTriple(w Version) bool {
	return v.major == w.major && v.minor == w.minor && v.patch == w.patch
}

func comparePre(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "":
		return 1
	case b == "":
		return -1
	}
	for {
		x, restA, moreA := strings.Cut(a, ".")
		y, restB, moreB := strings.Cut(b, ".")
		if c := compareIdentifier(x, y); c != 0 {
			return c
		}
		if !moreA || !moreB {
			switch {
			case moreA:
				return 1
			case moreB:
				return -1
			}
			return 0
		}
		a, b = restA, restB
	}
}

// compareIdentifier orders numbers by value and before words. Numbers have no
// leading zeros, so the longer one is the larger one.
func compareIdentifier(a, b string) int {
	numA, numB := digits(a) == len(a), digits(b) == len(b)
	switch {
	case numA && numB:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case numA:
		return -1
	case numB:
		return 1
	}
	return strings.Compare(a, b)
}

// digits returns how many of the first bytes of s are decimal digits.
func digits(s string) int {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}
