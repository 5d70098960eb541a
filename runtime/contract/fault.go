package contract

import "strconv"

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
	faultDuplicate: "the object has two members with this name",
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

func itoa(n int) string { return strconv.Itoa(n) }
