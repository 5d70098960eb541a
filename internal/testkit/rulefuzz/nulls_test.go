package rulefuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Values that may be null, in every place where they meet values that may not.
var nullForms = []string{
	"[self.text, self.maybe].exists(x, dyn(x) == null)",
	"[self.maybe, self.text].exists(x, x == null)",
	"[self.text, self.maybe].exists(x, dyn(x) == null)",
	"[self.text, self.maybe].all(x, x == 'a')",
	"dyn([self.text, self.maybe][1]) == null",
	"[self.text, self.maybe][1] == 'a'",
	"[self.text, self.maybe][?1].orValue('b') == 'a'",
	"dyn([self.text, self.maybe].map(x, x)[1]) == null",
	"[self.text, self.maybe].filter(x, x != 'a').size() == 1",
	"[self.text, self.maybe].filter(x, dyn(x) != null).size() == 1",
	"dyn(null) in [self.text, self.maybe]",
	"self.maybe in [self.text, 'b']",
	"[self.text, self.maybe] == [self.maybe, self.text]",
	"unique([self.text, self.maybe, 'a'])",
	"[self.text, self.maybe, self.maybe].distinct().size() == 2",
	"dyn([self.text, self.maybe].reverse()[0]) == null",
	"[self.text, self.maybe].sort()[0] == 'a'",
	"[self.text, self.maybe].join('/') == 'a/b'",
	"([self.text] + [self.maybe]).exists(x, dyn(x) == null)",
	"([self.text] + [self.maybe])[1] == 'a'",
	"[[self.text], [self.maybe]].flatten().exists(x, x == 'a')",
	"[[self.text], [self.maybe]].exists(l, l[0] == 'a')",
	"[[self.text], [self.maybe]].exists(l, dyn(l[0]) == null)",
	"[[self.text], [self.maybe]].exists(l, l.exists(x, dyn(x) == null))",
	"{'a': self.text, 'b': self.maybe}['b'] == 'a'",
	"{'a': self.text, 'b': self.maybe}.b == 'a'",
	"dyn({'a': self.text, 'b': self.maybe}['b']) == null",
	"{'a': self.text, 'b': self.maybe}.transformList(k, v, v).exists(x, dyn(x) == null)",
	"{'a': self.text, 'b': self.maybe}.transformMap(k, v, v)['b'] == 'a'",
	"dyn((self.state == 'a' ? self.text : self.maybe)) == null",
	"(self.state == 'a' ? self.text : self.maybe) == 'a'",
	"(self.state == 'a' ? self.maybe : self.text) == 'a'",
	"(self.state == 'a' ? dyn(null) : self.text) == 'a'",
	"(self.state == 'a' ? 1 : self.void) == 1",
	"cel.bind(x, [self.text, self.maybe], dyn(x[1]) == null)",
	"cel.bind(x, self.state == 'a' ? self.text : self.maybe, x == 'a')",
	"optional.of(self.maybe).orValue('a') == 'a'",
	"optional.of(self.maybe).hasValue()",
	"optional.of(self.text).or(optional.of(self.maybe)).value() == 'a'",
	"self.?opt.orValue(self.maybe) == 'a'",
	"self.?opt.or(self.?maybe).orValue('b') == 'a'",
	"self.?maybe.orValue(self.text) == 'a'",
	"self.?maybe.hasValue()",
	"[?self.?opt, self.maybe].exists(x, x == 'a')",
	"[?self.?maybe, self.text].exists(x, x == 'a')",
	"[?self.?maybe, self.text].exists(x, x == null)",
	"[self.nums.size(), self.void].exists(x, x == 1)",
	"[self.nums.size(), self.void].exists(x, dyn(x) == null)",
	"[self.nums.size(), self.void].exists(x, x > 0)",
	"[self.nums.size(), self.void][1] == 2",
	"[self.nums.size(), self.void].sum() == 2",
	"[self.items[0].loc, self.perhaps].exists(x, x == null)",
	"[self.items[0].loc, self.perhaps].exists(x, x.a == 'a')",
	"[self.items[0].loc, self.perhaps].exists(x, has(x.b))",
	"[self.items[0].loc, self.perhaps].map(x, x.a).exists(x, x == 'a')",
	"(self.state == 'a' ? self.items[0].loc : self.perhaps) == null",
	"(self.state == 'a' ? self.items[0].loc : self.perhaps).a == 'a'",
	"self.items.map(i, self.maybe).exists(x, x == null)",
	"self.items.map(i, i.n > 0 ? i.id : self.maybe).exists(x, x == 'a')",
	"self.items.map(i, i.n > 0 ? i.id : self.maybe).exists(x, dyn(x) == null)",
	"(self.holes + self.names).exists(x, x == null)",
	"(self.names + self.holes).exists(x, dyn(x) == null)",
	"(self.names + self.holes).exists(x, x == 'a')",
	"self.holes.exists(x, x == null)",
	"self.holes == self.names",
	"self.holes.filter(x, x != null).exists(x, x == 'a')",
	"self.holes.map(x, x)[0] == 'a'",
	"sets.contains(self.holes, self.names)",
	"sets.contains(self.names, self.holes)",
	"sets.intersects([self.text, self.maybe], self.holes)",
	"misses(self.holes, self.names) == []",
	"misses(self.names, [self.maybe, 'a']).size() == 0",
	"repeats([self.text, self.maybe, self.maybe]) == [2]",
	"isPrefix([self.maybe], self.names)",
	"sorted([self.text, self.maybe])",
	"sorted(self.holes)",
	"self.holes.indexOf('a') == 0",
	"[self.text, self.maybe].indexOf('a') == 1",
	"self.holes.min() == 'a'",
	"closure({'a': [self.text, self.maybe]}, ['a']) == ['a', 'b']",
	"acyclic({'a': [self.maybe]})",
	"associate([self.text, 'x'], [self.maybe, 'a'])['x'] == 'a'",
	"associate([self.text, 'x'], [self.maybe, 'a'])[self.text] == null",
	"canonical([self.text, self.maybe]) == '[\"a\",null]'",
	"same(self.maybe)",
	"!other(self.maybe)",
	"other(self.maybe)",
	"isNull(self.maybe)",
	"isIn(self.maybe)",
	"oneOf(self.maybe, self.text)",
	"listed(self.maybe).exists(x, x == 'a')",
	"listed(self.maybe)[0] == 'a'",
	"canonicalOf(self.maybe) == 'null'",
	"anyOf(self.holes)",
	"allOf(self.holes)",
	"anyOf([self.maybe])",
	"whole(self.perhaps)",
	"wholeNull(self.perhaps)",
	"number(self.void)",
	"numberOr(self.void)",
	"back(self.maybe) == 'a'",
	"dyn(back(self.maybe)) == null",
	"typed(self.maybe) == 'b'",
	"dynNull(self.maybe)",
	"twice(self.maybe, self.maybe)",
	"quick(self.maybe, self.names)",
	"quickNot(self.maybe, self.names)",
	"oneLoc(self.perhaps)",
	"self.items.exists(i, same(self.maybe))",
	"self.holes.exists(h, same(h))",
	"self.holes.all(h, !same(h))",
	"self.holes.exists(h, isIn(h))",
	"self.holes.all(h, other(h))",
	"[self.text, self.maybe].exists(x, x == self.state)",
	"[self.text, self.maybe].exists(x, x == self.opt)",
	"[self.text, self.maybe].exists(x, x in self.names)",
	"[self.text, self.maybe].exists(x, self.names.exists(y, x == y))",
	"[self.maybe, self.maybe].exists(x, self.holes.exists(y, x == y))",
	"[self.text, self.maybe].exists(x, x + 'a' == 'aa')",
	"[self.text, self.maybe].exists(x, x.startsWith('a'))",
	"[self.text, self.maybe].exists(x, x == self.maybe)",
	"[self.text, self.maybe].all(x, x != self.maybe)",
	"[self.text, self.maybe].exists_one(x, x == self.text)",
	"[self.text, self.maybe].exists(x, size(x) == 1)",
	"[self.text, self.maybe].exists(x, type(x) == string)",
	"[self.text, self.maybe].map(x, {'a': x}).exists(m, m.a == 'a')",
	"[self.text, self.maybe].map(x, [x, 'b']).exists(m, m == ['a', 'b'])",
	"[self.text, self.maybe].exists(x, {'a': 'b', 'b': 'c'}[?x].orValue('c') == 'b')",
	"[self.text, self.maybe].exists(x, x in {'a': 1})",
	"[self.text, self.maybe].exists(x, x < 'b')",
	"[self.text, self.maybe].exists(i, x, x == self.names[i])",
	"[self.text, self.maybe].transformList(i, x, x == 'a', x).size() == 1",
	"[self.text, self.maybe].exists(x, string(x) == 'a')",
	"[self.text, self.maybe].exists(x, x.matches('^a$'))",
	"[self.text, self.maybe].exists(x, x == 'a' || x == 'b')",
	"[self.text, self.maybe].exists(x, (x == 'a' ? x : 'b') == 'b')",
	"[self.text, self.maybe].exists(x, same(x))",
	"[self.text, self.maybe].all(x, !same(x))",
	"[self.text, self.maybe].exists(x, canonical(x) == 'null')",
	"[self.text, self.maybe].first().orValue('a') == 'a'",
	"[self.maybe, self.text].first().orValue('a') == 'a'",
	"[self.maybe, self.text].last().orValue('a') == 'a'",
	"[self.maybe, self.text].slice(0, 1) == ['a']",
	"[self.maybe, self.text].sortBy(x, x)[0] == 'a'",
	"[self.at, self.maybeAt].exists(x, x == self.at)",
	"[self.at, self.maybeAt].exists(x, dyn(x) == null)",
	"[self.at, self.maybeAt].all(x, x != self.at)",
	"[self.at, self.maybeAt].exists(x, x < self.at)",
	"[self.at, self.maybeAt].max() == self.at",
	"self.maybeAt == self.at",
	"self.maybeAt != self.at",
	"self.maybeAt == null",
	"self.maybeAt in [self.at]",
	"(self.state == 'a' ? self.at : self.maybeAt) == self.at",
	"later(self.maybeAt, self.at)",
	"atSame(self.maybeAt, self.at)",
	"[self.nums.size(), self.void].exists(x, x == self.nums[0])",
	"[self.nums.size(), self.void].map(x, x == 1).exists(b, b)",
	"[self.nums.size(), self.void].exists(x, dyn(x) == 1.0)",
	"[self.nums.size(), self.void].exists(x, dyn(x) == self.sizes[0])",
	"self.void == self.nums[0]",
	"self.void != self.nums[0]",
	"self.void in self.nums",
	"self.void in [1, 2]",
	"!(self.void in [1, 2])",
	"{'a': self.maybe} == {'a': self.text}",
	"!same(dyn(self.nums[0]))",
	"!numIn(dyn(self.text))",
	"!inMap(dyn(self.void))",
	"!eq(dyn(self.text), dyn(self.maybe))",
	"anyOf(dyn(self.holes))",
	"anyOf(dyn(self.nums))",
	"!whole(dyn(self.perhaps))",
	"!atNe(dyn(self.at), dyn(self.text))",
	"!atNe(dyn(self.maybeAt), self.at)",
	"!number(dyn(self.sizes[0]))",
	"(self.names + dyn(self.nums)).exists(x, x == 'a')",
	"['a', dyn(self.nums[0])].exists(x, x == 'a')",
	"self.?opt.orValue(dyn(self.nums[0])) == 'a'",
	"(self.state == 'a' ? self.text : dyn(self.nums[0])) == 'a'",
	"anyOf(self.meta.?b.orValue([1]))",
	"allOf(self.names + dyn(self.nums))",
	"holesEq(dyn(self.nums), self.names)",
	"uniq(dyn(self.items))",
	"sameIn(dyn(self.text), dyn(self.nums))",
	"firstOf(dyn(self.nums)) == dyn(1)",
	"!same(firstOf(dyn(self.nums)))",
	"same(dyn(self.meta).aB)",
	"!same(self.meta.aB)",
	"{'a': self.maybe}.exists(k, {'a': self.maybe}[k] == 'a')",
	"{'a': {'b': self.maybe}}.a.b == 'a'",
	"self.holes.all(x, x in ['a', 'b'])",
	"self.holes.map(x, x == 'a').exists(b, b)",
	"self.holes.map(x, {'k': x}).exists(m, m.k == 'a')",
	"self.holes.transformList(i, x, x).exists(x, x == 'a')",
	"self.holes.exists(x, self.names.exists(y, x == y))",
	"self.names.all(y, self.holes.all(x, x != y))",
	"self.holes.map(x, x + 'a').exists(x, x == 'aa')",
	"self.holes.exists(h, h == self.maybe)",
	"self.holes.distinct().size() == self.holes.size()",
	"unique(self.holes)",
	"unique(self.holes.map(x, x))",
	"repeats(self.holes).size() == 0",
	"self.holes.join('') == 'a'",
	"self.holes.sort()[0] == 'a'",
	"self.perhaps == self.items[0].loc",
	"self.perhaps.a == 'a'",
	"has(self.perhaps.b)",
	"self.perhaps.?b.orValue(1) == 1",
	"self.?perhaps.?b.orValue(1) == 1",
	"self.?perhaps.?a.orValue('a') == 'a'",
	"self.perhaps in self.items.map(i, i.loc)",
	"[self.perhaps].exists(p, p == self.items[0].loc)",
	"locText(self.perhaps) == 'a'",
	"locIn(self.perhaps, self.items.map(i, i.loc))",
	"locOpt(self.perhaps) == 1",
	"anyOf([self.text, self.maybe])",
	"allOf([self.text, self.maybe])",
	"anyOf(self.names + self.holes)",
	"anyOf(self.holes.map(x, x))",
	"anyOf(self.?holes.orValue([]))",
	"allOf(self.state == 'a' ? self.names : self.holes)",
	"listOf(self.holes)[0] == 'a'",
	"listOf([self.text, self.maybe]).exists(x, x == self.state)",
	"sameIn(self.state, [self.text, self.maybe])",
	"sameIn(self.state, self.holes)",
	"sameIn(self.maybe, self.holes)",
	"firstOf(self.holes) == 'a'",
	"firstOf([self.maybe]) == 'a'",
	"same(firstOf([self.maybe]))",
	"!same(firstOf([self.maybe]))",
	"!same(firstOf(self.holes))",
	"same(back(self.maybe))",
	"!same(back(self.text))",
	"!same([self.text, self.maybe][1])",
	"!same(self.holes[0])",
	"!same(self.state == 'a' ? self.text : self.maybe)",
	"!same({'a': self.maybe}['a'])",
	"!same({'a': self.text, 'b': self.maybe}.b)",
	"!same(self.?maybe.orValue('b'))",
	"!same(self.?opt.orValue(self.maybe))",
	"!same(optional.of(self.maybe).value())",
	"!same(cel.bind(x, self.maybe, x))",
	"!same(self.holes.filter(x, true)[0])",
	"!same(self.holes.map(x, x)[0])",
	"!same(self.holes.first().value())",
	"!number(self.void)",
	"!number([self.nums.size(), self.void][1])",
	"!number(self.state == 'a' ? 1 : self.void)",
	"!other(self.?maybe.orValue('a'))",
	"!whole(self.perhaps)",
	"!whole([self.items[0].loc, self.perhaps][1])",
	"!wholeNull([self.items[0].loc, self.perhaps][1])",
	"!wholeNull(self.state == 'a' ? self.items[0].loc : self.perhaps)",
	"wholeLocs([self.items[0].loc, self.perhaps])",
	"noLoc(self.perhaps)",
	"!noLoc(self.perhaps)",
	"!noLoc([self.perhaps][0])",
	"inMap(self.maybe)",
	"!inMap(self.maybe)",
	"!inList(self.maybe)",
	"!inNames(self.maybe, self.holes)",
	"!eq(self.maybe, self.text)",
	"!eq(self.maybe, self.maybe)",
	"!ne(self.maybe, self.text)",
	"!numIn(self.void)",
	"!numEq(self.void, self.nums[0])",
	"!atSame(self.maybeAt, self.at)",
	"!atNe(self.maybeAt, self.at)",
	"!atIn(self.maybeAt)",
	"bound(self.maybe)",
	"!bound(self.maybe)",
	"!nested(self.maybe)",
	"nested(self.maybe)",
	"!looped(self.maybe, self.names)",
	"!listed(self.maybe).exists(x, x == 'b')",
	"!mapped(self.maybe)",
	"!sized(self.maybe)",
	"optOf(self.maybe).hasValue()",
	"!optOf(self.maybe).hasValue()",
	"!(string(self.maybe) == 'a')",
	"!typeIs(self.maybe)",
	"!canonical([back(self.maybe)]).contains('n')",
	"!holesEq([self.text, self.maybe], self.holes)",
	"holesEq(self.names, self.holes)",
	"uniq(self.holes)",
	"!uniq(self.holes)",
	"sets.contains(listOf(self.holes), listOf(self.names))",
}

