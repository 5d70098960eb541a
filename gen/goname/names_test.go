package goname

import (
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	for stem, want := range map[string]string{
		"actor_ref.v1": "actor_ref_v1", "-a b": "a_b", "_x": "x", "...": "x", "": "x", "日本": "x", "a\nb": "a_b",
		"x_windows": "x_windows_schema", "x_linux_test": "x_linux_test_schema", "x_arm64": "x_arm64_schema", "linux": "linux", "x_test": "x_test",
	} {
		if got := File(stem); got != want {
			t.Errorf("File(%q) = %q, want %q", stem, got, want)
		}
	}
	long := File(strings.Repeat("a", 250))
	if other := File(strings.Repeat("a", 249) + "b"); len(long) > longestFile || long == other {
		t.Errorf("%q and %q", long, other)
	}
}
