package pattern

import (
	"strings"
	"unicode/utf8"
)

// MatchString reports whether the pattern is found in s, by its plan. It takes
// time linear in len(s). A search that is given up counts as
// not found.
func (p *Pattern) MatchString(s string) bool {
	switch plan := p.plan.(type) {
	case Always:
		return true
	case Never:
		return false
	case Contains:
		return strings.Contains(s, plan.Text)
	case Suffix:
		return strings.HasSuffix(s, plan.Text)
	case *Straight:
		i := matchOps(plan.Ops, s, 0)
		return i >= 0 && (!plan.End || i == len(s))
	case *DFA:
		return plan.match(s)
	case *Padded:
		return plan.Search.Match([]byte(s))
	case *Backtrack:
		found, _ := plan.Search.Find([]byte(s))
		return found
	}
	return p.regexp().MatchString(s)
}

// Match is MatchString for use inside a check of package contract, where it does
// what emitted code does: a search that is given up ends the check with an issue,
// whatever it was asked for.
func (p *Pattern) Match(s []byte) bool {
	if b, ok := p.plan.(*Backtrack); ok {
		return b.Search.Match(s)
	}
	return p.MatchString(string(s))
}

// matchOps gives the offset after ops, or -1.
func matchOps(ops []Op, s string, i int) int {
	for _, op := range ops {
		if i = matchOp(op, s, i); i < 0 {
			return -1
		}
	}
	return i
}

func matchOp(op Op, s string, i int) int {
	switch op := op.(type) {
	case Literal:
		if !strings.HasPrefix(s[i:], op.Text) {
			return -1
		}
		return i + len(op.Text)
	case Run:
		return matchRun(&op, s, i)
	case Group:
		n := 0
		for ; n != op.Max && i < len(s) && op.First.Has(s[i]); n++ {
			if i = matchOps(op.Ops, s, i); i < 0 {
				return -1
			}
		}
		if n < op.Min {
			return -1
		}
		return i
	case Choice:
		if i < len(s) {
			for k := range op.Branches {
				if op.Branches[k].First.Has(s[i]) {
					return matchOps(op.Branches[k].Ops, s, i)
				}
			}
		}
		if op.Optional {
			return i
		}
	}
	return -1
}

func matchRun(run *Run, s string, i int) int {
	n := 0
	for ; n != run.Max && i < len(s); n++ {
		if run.Set.Whole {
			if !run.Set.Bytes.Has(s[i]) {
				break
			}
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		if !run.Set.has(r) {
			break
		}
		i += w
	}
	if n < run.Min {
		return -1
	}
	return i
}

func (d *DFA) match(s string) bool {
	state := d.Start
	for i := 0; i < len(s); i++ {
		state = int(d.Next[state*d.Classes+int(d.Class[s[i]])])
		if state <= 1 {
			return state == 1
		}
	}
	return state >= d.Accept
}
