package cel

import "math"

// MathGreatest is math.greatest of one number, of two, or of a list.
func (c *Ctx) MathGreatest(args ...Val) Val { return c.mathExtreme(args, 1) }

// MathLeast is math.least of one number, of two, or of a list.
func (c *Ctx) MathLeast(args ...Val) Val { return c.mathExtreme(args, -1) }

func (c *Ctx) mathExtreme(args []Val, sign int) Val {
	if len(args) == 1 && args[0].kind == KindList {
		items, bad := c.items(args[0])
		if bad.kind == KindError {
			return bad
		}
		if args = items; len(args) == 0 {
			return Err("math.greatest and math.least need an element")
		}
	}
	if len(args) == 0 {
		return errOverload
	}
	for _, x := range args {
		if !isNumber(x.kind) {
			return failed(args...)
		}
	}
	best := args[0]
	for _, x := range args[1:] {
		order, bad := c.compare(x, best)
		if bad.kind == KindError {
			return bad
		}
		if order == sign {
			best = x
		}
	}
	return best
}

func overDouble(v Val, f func(float64) float64) Val {
	if v.kind != KindDouble {
		return failed(v)
	}
	return Double(f(v.double()))
}

// MathCeil is math.ceil(double).
func (c *Ctx) MathCeil(v Val) Val { return overDouble(v, math.Ceil) }

// MathFloor is math.floor(double).
func (c *Ctx) MathFloor(v Val) Val { return overDouble(v, math.Floor) }

// MathRound is math.round(double): halves away from zero.
func (c *Ctx) MathRound(v Val) Val { return overDouble(v, math.Round) }

// MathTrunc is math.trunc(double).
func (c *Ctx) MathTrunc(v Val) Val { return overDouble(v, math.Trunc) }

// MathSqrt is math.sqrt of a number, a double; of a negative one it is NaN.
func (c *Ctx) MathSqrt(v Val) Val {
	f, ok := asFloat(v)
	if !ok {
		return failed(v)
	}
	return Double(math.Sqrt(f))
}

// MathAbs is math.abs of a number.
func (c *Ctx) MathAbs(v Val) Val {
	switch v.kind {
	case KindInt:
		if v.int() < 0 {
			return c.Neg(v)
		}
		return v
	case KindUint:
		return v
	}
	return overDouble(v, math.Abs)
}

// MathSign is math.sign of a number: -1, 0 or 1 of the same type; NaN stays NaN.
func (c *Ctx) MathSign(v Val) Val {
	switch v.kind {
	case KindInt:
		return Int(int64(order3(v.int(), 0)))
	case KindUint:
		return Uint(min(v.num, 1))
	}
	return overDouble(v, func(f float64) float64 {
		if math.IsNaN(f) {
			return f
		}
		return float64(order3(f, 0))
	})
}

func testDouble(v Val, f func(float64) bool) Val {
	if v.kind != KindDouble {
		return failed(v)
	}
	return Bool(f(v.double()))
}

// MathIsNaN is math.isNaN(double).
func (c *Ctx) MathIsNaN(v Val) Val { return testDouble(v, math.IsNaN) }

// MathIsInf is math.isInf(double), of either sign.
func (c *Ctx) MathIsInf(v Val) Val {
	return testDouble(v, func(f float64) bool { return math.IsInf(f, 0) })
}

// MathIsFinite is math.isFinite(double).
func (c *Ctx) MathIsFinite(v Val) Val {
	return testDouble(v, func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) })
}

func bitwise(a, b Val, f func(x, y uint64) uint64) Val {
	if a.kind != b.kind || a.kind != KindInt && a.kind != KindUint {
		return failed(a, b)
	}
	return Val{kind: a.kind, num: f(a.num, b.num)}
}

// MathBitAnd is math.bitAnd of two ints or two uints, as are the following.
func (c *Ctx) MathBitAnd(a, b Val) Val {
	return bitwise(a, b, func(x, y uint64) uint64 { return x & y })
}

// MathBitOr is math.bitOr.
func (c *Ctx) MathBitOr(a, b Val) Val {
	return bitwise(a, b, func(x, y uint64) uint64 { return x | y })
}

// MathBitXor is math.bitXor.
func (c *Ctx) MathBitXor(a, b Val) Val {
	return bitwise(a, b, func(x, y uint64) uint64 { return x ^ y })
}

// MathBitNot is math.bitNot.
func (c *Ctx) MathBitNot(a Val) Val {
	return bitwise(a, a, func(x, _ uint64) uint64 { return ^x })
}

// MathBitShiftLeft is math.bitShiftLeft(v, by); by 64 or more nothing is left.
func (c *Ctx) MathBitShiftLeft(v, by Val) Val {
	return shiftBits(v, by, func(x, n uint64) uint64 { return x << n })
}

// MathBitShiftRight is math.bitShiftRight(v, by), which fills with zeros.
func (c *Ctx) MathBitShiftRight(v, by Val) Val {
	return shiftBits(v, by, func(x, n uint64) uint64 { return x >> n })
}

func shiftBits(v, by Val, f func(x, n uint64) uint64) Val {
	if v.kind != KindInt && v.kind != KindUint || by.kind != KindInt {
		return failed(v, by)
	}
	if by.int() < 0 {
		return Err("negative offset of a bit shift")
	}
	return Val{kind: v.kind, num: f(v.num, by.num)}
}
