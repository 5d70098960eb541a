package model

import "github.com/contractkit/contractkit/internal/diag"

// TypeKind says how a type is represented.
type TypeKind string

// The kinds of types.
const (
	Struct  TypeKind = "struct" // an object with known members
	Enum    TypeKind = "enum"   // one of several strings
	Text    TypeKind = "string"
	Integer TypeKind = "integer"
	Number  TypeKind = "number"
	Boolean TypeKind = "boolean"
	Union   TypeKind = "union"   // one of several Options
	Tuple   TypeKind = "tuple"   // an array whose elements have types by position
	List    TypeKind = "list"    // an array of Elem
	Map     TypeKind = "map"     // an object of free names and values of Elem
	Wrapper TypeKind = "wrapper" // the named type of a document whose root is none of its own, or of a list or map of itself
	Any     TypeKind = "any"     // whatever the schema accepts, kept as JSON text
)

// Type is a type that targets declare or use. Struct and Enum are named; the
// others are used in place.
type Type struct {
	ID         Ref      `json:"id"`
	Kind       TypeKind `json:"kind"`
	Name       string   `json:"name,omitempty"` // unique in the model; CamelCase
	Schema     Ref      `json:"schema,omitempty"`
	Document   int      `json:"document"` // index in Model.Documents of the file that declares it
	Doc        string   `json:"doc,omitempty"`
	Deprecated bool     `json:"deprecated,omitempty"`
	Used       bool     `json:"used,omitempty"` // a document or a definition leads to it
	Pos        diag.Pos `json:"-"`

	Fields     []Field   `json:"fields,omitempty"`     // of a Struct, in source order
	Extra      *Use      `json:"extra,omitempty"`      // of a Struct: other members are admitted and kept, with this type
	Values     []Literal `json:"values,omitempty"`     // of an Enum: JSON strings, in source order
	Elem       Use       `json:"elem,omitzero"`        // of a List, Map or Wrapper
	ElemSchema Ref       `json:"elemSchema,omitempty"` // the schema of the elements

	Options []Option `json:"options,omitempty"` // of a Union, in the order in which they are tried
	By      string   `json:"by,omitempty"`      // of a Union: "kind", "member" or "check" tells the options apart
	Member  string   `json:"member,omitempty"`  // of a Union by member: its name
}

// Use is a type at a place where null may be allowed beside it.
type Use struct {
	Type     Ref  `json:"type,omitempty"`
	Nullable bool `json:"nullable,omitempty"`
}

// Field is a member of a Struct.
type Field struct {
	Name       string   `json:"name"`             // as on the wire
	GoName     string   `json:"goName,omitempty"` // x-go-name
	Use        Use      `json:"use"`
	Required   bool     `json:"required,omitempty"`
	Recursive  bool     `json:"recursive,omitempty"` // the value may contain its own struct: hold it by reference
	Const      *Literal `json:"const,omitempty"`     // a required member of this one scalar value: not stored
	Default    *Literal `json:"default,omitempty"`   // filled in by Parse when absent; Build proposes it, interp.Settle decides
	Filled     string   `json:"-"`                   // what stands in for an absent value: Default after completion, as JSON; "" for nothing
	Normalize  []string `json:"normalize,omitempty"` // done by Parse to a string
	Schema     Ref      `json:"schema"`
	Doc        string   `json:"doc,omitempty"`
	Deprecated bool     `json:"deprecated,omitempty"`
	Pos        diag.Pos `json:"-"`
}

// Option is one alternative of a Union.
type Option struct {
	Name    string   `json:"name"` // CamelCase, unique in the union
	Use     Use      `json:"use"`
	Schemas []Ref    `json:"schemas,omitempty"` // the alternatives of the schema; none for a plain kind
	Kinds   Kinds    `json:"kinds"`
	Values  []string `json:"values,omitempty"` // by member: the strings that name it

	name string // before it is made unique
}

// Schema returns the schema r; r must not be 0.
func (m *Model) Schema(r Ref) *Schema { return &m.Schemas[r] }

// Type returns the type r; r must not be 0.
func (m *Model) Type(r Ref) *Type { return &m.Types[r] }
