package contract

import (
	"strconv"
	"strings"
)

// Code says what kind of fault an Issue is. Codes are stable; messages are not.
type Code string

// The codes of issues.
const (
	CodeSyntax    Code = "syntax"           // not JSON, or not UTF-8
	CodeDuplicate Code = "duplicate_key"    // two members of one name
	CodeTooDeep   Code = "too_deep"         // nesting beyond the limit
	CodeTooLarge  Code = "too_large"        // longer than the limit
	CodeRequired  Code = "required"         // a member is missing
	CodeType      Code = "invalid_type"     // another JSON type, or a fraction for an integer
	CodeValue     Code = "invalid_value"    // not one of the allowed values
	CodeFormat    Code = "invalid_format"   // pattern or format
	CodeTooSmall  Code = "too_small"        // below a least length, count or number
	CodeTooBig    Code = "too_big"          // above a greatest length, count or number
	CodeUnknown   Code = "unrecognized_key" // a member that the contract does not know
	CodeUnion     Code = "invalid_union"    // no alternative fits, or more than one of oneOf
	CodeNot       Code = "forbidden"        // matches what it must not match
	CodeSchemaID  Code = "unknown_schema"   // the document names no schema that is known
	CodeRule      Code = "rule"             // a rule across members
	CodeCostly    Code = "too_costly"       // a pattern could not be decided in the steps allowed
)

// Issue is one place where a document breaks its contract.
type Issue struct {
	Path     string `json:"path"`               // JSON Pointer (RFC 6901) into the document; "" is the whole
	Code     Code   `json:"code"`               // what kind of fault
	Keyword  string `json:"keyword,omitempty"`  // the JSON Schema keyword, if one is broken
	Location string `json:"location,omitempty"` // the schema's id and a JSON Pointer to the keyword
	Message  string `json:"message"`            // for people
	Offset   int    `json:"offset"`             // byte offset of the value in the document
}

// String reads "/path: message".
func (i Issue) String() string {
	if i.Path == "" {
		return i.Message
	}
	return i.Path + ": " + i.Message
}

// Issues are the faults of one document, in document order. No issues: it is valid.
type Issues []Issue

// Err returns the issues as an *Error, or nil when there are none.
func (s Issues) Err() error {
	if len(s) == 0 {
		return nil
	}
	return &Error{s}
}

// Error is the error of Decode and Parse functions; Issues is never empty.
type Error struct{ Issues Issues }

// Error joins the first issues with semicolons.
func (e *Error) Error() string {
	const shown = 5
	var b strings.Builder
	for i, issue := range e.Issues {
		switch {
		case i == shown:
			b.WriteString("; and " + itoa(len(e.Issues)-shown) + " more")
			return b.String()
		case i > 0:
			b.WriteString("; ")
		}
		b.WriteString(issue.String())
	}
	return b.String()
}

// Pointer returns the JSON Pointer of the value n.
func (d *Doc) Pointer(n Node) string { return d.pointer(n) }

// PointerToken escapes a member's name for use in a JSON Pointer.
func PointerToken(name string) string { return escapePointer(name) }

// pointer returns the JSON Pointer of node n, a value or a member's name.
func (d *Doc) pointer(n Node) string {
	var b strings.Builder
	for at := Root; at != n; {
		end := Node(d.tape[at].next)
		switch d.tape[at].kind {
		case Object:
			k := at + 1
			for k < end && Node(d.tape[k+1].next) <= n {
				k = Node(d.tape[k+1].next)
			}
			b.WriteString("/" + escapePointer(string(d.Text(k))))
			if k == n {
				return b.String()
			}
			at = k + 1
		case Array:
			e, i := at+1, 0
			for e < end && Node(d.tape[e].next) <= n {
				e = Node(d.tape[e].next)
				i++
			}
			b.WriteString("/" + strconv.Itoa(i))
			at = e
		default:
			return b.String()
		}
	}
	return b.String()
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(s string) string { return pointerEscaper.Replace(s) }

// OffsetOf returns the byte offset of the value at a JSON Pointer, or of the
// innermost value on the way that there is.
func (d *Doc) OffsetOf(pointer string) int {
	at := Root
	for _, token := range strings.Split(pointer, "/")[1:] {
		next, there := Node(0), false
		switch d.Kind(at) {
		case Object:
			next, there = d.Member(at, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
		case Array:
			i, err := strconv.Atoi(token)
			for k := at + 1; err == nil && k < d.Next(at); k, i = d.Next(k), i-1 {
				if i == 0 {
					next, there = k, true
				}
			}
		}
		if !there {
			break
		}
		at = next
	}
	return d.Offset(at)
}
