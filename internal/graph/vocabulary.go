package graph

// Vocabulary is a set of the vocabularies that JSON Schema defines. The drafts
// before 2019-09 have none; their schemas know all that the draft has.
type Vocabulary uint16

// The vocabularies. A schema always knows the core.
const (
	Applicator Vocabulary = 1 << iota
	Unevaluated
	Validation
	MetaData
	Format          // format as an annotation
	FormatAssertion // format as an assertion
	Content
)

// vocabularies are the published names; the last part of one says which it is.
var vocabularies = map[Draft]map[string]Vocabulary{
	Draft2019: {
		"core": 0, "applicator": Applicator | Unevaluated, "validation": Validation, "meta-data": MetaData, "format": Format, "content": Content,
	},
	Draft2020: {
		"core": 0, "applicator": Applicator, "unevaluated": Unevaluated, "validation": Validation, "meta-data": MetaData,
		"format-annotation": Format, "format-assertion": FormatAssertion, "content": Content,
	},
}

// everything is what a schema knows whose meta-schema lists no vocabulary.
const everything = Applicator | Unevaluated | Validation | MetaData | Format | Content

// vocabularyURL is what stands before the last part of a vocabulary's name.
func (d Draft) vocabularyURL() string {
	if d == Draft2019 {
		return "https://json-schema.org/draft/2019-09/vocab/"
	}
	return "https://json-schema.org/draft/2020-12/vocab/"
}

// defined says where keywords come from; those that are not here belong to the
// core, or to no vocabulary.
var defined = map[string]Vocabulary{
	"allOf": Applicator, "anyOf": Applicator, "oneOf": Applicator, "not": Applicator, "if": Applicator, "then": Applicator, "else": Applicator,
	"dependentSchemas": Applicator, "properties": Applicator, "patternProperties": Applicator, "additionalProperties": Applicator,
	"propertyNames": Applicator, "prefixItems": Applicator, "items": Applicator, "additionalItems": Applicator, "contains": Applicator,
	"unevaluatedProperties": Unevaluated, "unevaluatedItems": Unevaluated,
	"type": Validation, "const": Validation, "enum": Validation, "multipleOf": Validation, "maximum": Validation, "exclusiveMaximum": Validation,
	"minimum": Validation, "exclusiveMinimum": Validation, "maxLength": Validation, "minLength": Validation, "pattern": Validation,
	"maxItems": Validation, "minItems": Validation, "uniqueItems": Validation, "maxContains": Validation, "minContains": Validation,
	"maxProperties": Validation, "minProperties": Validation, "required": Validation, "dependentRequired": Validation,
	"title": MetaData, "description": MetaData, "default": MetaData, "deprecated": MetaData, "readOnly": MetaData, "writeOnly": MetaData, "examples": MetaData,
	"format":          Format | FormatAssertion,
	"contentEncoding": Content, "contentMediaType": Content, "contentSchema": Content,
}

// dialect is how a schema is to be read: the draft, and what of it counts.
type dialect struct {
	draft Draft
	vocab Vocabulary
}

// whole is the dialect of a draft's own meta-schema.
func (d Draft) whole() dialect { return dialect{d, everything} }

// knows reports whether a keyword of the draft counts.
func (d dialect) knows(name string) bool {
	v := defined[name]
	return v == 0 || d.vocab&v != 0
}

// keyword returns how the dialect reads a member of a schema.
func (d dialect) keyword(name string) keyword {
	if !d.knows(name) {
		return keyword{}
	}
	return d.draft.keyword(name)
}

// Knows reports whether the vocabularies of the dialect in which s is written
// define the keyword. It is true of words that no vocabulary defines.
func (s *Schema) Knows(keyword string) bool { return s.dialect().knows(keyword) }

func (s *Schema) dialect() dialect { return dialect{s.Draft, s.Vocabulary} }
