package pattern

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// class reads a character class after its [ at offset start.
func (p *parser) class(start int) runeSet {
	negated := p.eat("^")
	var spans []span
	for {
		if !p.more() {
			p.fail(start, "class is not closed")
		}
		if p.eat("]") {
			break
		}
		at := p.pos
		set, lo := p.classAtom()
		if !strings.HasPrefix(p.src[p.pos:], "-") || strings.HasPrefix(p.src[p.pos:], "-]") {
			spans = append(spans, set...)
			continue
		}
		p.pos++
		if !p.more() {
			p.fail(start, "class is not closed")
		}
		set2, hi := p.classAtom()
		switch {
		case lo < 0 || hi < 0: // [\w-x]: the hyphen stands for itself
			spans = append(append(append(spans, set...), set2...), span{'-', '-'})
		case lo > hi:
			p.fail(at, "range is out of order")
		default:
			spans = append(spans, span{lo, hi})
		}
	}
	set := p.folded(newSet(spans...))
	if negated {
		return set.negate()
	}
	return set
}

// classAtom reads one member of a class: its set, and the code point if it is a
// single one that can begin or end a range, else -1.
func (p *parser) classAtom() (runeSet, rune) {
	start := p.pos
	r := p.rune()
	if r == '\\' {
		return p.escape(start, true)
	}
	return runeSet{{r, r}}, r
}

// escape reads an escape after its backslash at offset start. The rune is -1 if
// the escape stands for a set.
func (p *parser) escape(start int, inClass bool) (runeSet, rune) {
	if !p.more() {
		p.fail(start, "pattern ends in a backslash")
	}
	one := func(r rune) (runeSet, rune) { return runeSet{{r, r}}, r }
	c := p.rune()
	switch c {
	case 'd':
		return setDigit, -1
	case 'D':
		return setDigit.negate(), -1
	case 'w':
		return setWord, -1
	case 'W':
		return setWord.negate(), -1
	case 's':
		return setSpace, -1
	case 'S':
		return setSpace.negate(), -1
	case 'p', 'P':
		set := p.property(start)
		if c == 'P' {
			set = set.negate()
		}
		return set, -1
	case 't':
		return one('\t')
	case 'n':
		return one('\n')
	case 'v':
		return one('\v')
	case 'f':
		return one('\f')
	case 'r':
		return one('\r')
	case 'c':
		if p.more() && isLetter(rune(p.src[p.pos])) {
			return one(p.rune() & 31)
		}
		p.fail(start, `\c needs a letter`)
	case 'x':
		if r, ok := p.hex(2); ok {
			return one(r)
		}
		p.fail(start, `\x needs two hexadecimal digits`)
	case 'u':
		return one(p.unicodeEscape(start))
	case '0':
		if p.more() && setDigit.has(rune(p.src[p.pos])) {
			p.fail(start, "octal escape")
		}
		return one(0)
	}
	switch {
	case c >= '1' && c <= '9':
		for p.more() && setDigit.has(rune(p.src[p.pos])) {
			p.pos++
		}
		p.fail(start, "%s refers to no group", p.src[start:p.pos])
	case inClass && c == 'b':
		return one('\b')
	case isLetter(c):
		p.fail(start, `unknown escape \%c`, c)
	}
	return one(c)
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// hex reads exactly n hexadecimal digits, or nothing.
func (p *parser) hex(n int) (rune, bool) {
	if len(p.src)-p.pos < n {
		return 0, false
	}
	v, err := strconv.ParseUint(p.src[p.pos:p.pos+n], 16, 32)
	if err != nil {
		return 0, false
	}
	p.pos += n
	return rune(v), true
}

// unicodeEscape reads what follows \u; two surrogates in a row are one code point.
func (p *parser) unicodeEscape(start int) rune {
	if p.eat("{") {
		text, _, ok := strings.Cut(p.src[p.pos:], "}")
		v, err := strconv.ParseUint(text, 16, 64)
		if !ok || err != nil || v > 0x10FFFF {
			p.fail(start, `\u{ needs a code point in hexadecimal and a }`)
		}
		p.pos += len(text) + 1
		return rune(v)
	}
	r, ok := p.hex(4)
	if !ok {
		p.fail(start, `\u needs four hexadecimal digits`)
	}
	if r >= 0xD800 && r < 0xDC00 {
		after := p.pos
		if p.eat(`\u`) {
			if low, ok := p.hex(4); ok && low >= 0xDC00 && low <= 0xDFFF {
				return utf16.DecodeRune(r, low)
			}
		}
		p.pos = after
	}
	return r
}

// property reads {Name} or {Name=Value} after \p.
func (p *parser) property(start int) runeSet {
	text, _, ok := strings.Cut(p.src[p.pos:], "}")
	if !ok || !strings.HasPrefix(text, "{") {
		p.fail(start, `\p needs a property in braces`)
	}
	p.pos += len(text) + 1
	set, known := property(text[1:])
	if !known {
		p.unsupported(start, "property "+p.src[start:p.pos])
	}
	return set
}
