package catalogtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/testkit/corpus"
	"github.com/contractkit/contractkit/runtime/contract"
)

// catalogModel builds the model of the catalog's sources, and its rules.
func catalogModel(t testing.TB) (*model.Model, *rules.Set) {
	t.Helper()
	p, err := config.Load("../../../contracts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.Contracts, func(c config.Contract) bool { return c.Name.Value == "catalog" })
	if i < 0 {
		t.Fatal("the project has no contract catalog")
	}
	loaded, err := build.Load(context.Background(), p, &p.Contracts[i])
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := loaded.Model()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := loaded.Rules(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, set
}

// TestInterpAgrees holds the interpreters of models and of rules to the generated code,
// for every document of the corpus: the same issues of structure in the same order, and
// the same issues of rules in any.
func TestInterpAgrees(t *testing.T) {
	cases, err := corpus.Load(corpus.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	m, set := catalogModel(t)
	in, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	e, err := set.Evaluator(in)
	if err != nil {
		t.Fatal(err)
	}
	compared, ruled := 0, 0
	for _, c := range cases {
		i := slices.IndexFunc(m.Documents, func(d model.Document) bool { return d.Dispatched && d.ID == c.Schema })
		if c.Fn != "validate" || i < 0 {
			continue
		}
		compared++
		root := m.Documents[i].Root
		want := catalog.ValidateAs(c.Schema, c.Input)
		got := in.Validate(root, c.Input)
		if diff := cmp.Diff(structural(want), got); diff != "" {
			t.Fatalf("%s %s: generated (-) and interpreted (+) differ:\n%s", c.ID, c.Schema, diff)
		}
		if got != nil {
			continue
		}
		ruled++
		if diff := cmp.Diff(summary(want), summary(e.Validate(root, in.Complete(root, c.Input)))); diff != "" {
			t.Errorf("%s %s: generated (-) and interpreted (+) rules differ:\n%s", c.ID, c.Schema, diff)
		}
	}
	if compared < 1000 || ruled < 500 {
		t.Errorf("compared %d documents only, and the rules of %d", compared, ruled)
	}
}

// summary is what issues of rules have in common whoever finds them.
func summary(issues contract.Issues) []string {
	var out []string
	for _, i := range issues {
		out = append(out, fmt.Sprintf("%s %s: %s", i.Code, i.Path, i.Message))
	}
	slices.Sort(out)
	return out
}
