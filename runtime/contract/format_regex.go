package contract

import (
	"bytes"
	"unicode/utf8"
)

// maxRegexDepth bounds nested groups; a deeper expression is not taken for one.
const maxRegexDepth = 256

// IsRegex reports whether s is a regular expression of ECMA-262. Escapes of
// punctuation that needs none and lone braces and brackets pass, as they do
// outside unicode mode; escapes of letters without meaning do not. It does not
// look at the names of properties nor for two groups of one name.
func IsRegex(s []byte) bool {
	r := regexScanner{s: s}
	return utf8.Valid(s) && r.scan()
}

// regexScanner reads an expression from left to right without building anything.
type regexScanner struct {
	s     []byte
	i     int
	depth int
	// assertion has a bit for each open group: it is a look-behind, which must
	// not be repeated.
	assertion [maxRegexDepth / 64]uint64
	groups    int // capturing groups in all of s; counted when first asked for
	names     int // references by name so far
}

// maxNameReferences bounds the searches for a group's name, each of which may
// read the whole expression.
const maxNameReferences = 100

func (r *regexScanner) eat(text string) bool {
	if n := len(text); len(r.s)-r.i >= n && string(r.s[r.i:r.i+n]) == text {
		r.i += n
		return true
	}
	return false
}

func (r *regexScanner) scan() bool {
	atom := false // something that may be repeated has just been read
	for r.i < len(r.s) {
		c := r.s[r.i]
		r.i++
		switch c {
		case '^', '$', '|':
			atom = false
		case '(':
			if r.depth == maxRegexDepth || !r.open() {
				return false
			}
			atom = false
		case ')':
			if r.depth == 0 {
				return false
			}
			r.depth--
			atom = r.assertion[r.depth/64]>>(r.depth%64)&1 == 0
		case '[':
			if !r.class() {
				return false
			}
			atom = true
		case '\\':
			if r.eat("b") || r.eat("B") {
				atom = false
				continue
			}
			if _, ok := r.escape(false); !ok {
				return false
			}
			atom = true
		case '*', '+', '?', '{':
			r.i--
			quantifier, ok := r.quantifier()
			if !ok || quantifier && !atom {
				return false
			}
			atom = !quantifier // a lone brace stands for itself
		default:
			atom = true
		}
	}
	return r.depth == 0
}

// open reads what follows the parenthesis of a group.
func (r *regexScanner) open() bool {
	behind := false
	if r.eat("?") {
		switch {
		case r.eat(":"), r.eat("="), r.eat("!"):
		case r.eat("<="), r.eat("<!"):
			behind = true
		case r.eat("<"):
			if len(r.name()) == 0 {
				return false
			}
		default:
			return false
		}
	}
	bit := uint64(1) << (r.depth % 64)
	r.assertion[r.depth/64] &^= bit
	if behind {
		r.assertion[r.depth/64] |= bit
	}
	r.depth++
	return true
}

// name reads a group's name and its >; it is empty if malformed.
func (r *regexScanner) name() []byte {
	start := r.i
	for ; r.i < len(r.s); r.i++ {
		c := r.s[r.i]
		switch {
		case c == '>':
			r.i++
			return r.s[start : r.i-1]
		case c == '$' || c == '_' || c >= utf8.RuneSelf || alnumSet.Has(c) && (r.i > start || c > '9'):
		default:
			return nil
		}
	}
	return nil
}

// quantifier reads *, +, ?, {n}, {n,} or {n,m}. It is false, true for a brace
// that begins none of them.
func (r *regexScanner) quantifier() (found, ok bool) {
	if r.s[r.i] == '{' {
		rest := r.s[r.i+1:]
		low := digitsOf(rest)
		rest = rest[len(low):]
		high := low
		if len(rest) > 0 && rest[0] == ',' {
			high = digitsOf(rest[1:])
			rest = rest[1+len(high):]
		}
		if len(low) == 0 || len(rest) == 0 || rest[0] != '}' {
			r.i++
			return false, true
		}
		if len(high) > 0 {
			a, b := trimZerosLeft(low), trimZerosLeft(high)
			if len(a) > len(b) || len(a) == len(b) && bytes.Compare(a, b) > 0 {
				return true, false
			}
		}
		r.i = len(r.s) - len(rest)
	}
	r.i++
	r.eat("?")
	return true, true
}

func digitsOf(s []byte) []byte {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return s[:n]
}

