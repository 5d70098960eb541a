package contract

import (
	"bytes"
	"testing"
)

// TestRanges tries every byte at every place of slices of every length up to 40.
func TestRanges(t *testing.T) {
	digits := ByteSet{bitsDigit}
	lower := ByteSet{bitsDigit, bitsLowerHex}
	checks := []struct {
		name string
		set  ByteSet
		fill byte
		all  func(s []byte) bool
	}{
		{"InRange", digits, '5', func(s []byte) bool { return InRange(s, '0', '9') }},
		{"InRanges2", lower, 'c', func(s []byte) bool { return InRanges2(s, '0', '9', 'a', 'f') }},
		{"InRanges3", hexSet, 'F', func(s []byte) bool { return InRanges3(s, '0', '9', 'A', 'F', 'a', 'f') }},
		{"All", hexSet, '0', hexSet.All},
		{"zero and 0x7f", ByteSet{1, 1 << 63}, 0, func(s []byte) bool { return InRanges2(s, 0, 0, 0x7F, 0x7F) }},
	}
	for _, c := range checks {
		for n := range 40 {
			s := bytes.Repeat([]byte{c.fill}, n)
			if !c.all(s) {
				t.Errorf("%s refuses %q", c.name, s)
			}
			for i := range s {
				for b := range 256 {
					s[i] = byte(b)
					if got, want := c.all(s), c.set.Has(byte(b)); got != want {
						t.Fatalf("%s(%q) = %v", c.name, s, got)
					}
				}
				s[i] = c.fill
			}
		}
	}
}

func TestRuns(t *testing.T) {
	accents := RuneSet{ASCII: ByteSet{bitsDigit}, High: []rune{0xE0, 0xFF, 0x1F600, 0x1F600}}
	for _, c := range []struct {
		text           string
		from, limit    int
		wantEnd, wantN int
	}{
		{"", 0, -1, 0, 0},
		{"1é😀a", 0, -1, 7, 3},
		{"1é😀a", 0, 2, 3, 2},
		{"1é😀a", 1, 0, 1, 0},
		{"Ā", 0, -1, 0, 0},
		{"9ßé", 0, -1, 1, 1},
		{"é一", 0, -1, 2, 1},
	} {
		if end, n := accents.Run([]byte(c.text), c.from, c.limit); end != c.wantEnd || n != c.wantN {
			t.Errorf("Run(%q, %d, %d) = %d, %d, want %d, %d", c.text, c.from, c.limit, end, n, c.wantEnd, c.wantN)
		}
	}
	if got := hexSet.Run([]byte("xxAf0g"), 2); got != 5 {
		t.Errorf("Run = %d, want 5", got)
	}
	if got := hexSet.Run([]byte("ab"), 2); got != 2 {
		t.Errorf("Run at the end = %d, want 2", got)
	}
}

func TestContains(t *testing.T) {
	if Contains(nil, "a") || !Contains(nil, "") || !Contains([]byte("xay"), "ay") {
		t.Error("Contains is wrong")
	}
}
