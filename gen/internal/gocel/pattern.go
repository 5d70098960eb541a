package gocel

import (
	"regexp/syntax"
	"strings"
)

// ECMAScript rewrites a pattern of RE2, which CEL's matches uses, as a pattern of
// ECMAScript with the same meaning for text in UTF-8. It is false for patterns with
// anything that has no such form, which are left to the regexp package.
func ECMAScript(text string) (string, bool) {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil || hasFlags(tree) {
		return "", false
	}
	var b strings.Builder
	class := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 0x80:
			return "", false
		case c == '\\':
			if i++; i == len(text) {
				return "", false
			}
			switch e := text[i]; {
			case e == 's' && class:
				b.WriteString(`\t\n\f\r `)
			case e == 's':
				b.WriteString(`[\t\n\f\r ]`)
			case e == 'S' && !class:
				b.WriteString(`[^\t\n\f\r ]`)
			case e == 'A' && !class && i == 1:
				b.WriteByte('^')
			case e == 'z' && !class && i == len(text)-1:
				b.WriteByte('$')
			case strings.IndexByte("dDwWtnrf", e) >= 0, class && e == '-', strings.IndexByte(`.\\/+*?()[]{}|^$`, e) >= 0:
				b.WriteString(text[i-1 : i+1])
			case strings.IndexByte("-@:,;=~!#%&'\"<>_ ", e) >= 0: // escapes that are not needed
				b.WriteByte(e)
			default:
				return "", false
			}
		case class:
			if strings.HasPrefix(text[i:], "[:") { // [:alpha:] and the like
				return "", false
			}
			class = c != ']'
			b.WriteByte(c)
		case c == '[':
			class = true
			b.WriteByte(c)
			if strings.HasPrefix(text[i:], "[^") {
				i++
				b.WriteByte('^')
			}
			if strings.HasPrefix(text[i+1:], "]") {
				return "", false // a bracket as the first member
			}
		case c == '.':
			b.WriteString(`[^\n]`)
		case strings.HasPrefix(text[i:], "(?:"):
			b.WriteString("(?:")
			i += 2
		case strings.HasPrefix(text[i:], "(?"):
			return "", false
		case c == '{' && (i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9'), c == '}' && !closesCount(text[:i]):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// closesCount reports whether a } after s ends a count such as {2,3}.
func closesCount(s string) bool {
	open := strings.LastIndexByte(s, '{')
	return open >= 0 && strings.Trim(s[open+1:], "0123456789,") == "" && len(s) > open+1
}

// hasFlags reports what no rewriting of the text can express: word boundaries and case folding.
func hasFlags(x *syntax.Regexp) bool {
	switch x.Op {
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpNoMatch:
		return true
	}
	if x.Flags&syntax.FoldCase != 0 {
		return true
	}
	for _, y := range x.Sub {
		if hasFlags(y) {
			return true
		}
	}
	return false
}
