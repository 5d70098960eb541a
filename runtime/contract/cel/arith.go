package cel

import (
	"math"
	"math/bits"
)

// Add is +: numbers of one type, strings, bytes, lists, durations and timestamps.
func (c *Ctx) Add(a, b Val) Val {
	if a.kind == KindError || b.kind == KindError {
		return failed(a, b)
	}
	if a.kind != b.kind {
		return addTime(a, b)
	}
	switch a.kind {
	case KindInt:
		return addInt(a.int(), b.int(), KindInt)
	case KindDuration:
		return addInt(a.int(), b.int(), KindDuration)
	case KindUint:
		sum, carry := bits.Add64(a.num, b.num, 0)
		if carry != 0 {
			return errUintRange
		}
		return Uint(sum)
	case KindDouble:
		return Double(a.double() + b.double())
	case KindString, KindBytes:
		if !c.spendMade(len(a.str) + len(b.str)) {
			return errLimit
		}
		return Val{kind: a.kind, str: a.str + b.str}
	case KindList:
		return c.concat(a, b)
	}
	return errOverload
}

// rangeError is the error of an int or duration beyond 64 bits.
func rangeError(k Kind) Val {
	if k == KindDuration {
		return errDuration
	}
	return errIntRange
}

func addInt(x, y int64, k Kind) Val {
	sum := x + y
	if (sum > x) != (y > 0) && y != 0 {
		return rangeError(k)
	}
	return Val{kind: k, num: uint64(sum)}
}

func subInt(x, y int64, k Kind) Val {
	diff := x - y
	if (diff < x) != (y > 0) && y != 0 {
		return rangeError(k)
	}
	return Val{kind: k, num: uint64(diff)}
}

// Sub is the binary -.
func (c *Ctx) Sub(a, b Val) Val {
	if a.kind == KindError || b.kind == KindError {
		return failed(a, b)
	}
	if a.kind == KindTimestamp {
		return subTime(a, b)
	}
	if a.kind != b.kind {
		return errOverload
	}
	switch a.kind {
	case KindInt, KindDuration:
		return subInt(a.int(), b.int(), a.kind)
	case KindUint:
		if b.num > a.num {
			return errUintRange
		}
		return Uint(a.num - b.num)
	case KindDouble:
		return Double(a.double() - b.double())
	}
	return errOverload
}

// Mul is *.
func (c *Ctx) Mul(a, b Val) Val {
	if a.kind != b.kind {
		return failed(a, b)
	}
	switch a.kind {
	case KindInt:
		if p, ok := mulInt(a.int(), b.int()); ok {
			return Int(p)
		}
		return errIntRange
	case KindUint:
		hi, lo := bits.Mul64(a.num, b.num)
		if hi != 0 {
			return errUintRange
		}
		return Uint(lo)
	case KindDouble:
		return Double(a.double() * b.double())
	}
	return failed(a, b)
}

func mulInt(x, y int64) (int64, bool) {
	p := x * y
	if x != 0 && (p/x != y || x == -1 && y == math.MinInt64) {
		return 0, false
	}
	return p, true
}

// Div is /: of ints and uints the whole part.
func (c *Ctx) Div(a, b Val) Val {
	if a.kind != b.kind {
		return failed(a, b)
	}
	switch a.kind {
	case KindInt:
		switch {
		case b.num == 0:
			return Err("division by zero")
		case a.int() == math.MinInt64 && b.int() == -1:
			return errIntRange
		}
		return Int(a.int() / b.int())
	case KindUint:
		if b.num == 0 {
			return Err("division by zero")
		}
		return Uint(a.num / b.num)
	case KindDouble:
		return Double(a.double() / b.double())
	}
	return failed(a, b)
}

// Mod is %, whose result has the sign of a.
func (c *Ctx) Mod(a, b Val) Val {
	if a.kind != b.kind {
		return failed(a, b)
	}
	switch a.kind {
	case KindInt:
		switch {
		case b.num == 0:
			return Err("modulus by zero")
		case a.int() == math.MinInt64 && b.int() == -1:
			return errIntRange
		}
		return Int(a.int() % b.int())
	case KindUint:
		if b.num == 0 {
			return Err("modulus by zero")
		}
		return Uint(a.num % b.num)
	}
	return failed(a, b)
}

// Neg is the unary -.
func (c *Ctx) Neg(a Val) Val {
	switch a.kind {
	case KindInt, KindDuration:
		return subInt(0, a.int(), a.kind)
	case KindDouble:
		return Double(-a.double())
	}
	return failed(a)
}
