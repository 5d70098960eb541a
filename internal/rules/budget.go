package rules

import (
	"math"
	"slices"
	"strconv"

	"cel.dev/cel-go/cel"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// What the rules of a document may cost, in cel-go's units: ten to twenty million of
// them are a second of work. The first bounds one evaluation, the second all that are made
// for a document, with the third for each beside what its expression does. Documents of
// a size that people write need a thousandth of it; what compiled code does with its
// steps has to be within.
var (
	maxCost  uint64 = 100_000_000
	maxTotal int64  = 200_000_000
)

const eachCosts = 20

// What one call of a function may do, which cel-go only counts when it is over:
// comparisons of values, and bytes of a text or elements of a list that it makes.
const (
	maxCallWork = 20_000_000
	maxCallText = 32 << 20
	maxCallList = 2_000_000
)

// maxIssues bounds what one document can make its rules report, as in compiled code.
const maxIssues = 1000

// spentMessage is what the issue says at which the budget of a document was found spent.
const spentMessage = " (the rules of this document take more work than one document may cost, so they were not all evaluated)"

// budget is what is left for one document.
type budget struct {
	left int64
	done bool // spent, and reported
}

// draw takes units away.
func (b *budget) draw(units int64) { b.left -= units }

// guards are bindings that refuse calls which would take too long.
func guards(env *cel.Env) (cel.ProgramOption, error) {
	var bound []*functions.Overload
	for name, f := range env.Functions() {
		work := heavy[name]
		switch {
		case compares[name] && work == nil:
			work = func([]ref.Val) bool { return true }
		case work == nil:
			continue
		}
		own, err := f.Bindings()
		if err != nil {
			return nil, err
		}
		for _, o := range own {
			bound = append(bound, guarded(name, o, work))
		}
	}
	//lint:ignore SA1019 nothing else puts a guard around a function that a library has declared
	return cel.Functions(bound...), nil
}

const errHeavy = "the call of a function would take too much work"

// guarded is the overload with a look at its arguments before. Where they are large it
// leaves the call to a function that takes less work, if there is one.
func guarded(name string, o *functions.Overload, work func(args []ref.Val) bool) *functions.Overload {
	g := *o
	instead := func(args ...ref.Val) ref.Val {
		if compares[name] {
			if err := flawInside(name, args); err != nil {
				return err
			}
		}
		if v, ok := linearly(name, args); ok {
			return v
		}
		if !work(args) {
			return types.NewErr("%s", errHeavy)
		}
		return nil
	}
	if f := o.Unary; f != nil {
		g.Unary = func(x ref.Val) ref.Val {
			if v := instead(x); v != nil {
				return v
			}
			return f(x)
		}
	}
	if f := o.Binary; f != nil {
		g.Binary = func(x, y ref.Val) ref.Val {
			if v := instead(x, y); v != nil {
				return v
			}
			return f(x, y)
		}
	}
	if f := o.Function; f != nil {
		g.Function = func(args ...ref.Val) ref.Val {
			if v := instead(args...); v != nil {
				return v
			}
			return f(args...)
		}
	}
	return &g
}

// heavy has the functions whose work, or whose result, is not linear in what they are
// given, each with whether a call is cheap enough.
var heavy = map[string]func(args []ref.Val) bool{
	"distinct": square, "unique": repeated, "repeats": repeated,
	"misses": product, "omit": product,
	"sets.contains": product, "sets.intersects": product, "sets.equivalent": product,
	"hasAll": product, "hasAny": product, "hasOnly": product, "hasExactly": product,
	"indexOf": product, "lastIndexOf": product,
	"findAll": scans, "regex.extractAll": scans,
	"replace": replaces, "regex.replace": func(args []ref.Val) bool { return scans(args) && replaces(args) },
	"join": joins, "lists.range": ranges, "_+_": adds,
	"cel.@mapInsert": func([]ref.Val) bool { return true }, // see linear
}

// length is the number of a list's or map's elements, a text's bytes, and otherwise 1.
func length(v ref.Val) int64 {
	switch x := v.(type) {
	case types.String:
		return int64(len(x))
	case types.Bytes:
		return int64(len(x))
	case traits.Sizer:
		if n, ok := x.Size().(types.Int); ok {
			return int64(n)
		}
	}
	return 1
}

// times multiplies without overflow.
func times(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

// square is for what compares each element with each other.
func square(args []ref.Val) bool {
	n := length(args[0])
	return times(n, n) <= maxCallWork
}

// repeated is for what finds numbers and texts by a map, and compares the rest.
func repeated(args []ref.Val) bool {
	n := compound(args[0])
	return times(n, n) <= maxCallWork
}

// compound counts the elements of a list that are neither texts nor numbers.
func compound(v ref.Val) (n int64) {
	l, ok := v.(traits.Lister)
	if !ok {
		return 0
	}
	for it := l.Iterator(); it.HasNext() == types.True; {
		switch it.Next().(type) {
		case types.String, types.Int, types.Uint, types.Double:
		default:
			n++
		}
	}
	return n
}

func product(args []ref.Val) bool {
	return len(args) < 2 || times(length(args[0]), length(args[1])) <= maxCallWork
}

// scans is for patterns that are looked for again behind each place.
func scans(args []ref.Val) bool {
	n := length(args[0])
	return times(n, n) <= 64*maxCallWork
}

func replaces(args []ref.Val) bool {
	return len(args) < 3 || times(length(args[0])+1, length(args[2])+1) <= maxCallText
}

func joins(args []ref.Val) bool {
	l, ok := args[0].(traits.Lister)
	if !ok {
		return true
	}
	size := int64(0)
	if len(args) > 1 {
		size = times(length(l), length(args[1]))
	}
	for it := l.Iterator(); size <= maxCallText && it.HasNext() == types.True; {
		size += length(it.Next())
	}
	return size <= maxCallText
}

func ranges(args []ref.Val) bool {
	n, ok := args[0].(types.Int)
	return !ok || n <= maxCallList
}

// adds is for + of texts and lists. The lists that loops build grow in place.
func adds(args []ref.Val) bool {
	if len(args) < 2 {
		return true
	}
	switch args[0].(type) {
	case types.String, types.Bytes:
		return length(args[0])+length(args[1]) <= maxCallText
	case traits.MutableLister:
		return true
	case *unordered:
		return product(args)
	case traits.Lister:
		return length(args[0])+length(args[1]) <= maxCallList
	}
	return true
}

// pricing says what calls cost. cel-go's own prices take functions for cheap that go
// through a whole list or text.
type pricing struct{}

// CallCost returns the cost of a call, nil for cel-go's own.
func (pricing) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if function == paidFunction {
		inner, _ := strconv.ParseUint(overload, 10, 63)
		inner++
		return &inner
	}
	return price(function, args, result)
}

// prices are the same for calls of which cel-go knows the overload.
func prices(env *cel.Env) (out []celcost.TrackerOption) {
	for name, f := range env.Functions() {
		if unpriced[name] {
			continue
		}
		for _, o := range f.OverloadDecls() {
			out = append(out, celcost.OverloadTracker(o.ID(), func(args []ref.Val, result ref.Val) *uint64 { return price(name, args, result) }))
		}
	}
	return out
}

// unpriced are operators that look at no more than one value of what they are given.
var unpriced = map[string]bool{
	"_&&_": true, "_||_": true, "_?_:_": true, "!_": true, "-_": true, "@not_strictly_false": true, "__not_strictly_false__": true,
	"_[_]": true, "_[?_]": true, "_?._": true, "dyn": true, "type": true, "optional.of": true, "optional.none": true, "hasValue": true, "value": true, "or": true, "orValue": true,
}

// price is the cost of a call: what is linear in its arguments and its result, and of
// some functions more.
func price(function string, args []ref.Val, result ref.Val) *uint64 {
	if unpriced[function] {
		return nil
	}
	cost := uint64(1)
	add := func(n int64) { cost += uint64(min(n, maxTotal)) }
	switch function {
	case "_==_", "_!=_":
		if len(args) == 2 {
			add(2 * min(deep(args[0], maxTotal), deep(args[1], maxTotal)))
			if u, ok := args[0].(*unordered); ok && !types.IsError(result) {
				add(times(length(u), length(args[1])))
			}
		}
		return &cost
	case "cel.@mapInsert":
		add(10)
		if _, grows := args[0].(traits.MutableMapper); !grows {
			add(weight(args[0]))
		}
		return &cost
	case "@in": // an element takes less than a unit
		if _, list := args[1].(traits.Lister); list {
			add(length(args[1]) / 2)
			return &cost
		}
	case "size":
		if _, text := args[0].(types.String); text {
			add(weight(args[0]))
		}
		return &cost
	case "_+_":
		if _, grows := args[0].(traits.MutableLister); grows {
			return &cost
		}
	}
	for _, a := range args {
		add(weight(a))
	}
	if types.IsError(result) {
		return &cost
	}
	add(weight(result))
	if large(function, args) && !slices.ContainsFunc(args, keyless) {
		for _, a := range args {
			add(10 * deep(a, maxTotal))
		}
		return &cost
	}
	switch function {
	case "canonical", "digest", "findStrings", "findKeys", "overflows", "format":
		for _, a := range args {
			add(16 * deep(a, maxTotal))
		}
	case "acyclic", "cyclePath":
		add(10 * deep(args[0], maxTotal))
	case "distinct":
		n := length(args[0])
		add(times(n, n))
	case "unique", "repeats":
		n := compound(args[0])
		add(times(n, n))
	case "sets.contains", "sets.intersects", "sets.equivalent", "hasAll", "hasAny", "hasOnly", "hasExactly", "misses", "omit", "indexOf", "lastIndexOf":
		if len(args) > 1 {
			add(times(length(args[0]), length(args[1])) / 4)
		}
	case "sort", "@sortByAssociatedKeys":
		add(10 * length(args[0]))
	case "matches", "find", "findAll", "regex.extract", "regex.extractAll", "regex.replace":
		if len(args) > 1 {
			add(times(length(args[0]), 1+length(args[1])/16))
		}
	}
	return &cost
}

// weight is what a pass over a value costs: of a text for some bytes, of a list or map
// for each element.
func weight(v ref.Val) int64 {
	switch v.(type) {
	case types.String, types.Bytes:
		return length(v) / 8
	case traits.Lister, traits.Mapper:
		return 3 * length(v)
	}
	return 0
}

// deep is the number of values that v consists of, counted up to a limit.
func deep(v ref.Val, limit int64) int64 {
	switch x := v.(type) {
	case types.String, types.Bytes:
		return 1 + length(x)/16
	case *object:
		return int64(x.d.Next(x.n) - x.n)
	case traits.Lister:
		n := int64(1)
		for it := x.Iterator(); n < limit && it.HasNext() == types.True; {
			n += deep(it.Next(), limit-n)
		}
		return n
	case traits.Mapper:
		n := int64(1)
		for it := x.Iterator(); n < limit && it.HasNext() == types.True; {
			n += 1 + deep(x.Get(it.Next()), limit-n)
		}
		return n
	}
	return 1
}
