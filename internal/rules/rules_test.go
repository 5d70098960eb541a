package rules

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

const orderSchema = `{
	"type": "object", "required": ["total", "lines"], "additionalProperties": false,
	"properties": {
		"total": {"type": "integer"},
		"note": {"type": "string"},
		"paid": {"type": "boolean"},
		"buyer": {"$ref": "#/$defs/Buyer"},
		"lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}}
	},
	"$defs": {
		"Buyer": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "mail": {"type": "string"}}},
		"Line": {"type": "object", "required": ["price"], "properties": {"price": {"type": "integer"}, "sku": {"type": "string"}, "notes": {"type": "array", "items": {"type": "string"}}}}
	}
}`

// orders is a model of one schema, order.json.
func orders(t testing.TB) *model.Model {
	t.Helper()
	doc, err := source.Parse("s/order.json", []byte(orderSchema), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("shop", set, graph.Options{Dir: "s"})
	if err != nil {
		t.Fatal(err)
	}
	m, problems := model.Build(g, model.Options{Contract: "shop"})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	interp.Settle(m)
	return m
}

func parsed(t testing.TB, name, text string) *source.Document {
	t.Helper()
	doc, err := source.Parse(name, []byte(text), source.Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// load decodes and checks a registry that lies beside order.json.
func load(t testing.TB, text string, witnesses ...string) (*Set, diag.List, error) {
	t.Helper()
	f := Files{Main: parsed(t, "s/invariants.yaml", text)}
	for _, w := range witnesses {
		f.Witnesses = append(f.Witnesses, parsed(t, "s/invariants.witnesses.yaml", w))
	}
	reg, err := Decode(f)
	if err != nil {
		return nil, nil, err
	}
	return Check(reg, orders(t))
}

func must(t testing.TB, text string, witnesses ...string) (*Set, *interp.Interp) {
	t.Helper()
	set, _, err := load(t, text, witnesses...)
	if err != nil {
		t.Fatal(err)
	}
	in, err := interp.New(set.Model)
	if err != nil {
		t.Fatal(err)
	}
	return set, in
}

// places shows errors and warnings as "line:col code", without missing witnesses.
func places(err error, warnings diag.List) string {
	list, _ := errors.AsType[diag.List](err)
	var out []string
	for _, d := range append(list, warnings...) {
		if d.Code != NoWitness {
			out = append(out, fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Col, strings.TrimPrefix(d.Code, "rules.")))
		}
	}
	return strings.Join(out, ", ")
}

func TestRegistryProblems(t *testing.T) {
	const rule = "rules:\n  - id: a\n    schema: order.json\n    rule: self.total > 0\n" // the next line is 6
	for _, tt := range []struct{ name, text, want string }{
		{"in order", "version: 1\n" + rule, ""},
		{"no version", rule, "1:1 registry"},
		{"another version", "version: 2\n" + rule, "1:10 registry"},
		{"a list", "- 1\n", "1:1 registry"},
		{"unknown key", "version: 1\nrule: []\n" + rule, "2:1 registry"},
		{"rules are no list", "version: 1\nrules: {}\n", "2:8 registry"},
		{"a rule that is a text", "version: 1\nrules: [x]\n", "2:9 registry"},
		{"unknown key of a rule", "version: 1\n" + rule + "    messag: x\n", "6:5 registry"},
		{"no id, no schema", "version: 1\nrules:\n  - rule: self.total > 0\n", "3:5 registry, 3:5 registry"},
		{"an id in capitals", "version: 1\nrules:\n  - {id: A b, schema: order.json, rule: self.total > 0}\n", "3:10 registry"},
		{"an id that is no text", "version: 1\nrules:\n  - {id: 7, schema: order.json, rule: self.total > 0}\n", "3:10 registry"},
		{"two checks", "version: 1\n" + rule + "    offenders: self.lines\n", "3:5 registry"},
		{"no check", "version: 1\nrules:\n  - {id: a, schema: order.json}\n", "3:5 registry"},
		{"an empty check", "version: 1\nrules:\n  - {id: a, schema: order.json, rule: ' '}\n", "3:5 registry"},
		{"unknown scope", "version: 1\n" + rule + "    scope: documents\n", "6:12 registry"},
		{"a path without slash", "version: 1\n" + rule + "    path: total\n", "6:11 registry"},
		{"a path that is open", "version: 1\n" + rule + "    path: /{self.total\n", "6:11 registry"},
		{"old values in a document", "version: 1\n" + rule + "    optionalOldSelf: true\n", "3:9 registry"},
		{"a word for a truth", "version: 1\n" + rule + "    optionalOldSelf: maybe\n", "6:22 registry"},
		{"a variable called self", "version: 1\n" + rule + "    forEach: [{as: self, in: self.lines}]\n", "6:20 registry"},
		{"a loop over nothing", "version: 1\n" + rule + "    forEach: [{as: x}]\n", "6:15 registry"},
		{"a witness without document", "version: 1\n" + rule + "    witnesses: {valid: [{note: x}]}\n", "6:25 registry"},
		{"a witness of both", "version: 1\n" + rule + "    witnesses: {valid: [{value: 1, fixture: x}]}\n", "6:25 registry"},
		{"a patch that is one operation", "version: 1\n" + rule + "    witnesses: {valid: [{value: 1, patch: {op: test}}]}\n", "6:43 registry"},
		{"an id that is twice there", "version: 1\n" + rule + "  - {id: a, schema: order.json, rule: self.total > 1}\n", "6:10 duplicate-id"},
		{"equivalent without reason", "version: 1\n" + rule + "    equivalent: [{mutant: x}]\n", "6:18 registry"},
		{"unknown profile", "version: 1\nprofile: k8s\n" + rule, "2:10 registry"},
		{"an included file that is a number", "version: 1\ninclude: [1]\n" + rule, "2:11 registry"},
		{"a function without expression", "version: 1\nfunctions: [{name: f}]\n" + rule, "2:13 registry"},
		{"a function with a space", "version: 1\nfunctions: [{name: f f, expr: '1'}]\n" + rule, "2:20 registry"},
		{"two functions of one name", "version: 1\nfunctions: [{name: f, expr: '1'}, {name: f, expr: '2'}]\n" + rule, "2:42 registry"},
		{"a function called size", "version: 1\nfunctions: [{name: size, params: [{name: x, type: string}], expr: '1'}]\n" + rule, "2:20 registry"},
		{"a parameter of no type", "version: 1\nfunctions: [{name: f, params: [{name: x, type: strin}], expr: '1'}]\n" + rule, "2:48 type"},
		{"a function is called before it is there", "version: 1\nfunctions: [{name: g, expr: f()}, {name: f, expr: '2'}]\n" + rule, "2:30 type"},
		{"a limit of nothing", "version: 1\ncostLimit: 0\n" + rule, "2:12 registry"},
		{"a derived member without schema", "version: 1\nderived: [{member: note, expr: string(self.total)}]\n" + rule, "2:11 registry"},
		{"a derived member that is no text", "version: 1\nderived: [{schema: order.json, member: note, expr: size(self)}]\n" + rule, "2:52 type"},
		{"a list of schemas", "version: 1\nrules:\n  - {id: a, schema: [order.json, 'order.json#/$defs/Line'], rule: 'size(self) > 0'}\n", ""},
		{"a list of no schemas", "version: 1\nrules:\n  - {id: a, schema: [], rule: 'size(self) > 0'}\n", "3:21 registry"},
		{"a list with a schema that is none", "version: 1\nrules:\n  - {id: a, schema: [order.json, x], rule: 'size(self) > 0'}\n", "3:34 unknown-schema"},
		{"a schema that is none", "version: 1\nrules:\n  - {id: a, schema: orders.json, rule: self.total > 0}\n", "3:21 unknown-schema"},
		{"a part that is none", "version: 1\nrules:\n  - {id: a, schema: 'order.json#/$defs/Lin', rule: self.price > 0}\n", "3:21 unknown-schema"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, warnings, err := load(t, tt.text)
			if got := places(err, warnings); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%v", got, tt.want, err)
			}
		})
	}
}

