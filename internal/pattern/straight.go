package pattern

import "unicode/utf8"

// maxOps bounds the size of a straight plan, which becomes code line by line.
const maxOps = 400

// maxHigh bounds the pairs of a set's members from 0x80 on.
const maxHigh = 64

// straighten gives a plan that decides n from left to right, or nil if somewhere
// the next code point does not tell which way to go.
func straighten(n *node, end bool) *Straight {
	b := &straightener{}
	ops, _ := b.ops(n, follow{open: !end})
	if b.failed {
		return nil
	}
	lo, hi := opsSize(ops)
	if !end {
		hi = unbounded
	}
	return &Straight{Ops: ops, End: end, Min: lo, Max: hi}
}

// follow says what may come next: the code points of set, the end of the string,
// or, if open, anything at all.
type follow struct {
	set  runeSet
	open bool
}

func (f follow) after(first runeSet, nullable bool) follow {
	if nullable {
		return follow{first.union(f.set), f.open}
	}
	return follow{first, false}
}

// excludes reports whether nothing in f begins like set.
func (f follow) excludes(set runeSet) bool { return !f.open && f.set.disjoint(set) }

// excludesLead is excludes by first bytes.
func (f follow) excludesLead(set runeSet) bool {
	return !f.open && f.set.lead().disjoint(set.lead())
}

type straightener struct {
	failed bool
	count  int
}

func (b *straightener) fail() ([]Op, runeSet) {
	b.failed = true
	return nil, nil
}

// ops compiles n, given what follows it; it returns also the code points that n
// can begin with.
func (b *straightener) ops(n *node, next follow) ([]Op, runeSet) {
	if b.count++; b.failed || b.count > maxOps {
		return b.fail()
	}
	switch n.kind {
	case kindEmpty:
		return nil, nil
	case kindSet:
		return b.run(n.set, 1, 1, next)
	case kindConcat:
		var parts [][]Op
		var first runeSet
		for i := len(n.subs) - 1; i >= 0; i-- {
			ops, f := b.ops(n.subs[i], next)
			if b.failed {
				return nil, nil
			}
			parts = append(parts, ops)
			nullable := n.subs[i].nullable()
			next = next.after(f, nullable)
			if nullable {
				first = first.union(f)
			} else {
				first = f
			}
		}
		var out []Op
		for i := len(parts) - 1; i >= 0; i-- {
			for _, op := range parts[i] {
				out = appendOp(out, op)
			}
		}
		return out, first
	case kindAlt:
		return b.choice(n, next)
	case kindRepeat:
		sub := n.subs[0]
		if sub.kind == kindSet {
			return b.run(sub.set, n.min, n.max, next)
		}
		return b.group(sub, n.min, n.max, next)
	}
	return b.fail()
}

// appendOp adds op and joins literals.
func appendOp(ops []Op, op Op) []Op {
	if lit, ok := op.(Literal); ok && len(ops) > 0 {
		if last, ok := ops[len(ops)-1].(Literal); ok {
			ops[len(ops)-1] = Literal{last.Text + lit.Text}
			return ops
		}
	}
	// One code point of a set with all of 0x80 on, before a run that has them
	// too: the first byte is enough, the run takes the rest of the code point.
	if run, ok := op.(Run); ok && run.Set.Whole && run.Min == 0 && len(ops) > 0 {
		if last, ok := ops[len(ops)-1].(Run); ok && last.Min == 1 && last.Max == 1 && coversHigh(last.Set.High) {
			last.Set.Whole = true
			last.Set.Bytes.add(utf8.RuneSelf, 0xFF)
			ops[len(ops)-1] = last
		}
	}
	return append(ops, op)
}

func coversHigh(high []rune) bool {
	return len(high) == 4 && high[0] == utf8.RuneSelf && high[3] == utf8.MaxRune
}

func (b *straightener) run(set runeSet, lo, hi int, next follow) ([]Op, runeSet) {
	if lo != hi && !next.excludes(set) || len(set) == 0 {
		return b.fail()
	}
	if r, ok := set.single(); ok && lo == 1 && hi == 1 {
		return []Op{Literal{string(r)}}, set
	}
	s := Set{Bytes: set.low()}
	for _, r := range set.high() {
		s.High = append(s.High, r.lo, r.hi)
	}
	if len(s.High) > 2*maxHigh {
		return b.fail()
	}
	if coversHigh(s.High) && lo <= 1 && hi == unbounded {
		s.Whole = true
		s.Bytes.add(utf8.RuneSelf, 0xFF)
	}
	return []Op{Run{s, lo, hi}}, set
}

