package cel

// OptionalOf is optional.of(v).
func (c *Ctx) OptionalOf(v Val) Val { return c.some(v) }

// OptionalNone is optional.none().
func (c *Ctx) OptionalNone() Val { return None() }

// OptionalOfNonZeroValue is optional.ofNonZeroValue(v): none for null, false, 0, "" and
// what is empty.
func (c *Ctx) OptionalOfNonZeroValue(v Val) Val {
	if c.isZero(v) {
		return None()
	}
	return c.some(v)
}

func (c *Ctx) isZero(v Val) bool {
	switch v.kind {
	case KindNull:
		return true
	case KindBool, KindInt, KindUint, KindDuration:
		return v.num == 0
	case KindDouble:
		return v.double() == 0
	case KindString, KindBytes:
		return v.str == ""
	case KindTimestamp:
		return seconds(v) == minSeconds && v.node == 0
	case KindList, KindMap:
		n, _ := c.Len(v)
		return n == 0
	}
	return false
}

// HasValue is o.hasValue() or o.hasValue(x), which compares x with what o holds.
func (c *Ctx) HasValue(args ...Val) Val {
	if len(args) == 0 || len(args) > 2 || args[0].kind != KindOptional {
		return failed(args...)
	}
	v, some, _ := args[0].AsOptional()
	if len(args) == 1 {
		return Bool(some)
	}
	if args[1].kind == KindError || !some {
		return boolOr(false, args[1])
	}
	return c.Equal(v, args[1])
}

// Value is o.value().
func (c *Ctx) Value(o Val) Val {
	v, some, ok := o.AsOptional()
	switch {
	case !ok:
		return failed(o)
	case !some:
		return Err("optional.none() dereference")
	}
	return v
}

// OptOr is o.or(other). When o holds a value, an error of other is not looked at.
func (c *Ctx) OptOr(o, other Val) Val {
	_, some, ok := o.AsOptional()
	switch {
	case !ok:
		return failed(o)
	case some:
		return o
	}
	return other
}

// OrValue is o.orValue(x). When o holds a value, an error of x is not looked at.
func (c *Ctx) OrValue(o, x Val) Val {
	v, some, ok := o.AsOptional()
	switch {
	case !ok:
		return failed(o)
	case some:
		return v
	}
	return x
}

// Unwrap is optional.unwrap(list) and list.unwrapOpt(): what the optionals hold, without
// those that hold nothing.
func (c *Ctx) Unwrap(v Val) Val {
	if v.kind != KindList {
		return failed(v)
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	held := c.Items()
	for _, o := range items {
		x, some, ok := o.AsOptional()
		if !ok {
			return failed(o)
		}
		if some {
			held = append(held, x)
		}
	}
	return c.Made(held)
}

// AppendOpt is a list literal's element [..., ?o]: v with what o holds behind it, if
// anything.
func (c *Ctx) AppendOpt(v, o Val) Val {
	x, some, ok := o.AsOptional()
	switch {
	case !ok:
		return failed(o)
	case !some:
		return v
	}
	return c.Append(v, x)
}

// InsertOpt is a map literal's entry {?k: o}: m with what o holds under k, if anything.
func (c *Ctx) InsertOpt(m, k, o Val) Val {
	x, some, ok := o.AsOptional()
	switch {
	case !ok || k.kind == KindError:
		return failed(k, o)
	case !some:
		return m
	}
	return c.MapInsert(m, k, x)
}
