package contract

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// Parse reads data into d, replacing what d held. On failure it returns an
// *Error with one issue, whose offset is where the text stops being JSON.
// d refers to data until it is parsed into again; data must not change meanwhile.
func (d *Doc) Parse(data []byte, lim Limits) error {
	lim = lim.fill()
	d.data = data
	if len(data) > lim.MaxBytes {
		return &Error{tooLarge(lim)}
	}
	tape, at, why := d.scan(data, d.tape[:cap(d.tape)], lim.MaxDepth)
	d.tape = tape
	if why != ok {
		return &Error{Issues{{Code: why.code(), Message: d.explain(why, at, lim), Offset: at}}}
	}
	return nil
}

func tooLarge(lim Limits) Issues {
	return Issues{{Code: CodeTooLarge, Message: "the document is larger than the limit of " + itoa(lim.MaxBytes) + " bytes"}}
}

// scan fills the tape. While a container is open, its token's next holds the
// token of its parent, so that no stack is needed.
func (d *Doc) scan(b []byte, tape []token, maxDepth int) (_ []token, at int, why fault) {
	const top = ^uint32(0)
	open := top // the innermost open container
	n, i, depth, deepest := 0, 0, 0, 0

value:
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	if n+2 >= len(tape) {
		tape = grow(tape)
	}
	if i >= len(b) {
		return tape, i, faultEnd
	}
	switch c := b[i]; c {
	case '"':
		end, flags, f := scanString(b, i+1)
		if f != ok {
			return tape, end, f
		}
		t := &tape[n]
		t.off, t.end, t.next, t.kind, t.flags = uint32(i+1), uint32(end), uint32(n+1), String, flags
		n++
		i = end + 1
	case '{':
		if depth++; depth > maxDepth {
			return tape, i, faultDepth
		}
		deepest = max(deepest, depth)
		t := &tape[n]
		t.off, t.next, t.kind, t.flags = uint32(i), open, Object, 0
		open = uint32(n)
		n++
		i = skipSpace(b, i+1)
		if i < len(b) && b[i] == '}' {
			goto closing
		}
		goto name
	case '[':
		if depth++; depth > maxDepth {
			return tape, i, faultDepth
		}
		deepest = max(deepest, depth)
		t := &tape[n]
		t.off, t.next, t.kind, t.flags = uint32(i), open, Array, 0
		open = uint32(n)
		n++
		i = skipSpace(b, i+1)
		if i < len(b) && b[i] == ']' {
			goto closing
		}
		goto value
	case 't':
		if len(b)-i < 4 || string(b[i:i+4]) != "true" {
			return tape, i, faultWord
		}
		t := &tape[n]
		t.off, t.end, t.next, t.kind, t.flags = uint32(i), uint32(i+4), uint32(n+1), Bool, 0
		n++
		i += 4
	case 'f':
		if len(b)-i < 5 || string(b[i:i+5]) != "false" {
			return tape, i, faultWord
		}
		t := &tape[n]
		t.off, t.end, t.next, t.kind, t.flags = uint32(i), uint32(i+5), uint32(n+1), Bool, 0
		n++
		i += 5
	case 'n':
		if len(b)-i < 4 || string(b[i:i+4]) != "null" {
			return tape, i, faultWord
		}
		t := &tape[n]
		t.off, t.end, t.next, t.kind, t.flags = uint32(i), uint32(i+4), uint32(n+1), Null, 0
		n++
		i += 4
	default:
		end, flags, f := scanNumber(b, i)
		if f != ok {
			return tape, end, f
		}
		t := &tape[n]
		t.off, t.end, t.next, t.kind, t.flags = uint32(i), uint32(end), uint32(n+1), Num, flags
		n++
		i = end
	}

after:
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	if open == top {
		if i < len(b) {
			return tape, i, faultTrailing
		}
		d.deepest = deepest
		return tape[:n], i, ok
	}
	if i >= len(b) {
		return tape, i, faultEnd
	}
	if b[i] == ',' {
		i++
		if tape[open].kind == Array {
			goto value
		}
		goto name
	}
	if b[i] != '}' && b[i] != ']' {
		return tape, i, faultComma
	}

closing: // b[i] is a closing bracket
	if c := &tape[open]; b[i] == '}' {
		if c.kind != Object {
			return tape, i, faultComma
		}
		if n > int(open)+3 { // two members or more
			if k := d.duplicate(b, tape[open:n]); k != 0 {
				d.twice = Node(open)
				return tape, int(tape[int(open)+k].off) - 1, faultDuplicate
			}
		}
		i++
		c.end = uint32(i)
		open, c.next = c.next, uint32(n)
	} else {
		if c.kind != Array {
			return tape, i, faultComma
		}
		i++
		c.end = uint32(i)
		open, c.next = c.next, uint32(n)
	}
	depth--
	goto after

name:
	if i < len(b) && b[i] <= ' ' {
		i = skipSpace(b, i)
	}
	if i >= len(b) {
		return tape, i, faultEnd
	}
	if b[i] != '"' {
		return tape, i, faultName
	}
	{
		if n+2 >= len(tape) {
			tape = grow(tape)
		}
		end, flags, f := scanString(b, i+1)
		if f != ok {
			return tape, end, f
		}
		t := &tape[n]
		t.off, t.end, t.next, t.kind, t.flags = uint32(i+1), uint32(end), uint32(n+1), String, flags
		n++
		i = end + 1
	}
	if i < len(b) && b[i] == ':' {
		i++
		goto value
	}
	i = skipSpace(b, i)
	if i >= len(b) {
		return tape, i, faultEnd
	}
	if b[i] != ':' {
		return tape, i, faultColon
	}
	i++
	goto value
}

