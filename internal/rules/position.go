package rules

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/contractkit/contractkit/internal/diag"
)

// place finds where the byte at offset of a text stands in the file, whose scalar
// styles fold, indent and quote: white space and the escapes of quotes aside, both hold
// the same characters. A text that is not in the file as it is (from a template, or with
// other escapes) has only the place of its first character.
func place(file []byte, t Text, offset int) (diag.Pos, string) {
	start, ok := byteOffset(file, t.Pos)
	if !ok {
		return t.Pos, ""
	}
	i, j := 0, start
	quote := byte(0)
	switch file[start] {
	case '|', '>':
		for j < len(file) && file[j] != '\n' { // the header: |2-, >+ and a comment
			j++
		}
	case '\'', '"':
		quote = file[start]
		j++
	}
	offset = min(offset, len(t.Value))
	for i < len(t.Value) {
		if isSpace(t.Value[i]) {
			if i >= offset {
				break
			}
			i++
			continue
		}
		j = skipSpace(file, j, quote)
		if j < len(file) && quote == '"' && file[j] == '\\' && j+1 < len(file) && strings.IndexByte(`"\/`, file[j+1]) >= 0 {
			j++
		}
		if j >= len(file) || file[j] != t.Value[i] {
			return t.Pos, line(file, start)
		}
		if i >= offset {
			break
		}
		if quote == '\'' && file[j] == '\'' && j+1 < len(file) && file[j+1] == '\'' {
			j++
		}
		i, j = i+1, j+1
	}
	pos := t.Pos
	pos.Line = bytes.Count(file[:j], []byte("\n")) + 1
	pos.Col = j - bytes.LastIndexByte(file[:j], '\n')
	return pos, line(file, j)
}

// skipSpace returns the place of the first byte from j on that is no white space, of
// which double quotes have escapes.
func skipSpace(file []byte, j int, quote byte) int {
	for j < len(file) {
		switch {
		case isSpace(file[j]):
			j++
		case quote == '"' && file[j] == '\\' && j+1 < len(file) && strings.IndexByte("nrt\n\r", file[j+1]) >= 0:
			j += 2
		default:
			return j
		}
	}
	return j
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func byteOffset(file []byte, p diag.Pos) (int, bool) {
	if p.Line < 1 || p.Col < 1 {
		return 0, false
	}
	at := 0
	for l := 1; l < p.Line; l++ {
		next := bytes.IndexByte(file[at:], '\n')
		if next < 0 {
			return 0, false
		}
		at += next + 1
	}
	at += p.Col - 1
	return at, at < len(file)
}

// line returns the text of the line around the byte at.
func line(file []byte, at int) string {
	from := bytes.LastIndexByte(file[:at], '\n') + 1
	to := bytes.IndexByte(file[at:], '\n')
	if to < 0 {
		to = len(file) - at
	}
	return strings.TrimRight(string(file[from:at+to]), "\r")
}

// caret draws the line and what is under it.
func caret(text string, col int) string {
	const most = 160
	if text == "" || !utf8.ValidString(text) {
		return ""
	}
	if len(text) > most { // keep what is around the place
		from := max(0, min(col-1-most/2, len(text)-most))
		for from > 0 && !utf8.RuneStart(text[from]) {
			from--
		}
		text, col = text[from:], col-from
		if len(text) > most {
			to := most
			for !utf8.RuneStart(text[to]) {
				to--
			}
			text = text[:to]
		}
	}
	text = strings.ReplaceAll(text, "\t", " ")
	if col < 1 || col > len(text)+1 {
		return text
	}
	return text + "\n" + strings.Repeat(" ", utf8.RuneCountInString(text[:col-1])) + "^"
}
