package rules

import (
	"fmt"
	"regexp"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/contractkit/contractkit/internal/model"
)

// patternAt is which argument of a function is a regular expression.
var patternAt = map[string]int{
	"matches": 1, "find": 1, "findAll": 1, "findStrings": 1, "findKeys": 1, "regex.extract": 1, "regex.extractAll": 1, "regex.replace": 1,
}

// readers are the functions that read a text, with what they make of it.
var readers = map[string]*types.Type{
	"timestamp": cel.TimestampType, "duration": cel.DurationType, "int": cel.IntType, "uint": cel.UintType, "double": cel.DoubleType, "bool": cel.BoolType,
}

// failing reports calls that fail for every document, since a constant of theirs is not
// what they read. Such a rule would be broken by all documents, or by none.
func (c *checker) failing(t Text, base int, e *model.Expr) {
	if e == nil {
		return
	}
	if i, reads := patternAt[e.Name]; reads && e.Op == model.ExprCall && i < len(e.Args) {
		if text, fixed := constantText(e.Args[i]); fixed {
			if _, err := regexp.Compile(text); err != nil {
				c.problem(t, base+e.Args[i].At, "rules.constant", fmt.Sprintf("%.100q is no regular expression: %s", text, strings.TrimPrefix(err.Error(), "error parsing regexp: ")),
					"rules have RE2's syntax: https://github.com/google/re2/wiki/Syntax")
			}
		}
	}
	if kind := readers[e.Name]; kind != nil && e.Op == model.ExprCall && len(e.Args) == 1 {
		if text, fixed := constantText(e.Args[0]); fixed && types.IsError(types.String(text).ConvertToType(kind)) {
			c.problem(t, base+e.Args[0].At, "rules.constant", fmt.Sprintf("%s cannot read %.100q", e.Name, text), "the call fails for every document")
		}
	}
	for _, x := range e.Args {
		c.failing(t, base, x)
	}
}

// constantText is the string that an expression is for every document.
func constantText(e *model.Expr) (text string, fixed bool) {
	switch {
	case e.Term.Kind != model.TermString:
	case e.Op == model.ExprConst:
		return e.Value, true
	case e.Op == model.ExprCall && e.Name == "_+_":
		a, aFixed := constantText(e.Args[0])
		b, bFixed := constantText(e.Args[1])
		return a + b, aFixed && bFixed
	}
	return "", false
}
