package jsts

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/graph"
)

// TestHostileGeneration holds that generating is as patient as what it generates.
func TestHostileGeneration(t *testing.T) {
	const rungs = 40
	kind := `{"type":"object","properties":{"k":{"const":"a"},"v":{"type":"string","default":"x"}},"required":["k"]}`
	other := `{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}`
	for name, schema := range map[string]string{
		"allOf":                 ladder(rungs, `{"allOf":[NEXT,NEXT]}`, kind, ""),
		"allOf with types":      ladder(rungs, `{"type":"object","properties":{"p":{"type":"string"}},"allOf":[NEXT,NEXT]}`, kind, ""),
		"allOf in oneOf":        ladder(rungs, `{"allOf":[NEXT,NEXT]}`, kind, `"oneOf":[{"$ref":"#/$defs/L0"},`+other+`],`),
		"allOf in oneOf, typed": ladder(rungs, `{"type":"object","allOf":[NEXT,NEXT]}`, kind, `"oneOf":[{"$ref":"#/$defs/L0"},`+other+`],`),
		"anyOf":                 ladder(rungs, `{"anyOf":[NEXT,NEXT]}`, kind, ""),
		"oneOf":                 ladder(rungs, `{"oneOf":[NEXT,{"allOf":[NEXT]}]}`, kind, ""),
		"oneOf of strings":      ladder(rungs, `{"oneOf":[NEXT,{"anyOf":[NEXT]}]}`, `{"const":"a"}`, ""),
		"nullable":              ladder(rungs, `{"anyOf":[{"type":"null"},NEXT,NEXT]}`, `{"type":"string"}`, ""),
		"properties":            ladder(rungs, `{"type":"object","properties":{"a":NEXT,"b":NEXT}}`, kind, ""),
		"properties and allOf":  ladder(rungs, `{"type":"object","properties":{"a":NEXT},"allOf":[{"properties":{"a":NEXT}}]}`, kind, ""),
		"items":                 ladder(rungs, `{"type":"array","prefixItems":[NEXT,NEXT],"items":NEXT}`, kind, ""),
		"if":                    ladder(rungs, `{"if":NEXT,"then":NEXT,"else":NEXT}`, kind, `"unevaluatedProperties":false,`),
		"dependentSchemas":      ladder(rungs, `{"dependentSchemas":{"a":NEXT,"b":NEXT}}`, kind, `"unevaluatedProperties":false,`),
		"not":                   ladder(rungs, `{"not":{"allOf":[NEXT,NEXT]}}`, kind, ""),
		"$ref beside allOf":     ladder(rungs, `{"$ref":"#","$comment":"","properties":{"x":NEXT}}`, kind, `"type":"object",`),
		"additionalProperties":  ladder(rungs, `{"type":"object","additionalProperties":NEXT,"patternProperties":{"^a":NEXT}}`, kind, ""),
	} {
		done := make(chan error, 1)
		go func() {
			_, _, err := generate(&Group{Schema: json.RawMessage(schema)}, graph.Draft2020, "", runtimePath)
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil && name != "$ref beside allOf" { // a loop, which is refused
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(50 * time.Second):
			t.Errorf("%s: no end", name)
		}
	}
}
