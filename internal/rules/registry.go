package rules

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// Scope says what the rule's variables are.
type Scope string

// The scopes. In all of them self is typed by the schema that the rule binds.
const (
	Document   Scope = "document"   // self is a value of the schema, wherever it stands
	Transition Scope = "transition" // oldSelf is the value before, self the value after
	History    Scope = "history"    // self is the list of a document's versions, oldest first
	Collection Scope = "set"        // self is a list of documents, in no order
)

var scopes = []string{string(Document), string(Transition), string(History), string(Collection)}

// Text is a string of the registry and where it stands.
type Text struct {
	Value   string
	Pos     diag.Pos
	Pointer string
}

// Registry is the file as written, templates expanded.
type Registry struct {
	Path      string
	Profile   string // "" or "kubernetes"
	CostLimit int64  // estimated steps above which a rule that is worse than linear is reported; 0 for the default
	Functions []Function
	Derived   []Derived
	Rules     []Rule

	texts map[string][]byte // by file
	files []model.RegistryFile
}

// Function is a named sub-expression with parameters.
type Function struct {
	Name   Text
	Params []Param
	Expr   Text
	Doc    string
}

// Param is a parameter of a Function; Type is a CEL type or a schema.
type Param struct {
	Name Text
	Type Text
}

// Rule is one invariant.
type Rule struct {
	ID     Text
	Schema Text
	Others []Text // further schemas that the rule binds
	Scope  Scope

	ForEach   []Binder
	Rule      Text // true when the invariant holds; or
	Offenders Text // the list of what breaks it, each an issue

	Message           string
	MessageExpression Text
	Path              Text // JSON Pointer below self, with {expression} for computed parts
	Reason            string
	Since             string
	Doc               string
	OptionalOldSelf   bool
	Unguarded         string // why optional members are read without has()
	Costly            string // why the work may grow faster than the document
	Native            string // why the rule cannot be written in CEL

	Valid, Invalid []Witness
	Equivalent     map[string]string // mutants that no witness can notice, with the reason
}

// Binder is one loop of forEach: As takes each element of the list In.
type Binder struct {
	As, Index Text
	In        Text
}

// Witness is a document that shows what a rule does. Value is the whole document;
// or Fixture names a file and Patch (RFC 6902) changes it. Old is the earlier
// document of a transition.
type Witness struct {
	Pos     diag.Pos
	Pointer string
	Fixture Text
	Schema  Text // of what the document is; default: the fixture's, or the rule's for a value
	Patch   *source.Value
	Value   *source.Value
	Old     *Witness
	List    []Witness // of a history or set
	Note    string
	AsIs    bool   // derived members stay as they are
	Also    []Text // rules that an invalid witness breaks beside its own, where the rules overlap
}

var (
	idPattern   = regexp.MustCompile(`^[a-z][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)*$`)
	namePattern = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
)

// maxRules bounds a registry.
const maxRules = 20_000

// WitnessFile is where further witnesses of the rules in a registry may lie.
func WitnessFile(registry string) string {
	ext := path.Ext(registry)
	return strings.TrimSuffix(registry, ext) + ".witnesses" + ext
}

// Files are what a registry consists of.
type Files struct {
	Main      *source.Document
	Included  []*source.Document // in the order in which Main names them
	Witnesses []*source.Document // further witnesses
}

// Includes returns the files that a registry names, relative to its folder.
func Includes(main *source.Document) (names []Text) {
	list := main.Root.Get("include")
	if list == nil {
		return nil
	}
	for i, x := range list.Items {
		names = append(names, Text{x.Text, x.Pos, fmt.Sprintf("/include/%d", i)})
	}
	return names
}

// Decode reads a registry. The rules of the main file come first, then those of the
// files that it includes. The error is a diag.List with everything that is wrong.
func Decode(f Files) (*Registry, error) {
	d := &decoder{reg: &Registry{Path: f.Main.Path, texts: map[string][]byte{}}, templates: map[string]*source.Value{}}
	d.file(f.Main, "include")
	for _, doc := range f.Included {
		d.file(doc, "")
	}
	d.reg.Path = f.Main.Path
	d.unique()
	for _, doc := range f.Witnesses {
		d.more(doc)
	}
	d.alsoKnown()
	if err := d.diags.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(d.reg.files, func(a, b model.RegistryFile) int { return strings.Compare(a.Path, b.Path) })
	return d.reg, nil
}