func TestWitnessFileProblems(t *testing.T) {
	const registry = "version: 1\nrules:\n  - {id: a, schema: order.json, rule: self.total > 0}\n"
	for _, tt := range []struct{ text, want string }{
		{"a: {valid: [{value: 1}]}\n", ""},
		{"b: {valid: [{value: 1}]}\n", "1:1 registry"},
		{"a: {vald: [{value: 1}]}\n", "1:5 registry"},
		{"a: []\n", "1:4 registry"},
		{"a: {invalid: [{value: 1, also: [b]}]}\n", "1:33 registry"},
		{"[]\n", "1:1 registry"},
	} {
		_, warnings, err := load(t, registry, tt.text)
		if got := places(err, warnings); got != tt.want {
			t.Errorf("%s: got %s, want %s: %v", tt.text, got, tt.want, err)
		}
	}
}

// What is not clear from the message alone says what to do.
func TestHints(t *testing.T) {
	const rule = "rules:\n  - {id: a.rule, schema: order.json, rule: self.total > 0, "
	const template = "templates: {atMost: {schema: order.json, rule: self.total > 0}}\n"
	for _, tt := range []struct{ text, message, hint string }{
		{"functions: [{name: size, params: [{name: x, type: string}], expr: '1'}]\n" + rule + "}", "CEL has a function size of its own", "choose another name"},
		{"functions: [{name: unique, params: [{name: x, type: list(string)}], expr: 'true'}]\n" + rule + "}", "CEL has a function unique", "choose another name"},
		{"functions: [{name: exists, expr: 'true'}]\n" + rule + "}", "CEL has a function exists", "choose another name"},
		{template + "rules:\n  - {id: a, template: atMots}", `no template is called "atMots"`, `did you mean "atMost"?`},
		{rule + "witnesses: {invalid: [{value: 1, also: [a.rul]}]}}", `no rule has the id "a.rul"`, `did you mean "a.rule"?`},
		{"rules:\n  - {id: a, schema: order.json, rule: 'self.lines.all(a, self.lines.exists_one(b, b.price == a.price))'}", "the work grows", "misses(names, list.map(x, x.id))"},
		{rule + "}", "neither a valid nor an invalid witness", "--suggest"},
		{rule + "witnesses: {valid: [{value: 1}]}}", "has not an invalid witness", "--suggest"},
	} {
		_, list, err := load(t, "version: 1\n"+tt.text+"\n")
		if found, ok := errors.AsType[diag.List](err); ok {
			list = found
		}
		ok := false
		for _, d := range list {
			ok = ok || strings.Contains(d.Message, tt.message) && strings.Contains(d.Hint, tt.hint)
		}
		if !ok {
			t.Errorf("%s\n%v", tt.text, list)
		}
	}
}

