package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The scanner finds what a JavaScript or TypeScript file loads. It does not parse:
// whether a slash divides or opens a regular expression, and in files with JSX
// whether a quote opens a string, cannot be told from the text before it. Where
// both are possible it goes both ways and reports what either finds. A file can
// therefore not hide an import behind a text that readers take for something else;
// at worst a text that only looks like an import is reported.

// load is one request for a module.
type load struct {
	specifier string
	line      int
	dynamic   bool // the specifier is worked out at run time; specifier is empty
	at        int  // offset, for the order
}

// prev says what stood before, as far as it matters for what comes next.
type prev uint8

const (
	anything    prev = iota // a slash after it opens a regular expression
	operand                 // a slash after it divides
	either                  // it may do both
	dot                     // the next word is the name of a member
	importWord              // import
	exportFrom              // from
	importDot               // import .
	importPhase             // import . word
	requireWord             // require
	importOpen              // import ( or require (
	wordCount               // number of values
)

// state is a point that the scanner may be at. Templates holds, for each template
// string that is open, how many braces are open inside its current substitution.
type state struct {
	pos       int
	prev      prev
	templates string // one byte each; more than 250 braces are out of bounds
}

// scanBudget bounds the work: how many bytes are looked at in all, for each byte of
// the file.
const scanBudget = 64

type scanner struct {
	src    string
	jsx    bool
	seen   map[string][]uint64 // by templates; a bit for each pos and prev
	todo   []state
	work   int
	found  map[int]load // by offset
	giveUp bool
}

// scanLoads returns what the source loads, in order, or false when it is too
// contrived to tell.
func scanLoads(src string, jsx bool) ([]load, bool) {
	s := &scanner{src: src, jsx: jsx, seen: map[string][]uint64{}, found: map[int]load{}}
	start := state{}
	if strings.HasPrefix(src, "\uFEFF") {
		start.pos = len("\uFEFF")
	}
	if strings.HasPrefix(src[start.pos:], "#!") {
		start.pos = s.lineEnd(start.pos)
	}
	s.todo = append(s.todo, start)
	for len(s.todo) > 0 && !s.giveUp {
		st := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		for more := true; more && !s.giveUp; {
			if s.visited(st) {
				break
			}
			from := st.pos
			st, more = s.step(st)
			s.work += max(st.pos-from, 1)
			if s.work > scanBudget*len(src)+4096 {
				s.giveUp = true
			}
		}
	}
	return s.inOrder(), !s.giveUp
}

func (s *scanner) visited(st state) bool {
	bits := s.seen[st.templates]
	if bits == nil {
		if len(s.seen) > 64 && len(s.seen)*len(s.src) > 64<<20 {
			s.giveUp = true
			return true
		}
		bits = make([]uint64, ((len(s.src)+1)*int(wordCount)+63)/64)
		s.seen[st.templates] = bits
	}
	i := st.pos*int(wordCount) + int(st.prev)
	old := bits[i/64]
	bits[i/64] |= 1 << (i % 64)
	return old == bits[i/64]
}

// also notes a second way to read what comes next.
func (s *scanner) also(st state) { s.todo = append(s.todo, st) }

// step reads one token. It returns false at the end of the file.
func (s *scanner) step(st state) (state, bool) {
	if st.pos >= len(s.src) {
		return st, false
	}
	switch c := s.src[st.pos]; {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
		st.pos++
		return st, true
	case c == '/' && s.at(st.pos+1, '/'):
		if s.jsx {
			s.also(state{st.pos + 2, anything, st.templates})
		}
		st.pos = s.lineEnd(st.pos)
		return st, true
	case c == '/' && s.at(st.pos+1, '*'):
		if s.jsx {
			s.also(state{st.pos + 2, anything, st.templates})
		}
		end := strings.Index(s.src[st.pos+2:], "*/")
		if end < 0 {
			s.work += len(s.src) - st.pos
			st.pos = len(s.src)
		} else {
			st.pos += 2 + end + 2
		}
		return st, true
	case c == '<' && strings.HasPrefix(s.src[st.pos:], "<!--"), c == '-' && strings.HasPrefix(s.src[st.pos:], "-->"):
		// Old scripts may use either as the start of a comment.
		s.also(state{s.lineEnd(st.pos), st.prev, st.templates})
		st.pos, st.prev = st.pos+1, anything
		return st, true
	case c == '/':
		return s.slash(st)
	case c == '"' || c == '\'':
		return s.quote(st)
	case c == '`':
		if s.jsx {
			s.also(state{st.pos + 1, anything, st.templates})
		}
		return s.template(st, st.pos, true)
	case c == '_' || c == '$' || c == '\\' || c >= utf8.RuneSelf || isAlnum(c):
		return s.word(st)
	}
	return s.punctuation(st)
}

