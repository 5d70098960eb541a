package rulefuzz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/diag"
)

// TestRandom compares the engines on rules that nobody wrote: expressions of random form
// over the schema of TestForms, each as a rule and as its opposite, so that what is false
// is told from what fails. Each batch is compiled once. It goes on as TestEngines does.
func TestRandom(t *testing.T) {
	rnd := random()
	limit := duration(t, time.Second)
	batches, rules, documents := 0, 0, 0
	for start := time.Now(); batches == 0 || time.Since(start) < limit && !t.Failed(); batches++ {
		g, head, texts := randomRules(t, rnd, 40)
		begin := time.Now()
		for n := 0; n < 400 && (n < 20 || time.Since(begin) < 4*time.Second) && !t.Failed(); n++ {
			doc := form(rnd)
			if len(doc) > 2000 {
				continue // nested loops would spend the steps that compiled rules may take
			}
			var old []byte
			if rnd.IntN(3) == 0 {
				old = form(rnd)
			}
			if _, ok := g.judged(t, g.roots[0], doc, old); !ok {
				t.Fatalf("a document is broken in structure: %s", doc)
			}
			documents++
		}
		g.judge.Close()
		rules += len(g.set.Checked)
		if t.Failed() {
			t.Log(head + strings.Join(texts, "\n"))
		}
	}
	t.Logf("%d batches, %d rules, %d documents", batches, rules, documents)
}

