package cel

import (
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/race"
	"github.com/contractkit/contractkit/runtime/contract"
)

// open parses a document and returns a context for it.
func open(t testing.TB, text string) *Ctx {
	t.Helper()
	d := new(contract.Doc)
	if err := d.Parse([]byte(text), contract.Limits{}); err != nil {
		t.Fatal(err)
	}
	c := new(Ctx)
	c.Reset(d)
	return c
}

// print writes a value so that tests can compare it.
func print(c *Ctx, v Val) string {
	switch v.kind {
	case KindError:
		return "error"
	case KindString:
		return `"` + v.str + `"`
	case KindBytes:
		return "b'" + v.str + "'"
	case KindOptional:
		x, some, _ := v.AsOptional()
		if !some {
			return "none"
		}
		return "some " + print(c, x)
	case KindList, KindMap:
		var parts []string
		it := c.Iter(v)
		for it.Next() {
			part := print(c, it.Val())
			if v.kind == KindMap {
				part = print(c, it.Key()) + ":" + part
			}
			parts = append(parts, part)
		}
		return v.kind.String() + "(" + strings.Join(parts, " ") + ")"
	case KindTimestamp:
		return formatTime(v)
	}
	s := c.Format(String("%s"), List([]Val{v}))
	return v.kind.String() + " " + s.str
}

func TestShapes(t *testing.T) {
	object := &Shape{Kind: ShapeObject, Fields: []Field{{"a", &Shape{Kind: ShapeInt}}, {"b", nil}}}
	for _, tc := range []struct {
		json  string
		shape *Shape
		want  string
	}{
		{`null`, nil, "null_type null"},
		{`null`, &Shape{Kind: ShapeInt}, "null_type null"},
		{`true`, nil, "bool true"},
		{`1`, nil, "int 1"},
		{`-9223372036854775808`, nil, "int -9223372036854775808"},
		{`9223372036854775808`, nil, "double 9223372036854776000"},
		{`1.0`, nil, "double 1"},
		{`1e2`, nil, "double 100"},
		{`1.0`, &Shape{Kind: ShapeInt}, "int 1"},
		{`-120e-1`, &Shape{Kind: ShapeInt}, "int -12"},
		{`-0.0`, &Shape{Kind: ShapeInt}, "int 0"},
		{`9.223372036854775807e18`, &Shape{Kind: ShapeInt}, "int 9223372036854775807"},
		{`9223372036854775808`, &Shape{Kind: ShapeInt}, "error"},
		{`1e1000000000000`, &Shape{Kind: ShapeInt}, "error"},
		{`0e1000000000000`, &Shape{Kind: ShapeInt}, "int 0"},
		{`1.5`, &Shape{Kind: ShapeInt}, "error"},
		{`18446744073709551615`, &Shape{Kind: ShapeUint}, "uint 18446744073709551615"},
		{`-1`, &Shape{Kind: ShapeUint}, "error"},
		{`-0`, &Shape{Kind: ShapeUint}, "uint 0"},
		{`3`, &Shape{Kind: ShapeDouble}, "double 3"},
		{`1e400`, &Shape{Kind: ShapeDouble}, "error"},
		{`"é\n"`, nil, "\"é\n\""},
		{`"1"`, &Shape{Kind: ShapeInt}, "error"},
		{`1`, &Shape{Kind: ShapeString}, "error"},
		{`[]`, &Shape{Kind: ShapeObject}, "error"},
		{`"aGk="`, &Shape{Kind: ShapeBytes}, "b'hi'"},
		{`"aGk"`, &Shape{Kind: ShapeBytes}, "error"},
		{`"2020-02-29T12:30Z"`, &Shape{Kind: ShapeTimestamp}, "2020-02-29T12:30:00Z"},
		{`"2020-02-29T12:30:01.5+01:00"`, &Shape{Kind: ShapeTimestamp}, "2020-02-29T12:30:01.5+01:00"},
		{`"2019-02-29T12:30Z"`, &Shape{Kind: ShapeTimestamp}, "error"},
		{`"2020-02-29"`, &Shape{Kind: ShapeDate}, "2020-02-29T00:00:00Z"},
		{`"2020-2-29"`, &Shape{Kind: ShapeDate}, "error"},
		{`"1h1s"`, &Shape{Kind: ShapeDuration}, "google.protobuf.Duration 3601s"},
		{`[1,"a",[null]]`, nil, `list(int 1 "a" list(null_type null))`},
		{`[1,2.0]`, &Shape{Kind: ShapeList, Elem: &Shape{Kind: ShapeInt}}, `list(int 1 int 2)`},
		{`{"b":1,"a":1.0}`, object, `map("b":int 1 "a":int 1)`},
		{`{"x\u0041":1.0}`, &Shape{Kind: ShapeMap, Elem: &Shape{Kind: ShapeInt}}, `map("xA":int 1)`},
	} {
		c := open(t, tc.json)
		if got := print(c, c.FromNode(contract.Root, tc.shape)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.json, got, tc.want)
		}
	}
}

