package bundle

import (
	"encoding/json"
	"strings"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// InvariantsFile is the artifact with the rules.
const InvariantsFile = "invariant-registry.json"

// notice stands on each schema that rules bind.
const notice = "A JSON Schema validator alone cannot tell that a document is valid: the invariants named here bind it too."

// Registry is invariant-registry.json: what a program with a CEL library needs to
// run the rules. Functions are expanded nowhere; a rule may call those before it
// and the functions of docs/invariants.md.
type Registry struct {
	Contract   string      `json:"contract"`
	Language   string      `json:"language"`
	Functions  []Function  `json:"functions,omitempty"`
	Invariants []Invariant `json:"invariants"` // in the order in which issues are reported
}

// Function is a named expression.
type Function struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Params      []Param `json:"params"`
	Expression  string  `json:"expression"`
}

// Param is a parameter; Type is a CEL type or the location of a schema.
type Param struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Invariant is one rule.
type Invariant struct {
	ID                string   `json:"id"`
	Description       string   `json:"description,omitempty"`
	Schemas           []string `json:"schemas"`
	Scope             string   `json:"scope"`
	ForEach           []Loop   `json:"forEach,omitempty"`
	Rule              string   `json:"rule,omitempty"`
	Offenders         string   `json:"offenders,omitempty"`
	Path              string   `json:"path,omitempty"`
	Message           string   `json:"message"`
	MessageExpression string   `json:"messageExpression,omitempty"`
	Reason            string   `json:"reason,omitempty"`
	Since             string   `json:"since,omitempty"`
	OptionalOldSelf   bool     `json:"optionalOldSelf,omitempty"`
	Native            string   `json:"native,omitempty"`
}

// Loop is one step of forEach.
type Loop struct {
	As    string `json:"as"`
	Index string `json:"index,omitempty"`
	In    string `json:"in"`
}

// registry returns the artifact's content.
func registry(m *model.Model) Registry {
	r := Registry{Contract: m.Contract, Language: "CEL", Invariants: []Invariant{}}
	for _, d := range m.Defs {
		f := Function{Name: d.Name, Description: d.Doc, Params: []Param{}, Expression: d.Text}
		for i := range d.Params {
			f.Params = append(f.Params, Param{d.Params[i], d.Types[i]})
		}
		r.Functions = append(r.Functions, f)
	}
	at := map[string]int{}
	for i := range m.Invariants {
		inv := &m.Invariants[i]
		if k, known := at[inv.ID]; known { // the rule binds several schemas
			list := &r.Invariants[k].Schemas
			if uri := inv.SchemaURI; !contains(*list, uri) {
				*list = append(*list, uri)
			}
			continue
		}
		at[inv.ID] = len(r.Invariants)
		out := Invariant{
			ID: inv.ID, Description: inv.Doc, Schemas: []string{inv.SchemaURI}, Scope: inv.Scope, Rule: strings.TrimSpace(inv.Rule), Offenders: strings.TrimSpace(inv.Offenders),
			Path: inv.PathText, Message: inv.Message, MessageExpression: inv.MessageCEL, Reason: inv.Reason, Since: inv.Since,
			OptionalOldSelf: inv.MayLackOld, Native: inv.Native,
		}
		for _, b := range inv.Binders {
			out.ForEach = append(out.ForEach, Loop{b.As, b.Index, b.Text})
		}
		r.Invariants = append(r.Invariants, out)
	}
	return r
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// bound returns the schema of a document with the ids of the rules that bind it and
// its parts, under the keyword.
func bound(m *model.Model, doc int, keyword string) (json.RawMessage, error) {
	d := &m.Documents[doc]
	ids := map[string][]string{} // by fragment
	var order []string
	for i := range m.Invariants {
		inv := &m.Invariants[i]
		if m.Schema(inv.Schema).Document != doc {
			continue
		}
		_, fragment, _ := strings.Cut(inv.SchemaURI, "#")
		if ids[fragment] == nil {
			order = append(order, fragment)
		}
		if !contains(ids[fragment], inv.ID) {
			ids[fragment] = append(ids[fragment], inv.ID)
		}
	}
	if len(order) == 0 {
		return d.Source, nil
	}
	text, err := source.Parse(d.Path+".json", d.Source, source.Limits{})
	if err != nil {
		return nil, err
	}
	for _, fragment := range order {
		at := text.Root.Lookup(fragment)
		if at == nil || at.Kind != source.Object {
			continue // true stands there, or a resource of its own within the file
		}
		list := &source.Value{Kind: source.Array}
		for _, id := range ids[fragment] {
			list.Items = append(list.Items, &source.Value{Kind: source.String, Text: id})
		}
		set(at, keyword, list)
		said := notice
		if old := at.Get("$comment"); old != nil && old.Kind == source.String {
			said = old.Text + " " + notice
		}
		set(at, "$comment", &source.Value{Kind: source.String, Text: said})
	}
	return source.AppendJSON(nil, text.Root), nil
}

func set(v *source.Value, name string, value *source.Value) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			v.Members[i].Value = value
			return
		}
	}
	v.Members = append(v.Members, source.Member{Name: name, Value: value})
}
