package lib

import (
	"math/big"
	"regexp"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

var semverType = cel.OpaqueType("kubernetes.Semver")

// release is a version by SemVer 2.0.0, as the texts of its parts.
type release struct {
	core [3]string
	pre  []string
}

var semverPattern = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?` +
	`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`)

func big64(s string) (*big.Int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return nil, false
	}
	n, ok := new(big.Int).SetString(s, 10)
	return n, ok
}

func parseRelease(s string) (release, bool) {
	m := semverPattern.FindStringSubmatch(s)
	if m == nil || len(s) > 256 {
		return release{}, false
	}
	r := release{core: [3]string{m[1], m[2], m[3]}}
	numbers := m[1:4]
	if m[4] != "" {
		r.pre = strings.Split(m[4], ".")
		numbers = append(append([]string{}, numbers...), r.pre...)
	}
	for _, id := range numbers {
		if n, ok := big64(id); ok && !n.IsUint64() {
			return release{}, false
		}
	}
	return r, true
}

func (r release) compare(o release) int {
	for i := range r.core {
		if c := compareIdentifiers(r.core[i], o.core[i]); c != 0 {
			return c
		}
	}
	switch {
	case len(r.pre) == 0 || len(o.pre) == 0:
		return len(o.pre) - len(r.pre) // only its sign matters
	}
	for i := 0; i < len(r.pre) && i < len(o.pre); i++ {
		if c := compareIdentifiers(r.pre[i], o.pre[i]); c != 0 {
			return c
		}
	}
	return len(r.pre) - len(o.pre)
}

// compareIdentifiers puts numbers before words.
func compareIdentifiers(a, b string) int {
	x, isX := big64(a)
	y, isY := big64(b)
	switch {
	case isX && isY:
		return x.Cmp(y)
	case isX != isY:
		if isX {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

var carelessNumber = regexp.MustCompile(`^0+(\d)`)

// tidy brings a careless version into form.
func tidy(s string) string {
	parts := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	for i := range parts {
		parts[i] = carelessNumber.ReplaceAllString(parts[i], "$1")
	}
	if len(parts) < 3 && strings.ContainsAny(parts[len(parts)-1], "+-") {
		return ""
	}
	return strings.Join(append(parts, []string{"0", "0"}[:3-len(parts)]...), ".")
}

func signOf(n int) ref.Val { return types.Int(min(max(n, -1), 1)) }

func kubernetesSemver() []cel.EnvOption {
	read := func(a []ref.Val) (release, bool) {
		s := str(a[0])
		if len(a) == 2 && a[1] == types.True {
			s = tidy(s)
		}
		return parseRelease(s)
	}
	parse := func(a ...ref.Val) ref.Val {
		r, ok := read(a)
		if !ok {
			return types.NewErr("not a semantic version: %q", str(a[0]))
		}
		return opaque[release]{r, semverType, func(a, b release) bool { return a.compare(b) == 0 }}
	}
	valid := func(a ...ref.Val) ref.Val {
		_, ok := read(a)
		return types.Bool(ok)
	}
	part := func(i int) func(...ref.Val) ref.Val {
		return func(a ...ref.Val) ref.Val {
			n, _ := big64(a[0].Value().(release).core[i])
			return types.Int(int64(n.Uint64()))
		}
	}
	order := func(a []ref.Val) int { return a[0].Value().(release).compare(a[1].Value().(release)) }
	one, loose, two := typesOf(cel.StringType), typesOf(cel.StringType, cel.BoolType), typesOf(semverType, semverType)
	return []cel.EnvOption{
		cel.Types(semverType),
		cel.Function("semver", overload("string_to_semver", one, semverType, parse), overload("string_bool_to_semver", loose, semverType, parse)),
		cel.Function("isSemver", overload("is_semver_string", one, cel.BoolType, valid), overload("is_semver_string_bool", loose, cel.BoolType, valid)),
		cel.Function("major", method("semver_major", typesOf(semverType), cel.IntType, part(0))),
		cel.Function("minor", method("semver_minor", typesOf(semverType), cel.IntType, part(1))),
		cel.Function("patch", method("semver_patch", typesOf(semverType), cel.IntType, part(2))),
		cel.Function("compareTo", method("semver_compare_to", two, cel.IntType, func(a ...ref.Val) ref.Val { return signOf(order(a)) })),
		cel.Function("isGreaterThan", method("semver_is_greater_than", two, cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(order(a) > 0) })),
		cel.Function("isLessThan", method("semver_is_less_than", two, cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(order(a) < 0) })),
	}
}
