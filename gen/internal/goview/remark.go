package goview

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// Remark is a line comment that holds text which a schema or a file name had a hand
// in. It is one line whatever the text, and nothing but a comment: jennifer's own
// takes text with slashes or line breaks for a finished comment, or for several lines.
func Remark(format string, args ...any) *jen.Statement {
	return jen.Comment("// " + Plain(fmt.Sprintf(format, args...)))
}

// Plain is text without the characters that a comment must not or should not hold:
// controls, line breaks, byte order marks, and what changes the direction of writing.
func Plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == 0xFEFF, r == 0x2028, r == 0x2029, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return ' '
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "+build") { // which the go command would obey
		text = "'" + text
	}
	return text
}
