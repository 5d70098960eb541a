package glob

import (
	"slices"
	"strconv"
)

// maxWork bounds the steps that one proof may take, and maxSharedWork those of all
// proofs of an Intersector. Patterns of people need some hundreds.
const (
	maxWork       = 300_000
	maxSharedWork = 1_000_000
)

// Contains reports whether every path that q matches is matched by p. It is
// proven by walking both automata side by side; when the proof would take too
// long, the answer is no.
func (p Pattern) Contains(q Pattern) bool {
	work := maxWork
	return p.contains(q, &work)
}

// contains takes what it has used off work, and gives up when nothing is left.
func (p Pattern) contains(q Pattern, work *int) bool {
	if p.IsZero() || q.IsZero() {
		return false
	}
	if p.text == q.text {
		return true
	}
	alphabet := letters(p, q)
	type pair struct {
		st  state   // one place in q
		set []state // all places in p that the same text leads to
	}
	seen := map[string]bool{}
	var todo []pair
	push := func(st state, set []state) bool {
		if len(set) == 0 {
			return false // from every place in q some path can be completed
		}
		k := key(st, set)
		if !seen[k] {
			seen[k] = true
			todo = append(todo, pair{st, set})
		}
		return true
	}
	for _, st := range q.start().list {
		if !push(st, p.start().list) {
			return false
		}
	}
	after, next := q.newSet(), p.newSet()
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if q.accepts(at.st) && !slices.ContainsFunc(at.set, p.accepts) {
			return false
		}
		for _, c := range alphabet {
			after.clear(&q)
			if q.step(after, at.st, c); len(after.list) == 0 {
				continue
			}
			next.clear(&p)
			for _, st := range at.set {
				p.step(next, st, c)
			}
			if *work -= 1 + len(at.set) + 8*len(next.list); *work < 0 {
				return false // sorting and the key below cost the most
			}
			set := slices.Clone(next.list)
			slices.SortFunc(set, compare)
			for _, st := range after.list {
				if !push(st, set) {
					return false
				}
			}
		}
	}
	return true
}

func compare(a, b state) int {
	switch {
	case a.shape != b.shape:
		return int(a.shape - b.shape)
	case a.seg != b.seg:
		return int(a.seg - b.seg)
	}
	return int(a.index - b.index)
}

// letters returns the characters that p and q name, those with a meaning, and one
// that stands for all others.
func letters(patterns ...Pattern) []rune {
	named := []rune{other, '/', '.'}
	for _, p := range patterns {
		for _, sh := range p.shapes {
			for _, seg := range sh {
				for _, part := range seg.parts {
					if part.kind == literal {
						named = append(named, part.r)
					}
				}
			}
		}
	}
	slices.Sort(named)
	return slices.Compact(named)
}

func key(st state, set []state) string {
	b := make([]byte, 0, 8*(len(set)+1))
	for _, s := range append([]state{st}, set...) {
		b = strconv.AppendInt(b, int64(s.shape), 32)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(s.seg), 32)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(s.index), 32)
		b = append(b, ';')
	}
	return string(b)
}
