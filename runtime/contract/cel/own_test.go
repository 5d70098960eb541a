package cel

import (
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/contract"
)

func TestCanonical(t *testing.T) {
	for _, tc := range []struct{ json, want string }{
		{`{"b":1.0,"a":[1e3,-0.0,0.000001,1e-7,1e21,123456789012345680000]}`, `{"a":[1000,0,0.000001,1e-7,1e+21,123456789012345680000],"b":1}`},
		{`{"\ufb33":1,"\ud83d\ude00":2,"\u0061\u0001\"":"\u20ac/"}`, "{\"a\\u0001\\\"\":\"\u20ac/\",\"\U0001F600\":2,\"\ufb33\":1}"},
		{`9007199254740993`, "error"},
		{`1e400`, "error"},
		{`[1e-400,-1e-400,4.9e-324,2e-324]`, `[0,0,5e-324,0]`},
		{`[]`, `[]`},
		{`{}`, `{}`},
	} {
		c := open(t, tc.json)
		got := c.Canonical(c.FromNode(contract.Root, nil))
		if s, ok := got.AsString(); ok && s != tc.want || !ok && tc.want != "error" {
			t.Errorf("%s: %s %s, want %s", tc.json, s, got.ErrText(), tc.want)
		}
	}
	c := open(t, `{"at":"2020-01-01T00:00:00.500Z"}`)
	shape := &Shape{Kind: ShapeMap, Elem: &Shape{Kind: ShapeTimestamp}}
	if s, _ := c.Canonical(c.FromNode(contract.Root, shape)).AsString(); s != `{"at":"2020-01-01T00:00:00.500Z"}` {
		t.Errorf("a timestamp of the document keeps its text: %s", s)
	}
	const empty = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	if s, _ := c.Digest(MapOf(nil, nil)).AsString(); s != empty {
		t.Errorf("digest of {}: %s", s)
	}
	if !c.Canonical(MapOf([]Val{Int(1)}, []Val{Null()})).IsErr() || !c.Canonical(TypeNamed("int")).IsErr() {
		t.Error("what is not JSON has no canonical form")
	}
}

func TestInstant(t *testing.T) {
	c := new(Ctx)
	for _, tc := range []struct{ text, instant, millis string }{
		{"2026-06-27T10:00Z", "2026-06-27T10:00:00Z", "int 1782554400000"},
		{"1970-01-01T00:00:00.0019Z", "1970-01-01T00:00:00.0019Z", "int 1"},
		{"1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.9999Z", "int -1"},
		{"2026-06-27T10:00:00.1234567890Z", "2026-06-27T10:00:00.123456789Z", "int 1782554400123"},
		{"2026-06-27T10:00:00.1234567891Z", "error", "int 1782554400123"},
		{"0000-02-29T00:00Z", "0000-02-29T00:00:00Z", "int -62162121600000"},
		{"1900-02-29T00:00Z", "error", "error"},
		{"2026-06-27T10:00:00.Z", "error", "error"},
		{"2026-06-27T10:00.5Z", "error", "error"},
		{"2026-06-27T10:00:60Z", "error", "error"},
		{"2026-06-27T24:00Z", "error", "error"},
		{"2026-06-27t10:00Z", "error", "error"},
		{"2026-06-27T10:00z", "error", "error"},
		{"2026-06-27T10:00+00:00", "error", "error"},
		{"2026-06-27T10:00", "error", "error"},
		{"2026-06-27", "error", "error"},
		{"", "error", "error"},
	} {
		if got := print(c, c.Instant(String(tc.text))); got != tc.instant {
			t.Errorf("instant(%q): %s, want %s", tc.text, got, tc.instant)
		}
		if got := print(c, c.InstantMillis(String(tc.text))); got != tc.millis {
			t.Errorf("instantMillis(%q): %s, want %s", tc.text, got, tc.millis)
		}
	}
}

