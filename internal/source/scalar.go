package source

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/contractkit/contractkit/internal/diag"
)

var (
	yamlInt   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	yamlBased = regexp.MustCompile(`^0(?:o[0-7]+|x[0-9a-fA-F]+)$`)
	yamlFloat = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	yamlNoNum = regexp.MustCompile(`^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// maxBased is the longest octal or hexadecimal number that is turned into a
// decimal one; the work grows faster than the text.
const maxBased = 1024

// scalar sets v to what n means in the core schema.
func (r *yamlReader) scalar(v *Value, n *yaml.Node, at *frame) {
	v.Kind, v.Text = String, n.Value
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	tagged := n.Style&yaml.TaggedStyle != 0
	if tagged {
		r.checkTag(n, at, "!!str", "!!int", "!!float", "!!bool", "!!null")
	}
	if !plain && !tagged || tagged && n.Tag == "!!str" {
		return
	}
	kind, text := core(n.Value)
	if tagged && !fits(n.Tag, kind, n.Value) {
		r.add(diag.Diagnostic{Code: "source.yaml-tag", Pos: v.Pos, Pointer: at.pointer(),
			Message: fmt.Sprintf("%s is not a value of the tag %s", quote(n.Value), quote(n.Tag)), Hint: "remove the tag"})
		return
	}
	switch kind {
	case Null, String:
		v.Kind = kind
		if kind == Null {
			v.Text = ""
		}
	case Bool:
		v.Kind, v.Text, v.Bool = Bool, "", text == "true"
	case Number:
		if text == "" {
			r.add(diag.Diagnostic{Code: "source.yaml-number", Pos: v.Pos, Pointer: at.pointer(),
				Message: fmt.Sprintf("%s is a number that JSON cannot write", quote(n.Value)),
				Hint:    "write a finite decimal number, or quote a text"})
			return
		}
		v.Kind, v.Text = Number, text
	}
}

// fits reports whether a value of the kind may carry the tag.
func fits(tag string, kind Kind, text string) bool {
	switch tag {
	case "!!null":
		return kind == Null
	case "!!bool":
		return kind == Bool
	case "!!int":
		return kind == Number && (yamlInt.MatchString(text) || yamlBased.MatchString(text))
	case "!!float":
		return kind == Number && !yamlBased.MatchString(text)
	}
	return true // a foreign tag was reported already
}

// core resolves a plain scalar. For a Number, text is its JSON form, or empty
// when it has none; for a Bool, text is true or false.
func core(s string) (kind Kind, text string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null, ""
	case "true", "True", "TRUE":
		return Bool, "true"
	case "false", "False", "FALSE":
		return Bool, "false"
	}
	if strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return String, s
	}
	switch {
	case yamlBased.MatchString(s):
		return Number, decimal(s)
	case yamlFloat.MatchString(s): // integers have this form too
		return Number, jsonNumber(s)
	case yamlNoNum.MatchString(s):
		return Number, ""
	}
	return String, s
}

func decimal(s string) string {
	if len(s) > maxBased {
		return ""
	}
	base := 8
	if s[1] == 'x' {
		base = 16
	}
	n, ok := new(big.Int).SetString(s[2:], base)
	if !ok {
		return ""
	}
	return n.String()
}

// jsonNumber spells a YAML number the way JSON does, changing no digit that
// counts: no plus sign, no leading zeros, digits on both sides of the point.
func jsonNumber(s string) string {
	sign := ""
	switch s[0] {
	case '-':
		sign, s = "-", s[1:]
	case '+':
		s = s[1:]
	}
	exponent := ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exponent = s[:i], s[i:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if point && fraction == "" {
		fraction = "0"
	}
	if point {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent
}
