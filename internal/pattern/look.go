package pattern

import (
	"encoding/binary"
	"slices"
)

// Look-around without references describes a regular language, so an automaton can
// decide it; only its states hold more than a set of places in the pattern.
//
// A thread is one way through the pattern. When it passes a look-ahead, the body
// of that becomes a second search, which goes on beside the thread: it must succeed
// before the string ends, or never may. A look-behind has a tracker: a search that
// runs from the start of the string, and says at each place whether its body has
// just ended there. A state of the automaton is the set of threads with their
// searches, and the sets of the trackers.

// Limits of this construction, whose steps cost more than those of the plain one.
const (
	maxThreads  = 1024      // threads of one set
	maxLookWork = 1_000_000 // steps over threads while building
)

// thread is a place in the pattern with what must become of the rest of the string.
type thread struct {
	at    int32
	never int32   // number of a set of which no thread may match; 0 is the empty one
	must  []int32 // numbers of sets, ascending, each of which must match
}

// lookBuilder is the subset construction over threads.
type lookBuilder struct {
	nfa      *nfa
	sets     [][]thread
	ids      map[string]int32
	subsets  []lookState
	work     int
	overflow bool
}

// lookState is a state of the automaton.
type lookState struct {
	set      int32   // threads of the search
	trackers []int32 // set of each tracker
	place    place
}

// place is what is known of a place in the string.
type place struct {
	begin   bool
	matched []bool // trackers that have just matched
}

// determinizeLooks builds the automaton that searches for root, which may have
// look-around and word boundaries but no references. It gives nil when it would be
// beyond the limits, or a look-behind looks ahead.
func determinizeLooks(root *node) *DFA {
	root = plainWords(root)
	if root.any(func(n *node) bool {
		return isLook(n) && n.behind && n.any(func(m *node) bool {
			return m.kind == kindEnd || isLook(m) && !m.behind
		})
	}) {
		return nil
	}
	a := newNFA()
	entry := a.build(concat(anything, root), a.match)
	if a.full {
		return nil
	}
	b := &lookBuilder{nfa: a, ids: map[string]int32{}}
	b.intern(nil)
	raw := b.run(entry)
	if raw == nil {
		return nil
	}
	d := raw.minimize(&b.work)
	if d == nil || d.States > maxStates || 2*d.States*d.Classes > maxTable {
		return nil
	}
	return d
}

// plainWords writes word boundaries as look-around.
func plainWords(n *node) *node {
	word := &node{kind: kindSet, set: setWord}
	look := func(behind, neg bool) *node {
		return &node{kind: kindLook, behind: behind, neg: neg, subs: []*node{word}}
	}
	switch n.kind {
	case kindWord:
		return alternate(concat(look(true, false), look(false, true)), concat(look(true, true), look(false, false)))
	case kindNotWord:
		return alternate(concat(look(true, false), look(false, false)), concat(look(true, true), look(false, true)))
	}
	if len(n.subs) == 0 {
		return n
	}
	out := *n
	out.subs = make([]*node, len(n.subs))
	for i, s := range n.subs {
		out.subs[i] = plainWords(s)
	}
	return &out
}

// intern numbers a set of threads.
func (b *lookBuilder) intern(threads []thread) int32 {
	var key []byte
	for _, t := range threads {
		key = t.appendKey(key)
	}
	if id, ok := b.ids[string(key)]; ok {
		return id
	}
	id := int32(len(b.sets))
	b.ids[string(key)] = id
	b.sets = append(b.sets, threads)
	return id
}

func (t *thread) appendKey(key []byte) []byte {
	key = binary.LittleEndian.AppendUint32(key, uint32(t.at))
	key = binary.LittleEndian.AppendUint32(key, uint32(t.never))
	key = binary.LittleEndian.AppendUint32(key, uint32(len(t.must)))
	for _, m := range t.must {
		key = binary.LittleEndian.AppendUint32(key, uint32(m))
	}
	return key
}

// need adds a set that must match.
func (t thread) need(set int32) thread {
	if i, found := slices.BinarySearch(t.must, set); !found {
		t.must = slices.Insert(slices.Clone(t.must), i, set)
	}
	return t
}