const nullFunctions = `version: 1
functions:
  - {name: same, params: [{name: s, type: string}], expr: "s == 'a'"}
  - {name: other, params: [{name: s, type: string}], expr: "s != 'a'"}
  - {name: isNull, params: [{name: s, type: string}], expr: "dyn(s) == null"}
  - {name: isIn, params: [{name: s, type: string}], expr: "s in ['a', 'b']"}
  - {name: oneOf, params: [{name: s, type: string}, {name: t, type: string}], expr: "s == t"}
  - {name: listed, params: [{name: s, type: string}], expr: "[s, 'a']"}
  - {name: canonicalOf, params: [{name: s, type: string}], expr: "canonical(s)"}
  - {name: anyOf, params: [{name: l, type: list(string)}], expr: "l.exists(x, x == 'a')"}
  - {name: allOf, params: [{name: l, type: list(string)}], expr: "l.all(x, x != 'a')"}
  - {name: whole, params: [{name: l, type: "form.json#/$defs/Loc"}], expr: "l.a == 'a'"}
  - {name: wholeNull, params: [{name: l, type: "form.json#/$defs/Loc"}], expr: "l == null"}
  - {name: number, params: [{name: n, type: int}], expr: "n == 1"}
  - {name: numberOr, params: [{name: n, type: int}], expr: "n > 0 || n == 0"}
  - {name: back, params: [{name: s, type: string}], expr: "s"}
  - {name: typed, params: [{name: s, type: string}], expr: "type(s) == string ? 'a' : 'b'"}
  - {name: dynNull, params: [{name: s, type: dyn}], expr: "s == null"}
  - {name: twice, params: [{name: s, type: string}, {name: t, type: dyn}], expr: "same(s) || t == null"}
  - {name: quick, params: [{name: s, type: string}, {name: l, type: list(string)}], expr: "s in l"}
  - {name: quickNot, params: [{name: s, type: string}, {name: l, type: list(string)}], expr: "!(l.exists(x, x == s))"}
  - {name: oneLoc, params: [{name: l, type: "form.json#/$defs/Loc"}], expr: "[l].exists(x, x == null)"}
  - {name: later, params: [{name: a, type: timestamp}, {name: b, type: timestamp}], expr: "a > b"}
  - {name: atSame, params: [{name: a, type: timestamp}, {name: b, type: timestamp}], expr: "a == b"}
  - {name: locText, params: [{name: l, type: dyn}], expr: "l.a"}
  - {name: locIn, params: [{name: l, type: "form.json#/$defs/Loc"}, {name: all, type: list(dyn)}], expr: "dyn(l) in all"}
  - {name: locOpt, params: [{name: l, type: "form.json#/$defs/Loc"}], expr: "l.?b.orValue(1)"}
  - {name: listOf, params: [{name: l, type: list(string)}], expr: "l"}
  - {name: sameIn, params: [{name: s, type: string}, {name: l, type: list(string)}], expr: "l.exists(x, x == s)"}
  - {name: firstOf, params: [{name: l, type: list(string)}], expr: "l[0]"}
  - {name: wholeLocs, params: [{name: l, type: "list(form.json#/$defs/Loc)"}], expr: "l.exists(x, x.a == 'a')"}
  - {name: noLoc, params: [{name: l, type: "form.json#/$defs/Loc"}], expr: "dyn(l) == dyn({'a': 'a'})"}
  - {name: inMap, params: [{name: s, type: string}], expr: "s in {'a': 1}"}
  - {name: inList, params: [{name: s, type: string}], expr: "s in ['a', 'b']"}
  - {name: inNames, params: [{name: s, type: string}, {name: l, type: list(string)}], expr: "s in l"}
  - {name: eq, params: [{name: s, type: string}, {name: t, type: string}], expr: "s == t"}
  - {name: ne, params: [{name: s, type: string}, {name: t, type: string}], expr: "s != t"}
  - {name: numIn, params: [{name: n, type: int}], expr: "n in [1, 2]"}
  - {name: numEq, params: [{name: n, type: int}, {name: m, type: int}], expr: "n == m"}
  - {name: atNe, params: [{name: a, type: timestamp}, {name: b, type: timestamp}], expr: "a != b"}
  - {name: atIn, params: [{name: a, type: timestamp}], expr: "a in [timestamp('2024-02-29T23:59:59Z')]"}
  - {name: bound, params: [{name: s, type: string}], expr: "cel.bind(x, s, x == 'a')"}
  - {name: nested, params: [{name: s, type: string}], expr: "same(s)"}
  - {name: looped, params: [{name: s, type: string}, {name: l, type: list(string)}], expr: "l.exists(x, x == 'zz') || s == 'a'"}
  - {name: mapped, params: [{name: s, type: string}], expr: "{'a': s}.a == 'a'"}
  - {name: sized, params: [{name: s, type: string}], expr: "size([s]) == 0"}
  - {name: optOf, params: [{name: s, type: string}], expr: "optional.of(s)"}
  - {name: typeIs, params: [{name: s, type: string}], expr: "type(s) == string"}
  - {name: holesEq, params: [{name: l, type: list(string)}, {name: k, type: list(string)}], expr: "l == k"}
  - {name: uniq, params: [{name: l, type: list(string)}], expr: "unique(l)"}
rules:
`

