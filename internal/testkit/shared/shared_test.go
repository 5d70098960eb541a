package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRoot holds that a relative folder counts from the root of the repository, wherever
// a package stands.
func TestRoot(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(wd, "..", "..", "..")
	for set, want := range map[string]string{"": filepath.Join(root, "..", "shared"), "x/y": filepath.Join(root, "x", "y"), wd: wd} {
		t.Setenv("CONTRACTKIT_SHARED", set)
		if got, err := Root(); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", set, got, err, want)
		}
	}
}

// TestPath skips a test without the data, and only then.
func TestPath(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("CONTRACTKIT_SHARED", dir)
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, skipped := range map[string]bool{"a": false, "b": true} {
		var sub *testing.T
		t.Run(name, func(t *testing.T) {
			sub = t
			if string(Read(t, name)) != "x" {
				t.Error("another file")
			}
		})
		if sub.Skipped() != skipped {
			t.Errorf("%s: skipped %v", name, sub.Skipped())
		}
	}
}
