package cel

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// cut returns the place in bytes of character i of s, which may be one past the end.
func cut(s string, i int64) (int, bool) {
	if i < 0 || i > int64(len(s)) {
		return 0, false
	}
	for at := range s {
		if i == 0 {
			return at, true
		}
		i--
	}
	return len(s), i == 0
}

func outOfRange(i int64) Val { return Err(fmt.Sprintf("index out of range: %d", i)) }

// CharAt is s.charAt(i): a string of one character, or "" at the end.
func (c *Ctx) CharAt(s, i Val) Val {
	if bad := accepts([]Val{s, i}, KindString, KindInt); bad.kind == KindError {
		return bad
	}
	if !c.spendText(len(s.str)) {
		return errLimit
	}
	at, ok := cut(s.str, i.int())
	if !ok {
		return outOfRange(i.int())
	}
	_, n := utf8.DecodeRuneInString(s.str[at:])
	return String(s.str[at : at+n])
}

// IndexOf is s.indexOf(part) or s.indexOf(part, from), in characters, or
// list.indexOf(x); -1 when there is none.
func (c *Ctx) IndexOf(args ...Val) Val {
	if len(args) == 2 && args[0].kind == KindList {
		return c.place(args[0], args[1], false)
	}
	s, part, from, bad := c.search(args, 0)
	if bad.kind == KindError {
		return bad
	}
	at, ok := cut(s, from)
	if part == "" {
		return Int(min(from, int64(utf8.RuneCountInString(s))))
	}
	if !ok {
		return Int(-1)
	}
	i := strings.Index(s[at:], part)
	if i < 0 {
		return Int(-1)
	}
	return Int(int64(utf8.RuneCountInString(s[:at+i])))
}

// LastIndexOf is s.lastIndexOf(part) or s.lastIndexOf(part, upTo), in characters, or
// list.lastIndexOf(x); -1 when there is none.
func (c *Ctx) LastIndexOf(args ...Val) Val {
	if len(args) == 2 && args[0].kind == KindList {
		return c.place(args[0], args[1], true)
	}
	const end = 1 << 62
	s, part, upTo, bad := c.search(args, end)
	if bad.kind == KindError {
		return bad
	}
	if part == "" {
		return Int(min(upTo, int64(utf8.RuneCountInString(s))))
	}
	at, ok := cut(s, upTo)
	switch {
	case upTo == end:
		at = len(s)
	case !ok || at == len(s):
		return Int(-1)
	}
	i := strings.LastIndex(s[:min(at+len(part), len(s))], part)
	if i < 0 {
		return Int(-1)
	}
	return Int(int64(utf8.RuneCountInString(s[:i])))
}

// search reads the arguments of the two functions above.
func (c *Ctx) search(args []Val, from int64) (string, string, int64, Val) {
	kinds := []Kind{KindString, KindString, KindInt}
	if bad := accepts(args, kinds[:max(2, min(len(args), 3))]...); bad.kind == KindError {
		return "", "", 0, bad
	}
	if len(args) == 3 {
		if from = args[2].int(); from < 0 {
			return "", "", 0, outOfRange(from)
		}
	}
	s, part, bad := c.strings2(args[0], args[1])
	return s, part, from, bad
}

// LowerAscii is s.lowerAscii().
func (c *Ctx) LowerAscii(s Val) Val { return c.mapBytes(s, 'A', 'Z') }

// UpperAscii is s.upperAscii().
func (c *Ctx) UpperAscii(s Val) Val { return c.mapBytes(s, 'a', 'z') }

// mapBytes changes the case of the letters lo to hi.
func (c *Ctx) mapBytes(v Val, lo, hi byte) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	b := []byte(s)
	for i, x := range b {
		if x >= lo && x <= hi {
			b[i] = x ^ 0x20
		}
	}
	return String(string(b))
}