// TestNulls compares the engines where null stands in the place of a value, each rule
// beside its opposite.
func TestNulls(t *testing.T) {
	g, ids := rulesOf(t, nullFunctions, nullForms, "not-")
	rnd := random()
	told := map[string]int{}
	for n := 0; n < 120 && !t.Failed(); n++ {
		want, _ := g.judged(t, g.roots[0], form(rnd), nil)
		for _, i := range want {
			told[string(i.Code)]++
		}
	}
	for i, id := range ids {
		if told[id] == 0 && told["not-"+id] == 0 {
			t.Errorf("no document tells what %s does", nullForms[i])
		}
	}
}

// rulesOf loads the contract of TestForms with expressions as its rules and, with not,
// the opposite of each, called so; what the checker rejects is an error.
func rulesOf(t *testing.T, head string, forms []string, not string) (*engines, []string) {
	t.Helper()
	schema, err := os.ReadFile("testdata/forms/schemas/form.json")
	if err != nil {
		t.Fatal(err)
	}
	return rulesFor(t, schema, head, forms, not)
}

// rulesFor is rulesOf for another schema.
func rulesFor(t *testing.T, schema []byte, head string, forms []string, not string) (*engines, []string) {
	t.Helper()
	var text strings.Builder
	var ids []string
	text.WriteString(head)
	for i, e := range forms {
		id := fmt.Sprintf("r%d", i)
		ids = append(ids, id)
		fmt.Fprintf(&text, "  - {id: %s, schema: form.json, message: m, unguarded: failures are wanted, rule: %q}\n", id, e)
		if not != "" {
			fmt.Fprintf(&text, "  - {id: %s%s, schema: form.json, message: m, unguarded: failures are wanted, rule: %q}\n", not, id, "!("+e+")")
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "schemas"), 0o700); err != nil {
		t.Fatal(err)
	}
	project, err := os.ReadFile("testdata/forms/contracts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"contracts.yaml": project, "schemas/form.json": schema, "schemas/invariants.yaml": []byte(text.String())} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := loaded(t, filepath.Join(dir, "contracts.yaml"), true)
	if err != nil {
		t.Fatal(err)
	}
	return g, ids
}
