// Package tree reads one YAML document into plain JSON-like values that know
// where they were written.
//
// The YAML library only parses. What a scalar means, which keys may stand, how
// often an alias may be used and how much a text may hold is decided here, by the
// core schema of YAML 1.2 and the bounds of [Limits].
package tree

import (
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Kind is a JSON kind.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

// String names the kind for people.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "a mapping"}[k]
}

// Pos is a place in the text: line and column from 1, the column in bytes.
type Pos struct{ Line, Col int }

// Node is one value.
type Node struct {
	Kind    Kind
	Text    string // of a String, decoded; of a Number, its JSON text
	Bool    bool
	Items   []*Node
	Members []Member
	Pos     Pos
}

// Member is one entry of a Map; names are unique.
type Member struct {
	Name  string
	Pos   Pos // of the name
	Value *Node
}

// Get returns the member with that name; nil when n is nil, no Map, or has none.
func (n *Node) Get(name string) *Node {
	if m := n.Member(name); m != nil {
		return m.Value
	}
	return nil
}

// Member is Get with the position of the name.
func (n *Node) Member(name string) *Member {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

// Str returns the text of a String; ok is false for everything else.
func (n *Node) Str() (text string, ok bool) {
	if n == nil || n.Kind != String {
		return "", false
	}
	return n.Text, true
}

// List returns the elements of a List; nil for everything else.
func (n *Node) List() []*Node {
	if n == nil || n.Kind != List {
		return nil
	}
	return n.Items
}

// At returns the value at a JSON Pointer (RFC 6901) and its position. When the
// way breaks off, it returns nil and the position of the last value on it; for a
// member's value the position is that of its name.
func (n *Node) At(pointer string) (*Node, Pos) {
	pos := n.Pos
	for pointer != "" {
		token, rest, _ := strings.Cut(pointer[1:], "/")
		if rest != "" || strings.HasSuffix(pointer[1:], "/") {
			rest = "/" + rest
		}
		pointer = rest
		switch n.Kind {
		case Map:
			m := n.Member(unescape(token))
			if m == nil {
				return nil, pos
			}
			n, pos = m.Value, m.Pos
		case List:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil, pos
			}
			n, pos = n.Items[i], n.Items[i].Pos
		default:
			return nil, pos
		}
	}
	return n, pos
}

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape makes a member name a token of a JSON Pointer.
func Escape(name string) string { return escaper.Replace(name) }

func unescape(token string) string { return unescaper.Replace(token) }

// AppendJSON appends the value as compact JSON, members in their order.
func AppendJSON(dst []byte, n *Node) []byte {
	switch n.Kind {
	case Null:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, n.Bool)
	case Number:
		return append(dst, n.Text...)
	case String:
		return contract.AppendString(dst, n.Text)
	case List:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, item)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i := range n.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = contract.AppendString(dst, n.Members[i].Name)
		dst = append(dst, ':')
		dst = AppendJSON(dst, n.Members[i].Value)
	}
	return append(dst, '}')
}
