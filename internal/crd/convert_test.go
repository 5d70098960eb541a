package crd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/internal/source"
)

// imported imports one definition whose only version has a schema, which is given in
// YAML's flow style.
func imported(t *testing.T, schema string) (*source.Value, string) {
	t.Helper()
	text := "kind: CustomResourceDefinition\nspec:\n  group: example.com\n  names: {plural: ws, kind: W}\n" +
		"  versions: [{name: v1, schema: {openAPIV3Schema: " + schema + "}}]\n"
	found, err := Read("a.yaml", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Import(found)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := source.Parse(files[0].Path, files[0].Data, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root, string(files[1].Data)
}

// TestConvert holds what each keyword of a structural schema becomes.
func TestConvert(t *testing.T) {
	for name, tt := range map[string]struct{ in, out string }{
		"nullable":            {`{type: string, nullable: true}`, `{"type":["string","null"]}`},
		"nullable enum":       {`{type: string, nullable: true, enum: [a]}`, `{"type":["string","null"],"enum":["a",null]}`},
		"null is in the enum": {`{type: string, nullable: true, enum: [a, null]}`, `{"type":["string","null"],"enum":["a",null]}`},
		"int or string":       {`{x-kubernetes-int-or-string: true}`, `{"type":["integer","string"]}`},
		"int or string, said twice": {`{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: '^\d'}`,
			`{"type":["integer","string"],"pattern":"^\\d"}`},
		"other alternatives":    {`{x-kubernetes-int-or-string: true, anyOf: [{type: integer, minimum: 1}, {type: string}]}`, `{"type":["integer","string"],"anyOf":[{"type":"integer","minimum":1},{"type":"string"}]}`},
		"exclusive":             {`{type: number, maximum: 3, exclusiveMaximum: true, minimum: 1, exclusiveMinimum: false}`, `{"type":"number","exclusiveMaximum":3,"minimum":1}`},
		"numbers keep text":     {`{type: number, maximum: 1.50}`, `{"type":"number","maximum":1.50}`},
		"unknown members":       {`{type: object, properties: {a: {type: string}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`},
		"kept members":          {`{type: object, properties: {a: {type: string}}, x-kubernetes-preserve-unknown-fields: true}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		"map":                   {`{type: object, additionalProperties: {type: integer}}`, `{"type":"object","additionalProperties":{"type":"integer"}}`},
		"free map":              {`{type: object, additionalProperties: true}`, `{"type":"object"}`},
		"set":                   {`{type: array, x-kubernetes-list-type: set, items: {type: string}}`, `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"},"uniqueItems":true}`},
		"branches check values": {`{type: object, properties: {a: {type: string}}, not: {required: [a], properties: {a: {enum: [x]}}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"not":{"required":["a"],"properties":{"a":{"enum":["x"]}}}}`},
		"required with a default": {`{type: object, required: [a, b, c], properties: {a: {type: integer, default: 3}, b: {type: string}, c: {type: string, nullable: true, default: null}}}`,
			`{"type":"object","required":["b","c"],"properties":{"a":{"type":"integer","default":3},"b":{"type":"string"},"c":{"type":["string","null"]}},"additionalProperties":false}`},
		"branches know defaults": {`{type: object, properties: {a: {type: integer, default: 3}, l: {type: array, items: {type: object, properties: {b: {type: string, default: x}}}}}, not: {required: [a]},
			anyOf: [{required: [a, l]}, {properties: {l: {items: {required: [b, z]}}, q: {required: [b]}}}]}`,
			`{"type":"object","properties":{"a":{"type":"integer","default":3},"l":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string","default":"x"}},"additionalProperties":false}}},"additionalProperties":false,` +
				`"anyOf":[{"required":["l"]},{"properties":{"l":{"items":{"required":["z"]}},"q":{"required":["b"]}}}],"not":{}}`},
		"what has no effect": {`{type: string, example: x, externalDocs: {url: u}}`, `{"type":"string"}`},
		"embedded": {`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`,
			`{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object","properties":{"name":{"type":"string"},"generateName":{"type":"string"}},"additionalProperties":true}}}`},
	} {
		root, _ := imported(t, "{type: object, properties: {x: "+tt.in+"}}")
		got := string(source.AppendJSON(nil, root.Get("properties").Get("x")))
		if got != tt.out {
			t.Errorf("%s:\n%s\nis to be\n%s", name, got, tt.out)
		}
	}
}

// TestRoot gives every resource the members of its kind.
func TestRoot(t *testing.T) {
	root, _ := imported(t, `{type: object, title: x, properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 3}}}}}`)
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"W","x-go-name":"WV1","type":"object","properties":{` +
		`"metadata":{"type":"object","properties":{"name":{"type":"string","maxLength":3},"generateName":{"type":"string"}},"additionalProperties":true},` +
		`"apiVersion":{"type":"string"},"kind":{"type":"string"}},"additionalProperties":false}`
	if diff := cmp.Diff(want, string(source.AppendJSON(nil, root))); diff != "" {
		t.Error(diff)
	}
}

// TestRules holds what becomes a rule, and of which scope.
func TestRules(t *testing.T) {
	_, registry := imported(t, `{type: object,
    x-kubernetes-validations: [{rule: "self.a != 'oldSelf'", message: "a: \"b\"", reason: FieldValueInvalid}, {rule: "self.a == oldSelf.a", fieldPath: ".a['b.c'].d"}],
    properties: {a: {type: string, x-kubernetes-validations: [{rule: "size(self) > 1", messageExpression: "self", optionalOldSelf: true}]},
      l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, a-b], items: {type: object, properties: {k: {type: string}, a-b: {type: string}}}}}}`)
	want := `# Rules of custom resources, from x-kubernetes-validations.
version: 1
profile: kubernetes
rules:
  - id: "ws.v1/properties/a/x-kubernetes-validations/0"
    schema: "ws.v1.json#/properties/a"
    scope: "transition"
    rule: "size(self) > 1"
    messageExpression: "self"
    optionalOldSelf: true
  - id: "ws.v1/properties/l/x-kubernetes-list-map-keys/0"
    schema: "ws.v1.json#/properties/l"
    rule: "unique(self.map(x, [has(x.k) ? [x.k] : [], has(x.` + "`a-b`" + `) ? [x.` + "`a-b`" + `] : []]))"
    message: "two entries have the same keys"
  - id: "ws.v1/x-kubernetes-validations/0"
    schema: "ws.v1.json"
    rule: "self.a != 'oldSelf'"
    message: "a: \"b\""
    reason: "FieldValueInvalid"
  - id: "ws.v1/x-kubernetes-validations/1"
    schema: "ws.v1.json"
    scope: "transition"
    rule: "self.a == oldSelf.a"
    path: "/a/b.c/d"
`
	if diff := cmp.Diff(want, registry); diff != "" {
		t.Error(diff)
	}
}

func TestFieldPath(t *testing.T) {
	for in, want := range map[string]string{
		".a": "/a", ".a.b": "/a/b", ".a['b.c']": "/a/b.c", `.a["x/y"].z~`: "/a/x~1y/z~0", ".l[0].k": "/l/0/k", "['a']": "/a",
		"a": "!begins", ".": "!missing", ".a..b": "!missing", ".a[": "!missing", ".a[b]": "!neither", ".a['": "!missing", ".a[']": "!neither",
	} {
		got, err := fieldPath(in)
		if problem, wrong := strings.CutPrefix(want, "!"); wrong {
			if err == nil || !strings.Contains(err.Error(), problem) {
				t.Errorf("%s: %q, %v; the error is to say %q", in, got, err, problem)
			}
		} else if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", in, got, err, want)
		}
	}
}

// TestReadsOld tells a variable from text that only looks like it.
func TestReadsOld(t *testing.T) {
	for rule, want := range map[string]bool{
		"self == oldSelf": true, "oldSelf.x > 1": true, "self == 'oldSelf'": false, `self == "a\"oldSelf"`: false,
		`self == 'it\'s' && oldSelf`: true, "self.oldSelfish": false,
	} {
		if got := readsOld.MatchString(unquoted(rule)); got != want {
			t.Errorf("%s: %v", rule, got)
		}
	}
}
