package pattern

import (
	"fmt"

	"github.com/contractkit/contractkit/runtime/contract"
)

// maxSteps bounds a compiled search, whose counted loops are written out.
const maxSteps = 20_000

// compileBacktrack writes n as the steps of a [contract.Backtracker].
func compileBacktrack(n *node) (*Backtrack, error) {
	c := &compiler{sets: map[string]int{}}
	n.any(func(n *node) bool {
		if n.kind == kindGroup {
			c.search.Slots = max(c.search.Slots, 2*n.ref)
		}
		return false
	})
	c.node(n, false)
	c.emit(contract.StepMatch, 0, 0)
	if c.full() {
		return nil, fmt.Errorf("%w: more than %d steps with its counted repetitions written out", ErrTooLarge, maxSteps)
	}
	return &Backtrack{c.search}, nil
}

type compiler struct {
	search contract.Backtracker
	sets   map[string]int // text of a set → its number
}

func (c *compiler) full() bool { return len(c.search.Steps) > maxSteps }

func (c *compiler) emit(op contract.StepOp, x, y int) int {
	c.search.Steps = append(c.search.Steps, contract.Step{Op: op, X: x, Y: y})
	return len(c.search.Steps) - 1
}

func (c *compiler) here() int { return len(c.search.Steps) }

// node compiles n; back says that the string is read backwards, as inside
// look-behind.
func (c *compiler) node(n *node, back bool) {
	if c.full() {
		return
	}
	switch n.kind {
	case kindSet:
		op := contract.StepSet
		if back {
			op = contract.StepSetBack
		}
		c.emit(op, c.set(n.set), 0)
	case kindConcat:
		for i := range n.subs {
			if back {
				i = len(n.subs) - 1 - i
			}
			c.node(n.subs[i], back)
		}
	case kindAlt:
		c.alternatives(n.subs, back)
	case kindRepeat:
		c.loop(n, back)
	case kindBegin:
		c.emit(contract.StepBegin, 0, 0)
	case kindEnd:
		c.emit(contract.StepEnd, 0, 0)
	case kindWord:
		c.emit(contract.StepWord, 0, 0)
	case kindNotWord:
		c.emit(contract.StepNotWord, 0, 0)
	case kindLook:
		op := contract.StepLook
		if n.neg {
			op = contract.StepNotLook
		}
		at := c.emit(op, 0, 0)
		c.node(n.subs[0], n.behind)
		c.emit(contract.StepMatch, 0, 0)
		c.search.Steps[at].X = c.here()
	case kindGroup:
		first, last := 2*(n.ref-1), 2*(n.ref-1)+1
		if back {
			first, last = last, first
		}
		c.emit(contract.StepSave, first, 0)
		c.node(n.subs[0], back)
		c.emit(contract.StepSave, last, 0)
	case kindRef:
		op := contract.StepRef
		if back {
			op = contract.StepRefBack
		}
		c.emit(op, 2*(n.ref-1), 0)
	}
}

// alternatives tries subs in their order.
func (c *compiler) alternatives(subs []*node, back bool) {
	var ends []int
	for i, s := range subs {
		if i == len(subs)-1 {
			c.node(s, back)
			break
		}
		split := c.emit(contract.StepSplit, c.here()+1, 0)
		c.node(s, back)
		ends = append(ends, c.emit(contract.StepJump, 0, 0))
		c.search.Steps[split].Y = c.here()
	}
	for _, at := range ends {
		c.search.Steps[at].X = c.here()
	}
}

// loop writes the rounds that must be one after another, then those that may be.
// A round that may be and matches nothing is a failure: it would go on for ever.
func (c *compiler) loop(n *node, back bool) {
	body := n.subs[0]
	for range n.min {
		c.round(body, back)
		if c.full() {
			return
		}
	}
	if n.max == n.min {
		return
	}
	mark := c.search.Slots
	c.search.Slots++
	rounds := n.max - n.min
	if n.max == unbounded {
		rounds = 1
	}
	var splits []int
	for range rounds {
		split := c.emit(contract.StepSplit, 0, 0)
		splits = append(splits, split)
		c.emit(contract.StepSave, mark, 0)
		c.round(body, back)
		c.emit(contract.StepMoved, mark, 0)
		if n.max == unbounded {
			c.emit(contract.StepJump, split, 0)
		}
		if c.full() {
			return
		}
	}
	for _, at := range splits {
		s := &c.search.Steps[at]
		s.X, s.Y = at+1, c.here()
		if n.lazy {
			s.X, s.Y = s.Y, s.X
		}
	}
}

// round is one round of a loop; what its groups held before is forgotten.
func (c *compiler) round(body *node, back bool) {
	from, to := -1, -1
	body.any(func(n *node) bool {
		if n.kind == kindGroup {
			if from < 0 {
				from = 2 * (n.ref - 1)
			}
			from, to = min(from, 2*(n.ref-1)), max(to, 2*n.ref)
		}
		return false
	})
	if from >= 0 {
		c.emit(contract.StepClear, from, to)
	}
	c.node(body, back)
}

// set gives the number of a set of code points.
func (c *compiler) set(s runeSet) int {
	key := fmt.Sprint(s)
	if i, ok := c.sets[key]; ok {
		return i
	}
	i := len(c.search.Sets)
	c.search.Sets = append(c.search.Sets, s.runtime())
	c.sets[key] = i
	return i
}
