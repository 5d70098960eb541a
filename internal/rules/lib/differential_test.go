package lib

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"

	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// operators are how the functions are written that have no name in CEL's text.
var notation = map[string]string{
	"!_": "!x", "-_": "-x", "@in": "x in y", "_&&_": "x && y", "_||_": "x || y", "_?_:_": "x ? y : z",
	"_==_": "x == y", "_!=_": "x != y", "_<_": "x < y", "_<=_": "x <= y", "_>_": "x > y", "_>=_": "x >= y",
	"_+_": "x + y", "_-_": "x - y", "_*_": "x * y", "_/_": "x / y", "_%_": "x % y",
	"_[_]": "x[y]", "_[?_]": "x[?y]", "_?._": "x.?a", "cel.@mapInsert": "[1].transformMapEntry(i, v, x)",
	"@sortByAssociatedKeys": "x.sortBy(e, e)", "math.@max": "math.greatest(x, y)", "math.@min": "math.least(x, y)",
}

// further expressions are compared over the pool beside one for each overload.
var further = []string{
	"x.a", "has(x.a)", "x.?a.b", "x.?a.orValue(y)", "[?x, 1]", "{'k': 1, ?'l': x}", "x.map(e, e).size()", "x.all(e, e == y)", "x.exists(e, e == y)", "x.exists_one(e, e == y)",
	"x.filter(e, e != y).size()", "x.transformList(i, v, [i, v]).size()", "x.transformMap(k, v, [k, v])", "x.optMap(v, v == y)", "x.optFlatMap(v, optional.of(v))",
	"math.greatest(x)", "math.least(x)", "math.greatest(x, y, 3)", "x.sortBy(e, e == y)", "{x: 1}[y]", "cel.bind(v, x, v == y)", "[x].flatten()", "[x] + y", "x == [y]",
	"quantity(x) == quantity(y)", "quantity(x).add(quantity(y)) == quantity(y)", "quantity(x).add(quantity(y)).isInteger()", "quantity(x).sub(quantity(y)).asApproximateFloat()",
	"quantity(x).compareTo(quantity(y))", "quantity(x).isGreaterThan(quantity(y))", "quantity(x).isLessThan(quantity(y))", "quantity(x).add(7).asInteger()", "quantity(x).sub(1).sign()",
	"quantity(x).sign()", "quantity(x).isInteger()", "quantity(x).asInteger()", "quantity(x).asApproximateFloat()", "quantity(x).add(quantity(y)).sub(quantity('1Ki')).asInteger()",
	"semver(x).compareTo(semver(y))", "semver(x).isLessThan(semver(y))", "semver(x).isGreaterThan(semver(y))", "semver(x) == semver(y)", "semver(x, true).major()", "semver(x, true).minor()", "semver(x, true).patch()",
	"url(x).getScheme()", "url(x).getHost()", "url(x).getHostname()", "url(x).getPort()", "url(x).getEscapedPath()", "url(x).getQuery()", "url(x) == url(y)",
	"ip(x).family()", "ip(x) == ip(y)", "cidr(x).containsIP(y)", "cidr(x).containsIP(ip(y))", "cidr(x).containsCIDR(y)", "cidr(x).containsCIDR(cidr(y))", "cidr(x).masked()", "cidr(x).ip()", "string(cidr(x))", "string(ip(x))",
	"ip(x).isLoopback()", "ip(x).isUnspecified()", "ip(x).isGlobalUnicast()", "ip(x).isLinkLocalMulticast()", "ip(x).isLinkLocalUnicast()", "cidr(x).isMask()", "cidr(x).prefixLength()",
	"format.named(x).hasValue()", "format.named(x).value().validate(y)", "regex.replace(x, '[ab]', y)", "'%s|%s'.format([x, y])", "'%d'.format([x])", "'%.3f'.format([x])", "'%e'.format([x])", "'%x'.format([x])", "'%X'.format([x])", "'%o'.format([x])", "'%b'.format([x])",
	"x.format([y])", "omit({'a': x, 'b': y}, ['a'])", "findStrings({'b': x, 'a': [y, 'b', {'c': x}]}, 'b')", "findKeys({'b': x, 'aB-c': [{'c': y}]}, '^a_b_c$|a')", "overflows([x, {'a': y}, 1.0 / 0.0])", "associate(['a', 'b', 'a'], [x, y, 1])", "associate([x, y], [y, x])", "canonical({'x': x, 'a': [y]})", "digest([x, y])", "unique([x, y])", "repeats([x, y, x])", "repeats([[x, 1], [y, 1], [x, 1u]])", "misses([x, y, 1], [y, 2])", "misses([[x, 1], [y, {'a': 1}]], [[y, {'a': 1u}]])", "isPrefix([x], [y])", "sets.contains([x], [y])", "[x, y].distinct()", "[x, y].sort()", "[x, y].sum()", "[x, y].min()", "[x, y].max()", "[x, y].isSorted()", "sorted([x, y])",
	"type(x) == type(y)", "dyn(x) in [y]", "timestamp(x) - timestamp(y)", "timestamp(x) + duration(y)", "timestamp(x) - duration(y)", "duration(x) - duration(y)",
}

