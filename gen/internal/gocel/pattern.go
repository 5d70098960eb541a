package gocel

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
)

// ECMAScript rewrites a pattern of RE2, which CEL's matches uses, as a pattern of
// ECMAScript that is found in the same strings. It is false for patterns with anything
// that has no such form, which are left to the regexp package.
func ECMAScript(text string) (string, bool) {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	if !writePattern(&b, tree) {
		return "", false
	}
	return b.String(), true
}

// writePattern writes x as a unit that a quantifier may follow.
func writePattern(b *strings.Builder, x *syntax.Regexp) bool {
	each := func(between string) bool {
		b.WriteString("(?:")
		for i, y := range x.Sub {
			if i > 0 {
				b.WriteString(between)
			}
			if !writePattern(b, y) {
				return false
			}
		}
		b.WriteString(")")
		return true
	}
	switch x.Op {
	case syntax.OpEmptyMatch:
		b.WriteString("(?:)")
	case syntax.OpLiteral:
		if len(x.Rune) != 1 {
			b.WriteString("(?:")
			defer b.WriteString(")")
		}
		for _, r := range x.Rune {
			if x.Flags&syntax.FoldCase != 0 && unicode.SimpleFold(r) != r {
				writeFolds(b, r)
			} else {
				writeRune(b, r)
			}
		}
	case syntax.OpCharClass:
		if len(x.Rune) == 0 {
			return false
		}
		b.WriteByte('[')
		for i := 0; i < len(x.Rune); i += 2 {
			writeRune(b, x.Rune[i])
			if x.Rune[i+1] > x.Rune[i] {
				b.WriteByte('-')
				writeRune(b, x.Rune[i+1])
			}
		}
		b.WriteByte(']')
	case syntax.OpAnyCharNotNL:
		b.WriteString(`[^\n]`)
	case syntax.OpAnyChar:
		b.WriteString(`[\s\S]`)
	case syntax.OpBeginText:
		b.WriteByte('^')
	case syntax.OpEndText:
		b.WriteByte('$')
	case syntax.OpWordBoundary:
		b.WriteString(`\b`)
	case syntax.OpNoWordBoundary:
		b.WriteString(`\B`)
	case syntax.OpCapture, syntax.OpConcat:
		return each("")
	case syntax.OpAlternate:
		return each("|")
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		if !each("") {
			return false
		}
		switch {
		case x.Op == syntax.OpStar:
			b.WriteByte('*')
		case x.Op == syntax.OpPlus:
			b.WriteByte('+')
		case x.Op == syntax.OpQuest:
			b.WriteByte('?')
		case x.Max < 0:
			fmt.Fprintf(b, "{%d,}", x.Min)
		default:
			fmt.Fprintf(b, "{%d,%d}", x.Min, x.Max)
		}
	default: // the begin and end of lines, and what matches nothing
		return false
	}
	return true
}

// writeFolds writes r and the letters that differ from it in case only.
func writeFolds(b *strings.Builder, r rune) {
	b.WriteByte('[')
	writeRune(b, r)
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		writeRune(b, f)
	}
	b.WriteByte(']')
}

func writeRune(b *strings.Builder, r rune) {
	switch {
	case r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_' || r == ' ':
		b.WriteRune(r)
	case r <= 0xFFFF:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + "}")
	}
}
