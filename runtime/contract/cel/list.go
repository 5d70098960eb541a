package cel

import (
	"fmt"
	"math"
	"slices"
)

// list is a list that a rule has built. A list does not change; but the first list that
// is made by appending to it may use the spare capacity behind its items, so that
// building one by appending takes linear time. What List returns has no such capacity and
// is never written to: goroutines may share it.
type list struct {
	items []Val
	grown bool
}

// List returns a list of the items, which it keeps; it is the first item that is an
// error, if there is one.
func List(items []Val) Val {
	for i := range items {
		if items[i].kind == KindError {
			return items[i]
		}
	}
	return listOf(slices.Clip(items))
}

// listOf returns the list of items, none of which is an error.
func listOf(items []Val) Val {
	if len(items) == 0 {
		return emptyList
	}
	return Val{kind: KindList, ref: &list{items: items}}
}

var emptyList = Val{kind: KindList, ref: &list{}}

// arena lends out the memory of lists and maps that live no longer than a rule.
type arena struct {
	free, used [][]Val
	heads      []*list
	next       int // in heads
	maps       []*mapping
	nextMap    int // in maps
	held       []*Val
	nextHeld   int  // in held
	lent       bool // there is something to take back
}

func (a *arena) reset() {
	a.lent = false
	for _, b := range a.used {
		if cap(b) <= keepItems && len(a.free) < keepLists {
			clear(b[:cap(b)])
			a.free = append(a.free, b[:0])
		}
	}
	a.used = a.used[:0]
	for _, l := range a.heads[:a.next] {
		*l = list{}
	}
	a.next = 0
	for i, m := range a.maps[:a.nextMap] {
		if i < keepMaps {
			m.clear()
		} else {
			*m = mapping{}
		}
	}
	a.nextMap = 0
	for _, v := range a.held[:a.nextHeld] {
		*v = Val{}
	}
	a.nextHeld = 0
}

// What an arena keeps from rule to rule, and what it lends to one: a rule that makes more
// leaves its lists to the collector, while it runs.
const (
	keepItems = 256
	keepLists = 64
	keepMaps  = 256
	mostLent  = 4096
)

// lend notes memory to take back after the rule.
func (a *arena) lend(items []Val) {
	if a.lent = true; items != nil && len(a.used) < mostLent {
		a.used = append(a.used, items)
	}
}

// some is Some of a value that is kept until the next rule.
func (c *Ctx) some(v Val) Val {
	if v.kind == KindError {
		return v
	}
	a := &c.lists
	if a.lent = true; a.nextHeld == mostLent {
		return Some(v)
	}
	if a.nextHeld == len(a.held) {
		a.held = append(a.held, new(Val))
	}
	held := a.held[a.nextHeld]
	a.nextHeld++
	*held = v
	return Val{kind: KindOptional, ref: held}
}

// Items returns memory for the elements of a list that a rule makes; see Made.
func (c *Ctx) Items() []Val {
	a := &c.lists
	a.lent = true
	if n := len(a.free); n > 0 {
		b := a.free[n-1]
		a.free = a.free[:n-1]
		return b
	}
	return make([]Val, 0, 16)
}

// room is the list, or memory for one that is still nil.
func (c *Ctx) room(items []Val) []Val {
	if items == nil {
		return c.Items()
	}
	return items
}

// Made is List of elements that were appended to what Items gave. The list lives
// until the next rule.
func (c *Ctx) Made(items []Val) Val {
	c.lists.lend(items)
	for i := range items {
		if items[i].kind == KindError {
			return items[i]
		}
	}
	return c.listOf(items[:len(items):len(items)])
}

// listOf is listOf with the head of a list that lives until the next rule.
func (c *Ctx) listOf(items []Val) Val {
	if len(items) == 0 {
		return emptyList
	}
	a := &c.lists
	if a.lent = true; a.next == mostLent {
		return listOf(items)
	}
	if a.next == len(a.heads) {
		a.heads = append(a.heads, new(list))
	}
	l := a.heads[a.next]
	a.next++
	l.items = items
	return Val{kind: KindList, ref: l}
}

