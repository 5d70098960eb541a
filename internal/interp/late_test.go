package interp

import (
	"maps"
	"slices"
	"testing"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// TestSettlePatterns holds that only patterns which a default meets are compiled: those of
// large projects take longer than all the rest of settling.
func TestSettlePatterns(t *testing.T) {
	doc, err := source.Parse("a.json", []byte(`{"type":"object","properties":{
		"met":{"type":"string","pattern":"^a","default":"b"},
		"named":{"type":"object","patternProperties":{"^x":{"type":"string","pattern":"^deep"}},"default":{"y":1}},
		"other":{"type":"string","pattern":"^c"},"broken":{"pattern":"(?<=a)b","type":"string"}}}`), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("a", set, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, problems := model.Build(g, model.Options{Contract: "a"})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	s := settle(m)
	if got := slices.Sorted(maps.Keys(s.in.patterns)); !slices.Equal(got, []string{"^a", "^x"}) {
		t.Errorf("compiles %q", got)
	}
	if len(s.diags) != 1 {
		t.Errorf("says %v", s.diags)
	}
}
