package cel

// strings2 returns two strings, and draws for a pass over both.
func (c *Ctx) strings2(a, b Val) (x, y string, bad Val) {
	if a.kind != KindString || b.kind != KindString {
		return "", "", failed(a, b)
	}
	if !c.spendText(len(a.str) + len(b.str)) {
		return "", "", errLimit
	}
	return a.str, b.str, Null()
}

// string1 returns a string, and draws for a pass over it.
func (c *Ctx) string1(v Val) (s string, bad Val) {
	if v.kind != KindString {
		return "", failed(v)
	}
	if !c.spendText(len(v.str)) {
		return "", errLimit
	}
	return v.str, Null()
}

// accepts returns an error unless the arguments have these kinds.
func accepts(args []Val, kinds ...Kind) Val {
	if len(args) != len(kinds) {
		return failed(args...)
	}
	for i, k := range kinds {
		if args[i].kind != k {
			return failed(args...)
		}
	}
	return Null()
}

// textList returns a list of strings, none of them an error.
func textList(parts []string) Val {
	items := make([]Val, len(parts))
	for i, p := range parts {
		items[i] = String(p)
	}
	return listOf(items)
}

// texts returns the elements of a list of strings.
func (c *Ctx) texts(v Val) ([]string, Val) {
	if v.kind != KindList {
		return nil, failed(v)
	}
	items, bad := c.items(v)
	if bad.kind == KindError {
		return nil, bad
	}
	parts := make([]string, len(items))
	for i, x := range items {
		if x.kind != KindString {
			return nil, failed(x)
		}
		parts[i] = x.str
	}
	return parts, Null()
}
