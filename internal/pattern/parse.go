package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	groups []string // names of the capturing groups in the whole pattern, "" for none
	// captures says that groups are kept in the tree and alternatives in order. It
	// is set only once a reference has been met: everything else is decided by the
	// language of the pattern alone.
	captures bool
	opened   int // capturing groups so far
	flags    flags
}

// flags are what (?i) and its like switch on, up to the end of the group around it.
// ECMA-262 has them for groups, as in (?i:…); the form without a colon comes from
// other languages, and real schemas use it.
type flags struct {
	fold   bool // i: the case of letters has no meaning
	dotAll bool // s: a dot matches line breaks as well
}

type parseError struct{ err error }

// errReference makes parse start again with captures.
var errReference = errors.New("the pattern refers to a group")

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
	p := &parser{src: src, groups: findGroups(src)}
	n, err = p.parse()
	if err == errReference {
		p = &parser{src: src, groups: p.groups, captures: true}
		n, err = p.parse()
	}
	return n, err
}

func (p *parser) parse() (n *node, err error) {
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

// findGroups lists capturing groups without parsing: \1 may stand before its group.
func findGroups(src string) (names []string) {
	class := false
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
			switch {
			case class:
			case named:
				name, _, _ := strings.Cut(rest[2:], ">")
				names = append(names, name)
			case !strings.HasPrefix(rest, "?"):
				names = append(names, "")
			}
		}
	}
	return names
}

// reference is a node for the text of a group that was met in the pattern.
func (p *parser) reference(group int) *node {
	if !p.captures {
		panic(parseError{errReference})
	}
	if p.flags.fold {
		p.unsupported(p.pos, "reference to a group without regard to case")
	}
	return &node{kind: kindRef, ref: group}
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
	if p.captures && len(alts) > 1 {
		return &node{kind: kindAlt, subs: alts}
	}
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
	lo, hi, lazy, ok := p.quantifier()
	switch {
	case !ok:
		return atom
	case isAssertion(p.src[start:]) || atom.kind == kindLook && atom.behind:
		p.fail(start, "an assertion cannot be repeated")
	case atom.kind == kindLook && lo == 0: // browsers take it; a round would match nothing
		return empty
	case atom.kind == kindLook:
		return atom
	case p.captures && hi != 0:
		return &node{kind: kindRepeat, subs: []*node{atom}, min: lo, max: hi, lazy: lazy}
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
		if p.flags.dotAll {
			return &node{kind: kindSet, set: runeSet(nil).negate().minus(surrogates)}
		}
		return &node{kind: kindSet, set: setDot}
	case '(':
		return p.group(start)
	case '[':
		return &node{kind: kindSet, set: p.class(start).minus(surrogates)}
	case '*', '+', '?':
		p.fail(start, "nothing to repeat before %c", c)
	case '{':
		p.pos = start
		if _, _, _, ok := p.quantifier(); ok {
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
		if n := p.backReference(start); n != nil {
			return n
		}
		set, _ := p.escape(start, false)
		return &node{kind: kindSet, set: p.folded(set).minus(surrogates)}
	default:
		return &node{kind: kindSet, set: p.folded(runeSet{{c, c}})}
	}
	panic("unreachable")
}

func literal(r rune) *node { return &node{kind: kindSet, set: runeSet{{r, r}}} }

func (p *parser) group(start int) *node {
	var wrap *node // what the group is, beside its contents
	switch {
	case p.eat("?:"):
	case p.eat("?="):
		wrap = &node{kind: kindLook}
	case p.eat("?!"):
		wrap = &node{kind: kindLook, neg: true}
	case p.eat("?<="):
		wrap = &node{kind: kindLook, behind: true}
	case p.eat("?<!"):
		wrap = &node{kind: kindLook, behind: true, neg: true}
	case p.eat("?<"):
		p.groupName(start)
		p.opened++
		wrap = &node{kind: kindGroup, ref: p.opened}
	case p.eat("?"):
		outer := p.flags
		if p.flagsOf(start) { // (?i) holds for what follows
			return empty
		}
		n := p.rest(start)
		p.flags = outer
		return n
	default:
		p.opened++
		wrap = &node{kind: kindGroup, ref: p.opened}
	}
	n := p.rest(start)
	if wrap == nil || wrap.kind == kindGroup && !p.captures {
		return n
	}
	wrap.subs = []*node{n}
	return wrap
}

// rest reads a group from behind its opening; flags set inside end with it.
func (p *parser) rest(start int) *node {
	outer := p.flags
	n := p.disjunction()
	p.flags = outer
	if !p.eat(")") {
		p.fail(start, "group is not closed")
	}
	return n
}

// flagsOf reads flags and what ends them: true for a ), false for a colon.
func (p *parser) flagsOf(start int) bool {
	on, any := true, false
	for p.more() {
		c := p.rune()
		if (c == ')' || c == ':') && !any {
			break
		}
		any = any || c != '-'
		switch c {
		case 'i':
			p.flags.fold = on
		case 's':
			p.flags.dotAll = on
		case 'm':
			p.unsupported(start, "flag m")
		case '-':
			if !on {
				p.fail(start, "two hyphens among flags")
			}
			on = false
		case ')':
			return true
		case ':':
			return false
		default:
			p.fail(start, "unknown group (?")
		}
	}
	p.fail(start, "unknown group (?")
	return false
}

// folded adds what differs from the members of set by case only, where that is asked for.
func (p *parser) folded(set runeSet) runeSet {
	if !p.flags.fold {
		return set
	}
	return set.fold()
}

// backReference reads \1 or \k<name> after the backslash, or gives nil when
// something else stands there.
func (p *parser) backReference(start int) *node {
	rest := p.src[p.pos:]
	if strings.HasPrefix(rest, "k<") {
		name, _, ok := strings.Cut(rest[2:], ">")
		at := slices.Index(p.groups, name)
		switch {
		case !ok || name == "" || at < 0:
			p.fail(start, `\k refers to no group`)
		case slices.Contains(p.groups[at+1:], name):
			p.fail(start, "two groups are called %s", name)
		}
		p.pos += len(name) + len("k<>")
		return p.reference(at + 1)
	}
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(rest[:digits])
	if err != nil || rest[0] == '0' || n > len(p.groups) {
		return nil // escape says what is wrong
	}
	p.pos += digits
	return p.reference(n)
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
func (p *parser) quantifier() (lo, hi int, lazy, ok bool) {
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
			return 0, 0, false, false
		}
		hi = lo
		if p.eat(",") {
			if hi, digits = p.count(start); !digits {
				hi = unbounded
			}
		}
		if !p.eat("}") {
			p.pos = start
			return 0, 0, false, false
		}
		if hi != unbounded && hi < lo {
			p.fail(start, "repeat counts are out of order")
		}
		if max(lo, hi) > maxCount {
			panic(parseError{fmt.Errorf("%w: repeat count above %d at offset %d", ErrTooLarge, maxCount, start)})
		}
	default:
		return 0, 0, false, false
	}
	return lo, hi, p.eat("?"), true
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
