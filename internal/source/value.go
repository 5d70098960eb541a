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

	index map[string]int32 // name to place in Members, for objects that are too large to search
}

// Member is a name and its value inside an Object.
type Member struct {
	Name    string
	NamePos diag.Pos
	Value   *Value
}

// searchable is how many members are compared one by one before an index pays.
const searchable = 16

// Get returns the member's value, or nil when v is not an object or has none.
func (v *Value) Get(name string) *Value {
	if m := v.Member(name); m != nil {
		return m.Value
	}
	return nil
}

// Member returns the member with its position, or nil when v is not an object
// or has none.
func (v *Value) Member(name string) *Member {
	if v == nil || v.Kind != Object {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[name]; ok {
			return &v.Members[i]
		}
		return nil
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i]
		}
	}
	return nil
}

// add appends m and returns nil, or returns the member that already has its name.
func (v *Value) add(m Member) *Member {
	if first := v.Member(m.Name); first != nil {
		return first
	}
	v.Members = append(v.Members, m)
	switch n := len(v.Members); {
	case v.index != nil:
		v.index[m.Name] = int32(n - 1)
	case n > searchable:
		v.index = make(map[string]int32, 2*n)
		for i := range v.Members {
			v.index[v.Members[i].Name] = int32(i)
		}
	}
	return nil
}

// IsTrue reports whether v is the boolean true.
func (v *Value) IsTrue() bool { return v != nil && v.Kind == Bool && v.Bool }
