package cel

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// set holds values by CEL's equality. Values that are equal hash alike; the seed is not
// the sender's to know.
//
// A few values are compared one by one, which costs less than hashing them.
type set struct {
	c      *Ctx
	few    []Val
	values map[uint64][]Val // once there are more
}

const fewValues = 12

var (
	hashSeed  = maphash.MakeSeed()
	hashStart = maphash.String(hashSeed, "")
)

func newSet(c *Ctx, size int) set {
	if size <= fewValues {
		return set{c: c, few: c.Items()}
	}
	return set{c: c, values: make(map[uint64][]Val, size)}
}

// done gives the set's memory back.
func (s *set) done() {
	if s.few != nil {
		s.c.lists.used = append(s.c.lists.used, s.few)
	}
}

// add adds x; added is false when it is there already.
func (s *set) add(x Val) (added bool, bad Val) {
	if s.values == nil {
		if !s.c.Step() {
			return false, errLimit
		}
		if x.kind == KindError {
			return false, x
		}
		if found, bad := s.among(s.few, x); found || bad.kind == KindError {
			return false, bad
		}
		if len(s.few) < fewValues {
			s.few = append(s.few, x)
			return true, Null()
		}
		s.values = make(map[uint64][]Val, 2*fewValues)
		for _, y := range s.few {
			h, bad := s.c.hash(y)
			if bad.kind == KindError {
				return false, bad
			}
			s.values[h] = append(s.values[h], y)
		}
	}
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
	if s.values == nil {
		if x.kind == KindError {
			return false, x
		}
		return s.among(s.few, x)
	}
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
