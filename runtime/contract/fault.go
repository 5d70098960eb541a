package contract

import (
	"bytes"
	"strconv"
)

// fault says why a text is not an acceptable JSON document.
type fault uint8

const (
	ok fault = iota
	faultEnd
	faultValue
	faultWord
	faultNumber
	faultName
	faultColon
	faultComma
	faultTrailing
	faultControl
	faultEscape
	faultSurrogate
	faultUTF8
	faultDuplicate
	faultDepth
)

var faultMessages = [...]string{
	faultEnd:       "the text ends before the value is complete",
	faultValue:     "expected a JSON value",
	faultWord:      "expected true, false or null",
	faultNumber:    "malformed number",
	faultName:      "expected a member name in double quotes",
	faultColon:     "expected a colon after the member name",
	faultComma:     "expected a comma or the closing bracket",
	faultTrailing:  "text after the end of the document",
	faultControl:   "control character inside a string; write it as an escape",
	faultEscape:    "unknown escape in a string",
	faultSurrogate: "escape of half a surrogate pair",
	faultUTF8:      "invalid UTF-8",
}

func (f fault) code() Code {
	switch f {
	case faultDuplicate:
		return CodeDuplicate
	case faultDepth:
		return CodeTooDeep
	}
	return CodeSyntax
}

func (f fault) message(lim Limits) string {
	if f == faultDepth {
		return "arrays and objects are nested deeper than the limit of " + itoa(lim.MaxDepth)
	}
	return faultMessages[f]
}

// explain is what an issue says about the fault at an offset of the text.
func (d *Doc) explain(why fault, at int, lim Limits) string {
	switch {
	case why == faultDuplicate:
		return d.explainTwice(at)
	case why != faultDepth && isConflict(d.data, at):
		return "a marker of a merge conflict: both sides of the conflict still stand here"
	}
	return why.message(lim)
}

// explainTwice names the member whose name stands at an offset, and says where the
// object has it before. The object is not complete, but its members are.
func (d *Doc) explainTwice(at int) string {
	k := d.twice + 1
	for int(d.tape[k].off)-1 != at {
		k = Node(d.tape[k+1].next)
	}
	name := string(d.Text(k))
	first := d.twice + 1
	for first < k && string(d.Text(first)) != name {
		first = Node(d.tape[first+1].next)
	}
	place := int(d.tape[first].off) - 1
	before := d.data[:place]
	where := "column " + itoa(place-bytes.LastIndexByte(before, '\n'))
	if bytes.IndexByte(d.data[:at], '\n') >= 0 { // lines of NDJSON have no numbers of their own
		where = "line " + itoa(bytes.Count(before, []byte{'\n'})+1) + ", " + where
	}
	return "the object has two members called " + quote(name) + "; the first stands at " + where
}

// isConflict reports whether a marker of a merge conflict, as version control writes
// them, begins at an offset.
func isConflict(data []byte, at int) bool {
	if at >= len(data) || at > 0 && data[at-1] != '\n' {
		return false
	}
	rest := data[at:]
	for _, marker := range [...]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if bytes.HasPrefix(rest, []byte(marker)) {
			return len(rest) == len(marker) || rest[len(marker)] <= ' '
		}
	}
	return false
}

func itoa(n int) string { return strconv.Itoa(n) }
