package cel

import "github.com/contractkit/contractkit/runtime/contract"

// Within loops compiled rules look through lists, objects and values by the methods
// here: they do what the functions of their names do, and draw on the step budget, so
// that a loop around them cannot take more time than other loops.

// walk draws for one pass over the value n.
func (c *Ctx) walk(d *contract.Doc, n contract.Node, times int) bool {
	if n < 0 {
		return true
	}
	return c.spend(times*(int(d.Next(n)-n)/16) + 1)
}

// named finds a member; the names of large objects are kept for the next time.
func (c *Ctx) named(d *contract.Doc, n contract.Node, name string) (contract.Node, bool) {
	if !c.Step() || n < 0 || d.Kind(n) != contract.Object {
		return Nowhere, false
	}
	for i := range min(2, len(c.docs)) {
		if c.docs[i] == d {
			return c.member(uint64(i), n, name)
		}
	}
	if !c.walk(d, n, 1) {
		return Nowhere, false
	}
	return d.Member(n, name)
}

// WalkAt is At.
func (c *Ctx) WalkAt(d *contract.Doc, n contract.Node, i I64) contract.Node {
	m := At(d, n, i)
	end := m
	if m < 0 {
		end = n + 1
		if n >= 0 {
			end = d.Next(n)
		}
	}
	if !c.spend(int(end-n)/16 + 1) {
		return Nowhere
	}
	return m
}

// WalkMember is Member.
func (c *Ctx) WalkMember(d *contract.Doc, n contract.Node, name string) contract.Node {
	m, there := c.named(d, n, name)
	if !there {
		return Nowhere
	}
	return m
}

// WalkCount is Count.
func (c *Ctx) WalkCount(d *contract.Doc, n contract.Node) I64 {
	if !c.walk(d, n, 1) {
		return I64{}
	}
	return Count(d, n)
}

// WalkWithin is Within.
func (c *Ctx) WalkWithin(d *contract.Doc, n contract.Node, s Str) bool {
	return c.walk(d, n, 1) && Within(d, n, s)
}

// WalkNotWithin is NotWithin.
func (c *Ctx) WalkNotWithin(d *contract.Doc, n contract.Node, s Str) bool {
	return c.walk(d, n, 1) && NotWithin(d, n, s)
}

// WalkHasNamed is HasNamed.
func (c *Ctx) WalkHasNamed(d *contract.Doc, n contract.Node, name Str) bool {
	return name.OK && c.WalkHas(d, n, name.S)
}

// WalkLacksNamed is LacksNamed.
func (c *Ctx) WalkLacksNamed(d *contract.Doc, n contract.Node, name Str) bool {
	return name.OK && n >= 0 && d.Kind(n) == contract.Object && c.WalkLacks(d, n, name.S)
}

// WalkHas is Has.
func (c *Ctx) WalkHas(d *contract.Doc, n contract.Node, name string) bool {
	_, there := c.named(d, n, name)
	return there
}

// WalkLacks is Lacks.
func (c *Ctx) WalkLacks(d *contract.Doc, n contract.Node, name string) bool {
	_, there := c.named(d, n, name)
	return n >= 0 && d.Kind(n) != contract.Array && !there && c.spend(0)
}

// WalkHoldsAll is HoldsAll.
func (c *Ctx) WalkHoldsAll(d *contract.Doc, n contract.Node, list []string) bool {
	return c.walk(d, n, len(list)) && HoldsAll(d, n, list)
}

// WalkLacksSome is LacksSome.
func (c *Ctx) WalkLacksSome(d *contract.Doc, n contract.Node, list []string) bool {
	return c.walk(d, n, len(list)) && LacksSome(d, n, list)
}

// WalkHoldsAny is HoldsAny.
func (c *Ctx) WalkHoldsAny(d *contract.Doc, n contract.Node, list []string) bool {
	return c.walk(d, n, len(list)) && HoldsAny(d, n, list)
}

// WalkHoldsNone is HoldsNone.
func (c *Ctx) WalkHoldsNone(d *contract.Doc, n contract.Node, list []string) bool {
	return c.walk(d, n, len(list)) && HoldsNone(d, n, list)
}

// WalkSame is Same.
func (c *Ctx) WalkSame(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && Same(d, n, e, m)
}

// WalkDiffer is Differ.
func (c *Ctx) WalkDiffer(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && Differ(d, n, e, m)
}

// WalkHasSame is HasSame.
func (c *Ctx) WalkHasSame(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && HasSame(d, n, e, m)
}

// WalkLacksSame is LacksSame.
func (c *Ctx) WalkLacksSame(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && LacksSame(d, n, e, m)
}

// WalkBegins is Begins.
func (c *Ctx) WalkBegins(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && Begins(d, n, e, m)
}

// WalkBeginsNot is BeginsNot.
func (c *Ctx) WalkBeginsNot(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && BeginsNot(d, n, e, m)
}

// WalkSameOpt is SameOpt.
func (c *Ctx) WalkSameOpt(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && SameOpt(d, n, e, m)
}

// WalkDifferOpt is DifferOpt.
func (c *Ctx) WalkDifferOpt(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return c.walk(d, n, 1) && DifferOpt(d, n, e, m)
}

// WalkSameBut is SameBut.
func (c *Ctx) WalkSameBut(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node, names []string) bool {
	return c.walk(d, n, 1+len(names)) && SameBut(d, n, e, m, names)
}

// WalkDifferBut is DifferBut.
func (c *Ctx) WalkDifferBut(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node, names []string) bool {
	return c.walk(d, n, 1+len(names)) && DifferBut(d, n, e, m, names)
}

// WalkHoldsOpt is HoldsOpt.
func (c *Ctx) WalkHoldsOpt(d *contract.Doc, n contract.Node, s Str) bool {
	return c.walk(d, n, 1) && HoldsOpt(d, n, s)
}

// WalkLacksOpt is LacksOpt.
func (c *Ctx) WalkLacksOpt(d *contract.Doc, n contract.Node, s Str) bool {
	return c.walk(d, n, 1) && LacksOpt(d, n, s)
}