// file reads one file of the registry; include is a key that only the main file has.
func (d *decoder) file(doc *source.Document, include string) {
	d.reg.Path = doc.Path
	d.reg.texts[doc.Path] = doc.Bytes
	d.reg.files = append(d.reg.files, model.RegistryFile{Path: doc.Path, Digest: doc.Digest})
	root := doc.Root
	known := fileKeys
	if include != "" {
		known = append(known[:len(known):len(known)], include)
	}
	if !d.object(root, "", known...) {
		return
	}
	if include != "" {
		for i, x := range d.list(root, "", include) {
			if x.Kind != source.String {
				d.errorf(Text{Pos: x.Pos, Pointer: fmt.Sprintf("/include/%d", i)}, "the name of a file is expected here")
			}
		}
	}
	switch v := root.Get("version"); {
	case v == nil:
		d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: root.Pos, Message: "the registry has no version", Hint: "start it with: version: 1"})
	case v.Kind != source.Number || v.Text != "1":
		d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: v.Pos, Pointer: "/version", Message: "this version of contracts knows registry version 1 only"})
	}
	if p := d.text(root, "", "profile", false); p.Value != "" {
		if p.Value != "kubernetes" {
			d.errorf(p, "the only profile is \"kubernetes\"")
		}
		if include == "" {
			d.errorf(p, "the profile stands in the main file")
		}
		d.reg.Profile = p.Value
	}
	for i, f := range d.list(root, "", "functions") {
		d.function(f, fmt.Sprintf("/functions/%d", i))
	}
	d.readDerived(root)
	if v := root.Get("costLimit"); v != nil {
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if v.Kind != source.Number || err != nil || n < 1 || include == "" {
			d.errorf(Text{Pos: v.Pos, Pointer: "/costLimit"}, "costLimit is a whole number above 0, in the main file")
		}
		d.reg.CostLimit = n
	}
	d.readTemplates(root.Get("templates"))
	list := d.list(root, "", "rules")
	if len(d.reg.Rules)+len(list) > maxRules {
		d.errorf(Text{Pos: root.Get("rules").Pos, Pointer: "/rules"}, "the registry has more than %d rules", maxRules)
		list = nil
	}
	for i, r := range list {
		d.rule(r, fmt.Sprintf("/rules/%d", i), d.templates)
	}
}

type decoder struct {
	reg       *Registry
	templates map[string]*source.Value
	diags     diag.List
}

func (d *decoder) errorf(at Text, format string, args ...any) {
	d.diags.Errorf(at.Pos, at.Pointer, "rules.registry", format, args...)
}

// object reports v when it is no object, and members that are not known.
func (d *decoder) object(v *source.Value, pointer string, known ...string) bool {
	if v == nil || v.Kind != source.Object {
		pos := diag.Pos{File: d.reg.Path}
		if v != nil {
			pos = v.Pos
		}
		d.errorf(Text{Pos: pos, Pointer: pointer}, "an object is expected here")
		return false
	}
	for i := range v.Members {
		m := &v.Members[i]
		if slices.Contains(known, m.Name) {
			continue
		}
		hint := spelling.Ask(m.Name, known, "known are "+strings.Join(known, ", "))
		d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: m.NamePos, Pointer: pointer + "/" + source.EscapeToken(m.Name),
			Message: fmt.Sprintf("the key %.100q means nothing here", m.Name), Hint: hint})
	}
	return true
}

func (d *decoder) list(v *source.Value, pointer, name string) []*source.Value {
	x := v.Get(name)
	if x == nil {
		return nil
	}
	if x.Kind != source.Array {
		d.errorf(Text{Pos: x.Pos, Pointer: pointer + "/" + name}, "%s has to be a list", name)
		return nil
	}
	return x.Items
}

