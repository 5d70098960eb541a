package cel

import (
	"fmt"
	"slices"
	"sort"
)

// mostRange is the longest list that lists.range makes.
const mostRange = 1_000_000

// ListsRange is lists.range(n): 0 to n-1.
func (c *Ctx) ListsRange(n Val) Val {
	if n.kind != KindInt {
		return failed(n)
	}
	if n.int() < 0 || n.int() > mostRange {
		return Err(fmt.Sprintf("lists.range: size %d is not within 0 and %d", n.int(), mostRange))
	}
	if !c.spend(int(n.int())) {
		return errLimit
	}
	items := c.Items()
	for i := range n.int() {
		items = append(items, Int(i))
	}
	return c.Made(items)
}

// Slice is list.slice(start, end).
func (c *Ctx) Slice(v, start, end Val) Val {
	if bad := accepts([]Val{v, start, end}, KindList, KindInt, KindInt); bad.kind == KindError {
		return bad
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	from, to := start.int(), end.int()
	if from < 0 || from > to || to > int64(len(items)) {
		return Err(fmt.Sprintf("cannot slice(%d, %d), list is length %d", from, to, len(items)))
	}
	return c.listOf(slices.Clip(items[from:to]))
}

// Flatten is list.flatten() or list.flatten(depth).
func (c *Ctx) Flatten(args ...Val) Val {
	depth := int64(1)
	switch {
	case len(args) == 2 && args[1].kind == KindInt:
		depth = args[1].int()
	case len(args) != 1:
		return failed(args...)
	}
	if args[0].kind != KindList {
		return failed(args...)
	}
	if depth < 0 {
		return Err("level must be non-negative")
	}
	items, bad := c.flatten(c.Items(), args[0], depth)
	if bad.kind == KindError {
		return bad
	}
	return c.Made(items)
}

func (c *Ctx) flatten(dst []Val, v Val, depth int64) ([]Val, Val) {
	it := c.Iter(v)
	for it.Next() {
		x := it.Val()
		switch {
		case x.kind == KindError:
			return nil, x
		case x.kind == KindList && depth > 0:
			var bad Val
			if dst, bad = c.flatten(dst, x, depth-1); bad.kind == KindError {
				return nil, bad
			}
		default:
			dst = append(dst, x)
		}
	}
	if bad, failed := it.Err(); failed {
		return nil, bad
	}
	return dst, Null()
}

func (c *Ctx) reverseList(v Val) Val {
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	items = append(c.Items(), items...)
	slices.Reverse(items)
	return c.Made(items)
}

// Distinct is list.distinct(): the first of equal elements each.
func (c *Ctx) Distinct(v Val) Val {
	if v.kind != KindList {
		return failed(v)
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	seen := newSet(c, len(items))
	defer seen.done()
	kept := c.Items()
	for _, x := range items {
		added, bad := seen.add(x)
		if bad.kind == KindError {
			return bad
		}
		if added {
			kept = append(kept, x)
		}
	}
	return c.Made(kept)
}

// Sort is list.sort(): elements of one type that has an order.
func (c *Ctx) Sort(v Val) Val { return c.SortByAssociatedKeys(v, v) }

// SortByAssociatedKeys is what the macro sortBy calls: v in the order of keys, which has
// the same length. Elements with equal keys keep their order.
func (c *Ctx) SortByAssociatedKeys(v, keys Val) Val {
	if bad := accepts([]Val{v, keys}, KindList, KindList); bad.kind == KindError {
		return bad
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	by, bad := c.items(keys)
	if bad.kind == KindError {
		return bad
	}
	if len(items) != len(by) {
		return Err(fmt.Sprintf("sortBy expected as many keys as elements, but got %d and %d", len(by), len(items)))
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
		switch {
		case by[i].kind != by[0].kind:
			return Err("list elements must have the same type")
		case !hasOrder(by[i].kind):
			return Err("list elements must be comparable")
		}
	}
	bad = Null()
	sort.SliceStable(order, func(i, j int) bool {
		o, _ := c.compare(by[order[i]], by[order[j]]) // NaN is not before anything
		if !c.Step() {
			bad = errLimit
		}
		return o < 0
	})
	if bad.kind == KindError {
		return bad
	}
	sorted := c.Items()
	for _, from := range order {
		sorted = append(sorted, items[from])
	}
	return c.Made(sorted)
}

func hasOrder(k Kind) bool {
	switch k {
	case KindBool, KindInt, KindUint, KindDouble, KindString, KindBytes, KindTimestamp, KindDuration:
		return true
	}
	return false
}

// First is list.first(), an optional.
func (c *Ctx) First(v Val) Val { return c.end(v, false) }

// Last is list.last(), an optional.
func (c *Ctx) Last(v Val) Val { return c.end(v, true) }

func (c *Ctx) end(v Val, last bool) Val {
	if v.kind != KindList {
		return failed(v)
	}
	i := 0
	if last {
		n, bad := c.Len(v)
		if bad.kind == KindError {
			return bad
		}
		i = n - 1
	}
	if x, ok := c.element(v, int64(i)); ok {
		return c.some(x)
	}
	return None()
}