func TestObjects(t *testing.T) {
	strict := &Shape{Kind: ShapeObject, Fields: []Field{{"a", nil}, {"n", nil}}}
	open_ := &Shape{Kind: ShapeObject, Rest: &Shape{Kind: ShapeString}}
	c := open(t, `{"a":{"b":[1,2,3]},"z":"s","n":null}`)
	v := c.FromNode(contract.Root, strict)
	for _, tc := range []struct {
		name string
		got  Val
		want string
	}{
		{"select", c.Index(c.Select(c.Select(v, "a"), "b"), Int(2)), "int 3"},
		{"index", c.Index(c.Index(v, String("a")), String("b")), "list(int 1 int 2 int 3)"},
		{"absent", c.Select(v, "q"), "error"},
		{"not declared", c.Select(v, "z"), "error"},
		{"rest", c.Select(c.FromNode(contract.Root, open_), "z"), `"s"`},
		{"rest of another type", c.Select(c.FromNode(contract.Root, open_), "a"), "error"},
		{"has", c.Has(v, "a"), "bool true"},
		{"has null", c.Has(v, "n"), "bool true"},
		{"has not", c.Has(v, "q"), "bool false"},
		{"optional", c.OptSelect(v, String("a")), `some map("b":list(int 1 int 2 int 3))`},
		{"chain", c.OptIndex(c.Select(c.OptSelect(v, String("a")), "b"), Int(7)), "none"},
		{"in", c.In(String("a"), v), "bool true"},
		{"size", c.Size(v), "int 3"},
		{"beyond", c.Index(c.Select(c.Select(v, "a"), "b"), Int(3)), "error"},
		{"negative", c.Index(c.Select(c.Select(v, "a"), "b"), Int(-1)), "error"},
		{"error passes", c.Select(c.Add(Err("first"), Err("second")), "a"), "error"},
	} {
		if got := print(c, tc.got); got != tc.want {
			t.Errorf("%s: %s (%s), want %s", tc.name, got, tc.got.ErrText(), tc.want)
		}
	}
	if bad := c.Equal(Err("first"), Err("second")); bad.ErrText() != "first" {
		t.Errorf("the first error is passed on, not %q", bad.ErrText())
	}
	if (Val{}).Kind() != KindError || (Val{}).ErrText() == "" {
		t.Error("the zero value is an error with a text")
	}
}

// TestEqualViews compares parts of documents, and of documents with what rules build.
func TestEqualViews(t *testing.T) {
	a, b := new(contract.Doc), new(contract.Doc)
	for d, text := range map[*contract.Doc]string{
		a: `{"x":[1,2.50,"\u0041"],"y":{"p":1,"q":2,"r":null}}`,
		b: `{"y":{"r":null,"q":2.0,"p":1},"x":[1.0,2.5,"A"]}`,
	} {
		if err := d.Parse([]byte(text), contract.Limits{}); err != nil {
			t.Fatal(err)
		}
	}
	c := new(Ctx)
	c.Reset(a, b)
	x, y := c.FromDoc(0, contract.Root, nil), c.FromDoc(1, contract.Root, nil)
	if !c.Equal(x, y).IsTrue() {
		t.Error("order of members and spelling of values do not matter")
	}
	built := MapOf([]Val{String("p"), String("q"), String("r")}, []Val{Uint(1), Double(2), Null()})
	if !c.Equal(c.Select(x, "y"), built).IsTrue() || !c.Equal(built, c.Select(y, "y")).IsTrue() {
		t.Error("a map of the document equals one that is built")
	}
	if c.Equal(c.Select(x, "x"), c.Select(x, "y")).IsTrue() {
		t.Error("a list is no map")
	}
	if !c.Unique(List([]Val{c.Select(x, "x"), c.Select(x, "y")})).IsTrue() || c.Unique(List([]Val{x, Int(1), y})).IsTrue() {
		t.Error("unique goes by equality")
	}
}

