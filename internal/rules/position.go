package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/contractkit/contractkit/internal/diag"
)

// place finds where the byte at offset of a text stands in the file, whose scalar
// styles fold, indent and quote: white space aside, both hold the same characters.
// A text that is not in the file as it is (from a template, or with escapes)
// has only the place of its first character.
func place(file []byte, t Text, offset int) (diag.Pos, string) {
	start, ok := byteOffset(file, t.Pos)
	if !ok {
		return t.Pos, ""
	}
	i, j := 0, start
	for j < len(file) && strings.IndexByte("|>-+'\"0123456789", file[j]) >= 0 && (file[j] == '|' || file[j] == '>' || file[j] == '\'' || file[j] == '"' || j > start && (file[start] == '|' || file[start] == '>')) {
		j++
	}
	if offset > len(t.Value) {
		offset = len(t.Value)
	}
	for i < len(t.Value) {
		if isSpace(t.Value[i]) {
			if i >= offset {
				break
			}
			i++
			continue
		}
		for j < len(file) && isSpace(file[j]) {
			j++
		}
		if j >= len(file) || file[j] != t.Value[i] {
			return t.Pos, line(file, start)
		}
		if i >= offset {
			break
		}
		if file[j] == '\'' && j+1 < len(file) && file[j+1] == '\'' && start < len(file) && file[start] == '\'' {
			j++
		}
		i, j = i+1, j+1
	}
	pos := t.Pos
	before := file[:j]
	pos.Line = strings.Count(string(before), "\n") + 1
	pos.Col = j - strings.LastIndexByte(string(before), '\n')
	return pos, line(file, j)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func byteOffset(file []byte, p diag.Pos) (int, bool) {
	at := 0
	for l := 1; l < p.Line; l++ {
		next := strings.IndexByte(string(file[at:]), '\n')
		if next < 0 {
			return 0, false
		}
		at += next + 1
	}
	at += p.Col - 1
	return at, p.Line > 0 && at < len(file)
}

// line returns the text of the line around the byte at.
func line(file []byte, at int) string {
	from := strings.LastIndexByte(string(file[:at]), '\n') + 1
	to := strings.IndexByte(string(file[at:]), '\n')
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
