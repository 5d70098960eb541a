package contract

import "unicode/utf8"

// Padded decides patterns for a text of limited length that may stand between
// padding, such as ^\s*\S(?:.{0,198}\S)?\s*$: padding, then 1 to Max code points
// of Inner whose first and last are of Edge, then padding. No code point is both
// of Pad and of Edge.
type Padded struct {
	Pad, Edge, Inner RuneSet
	Max              int // -1: any number
}

// Match reads each byte of s once.
func (p *Padded) Match(s []byte) bool {
	i, _ := p.Pad.Run(s, 0, -1)
	n, last := 0, 0
	inner, pad := true, true // of all that followed the last Edge
	for i < len(s) {
		r, w := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, w = utf8.DecodeRune(s[i:])
		}
		i += w
		n++
		if p.Edge.has(r) {
			if !inner {
				return false
			}
			last, pad = n, true
			continue
		}
		inner = inner && p.Inner.has(r)
		pad = pad && p.Pad.has(r)
		if last == 0 || !inner && !pad {
			return false
		}
	}
	return last > 0 && pad && (last <= p.Max || p.Max < 0)
}
