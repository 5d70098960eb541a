package contract

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var numbers = []string{
	"0", "-0", "0.0", "0e5", "-0.0e-7", "1", "-1", "1.0", "10e-1", "0.1e1", "1e0", "1E+0", "0.5", "-0.5", "1.5", "2", "3",
	"9", "10", "11", "99", "100", "1e2", "1e3", "1000.0", "0.01", "0.0001", "1e-2", "123456789012345678", "999999999999999999",
	"1000000000000000000", "1234567890123456789", "9223372036854775807", "-9223372036854775808", "18446744073709551616",
	"123456789012345678901234567890", "123456789012345678901234567890.5", "0.123456789012345678901234567890", "1e18", "1e19", "1e40",
	"12345678901234567890e-1", "1234567890123456789.0", "1000000000000000000000e-21", "0.000000000000000000000001", "1e-24", "1e-40",
	"4.35", "0.0075", "19.99", "12391239123", "1e300", "3e-300", "-3.7e2", "00000"[:1], "2.50", "250e-2",
}

func rat(t testing.TB, s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("not a number: %q", s)
	}
	return r
}

func isMultiple(x, d *big.Rat) bool { return new(big.Rat).Quo(x, d).IsInt() }

// checkNumbers compares all functions on x and y with big.Rat.
func checkNumbers(t testing.TB, x, y string) {
	rx, ry := rat(t, x), rat(t, y)
	bx, by := []byte(x), []byte(y)
	d := ParseDecimal(y)
	if got, want := CompareNumber(bx, d), rx.Cmp(ry); got != want {
		t.Errorf("CompareNumber(%s, %s) = %d, want %d", x, y, got, want)
	}
	if got, want := CompareNumber(bx, Decimal{Text: y}), rx.Cmp(ry); got != want {
		t.Errorf("CompareNumber(%s, text %s) = %d, want %d", x, y, got, want)
	}
	if got, want := EqualNumbers(bx, by), rx.Cmp(ry) == 0; got != want {
		t.Errorf("EqualNumbers(%s, %s) = %v", x, y, got)
	}
	if got, want := IsIntegral(bx), rx.IsInt(); got != want {
		t.Errorf("IsIntegral(%s) = %v", x, got)
	}
	if ry.Sign() > 0 {
		want := isMultiple(rx, ry)
		if got := IsMultipleOf(bx, d); got != want {
			t.Errorf("IsMultipleOf(%s, %s) = %v", x, y, got)
		}
		if got := IsMultipleOf(bx, Decimal{Text: y}); got != want {
			t.Errorf("IsMultipleOf(%s, text %s) = %v", x, y, got)
		}
	}
}

func TestNumbersAgainstRationals(t *testing.T) {
	for _, x := range numbers {
		for _, y := range numbers {
			checkNumbers(t, x, y)
		}
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0000012345678999"[rnd.IntN(16)]
		}
		s := strings.TrimLeft(string(b), "0")
		if s == "" {
			return "0"
		}
		return s
	}
	number := func() string {
		s := digits(1 + rnd.IntN(22))
		if rnd.IntN(2) == 0 {
			s += "." + strings.Repeat("0", rnd.IntN(3)) + digits(1+rnd.IntN(22))
		}
		if rnd.IntN(2) == 0 {
			s += fmt.Sprintf("e%+d", rnd.IntN(60)-30)
		}
		if rnd.IntN(3) == 0 {
			s = "-" + s
		}
		return s
	}
	for range 20_000 {
		x, y := number(), number()
		checkNumbers(t, x, y)
		// The same value at another scale.
		checkNumbers(t, x, rat(t, x).FloatString(60))
		if r := rat(t, y); r.Sign() > 0 {
			product := new(big.Rat).Mul(r, big.NewRat(int64(rnd.IntN(1000)), 1))
			checkNumbers(t, product.FloatString(60), y)
		}
	}
}

