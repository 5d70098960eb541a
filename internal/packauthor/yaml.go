package packauthor

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/runtime/contract"
)

// plain is text that no version of YAML takes for anything but itself, as long as it
// is none of the reserved words.
var plain = regexp.MustCompile(`^[a-zA-Z^][a-zA-Z0-9._/^-]*(?:[:#][a-zA-Z0-9._/-]+)*$`)

var reserved = strings.Fields("null true false yes no on off y n")

// scalar writes a string.
func scalar(s string) string {
	if (plain.MatchString(s) || isVersionText(s)) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	if !strings.ContainsAny(s, "'\\\n\r\t\x7f") && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		return "'" + s + "'"
	}
	// JSON's strings are YAML's, too, but for characters that YAML does not print.
	var b strings.Builder
	for _, r := range string(contract.AppendString(nil, s)) {
		switch {
		case r >= 0x7F && r < 0xA0, r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

var threeNumbers = regexp.MustCompile(`^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$`)

func isVersionText(s string) bool { return threeNumbers.MatchString(s) }

// writer writes block style YAML.
type writer struct{ strings.Builder }

func (w *writer) line(indent int, text string) {
	w.WriteString(strings.Repeat("  ", indent) + text + "\n")
}

func (w *writer) text(indent int, key, value string) { w.line(indent, key+": "+scalar(value)) }

func (w *writer) texts(indent int, key string, values []string) {
	if len(values) == 0 {
		w.line(indent, key+": []")
		return
	}
	w.line(indent, key+":")
	for _, v := range values {
		w.line(indent+1, "- "+scalar(v))
	}
}

// member is a part of a schema; schemas keep the order that people write them in.
type member struct {
	key   string
	value any // string, int, bool, []string, []member
}

func (w *writer) object(indent int, members []member) {
	for _, m := range members {
		switch v := m.value.(type) {
		case string:
			w.text(indent, m.key, v)
		case int:
			w.line(indent, m.key+": "+strconv.Itoa(v))
		case bool:
			w.line(indent, m.key+": "+strconv.FormatBool(v))
		case []string:
			w.texts(indent, m.key, v)
		case []member:
			w.line(indent, m.key+":")
			w.object(indent+1, v)
		}
	}
}
