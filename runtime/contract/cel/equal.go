package cel

import (
	"bytes"
	"math"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Equal is ==: numbers of different types compare by value, other values of different
// types are unequal, and NaN equals nothing.
func (c *Ctx) Equal(a, b Val) Val {
	if a.kind == KindInt && b.kind == KindInt { // a frequent case
		return Bool(a.num == b.num)
	}
	if a.kind == KindError || b.kind == KindError {
		return failed(a, b)
	}
	eq, bad := c.equal(a, b)
	if bad.kind == KindError {
		return bad
	}
	return Bool(eq)
}

// NotEqual is !=.
func (c *Ctx) NotEqual(a, b Val) Val { return c.Not(c.Equal(a, b)) }

// shortNumbers reports whether the numbers in a value are written so short that they are
// equal as doubles when they are equal as they are written.
func shortNumbers(d *contract.Doc, n contract.Node) bool {
	for k, end := n, d.Next(n); k < end; k++ {
		if d.Kind(k) == contract.Num {
			if text := d.Number(k); len(text) > 15 || bytes.ContainsAny(text, "eE") {
				return false
			}
		}
	}
	return true
}

// equal compares two values. The second result is an error if that cannot be decided.
func (c *Ctx) equal(a, b Val) (bool, Val) {
	if !c.Step() {
		return false, errLimit
	}
	if a.kind == KindError || b.kind == KindError {
		return false, failed(a, b)
	}
	if isNumber(a.kind) && isNumber(b.kind) {
		return equalNumbers(a, b), Null()
	}
	if a.kind != b.kind {
		return false, Null()
	}
	switch a.kind {
	case KindNull:
		return true, Null()
	case KindBool, KindDuration:
		return a.num == b.num, Null()
	case KindString, KindBytes:
		if len(a.str) != len(b.str) {
			return false, Null()
		}
		if !c.spendText(len(a.str)) {
			return false, errLimit
		}
		return a.str == b.str, Null()
	case KindType:
		return a.str == b.str, Null()
	case KindTimestamp:
		return seconds(a) == seconds(b) && a.node == b.node, Null()
	case KindList, KindMap:
		if s, t := a.view(), b.view(); s != nil && t != nil && (s.Plain || s.Kind == ShapeDyn) && (t.Plain || t.Kind == ShapeDyn) {
			d, e := c.docs[a.num], c.docs[b.num]
			if !c.spend(int(d.Next(a.node) - a.node)) {
				return false, errLimit
			}
			if s.Plain && t.Plain || shortNumbers(d, a.node) && shortNumbers(e, b.node) {
				return contract.EqualNodes(d, a.node, e, b.node), Null()
			}
		}
		if a.kind == KindList {
			return c.equalLists(a, b)
		}
		return c.equalMaps(a, b)
	case KindOptional:
		x, someX, _ := a.AsOptional()
		y, someY, _ := b.AsOptional()
		if !someX || !someY {
			return someX == someY, Null()
		}
		return c.equal(x, y)
	}
	return a.str == b.str && equalOpaque(a.ref, b.ref), Null()
}

func isNumber(k Kind) bool { return k == KindInt || k == KindUint || k == KindDouble }

func equalNumbers(a, b Val) bool {
	if a.kind == b.kind && a.kind != KindDouble {
		return a.num == b.num
	}
	order, ordered := compareNumbers(a, b)
	return ordered && order == 0
}

func (c *Ctx) equalLists(a, b Val) (bool, Val) {
	n, bad := c.Len(a)
	m, bad2 := c.Len(b)
	if bad.kind == KindError || bad2.kind == KindError {
		return false, errLimit
	}
	if n != m {
		return false, Null()
	}
	if a.merges() {
		return c.equalUnordered(a, b)
	}
	x, y := c.Iter(a), c.Iter(b)
	for x.Next() && y.Next() {
		if eq, bad := c.equal(x.Val(), y.Val()); !eq || bad.kind == KindError {
			return false, bad
		}
	}
	return true, either(x, y)
}

func either(x, y Iter) Val {
	if x.failed {
		return x.err
	}
	if y.failed {
		return y.err
	}
	return Null()
}

func (c *Ctx) equalMaps(a, b Val) (bool, Val) {
	n, bad := c.Len(a)
	m, bad2 := c.Len(b)
	if bad.kind == KindError || bad2.kind == KindError {
		return false, errLimit
	}
	if n != m {
		return false, Null()
	}
	it := c.Iter(a)
	other := c.Iter(b) // entries mostly stand in the same order
	for it.Next() && other.Next() {
		key, y := it.Key(), other.Val()
		k, _ := keyOf(key)
		if o, _ := keyOf(other.Key()); o != k {
			var found bool
			if y, found = c.lookup(b, key); !found {
				return false, Null()
			}
		}
		if eq, bad := c.equal(it.Val(), y); !eq || bad.kind == KindError {
			return false, bad
		}
	}
	return true, either(it, other)
}

// In is the operator in: an element of a list, or a key of a map.
func (c *Ctx) In(x, v Val) Val {
	if x.kind == KindError || v.kind == KindError {
		return failed(x, v)
	}
	switch v.kind {
	case KindMap:
		y, found := c.lookup(v, x)
		if found && y.kind == KindError && y.str == errLimit.str {
			return y
		}
		return Bool(found)
	case KindList:
		return c.contains(v, x)
	}
	return errOverload
}

// contains looks for x in a list. An element that is an error counts only when x is
// not found.
func (c *Ctx) contains(v, x Val) Val {
	result := Bool(false)
	it := c.Iter(v)
	for it.Next() {
		eq, bad := c.equal(x, it.Val())
		if eq && bad.kind != KindError {
			return Bool(true)
		}
		if bad.kind == KindError && result.kind != KindError {
			result = bad
		}
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return result
}

// compareNumbers orders two numbers: -1, 0, 1; ordered is false for NaN. An int or uint
// is compared with a double as the double next to it.
func compareNumbers(a, b Val) (order int, ordered bool) {
	if isNaN(a) || isNaN(b) {
		return 0, false
	}
	switch {
	case a.kind == b.kind:
		switch a.kind {
		case KindInt:
			return order3(a.int(), b.int()), true
		case KindUint:
			return order3(a.num, b.num), true
		}
		return order3(a.double(), b.double()), true
	case a.kind == KindDouble:
		return compareDouble(a.double(), b), true
	case b.kind == KindDouble:
		return -compareDouble(b.double(), a), true
	case a.kind == KindInt:
		return compareIntUint(a.int(), b.num), true
	}
	return -compareIntUint(b.int(), a.num), true
}

func compareIntUint(i int64, u uint64) int {
	if i < 0 || u > math.MaxInt64 {
		return -1
	}
	return order3(uint64(i), u)
}

func compareDouble(f float64, n Val) int {
	if n.kind == KindInt {
		return order3(f, float64(n.int()))
	}
	return order3(f, float64(n.num))
}

func order3[T int | int64 | uint64 | float64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
