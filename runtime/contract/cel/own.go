package cel

// Unique is unique(list): no two elements are equal.
func (c *Ctx) Unique(v Val) Val {
	if v.kind != KindList {
		return failed(v)
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	if len(items) <= fewValues {
		for i := range items {
			if again, bad := c.repeated(items, i); again || bad {
				return c.repeatedVal(bad)
			}
		}
		return Bool(true)
	}
	seen := newSet(c, len(items))
	defer seen.done()
	for _, x := range items {
		added, bad := seen.add(x)
		if bad.kind == KindError || !added {
			return boolOr(false, bad)
		}
	}
	return Bool(true)
}

// repeated reports whether item i of a short list equals one before it; bad that the
// steps are spent.
func (c *Ctx) repeated(items []Val, i int) (again, bad bool) {
	x := &items[i]
	for j := range items[:i] {
		y := &items[j]
		if x.kind == KindString && y.kind == KindString {
			if x.str == y.str {
				return true, false
			}
			continue
		}
		eq, err := c.equal(*x, *y)
		if err.kind == KindError {
			return false, true
		}
		if eq {
			return true, false
		}
	}
	return false, !c.spend(1 + len(x.str)/16)
}

func (c *Ctx) repeatedVal(bad bool) Val {
	if bad {
		return errLimit
	}
	return Bool(false)
}

// Repeats is repeats(list): the indices of the elements that equal an earlier one, in
// order.
func (c *Ctx) Repeats(v Val) Val {
	if v.kind != KindList {
		return failed(v)
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	var again []Val
	if len(items) <= fewValues {
		for i := range items {
			found, bad := c.repeated(items, i)
			if bad {
				return errLimit
			}
			if found {
				again = append(c.room(again), Int(int64(i)))
			}
		}
		return c.Made(again)
	}
	seen := newSet(c, len(items))
	defer seen.done()
	for i, x := range items {
		added, bad := seen.add(x)
		if bad.kind == KindError {
			return bad
		}
		if !added {
			again = append(c.room(again), Int(int64(i)))
		}
	}
	return c.Made(again)
}

// Misses is misses(list, whole): the indices of the elements that whole does not have, in
// order.
func (c *Ctx) Misses(v, whole Val) Val {
	if bad := accepts([]Val{v, whole}, KindList, KindList); bad.kind == KindError {
		return bad
	}
	if list := whole.view(); list != nil && list.elem().Kind == ShapeString { // strings in the document
		if out, ok := c.missesText(v, whole); ok {
			return out
		}
	}
	in := newSet(c, 0)
	defer in.done()
	all := c.Iter(whole)
	for all.Next() {
		if _, bad := in.add(all.Val()); bad.kind == KindError {
			return bad
		}
	}
	if bad, failed := all.Err(); failed {
		return bad
	}
	var absent []Val
	it := c.Iter(v)
	for i := int64(0); it.Next(); i++ {
		has, bad := in.has(it.Val())
		if bad.kind == KindError {
			return bad
		}
		if !has {
			absent = append(c.room(absent), Int(i))
		}
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return c.Made(absent)
}

// missesText is Misses for a short list of strings in the document; ok is false for
// others.
func (c *Ctx) missesText(v, whole Val) (out Val, ok bool) {
	d := c.docs[whole.num]
	n := d.Count(whole.node)
	if n > fewValues || !c.spend(n) {
		return Val{}, false
	}
	var absent []Val
	it := c.Iter(v)
	for i := int64(0); it.Next(); i++ {
		x := it.Val()
		if x.kind != KindString {
			return Val{}, false
		}
		found, ok := within(d, whole.node, Str{x.str, true})
		if !ok || !c.spend(n) {
			return Val{}, false
		}
		if !found {
			absent = append(c.room(absent), Int(i))
		}
	}
	if _, failed := it.Err(); failed {
		return Val{}, false
	}
	return c.Made(absent), true
}

// IsPrefix is isPrefix(shorter, longer): longer begins with the elements of shorter.
func (c *Ctx) IsPrefix(shorter, longer Val) Val {
	if bad := accepts([]Val{shorter, longer}, KindList, KindList); bad.kind == KindError {
		return bad
	}
	x, y := c.Iter(shorter), c.Iter(longer)
	for x.Next() {
		if !y.Next() {
			return boolOr(false, either(x, y))
		}
		if eq, bad := c.equal(x.Val(), y.Val()); !eq || bad.kind == KindError {
			return boolOr(false, bad)
		}
	}
	return boolOr(true, either(x, y))
}

// Sorted is sorted(list): each element is at least the one before, by CEL's order, which
// for strings is that of code points. Elements that have no order are an error.
func (c *Ctx) Sorted(v Val) Val { return c.IsSorted(v) }

// Omit is omit(map, keys): the map without these keys, in its order.
func (c *Ctx) Omit(v, keys Val) Val {
	if bad := accepts([]Val{v, keys}, KindMap, KindList); bad.kind == KindError {
		return bad
	}
	drop, bad := c.items(keys)
	if bad.kind == KindError {
		return bad
	}
	m := c.mapping()
	for it := c.Iter(v); ; {
		if !it.Next() {
			if bad, failed := it.Err(); failed {
				return bad
			}
			break
		}
		key, val := it.Key(), it.Val()
		if among(key, drop) {
			continue
		}
		if val.kind == KindError {
			return val
		}
		m.keys, m.vals = append(m.keys, key), append(m.vals, val) // the keys of a map do not repeat
	}
	m.lazy = len(m.keys) > smallMap
	return Val{kind: KindMap, ref: m}
}

// among reports whether a key is one of a few.
func among(key Val, list []Val) bool {
	form, _ := keyOf(key)
	for i := range list {
		if other, ok := keyOf(list[i]); ok && other == form {
			return true
		}
	}
	return false
}

// instant reads the timestamps of contracts: YYYY-MM-DDTHH:MM, seconds and fraction
// optional, Z; the year 0000 exists.
func (c *Ctx) instant(v Val) (sec int64, t clock, bad Val) {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return 0, t, bad
	}
	if sec, t, ok := instantOf(s); ok {
		return sec, t, Null()
	}
	return 0, t, Err("not a timestamp in UTC: " + clip(s))
}

// instantOf reads a timestamp in UTC whose seconds may be absent.
func instantOf(s string) (sec int64, t clock, ok bool) {
	day, ok := parseDay(s)
	if !ok || len(s) <= 10 || s[10] != 'T' {
		return 0, t, false
	}
	t, ok = parseClock(s[11:], true)
	return day + int64(t.sec), t, ok && t.rest == "Z"
}

// Instant is instant(string), a timestamp. It is exact: a fraction finer than nanoseconds
// is an error.
func (c *Ctx) Instant(v Val) Val {
	sec, t, bad := c.instant(v)
	switch {
	case bad.kind == KindError:
		return bad
	case t.lost:
		return Err("the timestamp is finer than nanoseconds")
	}
	return packTime(sec, t.nano, 0)
}

// InstantMillis is instantMillis(string): whole milliseconds since 1970, without the rest
// of the fraction.
func (c *Ctx) InstantMillis(v Val) Val {
	sec, t, bad := c.instant(v)
	if bad.kind == KindError {
		return bad
	}
	return Int(sec*1000 + int64(t.nano)/1e6)
}
