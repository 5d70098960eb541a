package cel

// place is list.indexOf(x) and list.lastIndexOf(x).
func (c *Ctx) place(v, x Val, last bool) Val {
	if x.kind == KindError {
		return x
	}
	found := int64(-1)
	it := c.Iter(v)
	for it.Next() && (last || found < 0) {
		eq, bad := c.equal(it.Val(), x)
		if bad.kind == KindError {
			return bad
		}
		if eq {
			found = it.i
		}
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return Int(found)
}

// IsSorted is list.isSorted().
func (c *Ctx) IsSorted(v Val) Val {
	return c.fold(v, Bool(true), func(before, x Val) (Val, bool) {
		order, bad := c.compare(before, x)
		if bad.kind == KindError {
			return bad, false
		}
		return Bool(false), order <= 0
	})
}

// fold calls next on each pair of neighbours until it returns false, and then returns
// its value, or else end. Elements that have no order are an error, even a lone one.
func (c *Ctx) fold(v, end Val, next func(before, x Val) (Val, bool)) Val {
	if v.kind != KindList {
		return failed(v)
	}
	var before Val
	it := c.Iter(v)
	for it.Next() {
		x := it.Val()
		if !hasOrder(x.kind) {
			return failed(x)
		}
		if it.i > 0 {
			if result, ok := next(before, x); !ok {
				return result
			}
		}
		before = x
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return end
}

// Min is list.min(); an empty list is an error.
func (c *Ctx) Min(v Val) Val { return c.extreme(v, -1, "min") }

// Max is list.max(); an empty list is an error.
func (c *Ctx) Max(v Val) Val { return c.extreme(v, 1, "max") }

func (c *Ctx) extreme(v Val, sign int, name string) Val {
	if v.kind != KindList {
		return failed(v)
	}
	best := Err(name + " called on empty list")
	it := c.Iter(v)
	for it.Next() {
		x := it.Val()
		if it.i == 0 {
			if best = x; !hasOrder(x.kind) {
				return failed(x)
			}
			continue
		}
		order, bad := c.compare(x, best)
		if bad.kind == KindError {
			return bad
		}
		if order == sign {
			best = x
		}
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return best
}

// Sum is list.sum() over ints, uints, doubles or durations. An empty list gives the int
// 0; where the checker knows another type, call SumOf.
func (c *Ctx) Sum(v Val) Val { return c.SumOf(v, Int(0)) }

// SumOf is list.sum() with the value of an empty list.
func (c *Ctx) SumOf(v, zero Val) Val {
	if v.kind != KindList {
		return failed(v)
	}
	sum := zero
	it := c.Iter(v)
	for it.Next() {
		x := it.Val()
		if !isNumber(x.kind) && x.kind != KindDuration {
			return failed(x)
		}
		if it.i == 0 {
			sum = x
			continue
		}
		if sum = c.Add(sum, x); sum.kind == KindError {
			return sum
		}
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return sum
}
