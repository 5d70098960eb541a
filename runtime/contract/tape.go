package contract

// token is one entry of the tape. A value is a token; an array is followed by its
// elements, an object by its members, each a name token and a value.
type token struct {
	off, end uint32 // byte range in the text; of a string without its quotes
	next     uint32 // the token after this value
	kind     Kind
	flags    uint8
}

// The flags of strings and numbers.
const (
	flagEscaped  = 1 << iota // the string has a backslash
	flagNonASCII             // the string has a byte above 0x7F
	flagFraction             // the number has a fraction or an exponent
)

// Node names a value, or a member's name, on the tape of one document.
type Node int32

// Root is the node of a document's outermost value.
const Root Node = 0

// Doc is a JSON text and its tape. The zero Doc is ready for Parse; it may be
// parsed into again and again, and then allocates only to grow.
// A Doc must not be used by two goroutines at once.
type Doc struct {
	data    []byte
	tape    []token
	scratch []byte  // the last string that Text had to unescape
	second  []byte  // another one, while two are compared
	names   nameSet // for objects with many members
	deepest int     // how many arrays and objects are inside one another, at most
	twice   Node    // after faultDuplicate: the object
}

// Kind returns the kind of the value n.
func (d *Doc) Kind(n Node) Kind { return d.tape[n].kind }

// Tokens returns the length of the tape: every node is less.
func (d *Doc) Tokens() int { return len(d.tape) }

// Next returns the node after the value n: its next sibling, or the end of its parent.
func (d *Doc) Next(n Node) Node { return Node(d.tape[n].next) }

// Raw returns the text of the value n, exactly as written.
// It is part of the document's bytes and must not be changed.
func (d *Doc) Raw(n Node) []byte {
	t := &d.tape[n]
	if t.kind == String {
		return d.data[t.off-1 : t.end+1]
	}
	return d.data[t.off:t.end]
}

// Offset returns the byte offset of the first byte of the value n.
func (d *Doc) Offset(n Node) int {
	t := &d.tape[n]
	if t.kind == String {
		return int(t.off) - 1
	}
	return int(t.off)
}

// Text returns the decoded bytes of the string n, or of a member's name.
// They are valid until the next call of Text and must not be changed.
func (d *Doc) Text(n Node) []byte {
	t := &d.tape[n]
	if t.flags&flagEscaped != 0 {
		return d.unescaped(t)
	}
	return d.data[t.off:t.end]
}

// Escaped reports whether the text of the string n is written with escapes. What Text
// returns of one that is not is valid as long as the document.
func (d *Doc) Escaped(n Node) bool { return d.tape[n].flags&flagEscaped != 0 }

func (d *Doc) unescaped(t *token) []byte {
	d.scratch = appendUnescaped(d.scratch[:0], d.data[t.off:t.end])
	return d.scratch
}

// Number returns the text of the number n.
func (d *Doc) Number(n Node) []byte {
	t := &d.tape[n]
	return d.data[t.off:t.end]
}

// Count returns the number of elements of an array or of members of an object.
func (d *Doc) Count(n Node) int {
	count, end := 0, Node(d.tape[n].next)
	step := Node(0)
	if d.tape[n].kind == Object {
		step = 1
	}
	for n++; n < end; n = Node(d.tape[n+step].next) {
		count++
	}
	return count
}

// Member returns the value of the object's member with that name.
func (d *Doc) Member(n Node, name string) (Node, bool) {
	if d.tape[n].kind != Object {
		return 0, false
	}
	end := Node(d.tape[n].next)
	for k := n + 1; k < end; k = Node(d.tape[k+1].next) {
		if string(d.Text(k)) == name {
			return k + 1, true
		}
	}
	return 0, false
}
