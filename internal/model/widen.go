package model

import (
	"fmt"
	"slices"
	"strings"
)

// CEL's type checker lets null stand, and values of the type dyn, where another type is
// wanted: a list of a text and of a text that may be null is a list of texts to it. Code
// for that type would fail where the interpreter goes on, so expressions get types of
// their own, which are wide enough.

// Widener finds the types that values of expressions may have.
type Widener struct {
	defs map[string]*Def
	memo map[string]*Term // what functions return, by name and arguments
}

// NewWidener knows what the functions defs return.
func NewWidener(defs []Def) *Widener {
	n := &Widener{defs: map[string]*Def{}, memo: map[string]*Term{}}
	for i := range defs {
		n.defs[defs[i].Name] = &defs[i]
	}
	return n
}

// Or is t, widened to hold what from holds: null, or values of any type.
func (t *Term) Or(from *Term) *Term {
	switch {
	case t == nil || from == nil || t == from || t.Kind == TermDyn || t.Kind == TermNull:
		return t
	case from.Kind == TermDyn:
		return from
	}
	out := *t
	switch t.Kind {
	case TermList, TermMap, TermOptional:
		if from.Kind != t.Kind {
			return t
		}
		if out.Elem = t.Elem.Or(from.Elem); t.Kind == TermMap {
			out.Key = t.Key.Or(from.Key)
		}
		if out.Elem == t.Elem && out.Key == t.Key {
			return t
		}
	default:
		if t.Nullable || !from.Nullable && from.Kind != TermNull {
			return t
		}
		out.Nullable = true
	}
	return &out
}

// holding is t, a list or map or optional, whose elements may be what elem may be.
func (t *Term) holding(elem *Term) *Term {
	if t.Elem == nil {
		return t
	}
	out := *t
	if out.Elem = t.Elem.Or(elem); out.Elem == t.Elem {
		return t
	}
	return &out
}

// held is the type of the elements of t, or of the values of a map; for an optional of
// those, theirs.
func (t *Term) held() *Term {
	if t.Kind == TermOptional && t.Elem != nil && (t.Elem.Kind == TermList || t.Elem.Kind == TermMap) {
		return t.Elem.Elem
	}
	return t.Elem
}

// Settle widens the type of e by those of its arguments.
func (n *Widener) Settle(e *Expr) {
	t := e.Term
	switch e.Op {
	case ExprList:
		for i, a := range e.Args {
			from := a.Term
			if slices.Contains(e.Optional, i) {
				from = from.Elem
			}
			t = t.holding(from)
		}
	case ExprMap:
		for i := 1; i < len(e.Args); i += 2 {
			from := e.Args[i].Term
			if slices.Contains(e.Optional, i/2) {
				from = from.Elem
			}
			t = t.holding(from)
		}
	case ExprCond:
		t = t.Or(e.Args[1].Term).Or(e.Args[2].Term)
	case ExprFilter:
		t = t.Or(e.Args[0].Term)
	case ExprMapList:
		t = t.holding(e.Args[2].Term)
	case ExprBind:
		t = t.Or(e.Args[1].Term)
	case ExprFold:
		t = t.Or(e.Args[4].Term)
	case ExprSelect:
		if from := e.Args[0].Term; from.Kind == TermMap {
			t = t.Or(from.Elem)
		} else if from.Kind == TermOptional && t.Kind == TermOptional && from.Elem.Kind == TermMap {
			t = t.holding(from.Elem.Elem)
		}
	case ExprDef:
		t = n.returned(e)
	case ExprCall:
		t = called(e)
	}
	e.Term = t
}

func called(e *Expr) *Term {
	t := e.Term
	if len(e.Args) == 0 {
		return t
	}
	first := e.Args[0].Term
	switch e.Name {
	case "_+_":
		if t.Kind == TermList {
			for _, a := range e.Args {
				if from := a.Term; from.Kind == TermDyn { // a list all the same
					t = t.holding(from)
				} else {
					t = t.Or(from)
				}
			}
		}
	case "_[_]", "value", "min", "max":
		return t.Or(first.Elem)
	case "_[?_]", "_?._", "first", "last":
		return t.holding(first.held())
	case "optional.of", "optional.ofNonZeroValue":
		return t.holding(first)
	case "orValue":
		return t.Or(first.Elem).Or(e.Args[1].Term)
	case "or":
		return t.Or(first).Or(e.Args[1].Term)
	case "distinct", "sort", "@sortByAssociatedKeys", "slice", "reverse", "omit":
		return t.Or(first)
	case "flatten":
		for first.Kind == TermList && first.Elem != nil && first.Elem.Kind == TermList {
			first = first.Elem
		}
		if t.Kind == TermList {
			return t.holding(first.Elem)
		}
	case "associate":
		return t.holding(e.Args[1].Term.Elem)
	case "cel.@mapInsert":
		t = t.Or(first)
		if len(e.Args) == 3 {
			return t.holding(e.Args[2].Term)
		}
		return t.Or(e.Args[1].Term)
	}
	return t
}