func TestLargeObject(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`,"k` + strings.Repeat("x", i%7) + print(nil0, Int(int64(i))) + `":` + print(nil0, Int(int64(i)))[4:])
	}
	c := open(t, "{"+b.String()[1:]+"}")
	v := c.FromNode(contract.Root, nil)
	it := c.Iter(v)
	for it.Next() {
		if x := c.Index(v, it.Key()); !c.Equal(x, it.Val()).IsTrue() {
			t.Fatalf("%s: %s", print(c, it.Key()), print(c, x))
		}
	}
	if c.Has(v, "nope").IsTrue() {
		t.Error("a name that is absent is found")
	}
}

// nil0 is a context for values that no document has.
var nil0 = new(Ctx)

func TestSharing(t *testing.T) {
	c := new(Ctx)
	base := c.Append(c.Append(List(nil), Int(1)), Int(2))
	left, right := c.Append(base, Int(3)), c.Append(base, Int(4))
	if got := print(c, base) + print(c, left) + print(c, right); got != "list(int 1 int 2)list(int 1 int 2 int 3)list(int 1 int 2 int 4)" {
		t.Errorf("lists that grew from one list disturb each other: %s", got)
	}
	m := MapOf(nil, nil)
	for i := range 20 {
		m = c.MapInsert(m, Int(int64(i)), Int(int64(i)))
	}
	x, y := c.MapInsert(m, String("k"), Int(1)), c.MapInsert(m, String("k"), Int(2))
	if c.Has(m, "k").IsTrue() || print(c, c.Select(x, "k")) != "int 1" || print(c, c.Select(y, "k")) != "int 2" {
		t.Error("maps that grew from one map disturb each other")
	}
	if !c.MapInsert(x, String("k"), Int(3)).IsErr() || !MapOf([]Val{Int(1), Uint(1)}, []Val{Null(), Null()}).IsErr() {
		t.Error("a repeated key is an error")
	}
	items := []Val{Int(1), Int(2), Int(3)}
	c.Append(List(items[:1]), Int(9))
	if print(c, items[1]) != "int 2" {
		t.Error("appending writes into the caller's slice")
	}
}

func TestKubernetesLists(t *testing.T) {
	d := `{"old":[{"k":"a","v":1},{"k":"b","v":2}],"new":[{"k":"b","v":3},{"k":"c","v":4}],"back":[{"v":2,"k":"b"},{"k":"a","v":1}],"set":["x","y"],"tes":["y","x"],"more":["y","z"]}`
	c := open(t, d)
	byKey, set := &Shape{Kind: ShapeList, Keys: []string{"k"}}, &Shape{Kind: ShapeList, Set: true}
	doc := c.FromNode(contract.Root, &Shape{Kind: ShapeObject, Rest: Dyn, Fields: []Field{{"back", byKey}, {"more", set}, {"new", byKey}, {"old", byKey}, {"set", set}, {"tes", set}}})
	get := func(name string) Val { return c.Select(doc, name) }
	if !c.Equal(get("old"), get("back")).IsTrue() || !c.Equal(get("set"), get("tes")).IsTrue() || c.Equal(get("set"), get("more")).IsTrue() {
		t.Error("the order of elements does not matter, they do")
	}
	if got := print(c, c.Add(get("set"), get("more"))); got != `list("x" "y" "z")` {
		t.Errorf("union: %s", got)
	}
	if got := print(c, c.Add(get("old"), get("new"))); got != `list(map("k":"a" "v":int 1) map("k":"b" "v":int 3) map("k":"c" "v":int 4))` {
		t.Errorf("merge: %s", got)
	}
}

// TestConstants shares what generated code declares once between goroutines; the race
// detector watches.
func TestConstants(t *testing.T) {
	list := List([]Val{Int(1), Int(2)})
	var keys, vals []Val
	for i := range 20 {
		keys, vals = append(keys, Int(int64(i))), append(vals, Null())
	}
	m, empty := MapOf(keys, vals), MapOf(nil, nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := new(Ctx)
			for range 100 {
				x := c.Append(c.Add(list, list), Int(3))
				y := c.MapInsert(c.MapInsert(m, Int(21), x), Int(22), x)
				z := c.MapInsert(c.MapInsert(empty, Int(1), y), Int(2), x)
				if n, _ := c.Len(y); n != 22 || z.IsErr() || c.Has(m, "21").IsTrue() || c.In(Int(21), m).IsTrue() {
					t.Errorf("%d entries", n)
				}
			}
		})
	}
	wg.Wait()
}

