// Package celspec reads the conformance tests of CEL's specification from the shared
// test data; the README beside the data explains the fields.
package celspec

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// Case is one test.
type Case struct {
	File, Section, Name         string
	Expr, Container             string
	DisableMacros, DisableCheck bool
	CheckOnly                   bool
	Vars                        map[string]string
	Bindings                    map[string]json.RawMessage
	Expect                      struct {
		Value json.RawMessage
		Error json.RawMessage
		Type  string
	}
	CelGo string // "agrees", or what cel-go does instead
}

// ID names the test among all.
func (c Case) ID() string { return c.File + "/" + c.Section + "/" + c.Name }

// Load reads all tests, ordered by file, or skips the test that asks.
func Load(t testing.TB) []Case {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "cel-spec"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conformance files: %v", err)
	}
	var all []Case
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list []Case
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
		all = append(all, list...)
	}
	return all
}
