package pack

import "sync"

// scratch is the memory of one run of the gate, which the next run uses again: a host
// that asks at every change of many packs would else collect megabytes each time.
type scratch struct {
	looked uint32 // means nothing; see gather
	keys   []sortKey
	packs  []*Parsed
	who    []gateID                // by pack
	heads  []gateHead              // by pack
	v2     []int32                 // the packs that follow contract v2
	best   []int32                 // by pack: of those with its id the lowest accepted version, else a rejected one
	ids    table                   // by id: best
	needs  []edge                  // the dependencies of all packs, in order
	claims [claimKinds + 1][]claim // what they claim, by kind, the last of tools; in order
	seen   [2]table                // of one kind, the second of tools: the first claim of each name
	nodes  []int32                 // by pack; 0 is none, else one more than its node in graph
	graph  dependencyGraph
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release gives the memory back.
func (g *gate) release() {
	s := g.scratch
	g.scratch = nil
	s.empty()
	scratches.Put(s)
}

// empty forgets all packs, and what would keep them alive.
func (s *scratch) empty() {
	clear(s.keys)
	clear(s.packs)
	clear(s.who)
	clear(s.heads)
	clear(s.needs)
	s.keys, s.packs, s.who, s.heads, s.v2, s.best, s.needs = s.keys[:0], s.packs[:0], s.who[:0], s.heads[:0], s.v2[:0], s.best[:0], s.needs[:0]
	for kind := range s.claims {
		clear(s.claims[kind])
		s.claims[kind] = s.claims[kind][:0]
	}
}

// zeroed returns n zeros, in the memory of list when that is large enough.
func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}
