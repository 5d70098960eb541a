package pattern

import "github.com/contractkit/contractkit/runtime/contract"

// padded recognises the shape of [contract.Padded] between ^ and $, whose counting
// makes automata large.
func padded(body *node) *Padded {
	if body.kind != kindConcat || len(body.subs) != 4 {
		return nil
	}
	front, edge, rest, back := body.subs[0], body.subs[1], body.subs[2], body.subs[3]
	if !isSpread(front, 0, unbounded) || !front.equal(back) || edge.kind != kindSet ||
		rest.kind != kindRepeat || rest.min != 0 || rest.max != 1 {
		return nil
	}
	pad, more := front.subs[0].set, rest.subs[0]
	if more.kind != kindConcat || len(more.subs) != 2 || !more.subs[1].equal(edge) || !edge.set.disjoint(pad) {
		return nil
	}
	inner := more.subs[0]
	if inner.kind != kindRepeat || !isSpread(inner, 0, inner.max) {
		return nil
	}
	set := inner.subs[0].set
	if len(edge.set.minus(set)) > 0 {
		return nil // an edge inside the text would not be of Inner
	}
	p := &Padded{contract.Padded{Pad: pad.runtime(), Edge: edge.set.runtime(), Inner: set.runtime(), Max: unbounded}}
	if inner.max != unbounded {
		p.Search.Max = inner.max + 2
	}
	return p
}

// isSpread reports whether n is a set repeated lo to hi times.
func isSpread(n *node, lo, hi int) bool {
	return n.kind == kindRepeat && n.min == lo && n.max == hi && n.subs[0].kind == kindSet
}

// runtime gives s in the form of emitted code.
func (s runeSet) runtime() contract.RuneSet {
	out := contract.RuneSet{ASCII: contract.ByteSet(s.low())}
	for _, r := range s.high() {
		out.High = append(out.High, r.lo, r.hi)
	}
	return out
}