// randomRules writes a contract with n random expressions and loads it. Expressions that
// the checker rejects are left out.
func randomRules(t *testing.T, rnd *rand.Rand, n int) (*engines, string, []string) {
	t.Helper()
	x := &expressions{rnd: rnd}
	var head strings.Builder
	head.WriteString("version: 1\nfunctions:\n")
	for range 4 {
		f := x.function()
		fmt.Fprintf(&head, "  - {name: %s, params: [{name: %s, type: %s}, {name: %s, type: %s}], expr: %q}\n", f.name, f.params[0], f.written[0], f.params[1], f.written[1], f.body)
	}
	head.WriteString("rules:\n")
	var texts []string
	for i := range n {
		x.vars, x.size = nil, 0
		x.add("self", "self")
		text := fmt.Sprintf("  - {id: r%d, schema: form.json, message: m, unguarded: failures are wanted, ", i)
		if rnd.IntN(5) == 0 {
			x.add("oldSelf", "self")
			text += "scope: transition, "
		}
		path := ""
		if rnd.IntN(5) == 0 {
			list, of := x.list(1)
			as, index := x.name(), x.name()
			for as == index {
				index = x.name()
			}
			text += fmt.Sprintf("forEach: [{as: %s, index: %s, in: %q}], ", as, index, list)
			x.add(as, of)
			x.add(index, "int")
			path = "/{" + index + "}"
		}
		if rnd.IntN(2) == 0 {
			e, _ := x.list(3)
			path += "/{string(dyn(at) == dyn('a') ? 0 : 1)}"
			text += fmt.Sprintf("offenders: %q, path: %q}", e, path)
			texts = append(texts, text)
			continue
		}
		if path != "" {
			text += fmt.Sprintf("path: %q, ", path)
		}
		e := x.of("bool", 4)
		texts = append(texts, text+fmt.Sprintf("rule: %q}", e), strings.Replace(text, "id: r", "id: not-r", 1)+fmt.Sprintf("rule: %q}", "!("+e+")"))
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.MkdirAll(filepath.Join(dir, "schemas"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"contracts.yaml", "schemas/form.json"} {
		data, err := os.ReadFile(filepath.Join("testdata/forms", name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, data)
	}
	before := strings.Count(head.String(), "\n")
	for range 6 {
		write("schemas/invariants.yaml", []byte(head.String()+strings.Join(texts, "\n")+"\n"))
		g, err := loaded(t, filepath.Join(dir, "contracts.yaml"), true)
		var list diag.List
		if err == nil {
			return g, head.String(), texts
		} else if !errors.As(err, &list) {
			t.Fatalf("%v\n%s%s", err, head.String(), strings.Join(texts, "\n"))
		}
		bad := map[int]bool{}
		for _, d := range list {
			if d.Severity != diag.Error {
				continue
			}
			if d.Pos.Line <= before { // a function says the same of everything, or nothing at all
				return randomRules(t, rnd, n)
			}
			bad[d.Pos.Line-before-1] = true
			if os.Getenv("RULES_FUZZ_REJECTED") != "" {
				t.Logf("%v\n%s", d, texts[d.Pos.Line-before-1])
			}
		}
		var left []string
		for i, s := range texts {
			if !bad[i] {
				left = append(left, s)
			}
		}
		texts = left
	}
	t.Fatal("the checker rejects rules without end")
	return nil, "", nil
}

// expressions writes CEL of given types. Types are written as CEL's; those of the schema
// are called self, item, loc and inner.
type expressions struct {
	rnd   *rand.Rand
	vars  []variable
	funcs []function
	size  int // of the expression so far
}

type variable struct{ name, of string }

type function struct {
	name            string
	params, written []string // written are the types as the registry has them
	takes           []string
	gives, body     string
}

func (x *expressions) add(name, of string) { x.vars = append(x.vars, variable{name, of}) }

// name is one that generated Go might use too.
func (x *expressions) name() string {
	return x.pick("x", "l", "m", "i", "few", "keys", "e1", "list", "selfMembers", "c", "d", "o", "out", "end", "count", "len", "type2", "func", "range", "k", "x1", "run", "at2", "xMembers")
}

func (x *expressions) pick(from ...string) string { return from[x.rnd.IntN(len(from))] }

// seen are the variables of a type; those that others hide are not.
func (x *expressions) seen(of string) (names []string) {
	hidden := map[string]bool{}
	for _, v := range slices.Backward(x.vars) {
		if v.of == of && !hidden[v.name] {
			names = append(names, v.name)
		}
		hidden[v.name] = true
	}
	return names
}

// within writes something where a variable is known.
func (x *expressions) within(write func() string, vars ...variable) string {
	n := len(x.vars)
	x.vars = append(x.vars, vars...)
	defer func() { x.vars = x.vars[:n] }()
	return write()
}

func (x *expressions) function() function {
	f := function{name: fmt.Sprintf("f%d", len(x.funcs)), gives: x.pick("bool", "string", "list(string)", "list(int)")}
	x.vars, x.size = nil, 0
	for len(f.params) < 2 {
		name := x.name()
		if slices.Contains(f.params, name) {
			continue
		}
		of := x.pick("string", "int", "list(string)", "loc", "list(loc)", "list(item)", "item")
		written := map[string]string{"loc": "dyn", "list(loc)": "list(dyn)", "list(item)": "list(dyn)", "item": "form.json#/$defs/Item"}[of]
		if written == "" {
			written = of
		}
		f.params, f.takes, f.written = append(f.params, name), append(f.takes, of), append(f.written, fmt.Sprintf("%q", written))
		if strings.Contains(written, "dyn") {
			of = map[string]string{"dyn": "dynloc", "list(dyn)": "list(dynloc)"}[written]
			if f.takes[len(f.takes)-1] == "list(item)" {
				of = "list(dynitem)"
			}
		}
		x.add(name, of)
	}
	f.body = x.of(f.gives, 3)
	x.funcs = append(x.funcs, f)
	return f
}

// list writes a list of some type.
func (x *expressions) list(depth int) (text, of string) {
	of = x.pick("string", "string", "int", "item", "loc")
	return x.of("list("+of+")", depth), of
}

// loop writes list.macro(vars, body) with the element's name and type for the body.
func (x *expressions) loop(depth int, of, macro string, two bool, body func() string) string {
	list := x.of("list("+of+")", depth-1)
	v := x.name()
	if !two {
		return fmt.Sprintf("%s.%s(%s, %s)", list, macro, v, x.within(body, variable{v, of}))
	}
	i := x.name()
	for i == v {
		i = x.name()
	}
	return fmt.Sprintf("%s.%s(%s, %s, %s)", list, macro, i, v, x.within(body, variable{i, "int"}, variable{v, of}))
}

// of writes an expression of a type.
func (x *expressions) of(of string, depth int) string {
	x.size++
	if depth <= 0 || x.size > 40 {
		return x.leaf(of)
	}
	d := depth - 1
	s := func(of string) string { return x.of(of, d) }
	if of != "self" && !strings.Contains(of, "dyn") {
		switch x.rnd.IntN(14) {
		case 0:
			return fmt.Sprintf("(%s ? %s : %s)", s("bool"), s(of), s(of))
		case 1:
			v, t := x.name(), x.pick("string", "list(string)", "list(loc)", "int", "loc", "item", "bool")
			return fmt.Sprintf("cel.bind(%s, %s, %s)", v, s(t), x.within(func() string { return s(of) }, variable{v, t}))
		case 2, 3:
			for _, f := range x.funcs {
				if f.gives == of && x.rnd.IntN(2) == 0 {
					return fmt.Sprintf("%s(%s, %s)", f.name, s(f.takes[0]), s(f.takes[1]))
				}
			}
		}
	}
	elem := x.pick("string", "string", "int", "item", "loc")
	l := "list(" + elem + ")"
	two := x.rnd.IntN(3) == 0
	var forms []func() string
	form := func(f func() string) { forms = append(forms, f) }
	leaf := func() { form(func() string { return x.leaf(of) }) }
	switch of {
	case "bool":
		form(func() string { return s("bool") + " && " + s("bool") })
		form(func() string { return "(" + s("bool") + " || " + s("bool") + ")" })
		form(func() string { return "!(" + s("bool") + ")" })
		form(func() string { return s("string") + x.pick(" == ", " != ", " < ", " >= ") + s("string") })
		form(func() string { return s("int") + x.pick(" == ", " != ", " < ", " >= ") + s("int") })
		form(func() string { return s(elem) + x.pick(" == ", " != ") + s(elem) })
		form(func() string { return s(l) + x.pick(" == ", " != ") + s(l) })
		form(func() string { return s(elem) + " in " + s(l) })
		form(func() string {
			return "sets." + x.pick("contains", "intersects", "equivalent") + "(" + s(l) + ", " + s(l) + ")"
		})
		form(func() string { return "unique(" + s(l) + ")" })
		form(func() string { return "sorted(" + s(x.pick("list(string)", "list(int)")) + ")" })
		form(func() string {
			return "size(" + x.pick("misses("+s(l)+", "+s(l)+")", "repeats("+s(l)+")", s(l)) + ")" + x.pick(" == 0", " > 0", " != 0", " < 2", " >= 1")
		})
		form(func() string {
			return s("string") + "." + x.pick("startsWith", "endsWith", "contains") + "(" + s("string") + ")"
		})
		form(func() string {
			return s("string") + ".matches(" + x.pick("'^a|b$'", "r'(?i)A\\b'", "'(?s)^.$'", "'[^a]'", "'^(a|ab)(c|bcd)*$'", "'(?i)k'") + ")"
		})
		form(func() string {
			return x.loop(depth, elem, x.pick("all", "exists"), two, func() string { return s("bool") })
		})
		form(func() string {
			return x.loop(depth, elem, map[bool]string{true: "existsOne", false: "exists_one"}[two], two, func() string { return s("bool") })
		})
		form(func() string { return "has(" + x.optional(d) + ")" })
	case "string":
		leaf()
		form(func() string { return s("string") + " + " + s("string") })
		form(func() string { return "string(" + s("int") + ")" })
		form(func() string { return "canonical([" + s("string") + ", " + s(elem) + "])" })
		form(func() string { return s("list(string)") + "[" + s("int") + "]" })
		form(func() string { return s("list(string)") + "[?" + s("int") + "].orValue(" + s("string") + ")" })
		form(func() string { return s("list(string)") + ".join('/')" })
		form(func() string { return "{'a': 'b', 'b': 'a'}[" + s("string") + "]" })
		form(func() string {
			return "{'a': " + s("string") + ", 'b': 'a'}[?" + s("string") + "].orValue(" + s("string") + ")"
		})
	case "int":
		leaf()
		form(func() string { return "size(" + s(x.pick(l, "string")) + ")" })
		form(func() string { return s("int") + x.pick(" + ", " - ", " * ", " % ") + s("int") })
		form(func() string { return s("list(int)") + "[" + s("int") + "]" })
		form(func() string {
			return "size(" + x.loop(depth, elem, "filter", false, func() string { return s("bool") }) + ")"
		})
	case "item", "loc":
		leaf()
		form(func() string { return s("list("+of+")") + "[" + x.pick("0", "1", s("int")) + "]" })
		if of == "loc" {
			form(func() string { return s("item") + x.pick(".loc", ".ref", ".?ref.orValue(dyn({'a': 'a'}))") })
		}
	default:
		if !strings.HasPrefix(of, "list(") {
			return x.leaf(of)
		}
		elem := of[5 : len(of)-1]
		leaf()
		form(func() string { return "(" + s(of) + " + " + s(of) + ")" })
		form(func() string { return s(of) + ".distinct()" })
		form(func() string { return x.loop(depth, elem, "filter", false, func() string { return s("bool") }) })
		for range 2 {
			from := x.pick("string", "int", "item", "loc")
			form(func() string { return x.loop(depth, from, "map", false, func() string { return s(elem) }) })
			form(func() string { return x.loop(depth, from, "transformList", true, func() string { return s(elem) }) })
			form(func() string {
				return x.loop(depth, from, "transformList", true, func() string { return s("bool") + ", " + s(elem) })
			})
			form(func() string {
				return x.loop(depth, from, "map", false, func() string { return s("bool") + ", " + s(elem) })
			})
			form(func() string { return x.loop(depth, from, "map", false, func() string { return s(of) }) + ".flatten()" })
		}
		form(func() string { return "[" + s(elem) + ", " + s(elem) + "]" })
		form(func() string { return "(" + s("bool") + " ? " + s(of) + " : [])" })
		if elem == "int" {
			form(func() string { return "repeats(" + s(l) + ")" })
			form(func() string { return "misses(" + s(l) + ", " + s(l) + ")" })
			form(func() string {
				return "repeats(" + x.loop(depth, "item", "map", false, func() string { return s("string") }) + ")"
			})
		}
		if elem == "string" {
			form(func() string {
				return "{'a': " + s(l) + ", 'b': " + s(l) + "}.transformList(k, v, !unique(v), k).sort()"
			})
			form(func() string {
				return "omit({'a': " + s("int") + ", 'b': 1}, " + s("list(string)") + ").transformList(k, v, k).sort()"
			})
		}
	}
	return forms[x.rnd.IntN(len(forms))]()
}

// optional is a member that may be missing.
func (x *expressions) optional(depth int) string {
	switch x.rnd.IntN(4) {
	case 0:
		return x.of("item", depth) + x.pick(".name", ".ref", ".deps", ".ref.b")
	case 1:
		return x.of("loc", depth) + ".b"
	}
	if roots := x.seen("self"); len(roots) > 0 {
		return x.pick(roots...) + x.pick(".opt", ".tags", ".more", ".inner", ".inner.x", ".inner.one.b", ".ports")
	}
	return x.of("loc", depth) + ".b"
}

// leaf is an expression without parts that vary.
func (x *expressions) leaf(of string) string {
	var forms []string
	forms = append(forms, x.seen(of)...)
	forms = append(forms, x.seen(of)...)
	from := func(of string, paths ...string) {
		for _, v := range x.seen(of) {
			for _, p := range paths {
				forms = append(forms, v+p)
			}
		}
	}
	switch of {
	case "string":
		from("self", ".text", ".opt", ".maybe", ".maybe", ".holes[0]", ".?maybe.orValue('b')", ".state", ".names[0]", ".?opt.orValue('a')", ".inner.x", ".?inner.?one.?a.orValue('b')")
		for _, item := range []string{"item", "dynitem"} {
			from(item, ".id", ".kind", ".name", ".?name.orValue('')", ".loc.a", ".ref.a", ".?ref.?a.orValue('a')")
		}
		from("loc", ".a")
		from("dynloc", ".a", ".?a.orValue('')")
		forms = append(forms, "'a'", "''", "'b\\n'")
	case "int":
		from("self", ".nums[0]", ".void", ".nums.size()", ".inner.one.b")
		from("item", ".n", ".loc.b", ".ref.b", ".?ref.?b.orValue(1)")
		from("dynitem", ".n")
		from("loc", ".b", ".?b.orValue(0)")
		from("dynloc", ".b", ".?b.orValue(0)")
		forms = append(forms, "0", "1", "2")
	case "bool":
		from("self", ".text == 'a'", ".state == 'b'", ".text in ['a', 'b']", ".opt == 'a'", ".maybe == null", ".maybe == 'a'", ".maybe in ['a']")
		for _, item := range []string{"item", "dynitem"} {
			from(item, ".id == 'a'", ".name == 'a'", ".ref.a == 'a'", ".ref.a == 'a'")
		}
		for _, s := range x.seen("string") {
			forms = append(forms, s+" == 'a'", s+" != ''")
		}
		for _, s := range x.seen("int") {
			forms = append(forms, s+" == 0", s+" > 0", s+" == 1")
		}
		forms = append(forms, "true", "1 / 0 == 1")
	case "loc":
		from("item", ".loc", ".ref")
		from("self", ".inner.one", ".perhaps", ".items[0].loc")
	case "item":
		from("self", ".items[0]", ".more[0]", ".items[1]")
	case "list(string)":
		from("self", ".names", ".tags", ".?tags.orValue([])", ".inner.list", ".?inner.?list.orValue([])", ".marks", ".holes", ".?holes.orValue([])")
		from("item", ".deps", ".?deps.orValue([])")
		forms = append(forms, "['a', 'b']")
	case "list(int)":
		from("self", ".nums")
		forms = append(forms, "[1, 2]", "[0]")
	case "list(item)":
		from("self", ".items", ".more", ".?more.orValue([])", ".items")
	case "list(loc)":
		from("self", ".items.map(x, x.loc)", ".ports", ".?ports.orValue([])", ".items.map(x, x.ref)", ".more.map(x, x.loc)")
	}
	forms = append(forms, x.seen("list(dyn"+strings.TrimPrefix(of, "list("))...)
	forms = append(forms, x.seen("dyn"+of)...)
	if len(forms) == 0 {
		return map[string]string{
			"loc": "dyn({'a': 'b'})", "item": "dyn({'id': 'a', 'kind': 'a', 'n': 1, 'loc': {'a': 'b'}})",
			"list(loc)": "[dyn({'a': 'b'})]", "list(item)": "[dyn({'id': 'a', 'n': 1})]",
		}[of]
	}
	return x.pick(forms...)
}
