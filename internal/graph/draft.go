package graph

import (
	"strconv"
	"strings"
)

// Draft is a version of JSON Schema; later ones compare greater.
type Draft int

// The drafts that are understood.
const (
	Draft4    Draft = 4
	OpenAPI30 Draft = 5 // the Schema Object of OpenAPI 3.0: draft 4 and what OpenAPI adds
	Draft6    Draft = 6
	Draft7    Draft = 7
	Draft2019 Draft = 2019
	Draft2020 Draft = 2020
)

var draftURLs = map[Draft]string{
	Draft4:    "http://json-schema.org/draft-04/schema#",
	Draft6:    "http://json-schema.org/draft-06/schema#",
	Draft7:    "http://json-schema.org/draft-07/schema#",
	Draft2019: "https://json-schema.org/draft/2019-09/schema",
	Draft2020: "https://json-schema.org/draft/2020-12/schema",
}

// URL returns the "$schema" of the draft as its authors write it.
func (d Draft) URL() string { return draftURLs[d] }

// ParseDraft reads the name of a draft: as String writes it, as the test suite
// calls its folders (draft7, draft2019-09), or its number alone. openapi-3.0 is
// the dialect of OpenAPI 3.0, which no "$schema" names; 3.1 is 2020-12.
func ParseDraft(name string) (Draft, bool) {
	switch strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(name, "draft"), "-"), "0") {
	case "4":
		return Draft4, true
	case "6":
		return Draft6, true
	case "7":
		return Draft7, true
	case "2019-09":
		return Draft2019, true
	case "2020-12", "openapi-3.1":
		return Draft2020, true
	case "openapi-3.0":
		return OpenAPI30, true
	}
	return 0, false
}

// String names the draft as people do: draft-07, 2020-12.
func (d Draft) String() string {
	switch d {
	case OpenAPI30:
		return "openapi-3.0"
	case Draft2019:
		return "2019-09"
	case Draft2020:
		return "2020-12"
	}
	return "draft-0" + strconv.Itoa(int(d))
}

// draftOf identifies a "$schema". An empty fragment and http for https are
// spellings in wide use.
func draftOf(schema string) (Draft, bool) {
	for d, u := range draftURLs {
		if bare(schema) == bare(u) {
			return d, true
		}
	}
	if strings.HasPrefix(schema, openAPI31) {
		return Draft2020, true
	}
	return 0, false
}

// openAPI31 begins the dialects of OpenAPI 3.1: 2020-12 with annotations of its own.
const openAPI31 = "https://spec.openapis.org/oas/3.1/dialect/"

func bare(u string) string {
	u = strings.TrimSuffix(u, "#")
	if rest, ok := strings.CutPrefix(u, "http://"); ok {
		return "https://" + rest
	}
	return u
}

// idKeyword is the member that names a resource.
func (d Draft) idKeyword() string {
	if d == Draft4 {
		return "id"
	}
	return "$id"
}

// refAlone reports whether the siblings of a "$ref" count for nothing.
func (d Draft) refAlone() bool { return d <= Draft7 }

// shape says where the schemas of a keyword stand in its value.
type shape uint8

const (
	none    shape = iota
	single        // the value is a schema
	list          // an array of schemas
	names         // an object whose members are schemas
	either        // a schema, or an array of schemas
	partial       // an object whose members are schemas, or arrays of names
)

// keyword is how one keyword holds schemas, and since and until which draft.
type keyword struct {
	shape       shape
	since, till Draft // till 0: still there
	inPlace     bool  // its schemas apply to the same value as the schema around them
}

var keywords = map[string][]keyword{
	"allOf":                 {{shape: list, inPlace: true}},
	"anyOf":                 {{shape: list, inPlace: true}},
	"oneOf":                 {{shape: list, inPlace: true}},
	"not":                   {{shape: single, inPlace: true}},
	"if":                    {{shape: single, since: Draft7, inPlace: true}},
	"then":                  {{shape: single, since: Draft7, inPlace: true}},
	"else":                  {{shape: single, since: Draft7, inPlace: true}},
	"dependentSchemas":      {{shape: names, since: Draft2019, inPlace: true}},
	"dependencies":          {{shape: partial, inPlace: true}}, // 2019-09 and later keep it as deprecated
	"properties":            {{shape: names}},
	"patternProperties":     {{shape: names}},
	"additionalProperties":  {{shape: single}},
	"unevaluatedProperties": {{shape: single, since: Draft2019}},
	"propertyNames":         {{shape: single, since: Draft6}},
	"prefixItems":           {{shape: list, since: Draft2020}},
	"items":                 {{shape: either, till: Draft2019}, {shape: single, since: Draft2020}},
	"additionalItems":       {{shape: single, till: Draft2019}},
	"unevaluatedItems":      {{shape: single, since: Draft2019}},
	"contains":              {{shape: single, since: Draft6}},
	"contentSchema":         {{shape: single, since: Draft2019}},
	"definitions":           {{shape: names}},
	"$defs":                 {{shape: names, since: Draft2019}},
}

// keyword returns how the draft reads a member of a schema.
func (d Draft) keyword(name string) keyword {
	for _, k := range keywords[name] {
		if d >= k.since && (k.till == 0 || d <= k.till) {
			return k
		}
	}
	return keyword{}
}