func TestTemplates(t *testing.T) {
	const head = "version: 1\ntemplates:\n  atMost:\n    params: [limit]\n    schema: order.json\n    rule: self.total <= ${limit}\n    message: at most ${limit}\nrules:\n"
	for _, tt := range []struct{ name, rule, want, text, message string }{
		{"filled", "{id: a, template: atMost, with: {limit: 9}}", "", "self.total <= 9", "at most 9"},
		{"the rule counts more", "{id: a, template: atMost, with: {limit: 9}, message: 'no, ${limit}'}", "", "self.total <= 9", "no, 9"},
		{"no value", "{id: a, template: atMost}", "9:23 registry", "", ""},
		{"a value too many", "{id: a, template: atMost, with: {limit: 9, x: 1}}", "9:23 registry", "", ""},
		{"a list", "{id: a, template: atMost, with: {limit: [9]}}", "9:45 registry", "", ""},
		{"no such template", "{id: a, schema: order.json, rule: self.total > 0, template: most}", "9:65 registry", "", ""},
		{"nothing to fill", "{id: a, schema: order.json, rule: self.total > 0, with: {limit: 9}}", "9:61 registry", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set, warnings, err := load(t, head+"  - "+tt.rule+"\n")
			if got := places(err, warnings); got != tt.want {
				t.Fatalf("got  %s\nwant %s\n%v", got, tt.want, err)
			}
			if set != nil && (set.Registry.Rules[0].Rule.Value != tt.text || set.Registry.Rules[0].Message != tt.message) {
				t.Errorf("got %q, %q", set.Registry.Rules[0].Rule.Value, set.Registry.Rules[0].Message)
			}
		})
	}
}

// Problems in expressions stand at the character, however YAML holds the text.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ name, rule, want string }{
		{"plain", " self.totl > 0", "5:15 type"},
		{"plain over lines", " self.total > 0\n      && self.totl > 0", "6:14 type"},
		{"single quotes", " 'self.totl > 0'", "5:16 type"},
		{"single quotes within", " 'self.note == ''x'' && self.totl > 0'", "5:16 optional"},
		{"doubled quotes before", " '''x'' != ''y'' && self.totl > 0'", "5:34 type"},
		{"double quotes", ` "self.totl > 0"`, "5:16 type"},
		{"a text first", ` "'x' != 'y' && self.totl > 0"`, "5:30 type"},
		{"escaped quotes", ` "\"x\" != \"y\" && self.totl > 0"`, "5:34 type"},
		{"escaped line feed", ` "self.total > 0\n && self.totl > 0"`, "5:36 type"},
		{"other escapes", ` "'\x74' != '' && self.totl > 0"`, "5:11 type"},
		{"folded", " >-\n      self.total > 0\n      && self.totl > 0", "7:14 type"},
		{"folded with a comment", " > # why\n      self.total > 0\n      && self.totl > 0", "7:14 type"},
		{"literal", " |\n      self.total > 0\n        && self.totl > 0", "7:16 type"},
		{"literal with an indent", " |2+\n        self.totl > 0", "6:13 type"},
		{"a character of three bytes before", " \"'€' != '' && self.totl > 0\"", "5:31 type"},
		{"syntax", " >-\n      self.total >\n      > 0", "7:7 syntax"},
		{"a number for a truth", " self.total", "5:11 type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, warnings, err := load(t, "version: 1\nrules:\n  - id: a\n    schema: order.json\n    rule:"+tt.rule+"\n")
			got := places(err, warnings)
			if tt.name == "single quotes within" { // the misspelt member hides the rest
				if !strings.Contains(got, "5:") {
					t.Errorf("got %s", got)
				}
				return
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s\n%v", got, tt.want, err)
			}
			list, _ := errors.AsType[diag.List](err)
			for _, d := range list {
				line, under, found := strings.Cut(d.Detail, "\n")
				if !found || under == "" || len(strings.TrimRight(under, "^")) > len(line) {
					t.Errorf("no caret: %q", d.Detail)
				}
			}
		})
	}
}

func TestCaretKeepsWhatIsAroundIt(t *testing.T) {
	long := strings.Repeat("é", 300) + "HERE" + strings.Repeat("é", 300)
	shown := caret(long, strings.Index(long, "HERE")+1)
	line, under, _ := strings.Cut(shown, "\n")
	if at := len([]rune(under)) - 1; len(line) > 170 || string([]rune(line)[at:at+4]) != "HERE" {
		t.Errorf("the caret is under %q", shown)
	}
	for _, tt := range []struct {
		text string
		col  int
		want string
	}{{"", 1, ""}, {"\xff", 1, ""}, {"ab", 3, "ab\n  ^"}, {"ab", 9, "ab"}, {"ab", 0, "ab"}, {"\ta", 2, " a\n ^"}} {
		if got := caret(tt.text, tt.col); got != tt.want {
			t.Errorf("%q at %d: %q", tt.text, tt.col, got)
		}
	}
}