// closure follows free steps from the seeds. keep says that a match does not end
// the search, as in a tracker. It gives the set and whether it has matched.
func (b *lookBuilder) closure(seeds []thread, p place, keep bool) (set int32, matched bool) {
	seen := map[string]bool{}
	stack := slices.Clone(seeds)
	var out []thread
	for len(stack) > 0 && !b.overflow {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		key := string(t.appendKey(nil))
		if seen[key] {
			continue
		}
		seen[key] = true
		if b.work++; b.work > maxLookWork || len(seen) > 16*maxThreads {
			b.overflow = true
		}
		s := &b.nfa.states[t.at]
		forth := false
		switch s.step {
		case stepMatch:
			switch {
			case t.never != 0 || len(t.must) > 0:
				out = append(out, t)
			case keep:
				matched = true
			default:
				return 0, true
			}
		case stepByte, stepEnd:
			out = append(out, t)
		case stepFree:
			forth = true
		case stepBegin:
			forth = p.begin
		case stepBehind:
			forth = p.matched[s.look] != s.neg
		case stepAhead:
			t, forth = b.ahead(t, s, p)
		}
		if forth {
			for _, o := range s.out {
				next := t
				next.at = o
				stack = append(stack, next)
			}
		}
	}
	return b.intern(b.reduce(out)), matched
}

// ahead lets a thread pass a look-ahead, if its body still can decide so.
func (b *lookBuilder) ahead(t thread, s *nfaState, p place) (thread, bool) {
	set, matched := b.closure([]thread{{at: s.look}}, p, false)
	switch {
	case matched:
		return t, !s.neg
	case set == 0:
		return t, s.neg
	case s.neg:
		t.never = b.union(t.never, set)
		return t, true
	}
	return t.need(set), true
}

func (b *lookBuilder) union(x, y int32) int32 {
	return b.intern(b.reduce(slices.Concat(b.sets[x], b.sets[y])))
}

// reduce sorts threads and drops those that another one makes needless: at the
// same place, with fewer conditions.
func (b *lookBuilder) reduce(threads []thread) []thread {
	if len(threads) > maxThreads {
		b.overflow = true
		return nil
	}
	threads = slices.Clone(threads)
	slices.SortFunc(threads, func(x, y thread) int {
		if x.at != y.at {
			return int(x.at - y.at)
		}
		if len(x.must) != len(y.must) {
			return len(x.must) - len(y.must)
		}
		if c := slices.Compare(x.must, y.must); c != 0 {
			return c
		}
		return int(x.never - y.never)
	})
	var out []thread
	for _, t := range threads {
		weaker := false
		for i := len(out) - 1; i >= 0 && out[i].at == t.at && !weaker; i-- {
			weaker = (out[i].never == 0 || out[i].never == t.never) && subset(out[i].must, t.must)
		}
		if !weaker {
			out = append(out, t)
		}
		b.work++
	}
	return out
}

// subset reports whether each element of x, both ascending, is in y.
func subset(x, y []int32) bool {
	for _, v := range x {
		if _, found := slices.BinarySearch(y, v); !found {
			return false
		}
	}
	return true
}

// step reads a byte; p is the place after it.
func (b *lookBuilder) step(set int32, c byte, p place, keep bool) (next int32, matched bool) {
	var seeds []thread
	for _, t := range b.sets[set] {
		b.work++
		s := &b.nfa.states[t.at]
		switch {
		case s.step == stepByte && s.lo <= c && c <= s.hi:
			t.at = s.out[0]
		case s.step != stepMatch: // a match waits for its conditions
			continue
		}
		if t, ok := b.conditions(t, c, p); ok {
			seeds = append(seeds, t)
		}
	}
	return b.closure(seeds, p, keep)
}

// conditions moves the searches beside a thread on.
func (b *lookBuilder) conditions(t thread, c byte, p place) (thread, bool) {
	if t.never != 0 {
		never, matched := b.step(t.never, c, p, false)
		if matched {
			return t, false
		}
		t.never = never
	}
	must := t.must
	t.must = nil
	for _, m := range must {
		next, matched := b.step(m, c, p, false)
		switch {
		case matched:
		case next == 0:
			return t, false
		default:
			t = t.need(next)
		}
	}
	return t, !b.overflow
}

