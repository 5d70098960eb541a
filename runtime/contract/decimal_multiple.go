package contract

import (
	"math/big"
	"math/bits"
	"strconv"
)

// IsMultipleOf reports whether a JSON number is d times an integer; d must be
// greater than zero. It is exact and takes time linear in len(text) whatever the
// exponents, since it reckons with remainders and never writes a number out. It
// allocates only if d is kept as Text.
func IsMultipleOf(text []byte, d Decimal) bool {
	if d.Text != "" {
		return isMultipleOfBig(text, d)
	}
	if d.Coef <= 0 {
		return false
	}
	m := uint64(d.Coef)
	if n, ok := smallNumber(text); ok {
		k := n.exp - int64(d.Exp)
		switch {
		case n.coef == 0:
			return true
		case k == 0:
			return n.coef%m == 0
		case k > 0:
			return mulMod(n.coef%m, powMod10(uint64(k), m), m) == 0
		case -k > smallDigits:
			return false
		}
		hi, lo := bits.Mul64(m, pow10[-k])
		return hi == 0 && n.coef%lo == 0
	}
	n := splitNumber(text)
	if n.isZero() {
		return true
	}
	// With its last digit not zero, n is no multiple of ten times anything at its scale.
	offset := n.point - int64(n.len()) - int64(d.Exp)
	if n.exp.plus(offset) < 0 {
		return false
	}
	r := uint64(0)
	for _, part := range [...][]byte{n.head, n.tail} {
		for _, c := range part {
			r = (mulMod(r, 10, m) + uint64(c-'0')) % m
		}
	}
	// Only the factors 2 and 5 of m are served by a power of ten; it has fewer of
	// them than bits, so a larger power (or the inexact one of a huge exponent)
	// answers like this one.
	scale := min(n.exp.plus(offset), 64)
	return mulMod(r, powMod10(uint64(scale), m), m) == 0
}

// mulMod gives a × b mod m for a, b < 2^63 and 0 < m < 2^63.
func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi == 0 {
		return lo % m
	}
	_, r := bits.Div64(hi%m, lo, m)
	return r
}

// powMod10 gives 10^k mod m.
func powMod10(k, m uint64) uint64 {
	if k <= smallDigits {
		return pow10[k] % m
	}
	r, base := 1%m, 10%m
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			r = mulMod(r, base, m)
		}
		base = mulMod(base, base, m)
	}
	return r
}

// isMultipleOfBig is IsMultipleOf for a divisor beyond 64 bits: the schema's
// author chose its length, so that may cost; the text's length costs no more
// than its share.
func isMultipleOfBig(text []byte, d Decimal) bool {
	n, div := splitNumber(text), splitNumber([]byte(d.Text))
	switch {
	case div.neg || div.isZero():
		return false
	case n.isZero():
		return true
	}
	offset := (n.point - int64(n.len())) - (div.point - int64(div.len()))
	scale := n.exp.minus(div.exp, offset)
	if scale < 0 {
		return false
	}
	m, ok := new(big.Int).SetString(string(div.head)+string(div.tail), 10)
	if !ok {
		return false
	}
	r := remainder(&n, m)
	// Only the factors 2 and 5 of m are served by a power of ten; it has fewer
	// of them than bits.
	scale = min(scale, int64(m.BitLen()))
	r.Mul(r, new(big.Int).Exp(big.NewInt(10), big.NewInt(scale), m))
	return r.Mod(r, m).Sign() == 0
}

// remainder gives the digits of n, as an integer, mod m.
func remainder(n *split, m *big.Int) *big.Int {
	r, chunk, scale := new(big.Int), new(big.Int), new(big.Int)
	var buf [smallDigits]byte
	for i := 0; i < n.len(); i += smallDigits {
		width := min(smallDigits, n.len()-i)
		for j := range width {
			buf[j] = n.at(i + j)
		}
		v, err := strconv.ParseUint(string(buf[:width]), 10, 64)
		if err != nil {
			return r.SetInt64(1) // not digits, against the contract
		}
		r.Mul(r, scale.SetUint64(pow10[width]))
		r.Add(r, chunk.SetUint64(v))
		r.Mod(r, m)
	}
	return r
}