// ListOf is List of items that are copied. The list lives until the next rule.
func (c *Ctx) ListOf(items ...Val) Val { return c.Made(append(c.Items(), items...)) }

// built returns the items of a list that a rule has built.
func (v Val) built() *list {
	l, _ := v.ref.(*list)
	return l
}

// Append returns the list v with x behind it. Appending to the result of the last Append
// takes constant time.
func (c *Ctx) Append(v, x Val) Val {
	if v.kind != KindList || x.kind == KindError {
		return failed(v, x)
	}
	if !c.Step() {
		return errLimit
	}
	return c.grow(v, x)
}

// grow returns v with more behind it, in the spare memory of v if there is some.
func (c *Ctx) grow(v Val, more ...Val) Val {
	l := v.built()
	if l != nil && !l.grown && cap(l.items) > len(l.items) {
		l.grown = true
		return c.listOf(append(l.items, more...)) // whose memory is lent already
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return bad
	}
	items = append(append(c.Items(), items...), more...)
	c.lists.lend(items)
	return c.listOf(items)
}

// concat is + on lists.
func (c *Ctx) concat(a, b Val) Val {
	more, bad := c.items(b)
	if bad.kind == KindError {
		return bad
	}
	if len(more) == 0 {
		return a
	}
	if a.merges() {
		return c.merge(a, more)
	}
	return c.grow(a, more...)
}

// items returns the elements of a list, which must not be changed. It draws a step for
// each. The second value is an error when one of the elements is, or when the steps are
// spent.
func (c *Ctx) items(v Val) ([]Val, Val) {
	if l := v.built(); l != nil {
		if !c.spend(len(l.items)) {
			return nil, errLimit
		}
		return l.items, Null()
	}
	items := c.Items()
	it := c.Iter(v)
	for it.Next() {
		x := it.Val()
		if x.kind == KindError {
			return nil, x
		}
		items = append(items, x)
	}
	c.lists.lend(items)
	if bad, failed := it.Err(); failed {
		return nil, bad
	}
	return items[:len(items):len(items)], Null()
}

// element returns element i of the list v.
func (c *Ctx) element(v Val, i int64) (Val, bool) {
	if i < 0 {
		return Val{}, false
	}
	if l := v.built(); l != nil {
		if i >= int64(len(l.items)) {
			return Val{}, false
		}
		return l.items[i], true
	}
	d, s := c.docs[v.num], v.view()
	n, end, j := v.node+1, d.Next(v.node), int64(0)
	if l := &c.last; l.set && l.list == (at{v.num, v.node}) && l.i <= i {
		n, j = l.node, l.i
	}
	for ; n < end; n, j = d.Next(n), j+1 {
		if j == i {
			c.last = place{at{v.num, v.node}, i, n, true}
			return c.view(v.num, n, s.elem()), true
		}
		if !c.Step() {
			return errLimit, true
		}
	}
	return Val{}, false
}

// listIndex turns an index into a whole number: CEL takes 1.0 and 1u for 1.
func listIndex(i Val) (int64, Val) {
	switch i.kind {
	case KindInt:
		return i.int(), Null()
	case KindUint:
		if i.num > math.MaxInt64 {
			return 0, Err("unsupported index value in list: " + display(i))
		}
		return i.int(), Null()
	case KindDouble:
		if k, ok := wholeDouble(i.double()); ok {
			return k, Null()
		}
		return 0, Err("unsupported index value in list: " + formatDouble(i.double()))
	}
	return 0, badArg(i, "unsupported index type '"+i.typeName()+"' in list")
}

func (c *Ctx) indexList(v, i Val) Val {
	k, bad := listIndex(i)
	if bad.kind == KindError {
		return bad
	}
	if x, ok := c.element(v, k); ok {
		return x
	}
	return Err(fmt.Sprintf("index out of bounds: %d", k))
}
