package odd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/gotypes"
	"github.com/contractkit/contractkit/gen/govalidate"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/module"
)

// both is added to a package whose root has something to complete. It completes a
// document in both ways: on the tape, as rules see it, and by the struct, as Parse does.
const both = `package odd

import "odd/contract"

func Both(data []byte) (patched, parsed string, err error) {
	x, err := ParseRoot(data)
	if err != nil {
		return "", "", err
	}
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(data, contract.Limits{}); issues != nil {
		return "", "", issues.Err()
	}
	w, issues := v.Complete(patchRoot)
	if issues != nil {
		return "", "", issues.Err()
	}
	if w != v {
		defer w.Release()
	}
	return string(w.Raw(contract.Root)), string(x.AppendJSON(nil)), nil
}
`

// bothMain is the program around those packages.
const bothMain = `package main

import (
	"encoding/json"
	"os"
%s)

var ways = map[string]func([]byte) (string, string, error){
%s}

func main() {
	var asks []struct{ Package, Data string }
	if err := json.NewDecoder(os.Stdin).Decode(&asks); err != nil {
		panic(err)
	}
	type answer struct{ Patched, Parsed, Error string }
	answers := make([]answer, len(asks))
	for i, a := range asks {
		patched, parsed, err := ways[a.Package]([]byte(a.Data))
		answers[i] = answer{Patched: patched, Parsed: parsed}
		if err != nil {
			answers[i].Error = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
`

// ruled emits the package of a schema that a rule which always holds is bound to.
func ruled(o odd) ([]emit.File, *completer, error) {
	doc, err := source.Parse("schema.json", []byte(o.schema), source.Limits{})
	if err != nil {
		return nil, nil, err
	}
	registry, err := source.Parse("invariants.yaml", []byte("version: 1\nrules:\n"+
		"  - {id: odd.holds, schema: schema.json, rule: '[self].size() == 1', message: holds}\n"), source.Limits{})
	if err != nil {
		return nil, nil, err
	}
	set, err := source.NewSet(doc)
	if err != nil {
		return nil, nil, err
	}
	g, err := graph.Resolve("schema", set, graph.Options{})
	if err != nil {
		return nil, nil, err
	}
	m, notes := model.Build(g, model.Options{Contract: "odd", Root: true, RootName: "Root"})
	if err := notes.Err(); err != nil {
		return nil, nil, err
	}
	interp.Settle(m)
	reg, err := rules.Decode(rules.Files{Main: registry})
	if err != nil {
		return nil, nil, err
	}
	if _, _, err := rules.Check(reg, m); err != nil {
		return nil, nil, err
	}
	ctx := emit.Context{Runtime: "odd/contract", Renumber: true}
	types, err := gotypes.Emit(m, gotypes.Options{Package: "odd"}, ctx)
	if err != nil {
		return nil, nil, err
	}
	checks, err := govalidate.Emit(m, govalidate.Options{Package: "odd"}, ctx)
	if err != nil {
		return nil, nil, err
	}
	in, err := interp.New(m)
	return append(types, checks...), &completer{in, m.Documents[0].Root}, err
}

// completer completes the documents of a schema without generated code, as eval does.
type completer struct {
	in   *interp.Interp
	root model.Ref
}

// incomplete gives the schemas of a text defaults and normalisations by chance, at every
// depth.
func incomplete(random *rand.Rand, text string) string {
	root, err := values(text)
	if err != nil {
		return text
	}
	pick := func(list ...any) any { return list[random.IntN(len(list))] }
	var walk func(x any)
	walk = func(x any) {
		switch x := x.(type) {
		case map[string]any:
			for _, name := range sortedNames(x) {
				walk(x[name])
			}
			members, _ := x["properties"].(map[string]any)
			for _, name := range sortedNames(members) {
				s, ok := members[name].(map[string]any)
				if !ok || random.IntN(2) == 0 {
					continue
				}
				switch s["type"] {
				default:
					s["default"] = pick(nil, map[string]any{}, map[string]any{"a": " X"}, "a", []any{})
				case "string":
					s["default"] = pick("", " D\"\u00e9", "https://EX.org")
				case "integer":
					s["default"] = json.Number("7")
				case "array":
					s["default"] = pick([]any{}, []any{" B", "a"}, []any{map[string]any{}})
				}
				if random.IntN(3) == 0 { // and now the type has no say
					s["default"] = pick(nil, true, "", "a", " A ", json.Number("-0"), json.Number("1.0"), json.Number("1.5"), json.Number("7e300"),
						json.Number("123456789012345678901234567890"), []any{}, []any{nil}, []any{json.Number("1"), "b"}, map[string]any{},
						map[string]any{"a": nil}, map[string]any{"a": map[string]any{"b": []any{"c"}}}, map[string]any{"kind": "a", "b": json.Number("2")})
				}
			}
			switch items, _ := x["items"].(map[string]any); {
			case x["type"] == "string" && x["enum"] == nil:
				x["x-normalize"] = pick([]any{"trim"}, []any{"trim", "lowercase"}, []any{"canonical-uri"}, []any{"lowercase"})
			case x["type"] == "array" && items["type"] == "string" && random.IntN(2) == 0:
				x["x-normalize"] = []any{"set"}
			}
		case []any:
			for _, e := range x {
				walk(e)
			}
		}
	}
	walk(root)
	changed, err := json.Marshal(root)
	if err != nil {
		panic(err)
	}
	return string(changed)
}

