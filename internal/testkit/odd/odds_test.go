package odd

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// odd is a schema, and a few documents beside the random ones.
type odd struct {
	name, schema   string
	valid, invalid []string
	parsed         map[string]string // what documents are parsed to, defaults filled in
	refused        string            // the code of the diagnostic when it is no contract
	alone          string            // why the other engine's word does not count
	file           string            // its name; "" for schema.json
}

// odds are all cases.
var odds = sync.OnceValue(func() []odd {
	return append(append(append(names(), texts()...), shapes()...), sizes()...)
})

// properties is an object schema with these members, each of the given schema.
func properties(schema string, names ...string) string {
	var members []string
	for _, name := range names {
		members = append(members, quote(name)+":"+schema)
	}
	return `"properties":{` + strings.Join(members, ",") + `}`
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func list(schemas ...string) string { return "[" + strings.Join(schemas, ",") + "]" }

// awkward are names that have a meaning in Go, in JSON or in our emitted code.
var awkward = []string{
	"type", "func", "range", "nil", "true", "string", "int", "error", "any", "len", "append", "init", "main", "_", "String", "GoString", "Error",
	"contract", "dst", "x", "y", "v", "n", "d", "ok", "present", "Optional", "Root", "seen", "data", "json", "Equal", "Is", "Format", "Scan",
}

func names() []odd {
	return []odd{
		{name: "keywords as members", schema: `{"type":"object",` + properties(`{"type":"integer"}`, awkward...) + `,"additionalProperties":false}`},
		{name: "keywords as required members", schema: `{"type":"object",` + properties(`{"type":["integer","null"]}`, awkward...) + `,"required":["type","x","contract","dst","nil"]}`,
			valid: []string{`{"type":1,"x":2,"contract":null,"dst":4,"nil":0}`}},
		{name: "keywords as definitions", schema: `{"type":"object",` + refs(awkward) + `}`},
		{name: "methods as members", schema: `{"type":"object",` + properties(`{"type":"string"}`, "Validate", "MarshalJSON", "AppendJSON", "UnmarshalJSON", "SchemaID", "Extra", "Valid", "IsZero", "Ptr", "Get") + `}`,
			valid: []string{`{"Validate":"a","MarshalJSON":"b","AppendJSON":"c","UnmarshalJSON":"","SchemaID":"d","Extra":"e","other":1}`}},
		{name: "methods as alternatives", schema: `{"oneOf":[` + kinds("Validate", "MarshalJSON", "AppendJSON", "Extra", "type", "1", "-", "é") + `]}`, valid: []string{`{"k":"Validate"}`, `{"k":"-","s":"x"}`}},
		{name: "members that are no words", schema: `{"type":"object",` + properties(`{"type":"boolean"}`, "", " ", "-", "--", "$", "1", "1a", "a b", "é", "日本", "\u2028", "\u0000", "\n", "`", "\"", "\\", "*/", "//", "😀", "a,omitempty", "<&>", "%s", "%") + `}`,
			valid: []string{`{"":true,"\u0000":false,"\u2028":true,"\"":true,"*/":true,"a,omitempty":false}`}},
		{name: "required members that are no words", schema: `{"type":"object",` + properties(`{"type":"boolean"}`, "", " ", "\u2028", "`", "\"", "*/", "😀", "<&>", "%d") + `,"required":["","\u2028","` + "`" + `","\"","*/","%d"]}`,
			valid: []string{`{"":true,"\u2028":true,"` + "`" + `":true,"\"":true,"*/":true,"%d":false}`}},
		{name: "members with one Go name", schema: `{"type":"object",` + properties(`{"type":"string"}`, "a_b", "aB") + `}`},
		{name: "definitions that differ in case", schema: `{"type":"object","properties":{"p":{"$ref":"#/$defs/thing"},"q":{"$ref":"#/$defs/Thing"},"r":{"$ref":"#/$defs/t_hing"},"s":{"$ref":"#/$defs/THING"}},"$defs":{"thing":{"type":"object","properties":{"a":{"type":"string"}}},"Thing":{"type":"object","properties":{"a":{"type":"integer"}}},"t_hing":{"enum":["a"]},"THING":{"enum":["b","B"]}}}`},
		{name: "definitions named as the root", schema: `{"$ref":"#/$defs/Root","$defs":{"Root":{"type":"object","properties":{"a":{"$ref":"#/$defs/root"}}},"root":{"type":["string","null"]}}}`},
		{name: "definitions that are no words", schema: `{"type":"object","properties":{"p":{"$ref":"#/$defs/"},"q":{"$ref":"#/$defs/%20"},"r":{"$ref":"#/$defs/1"},"s":{"$ref":"#/$defs/~0~1"},"t":{"$ref":"#/$defs/%E6%97%A5"}},"$defs":{"":{"type":"object","properties":{"a":true}}," ":{"enum":["x","y"]},"1":{"type":"object","properties":{"b":{"type":"string"}}},"~/":{"enum":["z"]},"日":{"enum":["w"]}}}`},
		{name: "nonsense in x-go-name", schema: `{"type":"object","properties":{"a":{"type":"string","x-go-name":"func"},"b":{"x-go-name":"1 x","type":"string"}}}`, refused: "model.go-name"},
		{name: "x-go-name that is no string", schema: `{"type":"object","properties":{"a":{"type":"string","x-go-name":7}}}`, refused: "model.go-name"},
		{name: "values with one Go name", schema: `{"enum":["a","A","a ","-a","a_",""," ","é","É","1","-1","true","nil","\n","*/","` + "`" + `","\"","\u2028"]}`},
		{name: "values named as methods", schema: `{"type":"object","properties":{"a":{"enum":["Valid","valid","String",""]},"b":{"enum":["x"],"x-go-name":"Kind"}},"required":["a"]}`},
		{name: "type and constant with one name", schema: `{"type":"object","properties":{"colour":{"enum":["red","green"]},"colourRed":{"type":"object","properties":{"a":{"type":"string"}}},"colourGreen":{"enum":["x"]}}}`},
		{name: "alternatives with one name", schema: `{"oneOf":[` + kinds("a", "A", "a-", "_a") + `]}`, valid: []string{`{"k":"_a"}`}},
		{name: "types named as functions", schema: `{"type":"object",` + refs([]string{"checkRoot", "appendRoot", "decodeRoot", "ValidateRoot", "DecodeRoot", "ParseRoot", "Validate", "Decode", "Parse", "SchemaIDs", "init", "fillRoot", "completeRoot", "probeRoot"}) + `}`},
		{name: "types named by methods of others", schema: `{"type":"object","properties":{"decode":{"type":"object","properties":{"root":{"type":"object","properties":{"a":{"type":"string"}}}}},"validate":{"type":"object","properties":{"root":{"enum":["a"]}}}}}`},
		{name: "odd file", file: "-a b_test.json", schema: `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{name: "file of another system", file: "x_windows.json", schema: `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{name: "file named as one of ours", file: "package.json", schema: `{"type":"object","properties":{"a":{"type":"string","pattern":"^a+b"}}}`},
		{name: "file named as another of ours", file: "patterns.json", schema: `{"type":"object","properties":{"a":{"type":"string","pattern":"^a+b"}}}`},
		{name: "file with quotes", file: "*⁄`\"é.json", schema: `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{name: "file with a line break", file: "a\nfunc init() {}.json", schema: `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{name: "file with a long name", file: strings.Repeat("long", 50) + ".json", schema: `{"type":"object","properties":{"a":{"type":"string"}}}`},
	}
}

// refs has a member and a definition of each name.
func refs(names []string) string {
	var members, defs []string
	for i, name := range names {
		members = append(members, quote(name)+`:{"$ref":`+quote("#/$defs/"+name)+`}`)
		switch i % 3 {
		case 0:
			defs = append(defs, quote(name)+`:{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#"}}}`)
		case 1:
			defs = append(defs, quote(name)+`:{"enum":["a","b"]}`)
		default:
			defs = append(defs, quote(name)+`:{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"integer"}}]}`)
		}
	}
	return `"properties":{` + strings.Join(members, ",") + `},"$defs":{` + strings.Join(defs, ",") + `}`
}

// kinds are alternatives that a member k tells apart.
func kinds(values ...string) string {
	var out []string
	for _, v := range values {
		out = append(out, `{"type":"object","properties":{"k":{"const":`+quote(v)+`},"s":{"type":"string"}},"required":["k"]}`)
	}
	return strings.Join(out, ",")
}

func texts() []odd {
	// All stand in one package: a definition each, whose comments and constants they are.
	var members, defs, documents []string
	for i, text := range []string{
		"*/ func init() {} /*", "Code generated by hand. DO NOT EDIT.", "   ", "\n\n", "a\u0000b\u0007", "\u2028\u2029\u0085", "//go:build ignore", "+build ignore", "go:embed x",
		strings.Repeat("word ", 2000), strings.Repeat("x", 20000), "a\r\nb\rc", "\ttab\n\n    code\n", "# heading\n- item\n1. item", "`\"'\\", "[Root] and [T.Method]", "Deprecated: no\n\nDeprecated: yes", "\ufeffmark", "invalid \ufffd",
	} {
		q := quote(text)
		name := fmt.Sprintf("t%d", i)
		members = append(members, quote(name)+`:{"$ref":"#/$defs/`+name+`"}`)
		defs = append(defs, quote(name)+`:{"title":`+q+`,"description":`+q+`,"type":"object","deprecated":true,"properties":{"a":{"title":`+q+`,"description":`+q+`,"enum":["x",`+q+`]},"b":{"description":`+q+`,"deprecated":true,"const":`+q+`},"c":{"description":`+q+`,"default":`+q+`,"type":"string"}},"required":["b"],"$comment":`+q+`,"examples":[`+q+`]}`)
		documents = append(documents, quote(name)+`:{"b":`+q+`,"a":`+q+`}`)
	}
	return []odd{{
		name:   "texts everywhere",
		schema: `{"description":"/* x */ func init() {}","type":"object","properties":{` + strings.Join(members, ",") + `},"$defs":{` + strings.Join(defs, ",") + `}}`,
		valid:  []string{`{` + strings.Join(documents, ",") + `}`},
	}}
}

func shapes() []odd {
	out := []odd{
		{name: "empty", schema: `{}`},
		{name: "true", schema: `true`},
		{name: "false", schema: `false`},
		{name: "members true and false", schema: `{"type":"object","properties":{"a":true,"b":false,"c":{}},"required":["a"],"additionalProperties":true}`},
		{name: "required and false", schema: `{"type":"object","properties":{"a":false},"required":["a"]}`},
		{name: "booleans as applicators", schema: `{"allOf":[true,{}],"anyOf":[false,true],"oneOf":[true,false],"not":false,"if":true,"then":true,"else":false,"propertyNames":true,"contains":true,"items":true,"prefixItems":[true,false],"unevaluatedItems":true,"unevaluatedProperties":true,"dependentSchemas":{"a":true,"b":false},"patternProperties":{"^a":true,"^zz":false}}`},
		{name: "booleans with types", schema: `{"type":["object","array"],"items":false,"additionalProperties":false,"properties":{"a":true},"anyOf":[true,false]}`},
		{name: "const of an object", schema: `{"const":{"a":1,"b":[true,null,1.0]}}`, valid: []string{`{"b":[true,null,1],"a":1.0}`}},
		{name: "const of an array", schema: `{"type":"object","properties":{"a":{"const":[]},"b":{"const":{}}},"required":["a","b"]}`, valid: []string{`{"a":[],"b":{}}`}},
		{name: "const scalars", schema: `{"type":"object","properties":{"a":{"const":null},"b":{"const":1.50},"c":{"const":true},"d":{"const":""},"e":{"const":"\u2028\"\u0000"},"f":{"const":12345678901234567890123},"g":{"const":1e400}},"required":["a","b","c","d","e","f"]}`,
			valid: []string{`{"a":null,"b":1.5,"c":true,"d":"","e":"\u2028\"\u0000","f":12345678901234567890123}`, `{"a":null,"b":1.5e0,"c":true,"d":"","e":"\u2028\"\u0000","f":12345678901234567890123.0}`}},
		{name: "const that its type forbids", schema: `{"type":"object","properties":{"a":{"type":"string","const":1}},"required":["a"]}`},
		{name: "const as root", schema: `{"const":"only"}`},
		{name: "enum of everything", schema: `{"enum":[null,true,1,1.5,"a",[],{},["a"],{"a":1}]}`},
		{name: "enum of one", schema: `{"type":"object","properties":{"a":{"enum":["x"]},"b":{"enum":[1]},"c":{"enum":[null]},"d":{"enum":[null,"y"]}},"required":["a","b","c","d"]}`, valid: []string{`{"a":"x","b":1.0,"c":null,"d":null}`}},
		{name: "enum of numbers", schema: `{"type":"object","properties":{"a":{"type":"integer","enum":[1,2,3]},"b":{"type":"number","enum":[1.5,2]}}}`, valid: []string{`{"a":1.0,"b":2e0}`}},
		{name: "enum that its type narrows", schema: `{"type":"string","enum":["a",1,null,"b"]}`},
		{name: "enum in allOf", schema: `{"allOf":[{"enum":["a","b","c"]},{"enum":["b","c","d"]},{"type":"string"}]}`},
		{name: "empty enum", schema: `{"type":"object","properties":{"a":{"enum":[]}}}`, alone: "it takes an empty enum for none"},
		{name: "defaults of the wrong type", schema: `{"type":"object","properties":{"a":{"type":"string","default":1},"b":{"type":"integer","default":"x"},"c":{"type":"array","items":{"type":"string"},"default":[1]},"d":{"type":"object","properties":{"e":{"type":"string"}},"default":{"e":1}},"f":{"enum":["p"],"default":"q"},"g":{"type":"boolean","default":null},"h":{"type":"integer","default":1.5},"i":{"type":"string","maxLength":1,"default":"long"}}}`},
		{name: "defaults of every type", schema: `{"type":"object","properties":{"a":{"type":"string","default":"\u2028\"` + "`" + `"},"b":{"type":"integer","default":1e2},"c":{"type":"array","items":{"type":"string"},"default":["x"]},"d":{"type":"object","properties":{"e":{"type":"string","default":"deep"}},"default":{}},"f":{"enum":["p"],"default":"p"},"g":{"type":["boolean","null"],"default":null},"h":{"type":"number","default":-0.0},"i":{"default":{"any":[1]}},"j":{"type":"object","additionalProperties":{"type":"integer"},"default":{"a":1}},"k":{"anyOf":[{"type":"string"},{"type":"integer"}],"default":7},"l":{"type":"array","prefixItems":[{"type":"string","default":"t"},{"type":"integer","default":3}],"default":["u"]},"m":{"type":"integer","default":123456789012345678901234567890}}}`,
			valid: []string{`{}`, `{"d":{}}`, `{"l":[]}`}},
		{name: "defaults that only decoding makes", schema: `{"type":"object","properties":{"c":{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string","default":"q"},"c":{}},"required":["c"]}],"default":{"c":1}},"r":{"$ref":"#/$defs/r","default":{"next":{"v":2}}},"s":{"$ref":"#/$defs/l","default":[[],[[]]]}},"$defs":{"r":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/r"},{"type":"null"}],"default":null},"v":{"type":"integer"}}},"l":{"type":"array","items":{"$ref":"#/$defs/l"}}}}`,
			parsed: map[string]string{`{}`: `{"c":{"c":1,"b":"q"},"r":{"next":{"v":2,"next":null}},"s":[[],[[]]]}`}},
		{name: "defaults that completion makes valid", schema: `{"type":"object","properties":{"a":{"type":"string","x-normalize":["trim","lowercase"],"pattern":"^[a-z]+$","default":" Ab "},"b":{"type":"object","minProperties":1,"properties":{"k":{"type":"object","minProperties":2,"properties":{"x":{"default":1},"y":{"default":2},"z":{"enum":[1],"default":3}},"default":{}}},"default":{}},"c":{"type":"array","items":{"type":"string"},"uniqueItems":true,"x-normalize":["set"],"default":["b","a","b"]},"d":{"type":"object","minProperties":1,"properties":{"k":{"type":"integer","default":1.5}},"default":{}},"e":{"enum":["ab"],"x-normalize":["trim"],"default":" ab"}}}`,
			parsed: map[string]string{`{}`: `{"a":"ab","b":{"k":{"x":1,"y":2}},"c":["a","b"]}`}},
		{name: "defaults that references narrow", schema: `{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n","maximum":3},"c":{"$ref":"#/$defs/n","default":"x"},"d":{"allOf":[{"$ref":"#/$defs/n"},{"minimum":9}],"default":8},"e":{"type":"integer","default":1}},"allOf":[{"properties":{"e":{"minimum":2}}},{"properties":{"f":{"type":"integer"}}},{"properties":{"f":{"maximum":3,"default":4}}}],"$defs":{"n":{"type":"integer","default":5}}}`,
			parsed: map[string]string{`{}`: `{"a":5}`}},
		{name: "defaults of required members", schema: `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"const":"k","default":"k"}},"required":["a","b"]}`, valid: []string{`{"a":"","b":"k"}`}},
		{name: "defaults with members that have no field", schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"e":{"type":"string"},"k":{"const":1}},"required":["k"],"default":{"k":1,"e":"x","other":[1.50]}},"b":{"type":"object","properties":{"k":{"const":1}},"required":["k"],"default":{"k":2}},"c":{"type":"object","properties":{"e":{"type":"string"}},"additionalProperties":false,"default":{"f":1}},"d":{"type":"object","properties":{"e":{"type":"string"}},"additionalProperties":{"type":"integer"},"default":{"f":1,"g":2}}}}`,
			parsed: map[string]string{`{}`: `{"a":{"k":1,"e":"x","other":[1.50]},"d":{"f":1,"g":2}}`}},
		{name: "defaults of unions and tuples", schema: `{"type":"object","properties":{"k":{"anyOf":[{"type":"string"},{"type":"integer"}],"default":7},"l":{"type":"array","prefixItems":[{"type":"string","default":"t"},{"type":"integer"}],"default":["u",2]},"m":{"oneOf":[{"type":"object","properties":{"z":{"const":"p"}},"required":["z"]},{"type":"object","properties":{"z":{"const":"q"},"n":{"type":"integer"}},"required":["z"]}],"default":{"z":"q","n":4}},"o":{"type":["string","null"],"default":"x"},"p":{"type":["array","null"],"items":{"type":"integer"},"default":[]}}}`,
			parsed: map[string]string{`{}`: `{"k":7,"l":["u",2],"m":{"z":"q","n":4},"o":"x","p":[]}`}},
		{name: "defaults in alternatives", schema: `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"s":{"type":"string","default":"x"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"},"s":{"type":"object","properties":{"t":{"type":"integer","default":1}}}},"required":["k"]},{"type":"array","items":{"type":"object","properties":{"u":{"type":"integer","default":2}}}},{"type":"null"}],"default":null}`, valid: []string{`{"k":"a"}`, `{"k":"b","s":{}}`, `[{}]`, `null`}},
		{name: "defaults of a root", schema: `{"type":"string","default":"x"}`},
		{name: "defaults in maps and lists", schema: `{"type":"object","additionalProperties":{"type":"array","items":{"type":["object","null"],"properties":{"a":{"type":"string","default":"x"}}}}}`, valid: []string{`{"p":[{},null,{"a":"y"}]}`}},
		{name: "defaults that break the whole", schema: `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"string","default":"y"}},"maxProperties":1,"not":{"required":["a","b"]}}`, valid: []string{`{}`}},
		{name: "defaults in a recursive type", schema: `{"type":"object","properties":{"next":{"$ref":"#","default":{}},"v":{"type":"integer","default":1}}}`, valid: []string{`{}`, `{"next":{"next":{}}}`}},
		{name: "prefixItems with defaults", schema: `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer","default":3},{"type":"boolean","default":true}],"items":{"type":"number"},"minItems":1}`, valid: []string{`["a"]`, `["a",1]`, `["a",1,false,2,3]`}},
		{name: "tuple with more than minItems says", schema: `{"type":"array","prefixItems":[{"type":"string"},true],"minItems":3,"maxItems":4}`, valid: []string{`["a",1,2]`}},
		{name: "tuple without type", schema: `{"prefixItems":[{"type":"string"},{"type":"null"}],"items":false}`},
		{name: "tuple of nothing", schema: `{"type":"array","prefixItems":[false],"items":{"type":"string"}}`},
		{name: "tuple of nulls", schema: `{"type":"array","prefixItems":[{"type":"null"},{"type":["null","string"]},{"const":null},{}],"minItems":2}`, valid: []string{`[null,null]`, `[null,"a",null,null]`}},
		{name: "recursion through a union", schema: `{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}},{"type":"object","additionalProperties":{"$ref":"#"}}]}`, valid: []string{`[["a",{"b":["c"]}]]`}},
		{name: "recursion through a struct union", schema: `{"oneOf":[{"type":"object","properties":{"k":{"const":"leaf"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"node"},"l":{"$ref":"#"},"r":{"$ref":"#"}},"required":["k","l","r"]}]}`, valid: []string{`{"k":"node","l":{"k":"leaf"},"r":{"k":"leaf"}}`}},
		{name: "recursion through a tuple", schema: `{"type":"array","prefixItems":[{"type":"string"},{"$ref":"#"}]}`, valid: []string{`["a",["b",["c"]]]`}},
		{name: "recursion through a required tuple", schema: `{"type":["array","null"],"prefixItems":[{"$ref":"#"},{"$ref":"#"}],"minItems":2}`, valid: []string{`[null,[null,null]]`}},
		{name: "recursion through required members", schema: `{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`},
		{name: "recursion through nullable required members", schema: `{"type":["object","null"],"properties":{"a":{"$ref":"#"}},"required":["a"]}`, valid: []string{`{"a":{"a":null}}`}},
		{name: "recursion through a map", schema: `{"type":"object","additionalProperties":{"$ref":"#"}}`, valid: []string{`{"a":{"b":{}}}`}},
		{name: "recursion through a list", schema: `{"type":"array","items":{"$ref":"#"}}`, valid: []string{`[[],[[]]]`}},
		{name: "recursion through allOf", schema: `{"$ref":"#/$defs/b","$defs":{"a":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/b"}},"one":{"$ref":"#/$defs/b"}}},"b":{"allOf":[{"$ref":"#/$defs/a"},{"properties":{"c":{"$ref":"#/$defs/a"}}}]}}}`, valid: []string{`{"one":{"c":{}},"kids":[{"kids":[]}]}`}},
		{name: "recursion of three", schema: `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}},"required":["b"]},"b":{"anyOf":[{"$ref":"#/$defs/c"},{"type":"null"}]},"c":{"type":"array","items":{"$ref":"#/$defs/a"}}}}`, valid: []string{`{"b":[{"b":null}]}`}},
		{name: "allOf with types that cannot meet", schema: `{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"type":"integer"}]}}}`},
		{name: "allOf with members of other types", schema: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"a":{"type":["string","integer"],"maxLength":3}},"required":["a"]}]}`},
		{name: "allOf with members that cannot meet", schema: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"properties":{"a":{"type":"integer"}}}]}`},
		{name: "allOf of integer and number", schema: `{"type":"object","properties":{"a":{"allOf":[{"type":"number"},{"type":"integer"}]},"b":{"type":"number","allOf":[{"multipleOf":0.1}]}}}`},
		{name: "allOf of closed parts", schema: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false},{"properties":{"b":{"type":"string"}}}]}`},
		{name: "allOf with open parts of types", schema: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}},{"type":"object","properties":{"b":true},"additionalProperties":{"type":["integer","string"]}}]}`, valid: []string{`{"a":"x","b":1,"zz":2}`}},
		{name: "allOf of one reference with siblings", schema: `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/s"}],"description":"d","default":"x"},"b":{"$ref":"#/$defs/s","maxLength":1}},"$defs":{"s":{"type":"string","minLength":1}}}`},
		{name: "allOf of unions", schema: `{"allOf":[{"anyOf":[{"type":"string"},{"type":"integer"}]},{"anyOf":[{"type":"integer"},{"type":"boolean"}]}]}`},
		{name: "allOf with an enum and a const", schema: `{"type":"object","allOf":[{"properties":{"k":{"enum":["a","b"]}}},{"properties":{"k":{"const":"a"}},"required":["k"]}]}`, valid: []string{`{"k":"a"}`}},
		{name: "members beside oneOf", schema: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"oneOf":[{"properties":{"b":{"type":"integer"}},"required":["b"]},{"properties":{"c":{"type":"boolean"}},"required":["c"]}]}`, valid: []string{`{"a":"","b":1}`}},
		{name: "members beside oneOf, closed", schema: `{"type":"object","properties":{"a":{"type":"string"},"b":{},"c":{}},"additionalProperties":false,"oneOf":[{"required":["b"]},{"required":["c"]}]}`},
		{name: "union of closed objects", schema: `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false},{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}]}`, valid: []string{`{"a":"x"}`, `{"b":1}`, `{}`}},
		{name: "union of open objects", schema: `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}`, valid: []string{`{"a":1,"b":1}`, `{"a":"x","b":"y"}`}},
		{name: "union of lists", schema: `{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"integer"}}]}`, valid: []string{`[]`, `["a"]`, `[1]`}},
		{name: "union of numbers", schema: `{"oneOf":[{"type":"integer"},{"type":"number","minimum":10}]}`, valid: []string{`1`, `1.0`, `10.5`}, invalid: []string{`10`, `1.5`}},
		{name: "union of integer and number", schema: `{"type":["integer","number","string"]}`},
		{name: "union of nulls", schema: `{"anyOf":[{"type":"null"},{"type":["null","string"]},{"const":null}]}`},
		{name: "union of one", schema: `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]},"b":{"oneOf":[{"$ref":"#"}]},"c":{"oneOf":[{"type":"null"}]}}}`},
		{name: "union of unions", schema: `{"oneOf":[{"oneOf":[{"type":"string"},{"type":"integer"}]},{"anyOf":[{"type":"boolean"},{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"null"}]}}]}]}`},
		{name: "union of enums", schema: `{"anyOf":[{"enum":["a","b"]},{"enum":["b","c"]},{"type":"integer"}]}`},
		{name: "union of overlapping enums", schema: `{"oneOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}`, valid: []string{`"a"`, `"c"`}, invalid: []string{`"b"`}},
		{name: "union of enum and any string", schema: `{"anyOf":[{"enum":["a","b"]},{"type":"string"}]}`},
		{name: "union told by optional members", schema: `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","properties":{"k":{"const":"b"}}}]}`, valid: []string{`{"k":"a"}`}, invalid: []string{`{}`}},
		{name: "union told by numbers", schema: `{"oneOf":[{"type":"object","properties":{"k":{"const":1}},"required":["k"]},{"type":"object","properties":{"k":{"const":2}},"required":["k"]},{"type":"object","properties":{"k":{"const":true}},"required":["k"]}]}`, valid: []string{`{"k":1.0}`, `{"k":true}`}},
		{name: "union told by enums", schema: `{"oneOf":[{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"]},{"type":"object","properties":{"k":{"enum":["c","d"]},"s":{"type":"string"}},"required":["k"]}]}`, valid: []string{`{"k":"b"}`, `{"k":"d"}`}},
		{name: "union with equal alternatives", schema: `{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"type":"string"},"b":{"$ref":"#/$defs/a"}}}`},
		{name: "oneOf with equal alternatives", schema: `{"oneOf":[{"type":"string"},{"type":"string"},{"type":"integer"}]}`},
		{name: "union of recursive alternatives in an object", schema: `{"type":"object","properties":{"e":{"oneOf":[{"type":"object","properties":{"k":{"const":"not"},"of":{"$ref":"#/properties/e"}},"required":["k","of"]},{"type":"object","properties":{"k":{"const":"and"},"all":{"type":"array","items":{"$ref":"#/properties/e"}}},"required":["k","all"]},{"type":"string"}]}}}`, valid: []string{`{"e":{"k":"not","of":{"k":"and","all":["x",{"k":"not","of":""}]}}}`}},
		{name: "anyOf and oneOf together", schema: `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"oneOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`},
		{name: "nullable everything", schema: `{"type":["object","null"],"properties":{"a":{"type":["object","null"],"properties":{"b":{"type":["array","null"],"items":{"type":["string","null"]}}},"additionalProperties":{"type":["integer","null"]}},"c":{"anyOf":[{"$ref":"#"},{"type":"null"}]},"d":{"enum":["x",null]},"e":{"type":["array","null"],"prefixItems":[{"type":["number","null"]}]},"f":{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]},"g":{"type":"null"}},"required":["a","d","g"]}`,
			valid: []string{`null`, `{"a":null,"d":null,"g":null}`, `{"a":{"b":[null,"x"],"q":null},"c":null,"d":"x","e":[null],"f":null,"g":null}`}},
		{name: "nullable twice", schema: `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]},"b":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":["string","null"]}},"required":["a"]}`, valid: []string{`{"a":null,"b":null}`}},
		{name: "nullable by reference", schema: `{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"oneOf":[{"type":"null"},{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}}}]}}}`, valid: []string{`[null,{"x":null}]`}},
		{name: "null member", schema: `{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}},"required":["a"]}`, valid: []string{`{"a":null}`, `{"a":null,"b":null}`}},
		{name: "required of undeclared names", schema: `{"type":"object","required":["a","zz","Extra","é","\""],"properties":{"a":{"type":"string"}}}`, valid: []string{`{"a":"","zz":1,"Extra":null,"é":[],"\"":{}}`}},
		{name: "required of undeclared names, closed", schema: `{"type":"object","required":["zz"],"properties":{"a":{"type":"string"}},"additionalProperties":false}`},
		{name: "required without type", schema: `{"required":["a"]}`},
		{name: "properties without type", schema: `{"properties":{"a":{"type":"string"}},"required":["a"]}`},
		{name: "items without type", schema: `{"items":{"type":"string"}}`},
		{name: "properties and items without type", schema: `{"properties":{"a":{"type":"string"}},"items":{"type":"string"},"minLength":2,"minimum":3}`},
		{name: "keywords of another type", schema: `{"type":"string","properties":{"a":{"type":"string"}},"items":false,"minimum":3}`},
		{name: "patternProperties and properties", schema: `{"type":"object","properties":{"ab":{"type":"integer"}},"patternProperties":{"^a":{"type":["integer","string"]},"b$":{"type":"integer","minimum":1}},"additionalProperties":{"type":"boolean"}}`, valid: []string{`{"ab":1,"a":"x","b":2,"zz":true}`}},
		{name: "patternProperties of one type", schema: `{"type":"object","patternProperties":{"^a":{"type":"string"},"^b":{"type":"string"}},"additionalProperties":false}`, valid: []string{`{"a":"x","b":""}`}},
		{name: "patternProperties and required", schema: `{"type":"object","patternProperties":{"":{"type":"string"}},"required":["a"],"minProperties":2}`},
		{name: "patternProperties with two types", schema: `{"type":"object","patternProperties":{"^a":{"type":"string"},"^b":{"type":"integer"}},"additionalProperties":{"type":"null"},"properties":{"Extra":{"type":"null"}}}`, valid: []string{`{"a":"x","b":1,"q":null,"Extra":null}`}},
		{name: "propertyNames", schema: `{"type":"object","propertyNames":{"enum":["a","b","Extra"]},"additionalProperties":{"type":"integer"}}`},
		{name: "unevaluated members of a union", schema: `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"properties":{"b":{"type":"string"}},"required":["b"]},{"properties":{"c":true},"required":["c"]}],"unevaluatedProperties":{"type":"integer"}}`, valid: []string{`{"a":"x","b":"y","zz":1}`}},
		{name: "unevaluated items", schema: `{"type":"array","prefixItems":[{"type":"string"}],"contains":{"type":"integer"},"unevaluatedItems":{"type":"boolean"}}`, valid: []string{`["a",1,true]`}},
		{name: "contains with limits", schema: `{"type":"array","contains":{"type":"integer"},"minContains":0,"maxContains":1,"uniqueItems":true}`},
		{name: "limits that nothing meets", schema: `{"type":"object","properties":{"a":{"type":"string","minLength":3,"maxLength":2},"b":{"type":"integer","minimum":1,"maximum":0},"c":{"type":"array","minItems":2,"maxItems":1}}}`},
		{name: "limits written oddly", schema: `{"type":"object","properties":{"a":{"type":"string","minLength":1.0,"maxLength":2e0},"b":{"type":"integer","minimum":-0.0,"multipleOf":1e-400},"c":{"type":"number","maximum":1e400,"exclusiveMinimum":-1E+2}},"maxProperties":99999999999999999999999999}`, alone: "it reads counts as machine words"},
		{name: "types twice over", schema: `{"type":["string"],"anyOf":[{"type":["string","null"]},{"type":["integer"]}]}`},
		{name: "all types", schema: `{"type":["null","boolean","integer","number","string","array","object"],"properties":{"a":{"type":"string"}},"items":{"type":"integer"}}`},
		{name: "if then else with members", schema: `{"type":"object","properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"properties":{"a":{"type":"string"}},"required":["a"]},"else":{"properties":{"a":{"type":"integer"}}}}`, valid: []string{`{"k":"a","a":"x"}`, `{"a":1}`}},
		{name: "not with a type", schema: `{"type":"object","properties":{"a":{"not":{"type":"null"}},"b":{"type":"string","not":{"const":"x"}}}}`},
		{name: "formats", schema: `{"type":"object","properties":{"a":{"type":"string","format":"date-time"},"b":{"format":"email"},"c":{"type":"integer","format":"int32"},"d":{"type":"string","format":"no such format"},"e":{"type":"string","contentEncoding":"base64","contentMediaType":"application/json","contentSchema":false}}}`, alone: "it asserts formats"},
		{name: "patterns", schema: `{"type":"object","properties":{"a":{"type":"string","pattern":"^(a|b)*?\\x61[^\\]\\\\]$"},"b":{"type":"string","pattern":""},"c":{"type":"string","pattern":"` + "`" + `*/\\n\""}}}`, valid: []string{`{"a":"abax","b":""}`}},
		{name: "anchors", schema: `{"type":"object","properties":{"a":{"$ref":"#x"},"b":{"$dynamicRef":"#y"}},"$defs":{"p":{"$anchor":"x","type":"string"},"q":{"$dynamicAnchor":"y","type":["integer","null"]}}}`},
		{name: "references into keywords", schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}},"c":{"$ref":"#/properties/a/properties/b"},"d":{"$ref":"#/properties/a"},"e":{"type":"array","items":{"$ref":"#/properties/e"}}}}`},
		{name: "embedded resources", schema: `{"$id":"http://odd.test/schema.json","type":"object","properties":{"a":{"$ref":"other.json"},"b":{"$ref":"other.json#/$defs/c"}},"$defs":{"o":{"$id":"other.json","type":"object","properties":{"x":{"$ref":"#/$defs/c"}},"$defs":{"c":{"enum":["p","q"]}}}}}`},
		{name: "root is a reference", schema: `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"object","properties":{"x":{"$ref":"#/$defs/a"}}}}}`},
		{name: "root is an array", schema: `{"type":"array","items":{"type":"object","properties":{"a":{"type":"array","items":{"type":"array","items":{"enum":["x","y"]}}}}}}`, valid: []string{`[{"a":[["x"],[]]}]`}},
		{name: "root is a map of maps", schema: `{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":["array","null"],"items":{"type":"integer"}}}}`, valid: []string{`{"a":{"b":[1],"c":null},"":{}}`}},
		{name: "map of values and one member", schema: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}}`, valid: []string{`{"a":"x","q":{"b":1}}`}},
		{name: "map whose values are optional things", schema: `{"type":"object","additionalProperties":{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}]}}`, valid: []string{`{"a":"x","b":{"a":"y"}}`}},
		{name: "lists of unions", schema: `{"type":"array","items":{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"object","properties":{"a":{"type":"string"}}},{"type":"null"}]}}`, valid: []string{`["a",1,{"a":""},null]`}},
		{name: "integers of every spelling", schema: `{"type":"object","properties":{"a":{"type":"integer","minimum":-5,"maximum":1e20}},"additionalProperties":{"type":"integer"}}`, valid: []string{`{"a":-0,"b":1E2,"c":-0.0,"d":1.0e1,"e":123456789012345678901234567890,"f":10e-1}`}, invalid: []string{`{"a":1e-1}`, `{"b":12e-1}`}},
		{name: "dependent keywords", schema: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"],"zz":["Extra"]},"dependentSchemas":{"b":{"properties":{"zz":{"type":"integer"}}}}}`},
		{name: "a closed object without members", schema: `{"type":"object","additionalProperties":false}`},
		{name: "an object of closed nothing", schema: `{"type":"object","properties":{"a":{"type":"object","additionalProperties":false},"b":{"type":"object","properties":{}},"c":{"type":"array","items":false},"d":{"type":"array","maxItems":0}}}`, valid: []string{`{"a":{},"b":{"q":1},"c":[],"d":[]}`}},
		{name: "const members only", schema: `{"type":"object","properties":{"a":{"const":1},"b":{"const":"x"}},"required":["a","b"],"additionalProperties":false}`, valid: []string{`{"a":1,"b":"x"}`, `{"a":1.0,"b":"x"}`, `{"b":"x","a":1e0}`}},
		{name: "const members that are optional", schema: `{"type":"object","properties":{"a":{"const":1},"b":{"const":"x"},"c":{"const":null}},"additionalProperties":false}`, valid: []string{`{"c":null}`, `{}`}},
		{name: "vocabulary of comments", schema: `{"$comment":"*/","type":"object","properties":{"$ref":{"type":"string"},"$id":{"type":"string"},"enum":{"type":"string"},"properties":{"type":"object","properties":{"properties":{"type":"string"}}}}}`, valid: []string{`{"$ref":"#","$id":"x","properties":{"properties":""}}`}},
	}
	return out
}

