package inspect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// vectors reads a file of the shared test data into v.
func vectors(t *testing.T, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(shared.Read(t, "vectors", "pack", name), v); err != nil {
		t.Fatal(err)
	}
}

// write makes the files of a pack in a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