// laxer reports whether the runtime library lets pass what cel-go does not, on purpose or
// since it cannot see the difference: keys of maps are no doubles by the specification,
// and one method stands for the function ip and the method ip.
func laxer(text string, x ref.Val) bool {
	switch {
	case text == "{x: 1}[y]":
		return x.Type() == types.DoubleType
	case text == "x.ip()":
		return x.Type() == types.StringType
	case strings.Contains(text, "ip(x)"):
		return x.Type() == ext.CIDRType
	}
	return false
}

// unsupported are overloads that are not compared here.
var unsupported = []string{"cel.@block", "@not_strictly_false", "__not_strictly_false__", "_in_", "in"}

// TestDifferential evaluates every function over values of all kinds with cel-go and with
// the runtime library.
func TestDifferential(t *testing.T) {
	env := dynEnv(t)
	expressions := slices.Clone(further)
	for name, f := range env.Functions() {
		if slices.Contains(unsupported, name) {
			continue
		}
		if text := notation[name]; text != "" {
			expressions = append(expressions, text)
			continue
		}
		for _, o := range f.OverloadDecls() {
			vars := []string{"x", "y", "z", "w"}[:len(o.ArgTypes())]
			text := fmt.Sprintf("%s(%s)", name, strings.Join(vars, ", "))
			if o.IsMemberFunction() {
				text = fmt.Sprintf("x.%s(%s)", name, strings.Join(vars[1:], ", "))
			}
			if !slices.Contains(expressions, text) {
				expressions = append(expressions, text)
			}
		}
	}
	slices.Sort(expressions)
	for _, text := range expressions {
		t.Run(text, func(t *testing.T) { compareOver(t, env, text) })
	}
}

func dynEnv(t testing.TB) *cel.Env {
	t.Helper()
	env, err := Base()
	if err != nil {
		t.Fatal(err)
	}
	env, err = env.Extend(cel.Variable("x", cel.DynType), cel.Variable("y", cel.DynType), cel.Variable("z", cel.DynType), cel.Variable("w", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// tuples calls f with the values of x, y, z and w; with three and more variables values
// are only combined with strings and ints around them.
func tuples(text string, f func(x, y, z, w ref.Val)) {
	all := pool()
	few := []ref.Val{types.Int(-1), types.Int(0), types.Int(1), types.Int(3), types.Int(1 << 40), types.String("a"), types.String("-"), types.Null(0)}
	uses := func(name string) bool {
		for i := range text {
			if text[i:i+1] == name && (i == 0 || !isLetter(text[i-1])) && (i+1 == len(text) || !isLetter(text[i+1])) {
				return true
			}
		}
		return false
	}
	second, third, fourth := all[:1], all[:1], all[:1]
	if uses("y") {
		second = all
	}
	if uses("z") {
		second, third = append(all[:12:12], all[35:70]...), few
	}
	if uses("w") {
		second, fourth = all[35:45], few[:5]
		third = []ref.Val{types.String(""), types.String("xy"), types.String(`\1\0`), types.Int(1)}
	}
	every := 31 // of the pairs
	if os.Getenv("CONTRACTKIT_ALL_PAIRS") != "" {
		every = 1
	}
	for i, x := range all {
		for j, y := range second {
			if len(second) > 50 && (3*i+j)%every != 0 {
				continue
			}
			for _, z := range third {
				for _, w := range fourth {
					f(x, y, z, w)
				}
			}
		}
	}
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '.' || b == '\'' }

func compareOver(t *testing.T, env *cel.Env, text string) {
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(checked)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	tuples(text, func(x, y, z, w ref.Val) {
		if wrong > 5 {
			return
		}
		if laxer(text, x) || strings.Contains(text, "ip(y)") && laxer("ip(x)", y) {
			return
		}
		vars := map[string]ref.Val{"x": x, "y": y, "z": z, "w": w}
		want := "error"
		if out, _, err := program.Eval(map[string]any{"x": x, "y": y, "z": z, "w": w}); err == nil {
			want = showRef(out)
		}
		ctx := new(rt.Ctx)
		ctx.Reset(nil)
		walk := walker{ctx: ctx, refs: checked.NativeRep().ReferenceMap(), vars: bind(vars)}
		result := walk.eval(checked.NativeRep().Expr())
		if got := show(ctx, result); got != want {
			wrong++
			t.Errorf("x=%s y=%s z=%s w=%s\n got  %s %s\n want %s", showRef(x), showRef(y), showRef(z), showRef(w), got, result.ErrText(), want)
		}
		if len(walk.unknown) > 0 {
			wrong = 6
			t.Errorf("gofunc.Names lacks %v", walk.unknown)
		}
	})
}
