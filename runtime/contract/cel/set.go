package cel

import (
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/contractkit/contractkit/runtime/contract"
)

// set holds values by CEL's equality. Values that are equal hash alike; the seed is not
// the sender's to know.
//
// A few values are compared one by one, which costs less than hashing them.
type set struct {
	c    *Ctx
	few  []Val
	many *table64 // once there are more
}

const fewValues = 12

// table64 is the values of a set by their hash: those that share a slot are chained.
type table64 struct {
	slots  []int32 // by the low bits of the hash: one more than the place of the newest value; 0 for none
	values []Val
	hashes []uint64
	next   []int32 // as slots
}

var (
	hashSeed  = maphash.MakeSeed()
	hashStart = maphash.String(hashSeed, "")
)

func newSet(c *Ctx, size int) set {
	s := set{c: c, few: c.Items()}
	if size > fewValues {
		s.many = c.table64()
	}
	return s
}

// done gives the set's memory back.
func (s *set) done() {
	s.c.lists.lend(s.few)
	if t := s.many; t != nil && len(t.values) <= keepHashed {
		clear(t.slots)
		clear(t.values)
		t.values, t.hashes, t.next = t.values[:0], t.hashes[:0], t.next[:0]
		s.c.tables = append(s.c.tables, t)
	}
}

// keepHashed bounds the values of the tables that a Ctx keeps.
const keepHashed = 1024

func (c *Ctx) table64() *table64 {
	if n := len(c.tables); n > 0 {
		t := c.tables[n-1]
		c.tables = c.tables[:n-1]
		return t
	}
	return &table64{slots: make([]int32, 64)}
}

func (t *table64) add(h uint64, x Val) {
	if len(t.values) >= len(t.slots) {
		t.slots = make([]int32, 4*len(t.slots))
		for i, h := range t.hashes {
			t.chain(h, i)
		}
	}
	t.values, t.hashes, t.next = append(t.values, x), append(t.hashes, h), append(t.next, 0)
	t.chain(h, len(t.values)-1)
}

func (t *table64) chain(h uint64, i int) {
	slot := &t.slots[h&uint64(len(t.slots)-1)]
	t.next[i], *slot = *slot, int32(i+1)
}

// add adds x; added is false when it is there already.
func (s *set) add(x Val) (added bool, bad Val) {
	if s.many == nil {
		if !s.c.Step() {
			return false, errLimit
		}
		if x.kind == KindError {
			return false, x
		}
		if found, bad := s.among(x); found || bad.kind == KindError {
			return false, bad
		}
		if len(s.few) < fewValues {
			s.few = append(s.few, x)
			return true, Null()
		}
		s.many = s.c.table64()
		for _, y := range s.few {
			h, bad := s.c.hash(y)
			if bad.kind == KindError {
				return false, bad
			}
			s.many.add(h, y)
		}
	}
	h, bad := s.c.hash(x)
	if bad.kind == KindError {
		return false, bad
	}
	if found, bad := s.hashed(h, x); found || bad.kind == KindError {
		return false, bad
	}
	s.many.add(h, x)
	return true, Null()
}

func (s *set) has(x Val) (bool, Val) {
	if s.many == nil {
		if x.kind == KindError {
			return false, x
		}
		return s.among(x)
	}
	h, bad := s.c.hash(x)
	if bad.kind == KindError {
		return false, bad
	}
	return s.hashed(h, x)
}

// among looks through a few values.
func (s *set) among(x Val) (bool, Val) {
	for _, y := range s.few {
		if eq, bad := s.c.equal(x, y); eq || bad.kind == KindError {
			return eq, bad
		}
	}
	return false, Null()
}

// hashed looks through the values that have the hash of x.
func (s *set) hashed(h uint64, x Val) (bool, Val) {
	t := s.many
	for i := t.slots[h&uint64(len(t.slots)-1)]; i != 0; i = t.next[i-1] {
		if t.hashes[i-1] != h {
			continue
		}
		if eq, bad := s.c.equal(x, t.values[i-1]); eq || bad.kind == KindError {
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
	kind := kindHash(v.kind)
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
		if s := v.view(); s != nil && (s.Plain || s.Kind == ShapeDyn) && shortNumbers(c.docs[v.num], v.node) {
			return c.hashNode(c.docs[v.num], v.node)
		}
		return c.hashItems(v, kind)
	}
	return kind, Null()
}

// hashNode is hash of a value of a document that is seen as it is written.
func (c *Ctx) hashNode(d *contract.Doc, n contract.Node) (uint64, Val) {
	if !c.Step() {
		return 0, errLimit
	}
	switch d.Kind(n) {
	case contract.String:
		return c.hashText(d, n)
	case contract.Array:
		h := kindHash(KindList) ^ hashStart
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k) {
			x, bad := c.hashNode(d, k)
			if bad.kind == KindError {
				return 0, bad
			}
			h = mix(bits.RotateLeft64(h, 5) ^ x)
		}
		return h, Null()
	case contract.Object:
		h := kindHash(KindMap) ^ hashStart
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k + 1) {
			name, bad := c.hashText(d, k)
			if bad.kind == KindError {
				return 0, bad
			}
			x, bad := c.hashNode(d, k+1)
			if bad.kind == KindError {
				return 0, bad
			}
			h += mix(name) * (x | 1)
		}
		return h, Null()
	}
	return c.hash(scalarAt(d, n))
}

// scalarAt is null, a boolean or a number of a document.
func scalarAt(d *contract.Doc, n contract.Node) Val {
	switch d.Kind(n) {
	case contract.Bool:
		return Bool(d.Raw(n)[0] == 't')
	case contract.Num:
		return number(d.Number(n), ShapeDyn)
	}
	return Null()
}

// hashText is hash of a string of a document, or of a member's name.
func (c *Ctx) hashText(d *contract.Doc, n contract.Node) (uint64, Val) {
	text := d.Text(n)
	if !c.spendText(len(text)) {
		return 0, errLimit
	}
	return maphash.Bytes(hashSeed, text) ^ kindHash(KindString), Null()
}

func kindHash(k Kind) uint64 { return uint64(k)*0x9E3779B97F4A7C15 + 1 }

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
