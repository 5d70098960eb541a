package shape

import (
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	tests := []struct{ schema, yes, no string }{
		{``, `{} | {"a":1}`, `[] | 1 | null | {"a":1,"a":2} | {`},
		{`{}`, `{}`, `{"a":1} | []`},
		{`{"additionalProperties":true}`, `{} | {"a":1}`, `1`},
		{`{"additionalProperties":{}}`, `{}`, `{"a":1}`},
		{`{"properties":{"a":{"type":"string","minLength":1,"maxLength":2,"pattern":"^b"}},"required":["a"]}`, `{"a":"b"} | {"a":"bé"}`, `{} | {"a":""} | {"a":"bcd"} | {"a":"c"} | {"a":1} | {"a":"b","c":1}`},
		{`{"properties":{"a":{"type":"integer","minimum":1,"exclusiveMaximum":3}}}`, `{"a":1} | {"a":2.0} | {"a":1e0} | {}`, `{"a":0} | {"a":3} | {"a":1.5} | {"a":"1"} | {"a":null}`},
		{`{"properties":{"a":{"type":"number","exclusiveMinimum":0,"maximum":0.1}}}`, `{"a":0.1} | {"a":1e-400}`, `{"a":0} | {"a":0.10000000000000000001} | {"a":true}`},
		{`{"properties":{"a":{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":2}}}`, `{"a":[true]}`, `{"a":[]} | {"a":[true,true,true]} | {"a":[1]} | {"a":{}}`},
		{`{"properties":{"a":{"const":1.0},"b":{"enum":["x",null,[1]]}}}`, `{"a":1} | {"b":null} | {"b":[1.0]}`, `{"a":2} | {"b":"y"} | {"a":"1"}`},
		{`{"properties":{"a":{"type":"string","enum":["x"]}}}`, `{"a":"x"}`, `{"a":"y"}`},
		{`{"properties":{"a":{"properties":{"b":{"type":"boolean"}},"type":"object"}}}`, `{"a":{"b":true}}`, `{"a":{"b":1}} | {"a":{"c":true}}`},
	}
	for _, test := range tests {
		s, err := Compile([]byte(test.schema))
		if err != nil {
			t.Errorf("%s: %v", test.schema, err)
			continue
		}
		for want, list := range map[bool]string{true: test.yes, false: test.no} {
			for text := range strings.SplitSeq(list, " | ") {
				if err := s.Validate([]byte(text)); (err == nil) != want {
					t.Errorf("%s takes %s: %v", test.schema, text, err)
				}
			}
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 13) + `{"type":"string"}` + strings.Repeat("}}", 13)
	for _, text := range []string{`[]`, `true`, `{`, `{"type":"array","items":{"type":"string"}}`, `{"type":["object"]}`, `{"type":"null"}`, `{"allOf":[]}`, `{"$ref":"#"}`,
		`{"properties":{"a":{}}}`, `{"properties":{"a":{"type":"null"}}}`, `{"properties":{"a":true}}`, `{"properties":{"a":{"type":"array"}}}`, `{"properties":{"a":{"type":"string","minimum":1}}}`,
		`{"properties":{"a":{"type":"string","pattern":"("}}}`, `{"properties":{"a":{"type":"string","minLength":-1}}}`, `{"properties":{"a":{"type":"string","minLength":1.5}}}`,
		`{"properties":{"a":{"enum":[]}}}`, `{"properties":{"a":{"const":1,"enum":[2]}}}`, `{"properties":{"a":{"type":"number","minimum":"1"}}}`, `{"required":"a"}`, `{"required":[1]}`, `{"properties":[]}`, deep} {
		if _, err := Compile([]byte(text)); err == nil {
			t.Errorf("%s is compiled", text)
		}
	}
}
