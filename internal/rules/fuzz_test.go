package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/source"
)

// FuzzRegistry reads any bytes as a registry: what is wrong is said with a place in the
// file, what is in order evaluates, and nothing of it takes long.
func FuzzRegistry(f *testing.F) {
	f.Add([]byte(suggestible))
	for _, pattern := range []string{"../../schemas/catalog/invariants.yaml", "../../schemas/catalog/invariants/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			if data, err := os.ReadFile(name); err == nil && !strings.Contains(name, ".witnesses.") {
				f.Add(data[:min(len(data), 6000)])
			}
		}
	}
	for _, rule := range []string{
		"self.lines.all(l, l.price >= 0 && (!has(l.sku) || l.sku.matches('^[a-z]+$')))",
		"unique(self.lines.map(l, l.price))",
		"cel.bind(n, self.?note.orValue(''), n.size() <= self.total)",
		"[1, 2, 3].map(i, self.lines.map(j, self.lines.map(k, i * j.price * k.price))).size() > 0",
		"self.note + 'ü' == \"\\u00fc\" ? {'a': 1}['b'] > 0 : self == {'total': 1}",
	} {
		f.Add([]byte("version: 1\nrules:\n  - id: a\n    schema: order.json\n    rule: |-\n      " + rule + "\n    path: \"/{'a'}/x~1y\"\n    messageExpression: string(self.total)\n"))
	}
	m := orders(f)
	in, err := interp.New(m)
	if err != nil {
		f.Fatal(err)
	}
	documents := []string{`{"total": 3, "lines": [{"price": 1}, {"price": -2, "sku": "x"}], "note": "n"}`, `{"total": 0, "lines": []}`}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 8<<10 {
			return
		}
		start := time.Now()
		defer func() {
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%d bytes take %v", len(data), d)
			}
		}()
		doc, err := source.Parse("s/invariants.yaml", data, source.Limits{})
		if err != nil {
			return
		}
		Includes(doc)
		reg, err := Decode(Files{Main: doc, Witnesses: []*source.Document{doc}})
		if err != nil {
			// As witnesses the registry makes no sense; alone it may.
			inside(t, data, err)
			if reg, err = Decode(Files{Main: doc}); err != nil {
				inside(t, data, err)
				return
			}
		}
		with := *m // Check adds to the model
		set, warnings, err := Check(reg, &with)
		if err != nil {
			inside(t, data, err)
			return
		}
		inside(t, data, warnings)
		e, err := set.Evaluator(in)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		for _, d := range documents {
			root := with.Documents[0].Root
			e.Validate(root, []byte(d))
			e.Transition(root, []byte(documents[0]), []byte(d))
			e.List(History, root, [][]byte{[]byte(documents[1]), []byte(d)})
			e.List(Collection, root, [][]byte{[]byte(d)})
		}
	})
}

// inside holds diagnostics to places that the file has.
func inside(t *testing.T, data []byte, err error) {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		return
	}
	lines := strings.Split(string(data), "\n")
	for _, d := range list {
		if d.Pos.Line < 1 || d.Pos.Line > len(lines) || d.Pos.Col < 1 || d.Pos.Col > len(lines[d.Pos.Line-1])+2 || d.Message == "" {
			t.Errorf("%v is not in the file\n%s", d, data)
		}
	}
}
