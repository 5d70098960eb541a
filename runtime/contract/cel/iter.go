package cel

import "github.com/contractkit/contractkit/runtime/contract"

// Iter runs over a list or a map. Each step of it draws on the budget.
//
//	for it := c.Iter(v); it.Next(); {
//		it.Key() // the index, or the map's key
//		it.Val() // the element, or the map's value
//	}
//	if bad, failed := it.Err(); failed { … }
type Iter struct {
	c         *Ctx
	of        Val
	i         int64
	node, end contract.Node
	err       Val
	failed    bool
}

// Iter starts before the first element of v: of a list in order, of a map in the order
// of the document or of insertion.
func (c *Ctx) Iter(v Val) Iter {
	it := Iter{c: c, of: v, i: -1}
	switch {
	case (v.kind == KindString || v.kind == KindBytes) && v.str == "": // cel-go's loops take what has no size for empty
		it.of = Val{kind: KindList, ref: &list{}}
	case v.kind != KindList && v.kind != KindMap:
		it.failed, it.err = true, badArg(v, "no such overload: '"+v.typeName()+"' is not iterable")
	case v.view() != nil:
		it.node, it.end = -1, c.docs[v.num].Next(v.node)
	}
	return it
}

// Next goes to the next element; false when there is none, or when Err says so.
func (it *Iter) Next() bool {
	if it.failed {
		return false
	}
	if !it.c.Step() {
		it.failed, it.err = true, errLimit
		return false
	}
	it.i++
	if it.of.view() == nil {
		if l := it.of.built(); l != nil {
			return it.i < int64(len(l.items))
		}
		return it.i < int64(len(it.of.builtMap().keys))
	}
	switch {
	case it.node < 0:
		it.node = it.of.node + 1
	case it.of.kind == KindMap:
		it.node = it.c.docs[it.of.num].Next(it.node + 1)
	default:
		it.node = it.c.docs[it.of.num].Next(it.node)
	}
	return it.node < it.end
}

// Key returns the index of the element, or the key of the map's entry.
func (it *Iter) Key() Val {
	if it.of.kind == KindList {
		return Int(it.i)
	}
	if m := it.of.builtMap(); m != nil {
		return m.keys[it.i]
	}
	return String(nameOf(it.c.docs[it.of.num], it.node))
}

// Val returns the element, or the value of the map's entry.
func (it *Iter) Val() Val {
	s := it.of.view()
	switch {
	case s == nil && it.of.kind == KindList:
		return it.of.built().items[it.i]
	case s == nil:
		return it.of.builtMap().vals[it.i]
	case it.of.kind == KindList:
		return it.c.view(it.of.num, it.node, s.elem())
	}
	member, declared := s.member(nameOf(it.c.docs[it.of.num], it.node))
	if !declared {
		member = Dyn
	}
	return it.c.view(it.of.num, it.node+1, member)
}

// First returns what a comprehension with one variable runs over: the elements of a
// list, the keys of a map.
func (it *Iter) First() Val {
	if it.of.kind == KindList {
		return it.Val()
	}
	return it.Key()
}

// Err returns why the iteration ended before the last element, if it did: v was neither
// list nor map, or the steps are spent.
func (it *Iter) Err() (Val, bool) { return it.err, it.failed }
