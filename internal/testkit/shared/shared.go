// Package shared finds the large test data that is kept outside of the repository:
// corpora, vectors, suites of specifications. The environment variable
// CONTRACTKIT_SHARED names its folder, absolute or from the root of the repository; it
// is ../shared unless set. Tests that need what is not there are skipped and say so.
package shared

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// Root returns the folder, which need not exist.
func Root() (string, error) {
	dir := cmp.Or(os.Getenv("CONTRACTKIT_SHARED"), filepath.Join("..", "shared"))
	if filepath.IsAbs(dir) {
		return dir, nil
	}
	root, err := repository()
	return filepath.Join(root, dir), err
}

// repository returns the folder of this repository's go.mod. Tests run in the folder of
// their package.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", os.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
}

// Path returns the path of a file or folder of the shared data, or skips the test.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Skipf("no shared test data: no go.mod above this package: %v", err)
	}
	name := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(name); err != nil {
		t.Skipf("no shared test data %s: set CONTRACTKIT_SHARED to the folder that has it", filepath.ToSlash(filepath.Join(elem...)))
	}
	return name
}

// Read returns the content of a file of the shared data, or skips the test.
func Read(t testing.TB, elem ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(Path(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
