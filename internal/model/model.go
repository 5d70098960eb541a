package model

import "github.com/contractkit/contractkit/internal/diag"

// Ref is an index into Model.Schemas or Model.Types. 0 is "none": both slices
// start with an unused element.
type Ref int32

// Model is one contract.
type Model struct {
	Contract  string     `json:"contract"`
	Dispatch  string     `json:"dispatch,omitempty"` // the member whose constant names a document's schema id
	Documents []Document `json:"documents"`          // ordered by path
	Schemas   []Schema   `json:"schemas"`            // index is Ref; [0] is unused
	Types     []Type     `json:"types"`              // index is Ref; [0] is unused

	Views      []View      `json:"views,omitempty"`      // object types that invariants read; [0] is unused
	Defs       []Def       `json:"defs,omitempty"`       // each uses only those before it
	Invariants []Invariant `json:"invariants,omitempty"` // in registry order
	OldStands  bool        `json:"oldStands,omitempty"`  // of a change, the rules of documents are not asked about the document before

	Registry []RegistryFile `json:"registry,omitempty"` // where they come from, ordered by path
}

// Document is one source file with a schema at its root.
type Document struct {
	Path       string `json:"path"`           // slash-separated, relative to the project root
	Digest     string `json:"digest"`         // sha256:<hex> of the file's bytes
	ID         string `json:"id"`             // the id by which callers ask for it
	Dispatched bool   `json:"dispatched"`     // ID is also the constant of the dispatch member
	Root       Ref    `json:"root"`           // schema
	Type       Ref    `json:"type,omitempty"` // 0 for a file that only holds definitions
	Source     []byte `json:"-"`              // the schema as canonical-ready JSON
}

