package source

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/contractkit/contractkit/internal/diag"
)

// yamlReader builds values from YAML nodes. The library only parses: what a
// scalar means is decided here, by the core schema of YAML 1.2.
type yamlReader struct {
	*report
	marks  *marks
	lim    Limits
	values int
	open   map[*yaml.Node]bool // aliased nodes being expanded
}

func parseYAML(rep *report, data []byte, lim Limits) *Value {
	if !affordable(data, lim) {
		rep.add(diag.Diagnostic{Code: "source.too-large", Pos: rep.lines.pos(0),
			Message: fmt.Sprintf("the file may hold more than %d values", lim.MaxValues), Hint: "split the file"})
		return nil
	}
	r := &yamlReader{report: rep, marks: newMarks(data), lim: lim, open: map[*yaml.Node]bool{}}
	dec := yaml.NewDecoder(bytes.NewReader(readable(data)))
	var doc, next yaml.Node
	if err := decodeNode(dec, &doc); err == io.EOF || err == nil && len(doc.Content) == 0 {
		rep.add(diag.Diagnostic{Code: "source.syntax", Pos: rep.lines.pos(0), Message: "the file is empty"})
		return nil
	} else if err != nil {
		r.syntax(err)
		return nil
	}
	if err := decodeNode(dec, &next); err == nil {
		rep.add(diag.Diagnostic{Code: "source.yaml-documents", Pos: r.pos(&next),
			Message: "the file holds a second YAML document", Hint: "keep one document per file"})
		return nil
	} else if err != io.EOF {
		r.syntax(err)
		return nil
	}
	v, err := r.value(doc.Content[0], &frame{}, 0)
	if err != nil {
		return nil
	}
	return v
}

var version = regexp.MustCompile(`\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*%YAML[ \t]+1\.(2)[ \t\r]*(?:#[^\n]*)?\n`)

// readable lets a file say that it is YAML 1.2, which it is: the library takes only 1.1.
func readable(data []byte) []byte {
	if m := version.FindSubmatchIndex(data); m != nil {
		data = bytes.Clone(data)
		data[m[2]] = '1'
	}
	return data
}

// affordable estimates the nodes that the library would allocate before anyone
// can count them: each needs one of these bytes before it.
func affordable(data []byte, lim Limits) bool {
	n := 0
	for _, c := range []byte(",:-[{?") {
		n += bytes.Count(data, []byte{c})
	}
	return n <= 2*lim.MaxValues
}

// decodeNode reads the next document. Hostile text has made YAML libraries
// panic before; here that is one more kind of malformed file.
func decodeNode(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: the text cannot be parsed")
		}
	}()
	return dec.Decode(into)
}

func (r *yamlReader) pos(n *yaml.Node) diag.Pos {
	return r.lines.pos(r.marks.offset(n.Line, n.Column))
}

// syntax reports the library's complaint, which names a line at most.
func (r *yamlReader) syntax(err error) {
	if at := firstConflict(r.marks.data); at >= 0 {
		r.conflict(at)
		return
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if after, ok := strings.CutPrefix(message, "line "); ok {
		if digits, text, ok := strings.Cut(after, ": "); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				line, message = n, text
			}
		}
	}
	hint := ""
	if at, bracket := r.bracketed(line); at >= 0 {
		r.add(diag.Diagnostic{Code: "source.syntax", Pos: r.lines.pos(at),
			Message: fmt.Sprintf("malformed YAML: more text follows the end of what begins with %c", bracket),
			Hint:    fmt.Sprintf("put a text that begins with %c in quotes, or write it as a block: |- and the text indented in the next line", bracket)})
		return
	}
	switch {
	case strings.Contains(message, "cannot start any token") && strings.Contains(message, "'\\t'"):
		hint = "YAML indents with spaces, not tabs"
	case strings.Contains(message, "mapping values are not allowed"):
		hint = `put a text that contains ": " in quotes`
	default:
		hint = quoteHint(r.marks.data[r.marks.text(line):])
	}
	r.add(diag.Diagnostic{Code: "source.syntax", Pos: r.lines.pos(r.marks.text(line)),
		Message: "malformed YAML: " + message, Hint: hint})
}

// bracketed looks for the line before which, or in which, a value begins as a list or
// object of YAML and goes on behind its end, as an expression does: the library's complaint names
// the beginning of what is around it. It returns the place of the value, -1 for none.
func (r *yamlReader) bracketed(from int) (at int, bracket byte) {
	data := r.marks.data
	for at := r.marks.text(from); at < len(data); {
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := data[at:end]
		if m := flowValue.FindSubmatchIndex(line); m != nil {
			value := line[m[2]:]
			if rest := afterFlow(value); rest != "" && rest[0] != '#' && rest[0] != ',' && rest[0] != '}' && rest[0] != ']' {
				return at + m[2], value[0]
			}
		}
		at = end + 1
	}
	return -1, 0
}

var flowValue = regexp.MustCompile(`^\s*(?:- )*(?:[\w.$-]+|"[^"]*"|'[^']*'): +([\[{])`)

