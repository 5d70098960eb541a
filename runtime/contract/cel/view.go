package cel

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/contractkit/contractkit/runtime/contract"
)

// FromNode returns the value n of the first document as s sees it.
func (c *Ctx) FromNode(n contract.Node, s *Shape) Val { return c.FromDoc(0, n, s) }

// FromDoc returns the value n of the document with that number as s sees it.
func (c *Ctx) FromDoc(doc int, n contract.Node, s *Shape) Val { return c.view(uint64(doc), n, s) }

func (c *Ctx) view(doc uint64, n contract.Node, s *Shape) Val {
	d := c.docs[doc]
	s = orDyn(s)
	switch d.Kind(n) {
	case contract.Null:
		return Null()
	case contract.Bool:
		if s.Kind == ShapeDyn || s.Kind == ShapeBool {
			return Bool(d.Raw(n)[0] == 't')
		}
	case contract.Num:
		return number(d.Number(n), s.Kind)
	case contract.String:
		return text(d, n, s.Kind)
	case contract.Array:
		if s.Kind == ShapeDyn || s.Kind == ShapeList {
			return Val{kind: KindList, node: n, num: doc, ref: s}
		}
	case contract.Object:
		if s.Kind == ShapeDyn || s.Kind == ShapeMap || s.Kind == ShapeObject {
			return Val{kind: KindMap, node: n, num: doc, ref: s}
		}
	}
	return Err("type error: " + d.Kind(n).String() + " in the document has another type than the rule expects")
}

// view returns the shape of v when it is a list or a map of a document, or else nil.
func (v Val) view() *Shape {
	s, _ := v.ref.(*Shape)
	return s
}

func number(digits []byte, k ShapeKind) Val {
	switch k {
	case ShapeDyn:
		if i, ok := plainInt(digits); ok {
			return Int(i)
		}
		return parseDouble(digits)
	case ShapeDouble:
		return parseDouble(digits)
	case ShapeInt:
		if i, ok := plainInt(digits); ok {
			return Int(i)
		}
		if digits, ok := integral(digits); ok {
			if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
				return Int(i)
			}
		}
		if f := parseDouble(digits); f.kind == KindError {
			return f
		}
		return Err("the number is not an integer of 64 bits")
	case ShapeUint:
		if digits, ok := integral(digits); ok {
			if u, err := strconv.ParseUint(strings.TrimPrefix(digits, "-"), 10, 64); err == nil && (u == 0 || digits[0] != '-') {
				return Uint(u)
			}
		}
		return Err("the number is not an unsigned integer of 64 bits")
	}
	return Err("type error: number in the document has another type than the rule expects")
}

// plainInt reads an integer without fraction and exponent that fits.
func plainInt(b []byte) (int64, bool) {
	i, neg := 0, b[0] == '-'
	if neg {
		i = 1
	}
	if len(b)-i > 19 {
		return 0, false
	}
	var u uint64
	for ; i < len(b); i++ {
		if b[i] < '0' || b[i] > '9' {
			return 0, false
		}
		u = u*10 + uint64(b[i]-'0') // 19 digits always fit
	}
	if neg {
		return -int64(u), u <= 1<<63
	}
	return int64(u), u <= math.MaxInt64
}

// integral writes a JSON number with an integral value without fraction and exponent;
// false when it has none or more digits than 64 bits can hold.
func integral(b []byte) (string, bool) {
	if !contract.IsIntegral(b) {
		return "", false
	}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(string(b)), "e")
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}
	shift := -len(fraction)
	if hasExponent {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return "", false
		}
		shift += e
	}
	const most = 20 // digits of the largest uint
	switch {
	case shift < 0 && -shift < len(digits):
		digits = digits[:len(digits)+shift] // zeros, since the value is integral
	case shift > most || shift < 0:
		return "", false
	case shift > 0:
		digits += strings.Repeat("0", shift)
	}
	return sign + digits, len(digits) <= most
}

func parseDouble(digits []byte) Val {
	f, err := strconv.ParseFloat(shared(digits), 64)
	if err != nil {
		return Err(beyondDouble)
	}
	return Double(f)
}

// beyondDouble is the error of a number that no double can hold, which the function
// overflows looks for.
const beyondDouble = "the number is beyond what a double can hold"

func text(d *contract.Doc, n contract.Node, k ShapeKind) Val {
	switch k {
	case ShapeDyn, ShapeString:
		return String(stringOf(d, n))
	case ShapeTimestamp:
		return parseLooseTime(shared(d.Text(n)))
	case ShapeDate:
		return parseDate(shared(d.Text(n)))
	case ShapeDuration:
		return parseDuration(shared(d.Text(n)))
	case ShapeBytes:
		b, err := base64.StdEncoding.DecodeString(shared(d.Text(n)))
		if err != nil {
			return Err("the string is not base64")
		}
		return Bytes(shared(b))
	}
	return Err("type error: string in the document has another type than the rule expects")
}

// stringOf returns the string n. Without escapes it is part of the document's text,
// which does not change while c is used; Text decodes others into a buffer, so they are
// copied. An escape is always longer than what it stands for.
func stringOf(d *contract.Doc, n contract.Node) string {
	decoded := d.Text(n)
	if len(decoded)+2 == len(d.Raw(n)) {
		return shared(decoded)
	}
	return string(decoded)
}

// nameOf returns the member's name k. Its Raw is the name with quotes, as a string's is.
func nameOf(d *contract.Doc, k contract.Node) string { return stringOf(d, k) }

// shared returns b as a string without a copy; b must not change while it is used.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
