package cel

import "strconv"

// merges reports whether v is a list of the document that Kubernetes takes for a set, or
// for a map by keys.
func (v Val) merges() bool {
	s := v.view()
	return s != nil && s.Kind == ShapeList && (s.Set || len(s.Keys) > 0)
}

// identity returns what makes an element of such a list the same element: itself, or the
// values of its keys.
func (c *Ctx) identity(x Val, s *Shape) Val {
	if s.Set || x.kind == KindError {
		return x
	}
	id := ""
	for _, name := range s.Keys {
		part := Null()
		if c.Has(x, name).IsTrue() {
			part = c.Select(x, name)
		}
		id += part.kind.String() + strconv.Quote(display(part))
	}
	return String(id)
}

// equalUnordered compares lists of one length: each element of a is in b.
func (c *Ctx) equalUnordered(a, b Val) (bool, Val) {
	items, bad := c.items(b)
	if bad.kind == KindError {
		return false, bad
	}
	in := newSet(c, len(items))
	for _, x := range items {
		if _, bad := in.add(x); bad.kind == KindError {
			return false, bad
		}
	}
	it := c.Iter(a)
	for it.Next() {
		if has, bad := in.has(it.Val()); !has || bad.kind == KindError {
			return false, bad
		}
	}
	return true, either(it, it)
}

// merge adds elements to a: one that is the same as an element of a takes its place.
func (c *Ctx) merge(a Val, more []Val) Val {
	s := a.view()
	items, bad := c.items(a)
	if bad.kind == KindError {
		return bad
	}
	ids, at := make([]Val, 0, len(items)), map[uint64][]int{}
	place := func(x Val) (int, Val) {
		id := c.identity(x, s)
		h, bad := c.hash(id)
		if bad.kind == KindError {
			return 0, bad
		}
		for _, i := range at[h] {
			if eq, bad := c.equal(ids[i], id); eq || bad.kind == KindError {
				return i, bad
			}
		}
		at[h], ids = append(at[h], len(ids)), append(ids, id)
		return len(ids) - 1, Null()
	}
	var merged []Val
	for _, x := range append(items[:len(items):len(items)], more...) {
		i, bad := place(x)
		switch {
		case bad.kind == KindError:
			return bad
		case i == len(merged):
			merged = append(merged, x)
		default:
			merged[i] = x
		}
	}
	return c.listOf(merged)
}
