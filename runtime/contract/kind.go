package contract

// Kind is the JSON kind of a value on the tape.
type Kind uint8

// The six kinds of RFC 8259.
const (
	Null Kind = iota
	Bool
	Num
	String
	Array
	Object
)

var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object"}

// String gives JSON Schema's name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Kinds is a set of kinds: the sum of 1<<Kind.
type Kinds uint8

// Has reports whether k is in the set.
func (s Kinds) Has(k Kind) bool { return s>>k&1 == 1 }

// String lists the kinds as a sentence does: "string, number or null".
func (s Kinds) String() string {
	var names []string
	for _, k := range [...]Kind{String, Num, Bool, Object, Array, Null} {
		if s.Has(k) {
			names = append(names, kindNames[k])
		}
	}
	return joinOr(names)
}

func joinOr(names []string) string {
	out := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			out += " or "
		default:
			out += ", "
		}
		out += n
	}
	return out
}
