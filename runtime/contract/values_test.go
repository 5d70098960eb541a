package contract

import (
	"encoding/json"
	"testing"
)

func load(t *testing.T, text string) *Validator {
	t.Helper()
	v := new(Validator)
	if issues := v.Load([]byte(text), Limits{}); issues != nil {
		t.Fatalf("%s: %v", text, issues)
	}
	return v
}

func TestEquals(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`1`, `1.0`, true}, {`1`, `1e0`, true}, {`0`, `-0`, true}, {`1`, `"1"`, false}, {`1`, `true`, false}, {`0`, `false`, false},
		{`100000000000000000001`, `100000000000000000002`, false}, {`1e400`, `10e399`, true},
		{`"a"`, `"\u0061"`, true}, {`"\u00e9\n"`, `"é\u000a"`, true}, {`"a"`, `"A"`, false},
		{`[1,2]`, `[1,2]`, true}, {`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`[]`, `{}`, false},
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`{"a":1}`, `{"b":1}`, false},
		{`{"a":1,"b":2}`, `{"a":2,"b":1}`, false}, {`{"\u0061":null}`, `{"a":null}`, true},
	} {
		if got := load(t, c.a).Equals(Root, c.b); got != c.same {
			t.Errorf("%s and %s: equal is %v", c.a, c.b, got)
		}
		if a, b := load(t, c.a), load(t, c.b); c.same && a.hash(Root) != b.hash(Root) {
			t.Errorf("%s and %s are equal and hash differently", c.a, c.b)
		}
	}
}

func TestRepeated(t *testing.T) {
	for _, c := range []struct {
		text string
		at   string
	}{
		{`[]`, ""}, {`[1,2,3]`, ""}, {`[1,"1",true,null,[1],{"1":1}]`, ""}, {`[1,2,1.0]`, "/2"}, {`[{"a":1,"b":2},{"b":2,"a":1}]`, "/1"},
		{`[0,1,2,3,4,5,6,7,8,9,10,11]`, ""}, {`[0,1,2,3,4,5,6,7,8,9,10,1e1,5]`, "/11"},
		{`["a","b","c","d","e","f","g","h","i","\u0061"]`, "/9"},
		{`["a\u003eb","A\u003eB"]`, ""}, {`["a\u003eb","a\u003eb"]`, "/1"}, {`["\u0061\n","a\n"]`, "/1"},
		{`[{"\u003e":"\u0031"},{"\u003c":"\u0031"},{"\u003e":"\u0032"}]`, ""}, {`[{"\u003e":"\u0031"},{"\u003c":"\u0031"},{"\u003e":"1"}]`, "/2"},
		{`[[1],[2],[3],[4],[5],[6],[7],[8],[9],[{"x":[]}],[{"x":[]}]]`, "/10"},
	} {
		v := load(t, c.text)
		n, found := v.Repeated(Root)
		if found != (c.at != "") || found && v.pointer(n) != c.at {
			t.Errorf("%s: found %v at %q, want %q", c.text, found, v.pointer(n), c.at)
		}
	}
}

func TestTextIsKept(t *testing.T) {
	type record struct {
		I Integer
		N Number
		V Value
	}
	const text = `{"I":1.0,"N":-0.10e+2,"V":{"b":1.50,"a":[]}}`
	var r record
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(r)
	if err != nil || string(got) != text {
		t.Errorf("got %s, %v; want %s", got, err, text)
	}
	if n, fits := r.I.Int64(); n != 1 || !fits {
		t.Errorf("1.0 is %d, %v", n, fits)
	}
	if r.N.Float64() != -10 {
		t.Errorf("%s is %v", r.N, r.N.Float64())
	}
	for _, bad := range []string{`{"I":1.5}`, `{"I":"1"}`, `{"N":"1"}`} {
		if json.Unmarshal([]byte(bad), &r) == nil {
			t.Errorf("accepted %s", bad)
		}
	}
	big := IntegerOf("92233720368547758070")
	if _, fits := big.Int64(); fits || big.Big().String() != "92233720368547758070" {
		t.Errorf("big integer: %v", big.Big())
	}
	if IntegerOf("1e999999999").Big() != nil {
		t.Error("an integer with a billion digits was written out")
	}
}

func TestOptionalAndNullable(t *testing.T) {
	var o Optional[Nullable[string]]
	if !o.IsZero() || o.Ptr() != nil {
		t.Error("the zero Optional is not absent")
	}
	o = Some(NullOf[string]())
	if n, there := o.Get(); !there || !n.IsNull() {
		t.Error("a member that is null is lost")
	}
	o = Some(NotNull("x"))
	if n, _ := o.Get(); n.Or("y") != "x" {
		t.Error("the value is lost")
	}
	*o.Ptr().Ptr() = "z"
	if n, _ := o.Get(); n.Or("") != "z" {
		t.Error("Ptr is a copy")
	}
}

func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                   `""`,
		"a\"\\/":             `"a\"\\/"`,
		"\b\f\n\r\t\x00\x1f": `"\b\f\n\r\t\u0000\u001f"`,
		"é😀\u2028\x7f":       "\"é😀\u2028\x7f\"",
		"a\xffb":             `"a` + "\uFFFD" + `b"`,
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestTrim(t *testing.T) {
	for in, want := range map[string]string{
		" a ": "a", "\ufeffa\u3000": "a", "\u0085a": "\u0085a", "\u200ba": "\u200ba", "a b": "a b", "\u2028": "", "\u180ea": "\u180ea",
	} {
		if got := Trim(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
