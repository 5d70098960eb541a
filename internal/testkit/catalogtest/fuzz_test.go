package catalogtest

import (
	"testing"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// FuzzCatalog feeds any bytes to any schema of the catalog; see disagreement for
// what is wanted.
func FuzzCatalog(f *testing.F) {
	ids := catalog.SchemaIDs()
	index := map[string]uint8{}
	for i, id := range ids {
		index[id] = uint8(i)
	}
	all := fixtures(f)
	m := newMutation(f, all, 11)
	for _, doc := range all {
		f.Add(index[doc.schema], doc.data)
		if doc.valid {
			f.Add(index[doc.schema], m.apply(f, doc.data))
		}
	}
	f.Fuzz(func(t *testing.T, schema uint8, data []byte) {
		id := ids[int(schema)%len(ids)]
		if why := disagreement(t, id, data); why != "" {
			t.Errorf("%s: %s\n%.4000q", id, why, data)
		}
	})
}
