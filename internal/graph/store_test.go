package graph

import (
	"context"
	"testing"

	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// TestSchemaStore holds that real schemas resolve, each on its own.
func TestSchemaStore(t *testing.T) {
	dir := shared.Path(t, "schemastore")
	names, err := source.Discover(dir, "src/schemas")
	if err != nil {
		t.Fatal(err)
	}
	schemas := 0
	for _, name := range names {
		set, err := source.Load(context.Background(), dir, []string{name}, source.Limits{})
		if err != nil {
			t.Error(err)
			continue
		}
		g, err := Resolve("store", set, Options{Dir: "src/schemas"})
		if err != nil {
			t.Errorf("%.2000v", err)
			continue
		}
		schemas += len(g.Schemas())
	}
	t.Logf("%d documents, %d schemas", len(names), schemas)
}
