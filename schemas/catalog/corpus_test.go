package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/corpus"
)

// The structure accepts whatever the corpus accepts, and refuses what is
// refused for its structure alone. What only a rule refuses is counted.
func TestCorpus(t *testing.T) {
	cases, err := corpus.Load(corpus.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	c := load(t)
	type count struct{ valid, structural, mixed, ruleOnly int }
	counts, layouts, caught := map[string]*count{}, 0, 0
	for _, id := range c.ids {
		counts[id] = &count{}
	}
	for _, cs := range cases {
		if cs.Fn != "validate" {
			continue
		}
		if cs.Why == "project-layout-defaults" {
			// The reference fills a layout in; here it has to be stated.
			if c.compiled[cs.Schema].Validate(parse(t, cs.ID, cs.Input).value) == nil {
				t.Errorf("%s %s: accepted without a complete layout", cs.File, cs.ID)
			}
			layouts++
		}
		if cs.Tier != corpus.Main {
			continue
		}
		doc := parse(t, cs.ID, cs.Input)
		id := cs.Schema
		if id == "" {
			// The document names its schema; one outside the catalog is no concern here.
			id = doc.text("schema")
		}
		n := counts[id]
		if n == nil {
			continue
		}
		err := c.compiled[id].Validate(doc.value)
		rules := 0
		for _, i := range cs.Issues {
			if i.Code == "rule" {
				rules++
			}
		}
		switch {
		case cs.Valid:
			n.valid++
			if err != nil {
				t.Errorf("%s %s (%s): refused: %v", cs.File, cs.ID, strings.Join(cs.Mut, " "), err)
			}
			continue
		case rules == len(cs.Issues):
			n.ruleOnly++
			if err != nil {
				// The reference calls its prefix tests rules; in the structure they are patterns.
				caught++
			}
			continue
		case rules == 0 && cs.MoreIssues == 0:
			n.structural++
		default:
			n.mixed++
		}
		// An unknown member or a broken pattern refuses by itself, whatever else is wrong.
		if err == nil {
			t.Errorf("%s %s (%s): accepted, want %v", cs.File, cs.ID, strings.Join(cs.Mut, " "), cs.Issues)
		}
	}
	var sum count
	for _, id := range slices.Sorted(slices.Values(c.ids)) {
		n := counts[id]
		t.Logf("%-40s valid %3d, structural %3d, mixed %3d, left to rules %3d", id, n.valid, n.structural, n.mixed, n.ruleOnly)
		sum.valid += n.valid
		sum.structural += n.structural
		sum.mixed += n.mixed
		sum.ruleOnly += n.ruleOnly
	}
	t.Logf("%-40s valid %3d, structural %3d, mixed %3d, left to rules %3d", "all", sum.valid, sum.structural, sum.mixed, sum.ruleOnly)
	t.Logf("%d of those left to rules are refused by a pattern already; %d incomplete layouts refused", caught, layouts)
	if sum.valid == 0 || sum.structural == 0 || layouts == 0 {
		t.Error("the corpus holds no cases of the catalog")
	}
}
