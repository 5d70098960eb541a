package pack

import (
	"hash/maphash"
	"unique"
)

// hashed is an interned text and its hash. The gate looks up every name of every pack;
// hashing each where its manifest is read leaves it one look into a small table.
type hashed struct {
	name name
	hash uint32
	kind uint8 // of a claim, or claimKinds for a tool
}

// nameSeed differs in every process, so that nobody can choose names that collide.
var nameSeed = maphash.MakeSeed()

func hashName(text string, kind int) hashed {
	return hashed{unique.Make(text), hashOf(text), uint8(kind)}
}

func hashOf(text string) uint32 { return uint32(maphash.String(nameSeed, text)) }

// table finds numbers by the hashes of their names, by open addressing. It knows no
// names: what it finds has to be compared by the caller. Its memory is used again.
type table struct {
	slots []slot
}

type slot struct {
	hash uint32
	one  int32 // one more than the number; 0 is empty
}

// reset empties the table and makes room for n numbers.
func (t *table) reset(n int) {
	size := 8
	for size < n+n/3 {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]slot, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// find returns the number with this hash for which is returns true. When there is none
// it returns the place where it would be.
func (t *table) find(hash uint32, is func(i int32) bool) (i int32, at *slot) {
	mask := uint32(len(t.slots) - 1)
	for k := hash & mask; ; k = (k + 1) & mask {
		switch s := &t.slots[k]; {
		case s.one == 0:
			return -1, s
		case s.hash == hash && is(s.one-1):
			return s.one - 1, s
		}
	}
}

// add adds a number whose name is not in the table.
func (t *table) add(hash uint32, i int32) {
	_, at := t.find(hash, func(int32) bool { return false })
	*at = slot{hash, i + 1}
}
