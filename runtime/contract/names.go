package contract

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// fewNames is how many members an object may have to be compared pairwise. With
// more a hash table is used, so that no object costs more than linear time.
const fewNames = 32

// duplicate looks for two members of one name in the object whose tokens are
// obj. It returns the index in obj of the second one's name, or 0.
func (d *Doc) duplicate(b []byte, obj []token) int {
	base := obj[1].next - 2 // token index of obj[0], to read next as an index of obj
	var hashes [fewNames]uint32
	var at [fewNames]uint32
	var seen uint64
	n := 0
	for k := uint32(1); k < uint32(len(obj)); k = obj[k+1].next - base {
		t := &obj[k]
		if t.flags&flagEscaped != 0 || n == fewNames {
			return d.duplicateSlow(b, obj, base)
		}
		h := hashName(b, t.off, t.end)
		bit := uint64(1) << (h & 63)
		if seen&bit != 0 {
			for j, o := range hashes[:n] {
				if o == h {
					p := &obj[at[j]]
					if bytes.Equal(b[p.off:p.end], b[t.off:t.end]) {
						return int(k)
					}
				}
			}
		}
		seen |= bit
		hashes[n], at[n] = h, k
		n++
	}
	return 0
}

// hashName mixes the ends and the length of a name; equal names hash alike.
func hashName(b []byte, off, end uint32) uint32 {
	n := uint64(end - off)
	var w, v uint64
	switch {
	case n >= 8:
		w = binary.LittleEndian.Uint64(b[off:])
		v = binary.LittleEndian.Uint64(b[end-8:])
	case int(off)+8 <= len(b):
		w = binary.LittleEndian.Uint64(b[off:]) & (1<<(8*n) - 1)
	default:
		for i := off; i < end; i++ {
			w = w<<8 | uint64(b[i])
		}
		w = bits.ReverseBytes64(w) >> (64 - 8*n) & (1<<(8*n) - 1)
	}
	h := (w ^ bits.RotateLeft64(v, 29) ^ n<<56) * 0x9E3779B97F4A7C15
	return uint32(h>>32) ^ uint32(h>>58)
}

// nameSet is an open-addressing table of name tokens, kept between documents.
type nameSet struct {
	slots []uint32 // index in obj, 0 when free
	text  []byte   // decoded names that had escapes, one after the other
	spans map[uint32][2]int
}

var nameSeed = maphash.MakeSeed()

// duplicateSlow is duplicate for large objects and names with escapes.
func (d *Doc) duplicateSlow(b []byte, obj []token, base uint32) int {
	s := &d.names
	count := 0
	for k := uint32(1); k < uint32(len(obj)); k = obj[k+1].next - base {
		count++
	}
	size := 1 << bits.Len(uint(2*count))
	if cap(s.slots) < size {
		s.slots = make([]uint32, size)
	}
	s.slots = s.slots[:size]
	clear(s.slots)
	s.text = s.text[:0]
	clear(s.spans)
	name := func(k uint32) []byte {
		if t := &obj[k]; t.flags&flagEscaped == 0 {
			return b[t.off:t.end]
		}
		span := s.spans[k]
		return s.text[span[0]:span[1]]
	}
	for k := uint32(1); k < uint32(len(obj)); k = obj[k+1].next - base {
		if t := &obj[k]; t.flags&flagEscaped != 0 {
			if s.spans == nil {
				s.spans = map[uint32][2]int{}
			}
			start := len(s.text)
			s.text = appendUnescaped(s.text, b[t.off:t.end])
			s.spans[k] = [2]int{start, len(s.text)}
		}
		text := name(k)
		for i := maphash.Bytes(nameSeed, text) & uint64(size-1); ; i = (i + 1) & uint64(size-1) {
			o := s.slots[i]
			if o == 0 {
				s.slots[i] = k
				break
			}
			if bytes.Equal(name(o), text) {
				return int(k)
			}
		}
	}
	return 0
}
