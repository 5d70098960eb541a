package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

var update = flag.Bool("update", false, "rewrite docs/schemas")

// docs/schemas holds the schema of every report, and nothing else.
func TestReportSchemas(t *testing.T) {
	schemas, err := ReportSchemas()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.FromSlash("../../docs/schemas")
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range schemas {
		file := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/schemas/%s is not what the code says (%v); run go test ./internal/cli -update", name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if schemas[e.Name()] == nil {
			t.Errorf("docs/schemas/%s is of no report", e.Name())
		}
	}
}

// What commands print is what the schemas promise.
func TestReportsFollowTheirSchemas(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.json":        `{"schema": "hasna.actor_ref.v1", "id": "a", "createdAt": "2026-06-27T10:00:00Z", "kind": "agent"}`,
		"bad.json":         `{"schema": "hasna.actor_ref.v1", "id": "", "extra": 1}`,
		"f/a.valid.json":   `{"schema": "hasna.actor_ref.v1", "id": "a", "createdAt": "2026-06-27T10:00:00Z", "kind": "agent"}`,
		"f/b.invalid.json": `{"schema": "nope"}`,
		"p/contracts.yaml": "version: 1\ncontracts:\n  - {name: shop, schemas: s}\ntargets:\n  - {use: bundle, out: a}\n",
		"p/s/order.json":   `{"type": "object"}`,
		"spec.yaml":        "pack_id: x\ntemplates: []\n",
		"packs/data/manifest.yaml": "id: data\nversion: 2.0.0\ncontract_version: 2\npublisher: {id: a, name: A}\ncompatibility: {kernel: ^6.0.0, host: ^6.0.0}\ntask_types: [t]\n" +
			"depends_on: [{id: gone, version_range: ^1.0.0}]\nmigrations:\n  - {from: ^1.0.0, to: 2.0.0, steps: [{kind: deprecate_tool, name: x}]}\n",
		"state/data.state.json": `{"pack_id": "data", "version": "1.0.0", "state_namespaces": [], "event_kinds": [], "config": {}, "tools": ["x"], "deprecated_tools": {}}`,
		"r/contracts.yaml":      "version: 1\ncontracts:\n  - {name: shop, schemas: s, invariants: s/invariants.yaml}\ntargets:\n  - {use: bundle, out: a}\n",
		"r/s/order.json":        `{"type": "object", "required": ["total"], "properties": {"total": {"type": "integer"}}}`,
		"r/s/invariants.yaml":   "version: 1\nrules:\n  - {id: total, schema: order.json, rule: self.total > 0 && self.total < 9, witnesses: {valid: [{value: {total: 1}}], invalid: [{value: {total: 3}}]}}\n",
		"crd.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b}\nspec: {group: b, names: {kind: A, plural: as}, scope: Namespaced, " +
			"versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}]}\n",
		"broken/contracts.yaml": "version: 1\ncontracts:\n  - {name: shop, schemas: s}\n  - {name: shop, schemas: s}\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ schema, in, args string }{
		{"validation", "", "validate -j good.json"},
		{"validation", "", "validate -j bad.json"},
		{"validation", "", "validate -j nowhere.json"},
		{"validation", "", "validate -j f/b.invalid.json"},
		{"validation", "", "validate -j good.json --schema nope"},
		{"validation", "", "validate -j good.json --schema hasna.actor_reff.v1"},
		{"validation", "", "validate -j --old bad.json bad.json"},
		{"validation", "", "validate -j --old good.json good.json"},
		{"validation", "", "validate -j --old nowhere.json good.json"},
		{"validations", "", "validate -j good.json bad.json f/b.invalid.json"},
		{"validations", "", "validate -j *.json"},
		{"validations", "", "validate -j none/*.json"},
		{"conformance", "", "conformance -j f"},
		{"schemas", "", "schemas -j"},
		{"version", "", "version -j"},
		{"explanation", "", "explain -j output.stale"},
		{"failure", "", "chek -j"},
		{"failure", "", "validate -j"},
		{"report", "p", "check -j"},
		{"report", "p", "generate -j"},
		{"report", "p", "check -j"},
		{"report", "p", "verify -j"},
		{"report", "broken", "check -j"},
		{"init", "new", "init -j"},
		{"report", "new", "init -j"},
		{"failure", "", "verify -j nowhere"},
		{"test", "p", "test -j"},
		{"test", "r", "test -j --engine interpreter --mutate"},
		{"test", "broken", "test -j"},
		{"report", "", "import crd crd.yaml --out crds -j"},
		{"report", "", "import crd spec.yaml --out crds -j"},
		{"failure", "", "import crd crd.yaml -j"},
		{"failure", "", "help nope -j"},
		{"pack-files", "", "pack scaffold --id alpha --version 1.0.0 --tool alpha:x -j"},
		{"report", "", "pack scaffold --id alpha --version 1.0.0 -j"},
		{"failure", "", "pack scaffold --id ../x --version 1.0.0 -j"},
		{"failure", "", "pack scaffold -j"},
		{"failure", "", "pack validat -j"},
		{"pack-report", "", "pack author --id notes --version 1.0.0 --read notes:read=notes/** -j"},
		{"pack-files", "", "pack author --id other --version 1.0.0 --read other:read=notes/** --skip-validate -j"},
		{"report", "", "pack author --spec-file spec.yaml -j"},
		{"pack-report", "", "pack validate --id alpha -j"},
		{"pack-report", "", "pack validate --pack-root f -j"},
		{"failure", "", "pack validate --pack-root nowhere -j"},
		{"pack-gate", "", "pack gate packs/alpha packs/notes -j"},
		{"pack-gate", "", "pack gate packs/data -j"},
		{"pack-graph", "", "pack graph --format json"},
		{"pack-receipt", "", "pack migrate --id data --state state --dry-run -j"},
		{"pack-receipt", "", "pack migrate --id data --state state -j"},
		{"pack-receipt", "", "pack migrate --id data --state state -j"},
		{"failure", "", "pack migrate --id alpha --state state -j"},
		{"report", "", "pack migrate --pack-root f --state state -j"},
	} {
		where := filepath.Join(dir, tt.in)
		os.MkdirAll(where, 0o755)
		var out, errs bytes.Buffer
		Main(strings.Fields(tt.args), &Env{Dir: where, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }})
		if errs.Len() > 0 {
			t.Errorf("%s: something on stderr: %s", tt.args, errs.String())
		}
		var v any
		if err := json.Unmarshal(out.Bytes(), &v); err != nil {
			t.Errorf("%s: %v:\n%s", tt.args, err, out.String())
			continue
		}
		schema, err := jsonschema.Compile(filepath.FromSlash("../../docs/schemas/" + tt.schema + ".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %#v\n%s", tt.args, err, out.String())
		}
	}
}
