package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/contractkit/contractkit/internal/diag"
)

// errStop ends a reader after a problem that leaves nothing more to read.
var errStop = errors.New("stop")

// jsonReader builds values from JSON text.
type jsonReader struct {
	*report
	data   []byte
	dec    *jsontext.Decoder
	lim    Limits
	values int
}

func parseJSON(rep *report, data []byte, lim Limits) *Value {
	r := &jsonReader{report: rep, data: data, lim: lim,
		// Duplicates and lone surrogates are let through here, so that all of them are reported below.
		dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	root := &frame{}
	v, err := r.value(root, 0)
	if err != nil {
		return nil
	}
	end := r.start()
	if _, err := r.dec.ReadToken(); err != io.EOF {
		if err == nil {
			rep.add(diag.Diagnostic{Code: "source.syntax", Pos: rep.lines.pos(end),
				Message: "there is more text after the end of the value", Hint: "keep one value per file"})
		} else {
			r.syntax(root, err)
		}
		return nil
	}
	return v
}

// start returns the offset of the next token's first byte.
func (r *jsonReader) start() int {
	i := int(r.dec.InputOffset())
	for i < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[i]) >= 0 {
		i++
	}
	return i
}

func (r *jsonReader) value(at *frame, depth int) (*Value, error) {
	start := r.start()
	tok, err := r.dec.ReadToken()
	if err != nil {
		return nil, r.syntax(at, err)
	}
	v := &Value{Pos: r.lines.pos(start)}
	if r.values++; r.values > r.lim.MaxValues {
		return nil, r.tooMany(at, v.Pos)
	}
	switch tok.Kind() {
	case 'n':
	case 't', 'f':
		v.Kind, v.Bool = Bool, tok.Bool()
	case '0':
		v.Kind, v.Text = Number, tok.String()
	case '"':
		v.Kind, v.Text = String, tok.String()
		r.checkString(at, start)
	case '[':
		v.Kind = Array
		return v, r.array(v, at, depth+1)
	case '{':
		v.Kind = Object
		return v, r.object(v, at, depth+1)
	}
	return v, nil
}

func (r *jsonReader) array(v *Value, at *frame, depth int) error {
	if depth > r.lim.MaxDepth {
		return r.tooDeep(at, v.Pos, r.lim)
	}
	for r.dec.PeekKind() != ']' {
		item, err := r.value(&frame{up: at, index: len(v.Items)}, depth)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return r.syntax(at, err)
	}
	return nil
}

func (r *jsonReader) object(v *Value, at *frame, depth int) error {
	if depth > r.lim.MaxDepth {
		return r.tooDeep(at, v.Pos, r.lim)
	}
	for r.dec.PeekKind() != '}' {
		start := r.start()
		tok, err := r.dec.ReadToken()
		if err != nil {
			return r.syntax(at, err)
		}
		m := Member{Name: tok.String(), NamePos: r.lines.pos(start)}
		inside := &frame{up: at, name: m.Name, named: true}
		r.checkString(inside, start)
		if m.Value, err = r.value(inside, depth); err != nil {
			return err
		}
		r.member(v, m, inside)
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return r.syntax(at, err)
	}
	return nil
}

// member appends m to v, unless the name is taken.
func (r *report) member(v *Value, m Member, at *frame) {
	first := v.add(m)
	if first == nil || r.full() {
		return
	}
	r.add(diag.Diagnostic{Code: "source.duplicate-key", Pos: m.NamePos, Pointer: at.pointer(),
		Message: fmt.Sprintf("the member %s is written twice", quote(m.Name)),
		Hint:    "keep one of the two: readers disagree on which one counts",
		Related: []diag.Related{{Pos: first.NamePos, Message: "first written here"}}})
}

func (r *report) tooDeep(at *frame, pos diag.Pos, lim Limits) error {
	r.add(diag.Diagnostic{Code: "source.depth", Pos: pos, Pointer: at.pointer(),
		Message: fmt.Sprintf("values are nested more than %d deep", lim.MaxDepth),
		Hint:    "move inner parts into definitions of their own, or raise limits.maxDepth in contracts.yaml"})
	return errStop
}

func (r *jsonReader) tooMany(at *frame, pos diag.Pos) error {
	r.add(diag.Diagnostic{Code: "source.too-large", Pos: pos, Pointer: at.pointer(),
		Message: fmt.Sprintf("the file holds more than %d values", r.lim.MaxValues), Hint: "split the file"})
	return errStop
}

// checkString reports an escape that names half of a surrogate pair: it stands
// for no character, and readers replace it in different ways.
func (r *jsonReader) checkString(at *frame, start int) {
	raw := r.data[start:r.dec.InputOffset()]
	if r.capped || bytes.IndexByte(raw, '\\') < 0 {
		return
	}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' {
			continue
		}
		unit := string(raw[i+1 : i+5])
		switch {
		case isHigh(unit) && i+11 <= len(raw) && raw[i+5] == '\\' && raw[i+6] == 'u' && isLow(string(raw[i+7:i+11])):
			i += 10
			continue
		case isHigh(unit), isLow(unit):
			r.add(diag.Diagnostic{Code: "source.utf8", Pos: r.lines.pos(start + i - 1), Pointer: at.pointer(),
				Message: fmt.Sprintf(`\u%s is half of a surrogate pair and stands for no character`, unit),
				Hint:    "write both halves, or the character itself"})
		}
		i += 4
	}
}

// isHigh and isLow tell the halves of a surrogate pair by their four hex digits.
func isHigh(hex string) bool {
	return (hex[0] == 'd' || hex[0] == 'D') && strings.IndexByte("89abAB", hex[1]) >= 0
}

func isLow(hex string) bool {
	return (hex[0] == 'd' || hex[0] == 'D') && strings.IndexByte("cdefCDEF", hex[1]) >= 0
}

// syntax reports malformed JSON where the decoder stopped.
func (r *jsonReader) syntax(at *frame, err error) error {
	offset := int(r.dec.InputOffset())
	message := err.Error()
	if se, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, message = int(se.ByteOffset), se.Err.Error()
	}
	hint := ""
	switch rest := r.data[min(offset, len(r.data)):]; {
	case isConflict(r.data, offset):
		r.conflict(offset)
		return errStop
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), len(rest) == 0:
		offset, message = len(r.data), "the file ends in the middle of a value"
		if len(bytes.TrimSpace(r.data)) == 0 {
			message = "the file is empty"
		}
	case rest[0] == '/', rest[0] == '#':
		message, hint = "a comment starts here", `JSON has no comments: use "$comment", or a .yaml file`
	case rest[0] == '\'':
		hint = "JSON strings stand in double quotes"
	case rest[0] == '}', rest[0] == ']':
		hint = "JSON allows no comma after the last value"
	}
	r.add(diag.Diagnostic{Code: "source.syntax", Pos: r.lines.pos(offset), Pointer: at.pointer(),
		Message: "malformed JSON: " + strings.TrimPrefix(message, "jsontext: "), Hint: hint})
	return errStop
}