func sortedNames(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// TestCompletion holds that rules see each valid document as Parse leaves it, although
// they do not wait for it to be parsed.
func TestCompletion(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir, write := emitted(t, "odd/contract", true)

	var cases []odd
	chance := rand.New(rand.NewPCG(3, 5))
	for _, o := range odds() {
		if o.refused == "" && len(o.schema) < 8000 && strings.Contains(o.schema, `"default"`) {
			cases = append(cases, o)
		}
	}
	for _, o := range append(shapes(), random(24)...) {
		if o.refused == "" && len(o.schema) < 8000 {
			o.schema = incomplete(chance, o.schema)
			cases = append(cases, o)
		}
	}
	type ask struct {
		Package, Data string
		odd           int
	}
	var asks []ask
	completers := map[string]*completer{}
	var imports, ways strings.Builder
	for i, o := range cases {
		files, by, err := ruled(o)
		if err != nil {
			continue // a default or a rule that such a schema does not admit
		}
		works := false
		for _, f := range files {
			works = works || bytes.Contains(f.Data, []byte("\nfunc patchRoot("))
		}
		if !works {
			continue
		}
		folder := fmt.Sprintf("p%03d", i)
		completers[folder] = by
		for _, f := range files {
			write(folder+"/"+f.Path, f.Data)
		}
		write(folder+"/both.go", []byte(both))
		fmt.Fprintf(&imports, "\t%s \"odd/%s\"\n", folder, folder)
		fmt.Fprintf(&ways, "\t%q: %s.Both,\n", folder, folder)
		for _, text := range o.valid {
			asks = append(asks, ask{folder, text, i})
		}
		made := newStock(uint64(i), o.schema)
		made.values = append(made.values, `" A "`, `"\u0041\u0020"`, `"B"`, `"https://EX.org/\u002e"`, `"\u3000b"`, `[" b","a","","a"]`, `["\ufb00","\ud83d\ude00"]`)
		for range 4 * documentsEach {
			asks = append(asks, ask{folder, made.document(3), i})
		}
	}
	write("main.go", fmt.Appendf(nil, bothMain, imports.String(), ways.String()))
	module.Go(t, dir, "vet", "./...")
	answers := module.Ask[ask, struct{ Patched, Parsed, Error string }](t, dir, asks)
	valid, changed, wrong := 0, map[string]bool{}, 0
	for i, a := range answers {
		if a.Error != "" {
			continue
		}
		valid++
		if a.Patched != asks[i].Data {
			changed[asks[i].Package] = true
		}
		by := completers[asks[i].Package]
		if done := string(by.in.Complete(by.root, []byte(asks[i].Data))); !equal(a.Patched, done) {
			if wrong++; wrong <= 5 {
				o := cases[asks[i].odd]
				t.Errorf("%s (%s): rules see %s, the interpreter makes %s\nschema: %.1500s\ndocument: %s", o.name, asks[i].Package, a.Patched, done, o.schema, asks[i].Data)
			}
		}
		if !equal(a.Patched, a.Parsed) {
			if wrong++; wrong <= 5 {
				o := cases[asks[i].odd]
				t.Errorf("%s (%s): rules see %s, Parse makes %s\nschema: %.1500s\ndocument: %s", o.name, asks[i].Package, a.Patched, a.Parsed, o.schema, asks[i].Data)
			}
		}
	}
	t.Logf("%d documents of %d are valid; %d of %d packages have changed some", valid, len(asks), len(changed), strings.Count(ways.String(), "\n"))
	if len(changed) < 30 {
		t.Errorf("only %d packages have anything to complete", len(changed))
	}
}
