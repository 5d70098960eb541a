package contract

import (
	"bytes"
	"math/bits"
)

// Decimal is a number that a schema names, exactly: Coef × 10^Exp. A number that
// does not fit (more than 18 significant digits, or an exponent of ten digits)
// is kept as Text, its JSON form, and the other fields are zero. Generators emit
// it as a literal.
type Decimal struct {
	Coef int64
	Exp  int32
	Text string
}

// ParseDecimal reads a JSON number, in shortest form: 1.50 becomes 15 × 10^-1.
// Text that is not a number in JSON's grammar has no defined result.
func ParseDecimal(text string) Decimal {
	n, ok := smallNumber([]byte(text))
	if !ok {
		return Decimal{Text: text}
	}
	if n.coef == 0 {
		return Decimal{}
	}
	for n.coef%10 == 0 {
		n.coef /= 10
		n.exp++
	}
	d := Decimal{Coef: int64(n.coef), Exp: int32(n.exp)}
	if n.neg {
		d.Coef = -d.Coef
	}
	return d
}

// IsIntegral reports whether a JSON number has no fractional part, however it is
// written: 1.0, 1e3 and 10e-1 have none. It takes time linear in len(text).
func IsIntegral(text []byte) bool {
	for _, c := range text {
		if c == '.' || c|0x20 == 'e' {
			return isIntegralFraction(text)
		}
	}
	return true
}

func isIntegralFraction(text []byte) bool {
	if n, ok := smallNumber(text); ok {
		switch {
		case n.exp >= 0 || n.coef == 0:
			return true
		case n.exp < -18:
			return false
		}
		return n.coef%pow10[-n.exp] == 0
	}
	n := splitNumber(text)
	// The last digit that is not zero must stand at or above the point.
	return n.isZero() || n.exp.plus(n.point-int64(n.len())) >= 0
}

// CompareNumber compares a JSON number with d: -1 if it is less, 0 if equal,
// 1 if greater. It is exact, takes time linear in len(text) whatever the
// exponents, and does not allocate.
func CompareNumber(text []byte, d Decimal) int {
	if d.Text == "" {
		if n, ok := smallNumber(text); ok {
			return n.compare(d.small())
		}
	}
	n := splitNumber(text)
	var buf [24]byte
	return n.compare(d.split(&buf))
}

// EqualNumbers reports whether two JSON numbers have the same value: 1, 1.0 and
// 10e-1 do. It takes time linear in the texts and does not allocate.
func EqualNumbers(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if m, ok := smallNumber(a); ok {
		if n, ok := smallNumber(b); ok {
			return m.compare(n) == 0
		}
	}
	m, n := splitNumber(a), splitNumber(b)
	return m.compare(n) == 0
}

// small is a number ±coef × 10^exp with coef < 10^18.
type small struct {
	coef uint64
	exp  int64
	neg  bool
}

func (d Decimal) small() small {
	if d.Coef < 0 {
		return small{uint64(-d.Coef), int64(d.Exp), true}
	}
	return small{uint64(d.Coef), int64(d.Exp), false}
}

// smallDigits is how many digits always fit a coefficient.
const smallDigits = 18

var pow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// smallNumber reads text if it has at most 18 digits after leading zeros, and at
// most 9 in its exponent.
func smallNumber(text []byte) (n small, ok bool) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		n.neg = true
		i = 1
	}
	digits := 0
	for ; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			break
		}
		n.coef = n.coef*10 + uint64(c)
		if n.coef != 0 {
			if digits++; digits > smallDigits {
				return n, false
			}
		}
	}
	if i == len(text) {
		return n, true
	}
	if text[i] == '.' {
		start := i + 1
		for i++; i < len(text); i++ {
			c := text[i] - '0'
			if c > 9 {
				break
			}
			n.coef = n.coef*10 + uint64(c)
			if n.coef != 0 {
				if digits++; digits > smallDigits {
					return n, false
				}
			}
		}
		n.exp = int64(start - i)
		if n.exp < -1e8 {
			return n, false
		}
	}
	if i < len(text) { // e or E
		i++
		negative := false
		if i < len(text) && (text[i] == '-' || text[i] == '+') {
			negative = text[i] == '-'
			i++
		}
		if len(text)-i > 9 {
			return n, false
		}
		exp := int64(0)
		for ; i < len(text); i++ {
			exp = exp*10 + int64(text[i]-'0')
		}
		if negative {
			exp = -exp
		}
		n.exp += exp
	}
	return n, true
}

func (n small) compare(m small) int {
	if n.coef == 0 && m.coef == 0 {
		return 0
	}
	sign := 1
	if n.neg {
		sign = -1
	}
	switch {
	case n.coef == 0:
		if m.neg {
			return 1
		}
		return -1
	case m.coef == 0:
		return sign
	case n.neg != m.neg:
		return sign
	case n.exp >= m.exp:
		return sign * compareScaled(n.coef, n.exp-m.exp, m.coef)
	}
	return -sign * compareScaled(m.coef, m.exp-n.exp, n.coef)
}

// compareScaled compares a × 10^k with b; a and b are from 1 to 10^18, k is not negative.
func compareScaled(a uint64, k int64, b uint64) int {
	if k > smallDigits {
		return 1
	}
	hi, lo := bits.Mul64(a, pow10[k])
	switch {
	case hi > 0 || lo > b:
		return 1
	case lo < b:
		return -1
	}
	return 0
}
