package pattern

import (
	"math/rand/v2"
	"strings"
)

// maxSample bounds the bytes of a sample; it is cut there.
const maxSample = 16 << 10

// Sample gives a random string that the pattern matches, as long as it has no
// assertions but ^ and $ in their places, no set without members, and no need of
// more than 16 KiB. Generators of test data call MatchString to be sure.
func (p *Pattern) Sample(rnd *rand.Rand) string {
	var b strings.Builder
	sample(rnd, p.root, &b)
	return b.String()
}

func sample(rnd *rand.Rand, n *node, b *strings.Builder) {
	if b.Len() > maxSample {
		return
	}
	switch n.kind {
	case kindSet:
		if len(n.set) == 0 {
			return
		}
		s := n.set[rnd.IntN(len(n.set))]
		r := s.lo
		if rnd.IntN(3) > 0 { // borders of ranges are where mistakes are
			r += rune(rnd.Int64N(int64(s.hi-s.lo) + 1))
		}
		b.WriteRune(r)
	case kindConcat:
		for _, s := range n.subs {
			sample(rnd, s, b)
		}
	case kindAlt:
		sample(rnd, n.subs[rnd.IntN(len(n.subs))], b)
	case kindRepeat:
		count := n.min + rnd.IntN(3)
		if n.max != unbounded && (count > n.max || rnd.IntN(8) == 0) {
			count = n.max
		}
		for range min(count, maxSample) {
			sample(rnd, n.subs[0], b)
		}
	}
}