func TestOwn(t *testing.T) {
	c := open(t, `{"none":{},"dag":{"a":["b","c"],"b":["c"]},"loop":{"z":["z"],"c":["a"],"b":["c"],"a":["x","b"]},"wrong":{"a":[1]},"list":["a","b"],"long":["a","b","c"]}`)
	doc := c.FromNode(contract.Root, nil)
	get := func(name string) Val { return c.Select(doc, name) }
	for _, tc := range []struct {
		name string
		got  Val
		want string
	}{
		{"acyclic", c.Acyclic(get("dag")), "bool true"},
		{"acyclic loop", c.Acyclic(get("loop")), "bool false"},
		{"acyclic none", c.Acyclic(get("none")), "bool true"},
		{"acyclic wrong", c.Acyclic(get("wrong")), "error"},
		{"cyclePath", c.CyclePath(get("loop")), `list("a" "b" "c" "a")`},
		{"cyclePath dag", c.CyclePath(get("dag")), `list()`},
		{"closure", c.Closure(get("dag"), List([]Val{String("b"), String("q")})), `list("b" "c" "q")`},
		{"closure loop", c.Closure(get("loop"), List([]Val{String("c")})), `list("a" "b" "c" "x")`},
		{"isPrefix", c.IsPrefix(get("list"), get("long")), "bool true"},
		{"isPrefix longer", c.IsPrefix(get("long"), get("list")), "bool false"},
		{"isPrefix none", c.IsPrefix(List(nil), get("list")), "bool true"},
		{"sorted", c.Sorted(get("long")), "bool true"},
		{"sorted not", c.Sorted(List([]Val{Int(2), Double(1.5)})), "bool false"},
		{"sorted wrong", c.Sorted(List([]Val{Int(2), String("")})), "error"},
		{"unique", c.Unique(List([]Val{Int(1), Double(1)})), "bool false"},
		{"unique NaN", c.Unique(List([]Val{String("1"), Int(1), Bool(true), Null()})), "bool true"},
		{"repeats", c.Repeats(List([]Val{String("a"), Int(1), Double(1), String("a"), Null(), Int(1)})), "list(int 2 int 3 int 5)"},
		{"repeats none", c.Repeats(get("long")), "list()"},
		{"repeats wrong", c.Repeats(String("aa")), "error"},
		{"misses", c.Misses(get("long"), List([]Val{String("b"), String("b"), Int(1)})), "list(int 0 int 2)"},
		{"misses repeated", c.Misses(List([]Val{Int(2), Int(1), Uint(2)}), List([]Val{Double(1)})), "list(int 0 int 2)"},
		{"misses none", c.Misses(get("list"), get("long")), "list()"},
		{"misses wrong", c.Misses(get("list"), get("dag")), "error"},
		{"omit", c.Omit(get("dag"), List([]Val{String("a"), Int(7)})), `map("b":list("c"))`},
		{"semverValid", c.SemverValid(String("1.2.3-a.1+b")), "bool true"},
		{"semverValid v", c.SemverValid(String("v1.2.3")), "bool false"},
		{"semverCompare", c.SemverCompare(String("1.0.0-rc.9"), String("1.0.0-rc.10")), "int -1"},
		{"semverCompare build", c.SemverCompare(String("1.0.0+a"), String("1.0.0+b")), "int 0"},
		{"sum of nothing", c.SumOf(List(nil), Double(0)), "double 0"},
	} {
		if got := print(c, tc.got); got != tc.want {
			t.Errorf("%s: %s (%s), want %s", tc.name, got, tc.got.ErrText(), tc.want)
		}
	}
}

// TestDeepGraph has a path of many nodes: the walk does not go by the stack.
func TestDeepGraph(t *testing.T) {
	var b strings.Builder
	name := func(i int) string { return print(nil0, Int(int64(i)))[4:] }
	for i := range 100_000 {
		b.WriteString(`,"` + name(i) + `":["` + name(i+1) + `"]`)
	}
	c := open(t, "{"+b.String()[1:]+"}")
	if v := c.Acyclic(c.FromNode(contract.Root, nil)); !v.IsTrue() {
		t.Error(v.ErrText())
	}
}

func TestQuantity(t *testing.T) {
	c := new(Ctx)
	for _, tc := range []struct{ text, float, integer string }{
		{"1", "double 1", "int 1"}, {"1.0", "double 1", "error"}, {"50k", "double 50000", "int 50000"},
		{"1Gi", "double 1073741824", "int 1073741824"}, {"1.5Gi", "double 1610612736", "error"}, {"200m", "double 0.2", "error"},
		{"1e3", "double 1000", "int 1000"}, {"-2E", "double -2000000000000000000", "int -2000000000000000000"},
		{"10E", "double 10000000000000000000", "error"}, {"0.0000000001", "double 0.000000001", "error"},
		{"9999Ei", "double 9223372036854776000", "error"}, {"1e1001", "error", "error"}, {"1e99999999999", "error", "error"},
		{"", "error", "error"}, {"1 Gi", "error", "error"}, {"1gi", "error", "error"}, {"0x1", "error", "error"}, {"1.2.3", "error", "error"},
	} {
		q := c.Quantity(String(tc.text))
		if got := print(c, c.AsApproximateFloat(q)); got != tc.float {
			t.Errorf("%s: %s, want %s", tc.text, got, tc.float)
		}
		if got := print(c, c.AsInteger(q)); got != tc.integer {
			t.Errorf("%s: %s, want %s", tc.text, got, tc.integer)
		}
	}
}
