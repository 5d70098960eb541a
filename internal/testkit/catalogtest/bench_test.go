package catalogtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// BenchmarkFixtures validates all valid fixtures of the catalog, for profiles; bench/
// compares with other engines.
func BenchmarkFixtures(b *testing.B) {
	files, err := filepath.Glob("../../../schemas/catalog/fixtures/*.valid.json")
	if err != nil || len(files) == 0 {
		b.Fatal("no fixtures", err)
	}
	var docs [][]byte
	size := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		docs, size = append(docs, data), size+len(data)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, doc := range docs {
			if _, issues := catalog.Validate(doc); issues != nil {
				b.Fatal(issues)
			}
		}
	}
}
