package pattern

import "encoding/binary"

// rawDFA is an automaton as the subset construction leaves it; states 0 and 1
// are the failed and the matched one.
type rawDFA struct {
	class   [256]uint8
	classes int
	start   int
	next    []int // state*classes + class → state
	accept  []bool
}

// minimize merges states that no string tells apart and byte classes that no
// state tells apart, then numbers states in the order in which they are met. It
// gives nil when the work exceeds its bound.
func (r *rawDFA) minimize(work *int) *DFA {
	block := r.refine(work)
	if block == nil {
		return nil
	}
	// Renumber the blocks: 0 failed, 1 matched, then the others as met, those
	// that accept after those that do not.
	blocks := 0
	for _, b := range block {
		blocks = max(blocks, b+1)
	}
	member := make([]int, blocks) // a state of each block
	for s, b := range block {
		member[b] = s
	}
	var met []int
	seen := make([]bool, blocks)
	visit := func(b int) {
		if !seen[b] {
			seen[b] = true
			met = append(met, b)
		}
	}
	failed, matched := block[0], block[1]
	seen[failed], seen[matched] = true, true
	visit(block[r.start])
	for k := 0; k < len(met); k++ {
		for c := range r.classes {
			visit(block[r.next[member[met[k]]*r.classes+c]])
		}
	}
	number := make([]int, blocks)
	number[failed], number[matched] = 0, 1
	order := []int{failed, matched}
	d := &DFA{}
	for _, accepting := range []bool{false, true} {
		if accepting {
			d.Accept = len(order)
		}
		for _, b := range met {
			if r.accept[member[b]] == accepting {
				number[b] = len(order)
				order = append(order, b)
			}
		}
	}
	d.States = len(order)
	d.Start = number[block[r.start]]
	r.columns(d, order, func(s int) int { return number[block[s]] }, member)
	return d
}

// columns fills the table of d, equal columns once.
func (r *rawDFA) columns(d *DFA, order []int, number func(state int) int, member []int) {
	index := map[string]uint8{}
	var reps []int
	var joined [256]uint8 // old class → new class
	for c := range r.classes {
		var key []byte
		for _, b := range order {
			key = binary.LittleEndian.AppendUint32(key, uint32(number(r.next[member[b]*r.classes+c])))
		}
		id, ok := index[string(key)]
		if !ok {
			id = uint8(len(reps))
			index[string(key)] = id
			reps = append(reps, c)
		}
		joined[c] = id
	}
	for b := range d.Class {
		d.Class[b] = joined[r.class[b]]
	}
	d.Classes = len(reps)
	for _, b := range order {
		for _, c := range reps {
			d.Next = append(d.Next, uint16(number(r.next[member[b]*r.classes+c])))
		}
	}
}

// refine gives each state the number of its block of equivalent states. It
// splits by acceptance and by the blocks reached until nothing splits.
func (r *rawDFA) refine(work *int) []int {
	n := len(r.accept)
	block := make([]int, n)
	for s := range n {
		if r.accept[s] {
			block[s] = 1
		}
	}
	count := 0
	next := make([]int, n)
	for {
		if *work += n * r.classes; *work > 10*maxWork {
			return nil
		}
		ids := make(map[string]int, count)
		key := make([]byte, 0, 4*(r.classes+1))
		for s := range n {
			key = binary.LittleEndian.AppendUint32(key[:0], uint32(block[s]))
			for c := range r.classes {
				key = binary.LittleEndian.AppendUint32(key, uint32(block[r.next[s*r.classes+c]]))
			}
			id, ok := ids[string(key)]
			if !ok {
				id = len(ids)
				ids[string(key)] = id
			}
			next[s] = id
		}
		block, next = next, block
		if len(ids) == count {
			return block
		}
		count = len(ids)
	}
}
