package cel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/contractkit/contractkit/runtime/contract"
)

// TestLent makes lists and maps from each other in one rule after the other, and compares
// each with a plain copy of what it has to hold: no two may share memory that either
// writes to.
func TestLent(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	v := contract.Acquire()
	defer v.Release()
	if v.Load([]byte(`[1,2,[3,4],{"a":5}]`), contract.Limits{}) != nil {
		t.Fatal("the document is not read")
	}
	c := new(Ctx)
	c.Reset(&v.Doc)
	for rule := range 300 {
		c.Refill()
		type made struct {
			val  Val
			want string
		}
		all := []made{{c.FromDoc(0, contract.Root, Dyn), "[1 2 [3 4] map[a:5]]"}, {c.ListOf(), "[]"}, {c.MapWith(), "map[]"}}
		steps := 5 + rnd.IntN(60)
		if rule%50 == 0 {
			steps = 5000 // more than is lent
		}
		for range steps {
			a, b := all[rnd.IntN(len(all))], all[rnd.IntN(len(all))]
			if len(a.want)+len(b.want) > 300 {
				continue
			}
			n := rnd.IntN(1000)
			var x made
			switch rnd.IntN(7) {
			case 0:
				x = made{c.ListOf(Int(int64(n)), a.val), fmt.Sprintf("[%d %s]", n, a.want)}
			case 1:
				x = made{c.MapWith(String("k"), a.val, String("n"), Int(int64(n))), fmt.Sprintf("map[k:%s n:%d]", a.want, n)}
			case 2:
				x = made{c.NewBuilder().Add(a.val).Optional(c.some(b.val)).Optional(None()).List(), fmt.Sprintf("[%s %s]", a.want, b.want)}
			case 3:
				if a.val.kind != KindList || b.val.kind != KindList {
					continue
				}
				x = made{c.Add(a.val, b.val), joinShown(a.want, b.want)}
			case 4:
				if a.val.kind != KindList {
					continue
				}
				x = made{c.Append(a.val, b.val), joinShown(a.want, "["+b.want+"]")}
			case 5:
				x = made{c.Slice(c.ListOf(a.val, b.val, Int(1)), Int(1), Int(2)), "[" + b.want + "]"}
			case 6:
				if a.val.kind != KindMap || a.want != "map[]" {
					continue
				}
				x = made{c.MapInsert(a.val, String("z"), b.val), "map[z:" + b.want + "]"}
			}
			all = append(all, x)
		}
		for _, x := range all {
			if got := shown(c, x.val); got != x.want {
				t.Fatalf("rule %d: %s, want %s", rule, got, x.want)
			}
		}
	}
}

func joinShown(a, b string) string {
	if a == "[]" {
		return b
	}
	if b == "[]" {
		return a
	}
	return a[:len(a)-1] + " " + b[1:]
}

// shown writes a value as fmt would write its Go value.
func shown(c *Ctx, v Val) string {
	switch v.kind {
	case KindInt:
		return fmt.Sprint(v.int())
	case KindList, KindMap:
		out, end := "[", "]"
		if v.kind == KindMap {
			out = "map["
		}
		first := true
		for it := c.Iter(v); it.Next(); first = false {
			if !first {
				out += " "
			}
			if v.kind == KindMap {
				out += it.Key().str + ":"
			}
			out += shown(c, it.Val())
		}
		return out + end
	}
	return fmt.Sprintf("%+v", v)
}

// TestSets compares sets with what comparing each value with each finds.
func TestSets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	v := contract.Acquire()
	defer v.Release()
	if v.Load([]byte(`{"l":[1,1.0,"1",[1],[1.0],{"a":1},{"a":1.0},{"a":1,"b":[]},{"b":[],"a":1},null,true,"a","\u0061",10,1e1,12345678901234567890]}`), contract.Limits{}) != nil {
		t.Fatal("the document is not read")
	}
	c := new(Ctx)
	c.Reset(&v.Doc)
	list := Member(&v.Doc, contract.Root, "l")
	var pool []Val
	for k, end := list+1, v.Next(list); k < end; k = v.Next(k) {
		pool = append(pool, c.FromDoc(0, k, Dyn))
	}
	pool = append(pool, Int(1), Double(1), String("a"), MapOf([]Val{String("a")}, []Val{Int(1)}), MapOf([]Val{String("b"), String("a")}, []Val{List(nil), Double(1)}), List([]Val{Int(1)}), Null())
	for i := range 40 {
		pool = append(pool, Int(int64(i)))
	}
	for range 400 {
		c.Refill()
		s := newSet(c, rnd.IntN(30))
		var seen []Val
		for range rnd.IntN(60) {
			x := pool[rnd.IntN(len(pool))]
			there := false
			for _, y := range seen {
				if eq, _ := c.equal(x, y); eq {
					there = true
				}
			}
			if has, bad := s.has(x); has != there || bad.kind == KindError {
				t.Fatalf("has(%s) is %t", shown(c, x), has)
			}
			if added, bad := s.add(x); added == there || bad.kind == KindError {
				t.Fatalf("add(%s) is %t", shown(c, x), added)
			}
			seen = append(seen, x)
		}
		s.done()
	}
}
