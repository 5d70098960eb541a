package jsts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
)

// ladder is a schema of n definitions, each written by rung with a reference to the
// next, twice; the last is end.
func ladder(n int, rung, end, rest string) string {
	var defs []string
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"L%d":%s`, i, strings.ReplaceAll(rung, "NEXT", fmt.Sprintf(`{"$ref":"#/$defs/L%d"}`, i+1))))
	}
	defs = append(defs, fmt.Sprintf(`"L%d":%s`, n, end))
	return `{"$ref":"#/$defs/L0",` + rest + `"$defs":{` + strings.Join(defs, ",") + `}}`
}

// nest puts core into depth layers of open and shut.
func nest(depth int, open, core, shut string) string {
	return strings.Repeat(open, depth) + core + strings.Repeat(shut, depth)
}

// TestHostile holds that schemas in which ways to the same value meet again and
// again cost no more than their size times the document's: done naively, each of
// these takes two to the power of its depth.
func TestHostile(t *testing.T) {
	const rungs, depth = 30, 900
	object := func(core string) string { return nest(depth, `{"c":`, core, `}`) }
	array := func(core string) string { return nest(depth, `[`, core, `]`) }
	cases := []struct{ name, schema, valid, invalid string }{
		{"anyOf ladder", ladder(rungs, `{"anyOf":[{"allOf":[NEXT],"minLength":3},NEXT]}`, `{"type":"string"}`, ""), `"a"`, `1`},
		{"oneOf ladder", ladder(rungs, `{"oneOf":[{"allOf":[NEXT],"minLength":3},{"allOf":[NEXT],"maxLength":2}]}`, `{"type":"string"}`, ""), `"a"`, `1`},
		{"allOf ladder", ladder(rungs, `{"allOf":[NEXT,NEXT]}`, `{"type":"string"}`, ""), `"a"`, `1`},
		{"not ladder", ladder(rungs, `{"allOf":[{"not":{"not":NEXT}},{"not":{"not":NEXT}}]}`, `{"type":"string"}`, ""), `"a"`, `1`},
		{"if ladder", ladder(rungs, `{"if":NEXT,"then":NEXT,"else":NEXT}`, `{"type":"string"}`, ""), `"a"`, `1`},
		{"property ladder", ladder(rungs, `{"allOf":[{"properties":{"c":NEXT}},{"additionalProperties":NEXT}]}`, `{"type":"string"}`, ""),
			nest(rungs, `{"c":`, `"a"`, `}`), nest(rungs, `{"c":`, `1`, `}`)},
		{"dependentSchemas ladder", ladder(rungs, `{"dependentSchemas":{"c":NEXT,"d":NEXT}}`, `{"properties":{"c":{"type":"string"}}}`, ""), `{"c":"a","d":1}`, `{"c":1,"d":1}`},
		{"marks ladder", ladder(rungs, `{"allOf":[NEXT,NEXT]}`, `{"properties":{"c":true}}`, `"unevaluatedProperties":false,`), `{"c":1}`, `{"d":1}`},
		{"marks ladder through anyOf", ladder(rungs, `{"anyOf":[NEXT,{"allOf":[NEXT]}]}`, `{"properties":{"c":{"type":"number"}}}`, `"unevaluatedProperties":false,`), `{"c":1}`, `{"d":1}`},
		{"recursive allOf", `{"allOf":[{"properties":{"c":{"$ref":"#"}}},{"additionalProperties":{"$ref":"#"}}],"type":["object","string"]}`, object(`"a"`), object(`1`)},
		{"recursive patterns", `{"patternProperties":{"^c":{"$ref":"#"},"c$":{"$ref":"#"}},"type":["object","string"]}`, object(`"a"`), object(`1`)},
		{"recursive anyOf", `{"anyOf":[{"properties":{"c":{"$ref":"#"}},"required":["d"]},{"properties":{"c":{"$ref":"#"}},"required":["c"]},{"type":"string"}]}`, object(`"a"`), object(`{}`)},
		{"recursive oneOf", `{"oneOf":[{"type":"object","properties":{"c":{"$ref":"#"}},"maxProperties":1},{"type":"object","properties":{"c":{"$ref":"#"}},"minProperties":2},{"type":"string"}]}`, object(`"a"`), object(`1`)},
		{"recursive not", `{"not":{"anyOf":[{"type":"object","properties":{"c":{"not":{"$ref":"#"}}},"required":["c"]},{"type":"number"}]}}`, object(`"a"`), object(`1`)},
		{"recursive if", `{"if":{"properties":{"c":{"$ref":"#"}}},"then":{"properties":{"c":{"$ref":"#"}},"type":["object","string"]},"else":{"properties":{"c":{"$ref":"#"}},"type":["object","string"]}}`, object(`"a"`), object(`1`)},
		{"recursive dependentSchemas", `{"dependentSchemas":{"c":{"properties":{"c":{"$ref":"#"}}}},"properties":{"c":{"$ref":"#"}},"type":["object","string"]}`, object(`"a"`), object(`1`)},
		{"recursive contains", `{"items":{"$ref":"#"},"contains":{"$ref":"#"},"type":["array","string"]}`, array(`"a"`), array(`1`)},
		{"recursive unevaluatedProperties", `{"anyOf":[{"properties":{"c":{"$ref":"#"}}},{"properties":{"d":{"$ref":"#"}}}],"unevaluatedProperties":{"$ref":"#"},"type":["object","string"]}`, object(`"a"`), object(`1`)},
		{"recursive unevaluatedProperties twice", `{"allOf":[{"unevaluatedProperties":{"$ref":"#"}},{"unevaluatedProperties":{"$ref":"#"}}],"type":["object","string"]}`, object(`"a"`), object(`1`)},
		{"recursive unevaluatedItems", `{"anyOf":[{"prefixItems":[{"$ref":"#"}]},{"contains":{"$ref":"#"}}],"unevaluatedItems":{"$ref":"#"},"type":["array","string"]}`, array(`"a"`), array(`1`)},
		{"recursive dynamicRef", `{"$dynamicAnchor":"x","allOf":[{"properties":{"c":{"$dynamicRef":"#x"}}},{"additionalProperties":{"$dynamicRef":"#x"}}],"type":["object","string"]}`, object(`"a"`), object(`1`)},
		{"deep", `{"type":["object","string"],"properties":{"c":{"$ref":"#"}}}`, object(`"a"`), nest(1001, `{"c":`, `"a"`, `}`)},
		{"very deep", `{"items":{"$ref":"#"}}`, array(`1`), nest(1_000_000, `[`, `1`, `]`)},
		{"unclosed", `{"items":{"$ref":"#"}}`, array(`1`), strings.Repeat(`[`, 1_000_000)},
	}
	p := begin(t)
	p.patience = 200 * time.Second
	var asks []ask
	for _, c := range cases {
		g := &Group{File: c.name, Schema: json.RawMessage(c.schema)}
		files, m, err := generate(g, graph.Draft2020, "", runtimePath)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		folder, err := p.add(files)
		if err != nil {
			t.Fatal(err)
		}
		in, err := interp.New(m)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for text, want := range map[string]bool{c.valid: true, c.invalid: false} {
			if issues := in.Validate(rootOf(m), []byte(text)); (len(issues) == 0) != want {
				t.Errorf("%s, interpreted: %.300v", c.name, issues)
			}
		}
		if d := time.Since(start); d > 40*time.Second {
			t.Errorf("%s, interpreted: %v", c.name, d)
		}
		asks = append(asks, ask{folder, c.valid}, ask{folder, c.invalid})
	}
	verdicts, err := p.run(asks)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range verdicts {
		c := cases[i/2]
		if v.Crash != "" || v.Valid != (i%2 == 0) {
			t.Errorf("%s: valid is %v %.200s %.500s", c.name, v.Valid, v.Error, v.Crash)
		}
		if v.Valid && !equal([]byte(c.valid), []byte(v.Output)) {
			t.Errorf("%s: the value comes back as %.200s", c.name, v.Output)
		}
		if v.Seconds > 2 {
			t.Errorf("%s: %.1f seconds for a document of %d bytes", c.name, v.Seconds, len(asks[i].Data))
		}
		if testing.Verbose() {
			t.Logf("%-40s valid %-5v %6.2f ms", c.name, v.Valid, 1000*v.Seconds)
		}
	}
}
