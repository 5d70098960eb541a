package contract

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Trim removes white space at both ends: what ECMAScript calls so, which has
// U+FEFF and lacks U+0085.
func Trim(s string) string {
	if len(s) > 0 && isInk(s[0]) && isInk(s[len(s)-1]) {
		return s
	}
	return strings.TrimFunc(s, isWhite)
}

// isInk reports whether c is by itself a character that is no white space.
func isInk(c byte) bool { return c > ' ' && c < utf8.RuneSelf }

func isWhite(r rune) bool {
	switch {
	case r >= 0x09 && r <= 0x0D, r == ' ', r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A,
		r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}

// LowerASCII makes the letters A to Z small.
func LowerASCII(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf && (s[i] < 'A' || s[i] > 'Z') {
		i++
	}
	if i == len(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// TextSet returns the texts of a list that are not empty, each once, in order of
// their UTF-16 code units. It leaves the list itself alone; nil stays nil.
func TextSet(list []string) []string {
	if list == nil {
		return nil
	}
	set := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	slices.SortFunc(set, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	return slices.Compact(set)
}
