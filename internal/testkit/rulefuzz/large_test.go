package rulefuzz

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/runtime/contract"
)

// What one rule may do over lists of many elements, of texts, numbers and objects.
var largeForms = func() (forms []string) {
	for _, l := range []struct{ list, other, last string }{
		{"self.names", "self.tags", "'n19999'"}, {"self.nums", "self.more.map(m, m.n)", "self.nums[19999]"},
		{"self.items", "self.more", "dyn(self.items[19999])"},
		{"self.items.map(i, [i.id, i.kind])", "self.more.map(i, [i.id, i.kind])", "[self.items[19999].id, 'a']"},
	} {
		for _, f := range []string{
			"unique(%L)", "repeats(%L).size() == 0", "%L.distinct().size() == 20000", "(%L + %L).distinct().size() == 20000",
			"(%L + %M).size() == 40000", "!unique(%L + %M)", "repeats(%L + %M).size() == 20000",
			"misses(%L, %M).size() == 0", "misses(%L, %L.filter(x, false)).size() == 20000", "misses([%X], %L).size() == 0",
			"sets.contains(%L, %M)", "sets.intersects(%L, %M)", "sets.equivalent(%L, %M)", "sets.contains(%L, [%X])",
			"!sets.intersects(%L.slice(0, 10000), %L.slice(10000, 20000))",
			"isPrefix(%L, %L + %M)", "%L.reverse() == %M", "%L.reverse().reverse() == %L",
			"%L.map(x, [x]).flatten().size() == 20000", "%L.map(x, [x]).flatten() == %L", "%X in %L", "!(%X in %L.slice(0, 19999))",
			"%L.indexOf(%X) == 19999", "%L.lastIndexOf(%X) == 19999",
			"%L.exists(x, x == %X)", "%L.filter(x, x == %X).size() == 1", "%L.map(x, x) == %L", "%L.existsOne(i, x, x == %X)",
			"%L.transformList(i, x, x).size() == 20000", "%L.transformMap(i, x, x).size() == 20000", "%L.first().hasValue()", "dyn(%L.last().value()) == dyn(%X)",
			"canonical(%L).size() > 0", "digest(%L) != ''", "%L.slice(1, 20000).size() == 19999",
			"associate(self.names, %L)['n19999'] == %X", "%L.sortBy(x, 1).size() == 20000",
			"%L.exists_one(x, x == %X)",
		} {
			forms = append(forms, strings.NewReplacer("%L", l.list, "%M", l.other, "%X", l.last).Replace(f))
		}
	}
	return append(forms,
		"sorted(self.names)", "self.names.isSorted()", "self.tags.sort() == self.names", "self.names.sort() == self.names", "self.nums.sort() == self.nums",
		"self.items.sortBy(i, i.id)[0].id == 'n00000'", "self.nums.sum() > 0", "self.nums.min() == 0", "self.names.max() == 'n19999'", "math.greatest(self.nums) == 19999",
		"self.names.join(',').size() > 0", "self.names.join(',').split(',') == self.names", "lists.range(20000) == self.nums",
		"omit(associate(self.names, self.nums), self.names).size() == 0", "omit(associate(self.names, self.nums), ['n00001']).size() == 19999",
		"acyclic(associate(self.names, self.names.map(n, [n + 'x'])))", "cyclePath(associate(self.names, self.names.map(n, [n + 'x']))) == []",
		"acyclic(associate(self.names.slice(0, 19999), self.names.slice(1, 20000).map(n, [n])))", "!acyclic(associate(self.names, self.names.map(n, [n])))",
		"cyclePath(associate(self.names, (self.names.slice(1, 20000) + ['n00000']).map(n, [n]))).size() == 20001",
		"closure(associate(self.names, self.names.map(n, [n + 'x'])), self.names).size() == 40000", "closure(associate(self.names.slice(0, 19999), self.names.slice(1, 20000).map(n, [n])), ['n00000']).size() == 20000",
		"findStrings(self, '^n1999').size() > 0", "findKeys(self, '^loc$').size() == 40000", "overflows(self).size() == 0",
		"associate(self.names, self.nums).all(k, v, v >= 0)", "associate(self.names, self.nums).exists(k, k == 'n19999')", "associate(self.names, self.nums) == associate(self.tags, self.nums.reverse())",
		"associate(self.names, self.items).transformList(k, v, v.id).sort() == self.names", "self.items.all(i, i.id in associate(self.names, self.nums))",
		"associate(self.tags, self.nums).transformMap(k, v, v).size() == 20000", "self.names.map(n, n.size()).distinct() == [6]",
		"self.items.map(i, i.deps).flatten() == self.names",
		"unique(self.items.map(i, i.deps).flatten())", "misses(self.items.map(i, i.deps).flatten(), self.names) == []",
		"self.items.filter(i, i.kind == 'b').size() == 0", "self.marks.size() == 0",
	)
}()