// TestHugeExponents holds numbers that no big.Rat could: an answer must be right and at once.
func TestHugeExponents(t *testing.T) {
	start := time.Now()
	nines := strings.Repeat("9", 30)
	for _, c := range []struct {
		x, y      string
		cmp       int
		integral  bool
		multiples bool
	}{
		{"1e999999999", "1e999999998", 1, true, true},
		{"-1e999999999", "1", -1, true, true},
		{"1e-999999999", "0", 1, false, false},
		{"1e-999999999", "1e-999999998", -1, false, false},
		{"1e999999999", "3", 1, true, false},
		{"3e999999999", "3", 1, true, true},
		{"1e999999999", "0.75", 1, true, false},
		{"12e99999999999", "0.75", 1, true, true},
		{"1e" + nines, "1e" + nines, 0, true, true},
		{"10e" + nines, "1e" + nines, 1, true, true},
		{"1e" + nines, "10e" + nines, -1, true, false},
		{"10e" + nines, "1e1" + strings.Repeat("0", 30), 0, true, true},
		{"1e1" + strings.Repeat("0", 30), "10e" + nines, 0, true, true},
		{"1e-" + nines, "0.1e-" + nines, 1, false, true},
		{"1e-" + nines, "1e" + nines, -1, false, false},
		{"1e" + nines, "1e-" + nines, 1, true, true},
		{"0e" + nines, "1e-" + nines, -1, true, true},
		{"1e" + nines, "7", 1, true, false},
		{"1e" + nines, "1024", 1, true, true},
		{"1e" + nines, "123456789012345678901234567890", 1, true, false},
		{"123456789012345678901234567890e" + nines, "123456789012345678901234567890", 1, true, true},
		{"1e0000000000000000000000000000000002", "100", 0, true, true},
		{strings.Repeat("9", 200_000) + "e-200000", "1", -1, false, false},
		{"0." + strings.Repeat("0", 200_000) + "1e200001", "1", 0, true, true},
		{"1" + strings.Repeat("0", 200_000) + "e-200000", "1", 0, true, true},
		{strings.Repeat("9", 2_000_000), "9", 1, true, true},
		{strings.Repeat("9", 2_000_000), "9" + strings.Repeat("0", 20) + "1", 1, true, false},
		{"1e" + strings.Repeat("9", 2_000_000), "1e" + strings.Repeat("9", 1_999_999) + "8", 1, true, true},
	} {
		name := fmt.Sprintf("%.40s, %.40s", c.x, c.y)
		x, d := []byte(c.x), ParseDecimal(c.y)
		if got := CompareNumber(x, d); got != c.cmp {
			t.Errorf("CompareNumber(%s) = %d, want %d", name, got, c.cmp)
		}
		if got := EqualNumbers(x, []byte(c.y)); got != (c.cmp == 0) {
			t.Errorf("EqualNumbers(%s) = %v", name, got)
		}
		if got := IsIntegral(x); got != c.integral {
			t.Errorf("IsIntegral(%.40s) = %v", c.x, got)
		}
		if c.y != "0" {
			if got := IsMultipleOf(x, d); got != c.multiples {
				t.Errorf("IsMultipleOf(%s) = %v", name, got)
			}
		}
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestParseDecimal(t *testing.T) {
	for _, c := range []struct {
		text string
		want Decimal
	}{
		{"0", Decimal{}},
		{"-0.00", Decimal{}},
		{"1.50", Decimal{15, -1, ""}},
		{"-120", Decimal{-12, 1, ""}},
		{"1e3", Decimal{1, 3, ""}},
		{"999999999999999999", Decimal{999999999999999999, 0, ""}},
		{"1234567890123456789", Decimal{Text: "1234567890123456789"}},
		{"1e9999999999", Decimal{Text: "1e9999999999"}},
	} {
		if got := ParseDecimal(c.text); got != c.want {
			t.Errorf("ParseDecimal(%s) = %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestNumbersDoNotAllocate(t *testing.T) {
	text, other := []byte("123.4500"), []byte("1234500e-4")
	big := bytes.Repeat([]byte("7"), 100)
	d := ParseDecimal("0.05")
	if n := testing.AllocsPerRun(100, func() {
		CompareNumber(text, d)
		IsIntegral(text)
		IsMultipleOf(text, d)
		EqualNumbers(text, other)
		CompareNumber(big, d)
		IsMultipleOf(big, d)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzNumbers(f *testing.F) {
	for i, x := range numbers {
		f.Add(x, numbers[(i*7+3)%len(numbers)])
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		if !isJSONNumber(x) || !isJSONNumber(y) {
			t.Skip()
		}
		checkNumbers(t, x, y)
	})
}

// isJSONNumber admits JSON's grammar, with exponents that big.Rat can take.
func isJSONNumber(s string) bool {
	if len(s) > 200 {
		return false
	}
	s = strings.TrimPrefix(s, "-")
	digits := func() bool {
		n := len(s)
		s = strings.TrimLeft(s, "0123456789")
		return len(s) < n
	}
	if strings.HasPrefix(s, "0") && len(s) > 1 && s[1] >= '0' && s[1] <= '9' || !digits() {
		return false
	}
	if strings.HasPrefix(s, ".") {
		if s = s[1:]; !digits() {
			return false
		}
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if len(s) > 3 || !digits() {
			return false
		}
	}
	return s == ""
}

func BenchmarkNumbers(b *testing.B) {
	d := ParseDecimal("0.01")
	ten := ParseDecimal("10")
	for _, text := range []string{"42", "19.99", "123456789.125", "1e3", "12345678901234567890.25"} {
		t := []byte(text)
		b.Run("compare/"+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				CompareNumber(t, ten)
			}
		})
		b.Run("integral/"+text, func(b *testing.B) {
			for b.Loop() {
				IsIntegral(t)
			}
		})
		b.Run("multiple/"+text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				IsMultipleOf(t, d)
			}
		})
	}
}
