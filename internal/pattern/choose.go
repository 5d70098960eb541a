package pattern

// smallDFA is the size up to which an automaton is better than a plan that counts.
const smallDFA = 64

// choose finds the cheapest plan for a search for root; nil when only
// backtracking decides it.
func choose(root *node) Plan {
	if root.any(isRef) {
		return nil
	}
	if root.any(isLook) || root.any(isWordBoundary) {
		d := determinizeLooks(root)
		switch {
		case d != nil:
			return d.simplest()
		case root.any(isLook):
			return nil
		}
		return Regexp{}
	}
	begin, body, end := anchors(root)
	if !begin {
		body = trim(body, true)
	}
	if !end {
		body = trim(body, false)
	}
	if !body.asserts() {
		if body.nullable() && !(begin && end) {
			return Always{}
		}
		if text, ok := literalText(body); ok {
			switch {
			case !begin && !end:
				return Contains{text}
			case !begin:
				return Suffix{text}
			}
		}
		if begin {
			if s := straighten(body, end); s != nil {
				return s
			}
		}
	}
	var pad *Padded
	if begin && end {
		pad = padded(body)
	}
	if begin {
		body = concat(&node{kind: kindBegin}, body)
	}
	if end {
		body = concat(body, &node{kind: kindEnd})
	}
	if d := determinize(body); d != nil && (pad == nil || d.States <= smallDFA) {
		return d.simplest()
	}
	if pad != nil {
		return pad
	}
	return Regexp{}
}

// simplest tells automata that need no look at the string.
func (d *DFA) simplest() Plan {
	switch d.Start {
	case 0:
		return Never{}
	case 1:
		return Always{}
	}
	return d
}

// anchors takes a ^ at the very start and a $ at the very end off n.
func anchors(n *node) (begin bool, body *node, end bool) {
	begin, n = leading(n, kindBegin, false)
	end, n = leading(n, kindEnd, true)
	return begin, n, end
}

// leading strips an assertion of kind k from the front of n, or from its back.
// In an alternation it must stand in every branch.
func leading(n *node, k kind, back bool) (bool, *node) {
	switch n.kind {
	case k:
		return true, empty
	case kindConcat:
		i := 0
		if back {
			i = len(n.subs) - 1
		}
		ok, stripped := leading(n.subs[i], k, back)
		if !ok {
			return false, n
		}
		subs := append([]*node(nil), n.subs...)
		subs[i] = stripped
		_, again := leading(concat(subs...), k, back) // ^^ is ^
		return true, again
	case kindAlt:
		var subs []*node
		for _, s := range n.subs {
			ok, stripped := leading(s, k, back)
			if !ok {
				return false, n
			}
			subs = append(subs, stripped)
		}
		return true, alternate(subs...)
	case kindRepeat:
		if n.min == 1 && n.max == 1 {
			return leading(n.subs[0], k, back)
		}
	}
	return false, n
}

// trim shortens the open end of a search (its front, or its back): whatever
// stands before or after a match is free, so optional parts there say nothing.
// The result finds the same strings.
func trim(n *node, front bool) *node {
	if n.nullable() {
		return empty
	}
	switch n.kind {
	case kindConcat:
		subs := append([]*node(nil), n.subs...)
		for len(subs) > 0 {
			i := len(subs) - 1
			if front {
				i = 0
			}
			t := trim(subs[i], front)
			if t.kind != kindEmpty {
				subs[i] = t
				break
			}
			if front {
				subs = subs[1:]
			} else {
				subs = subs[:i]
			}
		}
		return concat(subs...)
	case kindAlt:
		subs := make([]*node, len(n.subs))
		for i, s := range n.subs {
			subs[i] = trim(s, front)
		}
		return alternate(subs...)
	case kindRepeat:
		body := n.subs[0]
		edge := trim(body, front)
		if edge.equal(body) {
			return repeat(body, n.min, n.min)
		}
		rest := repeat(body, n.min-1, n.min-1)
		if front {
			return concat(edge, rest)
		}
		return concat(rest, edge)
	}
	return n
}

// literalText gives the string that n matches if it matches just one.
func literalText(n *node) (string, bool) {
	switch n.kind {
	case kindSet:
		r, ok := n.set.single()
		return string(r), ok
	case kindConcat:
		text := ""
		for _, s := range n.subs {
			t, ok := literalText(s)
			if !ok {
				return "", false
			}
			text += t
		}
		return text, true
	}
	return "", false
}
