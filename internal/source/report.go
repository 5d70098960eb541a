package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
)

// maxProblems is how many problems one file may report: a hostile file could
// otherwise produce more diagnostics than it has bytes.
const maxProblems = 100

// maxPointer is the longest pointer, in bytes, that a diagnostic repeats.
const maxPointer = 4096

// report collects the problems of one file.
type report struct {
	lines  *lines
	list   diag.List
	capped bool
}

func (r *report) add(d diag.Diagnostic) {
	if !r.full() {
		r.list.Add(d)
	}
}

// full reports whether further problems are dropped. Callers that would have to
// put a costly text together ask first.
func (r *report) full() bool {
	r.capped = r.capped || len(r.list) >= maxProblems
	return r.capped
}

// err closes the report: it returns the problems, or nil when there are none.
func (r *report) err() error {
	if r.capped {
		r.list.Add(diag.Diagnostic{Severity: diag.Note, Code: "source.more", Pos: diag.Pos{File: r.lines.path},
			Message: fmt.Sprintf("only the first %d problems of this file are shown", maxProblems)})
	}
	return r.list.Err()
}

// frame is one step of the way from the root to a value. It lives on the
// reader's stack and becomes a pointer only when there is a problem to report.
type frame struct {
	up    *frame
	name  string
	index int // used when name is not
	named bool
}

// pointer prints the way to f as a JSON Pointer; one that would be too long to
// be of use is left out.
func (f *frame) pointer() string {
	var tokens []string
	size := 0
	for ; f != nil && f.up != nil; f = f.up {
		token := strconv.Itoa(f.index)
		if f.named {
			if len(f.name) > maxPointer {
				return ""
			}
			token = EscapeToken(f.name)
		}
		if size += len(token) + 1; size > maxPointer {
			return ""
		}
		tokens = append(tokens, token)
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(tokens[i])
	}
	return b.String()
}

// quote prints s for a message: escaped, and shortened when it is long.
func quote(s string) string {
	const longest = 60
	if len(s) > longest {
		cut := longest
		for cut > 0 && s[cut]&0xC0 == 0x80 { // not inside a character
			cut--
		}
		return strconv.Quote(s[:cut]) + "…"
	}
	return strconv.Quote(s)
}

// isConflict reports whether a marker of a merge conflict, as version control writes
// them, begins at an offset.
func isConflict(data []byte, at int) bool {
	if at >= len(data) || at > 0 && data[at-1] != '\n' {
		return false
	}
	line, _, _ := bytes.Cut(data[at:], []byte{'\n'})
	for _, marker := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if after, found := bytes.CutPrefix(line, []byte(marker)); found {
			return len(after) == 0 || after[0] <= ' '
		}
	}
	return false
}

// firstConflict returns the offset of the first line that begins a merge conflict; -1
// when there is none. Other markers alone may be text.
func firstConflict(data []byte) int {
	for at := 0; at < len(data); {
		if data[at] == '<' && isConflict(data, at) {
			return at
		}
		next := bytes.IndexByte(data[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return -1
}

// conflict reports a marker of a merge conflict.
func (r *report) conflict(offset int) {
	r.add(diag.Diagnostic{Code: "source.syntax", Pos: r.lines.pos(offset),
		Message: "a marker of a merge conflict: both sides of the conflict still stand here",
		Hint:    "keep what is right of the two sides and remove the markers"})
}
