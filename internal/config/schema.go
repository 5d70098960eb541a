package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/contractkit/contractkit/internal/source"
)

// JSONSchema returns the JSON Schema of the project file, for editors: draft
// 2020-12, indented by two spaces, with a line feed at the end.
func JSONSchema() []byte {
	r := &jsonschema.Reflector{
		Anonymous:                  true,
		ExpandedStruct:             true,
		RequiredFromJSONSchemaTags: true,
		Namer:                      func(t reflect.Type) string { return strings.TrimPrefix(t.Name(), "v1") },
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			switch t {
			case reflect.TypeFor[Text]():
				return &jsonschema.Schema{Type: "string"}
			case reflect.TypeFor[source.Value]():
				return &jsonschema.Schema{Type: "object"}
			}
			return nil
		},
	}
	s := r.Reflect(&v1File{})
	s.Title = FileName
	s.Description = "The project file of contractkit."
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("config: the schema of the project file cannot be written: %v", err))
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		panic(fmt.Sprintf("config: the schema of the project file is not JSON: %v", err))
	}
	out.WriteByte('\n')
	return out.Bytes()
}