func (b *straightener) group(sub *node, lo, hi int, next follow) ([]Op, runeSet) {
	if sub.nullable() {
		return b.fail()
	}
	// A round is followed by another round or by what follows the group.
	first := sub.first()
	inner := next
	if hi != 1 {
		inner = follow{first.union(next.set), next.open}
	}
	ops, _ := b.ops(sub, inner)
	if b.failed || lo != hi && !next.excludesLead(first) {
		return b.fail()
	}
	return []Op{Group{Ops: ops, First: first.lead(), Min: lo, Max: hi}}, first
}

func (b *straightener) choice(n *node, next follow) ([]Op, runeSet) {
	subs, optional := factor(n.subs)
	if len(subs) == 1 && !optional {
		return b.ops(subs[0], next)
	}
	if len(subs) == 1 {
		return b.ops(repeat(subs[0], 0, 1), next)
	}
	c := Choice{Optional: optional}
	var first runeSet
	var leads ByteSet
	for _, s := range subs {
		if s.nullable() {
			return b.fail()
		}
		ops, f := b.ops(s, next)
		if b.failed {
			return nil, nil
		}
		lead := f.lead()
		if !lead.disjoint(leads) {
			return b.fail()
		}
		leads = leads.union(lead)
		first = first.union(f)
		c.Branches = append(c.Branches, Branch{lead, ops})
	}
	if optional && !next.excludesLead(first) {
		return b.fail()
	}
	return []Op{c}, first
}

// factor takes the empty alternative out and joins alternatives that begin
// alike: file|files becomes file(|s).
func factor(alts []*node) (subs []*node, optional bool) {
	type bundle struct {
		head  *node
		tails []*node
	}
	var bundles []*bundle
next:
	for _, a := range alts {
		if a.kind == kindEmpty {
			optional = true
			continue
		}
		head, tail := a, empty
		if a.kind == kindConcat {
			head, tail = a.subs[0], concat(a.subs[1:]...)
		}
		for _, b := range bundles {
			if b.head.equal(head) {
				b.tails = append(b.tails, tail)
				continue next
			}
		}
		bundles = append(bundles, &bundle{head, []*node{tail}})
	}
	for _, b := range bundles {
		// Tails may begin alike again; choice sees to them in its turn.
		subs = append(subs, concat(b.head, alternate(b.tails...)))
	}
	return subs, optional
}

// opsSize bounds the bytes that ops match.
func opsSize(ops []Op) (lo, hi int) {
	for _, op := range ops {
		l, h := opSize(op)
		lo = min(lo+l, maxSize)
		if hi == unbounded || h == unbounded || hi+h > maxSize {
			hi = unbounded
		} else {
			hi += h
		}
	}
	return lo, hi
}

// maxSize keeps sums of sizes from overflowing; beyond it there is no bound.
const maxSize = 1 << 30

func opSize(op Op) (lo, hi int) {
	times := func(lo, hi, least, most int) (int, int) {
		if most == unbounded || hi == unbounded || most > 0 && hi > maxSize/most {
			return min(lo*least, maxSize), unbounded
		}
		return lo * least, hi * most
	}
	switch op := op.(type) {
	case Literal:
		return len(op.Text), len(op.Text)
	case Run:
		width := 1
		if n := len(op.Set.High); n > 0 && !op.Set.Whole {
			width = utf8.RuneLen(op.Set.High[n-1])
		}
		return times(op.Set.minWidth(), width, op.Min, op.Max)
	case Group:
		lo, hi := opsSize(op.Ops)
		return times(lo, hi, op.Min, op.Max)
	case Choice:
		lo, hi = opsSize(op.Branches[0].Ops)
		for _, b := range op.Branches[1:] {
			l, h := opsSize(b.Ops)
			lo = min(lo, l)
			if hi == unbounded || h == unbounded {
				hi = unbounded
			} else {
				hi = max(hi, h)
			}
		}
		if op.Optional {
			lo = 0
		}
		return lo, hi
	}
	return 0, unbounded
}

// minWidth is the length in bytes of the shortest member.
func (s *Set) minWidth() int {
	if s.Whole || s.Bytes != (ByteSet{}) || len(s.High) == 0 {
		return 1
	}
	return utf8.RuneLen(s.High[0])
}
