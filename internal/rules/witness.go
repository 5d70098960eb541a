package rules

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Case is a witness whose documents are at hand.
type Case struct {
	Rule    int // index in Set.Checked
	Valid   bool
	Pos     diag.Pos
	Pointer string
	Schema  model.Ref
	Docs    [][]byte // one; or all of a history or set
	Old     []byte   // the document before, of a transition
	Also    []Text   // rules that reject it too

	from *Witness // as written
}

// Cases reads the witnesses' documents. dir is the project's folder. What cannot be
// read is in the list.
func (s *Set) Cases(ctx context.Context, in *interp.Interp, dir string, lim source.Limits) ([]Case, diag.List) {
	r := &reader{Set: s, in: in, ctx: ctx, dir: dir, lim: lim, schemas: index(s.Model, path.Dir(s.Registry.Path)), files: map[string]*source.Value{}}
	var out []Case
	for i := range s.Checked {
		rule := s.Checked[i].Rule
		for _, valid := range []bool{true, false} {
			list := rule.Invalid
			if valid {
				list = rule.Valid
			}
			for k := range list {
				if c, ok := r.read(i, &list[k]); ok {
					c.Rule, c.Valid, c.Pos, c.Pointer, c.Also, c.from = i, valid, list[k].Pos, list[k].Pointer, list[k].Also, &list[k]
					out = append(out, c)
				}
			}
		}
	}
	r.diags.Sort()
	return out, r.diags
}

type reader struct {
	*Set
	in      *interp.Interp
	ctx     context.Context
	dir     string
	lim     source.Limits
	schemas map[string][]model.Ref
	files   map[string]*source.Value
	diags   diag.List
}

func (r *reader) errorf(w *Witness, format string, args ...any) {
	r.diags.Errorf(w.Pos, w.Pointer, "rules.witness", format, args...)
}

