package contract

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// ByteSet is a set of bytes for generated pattern matchers: byte b is bit b%64
// of word b/64. As a package variable it costs nothing at start-up.
type ByteSet [4]uint64

// Has reports whether b is in set.
func (set *ByteSet) Has(b byte) bool { return set[b>>6]>>(b&63)&1 != 0 }

// Run gives the offset of the first byte from i on that is not in set, at most
// len(s). i must not exceed len(s).
func (set *ByteSet) Run(s []byte, i int) int {
	for i < len(s) && set[s[i]>>6]>>(s[i]&63)&1 != 0 {
		i++
	}
	return i
}

// All reports whether every byte of s is in set.
func (set *ByteSet) All(s []byte) bool {
	for len(s) >= 8 {
		ok := set[s[0]>>6] >> (s[0] & 63) & (set[s[1]>>6] >> (s[1] & 63)) &
			(set[s[2]>>6] >> (s[2] & 63)) & (set[s[3]>>6] >> (s[3] & 63)) &
			(set[s[4]>>6] >> (s[4] & 63)) & (set[s[5]>>6] >> (s[5] & 63)) &
			(set[s[6]>>6] >> (s[6] & 63)) & (set[s[7]>>6] >> (s[7] & 63))
		if ok&1 == 0 {
			return false
		}
		s = s[8:]
	}
	for _, b := range s {
		if set[b>>6]>>(b&63)&1 == 0 {
			return false
		}
	}
	return true
}

// RuneSet is a set of code points for generated pattern matchers. ASCII holds
// the members below 0x80, High the others as pairs lo, hi in ascending order.
type RuneSet struct {
	ASCII ByteSet
	High  []rune
}

// Run steps over at most limit (-1: any number of) code points of set from
// offset i on. It gives the offset after them and their number.
func (set *RuneSet) Run(s []byte, i, limit int) (end, n int) {
	for ; n != limit && i < len(s); n++ {
		if b := s[i]; b < utf8.RuneSelf {
			if !set.ASCII.Has(b) {
				break
			}
			i++
			continue
		}
		r, w := utf8.DecodeRune(s[i:])
		if !set.hasHigh(r) {
			break
		}
		i += w
	}
	return i, n
}

func (set *RuneSet) hasHigh(r rune) bool {
	for k := 0; k+1 < len(set.High); k += 2 {
		if r <= set.High[k+1] {
			return r >= set.High[k]
		}
	}
	return false
}

// DFA8 is a deterministic automaton over bytes, as a table. A state is the
// number of its first entry in Next: 0 has failed for good, Width has matched for
// good, those from Accept on match if the string ends there.
type DFA8 struct {
	Class  string // 256 bytes: byte → column
	Next   string // state + column → state
	Width  int    // columns of a state
	Start  int
	Accept int
}

// Match runs the automaton over s. It reads each byte once.
func (d *DFA8) Match(s []byte) bool {
	class, next := d.Class, d.Next
	if len(class) < 256 {
		return false
	}
	state := d.Start
	for _, b := range s {
		state = int(next[state+int(class[b])])
		if state <= d.Width {
			return state != 0
		}
	}
	return state >= d.Accept
}

// DFA16 is like [DFA8], for tables of more than 256 entries: each takes two bytes
// of Next, the lower first.
type DFA16 struct {
	Class  string
	Next   string
	Width  int
	Start  int
	Accept int
}

// Match runs the automaton over s. It reads each byte once.
func (d *DFA16) Match(s []byte) bool {
	class, next := d.Class, d.Next
	if len(class) < 256 {
		return false
	}
	state := d.Start
	for _, b := range s {
		k := 2 * (state + int(class[b]))
		pair := next[k : k+2]
		state = int(uint16(pair[0]) | uint16(pair[1])<<8)
		if state <= d.Width {
			return state != 0
		}
	}
	return state >= d.Accept
}

// Contains reports whether text stands anywhere in s.
func Contains(s []byte, text string) bool {
	return strings.Contains(unsafe.String(unsafe.SliceData(s), len(s)), text)
}
