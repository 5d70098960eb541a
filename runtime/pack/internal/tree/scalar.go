package tree

import (
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxBased is the longest octal or hexadecimal number that is turned into a
// decimal one; the work grows faster than the text.
const maxBased = 256

func plain(n *yaml.Node) bool {
	const other = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	return n.Style&other == 0
}

// scalar sets v to what n means in the core schema.
func (p *parser) scalar(v *Node, n *yaml.Node) error {
	v.Kind, v.Text = String, n.Value
	tagged := n.Style&yaml.TaggedStyle != 0
	if tagged {
		before := len(p.faults)
		if err := p.tag(n, "!!str", "!!int", "!!float", "!!bool", "!!null"); err != nil || len(p.faults) > before {
			return err
		}
	}
	if !tagged && !plain(n) || tagged && n.Tag == "!!str" {
		return nil
	}
	if !tagged && p.lines.hasBareTag(v.Pos) {
		return p.fault(v.Pos, "remove it, or put the value in quotes", `the tag "!" cannot stand here`)
	}
	kind, text, form := core(n.Value)
	if tagged && !fits(n.Tag, kind, form) {
		return p.fault(v.Pos, "remove the tag", "%q is not a value of the tag %s", clip(n.Value), n.Tag)
	}
	if form == endless {
		return p.fault(v.Pos, "write a finite decimal number, or quote a text", "%q is a number that JSON cannot write", clip(n.Value))
	}
	v.Kind, v.Text, v.Bool = kind, text, kind == Bool && text == "true"
	if kind == Bool {
		v.Text = ""
	}
	return nil
}

// form is how a number is written.
type form uint8

const (
	none form = iota
	integer
	based
	fraction
	endless // infinite, not a number, or too long to convert
)

// core resolves a plain scalar; text is its JSON form.
func core(s string) (Kind, string, form) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, "", none
	case "true", "True", "TRUE":
		return Bool, "true", none
	case "false", "False", "FALSE":
		return Bool, "false", none
	case ".nan", ".NaN", ".NAN":
		return Number, "", endless
	}
	switch strings.TrimLeft(s[:1], "+-") + s[1:] {
	case ".inf", ".Inf", ".INF":
		return Number, "", endless
	}
	if text, f := number(s); f != none {
		return Number, text, f
	}
	return String, s, none
}

// number reads s as one of the core schema's numbers.
func number(s string) (text string, f form) {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'o' || s[1] == 'x') {
		return basedNumber(s)
	}
	sign, rest := "", s
	switch s[0] {
	case '-':
		sign, rest = "-", s[1:]
	case '+':
		rest = s[1:]
	}
	whole, rest := cutDigits(rest)
	point := strings.HasPrefix(rest, ".")
	decimals := ""
	if point {
		decimals, rest = cutDigits(rest[1:])
	}
	if whole == "" && decimals == "" {
		return "", none
	}
	f = integer
	if point {
		f = fraction
	}
	exponent := ""
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		digits := rest[1:]
		if digits != "" && (digits[0] == '+' || digits[0] == '-') {
			digits = digits[1:]
		}
		if d, more := cutDigits(digits); d == "" || more != "" {
			return "", none
		}
		exponent, rest, f = rest, "", fraction
	}
	if rest != "" {
		return "", none
	}
	// JSON has digits on both sides of the point and no leading zeros.
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	switch {
	case decimals != "":
		decimals = "." + decimals
	case point:
		decimals = ".0"
	}
	return sign + whole + decimals + exponent, f
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func basedNumber(s string) (string, form) {
	base, allowed := 8, "01234567"
	if s[1] == 'x' {
		base, allowed = 16, "0123456789abcdefABCDEF"
	}
	if strings.Trim(s[2:], allowed) != "" {
		return "", none
	}
	if len(s) > maxBased {
		return "", endless
	}
	n, ok := new(big.Int).SetString(s[2:], base)
	if !ok {
		return "", none
	}
	return n.String(), based
}

// fits reports whether a value may carry the tag.
func fits(tag string, kind Kind, f form) bool {
	switch tag {
	case "!!null":
		return kind == Null
	case "!!bool":
		return kind == Bool
	case "!!int":
		return f == integer || f == based
	}
	return f == integer || f == fraction // !!float
}
