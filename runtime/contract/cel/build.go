package cel

// Builder makes lists and maps some entries of which are optional: [?x], {?k: v}.
type Builder struct {
	c           *Ctx
	keys, items []Val
	bad         Val
	failed      bool
}

// NewBuilder returns an empty one. What it makes lives until the next rule.
func (c *Ctx) NewBuilder() *Builder { return &Builder{c: c, items: c.Items()} }

func (b *Builder) note(v Val) bool {
	if v.kind == KindError && !b.failed {
		b.bad, b.failed = v, true
	}
	return v.kind != KindError
}

// Add appends an element.
func (b *Builder) Add(v Val) *Builder {
	if b.note(v) {
		b.items = append(b.items, v)
	}
	return b
}

// Optional appends what the optional v holds, if anything.
func (b *Builder) Optional(v Val) *Builder {
	x, some, ok := v.AsOptional()
	if !ok {
		b.note(badArg(v, "no such overload: the element is not optional"))
	}
	if some {
		b.Add(x)
	}
	return b
}

// Entry adds a key and its value.
func (b *Builder) Entry(k, v Val) *Builder {
	if b.note(k) && b.note(v) {
		if b.keys == nil {
			b.keys = b.c.Items()
		}
		b.keys, b.items = append(b.keys, k), append(b.items, v)
	}
	return b
}

// OptionalEntry adds a key and what the optional v holds, if anything.
func (b *Builder) OptionalEntry(k, v Val) *Builder {
	x, some, ok := v.AsOptional()
	if !ok {
		b.note(badArg(v, "no such overload: the value is not optional"))
	}
	if some {
		b.Entry(k, x)
	}
	return b
}

// List returns the list, or the first error among its elements.
func (b *Builder) List() Val {
	if b.failed {
		return b.bad
	}
	return b.c.Made(b.items)
}

// Map returns the map, or the first error among its entries.
func (b *Builder) Map() Val {
	if b.failed {
		return b.bad
	}
	m := b.c.mapping()
	for i := range b.keys {
		if bad := m.add(b.keys[i], b.items[i]); bad.kind == KindError {
			return bad
		}
	}
	m.grown = true // what is made from it has memory of its own
	b.c.lists.lend(b.keys)
	b.c.lists.lend(b.items)
	return Val{kind: KindMap, ref: m}
}
