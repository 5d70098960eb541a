package contract

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// Backtracker decides the few patterns that no automaton can: those that refer
// back to what a group has matched, and look-around that no table holds. It tries
// one way after the other, but gives up after a number of steps that grows only
// with the length of the string, so the time is linear whatever the pattern is,
// and the outcome is the same on every machine.
//
// Captures behave as in ECMA-262: each round of a loop forgets what the groups
// inside it held, a reference to a group that holds nothing matches the empty
// string, and look-behind reads backwards.
type Backtracker struct {
	Steps []Step
	Sets  []RuneSet
	Slots int // 2 for each group, and one for each loop that watches for standstill
}

// Step is one instruction. What X and Y are depends on Op.
type Step struct {
	Op   StepOp
	X, Y int
}

// StepOp is the kind of a Step.
type StepOp uint8

// The instructions.
const (
	StepMatch   StepOp = iota // the pattern, or the body of a look-around, is found
	StepSet                   // one code point of set X, and step over it
	StepSetBack               // the code point before is of set X; step back over it
	StepSplit                 // go on at X, and if that fails at Y
	StepJump                  // go on at X
	StepSave                  // keep the position in slot X
	StepClear                 // forget the slots from X to Y-1
	StepMoved                 // fail if slot X holds the position
	StepBegin                 // at the start of the string
	StepEnd                   // at its end
	StepWord                  // between a word character and another one
	StepNotWord               // not so
	StepLook                  // the steps up to X must match from here; then go on at X
	StepNotLook               // they must not
	StepRef                   // the text of the group in slots X and X+1 once more
	StepRefBack               // the same, before the position
)

// The steps that a search may take are stepsFree and stepsPerByte for each byte.
const (
	stepsFree    = 1 << 16
	stepsPerByte = 256
	maxTrail     = 1 << 20 // choices and changes that may be open at once
)

// Find reports whether the pattern is found in s, which is valid UTF-8. decided is
// false when the steps were used up before that was known.
func (b *Backtracker) Find(s []byte) (found, decided bool) {
	t := tracks.Get().(*track)
	defer t.release()
	t.Backtracker, t.s, t.left, t.spent = b, s, stepsFree+stepsPerByte*len(s), false
	t.trail = t.trail[:0]
	t.slots = t.slots[:0]
	for range b.Slots {
		t.slots = append(t.slots, -1)
	}
	for at := 0; ; {
		if _, ok := t.run(0, at); ok {
			return true, true
		}
		if t.spent {
			return false, false
		}
		if at == len(s) {
			return false, true
		}
		_, w := utf8.DecodeRune(s[at:])
		at += w
	}
}

// Match is Find inside a check function. When the steps do not suffice, it ends
// the check: Run then reports the document, whatever the pattern was asked for, so
// that a costly string can neither satisfy a "pattern" nor escape a "not".
func (b *Backtracker) Match(s []byte) bool {
	found, decided := b.Find(s)
	if !decided {
		panic(costly{bytes.Clone(s)})
	}
	return found
}

// costly is what Match panics with: a string on which a pattern takes too long.
type costly struct{ text []byte }

// endCostly is deferred around check functions. It turns a costly string into a
// failed check and, if asked, an issue.
func (v *Validator) endCostly(report bool, ok *bool) {
	switch e := recover().(type) {
	case nil:
	case costly:
		*ok = false
		v.marks = v.marks[:0]
		if report {
			v.issues = append(v.issues, v.costlyIssue(e))
		}
	default:
		panic(e)
	}
}

// endCostlyDecode is endCostly for decoding.
func (v *Validator) endCostlyDecode(err *error) {
	switch e := recover().(type) {
	case nil:
	case costly:
		*err = Issues{v.costlyIssue(e)}.Err()
	default:
		panic(e)
	}
}

func (v *Validator) costlyIssue(e costly) Issue {
	issue := Issue{Code: CodeCostly, Keyword: "pattern", Message: "a pattern takes too many steps to decide this string"}
	for n := range Node(len(v.tape)) {
		if v.tape[n].kind == String && bytes.Equal(v.Text(n), e.text) {
			issue.Path, issue.Offset = v.pointer(n), v.Offset(n)
			break
		}
	}
	return issue
}

// track is the state of one search.
type track struct {
	*Backtracker
	s     []byte
	slots []int
	trail []change
	left  int  // steps
	spent bool // no steps were left
}

