package rulefuzz

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Alternatives within alternatives are probed at each level with all that is below. That
// takes from the budget too: a deep document with much at its end is refused soon, and one
// of a size that people write is not.
func TestProbes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"contracts.yaml": "version: 1\ncontracts:\n  - {name: trees, schemas: schemas, invariants: schemas/invariants.yaml}\ntargets:\n  - {use: modeljson, out: model}\n",
		"schemas/tree.json": `{"$id": "tree.v1", "$ref": "#/$defs/Tree", "$defs": {
			"Tree": {"anyOf": [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Leaf"}]},
			"Node": {"type": "object", "required": ["child"], "properties": {"child": {"$ref": "#/$defs/Tree"}}},
			"Leaf": {"type": "object", "required": ["list"], "properties": {"list": {"type": "array", "items": {"type": "integer"}}}}}}`,
		"schemas/invariants.yaml": "version: 1\nrules:\n  - {id: leaf, schema: 'tree.json#/$defs/Leaf', rule: self.list.size() > 0, message: m}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := loaded(t, filepath.Join(dir, "contracts.yaml"), false)
	if err != nil {
		t.Fatal(err)
	}
	tree := func(depth, size int) []byte {
		leaf := `{"list":[` + strings.TrimSuffix(strings.Repeat("1,", size), ",") + "]}"
		return []byte(strings.Repeat(`{"child":`, depth) + leaf + strings.Repeat("}", depth))
	}
	start := time.Now()
	a, b := g.verdicts(t, g.roots[0], tree(900, 1_500_000))
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
	for engine, v := range map[string]map[string]string{"interpreter": a, "compiled": b} {
		if len(v) != 1 || !strings.Contains(v[string(contract.CodeTooLarge)], "not all evaluated") {
			t.Errorf("%s: %v", engine, v)
		}
	}
	t.Log(time.Since(start))
	for _, doc := range [][]byte{tree(100, 20_000), tree(900, 0)} {
		g.judged(t, g.roots[0], doc, nil)
	}
	if a, b = g.verdicts(t, g.roots[0], tree(100, 20_000)); len(a) > 0 || len(b) > 0 {
		t.Errorf("%v, %v", a, b)
	}
}
