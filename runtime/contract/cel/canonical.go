package cel

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Canonical is canonical(x): the RFC 8785 form of x as JSON. What stands in the document
// is taken from there, whatever its shape; of values that a rule has made, timestamps and
// durations become their strings and bytes base64. An int that is not exact as a double
// is an error, as are a number beyond doubles and a key that is no string.
func (c *Ctx) Canonical(v Val) Val {
	if v.kind == KindError {
		return v
	}
	out, bad := c.canonical(c.text[:0], v)
	if bad.kind == KindError {
		return bad
	}
	c.keepText(out)
	return String(string(out))
}

// keepText keeps the memory of a text that has been used, if it is not too much.
func (c *Ctx) keepText(b []byte) {
	if cap(b) <= 1<<18 {
		c.text = b
	}
}

// Digest is digest(x): sha256, a colon and the hash of canonical(x) in small hexadecimal digits.
func (c *Ctx) Digest(v Val) Val {
	if v.kind == KindError {
		return v
	}
	out, bad := c.canonical(c.text[:0], v)
	if bad.kind == KindError {
		return bad
	}
	c.keepText(out)
	sum := sha256.Sum256(out)
	const name = "sha256:"
	var digits [len(name) + 2*sha256.Size]byte
	copy(digits[:], name)
	hex.Encode(digits[len(name):], sum[:])
	return String(string(digits[:]))
}

func (c *Ctx) canonical(out []byte, v Val) ([]byte, Val) {
	if v.view() != nil {
		return c.canonicalNode(out, c.docs[v.num], v.node)
	}
	if !c.Step() {
		return nil, errLimit
	}
	switch v.kind {
	case KindError:
		return nil, v
	case KindNull:
		return append(out, "null"...), Null()
	case KindBool:
		return strconv.AppendBool(out, v.num != 0), Null()
	case KindInt:
		return canonicalNumber(out, strconv.AppendInt(nil, v.int(), 10), true)
	case KindUint:
		return canonicalNumber(out, strconv.AppendUint(nil, v.num, 10), true)
	case KindDouble:
		if f := v.double(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return appendES6(out, f), Null()
		}
		return nil, Err("JSON has no " + formatDouble(v.double()))
	case KindString:
		if !c.spendMade(len(v.str)) {
			return nil, errLimit
		}
		return c.canonicalText(out, v.str)
	case KindBytes:
		return c.canonicalText(out, base64.StdEncoding.EncodeToString([]byte(v.str)))
	case KindTimestamp:
		return c.canonicalText(out, formatTime(v))
	case KindDuration:
		return c.canonicalText(out, formatDuration(v))
	case KindList:
		out = append(out, '[')
		for _, x := range v.built().items {
			var bad Val
			if out, bad = c.canonical(out, x); bad.kind == KindError {
				return nil, bad
			}
			out = append(out, ',')
		}
		return contract.CloseArray(out), Null()
	case KindMap:
		return c.canonicalMap(out, v.builtMap())
	}
	return nil, Err("no JSON form of " + v.typeName())
}

func (c *Ctx) canonicalText(out []byte, s string) ([]byte, Val) {
	if !c.spendText(len(s)) {
		return nil, errLimit
	}
	return contract.AppendString(out, s), Null()
}

func (c *Ctx) canonicalMap(out []byte, m *mapping) ([]byte, Val) {
	var few [32]int
	order := append(few[:0], make([]int, len(m.keys))...)
	for i, k := range m.keys {
		if order[i] = i; k.kind != KindString {
			return nil, Err("a key of a JSON object is a string, not " + k.typeName())
		}
	}
	slices.SortFunc(order, func(i, j int) int { return compareUTF16(m.keys[i].str, m.keys[j].str) })
	out = append(out, '{')
	for _, i := range order {
		var bad Val
		out = contract.AppendName(out, m.keys[i].str)
		if out, bad = c.canonical(out, m.vals[i]); bad.kind == KindError {
			return nil, bad
		}
		out = append(out, ',')
	}
	return contract.CloseObject(out), Null()
}

