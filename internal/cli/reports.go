package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
	"github.com/contractkit/contractkit/runtime/pack/migrate"
)

// ReportSchemas returns the JSON Schema of every report that commands print with
// --json, and of the files that people write: contracts.yaml, invariants.yaml and files of
// witnesses. The names are those in docs/schemas.
func ReportSchemas() (map[string][]byte, error) {
	registry, err := rules.RegistrySchema()
	if err != nil {
		return nil, err
	}
	witnesses, err := rules.WitnessSchema()
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{"contracts.yaml.schema.json": config.JSONSchema(), "invariants.yaml.schema.json": registry, "witnesses.yaml.schema.json": witnesses}
	for name, r := range map[string]struct {
		of    any
		title string
	}{
		"report":      {Report{}, "What contracts generate, check, verify and import print with --json, and init and pack when they refuse"},
		"test":        {TestReport{}, "What contracts test prints with --json"},
		"validation":  {Validation{}, "What contracts validate prints with --json for one document"},
		"validations": {Validations{}, "What contracts validate prints with --json for several documents"},
		"conformance": {Conformance{}, "What contracts conformance prints with --json"},
		"schemas":     {Schemas{}, "What contracts schemas prints with --json"},
		"version":     {VersionReport{}, "What contracts version prints with --json"},
		"explanation": {Explanation{}, "What contracts explain CODE prints with --json"},
		"init":        {InitReport{}, "What contracts init prints with --json"},

		"pack-report":  {inspect.Report{}, "What contracts pack validate and author print with --json"},
		"pack-files":   {PackFiles{}, "What contracts pack scaffold prints with --json, and author with --skip-validate"},
		"pack-gate":    {PackGate{}, "What contracts pack gate prints with --json"},
		"pack-graph":   {PackGraph{}, "What contracts pack graph prints with --format json"},
		"pack-receipt": {migrate.Receipt{}, "What contracts pack migrate prints with --json; one line of the receipts"},

		"failure": {Failure{}, "What any command prints with --json when it could not do its work"},
		"request": {evalShape{}, "One line of input of contracts eval"},
		"answer":  {answerShape{}, "One line of output of contracts eval"},
	} {
		text, err := reflected(r.of, r.title)
		if err != nil {
			return nil, fmt.Errorf("the schema of %s: %w", name, err)
		}
		out[name+".schema.json"] = text
	}
	return out, nil
}

// evalShape and answerShape are the lines of eval for people and editors; eval
// itself keeps raw values.
type evalShape struct {
	ID     any    `json:"id" jsonschema_description:"Any JSON value; the answer repeats it."`
	Fn     string `json:"fn" jsonschema:"enum=validate,enum=transition,enum=history,enum=set,enum=adapter_equivalence,enum=comms_tagged,enum=deployment.contract_set"`
	Schema any    `json:"schema,omitempty" jsonschema:"oneof_type=string;null" jsonschema_description:"Schema id, or null when the input names it."`
	Input  any    `json:"input" jsonschema_description:"The document."`
}

type answerShape struct {
	ID     any          `json:"id"`
	Valid  bool         `json:"valid"`
	Issues []issueShape `json:"issues,omitempty" jsonschema_description:"What is wrong, in document order."`
	Output any          `json:"output,omitempty" jsonschema_description:"The parsed form, where defaults or normalisation make it differ from the input."`
	Error  string       `json:"error,omitempty" jsonschema_description:"Why there is no verdict."`
}

type issueShape struct {
	Path    string `json:"path" jsonschema_description:"JSON Pointer into the input; empty is all of it."`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func reflected(v any, title string) ([]byte, error) {
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Namer: func(t reflect.Type) string {
		switch t.Name() {
		case "issueShape":
			return "Issue"
		}
		return t.Name()
	}}
	s := r.Reflect(v)
	s.Title = title
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
