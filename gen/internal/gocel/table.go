package gocel

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// A map that a rule writes out and looks a string up in is a table, which need not be
// made: each of its entries becomes a case.

// maxEntries bounds the cases of one table.
const maxEntries = 12

// tableEntries are the keys and values, in turn, of the map that e looks up in with the
// operator; nil when it is no such table, or the key is computed.
func (c *Compiler) tableEntries(e *model.Expr, operator string) []*model.Expr {
	if !isCall(e, operator, 2) || !straight(e.Args[1]) || !isString(e.Args[1].Term) || e.Args[1].Term.Nullable {
		return nil
	}
	m := e.Args[0]
	if m.Op != model.ExprMap || len(m.Optional) > 0 || len(m.Args) == 0 || len(m.Args) > 2*maxEntries || !fixed(m) {
		return nil
	}
	for i := 0; i < len(m.Args); i += 2 {
		if m.Args[i].Op != model.ExprConst || !isString(m.Args[i].Term) {
			return nil
		}
	}
	return m.Args
}

// among is true when the key is one of the entries' and is is true of its value.
func (c *Compiler) among(entries []*model.Expr, key *model.Expr, is func(value *model.Expr) (condition, bool)) (condition, bool) {
	out := literal(false)
	for i := 0; i < len(entries); i += 2 {
		x, ok := c.equality(key, entries[i], true)
		if !ok {
			return x, false
		}
		y, ok := is(entries[i+1])
		if !ok {
			return y, false
		}
		out = or(out, and(x, y))
	}
	return out, true
}

// lookedUp compares what a table says of a key, or another value where it says nothing,
// with b: {'k': 'v'}[?key].orValue(other) == b.
func (c *Compiler) lookedUp(a, b *model.Expr, equal bool) (condition, bool) {
	if !isCall(a, "orValue", 2) || !straight(a.Args[1]) || !straight(b) {
		return condition{}, false
	}
	entries := c.tableEntries(a.Args[0], "_[?_]")
	if entries == nil {
		return condition{}, false
	}
	key := a.Args[0].Args[1]
	out, ok := c.among(entries, key, func(v *model.Expr) (condition, bool) { return c.equality(v, b, equal) })
	if !ok {
		return out, false
	}
	other, ok := c.equality(a.Args[1], b, equal)
	if !ok {
		return other, false
	}
	for i := 0; i < len(entries); i += 2 {
		x, ok := c.equality(key, entries[i], false)
		if !ok {
			return x, false
		}
		other = and(x, other)
	}
	return or(out, other), true
}

// sameBut compares two objects of documents without some of their members:
// omit(a, ['x']) == omit(b, ['x']).
func (c *Compiler) sameBut(a, b *model.Expr, equal bool) (condition, bool) {
	if !isCall(a, "omit", 2) || !isCall(b, "omit", 2) {
		return condition{}, false
	}
	names, ok := constantTexts(a.Args[1])
	others, okB := constantTexts(b.Args[1])
	if !ok || !okB || constantKey(a.Args[1]) != constantKey(b.Args[1]) || len(names) != len(others) {
		return condition{}, false
	}
	x, y := bare(a.Args[0]), bare(b.Args[0])
	if x.Term.Kind != model.TermObject || y.Term.Kind != model.TermObject || x.Term.Nullable || y.Term.Nullable || !c.plainTerm(x.Term) || !c.plainTerm(y.Term) {
		return condition{}, false
	}
	o, p := c.value(x), c.value(y)
	if o.repr != asNode || p.repr != asNode {
		return condition{}, false
	}
	name := map[bool]string{true: "SameBut", false: "DifferBut"}[equal]
	return plain(c.linear(name).Call(c.doc(o.doc), o.code, c.doc(p.doc), p.code, jen.Id(c.strings(names)))), true
}
