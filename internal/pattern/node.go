package pattern

// kind tells the nodes of a syntax tree apart.
type kind uint8

const (
	kindEmpty   kind = iota // matches the empty string
	kindSet                 // one code point of set
	kindConcat              // subs one after another
	kindAlt                 // one of subs; their order has no meaning
	kindRepeat              // subs[0], min to max times
	kindBegin               // ^
	kindEnd                 // $
	kindWord                // \b
	kindNotWord             // \B
	kindLook                // subs[0] matches from here, or up to here if behind; not so if neg
	kindGroup               // subs[0], captured as group ref; only where references are
	kindRef                 // what group ref has captured
)

// unbounded is the max of * and +.
const unbounded = -1

// node is a syntax tree; it is never changed once built.
type node struct {
	kind     kind
	set      runeSet
	subs     []*node
	min, max int

	neg, behind bool // for kindLook
	lazy        bool // for kindRepeat, where captures are
	ref         int  // for kindGroup and kindRef
}

var empty = &node{kind: kindEmpty}

// concat joins nodes and drops what matches nothing but the empty string.
func concat(subs ...*node) *node {
	var out []*node
	for _, s := range subs {
		switch s.kind {
		case kindEmpty:
		case kindConcat:
			out = append(out, s.subs...)
		default:
			out = append(out, s)
		}
	}
	switch len(out) {
	case 0:
		return empty
	case 1:
		return out[0]
	}
	return &node{kind: kindConcat, subs: out}
}

// alternate joins alternatives, those that are sets of one code point into one set.
func alternate(subs ...*node) *node {
	var out []*node
	set := -1 // index in out of the joined set
	hasEmpty := false
	var add func(subs []*node)
	add = func(subs []*node) {
		for _, s := range subs {
			switch {
			case s.kind == kindAlt:
				add(s.subs)
			case s.kind == kindEmpty && hasEmpty:
			case s.kind == kindSet && set >= 0:
				out[set] = &node{kind: kindSet, set: out[set].set.union(s.set)}
			default:
				if s.kind == kindSet {
					set = len(out)
				}
				hasEmpty = hasEmpty || s.kind == kindEmpty
				out = append(out, s)
			}
		}
	}
	add(subs)
	if len(out) == 1 {
		return out[0]
	}
	return &node{kind: kindAlt, subs: out}
}

// repeat gives n repeated lo to hi times and folds the cases that need no loop.
func repeat(n *node, lo, hi int) *node {
	switch {
	case hi == 0 || n.kind == kindEmpty:
		return empty
	case lo == 1 && hi == 1:
		return n
	case n.kind == kindRepeat && simpleRepeat(n.min, n.max) && simpleRepeat(lo, hi):
		// (x*)+ and its like: each bound is 0, 1 or none, so they multiply.
		if n.max == unbounded || hi == unbounded {
			return &node{kind: kindRepeat, subs: n.subs, min: n.min * lo, max: unbounded}
		}
		return &node{kind: kindRepeat, subs: n.subs, min: n.min * lo, max: 1}
	}
	return &node{kind: kindRepeat, subs: []*node{n}, min: lo, max: hi}
}

// simpleRepeat reports the bounds of ?, * and +.
func simpleRepeat(lo, hi int) bool { return lo <= 1 && (hi == 1 || hi == unbounded) }

// nullable reports whether n can match the empty string wherever it stands,
// that is, without the help of an assertion.
func (n *node) nullable() bool {
	switch n.kind {
	case kindEmpty:
		return true
	case kindConcat:
		for _, s := range n.subs {
			if !s.nullable() {
				return false
			}
		}
		return true
	case kindAlt:
		for _, s := range n.subs {
			if s.nullable() {
				return true
			}
		}
	case kindRepeat:
		return n.min == 0 || n.subs[0].nullable()
	}
	return false
}

// asserts reports whether an assertion stands anywhere in n.
func (n *node) asserts() bool {
	if n.kind >= kindBegin {
		return true
	}
	for _, s := range n.subs {
		if s.asserts() {
			return true
		}
	}
	return false
}

// any reports whether a node for which is holds stands anywhere in n.
func (n *node) any(is func(n *node) bool) bool {
	if is(n) {
		return true
	}
	for _, s := range n.subs {
		if s.any(is) {
			return true
		}
	}
	return false
}

func isWordBoundary(n *node) bool { return n.kind == kindWord || n.kind == kindNotWord }
func isLook(n *node) bool         { return n.kind == kindLook }
func isRef(n *node) bool          { return n.kind == kindRef }

// equal compares two trees.
func (n *node) equal(m *node) bool {
	if n == m {
		return true
	}
	if n.kind != m.kind || n.neg != m.neg || n.behind != m.behind || n.ref != m.ref || n.lazy != m.lazy || n.min != m.min || n.max != m.max || len(n.subs) != len(m.subs) || !n.set.equal(m.set) {
		return false
	}
	for i := range n.subs {
		if !n.subs[i].equal(m.subs[i]) {
			return false
		}
	}
	return true
}

// first gives the code points that a match of n can begin with.
func (n *node) first() (set runeSet) {
	switch n.kind {
	case kindSet:
		return n.set
	case kindConcat:
		for _, s := range n.subs {
			set = set.union(s.first())
			if !s.nullable() {
				break
			}
		}
	case kindAlt:
		for _, s := range n.subs {
			set = set.union(s.first())
		}
	case kindRepeat:
		return n.subs[0].first()
	}
	return set
}
