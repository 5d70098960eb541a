package glob

// maxCombinations bounds the work of Intersect; beyond it nothing is granted.
const maxCombinations = 10_000

// Intersect returns what all four layers grant. For each combination of one
// pattern a layer it takes the first, in the order workspace, lane, task, tool,
// that all the others cover; a combination without one yields nothing. Results
// are distinct, in the order found with tool outermost, then workspace, lane,
// task. A layer without patterns, or one outside the subset, yields nothing.
func Intersect(workspace, lane, task, tool []Pattern) []Pattern {
	return new(Intersector).Intersect(workspace, lane, task, tool)
}

// Intersector intersects several times over the same few patterns. It remembers
// which covers which, and bounds the work of all its proofs together; beyond that
// nothing more is granted. It is not safe for concurrent use.
type Intersector struct {
	known map[[2]string]bool
	used  int
}

// Intersect is the function of that name.
func (x *Intersector) Intersect(workspace, lane, task, tool []Pattern) []Pattern {
	n := 1
	for _, layer := range [][]Pattern{workspace, lane, task, tool} {
		if len(layer) > maxCombinations {
			return nil
		}
		if n *= len(layer); n > maxCombinations {
			return nil
		}
	}
	var found []Pattern
	seen := map[string]bool{}
	for _, t := range tool {
		for _, w := range workspace {
			for _, l := range lane {
				for _, k := range task {
					if p, ok := x.narrowest(w, l, k, t); ok && !seen[p.text] {
						seen[p.text] = true
						found = append(found, p)
					}
				}
			}
		}
	}
	return found
}

func (x *Intersector) narrowest(all ...Pattern) (Pattern, bool) {
	for i, p := range all {
		ok := true
		for j, q := range all {
			if i != j && !x.covers(q, p) {
				ok = false
				break
			}
		}
		if ok {
			return p, true
		}
	}
	return Pattern{}, false
}

func (x *Intersector) covers(q, p Pattern) bool {
	k := [2]string{q.text, p.text}
	ok, known := x.known[k]
	if !known {
		work := min(maxWork, maxSharedWork-x.used)
		left := work
		ok = q.contains(p, &left)
		x.used += work - left
		if x.known == nil {
			x.known = map[[2]string]bool{}
		}
		x.known[k] = ok
	}
	return ok
}
