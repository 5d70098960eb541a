package tree

import (
	"bytes"
	"unicode/utf8"
)

// lines knows where each line of a text starts, by YAML's line breaks.
type lines struct {
	data   []byte
	starts []int
	// Where byteCol came to last: nodes are visited in order, and a text may be
	// one long line.
	line, col, offset int
}

func newLines(data []byte) *lines {
	l := &lines{data: data, starts: []int{0}}
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] == '\n',
			data[i] == '\r' && (i+1 == len(data) || data[i+1] != '\n'),
			data[i] == 0x85 && i >= 1 && data[i-1] == 0xC2,
			(data[i] == 0xA8 || data[i] == 0xA9) && i >= 2 && data[i-1] == 0x80 && data[i-2] == 0xE2:
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// byteCol turns the library's column, which counts characters, into bytes.
func (l *lines) byteCol(line, col int) Pos {
	if line < 1 || line > len(l.starts) {
		return Pos{max(line, 1), max(col, 1)}
	}
	if line != l.line || col < l.col {
		l.line, l.col, l.offset = line, 1, l.starts[line-1]
	}
	for l.col < col && l.offset < len(l.data) {
		_, size := utf8.DecodeRune(l.data[l.offset:])
		l.offset += size
		l.col++
	}
	return Pos{line, l.offset - l.starts[line-1] + 1}
}

// at returns the position of a byte.
func (l *lines) at(offset int) Pos {
	line := len(l.starts)
	for line > 1 && l.starts[line-1] > offset {
		line--
	}
	return Pos{line, offset - l.starts[line-1] + 1}
}

// hasBareTag reports whether the value at pos has the tag "!", behind its anchor or
// without one. It makes a text of a plain scalar, and the library drops it.
func (l *lines) hasBareTag(pos Pos) bool {
	if pos.Line < 1 || pos.Line > len(l.starts) {
		return false
	}
	at := l.starts[pos.Line-1] + pos.Col - 1
	if at >= len(l.data) {
		return false
	}
	rest := l.data[at:]
	if rest[0] == '&' {
		// Not beyond the line: what stands there may be another value.
		rest = bytes.TrimLeft(rest[max(0, bytes.IndexAny(rest, " \t\r\n")):], " \t")
	}
	return len(rest) > 0 && rest[0] == '!'
}
