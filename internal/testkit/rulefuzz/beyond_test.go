package rulefuzz

import (
	"fmt"
	"testing"
)

// TestBeyond compares the engines on numbers that rules cannot compute with, and on those
// that may be written in several ways: canonical and digest take what is written.
func TestBeyond(t *testing.T) {
	const schema = `{"type":"object","required":["n","d","at","l","ds","ats","m","o","os","any"],"properties":{
		"n":{"type":"integer"},"d":{"type":"number"},"at":{"type":"string","format":"date-time"},
		"l":{"type":"array","items":{"type":"integer"}},"ds":{"type":"array","items":{"type":"number"}},
		"ats":{"type":"array","items":{"type":"string","format":"date-time"}},
		"m":{"type":"object","additionalProperties":{"type":"integer"}},
		"o":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}},"additionalProperties":{"type":"integer"}},
		"os":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"at":{"type":"string","format":"date-time"}}}},
		"any":{}}}`
	var forms []string
	for _, of := range []string{"self.n", "self.d", "self.at", "self.l", "self.ds", "self.ats", "self.m", "self.o", "self.os", "self.any", "dyn(self)", "self.os[0]",
		"[self.l]", "{'a': self.m}", "[dyn(self.o), self.any]", "self.os.map(x, x)", "self.l + self.l", "self.l.map(x, 1)", "self.l.slice(0, 1)", "omit(self.m, ['z'])", "self.l[0]", "self.m['a']",
		"self.os.filter(x, has(x.at))", "associate(['a'], [self.l])", "cel.bind(x, self.l, x)"} {
		forms = append(forms, "canonical("+of+") == 'x'", "canonical("+of+") != 'x'", "digest("+of+") == digest([self.any, 1])")
	}
	forms = append(forms, "overflows(dyn(self)).size() == 0", "overflows(dyn(self.l)).size() == 0", "self.l.size() == 1", "dyn(self.l) == self.any",
		"self.l.exists(x, x == 1)", "self.n in self.l", "unique(self.l)", "self.m.size() == 1", "'a' in self.m", "findStrings(dyn(self), 'x') == []", "canonical(self.l) == canonical(self.any)",
		"canonical(self.o) == canonical(self.any)", "canonical(self.ats) == canonical(self.any)", "canonical(dyn(self)).contains('1e+30')", "self.l.map(x, x) == self.l", "self.l == [5]", "[5] == self.l", "self.l != [5]", "[5] != self.l", "dyn(self.l) == dyn([5])", "self.m == {'a': 5}", "{'a': 5} == self.m",
		"self.m != {'a': 5}", "dyn(self.o) == dyn({'n': 5, 'q': 1})", "dyn(self.os[0]) == dyn({'n': 5, 'at': 'x'})", "self.l in [[5]]", "[5] in [self.l]", "unique([self.l, [5]])", "[self.l, [5]].distinct().size() == 1",
		"repeats([self.l, [5]]) == []", "self.any == dyn(self.l)", "self.l == self.any", "self.l == self.l.map(x, x)", "isPrefix([5], self.l)", "sets.contains(self.l, [5])", "sets.contains([5], self.l)",
		"5 in self.l", "self.l.indexOf(5) == 0", "self.l.sum() == 5", "self.l.min() == 5", "self.l.sort() == [5]", "self.l.all(x, x > 5)", "self.m.all(k, k == 'a')", "self.m.exists(k, v, v == 5)", "self.l[0] == 5", "self.m['a'] == 5",
		"self.m.?a.orValue(1) == 5", "self.l.map(x, string(x)) == ['5']", "self.l.filter(x, x == 5).size() == 0", "[self.n].size() == 1", "{'a': self.n}.size() == 1", "self.n == 5 || self.d > 0.0",
		"self.o.n == 5", "self.os[0] in self.os", "self.os == self.os.map(x, x)", "self.os[0].n == self.o.n", "self.os.exists(x, x.n == self.n)", "optional.of(self.n).hasValue()", "cel.bind(x, self.n, true)", "cel.bind(x, self.l[0], self.l.size() == 1)", "repeats(self.l) == []")
	g, _ := rulesFor(t, []byte(schema), "version: 1\nrules:\n", forms, "")
	for _, n := range []string{"1", "1.0", "-0", "1e2", "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "1e30", "1000e27", "1e400", "-1e400"} {
		for _, at := range []string{"2024-02-29T23:59:59Z", "2024-02-29T23:59:59.120+01:00"} {
			for _, other := range []string{"1", n} {
				doc := fmt.Sprintf(`{"n":%[3]s,"d":%[1]s,"at":%[2]q,"l":[%[1]s],"ds":[%[1]s],"ats":[%[2]q],"m":{"a":%[1]s},"o":{"n":%[3]s,"q":%[1]s},"os":[{"n":%[1]s,"at":%[2]q}],"any":[%[1]s]}`, n, at, other)
				if _, ok := g.judged(t, g.roots[0], []byte(doc), nil); !ok {
					t.Errorf("not valid: %s", doc)
				}
			}
		}
	}
}
