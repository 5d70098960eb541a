package rules

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	jsonschema "github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/contractkit/contractkit/internal/source"
)

type shownSchema struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Defs       map[string]struct {
		Properties map[string]json.RawMessage `json:"properties"`
	} `json:"$defs"`
}

// The schemas of registries and the decoder know the same keys.
func TestSchemasHaveTheDecodersKeys(t *testing.T) {
	for _, tt := range []struct {
		schema func() ([]byte, error)
		known  map[string][]string
	}{
		{RegistrySchema, map[string][]string{
			"": append(slices.Clone(fileKeys), "include"), "Function": functionKeys, "Param": paramKeys, "Derived": derivedKeys, "Template": templateKeys, "Rule": ruleKeys,
			"Loop": binderKeys, "Witnesses": witnessesKeys, "Witness": witnessKeys, "Equivalent": equivalentKeys,
		}},
		{WitnessSchema, map[string][]string{"More": moreKeys, "Witness": witnessKeys, "Equivalent": equivalentKeys}},
	} {
		text, err := tt.schema()
		if err != nil {
			t.Fatal(err)
		}
		var s shownSchema
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		for name, known := range tt.known {
			have := s.Properties
			if name != "" {
				have = s.Defs[name].Properties
			}
			for _, key := range known {
				if have[key] == nil {
					t.Errorf("the schema of %q lacks %s", name, key)
				}
			}
			for key := range have {
				if !slices.Contains(known, key) {
					t.Errorf("the schema of %q has %s, which the decoder does not know", name, key)
				}
			}
		}
	}
}

// This repository's registries are valid under the schemas.
func TestSchemasTakeOurRegistries(t *testing.T) {
	compile := func(make func() ([]byte, error)) *jsonschema.Schema {
		text, err := make()
		if err != nil {
			t.Fatal(err)
		}
		return jsonschema.MustCompileString("schema.json", string(text))
	}
	registry, witnesses := compile(RegistrySchema), compile(WitnessSchema)
	seen := 0
	for _, pattern := range []string{"../../schemas/*/invariants.yaml", "../../schemas/*/invariants/*.yaml", "../../schemas/*/*.witnesses.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := source.Parse(file, data, source.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			schema := registry
			if strings.Contains(filepath.Base(file), ".witnesses.") {
				schema = witnesses
			}
			if err := schema.Validate(plain(t, doc.Root)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			seen++
		}
	}
	if seen < 4 {
		t.Errorf("only %d files", seen)
	}
}

func TestSchemasRefuse(t *testing.T) {
	text, err := RegistrySchema()
	if err != nil {
		t.Fatal(err)
	}
	schema := jsonschema.MustCompileString("schema.json", string(text))
	for text, valid := range map[string]bool{
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true'}]\n": true,
		"version: 1\nrules: [{id: a, template: t, with: {n: 1}}]\n":    true,
		"version: 2\n": false,
		"rules: []\n":  false,
		"version: 1\nrules: [{id: a, schema: o.json}]\n":                                                    false,
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true', offenders: '[]'}]\n":                     false,
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true', scope: x}]\n":                            false,
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true', path: x}]\n":                             false,
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true', x: 1}]\n":                                false,
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true', witnesses: {valid: [{note: x}]}}]\n":     false,
		"version: 1\nrules: [{id: a, schema: o.json, rule: 'true', witnesses: {valid: [{value: null}]}}]\n": true,
	} {
		if err := schema.Validate(plain(t, parsed(t, "i.yaml", text).Root)); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func plain(t *testing.T, v *source.Value) (out any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(source.AppendJSON(nil, v)))
	d.UseNumber() // a witness may have a number that no double holds
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}
