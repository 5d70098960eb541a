package cel

// Not is !.
func (c *Ctx) Not(a Val) Val {
	if a.kind != KindBool {
		return failed(a)
	}
	return Bool(a.num == 0)
}

// And is && on operands that are evaluated already: false wins over an error, whichever
// side it stands on.
func (c *Ctx) And(a, b Val) Val { return decide(a, b, 0) }

// Or is ||, where true wins.
func (c *Ctx) Or(a, b Val) Val { return decide(a, b, 1) }

func decide(a, b Val, winner uint64) Val {
	if a.kind == KindBool && a.num == winner || b.kind == KindBool && b.num == winner {
		return Bool(winner == 1)
	}
	if a.kind == KindBool && b.kind == KindBool {
		return Bool(winner == 0)
	}
	if a.kind == KindBool {
		return failed(b)
	}
	return failed(a, b)
}

// NotStrictlyFalse is the loop condition of macros: only false is false, errors are not.
func (c *Ctx) NotStrictlyFalse(a Val) Val { return Bool(a.kind != KindBool || a.num != 0) }

// Conditional is cond ? a : b on operands that are evaluated already.
func (c *Ctx) Conditional(cond, a, b Val) Val {
	switch {
	case cond.kind != KindBool:
		return failed(cond)
	case cond.num != 0:
		return a
	}
	return b
}