// longDefault is a list of 10,000 values.
func longDefault(of string) string {
	var items []string
	for i := range 10_000 {
		items = append(items, fmt.Sprintf(of, i))
	}
	return list(items...)
}

func sizes() []odd {
	var enum, many, tuple, union, deep []string
	for i := range 10_000 {
		enum = append(enum, fmt.Sprintf(`"value-%d"`, i))
	}
	for i := range 800 {
		many = append(many, fmt.Sprintf(`"member-%d":{"type":"string"}`, i))
	}
	for i := range 300 {
		tuple = append(tuple, `{"type":"integer"}`)
		union = append(union, fmt.Sprintf(`{"type":"object","properties":{"k":{"const":"kind-%d"},"v%d":{"type":"string"}},"required":["k"]}`, i, i))
	}
	required := func(n int) odd {
		var names, members, document []string
		for i := range n {
			names = append(names, fmt.Sprintf(`"m%d"`, i))
			members = append(members, fmt.Sprintf(`"m%d":{"type":"integer"}`, i))
			document = append(document, fmt.Sprintf(`"m%d":%d`, i, i))
		}
		whole := `{` + strings.Join(document, ",") + `}`
		o := odd{name: fmt.Sprintf("%d required members", n), schema: `{"type":"object","properties":{` + strings.Join(members, ",") + `},"required":[` + strings.Join(names, ",") + `]}`, valid: []string{whole}}
		for i := range n {
			o.invalid = append(o.invalid, strings.Replace(whole, fmt.Sprintf(`"m%d":`, i), fmt.Sprintf(`"n%d":`, i), 1))
		}
		return o
	}
	for range 60 {
		deep = append(deep, `{"type":"object","properties":{"c":`)
	}
	return []odd{
		{name: "a default of many values", schema: `{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"s":{"type":"string","default":"x"}}},"default":` + longDefault(`{"a":%d}`) + `}}}`,
			parsed: map[string]string{`{}`: `{"l":` + longDefault(`{"a":%d,"s":"x"}`) + `}`}}, // as an expression it would be compiled for minutes
		{name: "10,000 values", schema: `{"enum":[` + strings.Join(enum, ",") + `]}`, valid: []string{`"value-9999"`, `"value-0"`}, invalid: []string{`"value-10000"`, `""`, `3`, `"value-"`}},
		{name: "800 members", schema: `{"type":"object","properties":{` + strings.Join(many, ",") + `},"additionalProperties":false}`, valid: []string{`{"member-0":"","member-799":"x"}`}, invalid: []string{`{"member-800":""}`}},
		{name: "300 positions", schema: `{"type":"array","prefixItems":` + list(tuple...) + `}`, valid: []string{`[1,2,3]`}},
		{name: "300 alternatives", schema: `{"oneOf":` + list(union...) + `}`, valid: []string{`{"k":"kind-299","v299":""}`}, invalid: []string{`{"k":"kind-300"}`, `{"k":"kind-1","v1":1}`}},
		required(64), required(65), required(128), required(129),
		{name: "60 levels", schema: strings.Join(deep, "") + `{"type":"string"}` + strings.Repeat(`}}`, 60), valid: []string{strings.Repeat(`{"c":`, 60) + `"x"` + strings.Repeat(`}`, 60)}, invalid: []string{strings.Repeat(`{"c":`, 60) + `1` + strings.Repeat(`}`, 60)}},
		{name: "a huge pattern", schema: `{"type":"string","pattern":"^(` + strings.Repeat("abc|", 2000) + `x{1,200})$"}`, valid: []string{`"xx"`, `"abc"`}},
		{name: "a long const", schema: `{"const":"` + strings.Repeat("long ", 20000) + `"}`},
	}
}
