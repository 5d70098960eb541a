package goview

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/runtime/contract"
)

// QuoteName writes a member's name, or another string, as JSON.
func QuoteName(name string) string { return string(contract.AppendString(nil, name)) }

// Raw is a string literal that shows JSON as JSON looks.
func Raw(text string) *jen.Statement {
	if strings.ContainsFunc(text, func(r rune) bool { return r == '`' || r < ' ' || r == 0xFEFF || r == 0x7F }) {
		return jen.Lit(text)
	}
	return jen.Op("`" + text + "`")
}
