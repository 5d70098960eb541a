package cel

import "math"

// Less is <.
func (c *Ctx) Less(a, b Val) Val {
	order, bad := c.order(a, b)
	return boolOr(order == -1, bad)
}

// LessEqual is <=.
func (c *Ctx) LessEqual(a, b Val) Val {
	order, bad := c.order(a, b)
	return boolOr(order <= 0, bad) // unordered is greater
}

// Greater is >.
func (c *Ctx) Greater(a, b Val) Val {
	order, bad := c.order(a, b)
	return boolOr(order == 1, bad)
}

// GreaterEqual is >=.
func (c *Ctx) GreaterEqual(a, b Val) Val {
	order, bad := c.order(a, b)
	return boolOr(order == 0 || order == 1, bad)
}

// unordered is the order of NaN to anything: every comparison is false.
const unordered = 2

// order is compare for the operators, which do not mind NaN.
func (c *Ctx) order(a, b Val) (int, Val) {
	if a.kind == KindInt && b.kind == KindInt { // the most frequent case
		return order3(a.int(), b.int()), Null()
	}
	if b.kind != KindError && (isNaN(a) || isNaN(b) && hasOrder(a.kind)) {
		return unordered, Null()
	}
	return c.compare(a, b)
}

func isNaN(v Val) bool { return v.kind == KindDouble && math.IsNaN(v.double()) }

func boolOr(b bool, bad Val) Val {
	if bad.kind == KindError {
		return bad
	}
	return Bool(b)
}

// compare orders two values that have an order: numbers of any types, bools, strings by
// code points, bytes, timestamps and durations. It is -1, 0 or 1.
func (c *Ctx) compare(a, b Val) (int, Val) {
	if a.kind == KindError || b.kind == KindError {
		return 0, failed(a, b)
	}
	if isNumber(a.kind) && isNumber(b.kind) {
		order, ordered := compareNumbers(a, b)
		if !ordered {
			return 0, Err("NaN values cannot be ordered")
		}
		return order, Null()
	}
	if a.kind != b.kind {
		return 0, errOverload
	}
	switch a.kind {
	case KindBool:
		return order3(a.num, b.num), Null()
	case KindString, KindBytes:
		if !c.spendText(min(len(a.str), len(b.str))) {
			return 0, errLimit
		}
		return order3(a.str, b.str), Null()
	case KindDuration:
		return order3(a.int(), b.int()), Null()
	case KindTimestamp:
		if order := order3(seconds(a), seconds(b)); order != 0 {
			return order, Null()
		}
		return order3(int(a.node), int(b.node)), Null()
	}
	return 0, errOverload
}