// What takes a step for each pair of elements, over lists of some thousand.
var nestedForms = []string{
	"self.names.all(x, x in self.tags)", "self.tags.filter(x, x in self.names).size() == 3000", "cel.bind(m, self.more.map(m, m.n), self.nums.all(x, x in m))",
	"self.items.all(i, self.items.exists(j, j.id == i.id))", "self.names.map(n, {'k': n}).all(m, m.k in self.names)", "self.items.all(i, i.deps.all(d, d in self.names))",
	"self.names.all(i, x, self.names[i] == x)", "self.nums.exists(x, x == self.nums[2999])", "self.items.all(x, x in self.items)",
}

// largeForm is a document whose lists have n elements, the second of each pair in the
// opposite order.
func largeForm(n int) []byte {
	list := func(from, step int, f string) string {
		out := make([]string, n)
		for i := range out {
			out[i] = strings.ReplaceAll(strings.ReplaceAll(f, "%s", fmt.Sprintf("n%05d", from+step*i)), "%d", fmt.Sprint(from+step*i))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	const item = `{"id":"%s","kind":"a","n":%d,"loc":{"a":"%s","b":%d},"deps":["%s"]}`
	return []byte(`{"text":"a","state":"a","names":` + list(0, 1, `"%s"`) + `,"tags":` + list(n-1, -1, `"%s"`) + `,"nums":` + list(0, 1, `%d`) +
		`,"items":` + list(0, 1, item) + `,"more":` + list(n-1, -1, item) + `,"ports":` + list(n-1, -1, `{"a":"%s","b":%d}`) + `,"marks":[]}`)
}

// TestLarge compares the engines on documents with lists of 20,000 elements: what one of
// them does within its budget the other does too. RULES_FUZZ makes it try all forms.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	large, nested := largeForms, nestedForms
	if os.Getenv("RULES_FUZZ") == "" { // a part of them, for it takes minutes
		large, nested = nil, nestedForms[:3]
		for i := 0; i < len(largeForms); i += 4 {
			large = append(large, largeForms[i])
		}
	}
	accepted(t, largeForm(20_000), large, 20)
	accepted(t, largeForm(3000), nested, 3)
}

// accepted compares the engines on rules, some in one contract.
func accepted(t *testing.T, doc []byte, all []string, some int) {
	t.Helper()
	for from := 0; from < len(all); from += some {
		forms := all[from:min(from+some, len(all))]
		g, _ := rulesOf(t, "version: 1\nrules:\n", forms, "")
		interpreted, compiled := g.verdicts(t, g.roots[0], doc)
		g.judge.Close()
		for i, f := range forms {
			if a, b := interpreted[fmt.Sprintf("r%d", i)], compiled[fmt.Sprintf("r%d", i)]; a != b && b == "" {
				t.Errorf("%s\ninterpreter: %q\ncompiled:    %q", f, a, b)
			} else if a != "" {
				t.Logf("neither: %s: %s", f, a)
			}
		}
	}
}

// verdicts has the messages of what is broken, by rule.
func (g *engines) verdicts(t *testing.T, r model.Ref, doc []byte) (interpreted, compiled map[string]string) {
	t.Helper()
	if issues := g.in.Validate(r, doc); issues != nil {
		t.Fatal(issues)
	}
	list, err := g.judge.Judge(rules.Document, &rules.Case{Schema: r, Docs: [][]byte{doc}})
	if err != nil {
		t.Fatal(err)
	}
	byRule := func(list contract.Issues) map[string]string {
		out := map[string]string{}
		for _, i := range list {
			out[string(i.Code)] = i.Message
		}
		return out
	}
	return byRule(g.e.Validate(r, g.in.Complete(r, doc))), byRule(list)
}
