package cel

import "math/big"

const typeQuantity = "kubernetes.Quantity"

// Quantity is quantity(string): 1.5Gi, 200m, 1e3.
func (c *Ctx) Quantity(v Val) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	q, ok := parseQuantity(s)
	if !ok || !c.spend(len(s)) {
		return Err("quantities must match a sign, digits and a suffix: " + clip(s))
	}
	return opaque(typeQuantity, q)
}

// IsQuantity is isQuantity(string).
func (c *Ctx) IsQuantity(v Val) Val {
	return c.parses(v, KindString, func() Val { return c.Quantity(v) })
}

// Sign is quantity.sign(): -1, 0 or 1.
func (c *Ctx) Sign(v Val) Val {
	q, ok := v.ref.(quantity)
	if !ok {
		return failed(v)
	}
	return Int(int64(q.coef.Sign()))
}

// IsInteger is quantity.isInteger(): whether asInteger has a result.
func (c *Ctx) IsInteger(v Val) Val {
	q, ok := v.ref.(quantity)
	if !ok {
		return failed(v)
	}
	_, whole := q.int64()
	return Bool(whole)
}

// AsInteger is quantity.asInteger().
func (c *Ctx) AsInteger(v Val) Val {
	q, ok := v.ref.(quantity)
	if !ok {
		return failed(v)
	}
	i, whole := q.int64()
	if !whole {
		return Err("cannot convert value to integer")
	}
	return Int(i)
}

// AsApproximateFloat is quantity.asApproximateFloat().
func (c *Ctx) AsApproximateFloat(v Val) Val {
	q, ok := v.ref.(quantity)
	if !ok {
		return failed(v)
	}
	return Double(q.float())
}

// AddQuantity is quantity.add(x), of a quantity or an int.
func (c *Ctx) AddQuantity(v, x Val) Val { return addQuantity(v, x, 1) }

// SubQuantity is quantity.sub(x), likewise.
func (c *Ctx) SubQuantity(v, x Val) Val { return addQuantity(v, x, -1) }

func addQuantity(v, x Val, sign int64) Val {
	q, ok := v.ref.(quantity)
	if !ok {
		return failed(v, x)
	}
	o, ok := x.ref.(quantity)
	if x.kind == KindInt {
		o, ok = quantity{coef: big.NewInt(x.int())}, true
	}
	if !ok {
		return failed(x)
	}
	return opaque(typeQuantity, q.add(o, sign))
}

// CompareTo is a.compareTo(b) of quantities or versions: -1, 0 or 1.
func (c *Ctx) CompareTo(a, b Val) Val {
	switch x := a.ref.(type) {
	case quantity:
		if y, ok := b.ref.(quantity); ok {
			return Int(int64(x.cmp(y)))
		}
	case version:
		if y, ok := b.ref.(version); ok {
			return Int(int64(x.compare(y)))
		}
	}
	return failed(a, b)
}

// IsGreaterThan is a.isGreaterThan(b).
func (c *Ctx) IsGreaterThan(a, b Val) Val {
	order := c.CompareTo(a, b)
	return boolOr(order.int() > 0, order)
}

// IsLessThan is a.isLessThan(b).
func (c *Ctx) IsLessThan(a, b Val) Val {
	order := c.CompareTo(a, b)
	return boolOr(order.int() < 0, order)
}
