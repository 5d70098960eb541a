// Package race tells tests whether the race detector watches them. Under it a
// sync.Pool forgets on purpose what it is given now and then, so a test that
// counts allocations of pooled memory would fail by chance.
package race

import "testing"

// SkipAllocations skips a test that counts allocations while the race detector
// is on.
func SkipAllocations(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("allocations are not counted under the race detector: it empties pools on purpose")
	}
}
