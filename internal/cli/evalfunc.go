package cli

import (
	"fmt"
	"strconv"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/runtime/contract"
)

// evalFunction is a function of eval other than validate: one over the documents of a
// schema, whose issues or output have another form than the schema's own.
type evalFunction struct {
	schema string // "" where the request or its documents have to name one

	// chosen picks the document of the input that names the schema, if the request does
	// not; nil where the function is about one schema alone.
	chosen func(input []byte) []byte

	list bool // the input is a list of documents

	// run returns the issues, the output of a valid input, if any, and what makes the
	// input none for this function.
	run func(e *entry, input []byte) (issues contract.Issues, output []byte, fault string)
}

var evalFunctions = map[string]*evalFunction{
	"transition":              {schema: pairSchema, chosen: theCurrent, run: evalTransition},
	"history":                 {list: true, chosen: theFirst, run: evalHistory},
	"set":                     {list: true, chosen: theFirst, run: evalSet},
	"adapter_equivalence":     {schema: pairSchema, run: evalAdapters},
	"comms_tagged":            {schema: catalog.CommsTaggedMessageSchemaID, run: evalTagged},
	"deployment.contract_set": {schema: catalog.DeploymentRecordSetSchemaID, run: evalRecordSet},
}

// noRules is the fault of a project that has the schema without its rules.
const noRules = "the schema has no rules for this function"

// call answers a request for a function.
func (a *evalAnswer) call(lib *library, f *evalFunction, schema *string, input []byte) {
	e, err := f.entry(lib, schema, input)
	var others contract.Issues
	if e != nil && schema == nil && f.list {
		others = strangers(lib, e, input)
	}
	switch {
	case err != nil:
		a.Error = inOneLine(err)
	case e == nil && schema != nil:
		a.verdict(lib.unknown(*schema))
	case e == nil:
		a.Error = f.unnamed(lib, input)
	case others != nil:
		a.verdict(others)
	default:
		issues, output, fault := f.run(e, input)
		if a.Error = fault; fault == "" {
			a.verdict(issues)
			if a.Valid {
				a.Output = output
			}
		}
	}
}

// unnamed says why a call without a schema is about none.
func (f *evalFunction) unnamed(lib *library, input []byte) string {
	if f.list {
		if docs, fault := documentsOf(input); fault != "" || len(docs) == 0 {
			if fault != "" {
				return fault
			}
			return `"schema" has to name a schema, for there is no document that names one`
		}
	}
	why := ""
	if _, issues, err := lib.identify(f.chosen(input)); err == nil && issues != nil {
		why = ": " + issues[0].String()
	}
	return `"schema" has to name a schema, for the documents name none that is known` + why
}

// entry returns the schema that a call is about, nil when there is none: that of the
// request, or that which its documents name, or the function's own.
func (f *evalFunction) entry(lib *library, schema *string, input []byte) (e *entry, err error) {
	if f.chosen != nil && schema != nil {
		return lib.find(*schema)
	}
	if f.chosen != nil {
		if e, _, err = lib.identify(f.chosen(input)); e != nil || err != nil {
			return e, err
		}
	}
	if f.schema == "" {
		return nil, nil
	}
	return lib.part(f.schema)
}

// evalTagged asks whether a post may be published: its text opens with a tag, its
// metadata is valid, and both have one tag. Paths are those of the metadata.
func evalTagged(e *entry, input []byte) (contract.Issues, []byte, string) {
	issues := e.Check(input)
	for i := range issues {
		issues[i].Path = strings.TrimPrefix(issues[i].Path, "/metadata")
	}
	if issues != nil || e.parse == nil {
		return issues, nil, ""
	}
	parsed, err := e.parse(input)
	if err != nil {
		return nil, nil, "valid, but cannot be parsed: " + err.Error()
	}
	var message struct {
		Metadata jsontext.Value `json:"metadata"`
	}
	var metadata struct {
		Tag jsontext.Value `json:"tag"`
	}
	if json.Unmarshal(parsed, &message, lenient) != nil || json.Unmarshal(message.Metadata, &metadata, lenient) != nil {
		return nil, nil, "" // it is valid, so it has both
	}
	return nil, fmt.Appendf(nil, `{"tag":%s,"metadata":%s}`, metadata.Tag, message.Metadata), ""
}

// evalRecordSet asks whether the records of deployments fit together. Issues of a record
// by itself have its index in their path, those of its links to others its id.
func evalRecordSet(e *entry, input []byte) (contract.Issues, []byte, string) {
	issues := e.Check(input)
	var set map[string][]struct {
		ID string `json:"id"`
	}
	if issues == nil || json.Unmarshal(input, &set, lenient) != nil {
		return issues, nil, ""
	}
	for i := range issues {
		issue := &issues[i]
		if !strings.HasPrefix(string(issue.Code), "record_set.") {
			continue
		}
		parts := strings.SplitN(issue.Path, "/", 4) // "", the list, the index and the rest
		if len(parts) < 3 {
			continue
		}
		if at, err := strconv.Atoi(parts[2]); err == nil && at < len(set[parts[1]]) {
			parts[2] = contract.PointerToken(set[parts[1]][at].ID)
			issue.Path = strings.Join(parts, "/")
		}
	}
	return issues, nil, ""
}
