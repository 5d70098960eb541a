package pattern

import (
	"math/bits"
	"unicode/utf8"
)

// ByteSet is a set of bytes, byte b at bit b%64 of word b/64.
type ByteSet [4]uint64

// Has reports whether b is in s.
func (s *ByteSet) Has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// Len is the number of bytes in s.
func (s *ByteSet) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s *ByteSet) add(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		s[b>>6] |= 1 << (b & 63)
	}
}

func (s ByteSet) union(t ByteSet) ByteSet {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s ByteSet) disjoint(t ByteSet) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return false
		}
	}
	return true
}

// Set is a set of code points as generated code holds it.
type Set struct {
	// Bytes has the members below 0x80. If Whole, it has all bytes from 0x80 on too.
	Bytes ByteSet
	// High has the members from 0x80 on as pairs lo, hi in ascending order.
	High []rune
	// Whole says that a run of Set may be taken byte by byte: Bytes alone decides.
	Whole bool
}

// has reports whether r is in s.
func (s *Set) has(r rune) bool {
	if r < utf8.RuneSelf {
		return s.Bytes.Has(byte(r))
	}
	for i := 0; i < len(s.High); i += 2 {
		if r >= s.High[i] && r <= s.High[i+1] {
			return true
		}
	}
	return false
}

// low is the part of s below 0x80 as bytes.
func (s runeSet) low() (b ByteSet) {
	for _, r := range s {
		if r.lo < utf8.RuneSelf {
			b.add(byte(r.lo), byte(min(r.hi, utf8.RuneSelf-1)))
		}
	}
	return b
}

// high is the part of s from 0x80 on.
func (s runeSet) high() runeSet {
	var out runeSet
	for _, r := range s {
		if r.hi >= utf8.RuneSelf {
			out = append(out, span{max(r.lo, utf8.RuneSelf), r.hi})
		}
	}
	return out
}

// lead gives the bytes that can begin a code point of s.
func (s runeSet) lead() ByteSet {
	b := s.low()
	for _, r := range s.high().minus(surrogates) {
		var lo, hi [4]byte
		utf8.EncodeRune(lo[:], r.lo)
		utf8.EncodeRune(hi[:], r.hi)
		b.add(lo[0], hi[0])
	}
	return b
}