func (s *scanner) at(pos int, c byte) bool { return pos < len(s.src) && s.src[pos] == c }

func (s *scanner) lineEnd(pos int) int {
	end := pos
	for end < len(s.src) && s.src[end] != '\n' && s.src[end] != '\r' && (s.src[end] != 0xE2 || !isSeparator(s.src[end:])) {
		end++
	}
	s.work += end - pos
	return end
}

// isSeparator reports whether s starts with one of the two line ends beyond ASCII.
func isSeparator(s string) bool {
	return strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")
}

// slash goes both ways where the text before it does not tell.
func (s *scanner) slash(st state) (state, bool) {
	divided := state{st.pos + 1, anything, st.templates}
	if st.prev == operand && !s.jsx {
		return divided, true
	}
	end, closed := s.regex(st.pos)
	if !closed {
		return divided, true
	}
	if st.prev != anything || s.jsx {
		s.also(divided)
	}
	return state{end, operand, st.templates}, true
}

// regex returns the end of the regular expression that opens at pos, flags left out.
func (s *scanner) regex(pos int) (int, bool) {
	end := s.lineEnd(pos)
	class := false
	for i := pos + 1; i < end; i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1, true
			}
		}
	}
	return 0, false
}

// quote reads a string. One that does not end on its line is none.
func (s *scanner) quote(st state) (state, bool) {
	q, i := s.src[st.pos], st.pos+1
	for ; i < len(s.src) && s.src[i] != q && s.src[i] != '\n' && s.src[i] != '\r'; i++ {
		if s.src[i] == '\\' && i+1 < len(s.src) {
			if i++; s.src[i] == '\r' && s.at(i+1, '\n') {
				i++
			}
		}
	}
	if s.work += i - st.pos; !s.at(i, q) {
		return state{st.pos + 1, anything, st.templates}, true
	}
	if s.jsx {
		s.also(state{st.pos + 1, anything, st.templates})
	}
	s.literal(st, s.src[st.pos+1:i], i+1)
	return state{i + 1, operand, st.templates}, true
}

// template reads a template string from its opening quote, or from the end of a
// substitution, to the next substitution or the closing quote.
func (s *scanner) template(st state, pos int, opening bool) (state, bool) {
	for i := pos + 1; i < len(s.src); i++ {
		switch {
		case s.src[i] == '\\':
			i++
		case s.src[i] == '`':
			if opening {
				s.literal(st, s.src[pos+1:i], i+1)
			}
			return state{i + 1, operand, st.templates}, true
		case s.src[i] == '$' && s.at(i+1, '{'):
			if opening && st.prev == importOpen {
				s.report(st.pos, load{dynamic: true})
			}
			if len(st.templates) >= 64 {
				s.giveUp = true
			}
			return state{i + 2, anything, st.templates + "\x00"}, true
		}
	}
	s.work += len(s.src) - pos
	return state{pos + 1, anything, st.templates}, true // it never ends
}

// literal looks at what a string that ends before end is for.
func (s *scanner) literal(st state, raw string, end int) {
	switch st.prev {
	case importWord, exportFrom:
		s.report(st.pos, load{specifier: unescape(raw)})
	case importOpen:
		end = s.skipBlank(end)
		if s.at(end, ')') || s.at(end, ',') {
			s.report(st.pos, load{specifier: unescape(raw)})
		} else {
			s.report(st.pos, load{dynamic: true})
		}
	}
}

// skipBlank passes blanks and comments.
func (s *scanner) skipBlank(pos int) int {
	for pos < len(s.src) {
		switch rest := s.src[pos:]; {
		case strings.HasPrefix(rest, "//"):
			pos = s.lineEnd(pos)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if s.work += len(rest); end < 0 {
				return len(s.src)
			}
			pos += 2 + end + 2
		default:
			r, n := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\uFEFF' {
				return pos
			}
			pos += n
		}
	}
	return pos
}

func (s *scanner) report(at int, l load) {
	l.at = at
	s.found[at] = l
}

// inOrder returns what was found, with line numbers.
func (s *scanner) inOrder() []load {
	loads := slices.SortedFunc(maps.Values(s.found), func(a, b load) int { return cmp.Compare(a.at, b.at) })
	line, from := 1, 0
	for i := range loads {
		line += strings.Count(s.src[from:loads[i].at], "\n")
		loads[i].line, from = line, loads[i].at
	}
	return loads
}

