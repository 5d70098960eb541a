package graph

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/internal/diag"
)

// describe prints a list with pointers, hints and related places.
func describe(err error) []string {
	list, _ := errors.AsType[diag.List](err)
	var all []string
	for _, d := range list {
		text := d.String()
		if d.Pointer != "" {
			text += " at " + d.Pointer
		}
		if d.Hint != "" {
			text += " | " + d.Hint
		}
		for _, r := range d.Related {
			text += " | " + r.Pos.String() + ": " + r.Message
		}
		all = append(all, text)
	}
	return all
}

func TestProblems(t *testing.T) {
	const (
		d7     = `"$schema":"http://json-schema.org/draft-07/schema#"`
		d4     = `"$schema":"http://json-schema.org/draft-04/schema#"`
		d2019  = `"$schema":"https://json-schema.org/draft/2019-09/schema"`
		deeper = "put a keyword that goes deeper, such as properties or items, between the two, or remove one reference"
	)
	type files map[string]string
	tests := []struct {
		name  string
		files files
		want  []string
	}{
		{"unknown dialect", files{"s/a.json": `{"$schema":"http://json-schema.org/draft-08/schema#","$ref":"#/not/checked"}`}, []string{
			`s/a.json:1:12: error: the dialect "http://json-schema.org/draft-08/schema#" is not known [graph.unknown-dialect] at /$schema | did you mean "http://json-schema.org/draft-04/schema#"?`}},
		{"unknown dialect inside", files{"s/a.json": `{"$defs":{"d":{"$id":"d","$schema":"my:own"}}}`}, []string{
			`s/a.json:1:36: error: the dialect "my:own" is not known [graph.unknown-dialect] at /$defs/d/$schema | write "$schema": "https://json-schema.org/draft/2020-12/schema", or add its meta-schema to the documents`}},
		{"not a schema", files{"s/a.json": `[]`}, []string{
			`s/a.json:1:1: error: a schema is an object or a boolean, not an array [graph.meta-schema] | fixtures belong in files named *.valid.json or *.invalid.json`}},
		{"meta-schema", files{"s/a.json": "{\"type\":\"strng\",\n\"properties\":{\"a/b %\":{\"minLength\":-1,\"required\":true}},\n\"items\":[{}],\"allOf\":[],\"exclusiveMinimum\":true,\"pattern\":\"(?<=x)\",\"$defs\":{\"x\":5}}"}, []string{
			`s/a.json:1:9: error: "type": value must be one of "array", "boolean", "integer", "null", "number", "object", "string", or expected array, but got string [graph.meta-schema] at /type | did you mean "string"?`,
			`s/a.json:2:36: error: "minLength": must be >= 0 but found -1 [graph.meta-schema] at /properties/a~1b %/minLength | the document is held to the meta-schema of 2020-12`,
			`s/a.json:2:50: error: "required": expected array, but got boolean [graph.meta-schema] at /properties/a~1b %/required | list the names of required members in the "required" array of the object around them`,
			`s/a.json:3:9: error: "items": expected object or boolean, but got array [graph.meta-schema] at /items | since 2020-12 a tuple is written as "prefixItems"`,
			`s/a.json:3:22: error: "allOf": minimum 1 items required, but found 0 items [graph.meta-schema] at /allOf | the document is held to the meta-schema of 2020-12`,
			`s/a.json:3:44: error: "exclusiveMinimum": expected number, but got boolean [graph.meta-schema] at /exclusiveMinimum | since draft-06 this is the limit itself, a number`,
			`s/a.json:3:81: error: "x": expected object or boolean, but got number [graph.meta-schema] at /$defs/x | the document is held to the meta-schema of 2020-12`}},
		{"meta-schema of draft-04", files{"s/a.json": `{` + d4 + `,"exclusiveMinimum":3,"minimum":1,"not":true}`}, []string{
			`s/a.json:1:73: error: "exclusiveMinimum": expected boolean, but got number [graph.meta-schema] at /exclusiveMinimum | in draft-04 this is a boolean beside "minimum" or "maximum"`,
			`s/a.json:1:93: error: "not": expected object, but got boolean [graph.meta-schema] at /not | draft-04 has no boolean schemas: write {} or {"not": {}}`}},
		{"meta-schema where a reference leads", files{"s/a.json": `{"x-y":{"type":7,"properties":{"p":{"minimum":""}}},"$ref":"#/x-y"}`}, []string{
			`s/a.json:1:16: error: "type": value must be one of "array", "boolean", "integer", "null", "number", "object", "string", or expected array, but got number [graph.meta-schema] at /x-y/type | the document is held to the meta-schema of 2020-12`,
			`s/a.json:1:47: error: "minimum": expected number, but got string [graph.meta-schema] at /x-y/properties/p/minimum | the document is held to the meta-schema of 2020-12`}},
		{"meta-schema around what is only referred to", files{"s/a.json": `{"properties":{"a":5},"not":{"$ref":"#/properties"},"required":{},"if":{"$ref":"#/required"}}`}, []string{
			`s/a.json:1:20: error: "a": expected object or boolean, but got number [graph.meta-schema] at /properties/a | the document is held to the meta-schema of 2020-12`,
			`s/a.json:1:64: error: "required": expected array, but got object [graph.meta-schema] at /required | the document is held to the meta-schema of 2020-12`}},
		{"meta-schema of an embedded draft", files{"s/a.json": `{"$defs":{"o":{"$id":"o",` + d7 + `,"items":[{}],"dependencies":{"a":1}}}}`}, []string{
			`s/a.json:1:111: error: "a": expected object or boolean, but got number, or expected array, but got number [graph.meta-schema] at /$defs/o/dependencies/a | the document is held to the meta-schema of draft-07`}},
		{"unresolved document", files{"s/a.json": `{"$id":"actor_ref.v1.json"}`, "s/b.json": `{"items":{"$ref":"actor_ref.v2.json#/x"}}`}, []string{
			`s/b.json:1:18: error: no document has the id "actor_ref.v2.json" [graph.unresolved-ref] at /items/$ref | did you mean "actor_ref.v1.json", declared at s/a.json:1:8?`}},
		{"unresolved without a guess", files{"s/b.json": `{"$ref":"zzz"}`}, []string{
			`s/b.json:1:9: error: no document has the id "zzz" [graph.unresolved-ref] at /$ref | a reference names a document by its $id or by its path below the schemas folder`}},
		{"unresolved pointer", files{"s/a.json": `{"$defs":{"name":{}},"items":{"$ref":"#/$defs/nme"},"not":{"$ref":"#/$defs/name/x/y"}}`}, []string{
			`s/a.json:1:38: error: "#/$defs/nme" leads nowhere: "a.json#/$defs" has no "nme" [graph.unresolved-ref] at /items/$ref | did you mean "name", declared at s/a.json:1:11?`,
			`s/a.json:1:67: error: "#/$defs/name/x/y" leads nowhere: "a.json#/$defs/name" has no "x" [graph.unresolved-ref] at /not/$ref`}},
		{"unresolved anchor", files{"s/a.json": `{"$defs":{"n":{"$anchor":"name"},"x":{}},"items":{"$ref":"#nmae"},"not":{"$ref":"#$defs/x"},"$dynamicRef":"#no"}`}, []string{
			`s/a.json:1:58: error: "a.json#" has no anchor "nmae" [graph.unresolved-ref] at /items/$ref | did you mean "name", declared at s/a.json:1:26?`,
			`s/a.json:1:81: error: "a.json#" has no anchor "$defs/x" [graph.unresolved-ref] at /not/$ref | a pointer starts with a slash: did you mean "#/$defs/x"?`,
			`s/a.json:1:107: error: "a.json#" has no anchor "no" [graph.unresolved-ref] at /$dynamicRef`}},
		{"a fragment means the embedded resource", files{"s/a.json": `{"$id":"a","$defs":{"d":{},"e":{"$id":"e","$ref":"#/$defs/d"}}}`}, []string{
			`s/a.json:1:50: error: "#/$defs/d" leads nowhere: "a#/$defs/e" has no "$defs" [graph.unresolved-ref] at /$defs/e/$ref | the $id at s/a.json:1:39 makes # mean the schema around it; write "a#/$defs/d"`}},
		{"remote", files{"s/a.json": `{"items":{"$ref":"https://example.com/x.json#/y"}}`}, []string{
			`s/a.json:1:18: error: no document has the id "https://example.com/x.json", and documents are never fetched from the network [graph.remote-ref] at /items/$ref | add the document to the schemas of the contract, with this "$id"`}},
		{"loops", files{
			"s/a.json": `{"$ref":"#"}`,
			"s/b.json": `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"c.json"}]}}}`,
			"s/c.json": `{"not":{"if":{"$ref":"b.json#/$defs/a"}}}`,
			"s/d.json": `{"properties":{"x":{"$ref":"#"}},"anyOf":[{"type":"null"},{"items":{"$ref":"#"}}],"then":{"$ref":"a.json"}}`,
			"s/e.json": `{` + d7 + `,"definitions":{"x":{"$ref":"#/definitions/y","allOf":[{"$ref":"#/definitions/x"}]},"y":{}}}`,
			"s/f.json": `{` + d7 + `,"dependencies":{"x":{"$ref":"#"},"y":["z"]}}`,
			"s/g.json": `{` + d2019 + `,"$recursiveAnchor":true,"oneOf":[{"$recursiveRef":"#"}]}`,
			"s/h.json": `{"$id":"h","allOf":[{"$dynamicRef":"#x"}],"$defs":{"x":{"$dynamicAnchor":"x"}}}`,
			"s/i.json": `{"$id":"i","$dynamicAnchor":"x","$ref":"h"}`,
		}, []string{
			`s/a.json:1:9: error: this schema applies itself to the same value without end: a.json# → a.json# [graph.ref-loop] at /$ref | ` + deeper,
			`s/b.json:1:23: error: this schema applies itself to the same value without end: b.json#/$defs/a → b.json#/$defs/b → b.json#/$defs/b/allOf/0 → c.json# → c.json#/not → c.json#/not/if → b.json#/$defs/a [graph.ref-loop] at /$defs/a/$ref | ` + deeper +
				` | s/b.json:1:40: on the way | s/b.json:1:50: on the way | s/c.json:1:1: on the way | s/c.json:1:8: on the way | s/c.json:1:14: on the way`,
			`s/f.json:1:82: error: this schema applies itself to the same value without end: f.json# → f.json#/dependencies/x → f.json# [graph.ref-loop] at /dependencies/x/$ref | ` + deeper + ` | s/f.json:1:1: on the way`,
			`s/g.json:1:109: error: this schema applies itself to the same value without end: g.json# → g.json#/oneOf/0 → g.json# [graph.ref-loop] at /oneOf/0/$recursiveRef | ` + deeper + ` | s/g.json:1:1: on the way`,
			`s/h.json:1:36: error: this schema applies itself to the same value without end: h# → h#/allOf/0 → i# → h# [graph.ref-loop] at /allOf/0/$dynamicRef | ` + deeper + ` | s/h.json:1:1: on the way | s/i.json:1:1: on the way`}},
		{"duplicate ids", files{"s/a.json": `{"$id":"x"}`, "s/b.json": `{"$id":"./x#"}`, "s/c.json": `{"$defs":{"d":{"$id":"y"},"e":{"$id":"z/../y"}}}`, "s/e.json": `{"$id":"d.json"}`, "s/d.json": `{}`}, []string{
			`s/b.json:1:8: error: the identifier "contract://c/x" is declared twice [graph.duplicate-id] | give one of the schemas another $id | s/a.json:1:8: first declared here`,
			`s/c.json:1:38: error: the identifier "contract://c/y" is declared twice [graph.duplicate-id] | give one of the schemas another $id | s/c.json:1:22: first declared here`,
			`s/e.json:1:8: error: the identifier "contract://c/d.json" is declared twice [graph.duplicate-id] | give one of the schemas another $id | s/d.json:1:1: first declared here`}},
		{"bad ids", files{"s/a.json": `{"$id":"%zz","$defs":{"x":{"$id":"y#z"}}}`}, []string{
			`s/a.json:1:8: error: "%zz" is not a URI reference: invalid URL escape "%zz" [graph.bad-id] at /$id | use a name such as "task.v1.json" or an absolute URL`,
			`s/a.json:1:34: error: the identifier "y#z" has a fragment [graph.bad-id] at /$defs/x/$id | name a place inside a document with "$anchor"`}},
		{"bad references", files{"s/a.json": `{"items":{"$ref":"#/%zz"},"not":{"$ref":"#/~2"},"contains":{"$ref":"#/title"},"title":"t"}`, "s/b.json": `{` + d2019 + `,"not":{"$recursiveRef":"#x"}}`}, []string{
			`s/a.json:1:18: error: "#/%zz" is not a URI reference: invalid URL escape "%zz" [graph.bad-ref] at /items/$ref | a reference looks like "task.json#/properties/name"`,
			`s/a.json:1:41: error: "/~2" is not a JSON Pointer [graph.bad-ref] at /not/$ref | in a pointer, ~ is written ~0 and / is written ~1`,
			`s/a.json:1:68: error: "#/title" leads to a string, not to a schema [graph.bad-ref] at /contains/$ref`,
			`s/b.json:1:82: error: a "$recursiveRef" can only be "#" [graph.bad-ref] at /not/$recursiveRef | use "$ref" to refer to anything else`}},
		{"duplicate anchors", files{"s/a.json": `{"$anchor":"x","$dynamicAnchor":"x","$defs":{"d":{"$anchor":"x"},"e":{"$id":"e","$anchor":"x"}}}`}, []string{
			`s/a.json:1:61: error: the anchor "x" is declared twice in one resource [graph.duplicate-anchor] at /$defs/d/$anchor | rename one of the two | s/a.json:1:12: first declared here`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Resolve("c", load(t, test.files), Options{Dir: "s"})
			if diff := cmp.Diff(test.want, describe(err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProblemsAreCapped(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$defs":{"last":{}`)
	for i := range 3000 {
		fmt.Fprintf(&b, `,"d%d":{"$ref":"#/$defs/missing%d"}`, i, i)
	}
	b.WriteString("}}")
	_, err := Resolve("c", load(t, map[string]string{"a.json": b.String()}), Options{})
	list, _ := errors.AsType[diag.List](err)
	if len(list) != 1001 || !strings.Contains(list.Error(), "2000 further problems") {
		t.Errorf("%d problems", len(list))
	}
}

// TestHugeNumbers holds that numbers with long exponents cost nothing.
func TestHugeNumbers(t *testing.T) {
	start := time.Now()
	_, err := Resolve("c", load(t, map[string]string{
		"a.json": `{"enum":[1e999999999,-1e-999999999],"minimum":1E+99999999999999999999,"multipleOf":1e-999999999}`,
		"b.json": `{"minLength":-1e999999999,"maxLength":1e-999999999,"minItems":1e999999999,"maxItems":120e-1,"multipleOf":-0e999999999}`,
		"c.json": `{"minLength":` + strings.Repeat("9", 100_000) + `}`,
	}), Options{})
	var at []string
	for _, d := range err.(diag.List) {
		at = append(at, d.Pos.File+d.Pointer)
	}
	if diff := cmp.Diff([]string{"b.json/minLength", "b.json/maxLength", "b.json/multipleOf"}, at); diff != "" {
		t.Error(diff, err)
	}
	if took := time.Since(start); took > 50*time.Second {
		t.Errorf("took %v", took)
	}
}
