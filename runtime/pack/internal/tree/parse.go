package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The bounds of a text. MaxValues and MaxText, the bytes of all scalars and keys,
// count what stands there once aliases are written out.
const (
	MaxBytes   = 1 << 20
	MaxDepth   = 64
	MaxAliases = 100
	MaxValues  = 100_000
	MaxText    = 4 << 20
	maxFaults  = 20
)

// Fault is one reason why a text is no manifest.
type Fault struct {
	Pos     Pos
	Message string // one line
	Hint    string // what to do; may be ""
}

// Parse reads one YAML document. Without faults the node is the root; an empty
// document is a Null.
func Parse(data []byte) (*Node, []Fault) {
	at := newLines(data)
	p := &parser{lines: at, open: map[*yaml.Node]bool{}}
	if f := p.refuseText(data); f != nil {
		return nil, []Fault{*f}
	}
	dec := yaml.NewDecoder(bytes.NewReader(hideDirective(data)))
	var doc, next yaml.Node
	switch err := decode(dec, &doc); {
	case err == io.EOF:
		return &Node{Pos: Pos{1, 1}}, nil
	case err != nil:
		return nil, []Fault{p.syntax(err)}
	}
	switch err := decode(dec, &next); {
	case err == nil:
		return nil, []Fault{{Pos: p.pos(&next), Message: "the file holds a second YAML document", Hint: "keep one manifest per file"}}
	case err != io.EOF:
		return nil, []Fault{p.syntax(err)}
	}
	if len(doc.Content) == 0 {
		return &Node{Pos: Pos{1, 1}}, nil
	}
	root, err := p.value(doc.Content[0], 0)
	if err != nil || len(p.faults) > 0 {
		return nil, p.faults
	}
	return root, nil
}

// errStop ends the walk after a fault that makes the rest pointless.
var errStop = errors.New("stop")

type parser struct {
	lines   *lines
	faults  []Fault
	open    map[*yaml.Node]bool // anchored values being written out
	values  int
	text    int
	aliases int
}

// refuseText finds what must not even reach the YAML library.
func (p *parser) refuseText(data []byte) *Fault {
	if len(data) > MaxBytes {
		return &Fault{Pos: Pos{1, 1}, Message: fmt.Sprintf("the file is longer than %d bytes", MaxBytes), Hint: "a manifest names files; it does not hold them"}
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return &Fault{Pos: p.lines.at(i), Message: fmt.Sprintf("byte %#02x is not UTF-8 text", data[i]), Hint: "save the file as UTF-8"}
		}
		if r == 0x85 || r == 0x2028 || r == 0x2029 {
			// The library ends a line here, as YAML 1.1 did: a comment or text that
			// others see could go on with keys.
			return &Fault{Pos: p.lines.at(i), Message: fmt.Sprintf("the character %U ends a line in YAML 1.1 and does not in YAML 1.2", r),
				Hint: `write it as an escape in double quotes: "\N", "\L" or "\P"`}
		}
		i += size
	}
	// Each node that the library would allocate needs one of these before it.
	n := 0
	for _, c := range []byte(",:-[{?") {
		n += bytes.Count(data, []byte{c})
	}
	if n > 2*MaxValues {
		return &Fault{Pos: Pos{1, 1}, Message: fmt.Sprintf("the file may hold more than %d values", MaxValues), Hint: "make the manifest smaller"}
	}
	return nil
}

// hideDirective turns a leading %YAML 1.2 line, which the library refuses, into a
// comment of the same length.
func hideDirective(data []byte) []byte {
	const directive = "%YAML 1.2"
	i := bytes.Index(data, []byte(directive))
	if i < 0 {
		return data
	}
	after := data[i+len(directive):]
	if len(after) > 0 && '0' <= after[0] && after[0] <= '9' { // 1.20 is another version
		return data
	}
	if blankLines(data[:i]) && bytes.Contains(after, []byte("\n---")) {
		data = bytes.Clone(data)
		data[i] = '#'
	}
	return data
}

// blankLines reports whether head is whole lines without content.
func blankLines(head []byte) bool {
	if len(head) > 0 && head[len(head)-1] != '\n' && !bytes.Equal(head, []byte("\uFEFF")) {
		return false
	}
	for line := range bytes.SplitSeq(bytes.TrimPrefix(head, []byte("\uFEFF")), []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// decode reads the next document. Hostile text has made YAML libraries panic
// before; here that is one more malformed file.
func decode(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("yaml: the text cannot be parsed")
		}
	}()
	return dec.Decode(into)
}

// syntax repeats the library's complaint, which names a line at most.
func (p *parser) syntax(err error) Fault {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	f := Fault{Pos: Pos{1, 1}}
	if after, ok := strings.CutPrefix(message, "line "); ok {
		if digits, text, ok := strings.Cut(after, ": "); ok {
			if n, err := strconv.Atoi(digits); err == nil && n > 0 {
				f.Pos.Line, message = n, text
			}
		}
	}
	f.Message = "malformed YAML: " + clip(strings.Join(strings.Fields(message), " "))
	return f
}