// after says what a word means for what follows it.
var after = map[string]prev{
	"import": importWord, "from": exportFrom, "require": requireWord,
	"return": anything, "typeof": anything, "case": anything, "in": anything, "delete": anything, "void": anything,
	"throw": anything, "new": anything, "instanceof": anything, "do": anything, "else": anything, "default": anything, "export": anything,
	"of": either, "yield": either, "await": either, "as": either, "satisfies": either, "async": either, "get": either, "set": either,
}

func (s *scanner) word(st state) (state, bool) {
	i, escaped := st.pos, false
	for i < len(s.src) {
		c := s.src[i]
		if c == '\\' {
			escaped = true
			i++
			if s.at(i, 'u') && s.at(i+1, '{') {
				if end := strings.IndexByte(s.src[i:], '}'); end > 0 && end < 12 {
					i += end + 1
				}
			}
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s.src[i:])
			if unicode.IsSpace(r) || r == '\uFEFF' {
				break
			}
			i += n
			continue
		}
		if c != '_' && c != '$' && !isAlnum(c) {
			break
		}
		i++
	}
	if i == st.pos { // a blank that is not ASCII
		_, n := utf8.DecodeRuneInString(s.src[i:])
		st.pos += n
		return st, true
	}
	name := s.src[st.pos:i]
	if escaped {
		name = unescape(name)
	}
	if st.prev == importOpen {
		s.report(st.pos, load{dynamic: true})
	}
	next := state{i, operand, st.templates}
	switch p, known := after[name]; {
	case name == "createRequire":
		s.report(st.pos, load{dynamic: true})
	case st.prev == importDot:
		if name != "meta" {
			next.prev = importPhase
		}
	case name == "require":
		next.prev = requireWord // also as a member: module.require loads too
	case st.prev == dot:
	case known:
		next.prev = p
	}
	return next, true
}

func (s *scanner) punctuation(st state) (state, bool) {
	c := s.src[st.pos]
	next := state{st.pos + 1, anything, st.templates}
	if st.prev == importOpen && c != ')' {
		s.report(st.pos, load{dynamic: true})
	}
	if st.prev == requireWord && strings.IndexByte("),;]}", c) >= 0 {
		s.report(st.pos, load{dynamic: true}) // handed on, to be called somewhere else
	}
	switch c {
	case '(':
		switch st.prev {
		case importWord, importPhase, requireWord:
			next.prev = importOpen
		}
	case '.':
		next.prev = dot
		if st.prev == importWord {
			next.prev = importDot
		}
	case '?': // require?.("x")
		if st.prev == requireWord && s.at(st.pos+1, '.') {
			next.pos, next.prev = st.pos+2, requireWord
		}
	case ']':
		next.prev = operand
	case ')', '>', '!', '+', '-':
		next.prev = either
	case '{':
		if n := len(st.templates); n > 0 {
			if st.templates[n-1] >= 250 {
				s.giveUp = true
			}
			next.templates = st.templates[:n-1] + string([]byte{st.templates[n-1] + 1})
		}
	case '}':
		next.prev = either
		if n := len(st.templates); n > 0 {
			if st.templates[n-1] == 0 {
				st.templates = st.templates[:n-1]
				return s.template(st, st.pos, false)
			}
			next.templates = st.templates[:n-1] + string([]byte{st.templates[n-1] - 1})
		}
	}
	return next, true
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// unescape decodes the escapes of strings, templates and identifiers.
func unescape(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'v':
			b.WriteByte('\v')
		case 'f':
			b.WriteByte('\f')
		case '\r', '\n': // the line goes on
			if c == '\r' && i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
		case 'x', 'u':
			var r rune
			n := 0
			if strings.HasPrefix(raw[i:], "u{") {
				if _, err := fmt.Sscanf(raw[i+2:], "%x}", &r); err == nil {
					n = strings.IndexByte(raw[i:], '}')
				}
			} else if width := map[byte]int{'x': 2, 'u': 4}[c]; i+width < len(raw) {
				if _, err := fmt.Sscanf(raw[i+1:i+1+width], "%x", &r); err == nil {
					n = width
				}
			}
			if n > 0 {
				b.WriteRune(r)
				i += n
			} else {
				b.WriteByte(c)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, n := 0, 0
			for n < 3 && i+n < len(raw) && '0' <= raw[i+n] && raw[i+n] <= '7' && v*8+int(raw[i+n]-'0') < 256 {
				v, n = v*8+int(raw[i+n]-'0'), n+1
			}
			b.WriteRune(rune(v))
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
