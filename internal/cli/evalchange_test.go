package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// The catalog's schemas answer in both engines alike, whether or not they have rules of
// changes, histories and sets.
func TestEvalLists(t *testing.T) {
	minimal := projection(t, "minimal")
	broken := projection(t, "minimal", `"exhausted": false`, `"exhausted": true`)
	tests := []struct{ name, request, want string }{
		{"a version twice", `"fn":"history","schema":"hasna.task_to_pr_projection.v1","input":{"documents":[` + minimal + `,` + minimal + `]}`, "ok"},
		{"an edge that is none", `"fn":"history","schema":null,"input":{"documents":[` + minimal + `,` + projection(t, "minimal", `"running"`, `"admitted"`) + `]}`,
			"t2pr.transition.drift-needs-sequence /1/events/sequence, t2pr.transition.state-edge /1/state"},
		{"a broken version", `"fn":"history","schema":null,"input":{"documents":[` + minimal + `,` + broken + `]}`, "t2pr.snapshot.repair-exhaustion /1/repair/exhausted"},
		{"no version", `"fn":"history","schema":null,"input":{"documents":[7]}`, `"schema" has to name a schema, for the documents name none that is known: must be an object, to name its schema in the member "schema"`},
		{"no document", `"fn":"set","schema":null,"input":{"documents":[]}`, `"schema" has to name a schema, for there is no document that names one`},
		{"several kinds", `"fn":"set","schema":null,"input":{"documents":[` + actor + `,` + actor + `,` + minimal + `]}`, "invalid_value /2/schema"},
		{"an old version that is broken", `"fn":"transition","schema":null,"input":{"previous":null,"current":` + minimal + `}`, "invalid_type /previous"},
		{"a stranger in a list", `"fn":"history","schema":null,"input":{"document":[],"documents":[` + minimal + `]}`, `the input has a member "document"; it takes "documents"; did you mean "documents"?`},
		{"a stranger in a pair", `"fn":"transition","schema":null,"input":{"previos":1,"previous":` + minimal + `,"current":` + minimal + `}`, `the input has a member "previos"; it takes "previous" and "current"; did you mean "previous"?`},
		{"an argument twice", `"fn":"transition","schema":null,"input":{"previous":1,"previous":` + minimal + `,"current":` + minimal + `}`, `the input has two members "previous"`},
		{"adapters", `"fn":"set","schema":null,"input":{"documents":[` + extended(t, "cloud") + `,` + extended(t, "local") + `]}`,
			"t2pr.adapter.cloud-only /1/adapterExtensions, t2pr.adapter.local-only /0/adapterExtensions"},
		{"without such rules", `"fn":"set","schema":"hasna.actor_ref.v1","input":{"documents":[` + actor + `,{}]}`,
			"required /1/createdAt, required /1/id, required /1/kind, required /1/schema"},
		{"a change without such rules", `"fn":"transition","schema":"hasna.actor_ref.v1","input":{"previous":` + actor + `,"current":` + actor + `}`, "ok"},
		{"a change of a schema by name", `"fn":"transition","schema":null,"input":{"previous":7,"current":` + actor + `}`, "invalid_type /previous"},
		{"a member that is none", `"fn":"validate","schema":null,"strict":true,"input":` + actor, `not a request: it has a member "strict"; a request has "id", "fn", "schema" and "input"`},
	}
	var requests []string
	for i, tt := range tests {
		requests = append(requests, fmt.Sprintf(`{"id":%d,%s}`, i, tt.request))
	}
	for _, engine := range []string{"compiled", "interpreter"} {
		for i, a := range ask(t, engine, requests) {
			if got := said(a); got != tests[i].want {
				t.Errorf("%s, %s: %s, want %s", engine, tests[i].name, got, tests[i].want)
			}
		}
	}
}

// Every function that the generated catalog has for lists and changes can be asked.
func TestEvalKnowsTheCatalogsFunctions(t *testing.T) {
	files, err := filepath.Glob("../../generated/go/catalog/*_validate.gen.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := map[string][]string{}
	pattern := regexp.MustCompile(`(?m)^func Validate(\w+?)(Transition\(old|History\(docs|Set\(docs)`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
			kind, _, _ := strings.Cut(m[2], "(")
			found[kind] = append(found[kind], m[1])
		}
	}
	have := map[string][]string{"Transition": changing, "History": slices.Collect(maps.Keys(histories)), "Set": slices.Collect(maps.Keys(sets))}
	for kind, ids := range have {
		if len(ids) != len(found[kind]) {
			t.Errorf("%s: the catalog has functions for %v, eval knows %v", kind, found[kind], ids)
		}
		for _, id := range ids {
			if !slices.Contains(catalog.SchemaIDs(), id) {
				t.Errorf("%s is no schema of the catalog", id)
			}
		}
	}
}