// change is what to undo on the way back: a slot's value, or, for a slot below 0,
// a choice: the other way to go on.
type change struct{ slot, value, at int }

var tracks = sync.Pool{New: func() any { return new(track) }}

// release gives t back to the pool, unless it has grown large.
func (t *track) release() {
	if cap(t.trail) > keepTokens>>4 {
		return
	}
	t.Backtracker, t.s = nil, nil
	tracks.Put(t)
}

func (t *track) set(slot, value int) {
	t.trail = append(t.trail, change{slot, t.slots[slot], 0})
	t.slots[slot] = value
}

// back undoes changes down to the last choice above base and takes its other way.
func (t *track) back(base int) (pc, at int, ok bool) {
	for len(t.trail) > base {
		c := t.trail[len(t.trail)-1]
		t.trail = t.trail[:len(t.trail)-1]
		if c.slot < 0 {
			return c.value, c.at, true
		}
		t.slots[c.slot] = c.value
	}
	return 0, 0, false
}

// run matches from step pc at offset at. When it fails, slots are as before.
func (t *track) run(pc, at int) (end int, ok bool) {
	base := len(t.trail)
	for {
		if t.left--; t.left < 0 || len(t.trail) > maxTrail {
			t.spent = true
		}
		if t.spent {
			return 0, false
		}
		step := &t.Steps[pc]
		pc++
		ok := true
		switch step.Op {
		case StepMatch:
			return at, true
		case StepSplit:
			t.trail = append(t.trail, change{-1, step.Y, at})
			pc = step.X
		case StepJump:
			pc = step.X
		case StepSave:
			t.set(step.X, at)
		case StepClear:
			for slot := step.X; slot < step.Y; slot++ {
				if t.slots[slot] >= 0 {
					t.set(slot, -1)
				}
			}
		case StepLook, StepNotLook:
			ok = t.look(pc, at, step.Op == StepLook)
			pc = step.X
		default:
			at, ok = t.test(step, at)
		}
		if !ok {
			if pc, at, ok = t.back(base); !ok {
				return 0, false
			}
		}
	}
}

// look runs the body of a look-around. What it captured stays only when it had to
// match; its choices are closed either way.
func (t *track) look(pc, at int, want bool) bool {
	base := len(t.trail)
	_, found := t.run(pc, at)
	if !found {
		return !want
	}
	if !want {
		for i := len(t.trail) - 1; i >= base; i-- {
			if c := t.trail[i]; c.slot >= 0 {
				t.slots[c.slot] = c.value
			}
		}
		t.trail = t.trail[:base]
		return false
	}
	kept := t.trail[:base]
	for _, c := range t.trail[base:] {
		if c.slot >= 0 {
			kept = append(kept, c)
		}
	}
	t.trail = kept
	return true
}

// test does the steps that look at the string.
func (t *track) test(step *Step, at int) (int, bool) {
	switch step.Op {
	case StepSet:
		r, w := utf8.DecodeRune(t.s[at:])
		return at + w, w > 0 && t.Sets[step.X].has(r)
	case StepSetBack:
		r, w := utf8.DecodeLastRune(t.s[:at])
		return at - w, w > 0 && t.Sets[step.X].has(r)
	case StepMoved:
		return at, t.slots[step.X] != at
	case StepBegin:
		return at, at == 0
	case StepEnd:
		return at, at == len(t.s)
	case StepWord:
		return at, t.word(at-1) != t.word(at)
	case StepNotWord:
		return at, t.word(at-1) == t.word(at)
	}
	from, to := t.slots[step.X], t.slots[step.X+1]
	if from < 0 || to < 0 {
		return at, true
	}
	text := t.s[from:to]
	t.left -= len(text) / 16 // a comparison is no single step
	if step.Op == StepRefBack {
		return at - len(text), bytes.HasSuffix(t.s[:at], text)
	}
	return at + len(text), bytes.HasPrefix(t.s[at:], text)
}

// word reports whether a word character is at offset i.
func (t *track) word(i int) bool {
	if i < 0 || i >= len(t.s) {
		return false
	}
	c := t.s[i]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func (set *RuneSet) has(r rune) bool {
	if r < utf8.RuneSelf {
		return set.ASCII.Has(byte(r))
	}
	return set.hasHigh(r)
}
