package cel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/contract"
)

// TestWalk has the methods of loops say what the functions say, until the budget is
// spent; then neither a condition nor its opposite is true.
func TestWalk(t *testing.T) {
	var names, items []string
	for i := range 200 {
		names = append(names, fmt.Sprintf(`"k%d": %d`, i, i))
		items = append(items, fmt.Sprintf(`"k%d"`, i))
	}
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load([]byte(`{"m": {`+strings.Join(names, ",")+`}, "l": [`+strings.Join(items, ",")+`]}`), contract.Limits{}); issues != nil {
		t.Fatal(issues)
	}
	d := &v.Doc
	m, l := Member(d, contract.Root, "m"), Member(d, contract.Root, "l")
	var c Ctx
	c.Reset(d)
	conditions := func() map[string][2]bool {
		out := map[string][2]bool{}
		for _, name := range []string{"k0", "k199", "zz"} {
			s := S(name)
			out["in list "+name] = [2]bool{c.WalkWithin(d, l, s), c.WalkNotWithin(d, l, s)}
			out["named "+name] = [2]bool{c.WalkHasNamed(d, m, s), c.WalkLacksNamed(d, m, s)}
			out["has "+name] = [2]bool{c.WalkHas(d, m, name), c.WalkLacks(d, m, name)}
			out["all "+name] = [2]bool{c.WalkHoldsAll(d, l, []string{name}), c.WalkLacksSome(d, l, []string{name})}
			out["any "+name] = [2]bool{c.WalkHoldsAny(d, l, []string{name}), c.WalkHoldsNone(d, l, []string{name})}
		}
		return out
	}
	for name, got := range conditions() {
		if want := !strings.HasSuffix(name, "zz"); got != [2]bool{want, !want} {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !c.WalkSame(d, l, d, l) || c.WalkDiffer(d, l, d, l) || c.WalkSame(d, l, d, m) || !c.WalkDiffer(d, l, d, m) || c.WalkCount(d, l) != N(200) {
		t.Error("values are not compared as without a loop")
	}
	for _, i := range []int64{-1, 0, 199, 200} {
		if a, b := c.WalkAt(d, l, N(i)), At(d, l, N(i)); a != b {
			t.Errorf("element %d: %d, not %d", i, a, b)
		}
	}
	if a, b := c.WalkMember(d, m, "k150"), Member(d, m, "k150"); a != b {
		t.Errorf("member: %d, not %d", a, b)
	}
	if Has(d, l, "x") || Lacks(d, l, "x") || c.WalkHas(d, l, "x") || c.WalkLacks(d, l, "x") {
		t.Error("a list was asked for a member")
	}
	c.SetSteps(1)
	c.spend(2)
	for name, got := range conditions() {
		if got != [2]bool{} {
			t.Errorf("%s without steps: %v", name, got)
		}
	}
	if c.WalkSame(d, l, d, l) || c.WalkDiffer(d, l, d, m) || c.WalkAt(d, l, N(0)) >= 0 || c.WalkMember(d, m, "k0") >= 0 || c.WalkCount(d, l).OK {
		t.Error("a value was read without steps")
	}
}

// TestManyIssues bounds the work of a rule that is broken again and again.
func TestManyIssues(t *testing.T) {
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load([]byte(`{}`), contract.Limits{}); issues != nil {
		t.Fatal(issues)
	}
	r := NewRun(v, nil)
	defer r.release()
	for name, path := range map[string]func(int) string{
		"one": func(int) string { return "" }, "many": func(i int) string { return fmt.Sprint("/", i) },
	} {
		r.SetSteps(1000)
		defer r.SetSteps(0)
		r.issues = nil
		rounds := 0
		for ; rounds < 100_000 && r.spend(100); rounds++ {
			r.Violated(contract.Root, "t.x", "", "bad", path(rounds))
		}
		if most := (maxRefills + 2) * 10; rounds > most || len(r.issues) == 0 {
			t.Errorf("%s: %d rounds, at most %d expected", name, rounds, most)
		}
	}
}
