package contract

import (
	"bytes"
	"math"
	"strconv"
)

// split is a number of any length, taken apart but not expanded:
// ±0.D × 10^(point+exp), where D are the digits head and tail, without zeros at
// either end. Zero has no digits.
type split struct {
	neg        bool
	head, tail []byte
	point      int64
	exp        exponent
}

// exponent is what stands after e: digits without leading zeros.
type exponent struct {
	neg    bool
	digits []byte
}

func splitNumber(text []byte) (n split) {
	if len(text) > 0 && text[0] == '-' {
		n.neg = true
		text = text[1:]
	}
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		e := text[i+1:]
		text = text[:i]
		if len(e) > 0 && (e[0] == '+' || e[0] == '-') {
			n.exp.neg = e[0] == '-'
			e = e[1:]
		}
		n.exp.digits = trimZerosLeft(e)
	}
	n.head = text
	if i := bytes.IndexByte(text, '.'); i >= 0 {
		n.head, n.tail = text[:i], trimZerosRight(text[i+1:])
	}
	n.head = trimZerosLeft(n.head)
	n.point = int64(len(n.head))
	if len(n.head) == 0 {
		tail := trimZerosLeft(n.tail)
		n.point = -int64(len(n.tail) - len(tail))
		n.tail = tail
	}
	if len(n.tail) == 0 {
		n.head = trimZerosRight(n.head)
	}
	return n
}

// split gives d in the same form; its digits are written to buf when need be.
func (d Decimal) split(buf *[24]byte) split {
	if d.Text != "" {
		return splitNumber([]byte(d.Text))
	}
	n := splitNumber(strconv.AppendInt(buf[:0], d.Coef, 10))
	n.point += int64(d.Exp)
	return n
}

func trimZerosLeft(b []byte) []byte {
	for len(b) > 0 && b[0] == '0' {
		b = b[1:]
	}
	return b
}

func trimZerosRight(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

func (n *split) isZero() bool { return len(n.head) == 0 && len(n.tail) == 0 }

// len is the number of digits.
func (n *split) len() int { return len(n.head) + len(n.tail) }

// at gives digit i, '0' beyond the last.
func (n *split) at(i int) byte {
	if i < len(n.head) {
		return n.head[i]
	}
	if i -= len(n.head); i < len(n.tail) {
		return n.tail[i]
	}
	return '0'
}

func (n *split) compare(m split) int {
	sign := 1
	if n.neg {
		sign = -1
	}
	switch {
	case n.isZero() && m.isZero():
		return 0
	case n.isZero():
		if m.neg {
			return 1
		}
		return -1
	case m.isZero() || n.neg != m.neg:
		return sign
	}
	// The place of the first digit decides, unless it is the same.
	switch diff := n.exp.minus(m.exp, n.point-m.point); {
	case diff > 0:
		return sign
	case diff < 0:
		return -sign
	}
	for i := range max(n.len(), m.len()) {
		if a, b := n.at(i), m.at(i); a != b {
			if a > b {
				return sign
			}
			return -sign
		}
	}
	return 0
}

// farExponent stands for a difference beyond any offset that a text can have.
const farExponent = math.MaxInt64 / 2

// int64 gives the exponent, or ±farExponent if it has more than 18 digits.
func (e exponent) int64() int64 {
	v := int64(0)
	if len(e.digits) > smallDigits {
		v = farExponent
	} else {
		for _, c := range e.digits {
			v = v*10 + int64(c-'0')
		}
	}
	if e.neg {
		return -v
	}
	return v
}

// plus gives e+k, right in sign for every e, and exact unless e has more than
// 18 digits. |k| is bounded by the length of a text plus an int32.
func (e exponent) plus(k int64) int64 { return e.int64() + k }

// minus gives e-f+k, right in sign for all e and f.
func (e exponent) minus(f exponent, k int64) int64 {
	if len(e.digits) <= smallDigits && len(f.digits) <= smallDigits {
		return e.int64() - f.int64() + k
	}
	if e.neg != f.neg {
		return e.sign() * farExponent // at least 10^18 apart
	}
	diff := subtractDigits(e.digits, f.digits)
	if e.neg {
		diff = -diff
	}
	return diff + k
}

func (e exponent) sign() int64 {
	if e.neg {
		return -1
	}
	return 1
}

// subtractDigits gives a-b for decimal numbers without leading zeros, held at
// ±farExponent.
func subtractDigits(a, b []byte) int64 {
	if len(a) < len(b) || len(a) == len(b) && bytes.Compare(a, b) < 0 {
		return -subtractDigits(b, a)
	}
	// From the front, the difference of the leading parts never falls again once
	// it exceeds 1 by more than a borrow can take.
	v := int64(0)
	for i := range a {
		d := int64(a[i] - '0')
		if j := i - (len(a) - len(b)); j >= 0 {
			d -= int64(b[j] - '0')
		}
		if v = v*10 + d; v > farExponent/10-10 {
			return farExponent
		}
	}
	return v
}