func (d *decoder) text(v *source.Value, pointer, name string, required bool) Text {
	x := v.Get(name)
	if x == nil {
		if required {
			d.errorf(Text{Pos: v.Pos, Pointer: pointer}, "%q is missing", name)
		}
		return Text{}
	}
	t := Text{Value: x.Text, Pos: x.Pos, Pointer: pointer + "/" + name}
	if x.Kind != source.String {
		d.errorf(t, "%s has to be a string", name)
		return Text{}
	}
	if required && strings.TrimSpace(x.Text) == "" {
		d.errorf(t, "%s is empty", name)
	}
	return t
}

func (d *decoder) bool(v *source.Value, pointer, name string) bool {
	x := v.Get(name)
	if x != nil && x.Kind != source.Bool {
		d.errorf(Text{Pos: x.Pos, Pointer: pointer + "/" + name}, "%s has to be true or false", name)
	}
	return x.IsTrue()
}

func (d *decoder) function(v *source.Value, pointer string) {
	if !d.object(v, pointer, functionKeys...) {
		return
	}
	f := Function{Name: d.text(v, pointer, "name", true), Expr: d.text(v, pointer, "expr", true), Doc: d.text(v, pointer, "description", false).Value}
	if f.Name.Value != "" && !namePattern.MatchString(f.Name.Value) {
		d.errorf(f.Name, "a function's name is made of letters, digits and _")
	}
	for i, p := range d.list(v, pointer, "params") {
		at := fmt.Sprintf("%s/params/%d", pointer, i)
		if d.object(p, at, paramKeys...) {
			f.Params = append(f.Params, Param{Name: d.text(p, at, "name", true), Type: d.text(p, at, "type", true)})
		}
	}
	for _, g := range d.reg.Functions {
		if g.Name.Value == f.Name.Value {
			d.errorf(f.Name, "another function is called %s", f.Name.Value)
		}
	}
	d.reg.Functions = append(d.reg.Functions, f)
}

// The keys of each object in a registry. schema.go says the same as JSON Schema.
var (
	fileKeys       = []string{"version", "profile", "functions", "derived", "templates", "costLimit", "rules", "description"} // and include in the main file
	derivedKeys    = []string{"schema", "member", "expr", "description"}
	functionKeys   = []string{"name", "params", "expr", "description"}
	paramKeys      = []string{"name", "type"}
	binderKeys     = []string{"as", "index", "in"}
	witnessesKeys  = []string{"valid", "invalid"}
	moreKeys       = []string{"valid", "invalid", "equivalent"} // of a rule in a file of witnesses
	witnessKeys    = []string{"fixture", "schema", "patch", "value", "old", "list", "note", "asIs", "also"}
	equivalentKeys = []string{"mutant", "reason"}
)

var ruleKeys = []string{
	"id", "schema", "scope", "forEach", "rule", "offenders", "message", "messageExpression", "path", "reason", "since",
	"description", "optionalOldSelf", "unguarded", "costly", "native", "template", "with", "witnesses", "equivalent",
}

