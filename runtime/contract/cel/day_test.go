package cel

import (
	"fmt"
	"testing"
	"time"
)

// TestParseDay goes through each day that four digits of a year can say, and each that
// there is not.
func TestParseDay(t *testing.T) {
	for y := 0; y <= 9999; y++ {
		for m := 0; m <= 13; m++ {
			for d := 0; d <= 32; d++ {
				if d > 2 && d < 28 {
					continue
				}
				want := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
				there := want.Year() == y && int(want.Month()) == m && want.Day() == d
				text := fmt.Sprintf("%04d-%02d-%02d", y, m, d)
				if got, ok := parseDay(text); ok != there || ok && got != want.Unix() {
					t.Fatalf("%s: %d, %t; want %d, %t", text, got, ok, want.Unix(), there)
				}
			}
		}
	}
	for _, text := range []string{"", "2026", "2026-1-01T", "2026/01/01", "20x6-01-01", "2026-01-0x", "-026-01-01", "2026-0\x00-01"} {
		if _, ok := parseDay(text); ok {
			t.Errorf("%q is taken for a day", text)
		}
	}
}