// accepts reports whether a set matches when the string ends at p.
func (b *lookBuilder) accepts(set int32, p place) bool {
	for _, t := range b.sets[set] {
		b.work++
		if t.never != 0 && b.accepts(t.never, p) {
			continue
		}
		if slices.ContainsFunc(t.must, func(m int32) bool { return !b.accepts(m, p) }) {
			continue
		}
		if b.endsAt(t.at, p, map[int32]bool{}) {
			return true
		}
	}
	return false
}

// endsAt reports whether a match is reached from a state without reading on.
func (b *lookBuilder) endsAt(at int32, p place, seen map[int32]bool) bool {
	if seen[at] {
		return false
	}
	seen[at] = true
	b.work++
	s := &b.nfa.states[at]
	switch s.step {
	case stepMatch:
		return true
	case stepByte:
		return false
	case stepBegin:
		if !p.begin {
			return false
		}
	case stepBehind:
		if p.matched[s.look] == s.neg {
			return false
		}
	case stepAhead:
		if b.endsAt(s.look, p, map[int32]bool{}) == s.neg {
			return false
		}
	}
	return slices.ContainsFunc(s.out, func(o int32) bool { return b.endsAt(o, p, seen) })
}

// id numbers a state of the automaton. What is known of the place belongs to it:
// conditions at the end of the string are decided there.
func (b *lookBuilder) id(s lookState, ids map[string]int) int {
	key := []byte{0}
	if s.place.begin {
		key[0] = 1
	}
	for _, m := range s.place.matched {
		if m {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	for _, set := range append([]int32{s.set}, s.trackers...) {
		key = binary.LittleEndian.AppendUint32(key, uint32(set))
	}
	if id, ok := ids[string(key)]; ok {
		return id
	}
	id := len(b.subsets) + 2
	ids[string(key)] = id
	b.subsets = append(b.subsets, s)
	return id
}

// next gives the state after byte c, or the one in which the string begins.
func (b *lookBuilder) next(s lookState, entry int32, c byte, begin bool) (lookState, bool) {
	count := len(b.nfa.trackers)
	n := lookState{trackers: make([]int32, count), place: place{begin: begin, matched: make([]bool, count)}}
	for i := range n.trackers { // inner ones first: outer ones ask for them
		if begin {
			n.trackers[i], n.place.matched[i] = b.closure([]thread{{at: b.nfa.trackers[i]}}, n.place, true)
		} else {
			n.trackers[i], n.place.matched[i] = b.step(s.trackers[i], c, n.place, true)
		}
	}
	var matched bool
	if begin {
		n.set, matched = b.closure([]thread{{at: entry}}, n.place, false)
	} else {
		n.set, matched = b.step(s.set, c, n.place, false)
	}
	return n, matched
}

// run builds the automaton before minimizing.
func (b *lookBuilder) run(entry int32) *rawDFA {
	bytes := dfaBuilder{nfa: b.nfa}
	bytes.classes()
	raw := &rawDFA{class: bytes.class, classes: len(bytes.reps), accept: []bool{false, true}}
	for state := range 2 {
		for range bytes.reps {
			raw.next = append(raw.next, state)
		}
	}
	ids := map[string]int{}
	start, matched := b.next(lookState{}, entry, 0, true)
	if matched {
		raw.start = 1
		return raw
	}
	raw.start = b.id(start, ids)
	for k := 0; k < len(b.subsets); k++ {
		if len(b.subsets) > 4*maxStates || b.overflow || b.work > maxLookWork {
			return nil
		}
		s := b.subsets[k]
		raw.accept = append(raw.accept, b.accepts(s.set, s.place))
		for _, c := range bytes.reps {
			n, matched := b.next(s, entry, c, false)
			if matched {
				raw.next = append(raw.next, 1)
				continue
			}
			raw.next = append(raw.next, b.id(n, ids))
		}
	}
	if b.overflow {
		return nil
	}
	return raw
}
