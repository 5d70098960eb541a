package catalogtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/schemas"
)

// base makes the catalog's ids, which are relative, addresses.
const base = "mem://catalog/"

// secondEngine compiles the catalog's sources with another validator.
var secondEngine = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	names, err := fs.Glob(schemas.FS(), "catalog/*.json")
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.Draft, compiler.AssertFormat = jsonschema.Draft2020, true
	var ids []string
	for _, name := range names {
		text, err := fs.ReadFile(schemas.FS(), name)
		if err != nil {
			return nil, err
		}
		var head struct {
			ID string `json:"$id"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := compiler.AddResource(base+head.ID, bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		ids = append(ids, head.ID)
	}
	out := map[string]*jsonschema.Schema{}
	for _, id := range ids {
		if out[id], err = compiler.Compile(base + id); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// hugeExponent finds numbers that the second engine would write out in full.
var hugeExponent = regexp.MustCompile(`[eE][+-]?[0-9]{4}`)

// disagreement compares the generated code with the second engine on data, and
// holds what it says about data to what data is. It describes the first fault.
func disagreement(t testing.TB, id string, data []byte) string {
	second, err := secondEngine()
	if err != nil {
		t.Fatal(err)
	}
	issues := catalog.ValidateAs(id, data)
	for _, i := range issues {
		if why := misplaced(i, data); why != "" {
			return why
		}
	}
	if why := stronger(issues, data); why != "" {
		return why
	}
	if !jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(false)) {
		// The second engine reads with encoding/json, which lets the last of two
		// members win and repairs text that is no UTF-8. Ours refuses both.
		if issues == nil {
			return "accepts what is not JSON, has a name twice, or is no UTF-8"
		}
		return ""
	}
	if hugeExponent.Match(data) || has(issues, contract.CodeTooDeep) {
		return "" // a limit of either engine, not an opinion
	}
	if strings.ContainsAny(string(data), "\r\u2028\u2029") || bytes.Contains(data, []byte(`\r`)) || bytes.Contains(data, []byte(`\u202`)) {
		return "" // "." of Go's regexp takes these, that of ECMA-262 does not
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Sprintf("encoding/json cannot read what jsontext can: %v", err)
	}
	if err := second[id].Validate(v); (err == nil) != (structural(issues) == nil) { // it knows no rules
		return fmt.Sprintf("ours says %v, the second engine %v", issues, err)
	}
	return ""
}

// byRule reports whether a rule found the issue. Rules are asked only about documents
// whose structure is sound.
func byRule(i contract.Issue) bool { return i.Keyword == rules.Keyword }

// structural returns the issues that no rule found; nil if there are none.
func structural(issues contract.Issues) (out contract.Issues) {
	for _, i := range issues {
		if !byRule(i) {
			out = append(out, i)
		}
	}
	return out
}

func has(issues contract.Issues, code contract.Code) bool {
	for _, i := range issues {
		if i.Code == code {
			return true
		}
	}
	return false
}

// misplaced says why an issue does not point into the document.
func misplaced(i contract.Issue, data []byte) string {
	if i.Offset < 0 || i.Offset > len(data) {
		return fmt.Sprintf("offset %d of %v is outside the document", i.Offset, i)
	}
	if i.Message == "" || i.Code == "" {
		return fmt.Sprintf("an issue without message or code: %+v", i)
	}
	if i.Code == contract.CodeSyntax || i.Code == contract.CodeDuplicate || i.Code == contract.CodeTooDeep {
		return "" // there is no tree to point into
	}
	path := i.Path
	if i.Code == contract.CodeRequired || i.Code == contract.CodeUnion && strings.HasSuffix(i.Message, "is missing") { // points at the member that is not there
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return "" // jsontext and encoding/json agree on what is JSON elsewhere
	}
	for _, token := range strings.Split(path, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		ok, above := false, v
		switch c := v.(type) {
		case map[string]any:
			v, ok = c[token]
		case []any:
			n, err := strconv.Atoi(token)
			if ok = err == nil && n >= 0 && n < len(c); ok {
				v = c[n]
			}
		}
		if _, object := above.(map[string]any); !ok && object && byRule(i) {
			return "" // rules point at what should be there, too
		}
		if !ok {
			return fmt.Sprintf("nothing is at the path of %v", i)
		}
	}
	return ""
}

// stronger holds an accepted document to the promises of decoding: nothing is
// lost, and a parsed value parses to itself.
func stronger(issues contract.Issues, data []byte) string {
	if issues != nil {
		return ""
	}
	id, _ := contract.SchemaID(data, "schema")
	doc, err := catalog.DecodeAs(id, data)
	if err != nil {
		return fmt.Sprintf("valid, but DecodeAs says %v", err)
	}
	if text := doc.AppendJSON(nil); !sameJSON(text, data) {
		return "decoding loses something: " + diffJSON(data, text)
	}
	parsed, err := catalog.ParseAs(id, data)
	if err != nil {
		return fmt.Sprintf("valid, but ParseAs says %v", err)
	}
	first := parsed.AppendJSON(nil)
	again, err := catalog.ParseAs(id, first)
	if err != nil {
		return fmt.Sprintf("the parsed value %s is not valid: %v", first, err)
	}
	if second := again.AppendJSON(nil); !bytes.Equal(first, second) {
		return fmt.Sprintf("parsing is not stable:\n%s\n%s", first, second)
	}
	return ""
}
