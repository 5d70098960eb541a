package lib

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Own returns the functions of contractkit. The methods of runtime/contract/cel that
// stand for them say what each does.
func Own() []cel.EnvOption {
	a, b := cel.TypeParamType("A"), cel.TypeParamType("B")
	list, stringList := cel.ListType(a), cel.ListType(cel.StringType)
	edges := cel.MapType(cel.StringType, stringList)
	paths := cel.ListType(cel.ListType(cel.DynType))
	two := typesOf(cel.StringType, cel.StringType)
	return []cel.EnvOption{
		cel.Function("canonical", overload("canonical_dyn", typesOf(cel.DynType), cel.StringType, canonical)),
		cel.Function("digest", overload("digest_dyn", typesOf(cel.DynType), cel.StringType, digest)),
		cel.Function("unique", overload("unique_list", typesOf(list), cel.BoolType, unique)),
		cel.Function("repeats", overload("repeats_list", typesOf(list), cel.ListType(cel.IntType), repeats)),
		cel.Function("misses", overload("misses_list_list", typesOf(list, list), cel.ListType(cel.IntType), misses)),
		cel.Function("isPrefix", overload("is_prefix_list_list", typesOf(list, list), cel.BoolType, isPrefix)),
		cel.Function("sorted", overload("sorted_list", typesOf(list), cel.BoolType, isSorted)),
		cel.Function("omit", decls.DisableTypeGuards(true), overload("omit_map_list", typesOf(cel.MapType(a, b), list), cel.MapType(a, b), omit)),
		cel.Function("associate", overload("associate_list_list", typesOf(stringList, list), cel.MapType(cel.StringType, a), associate)),
		cel.Function("findStrings", overload("find_strings_dyn_string", typesOf(cel.DynType, cel.StringType), paths, findStrings)),
		cel.Function("findKeys", overload("find_keys_dyn_string", typesOf(cel.DynType, cel.StringType), paths, findKeys)),
		cel.Function("overflows", overload("overflows_dyn", typesOf(cel.DynType), paths, overflows)),
		cel.Function("sha256", overload("sha256_string", typesOf(cel.StringType), cel.StringType, sha256Text)),
		cel.Function("acyclic", overload("acyclic_map", typesOf(edges), cel.BoolType, acyclic)),
		cel.Function("cyclePath", overload("cycle_path_map", typesOf(edges), stringList, cyclePath)),
		cel.Function("closure", overload("closure_map_list", typesOf(edges, stringList), stringList, closure)),
		cel.Function("instant", overload("instant_string", typesOf(cel.StringType), cel.TimestampType, instant)),
		cel.Function("instantMillis", overload("instant_millis_string", typesOf(cel.StringType), cel.IntType, instantMillis)),
		cel.Function("semverValid", overload("semver_valid_string", typesOf(cel.StringType), cel.BoolType, func(a ...ref.Val) ref.Val {
			_, ok := parseRelease(str(a[0]))
			return types.Bool(ok)
		})),
		cel.Function("semverCompare", overload("semver_compare_string_string", two, cel.IntType, func(a ...ref.Val) ref.Val {
			x, okX := parseRelease(str(a[0]))
			y, okY := parseRelease(str(a[1]))
			if !okX || !okY {
				return types.NewErr("not a semantic version")
			}
			return signOf(x.compare(y))
		})),
	}
}

func unique(a ...ref.Val) ref.Val {
	var seen seen
	for _, x := range elements(a[0]) {
		if seen.before(x) {
			return types.False
		}
	}
	return types.True
}

func repeats(a ...ref.Val) ref.Val {
	var seen seen
	again := []int64{}
	for i, x := range elements(a[0]) {
		if seen.before(x) {
			again = append(again, int64(i))
		}
	}
	return types.DefaultTypeAdapter.NativeToValue(again)
}

// seen finds texts and numbers, which nearly all lists of names are, by a map; other
// values are compared one by one.
type seen struct {
	texts   map[types.String]bool
	numbers map[float64][]ref.Val
	others  []ref.Val
}

// before reports whether a value equal to x was handed in before.
func (s *seen) before(x ref.Val) bool {
	if s.texts == nil {
		s.texts, s.numbers = map[types.String]bool{}, map[float64][]ref.Val{}
	}
	equal := func(y ref.Val) bool { return types.Equal(x, y) == types.True }
	near := func(f float64) bool { // equal numbers are one number as doubles
		if slices.ContainsFunc(s.numbers[f], equal) {
			return true
		}
		s.numbers[f] = append(s.numbers[f], x)
		return false
	}
	switch n := x.(type) {
	case types.String:
		known := s.texts[n]
		s.texts[n] = true
		return known
	case types.Int:
		return near(float64(n))
	case types.Uint:
		return near(float64(n))
	case types.Double:
		return near(float64(n))
	}
	known := slices.ContainsFunc(s.others, equal)
	s.others = append(s.others, x)
	return known
}

// misses asks the list itself whether it has an element, one after the other.
func misses(a ...ref.Val) ref.Val {
	whole := a[1].(traits.Lister)
	absent := []int64{}
	for i, x := range elements(a[0]) {
		if whole.Contains(x) != types.True {
			absent = append(absent, int64(i))
		}
	}
	return types.DefaultTypeAdapter.NativeToValue(absent)
}

func isPrefix(a ...ref.Val) ref.Val {
	shorter, longer := elements(a[0]), elements(a[1])
	if len(shorter) > len(longer) {
		return types.False
	}
	for i, x := range shorter {
		if types.Equal(x, longer[i]) != types.True {
			return types.False
		}
	}
	return types.True
}

func omit(a ...ref.Val) ref.Val {
	// Objects of a document are maps too, though their type is one of their own.
	m, isMap := a[0].(traits.Mapper)
	keys, isList := a[1].(traits.Lister)
	if !isMap || !isList {
		return types.NewErr("no such overload: omit(%s, %s)", a[0].Type().TypeName(), a[1].Type().TypeName())
	}
	kept := map[ref.Val]ref.Val{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		if k := it.Next(); keys.Contains(k) != types.True {
			kept[k] = m.Get(k)
		}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, kept)
}

var instantPattern = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?Z$`)

// readInstant splits a timestamp of the catalog's grammar into a time in whole seconds and
// its fraction's digits.
func readInstant(s string) (time.Time, string, bool) {
	m := instantPattern.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, "", false
	}
	if m[3] == "" {
		m[3] = "00"
	}
	t, err := time.Parse(time.RFC3339, m[1]+"T"+m[2]+":"+m[3]+"Z")
	return t, m[4], err == nil
}

// fractionOf reads n digits of a fraction.
func fractionOf(digits string, n int) int64 {
	x, _ := strconv.ParseInt((digits + "000000000")[:n], 10, 64)
	return x
}

func instant(a ...ref.Val) ref.Val {
	t, fraction, ok := readInstant(str(a[0]))
	if !ok {
		return types.NewErr("not a timestamp in UTC: %q", str(a[0]))
	}
	if len(strings.TrimRight(fraction, "0")) > 9 {
		return types.NewErr("the timestamp is finer than nanoseconds")
	}
	return types.Timestamp{Time: t.Add(time.Duration(fractionOf(fraction, 9)))}
}

func instantMillis(a ...ref.Val) ref.Val {
	t, fraction, ok := readInstant(str(a[0]))
	if !ok {
		return types.NewErr("not a timestamp in UTC: %q", str(a[0]))
	}
	return types.Int(t.Unix()*1000 + fractionOf(fraction, 3))
}