// Optional members are read only where they are there for sure.
func TestGuards(t *testing.T) {
	for _, tt := range []struct {
		rule    string
		missing string // what may be missing
	}{
		{"self.note != ''", "self.note"},
		{"has(self.note) && self.note != ''", ""},
		{"self.note != '' && has(self.note)", "self.note"},
		{"!has(self.note) || self.note != ''", ""},
		{"has(self.note) || self.note != ''", "self.note"},
		{"!(has(self.note) && self.note == '')", ""},
		{"!has(self.note) || !has(self.buyer) || self.note != self.buyer.name", ""},
		{"!(has(self.note) && has(self.buyer)) || self.note != self.buyer.name", ""},
		{"(!has(self.note) && !has(self.buyer)) || self.note != ''", "self.note"},
		{"has(self.note) ? self.note != '' : self.total > 0", ""},
		{"has(self.note) ? self.total > 0 : self.note != ''", "self.note"},
		{"!has(self.note) ? self.total > 0 : self.note != ''", ""},
		{"has(self.buyer.mail)", "self.buyer"},
		{"has(self.buyer) && has(self.buyer.mail) && self.buyer.mail != ''", ""},
		{"has(self.buyer) && self.buyer.mail != ''", "self.buyer.mail"},
		{"self.?note.orValue('') != ''", ""},
		{"self.?buyer.?mail.orValue('') != ''", ""},
		{"self.lines.all(l, l.sku != '')", "l.sku"},
		{"self.lines.all(l, has(l.sku) && l.sku != '')", ""},
		{"self.lines.filter(l, has(l.sku)).all(l, l.sku != '')", ""},
		{"self.lines.filter(l, has(l.sku)).map(x, x.sku).size() > 0", ""},
		{"self.lines.filter(l, !has(l.sku)).map(x, x.sku).size() > 0", "x.sku"},
		{"self.lines.map(l, has(l.sku), l.sku).size() > 0", ""},
		{"self.lines.exists(l, l.price > 0 && l.sku != '')", "l.sku"},
		{"has(self.note) && self.lines.all(self, self.sku != '')", "self.sku"},
		{"self.lines[0].sku != ''", "self.lines[0].sku"},
		{"has(self.lines[0].sku) && self.lines[0].sku != ''", ""},
		{"cel.bind(b, has(self.note), b && self.note != '')", "self.note"},
		{"(has(self.note) == true) && self.note != ''", "self.note"},
	} {
		_, warnings, err := load(t, "version: 1\nrules:\n  - id: a\n    schema: order.json\n    rule: |-\n      "+tt.rule+"\n")
		list, _ := errors.AsType[diag.List](err)
		var missing []string
		for _, d := range append(list, warnings...) {
			if d.Code == "rules.optional" {
				missing = append(missing, strings.TrimSuffix(d.Message, " may be missing here"))
			} else if d.Code != NoWitness {
				t.Errorf("%s: %v", tt.rule, d)
			}
		}
		if got := strings.Join(slices.Compact(missing), ", "); got != tt.missing {
			t.Errorf("%s: %q may be missing, want %q", tt.rule, got, tt.missing)
		}
	}
	for _, text := range []string{
		"version: 1\nrules:\n  - {id: a, schema: order.json, rule: self.note != '', unguarded: absence is a fault}\n",
		"version: 1\nprofile: kubernetes\nrules:\n  - {id: a, schema: order.json, rule: self.note != ''}\n",
		"version: 1\nrules:\n  - {id: a, schema: order.json, forEach: [{as: l, in: 'self.lines.filter(x, has(x.sku))'}], rule: l.sku != ''}\n",
	} {
		if _, warnings, err := load(t, text); places(err, warnings) != "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestDeadRules(t *testing.T) {
	for rule, dead := range map[string]bool{
		"1 < 2": true, "true": true, "self.total > 0 || true": true, "self.total > 0 && false": true,
		"self.total == self.total": true, "self.total != self.total": true, "self.total > 0 || !(self.total > 0)": true,
		"!(1 == 1)": true, "self.total > 0 ? true : true": true, "true ? self.total > 0 : false": false,
		"self.total > 0": false, "self.total > 0 || self.total < 0": false, "self.total > 0 && true": false, "self.total > 0 ? true : false": false,
	} {
		_, warnings, err := load(t, "version: 1\nrules:\n  - id: a\n    schema: order.json\n    rule: |-\n      "+rule+"\n")
		if got := places(err, warnings); strings.Contains(got, "dead") != dead {
			t.Errorf("%s: got %q", rule, got)
		}
	}
	if _, _, err := load(t, "version: 1\nrules:\n  - {id: a, schema: order.json, offenders: '[1]'}\n"); places(err, nil) != "3:45 dead" {
		t.Errorf("offenders that are always there: %v", err)
	}
}

func TestCost(t *testing.T) {
	for text, want := range map[string]string{
		"rules:\n  - {id: a, schema: order.json, rule: 'self.lines.all(x, self.lines.exists(y, y.price > x.price))'}\n":                           "cost",
		"costLimit: 20000000\nrules:\n  - {id: a, schema: order.json, rule: 'self.lines.all(x, self.lines.exists(y, y.price > x.price))'}\n":      "",
		"rules:\n  - {id: a, schema: order.json, rule: 'self.lines.all(x, [1, 2, 3].exists(y, y > x.price))'}\n":                                  "",
		"rules:\n  - {id: a, schema: order.json, rule: 'unique(self.lines.map(x, x.price))'}\n":                                                   "",
		"rules:\n  - {id: a, schema: order.json, forEach: [{as: x, in: self.lines}], rule: 'self.lines.all(y, y.price >= x.price)'}\n":            "cost",
		"rules:\n  - {id: a, schema: order.json, costly: orders are short, rule: 'self.lines.all(x, self.lines.exists(y, y.price > x.price))'}\n": "",
		// Parts of what a loop goes over are no more than the input.
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, x.notes.all(n, n != \"\"))'}\n":                                      "",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, x.notes.all(n, n != \"\") && unique(x.notes))'}\n":                   "",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, x.notes.filter(n, n != \"\").all(n, x.notes.exists(m, m < n)))'}\n":  "cost",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, self.lines.all(y, x.notes.all(n, n != y.sku)))'}\n":                  "cost",
		"rules:\n  - {id: a, schema: order.json, forEach: [{as: x, in: self.lines}, {as: n, in: x.notes}], unguarded: u, rule: 'n != string(self.total)'}\n": "",
		"rules:\n  - {id: a, schema: order.json, forEach: [{as: x, in: self.lines}, {as: n, in: x.notes}], unguarded: u, rule: 'n in x.notes'}\n":            "cost",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, cel.bind(ns, x.notes, ns.all(n, n != \"\")))'}\n":                    "",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, cel.bind(ns, x.notes, ns.all(n, n in ns)))'}\n":                      "cost",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.map(x, x.notes).all(ns, ns.all(n, n != \"\"))'}\n":                          "",
		"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, cel.bind(few, [1, 2], few.exists(y, y > 1)))'}\n":                    "",
		// What functions do counts, for what they are called with.
		"functions:\n  - {name: known, params: [{name: s, type: string}, {name: all, type: list(string)}], expr: s in all}\n" +
			"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, known(x.sku, self.lines.map(l, l.sku)))'}\n": "cost",
		"functions:\n  - {name: known, params: [{name: s, type: string}, {name: all, type: list(string)}], expr: s in all}\n" +
			"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, known(x.sku, x.notes))'}\n": "",
		"functions:\n  - {name: two, params: [{name: s, type: string}], expr: '[s, s]'}\n" +
			"rules:\n  - {id: a, schema: order.json, unguarded: u, rule: 'self.lines.all(x, two(x.sku).all(s, s != \"\"))'}\n": "",
	} {
		_, warnings, err := load(t, "version: 1\n"+text)
		if got := places(err, warnings); strings.Contains(got, "cost") != (want != "") || err != nil {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}

func TestExpressionsAreBounded(t *testing.T) {
	for name, expr := range map[string]string{
		"long":   "self.total > 0" + strings.Repeat(" && self.total > 0", 3000),
		"nested": strings.Repeat("(", 5000) + "self.total > 0" + strings.Repeat(")", 5000),
	} {
		_, _, err := load(t, "version: 1\nrules:\n  - id: a\n    schema: order.json\n    rule: "+expr+"\n")
		if err == nil {
			t.Errorf("%s: is taken", name)
		}
	}
}

func TestPatch(t *testing.T) {
	const doc = `{"a":[1,2],"b":{"c/d":null}}`
	for _, tt := range []struct{ patch, want string }{
		{`[]`, doc},
		{`[{"op":"add","path":"/a/-","value":3}]`, `{"a":[1,2,3],"b":{"c/d":null}}`},
		{`[{"op":"add","path":"/a/0","value":3}]`, `{"a":[3,1,2],"b":{"c/d":null}}`},
		{`[{"op":"add","path":"/a/2","value":3}]`, `{"a":[1,2,3],"b":{"c/d":null}}`},
		{`[{"op":"add","path":"/b/c~1d","value":3}]`, `{"a":[1,2],"b":{"c/d":3}}`},
		{`[{"op":"replace","path":"","value":3}]`, `3`},
		{`[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/b"}]`, `{"a":[2]}`},
		{`[{"op":"move","from":"/a/0","path":"/c"}]`, `{"a":[2],"b":{"c/d":null},"c":1}`},
		{`[{"op":"copy","from":"/a","path":"/b/x"}]`, `{"a":[1,2],"b":{"c/d":null,"x":[1,2]}}`},
		{`[{"op":"copy","from":"/a","path":"/x"},{"op":"remove","path":"/x/0"}]`, `{"a":[1,2],"b":{"c/d":null},"x":[2]}`},
		{`[{"op":"test","path":"/a/0","value":1}]`, doc},
		{`[{"op":"test","path":"/a/0","value":2}]`, "error"},
		{`[{"op":"add","path":"/a/3","value":3}]`, "error"},
		{`[{"op":"add","path":"/a/01","value":3}]`, "error"},
		{`[{"op":"add","path":"/a/-1","value":3}]`, "error"},
		{`[{"op":"replace","path":"/a/2","value":3}]`, "error"},
		{`[{"op":"replace","path":"/x","value":3}]`, "error"},
		{`[{"op":"remove","path":"/a/-"}]`, "error"},
		{`[{"op":"remove","path":"/x"}]`, "error"},
		{`[{"op":"remove","path":""}]`, "error"},
		{`[{"op":"add","path":"/x/y","value":3}]`, "error"},
		{`[{"op":"add","path":"a","value":3}]`, "error"},
		{`[{"op":"add","path":"/b/~2","value":3}]`, "error"},
		{`[{"op":"add","path":"/x"}]`, "error"},
		{`[{"op":"copy","path":"/x"}]`, "error"},
		{`[{"op":"move","from":"/a","path":"/a/b"}]`, "error"},
		{`[{"op":"dance","path":"/x"}]`, "error"},
		{`[{"path":"/x"}]`, "error"},
		{`[7]`, "error"},
	} {
		v := parsed(t, "v.json", doc).Root
		got, err := apply(v, parsed(t, "p.json", tt.patch).Root)
		text := "error"
		if err == nil {
			text = string(source.AppendJSON(nil, got))
		}
		if text != tt.want {
			t.Errorf("%s: got %s, want %s (%v)", tt.patch, text, tt.want, err)
		}
		if before := string(source.AppendJSON(nil, v)); before != doc {
			t.Errorf("%s changes the document to %s", tt.patch, before)
		}
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "/a/b": "a b", "/a~1b/~0": "a/b ~", "/{x}/y": "{x} y", "/{{'a': 1}.size()}": "{{'a': 1}.size()}", "/{'}'}/z": "{'}'} z", `/{'\'}'}`: `{'\'}'}`,
		"/": "", "/{x": "error", "a": "error", "/{x}y": "error", "/~2": "error",
	} {
		parts, err := splitPath(path)
		var got []string
		for _, p := range parts {
			if p.expr != "" {
				got = append(got, "{"+p.expr+"}")
			} else {
				got = append(got, p.text)
			}
		}
		text := strings.Join(got, " ")
		if err != nil {
			text = "error"
		}
		if text != want {
			t.Errorf("%q: got %q, want %q", path, text, want)
		}
	}
}

// What a later suggestion notices too needs no earlier one.
func TestNeeded(t *testing.T) {
	for _, tt := range []struct {
		valid   []bool
		notices [][]int
		have    map[bool]int
		want    string
	}{
		{[]bool{true, false, false}, [][]int{{1}, {2}, {2, 3}}, nil, "[0 2]"},
		{[]bool{false, false, false}, [][]int{{1, 2}, {2, 3}, {1, 3}}, nil, "[1 2]"},
		{[]bool{true, false}, [][]int{{1}, {1}}, nil, "[0 1]"},
		{[]bool{true, false}, [][]int{{1}, {1}}, map[bool]int{true: 1}, "[1]"},
		{[]bool{true, true}, [][]int{{}, {}}, nil, "[1]"},
	} {
		if got := fmt.Sprint(needed(tt.valid, tt.notices, tt.have)); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.notices, got, tt.want)
		}
	}
}

const suggestible = `version: 1
rules:
  - id: order.sum
    schema: order.json
    rule: self.lines.map(l, l.price).sum() == self.total
    path: /total
  - id: order.small
    schema: order.json
    rule: self.total < 100 && (!has(self.paid) || self.paid)
`

// The search finds witnesses, the same each time; what is written is read again, and
// then no mutant survives that one could notice.
func TestSuggest(t *testing.T) {
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "s", "fixtures"), 0o755)
	for name, text := range map[string]string{"order.valid.json": `{"total": 3, "lines": [{"price": 1}, {"price": 2, "sku": "x"}], "paid": true}`, "order.invalid.json": `{}`} {
		if err := os.WriteFile(filepath.Join(dir, "s", "fixtures", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var first string
	for range 2 {
		set, in := must(t, suggestible)
		found, err := set.Suggest(t.Context(), in, nil, dir, "", source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := AddWitnesses(nil, found)
		if err != nil {
			t.Fatal(err)
		}
		if first != "" && string(text) != first {
			t.Errorf("the search is not the same twice:\n%s\n%s", first, text)
		}
		first = string(text)
	}
	set, in := must(t, suggestible, first)
	cases, problems := set.Cases(t.Context(), in, dir, source.Limits{})
	if problems != nil || len(cases) < 4 {
		t.Fatalf("%d cases, %v", len(cases), problems)
	}
	e, err := set.Evaluator(in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		if list := set.Verify(&cases[i], e.Judge(&cases[i])); list != nil {
			t.Error(list)
		}
	}
	survivors, total, err := set.Survivors(in, cases, "")
	if err != nil || total < 10 {
		t.Fatalf("%d mutants, %v", total, err)
	}
	for _, s := range survivors {
		t.Errorf("%s: %s survives", s.Rule, s.What)
	}
	// None is there that is not needed.
	for i := range cases {
		rest := slices.Delete(slices.Clone(cases), i, i+1)
		same := slices.ContainsFunc(rest, func(c Case) bool { return c.Rule == cases[i].Rule && c.Valid == cases[i].Valid })
		if left, _, err := set.Survivors(in, rest, ""); err != nil || len(left) == 0 && same {
			t.Errorf("the witness at %s notices nothing of its own, %v", cases[i].Pointer, err)
		}
	}
	// Another search has nothing to add.
	again, err := set.Suggest(t.Context(), in, cases, dir, "", source.Limits{})
	if err != nil || len(again) != 0 {
		t.Errorf("found %v again, %v", again, err)
	}
}

func TestAddWitnessesKeepsWhatIsThere(t *testing.T) {
	have := "b:\n  invalid:\n    - {value: {x: 1.50, y: \"ü\\n\"}, note: why}\n  equivalent:\n    - {mutant: m, reason: r}\n'odd id':\n  valid: [{fixture: f}]\n"
	text, err := AddWitnesses(parsed(t, "w.yaml", have), []Suggestion{{Rule: "a", Valid: true, Text: `{"value": 1}`}, {Rule: "b", Text: `{"value": [true, null]}`}})
	if err != nil {
		t.Fatal(err)
	}
	want := witnessHead + `b:
  invalid:
    - {"value":{"x":1.50,"y":"ü\n"},"note":"why"}
    - {"value":[true,null]}
  equivalent:
    - {"mutant":"m","reason":"r"}
"odd id":
  valid:
    - {"fixture":"f"}
a:
  valid:
    - {"value":1}
`
	if string(text) != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	again, err := AddWitnesses(parsed(t, "w.yaml", string(text)), nil)
	if err != nil || string(again) != want {
		t.Errorf("written again:\n%s%v", again, err)
	}
	if _, err := AddWitnesses(nil, []Suggestion{{Rule: "a", Text: "{"}}); err == nil {
		t.Error("a witness that is no JSON is written")
	}
}

// Witnesses are held to what they should show.
func TestVerify(t *testing.T) {
	const head = `version: 1
rules:
  - {id: pos, schema: order.json, rule: self.total > 0, path: /total}
  - {id: small, schema: order.json, rule: self.total < 10}
  - {id: up, schema: order.json, scope: transition, rule: self.total > oldSelf.total}
  - {id: one, schema: order.json, scope: set, rule: self.size() < 2}
  - {id: price, schema: 'order.json#/$defs/Line', rule: self.price >= 0}
`
	order := func(total int) string { return fmt.Sprintf("{value: {total: %d, lines: []}}", total) }
	for _, tt := range []struct{ name, witnesses, want string }{
		{"in order", "pos: {valid: [" + order(1) + "], invalid: [" + order(0) + "]}", ""},
		{"valid that is not", "pos: {valid: [" + order(0) + "]}", "a valid witness is rejected"},
		{"invalid that is not", "pos: {invalid: [" + order(1) + "]}", "an invalid witness is accepted"},
		{"rejected by another", "pos: {valid: [" + order(20) + "]}", "rejected by the rule small too"},
		{"another that is named", "small: {invalid: [{value: {total: 20, lines: [{price: -1}]}, also: [price]}]}", ""},
		{"another that does nothing", "small: {invalid: [{value: {total: 20, lines: []}, also: [price]}]}", "not rejected by the rule price"},
		{"broken structure", "pos: {valid: [{value: {total: x}}]}", "breaks its schema"},
		{"rejected before the rule", "pos: {invalid: [{value: {total: x}}]}", "the schema rejects the witness already"},
		{"a change", "up: {valid: [{value: {total: 2, lines: []}, old: " + order(1) + "}], invalid: [{value: {total: 1, lines: []}, old: " + order(1) + "}]}", ""},
		{"a change without old", "up: {valid: [" + order(1) + "]}", "has the document before in old"},
		{"a set", "one: {valid: [{list: []}, {list: [" + order(1) + "]}], invalid: [{list: [" + order(1) + ", " + order(2) + "]}]}", ""},
		{"a set of one document", "one: {valid: [" + order(1) + "]}", "is a list"},
		{"a part", "price: {valid: [{value: {price: 0}}], invalid: [{value: {price: -1}}]}", ""},
		{"a part within its document", "price: {invalid: [{schema: order.json, value: {total: 1, lines: [{price: -1}]}}]}", ""},
		{"no such fixture", "pos: {valid: [{fixture: nope.json}]}", "nope.json"},
		{"a fixture elsewhere", "pos: {valid: [{fixture: ../../x.json}]}", "outside the project"},
		{"a patch that does not fit", "pos: {valid: [{value: {}, patch: [{op: remove, path: /x}]}]}", "the patch cannot be applied"},
		{"a schema that is none", "pos: {valid: [{schema: no.json, value: {}}]}", "has no schema"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set, in := must(t, head, tt.witnesses+"\n")
			e, err := set.Evaluator(in)
			if err != nil {
				t.Fatal(err)
			}
			cases, problems := set.Cases(t.Context(), in, t.TempDir(), source.Limits{})
			for i := range cases {
				problems = append(problems, set.Verify(&cases[i], e.Judge(&cases[i]))...)
			}
			got := fmt.Sprint(problems.Err())
			if tt.want == "" && len(problems) > 0 || tt.want != "" && (len(problems) != 1 || !strings.Contains(got, tt.want)) {
				t.Errorf("want %q, got %v", tt.want, got)
			}
		})
	}
}

// shop checks one rule against schemas of enums, and shows what is said with its hint.
func shop(t *testing.T, registry string) string {
	t.Helper()
	doc := parsed(t, "s/shop.json", `{
		"type": "object",
		"properties": {
			"status": {"enum": ["active", "closed"]},
			"tags": {"type": "array", "items": {"$ref": "#/$defs/Tag"}},
			"by": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tag"}},
			"maybe": {"enum": ["on", "off", null]},
			"kind": {"oneOf": [
				{"type": "object", "required": ["is"], "properties": {"is": {"const": "cat"}}},
				{"type": "object", "required": ["is"], "properties": {"is": {"const": "dog"}}}]},
			"free": {"type": "string"}
		},
		"required": ["status", "tags", "by", "maybe", "kind", "free"],
		"$defs": {"Tag": {"enum": ["red", "green", "blue"]}}
	}`)
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("shop", set, graph.Options{Dir: "s"})
	if err != nil {
		t.Fatal(err)
	}
	m, problems := model.Build(g, model.Options{Contract: "shop"})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	reg, err := Decode(Files{Main: parsed(t, "s/invariants.yaml", registry)})
	var warnings diag.List
	if err == nil {
		_, warnings, err = Check(reg, m)
	}
	list, _ := errors.AsType[diag.List](err)
	var out []string
	for _, d := range append(list, warnings...) {
		if d.Code != NoWitness {
			out = append(out, fmt.Sprintf("%d:%d %s: %s", d.Pos.Line, d.Pos.Col, strings.TrimPrefix(d.Code, "rules."), d.Hint))
		}
	}
	return strings.Join(out, "; ")
}

func TestConstantsOfEnums(t *testing.T) {
	for rule, want := range map[string]string{
		"self.status == 'actve'":                          `6:22 unknown-constant: did you mean "active"?`,
		"'actve' != self.status":                          `6:7 unknown-constant: did you mean "active"?`,
		"self.status == 'gone'":                           `6:22 unknown-constant: the values are "active", "closed"`,
		"self.status in ['active', 'colsed']":             `6:33 unknown-constant: did you mean "closed"?`,
		"'gren' in self.tags":                             `6:7 unknown-constant: did you mean "green"?`,
		"self.tags.exists(t, t == 'gren')":                `6:32 unknown-constant: did you mean "green"?`,
		"self.tags[0] == 'gren'":                          `6:23 unknown-constant: did you mean "green"?`,
		"self.by['a'] == 'gren'":                          `6:23 unknown-constant: did you mean "green"?`,
		"self.by.all(k, v, v != 'gren')":                  `6:30 unknown-constant: did you mean "green"?`,
		"self.maybe == null || self.maybe == 'onn'":       `6:43 unknown-constant: did you mean "on"?`,
		"self.kind.is == 'cow'":                           `6:23 unknown-constant: the values are "cat", "dog"`,
		"self.by[?'a'].orValue('none') == 'gren'":         `6:40 unknown-constant: did you mean "green"?`,
		"is('actve', self)":                               "",
		"is(self.status)":                                 "4:64 unknown-constant: did you mean \"closed\"?",
		"self.by[?'a'].orValue('none') != 'none'":         "",
		"self.status == 'active' || 'red' in self.tags":   "",
		"self.kind.is in ['cat', 'dog']":                  "",
		"self.free == 'actve' || self.free in ['x']":      "",
		"self.maybe != null && self.maybe == 'on'":        "",
		"self.by.exists(k, k == 'gren')":                  "",
		"self.status.startsWith('act') || 'x' in self.by": "",
	} {
		functions := ""
		if strings.HasPrefix(rule, "is(") {
			functions = "functions:\n  - {name: is, params: [{name: s, type: 'shop.json#/properties/status'}], expr: s == 'colsed'}\n"
			if strings.Contains(rule, ",") {
				functions = "functions:\n  - {name: is, params: [{name: s, type: string}, {name: x, type: shop.json}], expr: s == x.status}\n"
			}
		}
		text := "version: 1\n" + functions + "rules:\n  - id: a\n    schema: shop.json\n    rule: |-\n      " + rule + "\n"
		got := shop(t, text)
		if functions != "" {
			want = strings.Replace(want, "4:64", "3:86", 1)
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", rule, got, want)
		}
	}
}

func TestNamesThatWereMeant(t *testing.T) {
	const head = "version: 1\nfunctions:\n  - {name: isOpen, params: [{name: s, type: string}], expr: s == 'x'}\ntemplates:\n  never: {schema: shop.json, rule: \"self.free != '${what}'\"}\nrules:\n"
	rule := func(r string) string {
		return head + "  - {id: a, schema: shop.json, rule: \"" + r + "\"}\n"
	}
	for text, want := range map[string]string{
		rule("slef.free == 'x'"):                                                                     `7:39 type: did you mean "self"?`,
		rule("isOpne(self.free)"):                                                                    `7:45 type: did you mean "isOpen"?`,
		rule("self.free.startWith('x')"):                                                             `7:58 type: did you mean "startsWith"?`,
		rule("self.tags.all(tag, tga == 'red')"):                                                     `7:58 type: did you mean "tag"?`,
		rule("self.fre == 'x'"):                                                                      `7:43 type: did you mean "free"?`,
		head + "  - {id: a, schema: shpo.json, rule: 'true'}\n":                                      `7:21 unknown-schema: did you mean "shop.json"?`,
		head + "  - {id: a, schema: 'shop.json#/$defs/Tga', rule: self == 'x'}\n":                    `7:21 unknown-schema: did you mean "shop.json#/$defs/Tag"?`,
		head + "  - {id: a, template: nevr, with: {what: x}}\n":                                      `7:23 registry: did you mean "never"?`,
		"version: 1\nfunctions:\n  - {name: f, params: [{name: s, type: strnig}], expr: s == 'x'}\n": `3:40 type: did you mean "string"?`,
	} {
		if got := shop(t, text); !strings.Contains(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}