// afterFlow is what follows the list or object at the beginning of a line, "" when it
// does not end in it.
func afterFlow(s []byte) string {
	depth, quote := 0, byte(0)
	for i, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return strings.TrimSpace(string(s[i+1:]))
			}
		}
	}
	return ""
}

// quoteHint says what to do about a line whose value begins with a character that means
// something to YAML.
func quoteHint(rest []byte) string {
	line, _, _ := bytes.Cut(rest, []byte{'\n'})
	_, value, member := bytes.Cut(line, []byte(": "))
	if !member {
		value = bytes.TrimPrefix(line, []byte("- "))
	}
	value = bytes.TrimLeft(value, " ")
	if len(value) == 0 || strings.IndexByte("!&*@`%", value[0]) < 0 {
		return ""
	}
	return fmt.Sprintf("put a text that begins with %c in quotes", value[0])
}

func (r *yamlReader) value(n *yaml.Node, at *frame, depth int) (*Value, error) {
	if n.Kind == yaml.AliasNode {
		return r.alias(n, at, depth)
	}
	v := &Value{Pos: r.pos(n)}
	if r.values++; r.values > r.lim.MaxValues {
		r.add(diag.Diagnostic{Code: "source.too-large", Pos: v.Pos, Pointer: at.pointer(),
			Message: fmt.Sprintf("the file holds more than %d values once its aliases are written out", r.lim.MaxValues),
			Hint:    "split the file, or use fewer aliases"})
		return nil, errStop
	}
	switch n.Kind {
	case yaml.ScalarNode:
		r.scalar(v, n, at)
		return v, nil
	case yaml.SequenceNode:
		v.Kind = Array
		r.checkTag(n, at, "!!seq")
		return v, r.sequence(v, n, at, depth+1)
	default:
		v.Kind = Object
		r.checkTag(n, at, "!!map")
		return v, r.mapping(v, n, at, depth+1)
	}
}

// alias writes the anchored node out once more, so that each value of a
// document stands at one pointer. What comes out is counted.
func (r *yamlReader) alias(n *yaml.Node, at *frame, depth int) (*Value, error) {
	if r.open[n.Alias] {
		r.add(diag.Diagnostic{Code: "source.yaml-alias", Pos: r.pos(n), Pointer: at.pointer(),
			Message: fmt.Sprintf("the alias *%s stands inside the value that it names", n.Value),
			Hint:    `JSON has no cycles: write a "$ref" instead`})
		return &Value{Pos: r.pos(n)}, nil
	}
	return r.value(n.Alias, at, depth)
}

func (r *yamlReader) sequence(v *Value, n *yaml.Node, at *frame, depth int) error {
	if depth > r.lim.MaxDepth {
		return r.tooDeep(at, v.Pos, r.lim)
	}
	if n.Anchor != "" {
		r.open[n] = true
		defer delete(r.open, n)
	}
	for i, item := range n.Content {
		child, err := r.value(item, &frame{up: at, index: i}, depth)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, child)
	}
	return nil
}

func (r *yamlReader) mapping(v *Value, n *yaml.Node, at *frame, depth int) error {
	if depth > r.lim.MaxDepth {
		return r.tooDeep(at, v.Pos, r.lim)
	}
	if n.Anchor != "" {
		r.open[n] = true
		defer delete(r.open, n)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		m := Member{NamePos: r.pos(key), Name: key.Value}
		inside := &frame{up: at, name: key.Value, named: true}
		switch {
		case key.Kind != yaml.ScalarNode:
			r.add(diag.Diagnostic{Code: "source.yaml-key", Pos: m.NamePos, Pointer: at.pointer(),
				Message: "a key is not a plain text", Hint: "JSON allows only strings as member names"})
			continue
		case key.Tag == "!!merge":
			r.add(diag.Diagnostic{Code: "source.yaml-merge", Pos: m.NamePos, Pointer: at.pointer(),
				Message: "the merge key << is not part of YAML 1.2",
				Hint:    `write the members out, use "$ref" or "allOf", or quote "<<" if it is meant as a name`})
			continue
		}
		// The text of 200: or on: is the name; only foreign tags change what a key is.
		r.checkTag(key, at, "!!str", "!!int", "!!float", "!!bool", "!!null")
		var err error
		if m.Value, err = r.value(n.Content[i+1], inside, depth); err != nil {
			return err
		}
		r.member(v, m, inside)
	}
	return nil
}

// checkTag reports a tag in the text that is none of the wanted ones.
func (r *yamlReader) checkTag(n *yaml.Node, at *frame, wanted ...string) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	for _, tag := range wanted {
		if n.Tag == tag {
			return
		}
	}
	r.add(diag.Diagnostic{Code: "source.yaml-tag", Pos: r.pos(n), Pointer: at.pointer(),
		Message: fmt.Sprintf("the tag %s cannot stand here", quote(n.Tag)),
		Hint:    "JSON has null, booleans, numbers, strings, arrays and objects; remove the tag, or put a text that begins with ! in quotes"})
}