// member is a member of an object that is being written.
type member struct {
	name string
	node contract.Node
}

// canonicalNode writes a value of a document.
func (c *Ctx) canonicalNode(out []byte, d *contract.Doc, n contract.Node) ([]byte, Val) {
	if !c.Step() {
		return nil, errLimit
	}
	bad := Null()
	switch d.Kind(n) {
	case contract.Num:
		text := d.Number(n)
		return canonicalNumber(out, text, isInt(text))
	case contract.String:
		return c.canonicalText(out, shared(d.Text(n)))
	case contract.Array:
		out = append(out, '[')
		for e, end := n+1, d.Next(n); e < end; e = d.Next(e) {
			if out, bad = c.canonicalNode(out, d, e); bad.kind == KindError {
				return nil, bad
			}
			out = append(out, ',')
		}
		return contract.CloseArray(out), bad
	case contract.Object:
		base, sorted := len(c.members), true
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k + 1) {
			m := member{nameOf(d, k), k + 1}
			if top := len(c.members); top > base && compareUTF16(c.members[top-1].name, m.name) > 0 {
				sorted = false
			}
			c.members = append(c.members, m)
		}
		if !sorted {
			slices.SortFunc(c.members[base:], func(a, b member) int { return compareUTF16(a.name, b.name) })
		}
		out = append(out, '{')
		for i, top := base, len(c.members); i < top; i++ {
			m := c.members[i] // what is below it may move them
			out = contract.AppendName(out, m.name)
			if out, bad = c.canonicalNode(out, d, m.node); bad.kind == KindError {
				c.members = c.members[:base]
				return nil, bad
			}
			out = append(out, ',')
		}
		clear(c.members[base:])
		c.members = c.members[:base]
		return contract.CloseObject(out), bad
	}
	return append(out, d.Raw(n)...), bad
}

// canonicalNumber writes a JSON number. An int has to be exact as a double; other
// numbers are the nearest double, as ECMAScript reads them, so that one too small for
// any is 0. There is none for a number beyond the largest.
func canonicalNumber(out, text []byte, whole bool) ([]byte, Val) {
	if len(text) <= 15 && plainDigits(text) {
		return append(out, text...), Null()
	}
	from := len(out)
	f, err := strconv.ParseFloat(shared(text), 64)
	if err != nil {
		return nil, Err("the number " + clip(string(text)) + " is beyond what a double can hold")
	}
	out = appendES6(out, f)
	if whole && !contract.EqualNumbers(text, out[from:]) {
		return nil, Err("the number " + clip(string(text)) + " is not exact as a double, so canonical JSON would change it")
	}
	return out, Null()
}

// plainDigits reports whether a number is a whole one without a sign, written in digits.
func plainDigits(text []byte) bool {
	for _, b := range text {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

// isInt reports whether rules see a number of a document as an int, whatever its schema.
func isInt(text []byte) bool {
	if len(text) > 20 || bytes.ContainsAny(text, ".eE") {
		return false
	}
	_, err := strconv.ParseInt(shared(text), 10, 64)
	return err == nil
}

// appendES6 writes a finite double as ECMAScript does.
func appendES6(out []byte, f float64) []byte {
	if f == 0 {
		return append(out, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(out, f, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	out = append(append(out, mantissa...), 'e', exponent[0])
	return append(out, strings.TrimLeft(exponent[1:], "0")...)
}

// compareUTF16 orders strings by their UTF-16 code units, in which characters beyond the
// first plane stand before U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i < len(a) && i < len(b) && a[i]|b[i] < 0x80 {
		return int(a[i]) - int(b[i])
	}
	for i > 0 && (i < len(a) && a[i]&0xC0 == 0x80 || i < len(b) && b[i]&0xC0 == 0x80) {
		i-- // to the start of the character
	}
	x, y := []rune(a[i:min(len(a), i+4)]), []rune(b[i:min(len(b), i+4)])
	if len(x) == 0 || len(y) == 0 {
		return order3(len(x), len(y))
	}
	return slices.Compare(utf16.Encode(x[:1]), utf16.Encode(y[:1]))
}
