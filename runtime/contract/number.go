package contract

import (
	"errors"
	"math/big"
	"strconv"
)

// Integer is a JSON number with an integral value, of any size. It keeps the text
// that it was read from: 1.0 stays 1.0. The zero Integer is 0.
type Integer struct{ text string }

// Int returns the integer n.
func Int(n int64) Integer { return Integer{strconv.FormatInt(n, 10)} }

// String returns the JSON text.
func (i Integer) String() string {
	if i.text == "" {
		return "0"
	}
	return i.text
}

// Int64 returns the value, and false when it does not fit.
func (i Integer) Int64() (int64, bool) {
	if n, err := strconv.ParseInt(i.String(), 10, 64); err == nil {
		return n, true
	}
	if b := i.big(); b != nil && b.IsInt64() {
		return b.Int64(), true
	}
	return 0, false
}

// Big returns the value; nil when its exponent is beyond ten thousand, which would
// take more memory than such a number is worth.
func (i Integer) Big() *big.Int { return i.big() }

func (i Integer) big() *big.Int {
	r := ratOf(i.String())
	if r == nil || !r.IsInt() {
		return nil
	}
	return r.Num()
}

// MarshalJSON returns the text.
func (i Integer) MarshalJSON() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalJSON takes a JSON number with an integral value.
func (i *Integer) UnmarshalJSON(b []byte) error {
	if !isNumber(b) || !IsIntegral(b) {
		return errors.New("contract: not an integer: " + quote(string(b)))
	}
	i.text = string(b)
	return nil
}

// Number is a JSON number. It keeps the text that it was read from. The zero
// Number is 0.
type Number struct{ text string }

// Float returns the number f in its shortest form; f must be finite.
func Float(f float64) Number { return Number{strconv.FormatFloat(f, 'g', -1, 64)} }

// ParseNumber returns the number with that JSON text.
func ParseNumber(text string) (Number, error) {
	if !isNumber([]byte(text)) {
		return Number{}, errors.New("contract: not a JSON number: " + quote(text))
	}
	return Number{text}, nil
}

// String returns the JSON text.
func (n Number) String() string {
	if n.text == "" {
		return "0"
	}
	return n.text
}

// Float64 returns the nearest float64; out of range it is an infinity.
func (n Number) Float64() float64 {
	f, _ := strconv.ParseFloat(n.String(), 64)
	return f
}

// Rat returns the exact value; nil when its exponent is beyond ten thousand.
func (n Number) Rat() *big.Rat { return ratOf(n.String()) }

// MarshalJSON returns the text.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalJSON takes a JSON number.
func (n *Number) UnmarshalJSON(b []byte) error {
	if !isNumber(b) {
		return errors.New("contract: not a number: " + quote(string(b)))
	}
	n.text = string(b)
	return nil
}

func isNumber(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	end, _, f := scanNumber(b, 0)
	return f == ok && end == len(b)
}

func ratOf(text string) *big.Rat {
	const mostExponent = 10_000
	if e := lastExponent(text); e > mostExponent || e < -mostExponent {
		return nil
	}
	r, valid := new(big.Rat).SetString(text)
	if !valid {
		return nil
	}
	return r
}

// lastExponent returns the number behind e or E, bounded; 0 without one.
func lastExponent(text string) int {
	for i := range len(text) {
		if text[i]|0x20 == 'e' {
			n, err := strconv.Atoi(text[i+1:])
			if err != nil && text[i+1] == '-' {
				return -1 << 31
			} else if err != nil {
				return 1 << 31
			}
			return n
		}
	}
	return 0
}

// IntegerOf returns the integer with that JSON text; it panics when there is none,
// and so is for texts that are known, such as defaults in a schema.
func IntegerOf(text string) Integer {
	if b := []byte(text); !isNumber(b) || !IsIntegral(b) {
		panic("contract: not an integer: " + text)
	}
	return Integer{text}
}

// NumberOf returns the number with that JSON text; it panics when there is none.
func NumberOf(text string) Number {
	n, err := ParseNumber(text)
	if err != nil {
		panic(err)
	}
	return n
}
