package rules

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// A document may hold values that rules cannot compute with, such as integers beyond 64
// bits: they are errors where an expression reads them. cel-go takes lists and maps with
// such an element for equal to any others of the size, so that comparing them has to be an
// error here, as it is in compiled code.

// comparison is == or !=.
type comparison struct {
	interpreter.InterpretableCall
	not bool
}

// Exec compares, unless a side is an error.
func (c *comparison) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	args := c.Args()
	a, b := args[0].Exec(frame), ref.Val(types.UnknownType)
	var out ref.Val
	if types.IsUnknownOrError(a) {
		out = a
	} else if b = args[1].Exec(frame); types.IsUnknownOrError(b) {
		out = b
	} else {
		out = equal(a, b)
	}
	if c.not {
		if eq, ok := out.(types.Bool); ok {
			out = !eq
		}
	}
	if tracker := frame.CostTracker(); tracker != nil {
		tracker.EvalBinary(frame, c.ID(), c, a, b, out)
	}
	return out
}

// Eval is Exec for callers of the older interface.
func (c *comparison) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, c.Exec)
}

// equal is cel-go's equality, which is an error where only an error within makes it true,
// and where lists differ in nothing before one.
func equal(a, b ref.Val) ref.Val {
	switch x := a.(type) {
	case types.Null, types.Bool, types.Int, types.Uint, types.Double, types.String:
		return types.Equal(a, b)
	case *unordered:
	case *object:
		if _, ok := b.(*object); !ok {
			a = x.plain()
		}
	case *typedMap:
		if y, ok := b.(*typedMap); ok && x.plain && y.plain {
			return x.Equal(y)
		}
	case traits.Lister:
		y, ok := b.(traits.Lister)
		if !ok {
			return types.False
		}
		if l, typed := a.(*typedList); typed && l.plain {
			if m, typed := b.(*typedList); typed && m.plain {
				return l.Equal(m)
			}
		}
		return equalLists(x, y)
	}
	out := types.Equal(a, b)
	if out != types.True {
		return out
	}
	if o, ok := b.(*object); ok {
		if _, ok := a.(*object); !ok {
			b = o.plain()
		}
	}
	for _, v := range []ref.Val{a, b} {
		if err := flaw(v); err != nil {
			return err
		}
	}
	return out
}

func equalLists(a, b traits.Lister) ref.Val {
	if a.Size() != b.Size() {
		return types.False
	}
	i, j := a.Iterator(), b.Iterator()
	for i.HasNext() == types.True && j.HasNext() == types.True {
		x, y := i.Next(), j.Next()
		if types.IsError(x) {
			return x
		}
		if types.IsError(y) {
			return y
		}
		if out := equal(x, y); out != types.True {
			return out
		}
	}
	return types.True
}

// flaw is an error within a list or map, at any depth; nil when there is none. Objects
// that are compared as JSON have none.
func flaw(v ref.Val) ref.Val {
	switch x := v.(type) {
	case *types.Err:
		return x
	case *object:
		if x.t.plain(x.view) {
			return nil
		}
	}
	switch x := v.(type) {
	case traits.Lister:
		for it := x.Iterator(); it.HasNext() == types.True; {
			if err := flaw(it.Next()); err != nil {
				return err
			}
		}
	case traits.Mapper:
		for it := x.Iterator(); it.HasNext() == types.True; {
			if err := flaw(x.Get(it.Next())); err != nil {
				return err
			}
		}
	}
	return nil
}

// compares has the functions that compare elements of lists.
var compares = map[string]bool{
	"@in": true, "distinct": true, "unique": true, "repeats": true, "misses": true, "isPrefix": true, "indexOf": true, "lastIndexOf": true,
	"sets.contains": true, "sets.intersects": true, "sets.equivalent": true,
}

// flawInside is a flaw of an element that is a list or map itself, or of a list or map that
// is looked for: an element which is an error is seen by whoever compares it.
func flawInside(name string, args []ref.Val) ref.Val {
	if name == "@in" {
		switch args[0].(type) {
		case traits.Lister, traits.Mapper:
			if err := flaw(args[0]); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	for _, v := range args {
		l, ok := v.(traits.Lister)
		if !ok {
			continue
		}
	elements:
		for it := l.Iterator(); it.HasNext() == types.True; {
			switch x := it.Next().(type) {
			case traits.Lister, traits.Mapper:
				if err := flaw(x); err != nil {
					return err
				}
			case *types.Err, types.Null: // another may be a list
			default:
				break elements // of scalars; lists of both are for cel-go
			}
		}
	}
	return nil
}
