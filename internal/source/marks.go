package source

import "unicode/utf8"

// marks turns the YAML library's places, counted in its own kind of line and in
// characters, into byte offsets. A file of one long line costs no more than
// another: the character count is kept for the whole file, not searched by line.
type marks struct {
	data  []byte
	lines []int32 // number of characters before each line
	every []int32 // byte offset of each 64th character
}

const markStep = 64

func newMarks(data []byte) *marks {
	m := &marks{data: data, lines: []int32{0}}
	chars := int32(0)
	for i := 0; i < len(data); chars++ {
		if chars%markStep == 0 {
			m.every = append(m.every, int32(i))
		}
		r, size := utf8.DecodeRune(data[i:])
		i += size
		switch r {
		case '\r':
			if i < len(data) && data[i] == '\n' {
				continue // the line feed ends the line
			}
		case '\n', 0x85, 0x2028, 0x2029:
		default:
			continue
		}
		m.lines = append(m.lines, chars+1)
	}
	return m
}

// offset returns the byte offset of a line and column that count from 1; what
// lies outside the file is moved to its end.
func (m *marks) offset(line, col int) int {
	if line < 1 || line > len(m.lines) {
		return len(m.data)
	}
	char := int(m.lines[line-1]) + max(col, 1) - 1
	if char/markStep >= len(m.every) {
		return len(m.data)
	}
	at := int(m.every[char/markStep])
	for n := char % markStep; n > 0 && at < len(m.data); n-- {
		_, size := utf8.DecodeRune(m.data[at:])
		at += size
	}
	return at
}

// text returns the offset of the first byte of a line that is not a space.
func (m *marks) text(line int) int {
	at := m.offset(min(line, len(m.lines)), 1)
	for at < len(m.data) && m.data[at] == ' ' {
		at++
	}
	return at
}
