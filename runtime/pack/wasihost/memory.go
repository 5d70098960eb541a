package wasihost

import (
	"sync/atomic"

	"github.com/tetratelabs/wazero/experimental"
)

// meter gives out the linear memory of one component and knows what it took.
type meter struct {
	limit  uint64 // bytes
	used   atomic.Uint64
	peak   atomic.Uint64
	denied atomic.Bool // a request went beyond the limit
}

// Allocate implements experimental.MemoryAllocator.
func (m *meter) Allocate(uint64, uint64) experimental.LinearMemory { return &linear{meter: m} }

type linear struct {
	meter *meter
	bytes []byte
}

// Reallocate returns nil when all memories together would go beyond the limit.
func (l *linear) Reallocate(size uint64) []byte {
	m := l.meter
	if m.used.Load()-uint64(len(l.bytes))+size > m.limit {
		m.denied.Store(true)
		return nil
	}
	m.used.Add(size - uint64(len(l.bytes)))
	m.peak.Store(max(m.peak.Load(), m.used.Load()))
	if size <= uint64(cap(l.bytes)) {
		l.bytes = l.bytes[:size]
	} else {
		room := min(max(size, uint64(cap(l.bytes))+uint64(cap(l.bytes))/4), m.limit)
		bytes := make([]byte, size, room)
		copy(bytes, l.bytes)
		l.bytes = bytes
	}
	return l.bytes
}

func (l *linear) Free() {
	l.meter.used.Add(-uint64(len(l.bytes)))
	l.bytes = nil
}
