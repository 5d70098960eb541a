package source

import "github.com/contractkit/contractkit/internal/diag"

// Kind is the JSON kind of a Value.
type Kind uint8

// The kinds, in the order that canonical output never depends on.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is a JSON value that knows where it was written. Values are read-only
// after Load.
type Value struct {
	Kind    Kind
	Pos     diag.Pos // first byte of the value
	Bool    bool     // for Bool
	Text    string   // Number: the JSON number text exactly as written (YAML: in JSON form); String: the decoded string
	Members []Member // for Object, in source order, names unique
	Items   []*Value // for Array
}

// Member is a name and its value inside an Object.
type Member struct {
	Name    string
	NamePos diag.Pos
	Value   *Value
}

// Get returns the member's value, or nil when v is not an object or has none.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value
		}
	}
	return nil
}
