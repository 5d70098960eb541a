package rulefuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestForms compares the engines on rules of many forms. The documents are made of so few
// words that lists often repeat, contain each other or stand in order, and are sometimes
// longer than what quick conditions look at. It goes on as TestEngines does.
func TestForms(t *testing.T) {
	g := load(t, "testdata/forms/contracts.yaml", true)
	rnd := random()
	limit := duration(t, 4*time.Second)
	broken, obeyed := map[string]int{}, map[string]int{}
	count := 0
	for start := time.Now(); time.Since(start) < limit && !t.Failed(); count++ {
		doc := form(rnd)
		var old []byte
		if rnd.IntN(3) == 0 {
			if old = doc; rnd.IntN(3) > 0 {
				old = form(rnd)
			}
		}
		want, ok := g.judged(t, g.roots[0], doc, old)
		if !ok {
			t.Fatalf("a document is broken in structure: %s", doc)
		}
		failed := map[string]bool{}
		for _, i := range want {
			failed[string(i.Code)] = true
		}
		for i := range g.set.Checked {
			if id := g.set.Checked[i].Rule.ID.Value; failed[id] {
				broken[id]++
			} else if old != nil || !strings.HasPrefix(id, "change-") {
				obeyed[id]++
			}
		}
	}
	for i := range g.set.Checked {
		id := g.set.Checked[i].Rule.ID.Value
		if count > 2000 && (broken[id] == 0 || obeyed[id] == 0) {
			t.Errorf("%s is broken by %d documents and obeyed by %d: the documents do not tell", id, broken[id], obeyed[id])
		}
	}
	t.Logf("%d documents, %d rules", count, len(g.set.Checked))
}

// form makes a document of form.json.
func form(rnd *rand.Rand) []byte {
	alphabet := 2 + rnd.IntN(5) // the fewer words, the more they repeat
	if rnd.IntN(4) == 0 {
		alphabet = 40
	}
	word := func() string {
		words := [...]string{`"a"`, `"b"`, `""`, `"ab"`, `"c"`, `"\u0061"`, `"b\n"`, `"a/a"`}
		if n := rnd.IntN(alphabet); n < len(words) {
			return words[n]
		} else {
			return fmt.Sprintf(`"w%02d"`, n)
		}
	}
	size := func() int {
		switch rnd.IntN(8) {
		case 0:
			return 0
		case 1:
			return 14 + rnd.IntN(8)
		}
		return rnd.IntN(4)
	}
	integer := func() string { return [...]string{"0", "1", "2", "1.0", "2e0", "-1", "10"}[rnd.IntN(min(alphabet, 7))] }
	list := func(of func() string) string {
		items := make([]string, size())
		for i := range items {
			items[i] = of()
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	object := func(always []string, sometimes ...string) string {
		var members []string
		add := func(kv string) { members = append(members, kv) }
		for _, kv := range always {
			add(kv)
		}
		for _, kv := range sometimes {
			if rnd.IntN(3) > 0 {
				add(kv)
			}
		}
		if rnd.IntN(2) == 0 {
			rnd.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	loc := func() string { return object([]string{`"a":` + word()}, `"b":`+integer()) }
	named := rnd.IntN(2) == 0 // all items have what they may have
	item := func() string {
		all := []string{`"id":` + word(), `"kind":` + word(), `"n":` + integer(), `"loc":` + loc()}
		more := []string{`"name":` + word(), `"ref":` + loc(), `"deps":` + list(word)}
		if named {
			return object(append(all, more...))
		}
		return object(all, more...)
	}
	marks := func() string {
		all := []string{`"a"`, `"b"`, `"c"`, `"ab"`}
		rnd.Shuffle(4, func(i, j int) { all[i], all[j] = all[j], all[i] })
		return "[" + strings.Join(all[:rnd.IntN(5)], ",") + "]"
	}
	open := func() string { return object(nil, `"a":`+word(), `"z":`+integer()) }
	ports := func() string {
		var all []string
		for i, p := range rnd.Perm(4)[:rnd.IntN(5)] {
			all = append(all, fmt.Sprintf(`{"a":"p%d","b":%d}`, p, i%2))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	times := [...]string{`"2026-02-28T00:00:00Z"`, `"2026-03-01T01:00:00.5+01:00"`, `"2024-02-29T23:59:59Z"`}
	inner := object(nil, `"list":`+list(word), `"x":`+word(), `"one":`+loc())
	meta := object(nil, `"aB":`+word(), `"c":{"A B":[`+word()+`,1]}`, `"b":`+list(word))
	orNull := func(of func() string) func() string {
		return func() string {
			if rnd.IntN(2) == 0 {
				return "null"
			}
			return of()
		}
	}
	return []byte(object(
		[]string{`"text":` + word(), `"names":` + list(word), `"nums":` + list(integer), `"items":` + list(item), `"state":` + [...]string{`"a"`, `"b"`, `"c"`}[rnd.IntN(3)]},
		`"opt":`+word(), `"maybe":`+orNull(word)(), `"maybeAt":`+orNull(func() string { return times[rnd.IntN(3)] })(), `"void":`+orNull(integer)(), `"perhaps":`+orNull(loc)(), `"holes":`+list(orNull(word)), `"at":`+times[rnd.IntN(3)], `"tags":`+list(word),
		`"sizes":`+list(func() string { return [...]string{"1", "1.0", "1.5", "15e-1", "2"}[rnd.IntN(min(alphabet, 5))] }), `"more":`+list(item), `"marks":`+marks(), `"open":`+open(), `"opens":`+list(open), `"ports":`+ports(), `"inner":`+inner, `"meta":`+meta))
}
