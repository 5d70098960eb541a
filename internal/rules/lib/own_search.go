package lib

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// ErrBeyondDouble is the error that stands for a number of a document that no double can
// hold. The function overflows finds it.
var ErrBeyondDouble = errors.New("the number is beyond what a double can hold")

// visit calls f for x and all below it, members in the order of their names, with the
// path to each.
func visit(path []ref.Val, x ref.Val, f func(path []ref.Val, x ref.Val)) error {
	f(path, x)
	switch x := x.(type) {
	case traits.Lister:
		for i, e := range elements(x) {
			if err := visit(append(path, types.Int(i)), e, f); err != nil {
				return err
			}
		}
	case traits.Mapper:
		var names []string
		for it := x.Iterator(); it.HasNext() == types.True; {
			name, ok := it.Next().(types.String)
			if !ok {
				return errors.New("a key of a JSON object is a string")
			}
			names = append(names, string(name))
		}
		slices.Sort(names)
		for _, name := range names {
			if err := visit(append(path, types.String(name)), x.Get(types.String(name)), f); err != nil {
				return err
			}
		}
	}
	return nil
}

// pathsTo lists the paths to what wanted is true of.
func pathsTo(x ref.Val, wanted func(path []ref.Val, x ref.Val) bool) ref.Val {
	found := []ref.Val{}
	err := visit(nil, x, func(path []ref.Val, x ref.Val) {
		if wanted(path, x) {
			found = append(found, types.NewRefValList(types.DefaultTypeAdapter, slices.Clone(path)))
		}
	})
	if err != nil {
		return types.WrapErr(err)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, found)
}

func findStrings(a ...ref.Val) ref.Val {
	pattern, err := regexp.Compile(str(a[1]))
	if err != nil {
		return types.WrapErr(err)
	}
	return pathsTo(a[0], func(_ []ref.Val, x ref.Val) bool {
		s, ok := x.(types.String)
		return ok && pattern.MatchString(string(s))
	})
}

var (
	wordStart = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	between   = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

func findKeys(a ...ref.Val) ref.Val {
	named := func(path []ref.Val, _ ref.Val) bool {
		return len(path) > 0 && path[len(path)-1].Type() == types.StringType
	}
	pattern, err := regexp.Compile(str(a[1]))
	if err != nil {
		return types.WrapErr(err)
	}
	return pathsTo(a[0], func(path []ref.Val, x ref.Val) bool {
		if !named(path, x) {
			return false
		}
		words := wordStart.ReplaceAllString(str(path[len(path)-1]), "${1}_${2}")
		return pattern.MatchString(strings.ToLower(between.ReplaceAllString(words, "_")))
	})
}

func overflows(a ...ref.Val) ref.Val {
	return pathsTo(a[0], func(_ []ref.Val, x ref.Val) bool {
		switch x := x.(type) {
		case types.Double:
			return math.IsInf(float64(x), 0) || math.IsNaN(float64(x))
		case *types.Err:
			return errors.Is(x, ErrBeyondDouble)
		}
		return false
	})
}

func associate(a ...ref.Val) ref.Val {
	keys, values := elements(a[0]), elements(a[1])
	if len(keys) != len(values) {
		return types.NewErr("the lists differ in length")
	}
	m := map[ref.Val]ref.Val{}
	for i, k := range keys {
		if k.Type() != types.StringType {
			return types.NewErr("no such overload")
		}
		if _, there := m[k]; !there {
			m[k] = values[i]
		}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, m)
}

func sha256Text(a ...ref.Val) ref.Val {
	return types.String(fmt.Sprintf("%x", sha256.Sum256([]byte(str(a[0])))))
}
