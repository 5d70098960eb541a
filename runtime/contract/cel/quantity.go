package cel

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// quantity is an amount as Kubernetes writes it: coef × 10^exp.
//
// Kubernetes holds small amounts as an int64 with an exponent and others as a decimal
// number; asInteger works for the former only, so wide remembers which it would be.
type quantity struct {
	coef *big.Int
	exp  int
	wide bool
}

// The bounds of a quantity. Kubernetes has none on exponents; comparing with 1e1000000000
// would write out its zeros.
const (
	finest       = -9   // the exponent that finer amounts are rounded to, away from zero
	mostExponent = 1000 // exponents beyond are refused
	mostDigits   = 1000
)

// suffixes are the powers of two and of ten that the suffixes stand for.
var binarySuffixes = map[string]uint{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
var decimalSuffixes = map[string]int{"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}

// parseQuantity reads a sign, digits with at most one dot, and a suffix.
func parseQuantity(s string) (quantity, bool) {
	if s == "" || len(s) > mostDigits {
		return quantity{}, false
	}
	rest := s
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		rest = s[1:]
	}
	rest = strings.TrimLeft(rest, "0")
	after := strings.TrimLeft(rest, "0123456789")
	whole, fraction := rest[:len(rest)-len(after)], ""
	if strings.HasPrefix(after, ".") {
		suffix := strings.TrimLeft(after[1:], "0123456789")
		fraction, after = after[1:len(after)-len(suffix)], suffix
	}
	if whole == "" {
		whole = "0"
	}
	q := quantity{coef: new(big.Int)}
	q.coef.SetString(whole+fraction, 10)
	if negative {
		q.coef.Neg(q.coef)
	}
	q.exp = -len(fraction)
	bits, isBinary := binarySuffixes[after]
	if isBinary {
		q.coef.Lsh(q.coef, bits)
		fits := 15-len(whole)-int(float32(bits)*3/10)-1 >= 0
		q.wide = fraction != "" || !fits || !q.coef.IsInt64()
		return q.rounded().capped(), true
	}
	shift, known := decimalSuffixes[after]
	if !known {
		var ok bool
		if shift, ok = decimalExponent(after); !ok {
			return quantity{}, false
		}
	}
	q.exp += shift
	const mostFactors = 18 // digits that Kubernetes keeps in an int64
	q.wide = len(whole)+len(fraction) > mostFactors || q.exp < finest
	return q.rounded(), true
}

func decimalExponent(s string) (int, bool) {
	if len(s) < 2 || s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	e, err := strconv.Atoi(s[1:])
	return e, err == nil && e >= -mostExponent && e <= mostExponent
}

// rounded rounds what is finer than nano away from zero: whoever asks for a little gets
// something.
func (q quantity) rounded() quantity {
	if q.exp >= finest || q.coef.Sign() == 0 {
		return q
	}
	rest := new(big.Int)
	q.coef, rest = new(big.Int).QuoRem(q.coef, pow10(finest-q.exp), rest)
	q.coef.Add(q.coef, big.NewInt(int64(rest.Sign())))
	q.exp = finest
	return q
}

// capped keeps a wide binary amount within an int64, as Kubernetes does.
func (q quantity) capped() quantity {
	most := quantity{coef: big.NewInt(math.MaxInt64)}
	if q.wide && (quantity{coef: new(big.Int).Abs(q.coef), exp: q.exp}).cmp(most) > 0 {
		if q.coef.Sign() < 0 {
			most.coef.Neg(most.coef)
		}
		return quantity{coef: most.coef, wide: true}
	}
	return q
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// aligned returns the coefficients of two quantities at one exponent.
func aligned(a, b quantity) (x, y *big.Int, exp int) {
	exp = min(a.exp, b.exp)
	x, y = a.coef, b.coef
	if a.exp > exp {
		x = new(big.Int).Mul(x, pow10(a.exp-exp))
	}
	if b.exp > exp {
		y = new(big.Int).Mul(y, pow10(b.exp-exp))
	}
	return x, y, exp
}

func (q quantity) cmp(o quantity) int {
	x, y, _ := aligned(q, o)
	return x.Cmp(y)
}

func (q quantity) equal(other any) bool {
	o, ok := other.(quantity)
	return ok && q.cmp(o) == 0
}

// add returns q + sign×o.
func (q quantity) add(o quantity, sign int64) quantity {
	if !q.wide && !o.wide { // a zero does not change the exponent of the other
		if o.coef.Sign() == 0 {
			return q
		}
		if q.coef.Sign() == 0 {
			return quantity{coef: new(big.Int).Mul(o.coef, big.NewInt(sign)), exp: o.exp}
		}
	}
	x, y, exp := aligned(q, o)
	sum := new(big.Int).Add(x, new(big.Int).Mul(y, big.NewInt(sign)))
	wide := q.wide || o.wide || !x.IsInt64() || !y.IsInt64() || !sum.IsInt64()
	return quantity{sum, exp, wide}
}

// int64 returns the amount where Kubernetes can give it as a whole number.
func (q quantity) int64() (int64, bool) {
	if q.wide || q.exp < 0 {
		return 0, false
	}
	if q.coef.Sign() == 0 {
		return 0, true
	}
	if q.exp > 18 {
		return 0, false
	}
	x := new(big.Int).Mul(q.coef, pow10(q.exp))
	return x.Int64(), x.IsInt64()
}

func (q quantity) float() float64 {
	f, _ := new(big.Float).SetInt(q.coef).Float64()
	if q.exp == 0 {
		return f
	}
	return f * math.Pow10(q.exp)
}
