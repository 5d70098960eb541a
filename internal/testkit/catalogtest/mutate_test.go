package catalogtest

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// fixture is a document of the catalog.
type fixture struct {
	name, schema string
	data         []byte
	valid        bool
}

func fixtures(t testing.TB) []fixture {
	folder := os.DirFS("../../../schemas/catalog/fixtures")
	names, err := fs.Glob(folder, "*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var out []fixture
	for _, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		short, _, _ := strings.Cut(name, ".")
		if slices.Contains(unnamed, short) {
			continue
		}
		out = append(out, fixture{name, schemaOf(t, short), data, strings.HasSuffix(name, ".valid.json")})
	}
	return out
}

// unnamed are the documents that name no schema, so that no id asks for them.
var unnamed = []string{"comms_tagged_message", "deployment_record_set"}

// schemaOf gives the id of the schema that a fixture's name begins with.
func schemaOf(t testing.TB, short string) string {
	for _, id := range catalog.SchemaIDs() {
		if strings.Contains(id, "."+short+".v") {
			return id
		}
	}
	t.Fatalf("no schema for fixtures of %s", short)
	return ""
}

// mutation changes one place of a document.
type mutation struct {
	rnd   *rand.Rand
	texts []string // values seen in fixtures, which say more than noise
}

// place is a value with the way to replace it; remove is nil at the root.
type place struct {
	value   any
	replace func(v any)
	remove  func()
}

func places(root *any) (out []place) {
	var walk func(p place)
	walk = func(p place) {
		out = append(out, p)
		switch v := p.value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(keys(v)) {
				walk(place{v[name], func(x any) { v[name] = x }, func() { delete(v, name) }})
			}
		case []any:
			for i := range v {
				walk(place{v[i], func(x any) { v[i] = x }, func() { p.replace(slices.Delete(slices.Clone(v), i, i+1)) }})
			}
		}
	}
	walk(place{*root, func(x any) { *root = x }, nil})
	return out
}

func keys(m map[string]any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// apply gives a changed copy of data.
func (m *mutation) apply(t testing.TB, data []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	all := places(&root)
	p := all[m.rnd.IntN(len(all))]
	switch m.rnd.IntN(8) {
	case 0:
		if p.remove != nil {
			p.remove()
		}
	case 1:
		other := []any{nil, true, json.Number("0"), json.Number("1.5"), "", "x", []any{}, map[string]any{}}
		p.replace(other[m.rnd.IntN(len(other))])
	case 2: // a value from elsewhere in the document
		p.replace(clone(all[m.rnd.IntN(len(all))].value)) // it may hold p
	default:
		p.replace(m.vary(p.value))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(root); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = clone(x)
		}
		return out
	}
	return v
}

// vary gives a value of the same type as v.
func (m *mutation) vary(v any) any {
	switch v := v.(type) {
	case string:
		return m.text(v)
	case json.Number:
		numbers := []json.Number{"0", "-0", "-1", "1", v + "0", "-" + v, v + ".0", v + ".5", v + "e1", v + "e-1",
			"9007199254740993", "1e3", "65535", "65536", "0.1", "123456789012345678901234567890", "1e400"}
		for {
			// A sign before a sign or a second fraction is no number.
			if n := numbers[m.rnd.IntN(len(numbers))]; json.Valid([]byte(n)) {
				return n
			}
		}
	case bool:
		return !v
	case []any:
		if len(v) == 0 {
			return []any{"x"}
		}
		return append(slices.Clone(v), v[m.rnd.IntN(len(v))])
	case map[string]any:
		names := []string{"x", "schema", "id", "kind", "metadata", "createdAt", "", "updatedAt"}
		out := map[string]any{}
		for k, x := range v {
			out[k] = x
		}
		out[names[m.rnd.IntN(len(names))]] = []any{nil, "x", true, json.Number("1"), []any{}, map[string]any{}}[m.rnd.IntN(6)]
		return out
	}
	return "x"
}

func (m *mutation) text(s string) string {
	r := []rune(s)
	at := m.rnd.IntN(len(r) + 1)
	noise := []string{" ", "\t", "\u00a0", "a", "A", "0", "-", ".", "/", ":", "é", "😀", "\x7f", "_", "Z", "\n", "@", "..", "//"}
	piece := noise[m.rnd.IntN(len(noise))]
	switch m.rnd.IntN(7) {
	case 0:
		return string(r[:at])
	case 1:
		return string(r[at:])
	case 2:
		return string(r[:at]) + piece + string(r[at:])
	case 3:
		return string(r[:at]) + piece + string(r[min(at+1, len(r)):])
	case 4:
		return " " + s + "\u3000"
	case 5:
		return strings.Repeat(s, 1+m.rnd.IntN(40))
	}
	return m.texts[m.rnd.IntN(len(m.texts))]
}

func newMutation(t testing.TB, all []fixture, seed uint64) *mutation {
	m := &mutation{rnd: rand.New(rand.NewPCG(seed, 1))}
	seen := map[string]bool{}
	for _, f := range all {
		var root any
		if json.Unmarshal(f.data, &root) != nil {
			continue // an invalid fixture may be no JSON
		}
		for _, p := range places(&root) {
			if s, ok := p.value.(string); ok && !seen[s] {
				seen[s] = true
				m.texts = append(m.texts, s)
			}
		}
	}
	return m
}

// TestMutations changes valid fixtures in one to three places and wants the
// verdict of the second engine, issues that point into the document, and decoding
// that loses nothing. The documents are the same in each run.
func TestMutations(t *testing.T) {
	all := fixtures(t)
	m := newMutation(t, all, 7)
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	start, accepted, rejected := time.Now(), 0, 0
	for round := range rounds {
		for _, f := range all {
			if !f.valid {
				continue
			}
			data := f.data
			for range 1 + round%3 {
				data = m.apply(t, data)
			}
			if why := disagreement(t, f.schema, data); why != "" {
				t.Errorf("%s as %s: %s\n%.2000s", f.name, f.schema, why, data)
			}
			if catalog.ValidateAs(f.schema, data) == nil {
				accepted++
			} else {
				rejected++
			}
		}
	}
	t.Logf("%d accepted, %d rejected in %v", accepted, rejected, time.Since(start).Round(time.Millisecond))
	if min(accepted, rejected) < 50*rounds/40 {
		t.Error("the changes hardly ever matter, or always do: they test nothing")
	}
}

// TestFixtures holds all fixtures to both engines.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures(t) {
		if why := disagreement(t, f.schema, f.data); why != "" {
			t.Errorf("%s: %s", f.name, why)
		}
		if issues := catalog.ValidateAs(f.schema, f.data); (issues == nil) != f.valid {
			t.Errorf("%s: %v", f.name, issues)
		}
	}
}