func (r *reader) hinted(w *Witness, hint, format string, args ...any) {
	r.diags.Add(diag.Diagnostic{Code: "rules.witness", Pos: w.Pos, Pointer: w.Pointer, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *reader) read(rule int, w *Witness) (c Case, ok bool) {
	scope := r.Checked[rule].Rule.Scope
	if scope == History || scope == Collection {
		if w.List == nil {
			r.errorf(w, "a witness of a %s is a list", scope)
			return c, false
		}
		for i := range w.List {
			doc, schema, ok := r.document(rule, &w.List[i])
			if !ok {
				return c, false
			}
			c.Docs, c.Schema = append(c.Docs, doc), schema
		}
		if len(w.List) == 0 {
			c.Schema = r.Checked[rule].Schemas[0]
		}
		return c, true
	}
	doc, schema, ok := r.document(rule, w)
	if !ok {
		return c, false
	}
	c.Docs, c.Schema = [][]byte{doc}, schema
	if scope == Transition && w.Old == nil && !r.Checked[rule].Rule.OptionalOldSelf {
		r.errorf(w, "a witness of a transition has the document before in old")
		return c, false
	}
	if w.Old != nil {
		if c.Old, _, ok = r.document(rule, w.Old); !ok {
			return c, false
		}
	}
	return c, true
}

// document returns the text of one document and its schema.
func (r *reader) document(rule int, w *Witness) ([]byte, model.Ref, bool) {
	v, schema := w.Value, r.Checked[rule].Schemas[0]
	if w.Fixture.Value != "" {
		if v = r.fixture(w); v == nil {
			return nil, 0, false
		}
		if schema = r.schemaOf(w, v); schema == 0 && w.Schema.Value == "" {
			r.errorf(w, "it is not clear what the fixture is: say it with schema")
			return nil, 0, false
		}
	}
	if w.Schema.Value != "" {
		refs := r.schemas[w.Schema.Value]
		if refs == nil {
			r.hinted(w, spelling.Ask(w.Schema.Value, slices.Sorted(maps.Keys(r.schemas)), ""), "the contract has no schema %.200q", w.Schema.Value)
			return nil, 0, false
		}
		schema = refs[0]
	}
	changed, err := apply(v, w.Patch)
	if err != nil {
		r.errorf(w, "the patch cannot be applied: %v", err)
		return nil, 0, false
	}
	if !w.AsIs {
		if changed, err = r.filled(r.in, schema, changed); err != nil {
			r.errorf(w, "its derived members cannot be filled in: %v", err)
			return nil, 0, false
		}
	}
	return source.AppendJSON(nil, changed), schema, true
}

// fixture reads a file below the registry's folder, or in fixtures/ there.
func (r *reader) fixture(w *Witness) *source.Value {
	name := w.Fixture.Value
	if !strings.Contains(name, "/") {
		name = "fixtures/" + name
	}
	full := path.Join(path.Dir(r.Registry.Path), name)
	if !filepath.IsLocal(filepath.FromSlash(full)) {
		r.errorf(w, "the fixture lies outside the project")
		return nil
	}
	if v, seen := r.files[full]; seen {
		return v
	}
	set, err := source.Load(r.ctx, r.dir, []string{full}, r.lim)
	if err != nil {
		r.hinted(w, r.fixtureHint(full), "%v", err)
		return nil
	}
	v := set.Documents()[0].Root
	r.files[full] = v
	return v
}

// fixtureHint is about a fixture that cannot be read: one beside it may have been meant.
func (r *reader) fixtureHint(file string) string {
	const most = 10_000
	dir, err := os.Open(filepath.Join(r.dir, filepath.FromSlash(path.Dir(file))))
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, err := dir.Readdirnames(most)
	if err != nil {
		return ""
	}
	slices.Sort(names)
	return spelling.Ask(path.Base(file), names, "")
}

// schemaOf finds the document schema of a fixture: by the member that names it, or
// by the file's name.
func (r *reader) schemaOf(w *Witness, v *source.Value) model.Ref {
	m := r.Model
	if m.Dispatch != "" {
		if id := v.Get(m.Dispatch); id != nil && id.Kind == source.String {
			for i := range m.Documents {
				if m.Documents[i].ID == id.Text {
					return m.Documents[i].Root
				}
			}
		}
	}
	base := path.Base(w.Fixture.Value)
	for i := range m.Documents {
		stem, _, _ := strings.Cut(path.Base(m.Documents[i].Path), ".")
		if strings.HasPrefix(base, stem+".") {
			return m.Documents[i].Root
		}
	}
	return 0
}

// Outcome is what rules say of a case: the ids that object, with the paths.
type Outcome struct {
	Structure contract.Issues // not empty: the rules were not asked
	Issues    contract.Issues
}

// Judge runs a case with the interpreter.
func (e *Evaluator) Judge(c *Case) Outcome {
	rule := e.set.Checked[c.Rule].Rule
	docs := make([][]byte, len(c.Docs))
	for i, d := range c.Docs {
		if issues := e.in.Validate(c.Schema, d); issues != nil {
			return Outcome{Structure: issues}
		}
		docs[i] = e.in.Complete(c.Schema, d)
	}
	if c.Old != nil {
		if issues := e.in.Validate(c.Schema, c.Old); issues != nil {
			return Outcome{Structure: issues}
		}
	}
	switch {
	case rule.Scope == History || rule.Scope == Collection:
		return Outcome{Issues: e.List(rule.Scope, c.Schema, docs)}
	case c.Old != nil:
		return Outcome{Issues: e.Transition(c.Schema, e.in.Complete(c.Schema, c.Old), docs[0])}
	}
	return Outcome{Issues: e.Validate(c.Schema, docs[0])}
}

// Verify reports what is wrong with the outcome of a case.
func (s *Set) Verify(c *Case, o Outcome) diag.List {
	var out diag.List
	id := s.Checked[c.Rule].Rule.ID.Value
	report := func(format string, args ...any) {
		out.Add(diag.Diagnostic{Code: "rules.witness", Pos: c.Pos, Pointer: c.Pointer, Message: id + ": " + fmt.Sprintf(format, args...)})
	}
	if len(o.Structure) > 0 {
		if c.Valid {
			report("the witness breaks its schema: %s", o.Structure[0])
		} else {
			report("the schema rejects the witness already, so that the rule is never asked: %s", o.Structure[0])
		}
		return out
	}
	mine := 0
	others := map[string]bool{}
	for _, a := range c.Also {
		others[a.Value] = true
	}
	for _, a := range c.Also {
		if !slices.ContainsFunc(o.Issues, func(i contract.Issue) bool { return string(i.Code) == a.Value }) {
			report("the witness is not rejected by the rule %s", a.Value)
		}
	}
	for _, issue := range o.Issues {
		switch {
		case others[string(issue.Code)] && string(issue.Code) != id:
		case string(issue.Code) == id && c.Valid:
			report("a valid witness is rejected: %s", issue)
		case string(issue.Code) == id:
			mine++
		default:
			report("the witness is rejected by the rule %s too: %s", issue.Code, issue)
		}
	}
	if !c.Valid && mine == 0 {
		report("an invalid witness is accepted")
	}
	return out
}
