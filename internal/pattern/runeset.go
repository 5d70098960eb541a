package pattern

import (
	"cmp"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// span is the code points lo to hi, both included.
type span struct{ lo, hi rune }

// runeSet is a set of code points: spans in ascending order that neither
// overlap nor touch.
type runeSet []span

// surrogates never occur in valid UTF-8; sets are kept free of them.
var surrogates = runeSet{{0xD800, 0xDFFF}}

func newSet(spans ...span) runeSet {
	s := slices.Clone(spans)
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	return runeSet(out)
}

func fromTable(t *unicode.RangeTable) runeSet {
	var spans []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			spans = append(spans, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			spans = append(spans, span{r, r})
		}
	}
	for _, r := range t.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return newSet(spans...)
}

func (s runeSet) union(t runeSet) runeSet { return newSet(slices.Concat(s, t)...) }

func (s runeSet) negate() runeSet {
	var out runeSet
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			out = append(out, span{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= utf8.MaxRune {
		out = append(out, span{next, utf8.MaxRune})
	}
	return out
}

func (s runeSet) minus(t runeSet) runeSet { return s.negate().union(t).negate() }

func (s runeSet) disjoint(t runeSet) bool {
	for i, j := 0, 0; i < len(s) && j < len(t); {
		switch {
		case s[i].hi < t[j].lo:
			i++
		case t[j].hi < s[i].lo:
			j++
		default:
			return false
		}
	}
	return true
}

func (s runeSet) equal(t runeSet) bool { return slices.Equal(s, t) }

func (s runeSet) has(r rune) bool {
	_, ok := slices.BinarySearchFunc(s, r, func(p span, r rune) int {
		switch {
		case p.hi < r:
			return -1
		case p.lo > r:
			return 1
		}
		return 0
	})
	return ok
}

// cased lists the code points that have another case, worked out once.
var cased = sync.OnceValue(func() (list []rune) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.SimpleFold(r) != r {
			list = append(list, r)
		}
	}
	return list
})

// fold adds the other cases of the members of s, by simple case folding.
func (s runeSet) fold() runeSet {
	out := slices.Clone(s)
	for _, r := range cased() {
		if s.has(r) {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				out = append(out, span{f, f})
			}
		}
	}
	return newSet(out...)
}

// single gives the only member of s.
func (s runeSet) single() (rune, bool) {
	if len(s) == 1 && s[0].lo == s[0].hi {
		return s[0].lo, true
	}
	return 0, false
}

// The sets that ECMA-262 gives a letter to.
var (
	setDigit = runeSet{{'0', '9'}}
	setWord  = newSet(span{'0', '9'}, span{'A', 'Z'}, span{'_', '_'}, span{'a', 'z'})
	setSpace = newSet(span{0x09, 0x0D}, span{0x20, 0x20}, span{0xA0, 0xA0}, span{0x1680, 0x1680},
		span{0x2000, 0x200A}, span{0x2028, 0x2029}, span{0x202F, 0x202F}, span{0x205F, 0x205F},
		span{0x3000, 0x3000}, span{0xFEFF, 0xFEFF})
	setDot = newSet(span{'\n', '\n'}, span{'\r', '\r'}, span{0x2028, 0x2029}).negate().minus(surrogates)
)
