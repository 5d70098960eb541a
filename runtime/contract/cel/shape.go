package cel

import "sort"

// ShapeKind says how a JSON value is seen in CEL.
type ShapeKind uint8

// The kinds of shapes. Under each of them a JSON null is null, and a JSON value of
// another kind than the one named is an error.
const (
	ShapeDyn       ShapeKind = iota // what the JSON value says: a whole number without fraction and exponent that fits is an int, other numbers are doubles
	ShapeBool                       // true or false
	ShapeInt                        // an integral number, 1.0 included; beyond 64 bits an error
	ShapeUint                       // likewise, without negative numbers
	ShapeDouble                     // a number
	ShapeString                     // a string
	ShapeBytes                      // a string in base64
	ShapeTimestamp                  // a string, RFC 3339, but seconds may be absent
	ShapeDate                       // a string, YYYY-MM-DD, seen as the timestamp of its midnight in UTC
	ShapeDuration                   // a string, a duration as CEL's duration function reads it
	ShapeList                       // an array; Elem is the shape of its elements
	ShapeMap                        // an object with free names; Elem is the shape of its values
	ShapeObject                     // an object with the members Fields; Rest is the shape of others, which do not exist without it
)

// Shape says how a value of the document is seen in CEL. Generated code declares
// shapes as package variables; they may be recursive. A nil *Shape is ShapeDyn.
type Shape struct {
	Kind   ShapeKind
	Elem   *Shape
	Fields []Field // sorted by Name
	Rest   *Shape
	Plain  bool // of lists, maps and objects: CEL's equality is that of JSON

	// Of a ShapeList: Set and Keys are x-kubernetes-list-type set and map. The order of
	// such a list does not matter to ==, and + merges into it: elements that are there
	// already, or have the values of Keys in common with one that is, do not come twice.
	Set  bool
	Keys []string
}

// Field is a declared member of an object.
type Field struct {
	Name  string // as on the wire
	Shape *Shape
}

// Dyn is the shape of values whose type is not known.
var Dyn = &Shape{}

// member returns the shape of the member with that name.
func (s *Shape) member(name string) (*Shape, bool) {
	switch s.Kind {
	case ShapeMap:
		return orDyn(s.Elem), true
	case ShapeObject:
		i := sort.Search(len(s.Fields), func(i int) bool { return s.Fields[i].Name >= name })
		if i < len(s.Fields) && s.Fields[i].Name == name {
			return orDyn(s.Fields[i].Shape), true
		}
		return s.Rest, s.Rest != nil
	}
	return Dyn, true
}

// elem returns the shape of an array's elements.
func (s *Shape) elem() *Shape {
	if s.Kind == ShapeList {
		return orDyn(s.Elem)
	}
	return Dyn
}

func orDyn(s *Shape) *Shape {
	if s == nil {
		return Dyn
	}
	return s
}
