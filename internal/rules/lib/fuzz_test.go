package lib

import (
	"errors"
	"testing"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	seal "github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/runtime/contract"
	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// pair is an expression over the strings x and y, for both evaluators.
type pair struct {
	text    string
	checked *cel.Ast
	program cel.Program
}

func compile(f *testing.F, expressions ...string) []pair {
	f.Helper()
	env, err := Base()
	if err != nil {
		f.Fatal(err)
	}
	if env, err = env.Extend(cel.Variable("x", cel.StringType), cel.Variable("y", cel.StringType)); err != nil {
		f.Fatal(err)
	}
	var pairs []pair
	for _, text := range expressions {
		checked, issues := env.Compile(text)
		if issues.Err() != nil {
			f.Fatal(issues.Err())
		}
		program, err := env.Program(checked)
		if err != nil {
			f.Fatal(err)
		}
		pairs = append(pairs, pair{text, checked, program})
	}
	return pairs
}

// agree evaluates all expressions twice.
func agree(t *testing.T, pairs []pair, x, y string) {
	for _, p := range pairs {
		want := "error"
		if out, _, err := p.program.Eval(map[string]any{"x": x, "y": y}); err == nil {
			want = showRef(out)
		}
		ctx := new(rt.Ctx)
		w := walker{ctx: ctx, refs: p.checked.NativeRep().ReferenceMap(), vars: bind(map[string]ref.Val{"x": types.String(x), "y": types.String(y)})}
		result := w.eval(p.checked.NativeRep().Expr())
		if got := show(ctx, result); got != want {
			t.Errorf("%s with x=%q y=%q: %s %s, cel-go %s", p.text, x, y, got, result.ErrText(), want)
		}
	}
}

func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"1.5Gi", "-200m", "1e3", "+", "9Ei", "12345678901234567890k", "0.1n"} {
		f.Add(s, "7")
	}
	pairs := compile(f, "isQuantity(x)", "quantity(x).isInteger()", "quantity(x).asInteger()", "quantity(x).asApproximateFloat()", "quantity(x).sign()",
		"quantity(x).compareTo(quantity(y))", "quantity(x) == quantity(y)", "quantity(x).add(quantity(y)).asInteger()", "quantity(x).sub(quantity(y)).asApproximateFloat()",
		"quantity(x).add(quantity(y)).sub(quantity(y)) == quantity(x)")
	f.Fuzz(func(t *testing.T, x, y string) { agree(t, pairs, x, y) })
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://u:p@h.example:80/a%20b?x=1&x=2&y#f", "/p?q", "http://[::1]:80", "mailto:x", "a b"} {
		f.Add(s, "/")
	}
	pairs := compile(f, "isURL(x)", "url(x).getScheme()", "url(x).getHost()", "url(x).getHostname()", "url(x).getPort()",
		"url(x).getEscapedPath()", "url(x).getQuery()", "url(x) == url(y)", "isIP(x)", "isCIDR(x)", "cidr(x).containsIP(y)", "ip.isCanonical(x)")
	f.Fuzz(func(t *testing.T, x, y string) { agree(t, pairs, x, y) })
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2026-06-27T10:00Z", "0000-02-29T23:59:59.999999999Z", "2026-06-27T10:00:00.0000000001Z", "1969-12-31T23:59:59.9Z", "2026-06-27T10:00:00+01:00", "1h30m"} {
		f.Add(s, "2026-06-27T10:00:00Z")
	}
	pairs := compile(f, "instant(x)", "instantMillis(x)", "instant(x) < instant(y)", "instant(x) - instant(y)", "timestamp(x)", "string(timestamp(x))", "timestamp(x).getDayOfYear()",
		"duration(x)", "string(duration(x))", "semverValid(x)", "semverCompare(x, y)", "isSemver(x, true)")
	f.Fuzz(func(t *testing.T, x, y string) { agree(t, pairs, x, y) })
}