// class reads a class after its bracket.
func (r *regexScanner) class() bool {
	r.eat("^")
	for r.i < len(r.s) {
		if r.eat("]") {
			return true
		}
		low, ok := r.classAtom()
		if !ok {
			return false
		}
		if r.i+1 < len(r.s) && r.s[r.i] == '-' && r.s[r.i+1] != ']' {
			r.i++
			high, ok := r.classAtom()
			if !ok || low >= 0 && high >= 0 && low > high {
				return false
			}
		}
	}
	return false
}

// classAtom gives a member of a class, -1 if it is a set.
func (r *regexScanner) classAtom() (rune, bool) {
	if r.eat(`\`) {
		return r.escape(true)
	}
	c, w := utf8.DecodeRune(r.s[r.i:])
	r.i += w
	return c, true
}

// escape reads what follows a backslash and gives the code point, -1 for a set.
func (r *regexScanner) escape(inClass bool) (rune, bool) {
	if r.i == len(r.s) {
		return 0, false
	}
	c, w := utf8.DecodeRune(r.s[r.i:])
	r.i += w
	switch c {
	case 'd', 'D', 'w', 'W', 's', 'S':
		return -1, true
	case 't', 'n', 'v', 'f', 'r':
		return rune("\t\n\v\f\r"[bytes.IndexByte([]byte("tnvfr"), byte(c))]), true
	case 'b':
		return '\b', inClass
	case 'c':
		if r.i == len(r.s) || r.s[r.i]|0x20 < 'a' || r.s[r.i]|0x20 > 'z' {
			return 0, false
		}
		r.i++
		return rune(r.s[r.i-1] & 31), true
	case 'x':
		return r.hex(2)
	case 'u':
		return r.unicode()
	case '0':
		return 0, r.i == len(r.s) || r.s[r.i]-'0' > 9
	case 'p', 'P':
		end := bytes.IndexByte(r.s[r.i:], '}')
		if end < 2 || r.s[r.i] != '{' {
			return 0, false
		}
		r.i += end + 1
		return -1, true
	case 'k':
		if inClass || !r.eat("<") {
			return 0, false
		}
		name := r.name()
		r.names++
		return -1, len(name) > 0 && r.names <= maxNameReferences && bytes.Contains(r.s, append(append([]byte("(?<"), name...), '>'))
	}
	if c >= '1' && c <= '9' {
		number := digitsOf(r.s[r.i-1:])
		r.i += len(number) - 1
		return -1, !inClass && r.hasGroup(number)
	}
	return c, c >= utf8.RuneSelf || !alnumSet.Has(byte(c))
}

// hasGroup reports whether there are as many capturing groups as number says.
func (r *regexScanner) hasGroup(number []byte) bool {
	if r.groups == 0 {
		r.groups = countRegexGroups(r.s)
	}
	if len(number) > 9 {
		return false
	}
	want := 0
	for _, c := range number {
		want = want*10 + int(c-'0')
	}
	return want <= r.groups
}

func countRegexGroups(s []byte) int {
	n, class := 0, false
	for i := 0; i < len(s); i++ {
		switch rest := s[i+1:]; {
		case s[i] == '\\':
			i++
		case s[i] == '[':
			class = true
		case s[i] == ']':
			class = false
		case s[i] != '(' || class:
		case len(rest) == 0 || rest[0] != '?' || len(rest) > 2 && rest[1] == '<' && rest[2] != '=' && rest[2] != '!':
			n++
		}
	}
	return n
}

func (r *regexScanner) hex(n int) (rune, bool) {
	if len(r.s)-r.i < n {
		return 0, false
	}
	v := rune(0)
	for _, c := range r.s[r.i : r.i+n] {
		d := hexValue(c)
		if d < 0 {
			return 0, false
		}
		v = v<<4 | d
	}
	r.i += n
	return v, true
}

func hexValue(c byte) rune {
	switch {
	case c-'0' <= 9:
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// unicode reads what follows \u; two surrogates in a row are one code point.
func (r *regexScanner) unicode() (rune, bool) {
	if r.eat("{") {
		v := rune(0)
		start := r.i
		for ; r.i < len(r.s) && r.s[r.i] != '}'; r.i++ {
			d := hexValue(r.s[r.i])
			if d < 0 || v<<4|d > utf8.MaxRune {
				return 0, false
			}
			v = v<<4 | d
		}
		return v, r.i > start && r.eat("}")
	}
	v, ok := r.hex(4)
	if ok && v >= 0xD800 && v < 0xDC00 {
		after := r.i
		if r.eat(`\u`) {
			if low, ok := r.hex(4); ok && low >= 0xDC00 && low <= 0xDFFF {
				return 0x10000 + (v-0xD800)<<10 + (low - 0xDC00), true
			}
		}
		r.i = after
	}
	return v, ok
}
