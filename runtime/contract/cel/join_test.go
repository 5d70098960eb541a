package cel

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/contract"
)

// TestJoins compares what is said of parts with what is true of the strings they join to.
func TestJoins(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	some := func() (parts []Str, whole string, ok bool) {
		ok = true
		for range 1 + rnd.IntN(4) {
			s := strings.Repeat("ab", rnd.IntN(2)) + [...]string{"", "a", "b", "aa", "é"}[rnd.IntN(5)]
			there := rnd.IntN(20) > 0
			parts, whole, ok = append(parts, Str{s, there}), whole+s, ok && there
		}
		return parts, whole, ok
	}
	equal := 0
	for range 20_000 {
		a, x, okA := some()
		b, y, okB := some()
		ok := okA && okB
		if x == y && ok {
			equal++
		}
		if EqJoin(a, b) != (ok && x == y) || NeJoin(a, b) != (ok && x != y) {
			t.Fatalf("%v and %v: %t, %t", a, b, EqJoin(a, b), NeJoin(a, b))
		}
		s := Str{y, okB}
		if StartsJoin(s, a) != (ok && strings.HasPrefix(y, x)) || NotStartsJoin(s, a) != (ok && !strings.HasPrefix(y, x)) {
			t.Fatalf("%v starts with %v: %t, %t", s, a, StartsJoin(s, a), NotStartsJoin(s, a))
		}
		v := contract.Acquire()
		if issues := v.Load([]byte(`["a", 1, "`+y+`", "\u0061b"]`), contract.Limits{}); issues != nil {
			t.Fatal(issues)
		}
		in := x == "a" || x == y || x == "ab"
		if WithinJoin(&v.Doc, contract.Root, a) != (okA && in) || NotWithinJoin(&v.Doc, contract.Root, a) != (okA && !in) {
			t.Fatalf("%v in [a, 1, %s, ab]: %t, %t", a, y, WithinJoin(&v.Doc, contract.Root, a), NotWithinJoin(&v.Doc, contract.Root, a))
		}
		v.Release()
	}
	if equal < 100 {
		t.Errorf("only %d pairs are equal", equal)
	}
}

// TestSameBut compares objects member by member.
func TestSameBut(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1}`, true},
		{`{"a":1,"x":3}`, `{"y":[],"a":1}`, true},
		{`{"a":1,"x":3,"b":{"x":1}}`, `{"a":1,"b":{"x":2}}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"\u0078":1,"a":1}`, `{"a":1}`, true},
		{`{"b":1,"\u0061":1}`, `{"x":1,"a":1,"b":1}`, true},
		{`{}`, `{"x":1,"y":2}`, true},
	} {
		a, b := contract.Acquire(), contract.Acquire()
		if a.Load([]byte(test.a), contract.Limits{}) != nil || b.Load([]byte(test.b), contract.Limits{}) != nil {
			t.Fatal(test)
		}
		drop := []string{"x", "y"}
		same, differ := SameBut(&a.Doc, 0, &b.Doc, 0, drop), DifferBut(&a.Doc, 0, &b.Doc, 0, drop)
		if same != test.same || differ == same {
			t.Errorf("%s and %s without x and y: %t, %t", test.a, test.b, same, differ)
		}
		if SameBut(&a.Doc, 0, &b.Doc, Nowhere, drop) || DifferBut(&a.Doc, Nowhere, &b.Doc, 0, drop) {
			t.Errorf("%s: what is not there is compared", test.a)
		}
		a.Release()
		b.Release()
	}
}