func TestBudget(t *testing.T) {
	c := open(t, `{"list":[`+strings.Repeat("0,", 9999)+`0],"text":"`+strings.Repeat("ab", 1<<17)+`"}`)
	v := c.FromNode(contract.Root, nil)
	list, text := c.Select(v, "list"), c.Select(v, "text")
	for name, f := range map[string]func() Val{
		"iterate": func() Val {
			it := c.Iter(list)
			for it.Next() {
			}
			bad, _ := it.Err()
			return bad
		},
		"in":        func() Val { return c.In(Int(7), list) },
		"equal":     func() Val { return c.Equal(list, list) },
		"distinct":  func() Val { return c.Distinct(list) },
		"matches":   func() Val { return c.Matches(text, String("^(a|b)*$")) },
		"split":     func() Val { return c.Split(text, String("a")) },
		"replace":   func() Val { return c.Replace(text, String("a"), String(strings.Repeat("x", 1<<16))) },
		"canonical": func() Val { return c.Canonical(v) },
		"sort":      func() Val { return c.Sort(list) },
		"sum":       func() Val { return c.Sum(list) },
		"format":    func() Val { return c.Format(String("%s"), List([]Val{v})) },
	} {
		c.SetSteps(5000)
		if got := f(); got.ErrText() != errLimit.str {
			t.Errorf("%s: %s, want the limit", name, got.ErrText())
		}
		if c.Step() {
			t.Errorf("%s: steps are left when the limit was exceeded", name)
		}
		c.SetSteps(0)
		if got := f(); name != "iterate" && name != "replace" && got.IsErr() {
			t.Errorf("%s: %s", name, got.ErrText())
		}
	}
}

func TestNoAllocation(t *testing.T) {
	race.SkipAllocations(t)
	c := open(t, `{"n":41,"f":1.25,"s":"text","t":"2020-01-01T00:00:00+01:00","list":[1,2,3,4],"m":{"a":1,"b":2}}`)
	s := &Shape{Kind: ShapeObject, Fields: []Field{{"f", nil}, {"list", nil}, {"m", nil}, {"n", nil}, {"s", nil}, {"t", &Shape{Kind: ShapeTimestamp}}}}
	run := func() {
		v := c.FromNode(contract.Root, s)
		ok := c.Equal(c.Add(c.Select(v, "n"), Int(1)), Int(42))
		ok = c.And(ok, c.Less(c.Select(v, "f"), Int(2)))
		ok = c.And(ok, c.StartsWith(c.Select(v, "s"), String("te")))
		ok = c.And(ok, c.Equal(c.GetHours(c.Select(v, "t")), Int(23)))
		ok = c.And(ok, c.In(Int(4), c.Select(v, "list")))
		ok = c.And(ok, c.Equal(c.Select(v, "m"), c.Select(v, "m")))
		for it := c.Iter(c.Select(v, "list")); it.Next(); {
			ok = c.And(ok, c.Greater(it.Val(), Int(0)))
		}
		if !ok.IsTrue() {
			t.Fatal(ok.ErrText())
		}
	}
	if n := testing.AllocsPerRun(100, run); n > 1 { // the zone of the timestamp
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSelectCompare(b *testing.B) {
	c := open(b, `{"spec":{"replicas":3,"max":5},"kind":"x"}`)
	for b.Loop() {
		c.Refill()
		spec := c.Select(c.FromNode(contract.Root, nil), "spec")
		if !c.LessEqual(c.Select(spec, "replicas"), c.Select(spec, "max")).IsTrue() {
			b.Fatal("wrong")
		}
	}
}

func BenchmarkFilter(b *testing.B) {
	c := open(b, "["+strings.Repeat("1,", 999)+"2]")
	for b.Loop() {
		c.Refill()
		out := List(nil)
		for it := c.Iter(c.FromNode(contract.Root, nil)); it.Next(); {
			if c.Greater(it.Val(), Int(1)).IsTrue() {
				out = c.Append(out, it.Val())
			}
		}
		if n, _ := c.Len(out); n != 1 {
			b.Fatal(n)
		}
	}
}

func TestDoubleOfSize(t *testing.T) {
	if v := new(Ctx).ToInt(Double(math.MaxInt64)); !v.IsErr() {
		t.Errorf("%d fits", v.int())
	}
}
