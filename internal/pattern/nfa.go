package pattern

import "unicode/utf8"

// maxNFA bounds the states of an automaton before it is made deterministic.
const maxNFA = 20_000

// nfaState is one state: a step over a byte, or a free step to its outs.
type nfaState struct {
	step   nfaStep
	lo, hi byte // for stepByte
	neg    bool // for stepAhead and stepBehind
	out    []int32
	look   int32 // for stepAhead: where its body begins; for stepBehind: its tracker
}

type nfaStep uint8

const (
	stepFree   nfaStep = iota
	stepByte           // on a byte lo to hi to out[0]
	stepBegin          // at the start of the string only
	stepEnd            // at its end only
	stepMatch          // the pattern is found
	stepAhead          // if the body, or if neg nothing of it, matches from here
	stepBehind         // if the tracker, or if neg no tracker, has just matched
)

// nfa is built backwards: each piece is given the state that it leads to.
type nfa struct {
	states []nfaState
	tails  map[tailKey]int32
	full   bool

	looks    map[*node]int32 // body or tracker of a look-around that has been built
	trackers []int32         // where each tracker begins, inner ones before outer ones
	match    int32           // the state in which bodies end
}

type tailKey struct {
	lo, hi byte
	out    int32
}

func newNFA() *nfa {
	a := &nfa{tails: map[tailKey]int32{}, looks: map[*node]int32{}}
	a.match = a.add(nfaState{step: stepMatch})
	return a
}

func (a *nfa) add(s nfaState) int32 {
	if len(a.states) >= maxNFA {
		a.full = true
		return 0
	}
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

// byteStep shares equal steps: code points of one set have most tails in common.
func (a *nfa) byteStep(lo, hi byte, out int32) int32 {
	key := tailKey{lo, hi, out}
	if i, ok := a.tails[key]; ok {
		return i
	}
	i := a.add(nfaState{step: stepByte, lo: lo, hi: hi, out: []int32{out}})
	a.tails[key] = i
	return i
}

// build gives the state from which n and then out is matched.
func (a *nfa) build(n *node, out int32) int32 {
	if a.full {
		return 0
	}
	switch n.kind {
	case kindSet:
		return a.set(n.set, out)
	case kindConcat:
		for i := len(n.subs) - 1; i >= 0; i-- {
			out = a.build(n.subs[i], out)
		}
		return out
	case kindAlt:
		s := nfaState{}
		for _, sub := range n.subs {
			s.out = append(s.out, a.build(sub, out))
		}
		return a.add(s)
	case kindRepeat:
		return a.repeat(n, out)
	case kindBegin:
		return a.add(nfaState{step: stepBegin, out: []int32{out}})
	case kindEnd:
		return a.add(nfaState{step: stepEnd, out: []int32{out}})
	case kindLook:
		return a.lookAround(n, out)
	}
	return out // kindEmpty; word boundaries and references never come here
}

// lookAround builds the body of n once, however often n stands in loops that are
// written out.
func (a *nfa) lookAround(n *node, out int32) int32 {
	look, known := a.looks[n]
	if !known {
		body := n.subs[0]
		if n.behind {
			entry := a.build(concat(anything, body), a.match)
			look = int32(len(a.trackers))
			a.trackers = append(a.trackers, entry)
		} else {
			look = a.build(body, a.match)
		}
		a.looks[n] = look
	}
	step := stepAhead
	if n.behind {
		step = stepBehind
	}
	return a.add(nfaState{step: step, neg: n.neg, look: look, out: []int32{out}})
}

// anything is any number of any code points.
var anything = repeat(&node{kind: kindSet, set: surrogates.negate()}, 0, unbounded)

func (a *nfa) repeat(n *node, out int32) int32 {
	sub := n.subs[0]
	if n.max == unbounded {
		loop := a.add(nfaState{})
		if a.full {
			return 0
		}
		body := a.build(sub, loop)
		a.states[loop].out = []int32{body, out}
		out = loop
	} else {
		rest := out
		for range n.max - n.min {
			if a.full {
				return 0
			}
			out = a.add(nfaState{out: []int32{a.build(sub, out), rest}})
		}
	}
	for range n.min {
		if a.full {
			return 0
		}
		out = a.build(sub, out)
	}
	return out
}

// set branches over the UTF-8 forms of s.
func (a *nfa) set(s runeSet, out int32) int32 {
	branch := nfaState{}
	for _, r := range s {
		utf8Spans(r.lo, r.hi, func(lo, hi []byte) {
			next := out
			for i := len(lo) - 1; i >= 0; i-- {
				next = a.byteStep(lo[i], hi[i], next)
			}
			branch.out = append(branch.out, next)
		})
	}
	if len(branch.out) == 1 {
		return branch.out[0]
	}
	return a.add(branch)
}

// utf8Spans cuts the code points lo to hi into spans whose encodings are all
// combinations of one byte range per position.
func utf8Spans(lo, hi rune, emit func(lo, hi []byte)) {
	if lo > hi {
		return
	}
	// Cut between encodings of different length.
	for _, last := range []rune{0x7F, 0x7FF, 0xFFFF} {
		if lo <= last && hi > last {
			utf8Spans(lo, last, emit)
			utf8Spans(last+1, hi, emit)
			return
		}
	}
	// Cut where a leading part differs and the rest is not a full range.
	for shift := 6; shift <= 18; shift += 6 {
		mask := rune(1)<<shift - 1
		if lo&^mask == hi&^mask || lo < utf8.RuneSelf {
			continue
		}
		if lo&mask != 0 {
			utf8Spans(lo, lo|mask, emit)
			utf8Spans((lo|mask)+1, hi, emit)
			return
		}
		if hi&mask != mask {
			utf8Spans(lo, hi&^mask-1, emit)
			utf8Spans(hi&^mask, hi, emit)
			return
		}
	}
	var a, b [utf8.UTFMax]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	emit(a[:n], b[:n])
}
