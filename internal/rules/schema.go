package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"
)

// The shapes of a registry and of a file of witnesses, for editors and for programs
// that write them. The decoder is stricter: it knows what belongs together, and it
// type-checks expressions.
type (
	registryShape struct {
		Version     int                      `json:"version" jsonschema:"required,enum=1"`
		Description string                   `json:"description" jsonschema_description:"For people."`
		Profile     string                   `json:"profile" jsonschema:"enum=kubernetes" jsonschema_description:"Whose habits hold for optional members, formats and failed evaluations. Only in the main file."`
		Include     []string                 `json:"include" jsonschema_description:"Further registry files, relative to this one. Only in the main file."`
		Functions   []functionShape          `json:"functions" jsonschema_description:"Named expressions that later functions and all rules can call."`
		Derived     []derivedShape           `json:"derived" jsonschema_description:"Members that follow from the rest of their document, which witnesses get filled in."`
		Templates   map[string]templateShape `json:"templates" jsonschema_description:"Rules with holes, by name."`
		CostLimit   uint64                   `json:"costLimit" jsonschema:"minimum=1" jsonschema_description:"What one rule may cost by its estimate before a warning says so; in CEL's units."`
		Rules       []ruleShape              `json:"rules"`
	}
	functionShape struct {
		Name        string       `json:"name" jsonschema:"required,pattern=^[a-zA-Z_][a-zA-Z0-9_]*$"`
		Description string       `json:"description"`
		Params      []paramShape `json:"params"`
		Expr        string       `json:"expr" jsonschema:"required,minLength=1" jsonschema_description:"CEL."`
	}
	paramShape struct {
		Name string `json:"name" jsonschema:"required,minLength=1"`
		Type string `json:"type" jsonschema:"required,minLength=1" jsonschema_description:"A CEL type such as list(string), or a schema such as order.json#/$defs/Line."`
	}
	derivedShape struct {
		Schema      any    `json:"schema" jsonschema:"required,oneof_type=string;array" jsonschema_description:"A schema, or several."`
		Member      string `json:"member" jsonschema:"required,minLength=1"`
		Expr        string `json:"expr" jsonschema:"required,minLength=1" jsonschema_description:"CEL over self, the completed document; a string."`
		Description string `json:"description"`
	}
	// commonShape is what a template has, too.
	commonShape struct {
		Schema            any           `json:"schema" jsonschema:"oneof_type=string;array" jsonschema_description:"File of the schema, perhaps with #/$defs/NAME; * stands for any one name. Or a list of such names."`
		Scope             string        `json:"scope" jsonschema:"enum=document,enum=transition,enum=history,enum=set,default=document"`
		ForEach           []binderShape `json:"forEach" jsonschema_description:"Loops around the rule, the outermost first."`
		Rule              string        `json:"rule" jsonschema_description:"CEL; true when the invariant holds."`
		Offenders         string        `json:"offenders" jsonschema_description:"CEL; the list of what breaks the invariant. Each element is an issue, and is called at in path and messageExpression."`
		Native            string        `json:"native" jsonschema_description:"Why the rule is not written in CEL."`
		Path              string        `json:"path" jsonschema:"pattern=^(/|[$][{])" jsonschema_description:"JSON Pointer below self, with {CEL} for computed steps."`
		Message           string        `json:"message"`
		MessageExpression string        `json:"messageExpression" jsonschema_description:"CEL; counts more than message where it gives a text of one line."`
		Reason            string        `json:"reason"`
		Since             string        `json:"since"`
		Description       string        `json:"description"`
		OptionalOldSelf   bool          `json:"optionalOldSelf" jsonschema_description:"oldSelf is optional, and the rule runs for new values too."`
		Unguarded         string        `json:"unguarded" jsonschema_description:"Why optional members are read without has()."`
		Costly            string        `json:"costly" jsonschema_description:"Why the work may grow faster than the document."`
	}
	templateShape struct {
		Params []string `json:"params" jsonschema_description:"Names of the holes ${name}."`
		commonShape
	}
	ruleShape struct {
		ID string `json:"id" jsonschema:"required,minLength=1" jsonschema_description:"Code of the rule's issues."`
		commonShape
		Template   string            `json:"template" jsonschema_description:"The template that says the rest."`
		With       map[string]any    `json:"with" jsonschema_description:"What fills the template's holes: single values."`
		Witnesses  witnessesShape    `json:"witnesses"`
		Equivalent []equivalentShape `json:"equivalent" jsonschema_description:"Changes of the rule that no document tells apart from it."`
	}
	binderShape struct {
		As    string `json:"as" jsonschema:"required,pattern=^[a-zA-Z_][a-zA-Z0-9_]*$"`
		Index string `json:"index" jsonschema:"pattern=^[a-zA-Z_][a-zA-Z0-9_]*$"`
		In    string `json:"in" jsonschema:"required,minLength=1" jsonschema_description:"CEL; a list or a map."`
	}
	witnessesShape struct {
		Valid   []witnessShape `json:"valid" jsonschema_description:"Documents that obey all rules."`
		Invalid []witnessShape `json:"invalid" jsonschema_description:"Documents that this rule rejects, and no other but those in also."`
	}
	moreShape struct {
		Valid      []witnessShape    `json:"valid"`
		Invalid    []witnessShape    `json:"invalid"`
		Equivalent []equivalentShape `json:"equivalent"`
	}
	witnessShape struct {
		Value   any              `json:"value" jsonschema_description:"The whole document."`
		Fixture string           `json:"fixture" jsonschema_description:"A file in fixtures/ beside the registry, or a path from the registry."`
		Schema  string           `json:"schema" jsonschema_description:"Of what the document is."`
		Patch   []operationShape `json:"patch" jsonschema_description:"Changes of value or fixture (RFC 6902)."`
		Old     *witnessShape    `json:"old" jsonschema_description:"The document before, of a transition."`
		List    []witnessShape   `json:"list" jsonschema_description:"The documents of a history or set."`
		Also    []string         `json:"also" jsonschema_description:"Ids of rules that reject the document too."`
		AsIs    bool             `json:"asIs" jsonschema_description:"Derived members are not filled in."`
		Note    string           `json:"note" jsonschema_description:"For people."`
	}
	operationShape struct {
		Op    string `json:"op" jsonschema:"required,enum=add,enum=remove,enum=replace,enum=move,enum=copy,enum=test"`
		Path  string `json:"path" jsonschema:"required"`
		From  string `json:"from"`
		Value any    `json:"value"`
	}
	equivalentShape struct {
		Mutant string `json:"mutant" jsonschema:"required,minLength=1" jsonschema_description:"As contracts test --mutate calls it."`
		Reason string `json:"reason" jsonschema:"required,minLength=1"`
	}
)

