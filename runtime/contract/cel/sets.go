package cel

// SetsContains is sets.contains(v, part): every element of part is in v.
func (c *Ctx) SetsContains(v, part Val) Val { return c.subset(part, v) }

// SetsEquivalent is sets.equivalent(a, b): each has all elements of the other.
func (c *Ctx) SetsEquivalent(a, b Val) Val {
	if x := c.subset(b, a); !x.IsTrue() {
		return x
	}
	return c.subset(a, b)
}

// SetsIntersects is sets.intersects(a, b): they have an element in common.
func (c *Ctx) SetsIntersects(a, b Val) Val {
	return c.overlap(a, b, true)
}

// HasAll is list.hasAll(part), HasOnly list.hasOnly(whole), HasAny and HasExactly likewise.
func (c *Ctx) HasAll(v, part Val) Val { return c.subset(part, v) }

// HasOnly is list.hasOnly(whole): every element is in whole.
func (c *Ctx) HasOnly(v, whole Val) Val { return c.subset(v, whole) }

// HasAny is list.hasAny(other): they have an element in common.
func (c *Ctx) HasAny(v, other Val) Val { return c.overlap(v, other, true) }

// HasExactly is list.hasExactly(other): each has all elements of the other.
func (c *Ctx) HasExactly(v, other Val) Val { return c.SetsEquivalent(v, other) }

// subset reports whether every element of part is in whole.
func (c *Ctx) subset(part, whole Val) Val { return c.Not(c.overlap(part, whole, false)) }

// overlap reports whether some element of a is in b, or is not when want is false.
func (c *Ctx) overlap(a, b Val, want bool) Val {
	if a.kind != KindList || b.kind != KindList {
		return failed(a, b)
	}
	x, bad := c.items(a)
	if bad.kind == KindError {
		return bad
	}
	y, bad := c.items(b)
	if bad.kind == KindError {
		return bad
	}
	in := newSet(c, len(y))
	defer in.done()
	for _, e := range y {
		if _, bad := in.add(e); bad.kind == KindError {
			return bad
		}
	}
	for _, e := range x {
		has, bad := in.has(e)
		if bad.kind == KindError {
			return bad
		}
		if has == want {
			return Bool(true)
		}
	}
	return Bool(false)
}