func FuzzStrings(f *testing.F) {
	f.Add("tacocat", "c")
	f.Add("héllo😀", "")
	f.Add("%s %.3f %x %%", "a(b)?")
	pairs := compile(f, "x.indexOf(y)", "x.lastIndexOf(y)", "x.indexOf(y, 2)", "x.lastIndexOf(y, 2)", "x.charAt(1)", "x.substring(1)", "x.substring(0, 2)", "x.split(y)", "x.split(y, 2)",
		"x.replace(y, 'zz')", "x.replace(y, x, 1)", "x.trim()", "x.reverse()", "x.lowerAscii()", "x.upperAscii()", "strings.quote(x)", "x.format([y, 1.5, 'a'])", "size(x)", "int(x)", "uint(x)", "double(x)", "bool(x)",
		"base64.decode(x)", "base64.decodeUrl(x)", "regex.extractAll(x, y)", "x.matches(y)", "regex.replace(x, '(a)|b', y)", "format.qualifiedName().validate(x)", "format.dns1123Subdomain().validate(x)",
		"format.dns1035LabelPrefix().validate(x)", "format.labelValue().validate(x)", "format.datetime().validate(x)", "format.byte().validate(x)", "format.uuid().validate(x)", "x < y", "canonical([x, y])")
	f.Fuzz(func(t *testing.T, x, y string) {
		if !utf8.ValidString(x) || !utf8.ValidString(y) {
			t.Skip("strings of documents are UTF-8")
		}
		agree(t, pairs, x, y)
	})
}

// FuzzCanonical compares the canonical form of a document's views, and of the same values
// built by a rule, with the one that artifacts are sealed with.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"b":1.0,"a":[1e3,-0.0]}`, `"\ud83d\ude00\u0001"`, `9007199254740993`, `[1e-7,1e21,5e-324]`, `{"\ufb33":1,"\ud83d\ude00":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := new(contract.Doc)
		if d.Parse(data, contract.Limits{MaxBytes: 1 << 16, MaxDepth: 100}) != nil || d.Kind(contract.Root) == contract.Num {
			t.Skip("not a document, or a number, which is a double by the time that it is asked for")
		}
		c := new(rt.Ctx)
		c.Reset(d)
		want, digest, err := seal.Canonical(data)
		v := c.FromNode(contract.Root, nil)
		text := c.Canonical(v)
		if _, inexact := errors.AsType[*seal.NumberError](err); inexact {
			return // artifacts are stricter: of a document a decimal is the nearest double
		}
		if err != nil {
			if s, ok := text.AsString(); ok {
				t.Fatalf("%s has the canonical form %s, but none is sealed: %v", data, s, err)
			}
			return
		}
		if s, _ := text.AsString(); s != string(want) {
			t.Fatalf("%s: %s %s, want %s", data, s, text.ErrText(), want)
		}
		if s, _ := c.Digest(v).AsString(); s != digest {
			t.Fatalf("digest of %s: %s, want %s", data, s, digest)
		}
		if same := c.Equal(c.Canonical(rebuild(c, v)), text); !same.IsTrue() {
			t.Fatalf("%s: as built values %s", data, c.Canonical(rebuild(c, v)).ErrText())
		}
		if same := c.Equal(rebuild(c, v), v); !same.IsTrue() {
			t.Fatalf("%s does not equal its copy", data)
		}
	})
}

// rebuild copies a view of a document into values that a rule builds.
func rebuild(c *rt.Ctx, v rt.Val) rt.Val {
	var keys, vals []rt.Val
	if v.Kind() != rt.KindList && v.Kind() != rt.KindMap {
		return v
	}
	it := c.Iter(v)
	for it.Next() {
		keys, vals = append(keys, it.Key()), append(vals, rebuild(c, it.Val()))
	}
	if v.Kind() == rt.KindMap {
		return rt.MapOf(keys, vals)
	}
	return rt.List(vals)
}