// Param is the type of the i-th parameter of d for an argument: as declared, but for what
// lists and maps hold, which a call does not look at.
func (d *Def) Param(i int, arg *Term) *Term {
	switch t := d.Terms[i]; t.Kind {
	case TermList, TermMap, TermOptional:
		if arg.Kind == TermDyn {
			return t.holding(arg)
		}
		return t.Or(arg)
	default:
		return t
	}
}

// returned is the type of a call of a function for its arguments.
func (n *Widener) returned(e *Expr) *Term {
	d := n.defs[e.Name]
	if d == nil || len(e.Args) != len(d.Terms) {
		return e.Term
	}
	vars, key := d.given(e.Args)
	if key == "" {
		return e.Term.Or(d.Expr.Term)
	}
	result, known := n.memo[d.Name+key]
	if !known {
		n.memo[d.Name+key] = d.Expr.Term // functions call earlier ones only
		result = n.Widen(d.Expr, vars).Term
		n.memo[d.Name+key] = result
	}
	return e.Term.Or(result)
}

// given has the parameters whose type is wider for these arguments, and a text that
// tells such types apart; "" when there are none.
func (d *Def) given(args []*Expr) (vars []Var, key string) {
	for i, a := range args {
		if t := d.Param(i, a.Term); t != d.Terms[i] {
			vars = append(vars, Var{d.Params[i], t})
			key += fmt.Sprintf(" %d:%s", i, t.Width())
		}
	}
	return vars, key
}

// Width tells types apart that differ in how wide they are.
func (t *Term) Width() string {
	var b strings.Builder
	for ; t != nil; t = t.Elem {
		fmt.Fprintf(&b, "%s%t", t.Kind, t.Nullable)
		if t.Key != nil {
			fmt.Fprintf(&b, "%t", t.Key.Nullable)
		}
	}
	return b.String()
}

// Var is a variable and the type of its values.
type Var struct {
	Name string
	Term *Term
}

// Widen returns e with types wide enough for variables whose types are those of vars;
// others have the types that e gives them. It does not change e.
func (n *Widener) Widen(e *Expr, vars []Var) *Expr {
	if e == nil {
		return nil
	}
	out := *e
	out.Args = make([]*Expr, len(e.Args))
	if e.Op == ExprVar {
		for _, v := range slices.Backward(vars) {
			if v.Name == e.Name {
				out.Term = e.Term.Or(v.Term)
				break
			}
		}
		return &out
	}
	inner := vars[:len(vars):len(vars)]
	for i, a := range e.Args {
		if i == 1 && (len(e.Vars) > 0 || e.Accu != "") {
			inner = append(inner, e.within(out.Args[0].Term)...)
		}
		if e.Op == ExprFold && i == 1 {
			out.Args[1] = n.Widen(a, vars)
			inner = append(inner, Var{e.Accu, out.Args[1].Term})
			continue
		}
		out.Args[i] = n.Widen(a, inner)
	}
	if e.Op == ExprFold {
		if start := out.Args[1].Term.Or(out.Args[3].Term); start != out.Args[1].Term {
			again, first := *e, *e.Args[1]
			again.Args, first.Term = slices.Clone(e.Args), start
			again.Args[1] = &first
			return n.Widen(&again, vars)
		}
	}
	n.Settle(&out)
	return &out
}

// within are the variables of a loop over values of the type over, or of a bind.
func (e *Expr) within(over *Term) []Var {
	if e.Op == ExprBind {
		return []Var{{e.Accu, over}}
	}
	if over.Kind == TermDyn {
		vars := make([]Var, len(e.Vars))
		for i, name := range e.Vars {
			vars[i] = Var{name, over}
		}
		return vars
	}
	value := Var{e.Vars[len(e.Vars)-1], over.Elem}
	if over.Kind == TermMap && len(e.Vars) == 1 {
		value.Term = over.Key
	}
	if len(e.Vars) == 1 {
		return []Var{value}
	}
	return []Var{{e.Vars[0], over.Key}, value} // no type widens nothing
}
