package gotypes

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/runtime/contract"
)

// quoteName writes a member's name as JSON.
func quoteName(name string) string { return string(contract.AppendString(nil, name)) }

// raw is a string literal that shows JSON as JSON looks.
func raw(text string) *jen.Statement {
	if strings.ContainsFunc(text, func(r rune) bool { return r == '`' || r < ' ' || r == 0xFEFF || r == 0x7F }) {
		return jen.Lit(text)
	}
	return jen.Op("`" + text + "`")
}
