package pattern

import (
	"fmt"
	"strings"
)

// maxRE2 bounds the text of a translation; maxRE2Count is Go's own limit on counts.
const (
	maxRE2      = 1 << 20
	maxRE2Count = 1000
)

// re2 writes n in the syntax of Go's regexp: code points in hexadecimal where
// they are not letters or digits, classes as plain ranges, \A and \z for ends.
func re2(n *node) (string, error) {
	w := &re2Writer{}
	w.node(n)
	if w.full() {
		return "", fmt.Errorf("%w: its translation exceeds %d bytes", ErrTooLarge, maxRE2)
	}
	return w.String(), nil
}

type re2Writer struct{ strings.Builder }

func (w *re2Writer) full() bool { return w.Len() > maxRE2 }

func (w *re2Writer) node(n *node) {
	if w.full() {
		return
	}
	switch n.kind {
	case kindEmpty:
		w.WriteString("(?:)")
	case kindSet:
		w.set(n.set)
	case kindConcat:
		for _, s := range n.subs {
			w.atom(s, s.kind == kindAlt)
		}
	case kindAlt:
		for i, s := range n.subs {
			if i > 0 {
				w.WriteByte('|')
			}
			w.node(s)
		}
	case kindRepeat:
		w.repeat(n)
	case kindBegin:
		w.WriteString(`\A`)
	case kindEnd:
		w.WriteString(`\z`)
	case kindWord:
		w.WriteString(`\b`)
	case kindNotWord:
		w.WriteString(`\B`)
	}
}

func (w *re2Writer) atom(n *node, group bool) {
	if group {
		w.WriteString("(?:")
	}
	w.node(n)
	if group {
		w.WriteByte(')')
	}
}

func (w *re2Writer) repeat(n *node) {
	sub := n.subs[0]
	// Go refuses counts whose product over nested loops passes its limit, and
	// single counts beyond it. Such a loop is written out piece by piece.
	limit := max(1, maxRE2Count/countProduct(sub))
	piece := func(quantifier string) {
		w.atom(sub, sub.kind != kindSet)
		w.WriteString(quantifier)
	}
	exact := func(count int, format string) {
		for ; count > 0 && !w.full(); count -= limit {
			piece(fmt.Sprintf(format, min(count, limit)))
		}
	}
	switch {
	case n.min == 0 && n.max == unbounded:
		piece("*")
	case n.min == 1 && n.max == unbounded:
		piece("+")
	case n.min == 0 && n.max == 1:
		piece("?")
	case n.max == unbounded:
		exact(n.min, "{%d}")
		piece("*")
	case n.max <= limit:
		piece(fmt.Sprintf("{%d,%d}", n.min, n.max))
	default:
		exact(n.min, "{%d}")
		exact(n.max-n.min, "{0,%d}")
	}
}

// countProduct is the product of the counts along the deepest loops of n,
// held at the limit.
func countProduct(n *node) int {
	p := 1
	for _, s := range n.subs {
		p = max(p, countProduct(s))
	}
	if n.kind == kindRepeat {
		p *= max(1, min(max(n.min, n.max), maxRE2Count))
	}
	return min(p, maxRE2Count)
}

func (w *re2Writer) set(s runeSet) {
	if r, ok := s.single(); ok {
		w.rune(r)
		return
	}
	if len(s) == 0 {
		w.WriteString(`[^\x{0}-\x{10FFFF}]`)
		return
	}
	w.WriteByte('[')
	for _, r := range s {
		w.rune(r.lo)
		if r.hi > r.lo {
			w.WriteByte('-')
			w.rune(r.hi)
		}
	}
	w.WriteByte(']')
}

func (w *re2Writer) rune(r rune) {
	switch {
	case setWord.has(r) || strings.ContainsRune(" :/,;@#%!=<>~'\"", r):
		w.WriteRune(r)
	case r > ' ' && r < 0x7F:
		w.WriteByte('\\')
		w.WriteRune(r)
	default:
		fmt.Fprintf(w, `\x{%X}`, r)
	}
}
