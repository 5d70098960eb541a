package contract

// memo remembers verdicts by schema and node in an open-addressing table that is
// kept between documents.
type memo struct {
	slots []memoSlot
	used  int
}

type memoSlot struct {
	key     uint64 // schema+1 and node; 0 when free
	verdict bool
}

func (m *memo) reset() {
	if m.used > 0 {
		clear(m.slots)
		m.used = 0
	}
}

// slot returns where the key is or belongs.
func (m *memo) slot(key uint64) *memoSlot {
	mask := uint64(len(m.slots) - 1)
	for i := key * 0x9E3779B97F4A7C15 >> 20 & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; s.key == 0 || s.key == key {
			return s
		}
	}
}

func (m *memo) grow() {
	old := m.slots
	m.slots = make([]memoSlot, max(64, 2*len(old)))
	for _, s := range old {
		if s.key != 0 {
			*m.slot(s.key) = s
		}
	}
}

// Kinds of keys, above the 31 bits of a schema.
const (
	memoMark    = 1 << 63 // the low half is a set, not a node
	memoCollect = 1 << 62 // a check that collected issues
)

// look returns the verdict for a key.
func (m *memo) look(key uint64) (verdict, known bool) {
	if len(m.slots) == 0 {
		return false, false
	}
	s := m.slot(key)
	return s.verdict, s.key != 0
}

// put remembers the verdict for a key that is not there.
func (m *memo) put(key uint64, verdict bool) {
	if 2*(m.used+1) > len(m.slots) {
		m.grow()
	}
	s := m.slot(key)
	if s.key == 0 {
		m.used++
	}
	*s = memoSlot{key, verdict}
}

func memoKey(schema int, n Node) uint64 { return uint64(schema+1)<<32 | uint64(uint32(n)) }

// ProbesOnce is Probes, and remembers the verdict for schema and n.
func (v *Validator) ProbesOnce(schema int, check Check, n Node) bool {
	key := memoKey(schema, n)
	if verdict, known := v.memo.look(key); known {
		return verdict
	}
	verdict := v.Probes(check, n)
	v.memo.put(key, verdict)
	return verdict
}

// patience is how many plain calls of Once a token of the document is worth.
const patience = 8

// Once is check(v, n). Schemas whose ways meet again and again would have it called
// without end for the same n; so after a number of calls that honest schemas stay
// below, verdicts for schema and n are remembered.
func (v *Validator) Once(schema int, check Check, n Node) bool {
	if v.calls > 0 {
		v.calls--
		return check(v, n)
	}
	key := memoKey(schema, n)
	if v.collect {
		key |= memoCollect
	}
	if verdict, known := v.memo.look(key); known {
		return verdict
	}
	verdict := check(v, n)
	v.memo.put(key, verdict)
	return verdict
}
