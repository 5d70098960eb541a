//go:build !race

package race

// Enabled says whether the race detector watches this program.
const Enabled = false
