package glob

// maxCombinations bounds the work of Intersect; beyond it nothing is granted.
const maxCombinations = 10_000

// Intersect returns what all four layers grant. For each combination of one
// pattern a layer it takes the first, in the order workspace, lane, task, tool,
// that all the others cover; a combination without one yields nothing. Results
// are distinct, in the order found with tool outermost, then workspace, lane,
// task. A layer without patterns, or one outside the subset, yields nothing.
func Intersect(workspace, lane, task, tool []Pattern) []Pattern {
	n := 1
	for _, layer := range [][]Pattern{workspace, lane, task, tool} {
		if len(layer) > maxCombinations {
			return nil
		}
		if n *= len(layer); n > maxCombinations {
			return nil
		}
	}
	covers := memo{}
	var found []Pattern
	seen := map[string]bool{}
	for _, t := range tool {
		for _, w := range workspace {
			for _, l := range lane {
				for _, k := range task {
					if p, ok := covers.narrowest(w, l, k, t); ok && !seen[p.text] {
						seen[p.text] = true
						found = append(found, p)
					}
				}
			}
		}
	}
	return found
}

// memo remembers which pattern covers which, by their texts.
type memo map[[2]string]bool

func (m memo) narrowest(all ...Pattern) (Pattern, bool) {
	for i, p := range all {
		ok := true
		for j, q := range all {
			if i != j && !m.covers(q, p) {
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

func (m memo) covers(q, p Pattern) bool {
	k := [2]string{q.text, p.text}
	ok, known := m[k]
	if !known {
		ok = q.Contains(p)
		m[k] = ok
	}
	return ok
}
