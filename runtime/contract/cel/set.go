package cel

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// set holds values by CEL's equality. Values that are equal hash alike; the seed is not
// the sender's to know.
type set struct {
	c      *Ctx
	values map[uint64][]Val
}

var (
	hashSeed  = maphash.MakeSeed()
	hashStart = maphash.String(hashSeed, "")
)

func newSet(c *Ctx, size int) *set { return &set{c, make(map[uint64][]Val, size)} }

// add adds x; added is false when it is there already.
func (s *set) add(x Val) (added bool, bad Val) {
	h, bad := s.c.hash(x)
	if bad.kind == KindError {
		return false, bad
	}
	if found, bad := s.among(s.values[h], x); found || bad.kind == KindError {
		return false, bad
	}
	s.values[h] = append(s.values[h], x)
	return true, Null()
}

func (s *set) has(x Val) (bool, Val) {
	h, bad := s.c.hash(x)
	if bad.kind == KindError {
		return false, bad
	}
	return s.among(s.values[h], x)
}

func (s *set) among(list []Val, x Val) (bool, Val) {
	for _, y := range list {
		if eq, bad := s.c.equal(x, y); eq || bad.kind == KindError {
			return eq, bad
		}
	}
	return false, Null()
}

// hash mixes a value so that equal values hash alike.
func (c *Ctx) hash(v Val) (uint64, Val) {
	if !c.Step() {
		return 0, errLimit
	}
	kind := uint64(v.kind)*0x9E3779B97F4A7C15 + 1
	switch v.kind {
	case KindError:
		return 0, v
	case KindBool, KindDuration:
		return kind ^ v.num, Null()
	case KindInt, KindUint, KindDouble: // equal numbers have the same nearest double
		f, _ := asFloat(v)
		if f == 0 {
			f = 0 // without the sign
		}
		return mix(math.Float64bits(f)), Null()
	case KindString, KindBytes, KindType, KindOpaque:
		if !c.spendText(len(v.str)) {
			return 0, errLimit
		}
		return maphash.String(hashSeed, v.str) ^ kind, Null()
	case KindTimestamp:
		return mix(uint64(seconds(v))) ^ uint64(v.node), Null()
	case KindList, KindMap:
		return c.hashItems(v, kind)
	}
	return kind, Null()
}

func (c *Ctx) hashItems(v Val, h uint64) (uint64, Val) {
	it := c.Iter(v)
	h ^= hashStart
	for it.Next() {
		x, bad := c.hash(it.Val())
		if bad.kind == KindError {
			return 0, bad
		}
		if v.kind == KindList {
			h = mix(bits.RotateLeft64(h, 5) ^ x)
			continue
		}
		k, _ := c.hash(it.Key())
		h += mix(k) * (x | 1) // the order of entries does not matter
	}
	if bad, failed := it.Err(); failed {
		return 0, bad
	}
	return h, Null()
}

func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xD6E8FEB86659FD93
	return x ^ x>>32
}
