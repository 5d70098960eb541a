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

// ProbesOnce is Probes, and remembers the verdict for schema and n.
func (v *Validator) ProbesOnce(schema int, check Check, n Node) bool {
	key := uint64(schema+1)<<32 | uint64(uint32(n))
	if len(v.memo.slots) > 0 {
		if s := v.memo.slot(key); s.key != 0 {
			return s.verdict
		}
	}
	verdict := v.Probes(check, n)
	if 2*(v.memo.used+1) > len(v.memo.slots) {
		v.memo.grow()
	}
	*v.memo.slot(key) = memoSlot{key, verdict}
	v.memo.used++
	return verdict
}
