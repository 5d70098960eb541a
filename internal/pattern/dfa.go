package pattern

import (
	"encoding/binary"
	"slices"
)

// Limits of a deterministic automaton and of the work to build it.
const (
	maxStates = 4096
	maxTable  = 64 << 10   // bytes of the transition table, two for each entry
	maxWork   = 10_000_000 // steps over automaton states while building
)

// determinize builds the automaton that searches for root, or gives nil when it
// would be beyond the limits.
func determinize(root *node) *DFA {
	a := newNFA()
	start := a.build(root, a.match)
	if a.full {
		return nil
	}
	b := &dfaBuilder{nfa: a, entry: start, ids: map[string]int{}, mark: make([]int32, len(a.states))}
	b.classes()
	raw := b.run()
	if raw == nil {
		return nil
	}
	d := raw.minimize(&b.work)
	if d == nil || d.States > maxStates || 2*d.States*d.Classes > maxTable {
		return nil
	}
	return d
}

// dfaBuilder is the subset construction. A subset keeps byte steps and what can
// be decided at the end; a subset that holds a match is the accepting state 1.
type dfaBuilder struct {
	nfa     *nfa
	entry   int32
	class   [256]uint8
	reps    []byte // one byte of each class
	ids     map[string]int
	subsets [][]int32
	mark    []int32
	stamp   int32
	work    int
}

// classes splits the bytes at every border of a byte step.
func (b *dfaBuilder) classes() {
	var border [257]bool
	for _, s := range b.nfa.states {
		if s.step == stepByte {
			border[s.lo] = true
			border[int(s.hi)+1] = true
		}
	}
	for i := range 256 {
		if i == 0 || border[i] {
			b.reps = append(b.reps, byte(i))
		}
		b.class[i] = uint8(len(b.reps) - 1)
	}
}

// closure follows free steps from the seeds and gives the sorted subset, and
// whether it has matched.
func (b *dfaBuilder) closure(seeds []int32, atBegin, atEnd bool) (set []int32, matched bool) {
	b.stamp++
	stack := slices.Clone(seeds)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.mark[i] == b.stamp {
			continue
		}
		b.mark[i] = b.stamp
		b.work++
		s := &b.nfa.states[i]
		switch s.step {
		case stepMatch:
			return nil, true
		case stepByte:
			set = append(set, i)
		case stepFree:
			stack = append(stack, s.out...)
		case stepBegin:
			if atBegin {
				stack = append(stack, s.out...)
			}
		case stepEnd:
			if atEnd {
				stack = append(stack, s.out...)
			} else {
				set = append(set, i)
			}
		}
	}
	slices.Sort(set)
	return set, false
}

// id numbers a subset; begin tells the start state from an equal subset later
// on, since ^ still holds there when the string ends at once.
func (b *dfaBuilder) id(set []int32, begin bool) int {
	key := make([]byte, 1, 1+4*len(set))
	if begin {
		key[0] = 1
	}
	for _, s := range set {
		key = binary.LittleEndian.AppendUint32(key, uint32(s))
	}
	if id, ok := b.ids[string(key)]; ok {
		return id
	}
	id := len(b.subsets) + 2
	b.ids[string(key)] = id
	b.subsets = append(b.subsets, set)
	return id
}

// run builds the automaton before minimizing. Its states are in no special
// order yet, so accepting ones are returned in accept.
func (b *dfaBuilder) run() *rawDFA {
	raw := &rawDFA{class: b.class, classes: len(b.reps)}
	raw.accept = []bool{false, true}
	for state := range 2 {
		for range b.reps {
			raw.next = append(raw.next, state)
		}
	}
	set, matched := b.closure([]int32{b.entry}, true, false)
	if matched {
		raw.start = 1
		return raw
	}
	raw.start = b.id(set, true)
	var seeds []int32
	for k := 0; k < len(b.subsets); k++ {
		if len(b.subsets) > 4*maxStates || b.work > maxWork {
			return nil
		}
		set := b.subsets[k]
		_, accepts := b.closure(append([]int32{b.entry}, set...), k == 0, true)
		raw.accept = append(raw.accept, accepts)
		for _, rep := range b.reps {
			seeds = append(seeds[:0], b.entry)
			b.work += len(set)
			for _, i := range set {
				if s := &b.nfa.states[i]; s.step == stepByte && s.lo <= rep && rep <= s.hi {
					seeds = append(seeds, s.out[0])
				}
			}
			next, matched := b.closure(seeds, false, false)
			if matched {
				raw.next = append(raw.next, 1)
				continue
			}
			raw.next = append(raw.next, b.id(next, false))
		}
	}
	return raw
}