// Replace is s.replace(old, new) or s.replace(old, new, limit); a negative limit is none.
func (c *Ctx) Replace(args ...Val) Val {
	kinds := []Kind{KindString, KindString, KindString, KindInt}
	if bad := accepts(args, kinds[:max(3, min(len(args), 4))]...); bad.kind == KindError {
		return bad
	}
	limit := -1
	if len(args) == 4 {
		limit = clampInt(args[3].int())
	}
	s, old, with := args[0].str, args[1].str, args[2].str
	if !c.spendText(len(s) + len(old)) {
		return errLimit
	}
	n := strings.Count(s, old)
	if limit >= 0 {
		n = min(n, limit)
	}
	if n == 0 {
		return String(s)
	}
	if size := int64(len(s)) + int64(n)*int64(len(with)); size > 8*DefaultSteps || !c.spendMade(int(size)) {
		return errLimit
	}
	return String(strings.Replace(s, old, with, limit))
}

// clampInt keeps an int within what all counts of things fit in.
func clampInt(i int64) int { return int(max(min(i, 1<<31-1), -1)) }

// Split is s.split(separator) or s.split(separator, limit); a negative limit is none.
func (c *Ctx) Split(args ...Val) Val {
	kinds := []Kind{KindString, KindString, KindInt}
	if bad := accepts(args, kinds[:max(2, min(len(args), 3))]...); bad.kind == KindError {
		return bad
	}
	limit := -1
	if len(args) == 3 {
		limit = clampInt(args[2].int())
	}
	if !c.spendText(len(args[0].str)) {
		return errLimit
	}
	pieces := strings.Count(args[0].str, args[1].str) + 1
	if limit >= 0 {
		pieces = min(pieces, limit)
	}
	if !c.spend(4 * pieces) { // each takes more memory than a character
		return errLimit
	}
	return textList(strings.SplitN(args[0].str, args[1].str, limit))
}

// Join is list.join() or list.join(separator).
func (c *Ctx) Join(args ...Val) Val {
	kinds := []Kind{KindList, KindString}
	if bad := accepts(args, kinds[:max(1, min(len(args), 2))]...); bad.kind == KindError {
		return bad
	}
	parts, bad := c.texts(args[0])
	if bad.kind == KindError {
		return bad
	}
	separator, size := "", 0
	if len(args) == 2 {
		separator = args[1].str
	}
	for _, p := range parts {
		if size += len(p) + len(separator); size > 8*DefaultSteps {
			return errLimit
		}
	}
	if !c.spendMade(size) {
		return errLimit
	}
	return String(strings.Join(parts, separator))
}

// Substring is s.substring(start) or s.substring(start, end), in characters.
func (c *Ctx) Substring(args ...Val) Val {
	kinds := []Kind{KindString, KindInt, KindInt}
	if bad := accepts(args, kinds[:max(2, min(len(args), 3))]...); bad.kind == KindError {
		return bad
	}
	s := args[0].str
	if !c.spendText(len(s)) {
		return errLimit
	}
	from, ok := cut(s, args[1].int())
	if !ok {
		return outOfRange(args[1].int())
	}
	if len(args) == 2 {
		return String(s[from:])
	}
	to, ok := cut(s, args[2].int())
	switch {
	case !ok:
		return outOfRange(args[2].int())
	case to < from:
		return Err(fmt.Sprintf("invalid substring range. start: %d, end: %d", args[1].int(), args[2].int()))
	}
	return String(s[from:to])
}

// Trim is s.trim(): without white space at both ends.
func (c *Ctx) Trim(v Val) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	return String(strings.TrimSpace(s))
}

// Reverse is s.reverse(), by code points, or list.reverse().
func (c *Ctx) Reverse(v Val) Val {
	if v.kind == KindList {
		return c.reverseList(v)
	}
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, n := utf8.DecodeLastRuneInString(s)
		b = utf8.AppendRune(b, r)
		s = s[:len(s)-n]
	}
	return String(string(b))
}

var quoteEscapes = strings.NewReplacer("\a", `\a`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, `\`, `\\`, `"`, `\"`)

// StringsQuote is strings.quote(s): as a literal in double quotes.
func (c *Ctx) StringsQuote(v Val) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	return String(`"` + quoteEscapes.Replace(strings.ToValidUTF8(s, "\uFFFD")) + `"`)
}
