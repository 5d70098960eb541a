package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostile is a document of about a million bytes with as many lines as fit in.
func hostile() []byte {
	const line = `{"price":1},`
	return []byte(`{"total":1,"lines":[` + strings.TrimSuffix(strings.Repeat(line, 1_000_000/len(line)), ",") + `]}`)
}

// Whatever rules and document do, the evaluation of one document ends soon, with an
// issue where it was not finished.
func TestHostileDocument(t *testing.T) {
	const functions = `functions:
  - {name: twice, params: [{name: s, type: string}], expr: s + s}
  - {name: much, params: [{name: s, type: string}], expr: 'twice(twice(twice(twice(twice(twice(twice(twice(s))))))))'}
  - {name: total, params: [{name: o, type: order.json}], expr: 'o.lines.map(l, l.price).sum()'}
`
	data := hostile()
	// A fifth of what there is shows the same, and sooner.
	cost, total := maxCost, maxTotal
	maxCost, maxTotal = cost/5, total/5
	defer func() { maxCost, maxTotal = cost, total }()
	for name, rule := range map[string]string{
		"a loop in a loop":        "rule: 'self.lines.all(a, self.lines.all(b, self.lines.all(c, a.price == b.price)))'",
		"forEach in forEach":      "forEach: [{as: a, in: self.lines}, {as: b, in: self.lines}]\n    rule: a.price == b.price",
		"one issue again":         "forEach: [{as: a, in: self.lines}, {as: b, in: self.lines}]\n    rule: a.price != b.price",
		"a comparison of all":     "forEach: [{as: a, in: self.lines}]\n    rule: 'self.lines == self.lines.map(l, l) && a.price == 1'",
		"a digest at each line":   "forEach: [{as: a, in: self.lines}]\n    rule: digest(self) != ''",
		"a function in a loop":    "rule: self.lines.all(a, total(self) > 0)",
		"offenders":               "offenders: 'self.lines.map(l, self.lines.map(m, l.price + m.price)).flatten()'\n    path: \"/{string(at)}\"",
		"a costly path":           "offenders: self.lines\n    path: \"/lines/{self.lines.filter(l, l.price == at.price).size()}\"",
		"objects that repeat":     "rule: unique(self.lines)",
		"texts that double":       "rule: much(much(much(string(self.lines.size())))).size() > 0",
		"texts that multiply":     "rule: 'self.lines.map(l, \"aaaa\").join(self.lines.map(l, \"bbbb\").join()).size() > 0'",
		"replacements":            "rule: 'self.lines.map(l, \"aaaa\").join().replace(\"a\", self.lines.map(l, \"bbbb\").join()).size() > 0'",
		"a text found in a text":  "rule: '(self.lines.map(l, \"aaaa\").join() + \"b\").indexOf(self.lines.map(l, \"aa\").join() + \"c\") < 0'",
		"all places of a pattern": "rule: 'self.lines.map(l, \"aaaa\").join().findAll(\"a.*b|a\").size() > 0'",
		"lists that double":       "rule: 'cel.bind(a, " + doubled("self.lines", 40) + ", size(a) > 0)'",
		"a text at each line":     "rule: 'cel.bind(s, self.lines.map(l, \"aaaa\").join(), self.lines.all(l, s.size() > 0 && strings.quote(s) != \"\"))'",
		"a comparison in a loop":  "rule: 'self.lines.all(l, self.lines == self.lines.map(m, m))'",
		"a map of all":            "rule: 'self.lines.all(l, self.lines.map(m, string(m.price)).transformMap(i, v, v).size() > 0)'",
		"members in a loop":       "rule: 'self.lines.all(l, self.lines.map(m, dyn(self)).all(s, s.exists(k, true)))'",
		"a range without an end":  "rule: lists.range(self.lines.size() * 1000000).size() > 0",
	} {
		t.Run(name, func(t *testing.T) {
			set, in := must(t, "version: 1\n"+functions+"rules:\n  - id: a\n    schema: order.json\n    "+rule+"\n")
			e, err := set.Evaluator(in)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			issues := e.Validate(set.Checked[0].Schemas[0], data)
			if d := time.Since(start); d > time.Minute { // a few seconds, where nothing else runs
				t.Errorf("takes %v", d)
			}
			if len(issues) == 0 || len(issues) > maxIssues {
				t.Fatalf("%d issues", len(issues))
			}
			t.Logf("%v, %d issues: %.200s", time.Since(start), len(issues), issues[len(issues)-1].Message)
		})
	}
}

// What grows with the document alone is not in the way of large ones.
func TestLargeDocument(t *testing.T) {
	set, in := must(t, `version: 1
rules:
  - {id: a, schema: order.json, forEach: [{as: a, index: i, in: self.lines}], rule: 'i == 0 || self.lines[i - 1].price == a.price'}
  - {id: b, schema: order.json, rule: 'unique(self.lines.map(l, l.price)) || self.lines.all(l, l.price == 1)'}
  - {id: c, schema: order.json, rule: 'self.lines.map(l, l.price).sum() > 0'}
  - {id: d, schema: order.json, rule: digest(self) != ''}
  - {id: e, schema: 'order.json#/$defs/Line', rule: self.price >= 1}
  - {id: f, schema: order.json, rule: 'self.lines.map(l, l.price).distinct().size() > 0'}
  - {id: g, schema: order.json, rule: 'sets.contains(self.lines, self.lines) && misses(self.lines, self.lines).size() == 0 && !unique(self.lines)'}
`)
	e, err := set.Evaluator(in)
	if err != nil {
		t.Fatal(err)
	}
	if issues := e.Validate(set.Checked[0].Schemas[0], hostile()); issues != nil {
		t.Errorf("%d issues: %s", len(issues), issues[0].Message)
	}
	// Issues beyond the cap are not collected.
	many := strings.ReplaceAll(string(hostile()), `"price":1`, `"price":0`)
	issues := e.Validate(set.Checked[0].Schemas[0], []byte(many))
	if len(issues) != maxIssues {
		t.Errorf("%d issues", len(issues))
	}
}

// doubled is a list added to itself n times over.
func doubled(list string, n int) string {
	for i := range n {
		list = fmt.Sprintf("cel.bind(x%d, %s, x%[1]d + x%[1]d)", i, list)
	}
	return list
}