func grow(tape []token) []token {
	t := make([]token, 2*len(tape)+64)
	copy(t, tape)
	return t
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipSpace returns the offset of the first byte from i on that is no white space.
// Indentation comes as a line break and a run of blanks, which are stepped over
// eight at a time.
func skipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && isSpace(b[i]) {
		i++
		for i+8 <= len(b) {
			other := binary.LittleEndian.Uint64(b[i:]) ^ lowBits*' '
			if other != 0 {
				i += bits.TrailingZeros64(other) / 8
				break
			}
			i += 8
		}
	}
	return i
}

// scanString checks the string whose first byte is b[i] and returns the offset of
// its closing quote, or on failure the offset of the fault.
func scanString(b []byte, i int) (int, uint8, fault) {
	for i+8 <= len(b) {
		w := binary.LittleEndian.Uint64(b[i:])
		q, s := w^(lowBits*'"'), w^(lowBits*'\\')
		m := ((q - lowBits) & ^q) | ((s - lowBits) & ^s) | (w - lowBits*0x20) | w
		if m &= highBits; m != 0 {
			i += bits.TrailingZeros64(m) / 8
			if b[i] == '"' {
				return i, 0, ok
			}
			return scanStringSlow(b, i)
		}
		i += 8
	}
	return scanStringSlow(b, i)
}

// scanStringSlow goes on at b[i] with a string that holds an escape, a byte above
// 0x7F or a control character, or ends near the end of the text.
func scanStringSlow(b []byte, i int) (int, uint8, fault) {
	var flags uint8
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			return i, flags, ok
		case c == '\\':
			flags |= flagEscaped
			n, f := scanEscape(b, i)
			if f != ok {
				return i, 0, f
			}
			i += n
		case c < 0x20:
			return i, 0, faultControl
		case c < utf8.RuneSelf:
			i++
			for i+8 <= len(b) {
				w := binary.LittleEndian.Uint64(b[i:])
				q, s := w^(lowBits*'"'), w^(lowBits*'\\')
				m := ((q - lowBits) & ^q) | ((s - lowBits) & ^s) | (w - lowBits*0x20) | w
				if m &= highBits; m != 0 {
					i += bits.TrailingZeros64(m) / 8
					break
				}
				i += 8
			}
		default:
			flags |= flagNonASCII
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n <= 1 {
				return i, 0, faultUTF8
			}
			i += n
		}
	}
	return i, 0, faultEnd
}

// scanEscape returns the length of the escape at b[i], a surrogate pair as one.
func scanEscape(b []byte, i int) (int, fault) {
	if i+1 >= len(b) {
		return 0, faultEnd
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, ok
	case 'u':
		r, valid := hex4(b, i+2)
		switch {
		case !valid:
			return 0, faultEscape
		case r < 0xD800 || r > 0xDFFF:
			return 6, ok
		case r > 0xDBFF || i+7 >= len(b) || b[i+6] != '\\' || b[i+7] != 'u':
			return 0, faultSurrogate
		}
		if r, valid = hex4(b, i+8); !valid {
			return 0, faultEscape
		}
		if r < 0xDC00 || r > 0xDFFF {
			return 0, faultSurrogate
		}
		return 12, ok
	}
	return 0, faultEscape
}

// hex4 reads four hexadecimal digits at b[i].
func hex4(b []byte, i int) (r rune, valid bool) {
	if i+4 > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// scanNumber checks the number at b[i] and returns the offset behind it.
func scanNumber(b []byte, i int) (int, uint8, fault) {
	start := i
	if b[i] == '-' {
		i++
	}
	j := i
	for j < len(b) && b[j]-'0' <= 9 {
		j++
	}
	if j == i {
		if i == start {
			return i, 0, faultValue
		}
		return i, 0, faultNumber
	}
	if j > i+1 && b[i] == '0' {
		return i + 1, 0, faultNumber
	}
	i = j
	if i >= len(b) || b[i] != '.' && b[i]|0x20 != 'e' {
		return i, 0, ok
	}
	if b[i] == '.' {
		j = i + 1
		for j < len(b) && b[j]-'0' <= 9 {
			j++
		}
		if j == i+1 {
			return j, 0, faultNumber
		}
		i = j
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		j = i
		for j < len(b) && b[j]-'0' <= 9 {
			j++
		}
		if j == i {
			return i, 0, faultNumber
		}
		i = j
	}
	return i, flagFraction, ok
}

// appendUnescaped appends the decoded form of s, which scanString has accepted.
func appendUnescaped(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' {
			j := i + 1
			for j < len(s) && s[j] != '\\' {
				j++
			}
			dst = append(dst, s[i:j]...)
			i = j
			continue
		}
		switch c = s[i+1]; c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex4(s, i+2)
			i += 6
			if r >= 0xD800 && r <= 0xDFFF {
				low, _ := hex4(s, i+2)
				r = (r-0xD800)<<10 | (low - 0xDC00) + 0x10000
				i += 6
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
		i += 2
	}
	return dst
}