// Schema is one schema location. A field that is zero, nil or empty is a keyword
// that is absent.
type Schema struct {
	ID       Ref      `json:"id"`
	Location string   `json:"location"` // <id>#<JSON Pointer>
	Pos      diag.Pos `json:"pos"`
	Document int      `json:"document"` // index in Model.Documents

	Name string `json:"name"` // a name that a target may base identifiers on; not unique

	Variants *Variants `json:"variants,omitempty"` // oneOf or anyOf told apart by a member
	ByKind   bool      `json:"byKind,omitempty"`   // oneOf or anyOf whose alternatives accept disjoint kinds
	Accepts  Kinds     `json:"accepts"`            // no value of another kind can be valid

	Never  bool      `json:"never,omitempty"` // the schema false
	Types  Kinds     `json:"types,omitempty"` // 0: no type keyword; Integer stands beside Number
	Const  *Literal  `json:"const,omitempty"`
	Enum   []Literal `json:"enum,omitempty"`
	IsEnum bool      `json:"isEnum,omitempty"` // the keyword is there, perhaps empty

	Minimum          *Literal `json:"minimum,omitempty"`
	Maximum          *Literal `json:"maximum,omitempty"`
	ExclusiveMinimum *Literal `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum *Literal `json:"exclusiveMaximum,omitempty"`
	MultipleOf       *Literal `json:"multipleOf,omitempty"`

	MinLength *int   `json:"minLength,omitempty"`
	MaxLength *int   `json:"maxLength,omitempty"`
	Pattern   string `json:"pattern,omitempty"`
	Format    string `json:"format,omitempty"`

	AssertFormat bool `json:"assertFormat,omitempty"` // Format is an assertion, by option or by the dialect

	ContentEncoding  string `json:"contentEncoding,omitempty"`
	ContentMediaType string `json:"contentMediaType,omitempty"`
	AssertContent    bool   `json:"assertContent,omitempty"` // the two are assertions, by option

	MinItems    *int  `json:"minItems,omitempty"`
	MaxItems    *int  `json:"maxItems,omitempty"`
	UniqueItems bool  `json:"uniqueItems,omitempty"`
	PrefixItems []Ref `json:"prefixItems,omitempty"`
	Items       Ref   `json:"items,omitempty"`
	Contains    Ref   `json:"contains,omitempty"`
	MinContains *int  `json:"minContains,omitempty"`
	MaxContains *int  `json:"maxContains,omitempty"`

	Properties           []Property        `json:"properties,omitempty"` // in source order
	Required             []string          `json:"required,omitempty"`
	PatternProperties    []PatternProperty `json:"patternProperties,omitempty"`
	AdditionalProperties Ref               `json:"additionalProperties,omitempty"`
	PropertyNames        Ref               `json:"propertyNames,omitempty"`
	MinProperties        *int              `json:"minProperties,omitempty"`
	MaxProperties        *int              `json:"maxProperties,omitempty"`
	DependentRequired    []Dependency      `json:"dependentRequired,omitempty"`
	DependentSchemas     []Property        `json:"dependentSchemas,omitempty"`

	UnevaluatedProperties Ref  `json:"unevaluatedProperties,omitempty"`
	UnevaluatedItems      Ref  `json:"unevaluatedItems,omitempty"`
	ContainsMarks         bool `json:"containsMarks,omitempty"` // contains counts as an evaluation of the elements it matches

	Ref   Ref   `json:"ref,omitempty"`
	AllOf []Ref `json:"allOf,omitempty"`
	AnyOf []Ref `json:"anyOf,omitempty"`
	OneOf []Ref `json:"oneOf,omitempty"`
	Not   Ref   `json:"not,omitempty"`
	If    Ref   `json:"if,omitempty"`
	Then  Ref   `json:"then,omitempty"`
	Else  Ref   `json:"else,omitempty"`

	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Default     *Literal `json:"default,omitempty"`
	Deprecated  bool     `json:"deprecated,omitempty"`
	Normalize   []string `json:"normalize,omitempty"`   // x-normalize: what Parse does to a string, in order
	GoName      string   `json:"goName,omitempty"`      // x-go-name
	ListSet     bool     `json:"listSet,omitempty"`     // x-kubernetes-list-type: set, so that order means nothing
	ListMapKeys []string `json:"listMapKeys,omitempty"` // x-kubernetes-list-map-keys: the members that name an element across versions
	GoType      string   `json:"goType,omitempty"`      // x-go-type: the name of the type, where GoName names the member

	Use Use `json:"use,omitzero"` // the type of values that the schema accepts
}

// Variants say which alternative of a union can be valid, by the string in one
// member that every alternative requires.
type Variants struct {
	Member string    `json:"member"`
	Cases  []Variant `json:"cases"` // in the order of the alternatives
}

// Variant is an alternative and the strings that name it.
type Variant struct {
	Values []string `json:"values"`
	Schema Ref      `json:"schema"`
}

// Literal is a JSON value in the schema, with the text as written.
type Literal struct {
	JSON string   `json:"json"` // compact; number text as written
	Pos  diag.Pos `json:"-"`
}

// Property is a member name and the schema of its value.
type Property struct {
	Name   string   `json:"name"`
	Schema Ref      `json:"schema"`
	Pos    diag.Pos `json:"-"`
}

// PatternProperty is a name pattern and the schema of the values.
type PatternProperty struct {
	Pattern string `json:"pattern"`
	Schema  Ref    `json:"schema"`
}

// Dependency says which members must accompany the member Name.
type Dependency struct {
	Name     string   `json:"name"`
	Required []string `json:"required"`
}

// Kinds is a set of the seven type names of JSON Schema.
type Kinds uint8

// The members of Kinds. Number includes Integer's values.
const (
	KindNull Kinds = 1 << iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
	KindInteger
	AllKinds = KindNull | KindBool | KindNumber | KindString | KindArray | KindObject
)

// NormalizeOf returns what Parse does to a value of the schema r: its own steps,
// or those of the schema that it refers to or allows beside null.
func (m *Model) NormalizeOf(r Ref) []string {
	for hops := 0; r != 0 && hops < 16; hops++ {
		s := m.Schema(r)
		if s.Normalize != nil {
			return s.Normalize
		}
		if r = s.Ref; r != 0 {
			continue
		}
		for _, list := range [][]Ref{s.AnyOf, s.OneOf} {
			for _, option := range list {
				switch {
				case m.Schema(option).Accepts&^KindNull == 0:
				case r != 0:
					return nil // several values to choose from
				default:
					r = option
				}
			}
		}
	}
	return nil
}
