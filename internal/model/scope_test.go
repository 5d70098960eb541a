package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
)

// TestWaysAreBounded holds that dynamic references which tell two to the power of
// forty ways apart are refused, and soon.
func TestWaysAreBounded(t *testing.T) {
	const n = 40
	var defs []string
	for i := range n {
		var refs []string
		for j := range n {
			refs = append(refs, fmt.Sprintf(`"p%d":{"$ref":"r%d"},"q%d":{"$dynamicRef":"r%d#a%d"}`, j, j, j, j, j))
		}
		defs = append(defs, fmt.Sprintf(`"d%d":{"$id":"r%d","$dynamicAnchor":"a%d","properties":{%s}}`, i, i, i, strings.Join(refs, ",")))
	}
	text := `{"$ref":"r0","$defs":{` + strings.Join(defs, ",") + `}}`
	doc, err := source.Parse("m.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("c", set, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, diags := Build(g, Options{Root: true})
	if len(diags) != 1 || diags[0].Code != "model.too-large" {
		t.Errorf("got %v", diags)
	}
	if d := time.Since(start); d > 50*time.Second {
		t.Errorf("it took %v", d)
	}
}
