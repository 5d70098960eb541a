package rules

import (
	"encoding/binary"
	"math"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// cel-go compares each element of a list with each other. Beyond some hundred elements
// the functions here take their place, which find equal ones by a text that equal values
// have in common, and then compare as cel-go does: large documents are judged as compiled
// code judges them.

// fewComparisons is what cel-go's own functions are left to.
const fewComparisons = 250_000

// linear has functions of lists by name. ok is false where the arguments are none that
// they understand.
var linear = map[string]func(args []ref.Val) (v ref.Val, ok bool){
	"distinct": func(args []ref.Val) (ref.Val, bool) {
		list, ok := elementsOf(args[0])
		kept := []ref.Val{}
		for _, i := range firsts(list, false) {
			kept = append(kept, list[i])
		}
		return types.NewRefValList(types.DefaultTypeAdapter, kept), ok
	},
	"unique": func(args []ref.Val) (ref.Val, bool) {
		list, ok := elementsOf(args[0])
		return types.Bool(len(firsts(list, true)) == 0), ok
	},
	"repeats": func(args []ref.Val) (ref.Val, bool) {
		list, ok := elementsOf(args[0])
		return indices(firsts(list, true)), ok
	},
	"misses": func(args []ref.Val) (ref.Val, bool) {
		absent, ok := absentFrom(args[1], args[0])
		return indices(absent), ok
	},
	"sets.contains": func(args []ref.Val) (ref.Val, bool) {
		absent, ok := absentFrom(args[0], args[1])
		return types.Bool(len(absent) == 0), ok
	},
	"sets.intersects": func(args []ref.Val) (ref.Val, bool) {
		absent, ok := absentFrom(args[0], args[1])
		return types.Bool(int64(len(absent)) < length(args[1])), ok
	},
	"sets.equivalent": func(args []ref.Val) (ref.Val, bool) {
		a, ok := absentFrom(args[0], args[1])
		b, also := absentFrom(args[1], args[0])
		return types.Bool(len(a) == 0 && len(b) == 0), ok && also
	},
	"omit": func(args []ref.Val) (ref.Val, bool) {
		m, isMap := args[0].(traits.Mapper)
		keys, ok := elementsOf(args[1])
		if !isMap || !ok {
			return nil, false
		}
		gone, kept := newLookup(keys), map[ref.Val]ref.Val{}
		for it := m.Iterator(); it.HasNext() == types.True; {
			if k := it.Next(); !gone.has(k) {
				kept[k] = m.Get(k)
			}
		}
		return types.NewRefValMap(types.DefaultTypeAdapter, kept), true
	},
}

// keyless reports whether a list, or a map, holds values that are only found by a
// comparison with each.
func keyless(v ref.Val) bool {
	_, ok := appendKey(nil, v)
	return !ok
}

// large reports whether a call is better left to the function of linear.
func large(name string, args []ref.Val) bool {
	if linear[name] == nil || len(args) == 0 {
		return false
	}
	n := length(args[0])
	if len(args) > 1 {
		return times(n, length(args[1])) > fewComparisons
	}
	return times(n, n) > fewComparisons
}

// linearly calls the function of that name in linear, if there is one for such arguments.
func linearly(name string, args []ref.Val) (ref.Val, bool) {
	if m, grows := args[0].(traits.MutableMapper); grows && name == "cel.@mapInsert" && len(args) == 3 {
		switch args[1].(type) {
		case types.String, types.Int: // the type check would go through the whole map
			return m.Insert(args[1], args[2]), true
		}
	}
	if !large(name, args) {
		return nil, false
	}
	return linear[name](args)
}

func indices(list []int) ref.Val {
	out := make([]int64, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return types.DefaultTypeAdapter.NativeToValue(out)
}

// elementsOf returns the elements of a list all of which have a key.
func elementsOf(v ref.Val) ([]ref.Val, bool) {
	l, ok := v.(traits.Lister)
	if !ok {
		return nil, false
	}
	if _, set := v.(*unordered); set {
		return nil, false
	}
	list := make([]ref.Val, 0, length(v))
	var b []byte
	for it := l.Iterator(); it.HasNext() == types.True; {
		x := it.Next()
		if b, ok = appendKey(b[:0], x); !ok {
			return nil, false
		}
		list = append(list, x)
	}
	return list, true
}

// firsts returns the indices of elements that equal none before; or of the others.
func firsts(list []ref.Val, others bool) (found []int) {
	seen := newLookup(nil)
	for i, x := range list {
		known := seen.has(x)
		if !known {
			seen.add(x)
		}
		if known == others {
			found = append(found, i)
		}
	}
	return found
}

// absentFrom returns the indices of elements of list that whole does not have.
func absentFrom(whole, list ref.Val) (absent []int, ok bool) {
	all, ok := elementsOf(whole)
	some, also := elementsOf(list)
	if !ok || !also {
		return nil, false
	}
	have := newLookup(all)
	for i, x := range some {
		if !have.has(x) {
			absent = append(absent, i)
		}
	}
	return absent, true
}

// lookup finds values by their key.
type lookup struct {
	byKey map[string][]ref.Val
	key   []byte
}

func newLookup(list []ref.Val) *lookup {
	l := &lookup{byKey: map[string][]ref.Val{}}
	for _, x := range list {
		l.add(x)
	}
	return l
}

func (l *lookup) add(x ref.Val) {
	l.key, _ = appendKey(l.key[:0], x)
	for _, y := range l.byKey[string(l.key)] {
		if types.Equal(x, y) == types.True {
			return
		}
	}
	l.byKey[string(l.key)] = append(l.byKey[string(l.key)], x)
}

func (l *lookup) has(x ref.Val) bool {
	l.key, _ = appendKey(l.key[:0], x)
	return slices.ContainsFunc(l.byKey[string(l.key)], func(y ref.Val) bool { return types.Equal(x, y) == types.True })
}

// appendKey adds bytes that are the same for values that CEL takes for equal. ok is false
// for values whose equality is not a matter of what they hold in order, and for errors.
func appendKey(b []byte, v ref.Val) (out []byte, ok bool) {
	text := func(kind byte, s string) []byte {
		b = binary.AppendUvarint(append(b, kind), uint64(len(s)))
		return append(b, s...)
	}
	number := func(f float64) []byte {
		if f == 0 {
			f = 0 // of -0 too
		}
		return binary.BigEndian.AppendUint64(append(b, 'n'), math.Float64bits(f))
	}
	switch x := v.(type) {
	case types.String:
		return text('s', string(x)), true
	case types.Bytes:
		return text('b', string(x)), true
	case types.Bool:
		if x {
			return append(b, 't'), true
		}
		return append(b, 'f'), true
	case types.Null:
		return append(b, '0'), true
	case types.Int: // equal numbers are one number as doubles
		return number(float64(x)), true
	case types.Uint:
		return number(float64(x)), true
	case types.Double:
		return number(float64(x)), true
	case types.Timestamp:
		return binary.BigEndian.AppendUint64(append(b, 'a'), uint64(x.Time.UnixNano())), true
	case types.Duration:
		return binary.BigEndian.AppendUint64(append(b, 'd'), uint64(x.Duration)), true
	case *unordered, *types.Err, *types.Unknown:
		return b, false
	case traits.Lister:
		b = binary.AppendUvarint(append(b, '['), uint64(length(v)))
		for it := x.Iterator(); it.HasNext() == types.True; {
			if b, ok = appendKey(b, it.Next()); !ok {
				return b, false
			}
		}
		return b, true
	case traits.Mapper:
		var members []string
		for it := x.Iterator(); it.HasNext() == types.True; {
			k := it.Next()
			m, ok := appendKey(nil, k)
			if ok {
				m, ok = appendKey(m, x.Get(k))
			}
			if !ok {
				return b, false
			}
			members = append(members, string(m))
		}
		slices.Sort(members)
		b = binary.AppendUvarint(append(b, '{'), uint64(len(members)))
		for _, m := range members {
			b = append(b, m...)
		}
		return b, true
	}
	return b, false
}
