package rules

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules/lib"
)

// unordered is a list that is a set, or a map by the members keys: equality does not
// see the order, and adding another list merges it.
type unordered struct {
	traits.Lister
	keys []string // nil for a set
}

// same reports whether two elements are one entry.
func (u *unordered) same(a, b ref.Val) bool {
	if u.keys == nil {
		return a.Equal(b) == types.True
	}
	x, ok := a.(traits.Mapper)
	y, ok2 := b.(traits.Mapper)
	if !ok || !ok2 {
		return false
	}
	for _, k := range u.keys {
		v, inX := x.Find(types.String(k))
		w, inY := y.Find(types.String(k))
		if inX != inY || inX && v.Equal(w) != types.True {
			return false
		}
	}
	return true
}

// Written is the list without its schema.
func (u *unordered) Written() ref.Val {
	if w, ok := u.Lister.(lib.Written); ok {
		return w.Written()
	}
	return u.Lister
}

func (u *unordered) elements(l traits.Lister) (out []ref.Val) {
	for it := l.Iterator(); it.HasNext() == types.True; {
		out = append(out, it.Next())
	}
	return out
}

// Equal compares without regard to order.
func (u *unordered) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	theirs := u.elements(o)
	mine := u.elements(u.Lister)
	if len(mine) != len(theirs) {
		return types.False
	}
	for _, x := range mine {
		found := false
		for _, y := range theirs {
			if u.same(x, y) {
				found = x.Equal(y) == types.True
				break
			}
		}
		if !found {
			return types.False
		}
	}
	return types.True
}

// Add merges: entries that are there keep their place, with the other list's value
// where keys name them.
func (u *unordered) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	out := u.elements(u.Lister)
next:
	for _, y := range u.elements(o) {
		for i := range out {
			if u.same(out[i], y) {
				out[i] = y
				continue next
			}
		}
		out = append(out, y)
	}
	return &unordered{types.NewRefValList(types.DefaultTypeAdapter, out), u.keys}
}

// plain reports whether objects of a view are equal when they are equal as JSON.
func (t *typer) plain(view int) bool {
	if known, ok := t.plains[view]; ok {
		return known
	}
	if t.plains == nil {
		t.plains = map[int]bool{}
	}
	t.plains[view] = true // a view that holds itself
	for _, f := range t.views[view].Fields {
		if !t.plainTerm(f.Term) {
			t.plains[view] = false
			break
		}
	}
	return t.plains[view]
}

func (t *typer) plainTerm(x *model.Term) bool {
	switch x.Kind {
	case model.TermTimestamp, model.TermDuration, model.TermBytes:
		return false
	case model.TermList:
		return !x.Set && x.Keys == nil && t.plainTerm(x.Elem)
	case model.TermMap:
		return t.plainTerm(x.Elem)
	case model.TermObject:
		return t.plain(x.Object)
	}
	return true
}