func (d *decoder) rule(v *source.Value, pointer string, templates map[string]*source.Value) {
	if !d.object(v, pointer, ruleKeys...) {
		return
	}
	if v = d.expand(v, pointer, templates); v == nil {
		return
	}
	r := Rule{
		ID: d.text(v, pointer, "id", true), Scope: Document,
		Rule: d.text(v, pointer, "rule", false), Offenders: d.text(v, pointer, "offenders", false),
		Message: d.text(v, pointer, "message", false).Value, MessageExpression: d.text(v, pointer, "messageExpression", false),
		Path: d.text(v, pointer, "path", false), Reason: d.text(v, pointer, "reason", false).Value,
		Since: d.text(v, pointer, "since", false).Value, Doc: d.text(v, pointer, "description", false).Value,
		OptionalOldSelf: d.bool(v, pointer, "optionalOldSelf"), Unguarded: d.text(v, pointer, "unguarded", false).Value,
		Costly: d.text(v, pointer, "costly", false).Value, Native: d.text(v, pointer, "native", false).Value,
	}
	r.Schema, r.Others = d.bound(v, pointer)
	if s := d.text(v, pointer, "scope", false); s.Value != "" {
		r.Scope = Scope(s.Value)
		if !slices.Contains(scopes, s.Value) {
			d.errorf(s, "no scope is called %.50q; there are %s", s.Value, strings.Join(scopes, ", "))
		}
	}
	if r.ID.Value != "" && d.reg.Profile == "" && !idPattern.MatchString(r.ID.Value) {
		d.errorf(r.ID, "an id is made of words in lower case with dots between, like order.total-sum")
	}
	if r.Path.Value != "" && r.Path.Value[0] != '/' {
		d.errorf(r.Path, "a path is a JSON Pointer below self, like /items/0/name; leave it out for self itself")
	}
	given := 0
	for _, t := range []string{r.Rule.Value, r.Offenders.Value, r.Native} {
		if strings.TrimSpace(t) != "" {
			given++
		}
	}
	if given != 1 {
		d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: v.Pos, Pointer: pointer, Message: "one of rule, offenders and native is needed, and only one",
			Hint: "rule is true when the invariant holds; offenders is the list of what breaks it"})
	}
	if r.OptionalOldSelf && r.Scope != Transition {
		d.errorf(r.ID, "optionalOldSelf makes sense in the scope transition only")
	}
	for i, b := range d.list(v, pointer, "forEach") {
		at := fmt.Sprintf("%s/forEach/%d", pointer, i)
		if d.object(b, at, binderKeys...) {
			bind := Binder{As: d.text(b, at, "as", true), Index: d.text(b, at, "index", false), In: d.text(b, at, "in", true)}
			for _, n := range []Text{bind.As, bind.Index} {
				if n.Value != "" && (!namePattern.MatchString(n.Value) || n.Value == "self" || n.Value == "oldSelf") {
					d.errorf(n, "%q cannot be the name of a variable", n.Value)
				}
			}
			r.ForEach = append(r.ForEach, bind)
		}
	}
	if w := v.Get("witnesses"); w != nil && d.object(w, pointer+"/witnesses", witnessesKeys...) {
		r.Valid = d.witnesses(w, pointer+"/witnesses", "valid")
		r.Invalid = d.witnesses(w, pointer+"/witnesses", "invalid")
	}
	d.equivalent(&r, v, pointer)
	d.reg.Rules = append(d.reg.Rules, r)
}

// bound reads the schema that a rule binds, or the list of them.
func (d *decoder) bound(v *source.Value, pointer string) (Text, []Text) {
	list := v.Get("schema")
	if list == nil || list.Kind != source.Array {
		return d.text(v, pointer, "schema", true), nil
	}
	texts := []Text{}
	for i, x := range list.Items {
		t := Text{Value: x.Text, Pos: x.Pos, Pointer: fmt.Sprintf("%s/schema/%d", pointer, i)}
		if x.Kind != source.String {
			d.errorf(t, "the name of a schema is expected here")
			t.Value = ""
		}
		texts = append(texts, t)
	}
	if len(texts) == 0 {
		d.errorf(Text{Pos: list.Pos, Pointer: pointer + "/schema"}, "the list of schemas is empty")
		return Text{}, nil
	}
	return texts[0], texts[1:]
}

// more reads the file of witnesses: an object of rule ids.
func (d *decoder) more(doc *source.Document) {
	path := d.reg.Path
	d.reg.Path = doc.Path
	defer func() { d.reg.Path = path }()
	if doc.Root.Kind != source.Object {
		d.errorf(Text{Pos: doc.Root.Pos}, "the file of witnesses is an object of rule ids")
		return
	}
	for i := range doc.Root.Members {
		m := &doc.Root.Members[i]
		at := "/" + source.EscapeToken(m.Name)
		k := slices.IndexFunc(d.reg.Rules, func(r Rule) bool { return r.ID.Value == m.Name })
		if k < 0 {
			d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: m.NamePos, Pointer: at, Message: fmt.Sprintf("no rule has the id %.200q", m.Name), Hint: d.closestRule(m.Name)})
			continue
		}
		if d.object(m.Value, at, moreKeys...) {
			r := &d.reg.Rules[k]
			r.Valid = append(r.Valid, d.witnesses(m.Value, at, "valid")...)
			r.Invalid = append(r.Invalid, d.witnesses(m.Value, at, "invalid")...)
			d.equivalent(r, m.Value, at)
		}
	}
}

