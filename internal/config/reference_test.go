package config

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestReference holds that docs/project.md speaks of every key of contracts.yaml.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("../../docs/project.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{v1File{}, v1Contract{}, v1Target{}, v1Limits{}} {
		for f := range reflect.TypeOf(x).Fields() {
			if key := f.Tag.Get("json"); !strings.Contains(string(text), "\n| `"+key+"`") {
				t.Errorf("docs/project.md says nothing about %s", key)
			}
		}
	}
}
