package catalogtest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/corpus"
)

// catalogModel builds the model of the catalog's sources.
func catalogModel(t testing.TB) *model.Model {
	t.Helper()
	const root, dir = "../../..", "schemas/catalog"
	paths, err := source.Discover(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.Load(context.Background(), root, paths, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("catalog", set, graph.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	m, diags := model.Build(g, model.Options{Contract: "catalog", Dispatch: "schema", AssertFormat: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestInterpAgrees holds the interpreter of models to the generated code: the same
// issues in the same order, for every document of the corpus.
func TestInterpAgrees(t *testing.T) {
	cases, err := corpus.Load(corpus.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	m := catalogModel(t)
	in, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range cases {
		i := slices.IndexFunc(m.Documents, func(d model.Document) bool { return d.Dispatched && d.ID == c.Schema })
		if c.Fn != "validate" || i < 0 {
			continue
		}
		compared++
		want := catalog.ValidateAs(c.Schema, c.Input)
		if diff := cmp.Diff(want, in.Validate(m.Documents[i].Root, c.Input)); diff != "" {
			t.Fatalf("%s %s: generated (-) and interpreted (+) differ:\n%s", c.ID, c.Schema, diff)
		}
	}
	if compared < 1000 {
		t.Errorf("compared %d documents only", compared)
	}
}