// equivalent reads which mutants no witness can notice.
func (d *decoder) equivalent(r *Rule, v *source.Value, pointer string) {
	for i, x := range d.list(v, pointer, "equivalent") {
		at := fmt.Sprintf("%s/equivalent/%d", pointer, i)
		if d.object(x, at, equivalentKeys...) {
			if r.Equivalent == nil {
				r.Equivalent = map[string]string{}
			}
			r.Equivalent[d.text(x, at, "mutant", true).Value] = d.text(x, at, "reason", true).Value
		}
	}
}

func (d *decoder) witnesses(v *source.Value, pointer, name string) (list []Witness) {
	for i, x := range d.list(v, pointer, name) {
		list = append(list, d.witness(x, fmt.Sprintf("%s/%s/%d", pointer, name, i)))
	}
	return list
}

func (d *decoder) witness(v *source.Value, pointer string) Witness {
	w := Witness{Pointer: pointer, Pos: v.Pos}
	if !d.object(v, pointer, witnessKeys...) {
		return w
	}
	w.Fixture, w.Schema, w.Note = d.text(v, pointer, "fixture", false), d.text(v, pointer, "schema", false), d.text(v, pointer, "note", false).Value
	w.Patch, w.Value, w.AsIs = v.Get("patch"), v.Get("value"), d.bool(v, pointer, "asIs")
	if v.Get("list") != nil {
		w.List = []Witness{} // of no document is a list too
	}
	for i, x := range d.list(v, pointer, "list") {
		w.List = append(w.List, d.witness(x, fmt.Sprintf("%s/list/%d", pointer, i)))
	}
	if v.Get("list") == nil && (w.Fixture.Value == "") == (w.Value == nil) {
		d.errorf(Text{Pos: v.Pos, Pointer: pointer}, "a witness has a fixture, a value or a list of them")
	}
	if w.Patch != nil && w.Patch.Kind != source.Array {
		d.errorf(Text{Pos: w.Patch.Pos, Pointer: pointer + "/patch"}, "a patch is a list of operations (RFC 6902)")
	}
	for i, x := range d.list(v, pointer, "also") {
		t := Text{x.Text, x.Pos, fmt.Sprintf("%s/also/%d", pointer, i)}
		if x.Kind != source.String {
			d.errorf(t, "the id of a rule is expected here")
		}
		w.Also = append(w.Also, t)
	}
	if old := v.Get("old"); old != nil {
		o := d.witness(old, pointer+"/old")
		w.Old = &o
	}
	return w
}

// closestRule suggests the id of a rule that is meant.
func (d *decoder) closestRule(id string) string {
	var ids []string
	for i := range d.reg.Rules {
		ids = append(ids, d.reg.Rules[i].ID.Value)
	}
	if best := spelling.Closest(id, ids); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return ""
}

// alsoKnown reports rules that witnesses name and that are not there.
func (d *decoder) alsoKnown() {
	ids := map[string]bool{}
	for i := range d.reg.Rules {
		ids[d.reg.Rules[i].ID.Value] = true
	}
	for i := range d.reg.Rules {
		for _, w := range d.reg.Rules[i].Invalid {
			for _, a := range w.Also {
				if a.Value != "" && !ids[a.Value] {
					d.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: a.Pos, Pointer: a.Pointer, Message: fmt.Sprintf("no rule has the id %.200q", a.Value), Hint: d.closestRule(a.Value)})
				}
			}
		}
	}
}

func (d *decoder) unique() {
	seen := map[string]diag.Pos{}
	for _, r := range d.reg.Rules {
		if at, taken := seen[r.ID.Value]; taken {
			d.diags.Add(diag.Diagnostic{Code: "rules.duplicate-id", Pos: r.ID.Pos, Pointer: r.ID.Pointer, Message: fmt.Sprintf("another rule has the id %.200q", r.ID.Value),
				Related: []diag.Related{{Pos: at, Message: "the other rule"}}})
			continue
		}
		seen[r.ID.Value] = r.ID.Pos
	}
}
