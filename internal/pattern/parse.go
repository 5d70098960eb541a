package pattern

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits on what is parsed at all. Published patterns stay far below them.
const (
	maxPattern = 64 << 10 // bytes of a pattern
	maxDepth   = 200      // nested groups
	maxCount   = 1 << 24  // larger repeat counts are an error: no string reaches them
)

// parser reads one pattern. It stops at the first error, which it throws as a
// panic of type parseError; parse catches it.
type parser struct {
	src    string
	pos    int
	depth  int
	groups int // capturing groups in the whole pattern, to tell back-references
}

type parseError struct{ err error }

// parse reads src into a tree.
func parse(src string) (n *node, err error) {
	if len(src) > maxPattern {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, len(src), maxPattern)
	}
	for i, r := range src {
		if r == utf8.RuneError {
			if _, w := utf8.DecodeRuneInString(src[i:]); w == 1 {
				return nil, &SyntaxError{i, "invalid UTF-8"}
			}
		}
	}
	p := &parser{src: src, groups: countGroups(src)}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case parseError:
			n, err = nil, e.err
		default:
			panic(e)
		}
	}()
	n = p.disjunction()
	if p.pos < len(p.src) { // only a ) ends a disjunction early
		p.fail(p.pos, "unmatched )")
	}
	return n, nil
}

// countGroups counts capturing groups without parsing: \1 may stand before its group.
func countGroups(src string) int {
	n, class := 0, false
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '(':
			rest := src[i+1:]
			named := strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!")
			if !class && (named || !strings.HasPrefix(rest, "?")) {
				n++
			}
		}
	}
	return n
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(parseError{&SyntaxError{at, fmt.Sprintf(format, args...)}})
}

func (p *parser) unsupported(at int, construct string) {
	panic(parseError{&UnsupportedError{at, construct}})
}

func (p *parser) more() bool { return p.pos < len(p.src) }

// eat steps over lit if it comes next.
func (p *parser) eat(lit string) bool {
	if strings.HasPrefix(p.src[p.pos:], lit) {
		p.pos += len(lit)
		return true
	}
	return false
}

func (p *parser) rune() rune {
	r, w := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += w
	return r
}

func (p *parser) disjunction() *node {
	if p.depth++; p.depth > maxDepth {
		panic(parseError{fmt.Errorf("%w: groups nest deeper than %d at offset %d", ErrTooLarge, maxDepth, p.pos)})
	}
	alts := []*node{p.alternative()}
	for p.eat("|") {
		alts = append(alts, p.alternative())
	}
	p.depth--
	return alternate(alts...)
}

func (p *parser) alternative() *node {
	var terms []*node
	for p.more() && p.src[p.pos] != '|' && p.src[p.pos] != ')' {
		terms = append(terms, p.term())
	}
	return concat(terms...)
}

// term reads an assertion or an atom with its quantifier.
func (p *parser) term() *node {
	start := p.pos
	atom := p.atom()
	lo, hi, ok := p.quantifier()
	if !ok {
		return atom
	}
	if isAssertion(p.src[start:]) {
		p.fail(start, "an assertion cannot be repeated")
	}
	return repeat(atom, lo, hi)
}

func isAssertion(src string) bool {
	return src[0] == '^' || src[0] == '$' || strings.HasPrefix(src, `\b`) || strings.HasPrefix(src, `\B`)
}

func (p *parser) atom() *node {
	start := p.pos
	switch c := p.rune(); c {
	case '^':
		return &node{kind: kindBegin}
	case '$':
		return &node{kind: kindEnd}
	case '.':
		return &node{kind: kindSet, set: setDot}
	case '(':
		return p.group(start)
	case '[':
		return &node{kind: kindSet, set: p.class(start).minus(surrogates)}
	case '*', '+', '?':
		p.fail(start, "nothing to repeat before %c", c)
	case '{':
		p.pos = start
		if _, _, ok := p.quantifier(); ok {
			p.fail(start, "nothing to repeat before {")
		}
		p.pos = start + 1
		return literal('{')
	case '\\':
		if p.eat("b") {
			return &node{kind: kindWord}
		}
		if p.eat("B") {
			return &node{kind: kindNotWord}
		}
		set, _ := p.escape(start, false)
		return &node{kind: kindSet, set: set.minus(surrogates)}
	default:
		return literal(c)
	}
	panic("unreachable")
}

func literal(r rune) *node { return &node{kind: kindSet, set: runeSet{{r, r}}} }

func (p *parser) group(start int) *node {
	switch {
	case p.eat("?:"):
	case p.eat("?="):
		p.unsupported(start, "look-ahead (?=")
	case p.eat("?!"):
		p.unsupported(start, "negative look-ahead (?!")
	case p.eat("?<="):
		p.unsupported(start, "look-behind (?<=")
	case p.eat("?<!"):
		p.unsupported(start, "negative look-behind (?<!")
	case p.eat("?<"):
		p.groupName(start)
	case p.eat("?"):
		if p.more() && strings.IndexByte("ims-", p.src[p.pos]) >= 0 {
			p.unsupported(start, "group with flags (?"+p.src[p.pos:p.pos+1])
		}
		p.fail(start, "unknown group (?")
	}
	n := p.disjunction()
	if !p.eat(")") {
		p.fail(start, "group is not closed")
	}
	return n
}

// groupName steps over a name and its >. The name itself has no meaning here.
func (p *parser) groupName(start int) {
	name, _, ok := strings.Cut(p.src[p.pos:], ">")
	if !ok {
		p.fail(start, "group name is not closed")
	}
	for i, r := range name {
		letter := r == '$' || r == '_' || r >= utf8.RuneSelf || setWord.has(r) && !setDigit.has(r)
		if !letter && (i == 0 || !setDigit.has(r)) {
			p.fail(p.pos+i, "group name cannot hold %q", r)
		}
	}
	if name == "" {
		p.fail(start, "group name is empty")
	}
	p.pos += len(name) + 1
}

// quantifier reads what may follow an atom. A brace that starts no quantifier
// is left for the next atom.
func (p *parser) quantifier() (lo, hi int, ok bool) {
	switch {
	case p.eat("*"):
		lo, hi = 0, unbounded
	case p.eat("+"):
		lo, hi = 1, unbounded
	case p.eat("?"):
		lo, hi = 0, 1
	case p.more() && p.src[p.pos] == '{':
		start := p.pos
		p.pos++
		var digits bool
		if lo, digits = p.count(start); !digits {
			p.pos = start
			return 0, 0, false
		}
		hi = lo
		if p.eat(",") {
			if hi, digits = p.count(start); !digits {
				hi = unbounded
			}
		}
		if !p.eat("}") {
			p.pos = start
			return 0, 0, false
		}
		if hi != unbounded && hi < lo {
			p.fail(start, "repeat counts are out of order")
		}
		if max(lo, hi) > maxCount {
			panic(parseError{fmt.Errorf("%w: repeat count above %d at offset %d", ErrTooLarge, maxCount, start)})
		}
	default:
		return 0, 0, false
	}
	p.eat("?") // lazy: the same language
	return lo, hi, true
}

// count reads a decimal number, held at maxCount+1.
func (p *parser) count(start int) (n int, ok bool) {
	for p.more() && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		n = min(n*10+int(p.src[p.pos]-'0'), maxCount+1)
		p.pos++
		ok = true
	}
	return n, ok
}
