package output

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// Bounds on diffs: people read their beginning, and files may be huge.
const (
	maxDiffInput = 4 << 20 // bytes of either side
	maxDiffLines = 200
	maxDiffLine  = 400 // bytes
)

// unified returns a unified diff from have to want, and the first line of have
// that differs, from 1. Control characters are spelled out: the file on the disk
// is anyone's, and a terminal would obey it.
func unified(name string, have, want []byte) (text string, line int) {
	line = firstDifference(have, want)
	if len(have) > maxDiffInput || len(want) > maxDiffInput {
		return fmt.Sprintf("the files differ from line %d; they are too large to be shown\n", line), line
	}
	all := diff.Diff("a/"+name, have, "b/"+name, want)
	// The first line, "diff a b", repeats the two that follow.
	if i := bytes.IndexByte(all, '\n'); i >= 0 && bytes.HasPrefix(all, []byte("diff ")) {
		all = all[i+1:]
	}
	var b strings.Builder
	shown := 0
	for l := range bytes.Lines(all) {
		if shown++; shown > maxDiffLines {
			fmt.Fprintf(&b, "… %d more lines\n", bytes.Count(all, []byte{'\n'})-maxDiffLines)
			break
		}
		visible(&b, bytes.TrimSuffix(l, []byte{'\n'}))
		b.WriteByte('\n')
	}
	return b.String(), line
}

func firstDifference(a, b []byte) int {
	line := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			line++
		}
	}
	return line
}

func visible(b *strings.Builder, line []byte) {
	if len(line) > maxDiffLine {
		line = append(line[:maxDiffLine:maxDiffLine], "…"...)
	}
	for len(line) > 0 {
		r, size := utf8.DecodeRune(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(b, `\x%02x`, line[0])
		case r != '\t' && !unicode.IsPrint(r) && r != ' ':
			fmt.Fprintf(b, `\u{%x}`, r)
		default:
			b.Write(line[:size])
		}
		line = line[size:]
	}
}