// shapeNames are the definitions' names in the schemas.
var shapeNames = map[reflect.Type]string{
	reflect.TypeFor[functionShape](): "Function", reflect.TypeFor[derivedShape](): "Derived", reflect.TypeFor[paramShape](): "Param", reflect.TypeFor[templateShape](): "Template",
	reflect.TypeFor[ruleShape](): "Rule", reflect.TypeFor[binderShape](): "Loop", reflect.TypeFor[witnessesShape](): "Witnesses",
	reflect.TypeFor[moreShape](): "More", reflect.TypeFor[witnessShape](): "Witness", reflect.TypeFor[operationShape](): "Operation",
	reflect.TypeFor[equivalentShape](): "Equivalent",
}

// RegistrySchema returns the JSON Schema of a registry file.
func RegistrySchema() ([]byte, error) {
	return shape(registryShape{}, "invariants.yaml", "The rules in CEL that bind the documents of a contract beside their schemas.")
}

// WitnessSchema returns the JSON Schema of a file of further witnesses.
func WitnessSchema() ([]byte, error) {
	return shape(map[string]moreShape{}, "invariants.witnesses.yaml", "Further witnesses of the rules in a registry, by the rule's id.")
}

func shape(of any, title, description string) ([]byte, error) {
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: reflect.TypeOf(of).Kind() == reflect.Struct, RequiredFromJSONSchemaTags: true,
		Namer: func(t reflect.Type) string { return shapeNames[t] }}
	s := r.Reflect(of)
	s.Title, s.Description = title, description
	if def := s.Definitions["Rule"]; def != nil { // one check, or a template that has it
		one := &jsonschema.Schema{}
		for _, key := range []string{"rule", "offenders", "native"} {
			one.OneOf = append(one.OneOf, &jsonschema.Schema{Required: []string{key}})
		}
		def.AnyOf = []*jsonschema.Schema{{Required: []string{"template"}}, {AllOf: []*jsonschema.Schema{one, {Required: []string{"schema"}}}}}
	}
	if def := s.Definitions["Witness"]; def != nil {
		for _, key := range []string{"value", "fixture", "list"} {
			def.OneOf = append(def.OneOf, &jsonschema.Schema{Required: []string{key}})
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write the schema of %s: %w", title, err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, fmt.Errorf("write the schema of %s: %w", title, err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