func (p *parser) pos(n *yaml.Node) Pos { return p.lines.byteCol(n.Line, n.Column) }

func (p *parser) fault(pos Pos, hint, format string, args ...any) error {
	p.faults = append(p.faults, Fault{Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
	if len(p.faults) >= maxFaults {
		return errStop
	}
	return nil
}

func (p *parser) value(n *yaml.Node, depth int) (*Node, error) {
	if n.Kind == yaml.AliasNode {
		return p.alias(n, depth)
	}
	v := &Node{Pos: p.pos(n)}
	if p.values++; p.values > MaxValues {
		p.fault(v.Pos, "use fewer aliases", "the file holds more than %d values once its aliases are written out", MaxValues)
		return nil, errStop
	}
	if n.Kind == yaml.ScalarNode {
		if err := p.length(v.Pos, n); err != nil {
			return nil, err
		}
		return v, p.scalar(v, n)
	}
	if depth >= MaxDepth {
		p.fault(v.Pos, "make the manifest flatter", "lists and mappings stand more than %d deep", MaxDepth)
		return nil, errStop
	}
	if n.Anchor != "" {
		p.open[n] = true
		defer delete(p.open, n)
	}
	if n.Kind == yaml.SequenceNode {
		return v, p.list(v, n, depth+1)
	}
	return v, p.mapping(v, n, depth+1)
}

// length counts the text of a scalar: a hundred aliases of one that fills the file
// would be a hundred files.
func (p *parser) length(pos Pos, n *yaml.Node) error {
	if p.text += len(n.Value); p.text <= MaxText {
		return nil
	}
	p.fault(pos, "use fewer aliases", "the file holds more than %d bytes of text once its aliases are written out", MaxText)
	return errStop
}

// alias writes the anchored value out once more.
func (p *parser) alias(n *yaml.Node, depth int) (*Node, error) {
	pos := p.pos(n)
	if p.aliases++; p.aliases > MaxAliases {
		p.fault(pos, "write the values out", "more than %d aliases are used", MaxAliases)
		return nil, errStop
	}
	if p.open[n.Alias] {
		p.fault(pos, "", "the alias *%s stands inside the value that it names", clip(n.Value))
		return nil, errStop
	}
	return p.value(n.Alias, depth)
}

func (p *parser) list(v *Node, n *yaml.Node, depth int) error {
	v.Kind = List
	if err := p.tag(n, "!!seq"); err != nil {
		return err
	}
	for _, item := range n.Content {
		child, err := p.value(item, depth)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, child)
	}
	return nil
}

func (p *parser) mapping(v *Node, n *yaml.Node, depth int) error {
	v.Kind = Map
	if err := p.tag(n, "!!map"); err != nil {
		return err
	}
	seen := map[string]Pos{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		m := Member{Pos: p.pos(n.Content[i])}
		name, err := p.key(n.Content[i])
		if err != nil {
			return err
		}
		if m.Value, err = p.value(n.Content[i+1], depth); err != nil {
			return err
		}
		if name == nil {
			continue
		}
		m.Name = *name
		if first, twice := seen[m.Name]; twice {
			if err := p.fault(m.Pos, "remove one of them", "the key %q stands here and at line %d already", clip(m.Name), first.Line); err != nil {
				return err
			}
			continue
		}
		seen[m.Name] = m.Pos
		v.Members = append(v.Members, m)
	}
	return nil
}

// key returns the name that a key node is; nil when it is none.
func (p *parser) key(n *yaml.Node) (*string, error) {
	pos := p.pos(n)
	if n.Kind != yaml.ScalarNode {
		return nil, p.fault(pos, "keys are texts", "a key is not a plain text")
	}
	if n.Value == "<<" && plain(n) {
		return nil, p.fault(pos, `write the members out, or quote "<<" if it is meant as a name`, "the merge key << is not part of YAML 1.2")
	}
	if err := p.length(pos, n); err != nil {
		return nil, err
	}
	k := &Node{Pos: pos}
	if err := p.scalar(k, n); err != nil {
		return nil, err
	}
	if k.Kind != String {
		return nil, p.fault(pos, "put it in quotes", "the key %q is %s; keys are strings", clip(n.Value), k.Kind)
	}
	return &k.Text, nil
}

// tag reports a tag in the text that is none of those wanted.
func (p *parser) tag(n *yaml.Node, wanted ...string) error {
	if n.Style&yaml.TaggedStyle == 0 {
		return nil
	}
	for _, tag := range wanted {
		if n.Tag == tag {
			return nil
		}
	}
	return p.fault(p.pos(n), "remove the tag", "the tag %q cannot stand here", clip(n.Tag))
}

// clip shortens hostile text for a message.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
