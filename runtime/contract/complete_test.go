package contract

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/race"
)

// completed gives the text that complete makes of data, and holds the tape that comes
// with it against that of a scan.
func completed(t *testing.T, data string, complete Completer) string {
	t.Helper()
	v := Acquire()
	defer v.Release()
	if issues := v.Load([]byte(data), Limits{}); issues != nil {
		t.Fatalf("%s: %v", data, issues)
	}
	w, issues := v.Complete(complete)
	if issues != nil {
		t.Fatalf("%s: %v", data, issues)
	}
	if w == v {
		return data
	}
	defer w.Release()
	text := string(w.data)
	var scanned Doc
	if err := scanned.Parse([]byte(text), Limits{}); err != nil {
		t.Fatalf("%s is made of %s: %v", text, data, err)
	}
	if !slices.Equal(scanned.tape, w.tape) {
		t.Errorf("%s is made of %s with the tape\n%v\nand is\n%v", text, data, w.tape, scanned.tape)
	}
	if w.deepest < scanned.deepest {
		t.Errorf("%s is made of %s with depth %d, and is %d", text, data, w.deepest, scanned.deepest)
	}
	return text
}

func TestComplete(t *testing.T) {
	member := func(name string, do func(v *Validator, n Node)) Completer {
		return func(v *Validator, n Node) {
			if m, there := v.Member(n, name); there {
				do(v, m)
			}
		}
	}
	fill := func(members ...string) Completer {
		return func(v *Validator, n Node) {
			var seen uint64
			for i, m := range members {
				if name, _, _ := strings.Cut(m[1:], `"`); v.Has(n, name) {
					seen |= 1 << i
				}
			}
			v.FillIn(n, seen, members...)
		}
	}
	normalize := func(steps ...func(string) string) Completer {
		return func(v *Validator, n Node) { v.Normalize(n, steps...) }
	}
	set := func(steps ...func(string) string) Completer {
		return func(v *Validator, n Node) { v.NormalizeSet(n, steps...) }
	}
	both := func(inner, outer Completer) Completer {
		return func(v *Validator, n Node) { inner(v, n); outer(v, n) }
	}
	for _, tt := range []struct {
		name     string
		complete Completer
		in, out  string
	}{
		{"an empty object", fill(`"a":1`, `"b":[]`), `{}`, `{"a":1,"b":[]}`},
		{"an object of space", fill(`"a":"x"`), ` {` + "\n\t" + `} `, ` {` + "\n\t" + `"a":"x"} `},
		{"what is there stays", fill(`"a":1`, `"b":{}`), `{"b":null}`, `{"b":null,"a":1}`},
		{"nothing lacks", fill(`"a":1`), `{"a":2}`, `{"a":2}`},
		{"no object", fill(`"a":1`), `null`, `null`},
		{"an object in an object", both(member("o", fill(`"x":true`)), fill(`"y":-1.5e3`)), `{"o":{},"z":[1,[2]]}`, `{"o":{"x":true},"z":[1,[2]],"y":-1.5e3}`},
		{"the last object", both(member("o", fill(`"x":false`)), fill(`"y":{"a":[{"b":null}],"c":"\u00e9"}`)), `{"z":[],"o":{"q":[{}]}}`, `{"z":[],"o":{"q":[{}],"x":false},"y":{"a":[{"b":null}],"c":"\u00e9"}}`},
		{"elements", func(v *Validator, n Node) { v.CompleteEach(n, fill(`"a":0`)) }, `[{},1,{"a":1},{"b":[]}]`, `[{"a":0},1,{"a":1},{"b":[],"a":0}]`},
		{"no elements", func(v *Validator, n Node) { v.CompleteEach(n, fill(`"a":0`)) }, `{"b":{}}`, `{"b":{}}`},
		{"members", func(v *Validator, n Node) { v.CompleteMembers(n, fill(`"a":0`)) }, `{"p":{},"q":{"a":1}}`, `{"p":{"a":0},"q":{"a":1}}`},
		{"no members", func(v *Validator, n Node) { v.CompleteMembers(n, fill(`"a":0`)) }, `[{}]`, `[{}]`},

		{"trim", normalize(Trim), `" a b "`, `"a b"`},
		{"trim an escape", normalize(Trim), `"\u0020\"a\"\t"`, `"\"a\""`},
		{"trim what is not ASCII", normalize(Trim), `"` + "\u3000é\ufeff" + `"`, `"é"`},
		{"nothing to trim", normalize(Trim), `"a \n b\u0000"`, `"a \n b\u0000"`},
		{"trim all", normalize(Trim), `"  "`, `""`},
		{"lowercase", normalize(LowerASCII), `"AbÉ"`, `"abÉ"`},
		{"several steps", normalize(Trim, CanonicalURI), `" https://Ex.org "`, `"https://ex.org/"`},
		{"no string", normalize(Trim), `[" a "]`, `[" a "]`},
		{"each", func(v *Validator, n Node) { v.NormalizeEach(n, Trim) }, `[" a",1,"b","c ",null]`, `["a",1,"b","c",null]`},
		{"each of nothing", func(v *Validator, n Node) { v.NormalizeEach(n, Trim) }, `{"a":" b"}`, `{"a":" b"}`},
		{"a longer text after a shorter", both(member("a", normalize(Trim)), both(member("b", normalize(CanonicalURI)), fill(`"c":[[]]`))),
			`{"a":"    x","b":"HTTPS://a","z":{"y":[]}}`, `{"a":"x","b":"https://a/","z":{"y":[]},"c":[[]]}`},

		{"a set", set(), `["a","b"]`, `["a","b"]`},
		{"a set out of order", set(), `[ "b" , "a" ]`, `["a","b"]`},
		{"a set with repeats", set(Trim), `["a"," a","","b"]`, `["a","b"]`},
		{"a set of UTF-16", set(), `["` + "\U0001F600" + `","` + "\uFB00" + `"]`, `["` + "\U0001F600" + `","` + "\uFB00" + `"]`},
		{"a set of code points", set(), `["` + "\uFB00" + `","` + "\U0001F600" + `"]`, `["` + "\U0001F600" + `","` + "\uFB00" + `"]`},
		{"a set with escapes", set(), `["\u0061","b"]`, `["\u0061","b"]`},
		{"an empty set", set(), `[]`, `[]`},
		{"a set of nothing", set(), `[""]`, `[]`},
		{"no set", set(), `"b"`, `"b"`},
		{"sets in a list", func(v *Validator, n Node) { v.CompleteEach(n, set()) }, `[["b","a"],[""],["a"]]`, `[["a","b"],[],["a"]]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := completed(t, tt.in, tt.complete); got != tt.out {
				t.Errorf("%s becomes %s, want %s", tt.in, got, tt.out)
			}
		})
	}
}

// TestCompleteAnywhere patches documents at random places, to see that the tape is right.
func TestCompleteAnywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	var text func(depth int) string
	text = func(depth int) string {
		if depth == 0 {
			return pick("null", "true", "false", "-0.5e1", "12", `""`, `"a\n"`, `"é"`, `" long enough to be more than a word"`, "[]", "{}")
		}
		var parts []string
		array := random.IntN(2) == 0
		for i := range random.IntN(4) {
			part := pick("", " ", "\n") + text(depth-1)
			if !array {
				part = fmt.Sprintf(`"%s%d":%s`, pick("m", `\u0061`), i, part)
			}
			parts = append(parts, part)
		}
		if array {
			return "[" + strings.Join(parts, ",") + pick("", " ") + "]"
		}
		return "{" + strings.Join(parts, ",") + pick("", " ") + "}"
	}
	for range 20_000 {
		members := make([]string, random.IntN(3))
		for i := range members {
			members[i] = fmt.Sprintf(`"new%d":%s`, i, text(random.IntN(3)))
		}
		lists := []string{"[]", `["a"]`, `["a","é","\n"]`}
		var walk Completer
		walk = func(v *Validator, n Node) {
			chance := random.IntN(3) == 0
			switch v.Kind(n) {
			case String:
				if chance {
					v.note(v.tape[n].off-1, v.tape[n].end+1, patchString, pick("", "x", "\"é\u0001", "much longer than before"))
				}
			case Array:
				if chance && random.IntN(3) == 0 {
					v.note(v.tape[n].off, v.tape[n].end, patchValue, pick(lists...))
					return
				}
				v.CompleteEach(n, walk)
			case Object:
				v.CompleteMembers(n, walk)
				if chance {
					v.FillIn(n, uint64(random.IntN(4)), members...)
				}
			}
		}
		completed(t, pick("", " ")+text(random.IntN(5))+pick("", "\n"), walk)
		if t.Failed() {
			return
		}
	}
}

func TestCompleteNeedsNoMemory(t *testing.T) {
	race.SkipAllocations(t)
	complete := func(v *Validator, n Node) {
		var seen uint64
		for k, end := n+1, v.Next(n); k < end; k = v.Next(k + 1) {
			switch string(v.Text(k)) {
			case "name":
				seen |= 1
				v.Normalize(k+1, Trim, LowerASCII)
			case "link":
				v.Normalize(k+1, CanonicalURI)
			case "tags":
				v.NormalizeSet(k+1, Trim)
			}
		}
		if seen != 1 {
			v.FillIn(n, seen, `"name":"x"`)
		}
	}
	for _, tt := range []string{
		`{"name":"\u0061 b","link":"https://example.com/a/b?q=1#f","tags":["a","b","é"]}`, // complete
		`{"link":"urn:x:y","tags":[]}`, // lacks the name
	} {
		v := Acquire()
		if issues := v.Load([]byte(tt), Limits{}); issues != nil {
			t.Fatal(issues)
		}
		if n := testing.AllocsPerRun(100, func() {
			w, issues := v.Complete(complete)
			if issues != nil {
				t.Fatal(issues)
			}
			if w != v {
				w.Release()
			}
		}); n >= 1 { // the pool may be emptied now and then
			t.Errorf("%s: %v allocations", tt, n)
		}
		v.Release()
	}
}

func TestCompleteKeepsToLimits(t *testing.T) {
	SetLimits(Limits{MaxBytes: 40, MaxDepth: 4})
	defer SetLimits(Limits{})
	inner := func(member string) Completer {
		return func(v *Validator, n Node) { v.FillIn(n+1, 0, member) }
	}
	for _, tt := range []struct {
		in, member string
		code       Code
	}{
		{`[{}]`, `"a":[[]]`, ""},
		{`[{},[[[]]]]`, `"a":[[]]`, ""}, // deep at another place
		{`[{}]`, `"a":[[[]]]`, CodeTooDeep},
		{`[{}]`, `"a":[[[{}]]]`, CodeTooDeep},
		{`[{}]`, `"a":"123456789 123456789 123456789 "`, ""},
		{`[{}]`, `"a":"123456789 123456789 123456789 1"`, CodeTooLarge},
	} {
		v := Acquire()
		if issues := v.Load([]byte(tt.in), Limits{}); issues != nil {
			t.Fatal(issues)
		}
		w, issues := v.Complete(inner(tt.member))
		switch {
		case tt.code == "" && issues != nil, tt.code != "" && (len(issues) != 1 || issues[0].Code != tt.code):
			t.Errorf("%s in %s: %v, want %q", tt.member, tt.in, issues, tt.code)
		case issues == nil:
			w.Release()
		case w != v:
			t.Errorf("%s in %s: a document that breaks a limit is returned", tt.member, tt.in)
		}
		v.Release()
	}
}

// TestCompleteStopsEarly has small objects with a large default.
func TestCompleteStopsEarly(t *testing.T) {
	const size = 1 << 20
	SetLimits(Limits{MaxBytes: size})
	defer SetLimits(Limits{})
	member := `"a":"` + strings.Repeat("x", 1000) + `"`
	v := Acquire()
	defer v.Release()
	if issues := v.Load([]byte("["+strings.Repeat("{},", 100_000)+"0]"), Limits{}); issues != nil {
		t.Fatal(issues)
	}
	w, issues := v.Complete(func(v *Validator, n Node) {
		v.CompleteEach(n, func(v *Validator, n Node) { v.FillIn(n, 0, member) })
	})
	if w != v || len(issues) != 1 || issues[0].Code != CodeTooLarge || len(v.news) > size+len(member) {
		t.Errorf("%v with %d bytes", issues, len(v.news))
	}
}

// TestCompleteGivesUp has a check run out of patience while alternatives are tried.
func TestCompleteGivesUp(t *testing.T) {
	v := Acquire()
	defer v.Release()
	if issues := v.Load([]byte(`{"a":"x"}`), Limits{}); issues != nil {
		t.Fatal(issues)
	}
	w, issues := v.Complete(func(v *Validator, n Node) {
		v.FillIn(n, 0, `"b":1`)
		panic(costly{[]byte("x")})
	})
	if w != v || len(issues) != 1 || issues[0].Code != CodeCostly || issues[0].Path != "/a" {
		t.Errorf("%v", issues)
	}
}

func TestCanonicalURIIsTheSameInBothWays(t *testing.T) {
	pieces := []string{"https://", "HTTPS://", "a", "A", "z-9.", "/", "/.", "..", "%2e", "%41", "?", "#", "\\", " ", "\t", "é", ":443", "@", "[::1]", `"`, "~"}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		s := "https://"
		for range random.IntN(7) {
			s += pieces[random.IntN(len(pieces))]
		}
		if isCanonical(s, 8) && canonicalURI(s) != s {
			t.Fatalf("%q is said to be canonical; that would be %q", s, canonicalURI(s))
		}
	}
	for _, s := range []string{"https://example.com/", "https://a-b.c/d/e.f/g?x=%2e/./#\"", "https://1/~"} {
		if !isCanonical(s, 8) {
			t.Errorf("%q has to be built to see that it is canonical", s)
		}
	}
}
