package catalogtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/internal/testkit/module"
)

// bothWays is added to a copy of the catalog's package: it completes a document as rules
// see it, on the tape, and as Parse does, by the struct. Rules have no say.
const bothWays = `package catalog

import (
	"fmt"
	"testing"

	"github.com/contractkit/contractkit/runtime/contract"
)

type ways = func(data []byte) (patched, parsed []byte, allocations float64)

func both[T any, P interface { *T; AppendJSON([]byte) []byte }](check contract.Check, patch contract.Completer, decode func(*contract.Decoder, contract.Node, *T), complete func(*T)) ways {
	return func(data []byte) (patched, parsed []byte, allocations float64) {
		var x T
		if contract.Decode(data, check, func(d *contract.Decoder) { decode(d, contract.Root, &x); complete(&x) }) != nil {
			return nil, nil, 0
		}
		v := contract.Acquire()
		defer v.Release()
		if issues := v.Load(data, contract.Limits{}); issues != nil {
			panic(issues)
		}
		w, issues := v.Complete(patch)
		if issues != nil {
			panic(fmt.Sprint(issues))
		}
		patched = append(patched, w.Raw(contract.Root)...)
		if w != v {
			w.Release()
		} else {
			allocations = testing.AllocsPerRun(50, func() { v.Complete(patch) })
		}
		return patched, P(&x).AppendJSON(nil), allocations
	}
}

var Ways = map[string]ways{
%s}
`

const waysMain = `package main

import (
	"encoding/json"
	"os"

	"completion/catalog"
)

func main() {
	var asks []struct { Schema string; Data []byte }
	if err := json.NewDecoder(os.Stdin).Decode(&asks); err != nil {
		panic(err)
	}
	type answer struct { Patched, Parsed []byte; Allocations float64 }
	answers := make([]answer, len(asks))
	for i, a := range asks {
		if both := catalog.Ways[a.Schema]; both != nil {
			answers[i].Patched, answers[i].Parsed, answers[i].Allocations = both(a.Data)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
`

// governed finds a Decode function of a document that has rules and something to complete.
var governed = regexp.MustCompile(`cel\.Decode\(data, (check\w+), (patch\w+), rules\w+, func\(d \*contract\.Decoder\) \{\s*decode(\w+)\(d, contract\.Root, &x\)\s*\}\)`)

// witnessed are the documents in the catalog's registry of rules.
func witnessed(t testing.TB) (out []fixture) {
	files, err := filepath.Glob("../../../schemas/catalog/invariants/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no registry: %v", err)
	}
	ids := catalog.SchemaIDs()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var root any
		if err := yaml.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		for _, p := range places(&root) {
			m, _ := p.value.(map[string]any)
			id, _ := m["schema"].(string)
			if !slices.Contains(ids, id) {
				continue
			}
			if data, err := json.Marshal(m); err == nil {
				out = append(out, fixture{name: filepath.Base(file), schema: id, data: data})
			}
		}
	}
	return out
}

// thinned gives a copy of a document that lacks members and has padded strings, if its
// schema allows for that.
func thinned(t testing.TB, random *rand.Rand, f fixture) []byte {
	data := f.data
	for range 1 + random.IntN(8) {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var root any
		if err := d.Decode(&root); err != nil {
			t.Fatal(err)
		}
		all := places(&root)
		p := all[random.IntN(len(all))]
		s, isText := p.value.(string)
		switch {
		case isText && random.IntN(2) == 0:
			p.replace([]string{" " + s, s + "\t", "\u3000" + s + " ", strings.ToUpper(s), s + "\u00e9 "}[random.IntN(5)])
		case p.remove != nil:
			p.remove()
		}
		text, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		if catalog.ValidateStructureAs(f.schema, text) == nil {
			data = text
		}
	}
	return data
}

// TestCompletion holds that rules see each document of the catalog as Parse leaves it,
// although they do not wait for it to be parsed, and that a document which lacks nothing
// costs no memory.
func TestCompletion(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, data []byte) { module.Write(t, dir, name, data) }
	sources, err := filepath.Glob(filepath.Join(root, "generated/go/catalog/*.gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	var ways strings.Builder
	completes := map[string]bool{}
	for _, file := range sources {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write("catalog/"+filepath.Base(file), text)
		for _, m := range governed.FindAllStringSubmatch(string(text), -1) {
			id := regexp.MustCompile(`const ` + m[3] + `SchemaID = "([^"]*)"`).FindStringSubmatch(string(text))
			fmt.Fprintf(&ways, "\t%q: both(%s, %s, decode%s, complete%s),\n", id[1], m[1], m[2], m[3], m[3])
			completes[id[1]] = true
		}
	}
	if len(completes) < 20 {
		t.Fatalf("only %d documents have rules and something to complete", len(completes))
	}
	write("catalog/ways.go", fmt.Appendf(nil, bothWays, ways.String()))
	write("main.go", []byte(waysMain))
	write("go.mod", []byte("module completion\n\ngo 1.26\n\nrequire github.com/contractkit/contractkit v0.0.0\n\nreplace github.com/contractkit/contractkit => "+root+"\n"))
	type ask struct {
		Schema string
		Data   []byte
	}
	var asks []ask
	random := rand.New(rand.NewPCG(11, 1))
	for _, f := range append(fixtures(t), witnessed(t)...) {
		if !completes[f.schema] || catalog.ValidateStructureAs(f.schema, f.data) != nil {
			continue
		}
		asks = append(asks, ask{f.schema, f.data})
		for range 40 {
			asks = append(asks, ask{f.schema, thinned(t, random, f)})
		}
	}
	type answer struct {
		Patched, Parsed []byte
		Allocations     float64
	}
	answers := module.Ask[ask, answer](t, dir, asks)
	valid, changed, schemas := 0, 0, map[string]bool{}
	for i, a := range answers {
		if a.Parsed == nil {
			continue // not valid
		}
		valid++
		schemas[asks[i].Schema] = true
		if !sameJSON(a.Patched, asks[i].Data) {
			changed++
		}
		if diff := diffJSON(a.Patched, a.Parsed); diff != "" {
			t.Fatalf("%s: rules see another document than Parse makes:\n%s\n%.3000s", asks[i].Schema, diff, asks[i].Data)
		}
		if a.Allocations > 0 {
			t.Errorf("%s: %v allocations to see that nothing lacks:\n%.3000s", asks[i].Schema, a.Allocations, asks[i].Data)
		}
	}
	t.Logf("%d documents of %d schemas, of %d that have defaults; %d are changed", valid, len(schemas), len(completes), changed)
	if valid < len(asks) || changed < valid/4 || len(schemas) < len(completes)-2 {
		t.Error("too few documents are valid, or to be completed: they test nothing")
	}
}
