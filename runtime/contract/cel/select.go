package cel

// Select is v.name: a map's value or an object's member; for an optional it is that of
// what the optional holds, as an optional.
func (c *Ctx) Select(v Val, name string) Val {
	switch v.kind {
	case KindMap:
		if x, found := c.lookup(v, String(name)); found {
			return x
		}
		return Err("no such key: " + name)
	case KindOptional:
		return c.OptSelect(v, String(name))
	}
	return failed(v)
}

// Has is the macro has(v.name); false for what has no members.
func (c *Ctx) Has(v Val, name string) Val {
	switch v.kind {
	case KindMap:
		x, found := c.lookup(v, String(name))
		if found && x.kind == KindError && x.str == errLimit.str {
			return x
		}
		return Bool(found)
	case KindOptional:
		if x, some, _ := v.AsOptional(); some {
			return c.Has(x, name)
		}
		return Bool(false)
	case KindError, KindList:
		return failed(v)
	}
	return Bool(false)
}

// OptSelect is v.?name: the member as an optional, none when it is absent or v has no
// members. Of an optional it is that of what it holds.
func (c *Ctx) OptSelect(v, name Val) Val { return c.optional(v, name) }

// OptIndex is v[?i], likewise.
func (c *Ctx) OptIndex(v, i Val) Val { return c.optional(v, i) }

func (c *Ctx) optional(v, i Val) Val {
	if i.kind == KindError {
		return failed(v, i)
	}
	switch v.kind {
	case KindOptional:
		x, some, _ := v.AsOptional()
		if !some {
			return v
		}
		return c.optional(x, i)
	case KindMap:
		if x, found := c.lookup(v, i); found {
			return c.some(x)
		}
	case KindList:
		k, bad := listIndex(i)
		if bad.kind == KindError {
			return bad
		}
		if x, ok := c.element(v, k); ok {
			return c.some(x)
		}
		return None()
	case KindError:
		return v
	}
	if !isNumber(i.kind) && i.kind != KindString && i.kind != KindBool {
		return failed(i)
	}
	return None()
}

// Index is v[i].
func (c *Ctx) Index(v, i Val) Val {
	if v.kind == KindError || i.kind == KindError {
		return failed(v, i)
	}
	switch v.kind {
	case KindOptional:
		return c.optional(v, i)
	case KindList:
		return c.indexList(v, i)
	case KindMap:
		if x, found := c.lookup(v, i); found {
			return x
		}
		return Err("no such key: " + display(i))
	}
	return errOverload
}

// Len returns the number of characters, bytes, elements or entries.
func (c *Ctx) Len(v Val) (int, Val) {
	switch v.kind {
	case KindString:
		if !c.spendText(len(v.str)) {
			return 0, errLimit
		}
		return runeCount(v.str), Null()
	case KindBytes:
		return len(v.str), Null()
	case KindList, KindMap:
		if l := v.built(); l != nil {
			return len(l.items), Null()
		}
		if m := v.builtMap(); m != nil {
			return len(m.keys), Null()
		}
		n := c.docs[v.num].Count(v.node)
		if !c.spendText(n) {
			return 0, errLimit
		}
		return n, Null()
	}
	return 0, failed(v)
}

// Size is size(v).
func (c *Ctx) Size(v Val) Val {
	n, bad := c.Len(v)
	if bad.kind == KindError {
		return bad
	}
	return Int(int64(n))
}
