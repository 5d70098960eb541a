package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"

	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Suggestion is a witness that notices mutants which none noticed before.
type Suggestion struct {
	Rule    string
	Valid   bool
	Text    string // as an entry of a witness list: JSON, which is YAML
	Noticed []string

	Case Case // the documents
}

// maxTries bounds how many documents are tried for one rule.
const maxTries = 6000

// Suggest searches for witnesses that notice the surviving mutants: small edits of
// the fixtures and of the witnesses that are there. It is deterministic.
func (s *Set) Suggest(ctx context.Context, in *interp.Interp, cases []Case, dir, only string, lim source.Limits) ([]Suggestion, error) {
	e, err := s.Evaluator(in)
	if err != nil {
		return nil, err
	}
	f := &finder{Set: s, e: e, in: in, cases: cases, pool: map[model.Ref][]*source.Value{}}
	f.fixtures(ctx, dir, lim)
	var out []Suggestion
	for i := range s.Checked {
		c := &s.Checked[i]
		if c.check == nil && c.offenders == nil || !strings.HasPrefix(c.Rule.ID.Value, only) || c.Rule.Scope == History || c.Rule.Scope == Collection {
			continue
		}
		var mine []Case
		for _, k := range cases {
			if k.Rule == i {
				mine = append(mine, k)
			}
		}
		found, err := f.rule(ctx, i, mine)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, ctx.Err()
}

type finder struct {
	*Set
	e     *Evaluator
	in    *interp.Interp
	docs  []fixture
	cases []Case
	pool  map[model.Ref][]*source.Value // values seen at a schema
}

type fixture struct {
	name   string
	schema model.Ref
	value  *source.Value
}

// fixtures reads the valid documents beside the registry.
func (f *finder) fixtures(ctx context.Context, dir string, lim source.Limits) {
	folder := path.Join(path.Dir(f.Registry.Path), "fixtures")
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
	if err != nil {
		return
	}
	r := &reader{Set: f.Set, ctx: ctx, dir: dir, lim: lim, schemas: index(f.Model, path.Dir(f.Registry.Path)), files: map[string]*source.Value{}}
	for _, entry := range entries {
		if !strings.Contains(entry.Name(), ".valid.") {
			continue
		}
		w := &Witness{Fixture: Text{Value: entry.Name()}}
		v := r.fixture(w)
		if v == nil {
			continue
		}
		if schema := r.schemaOf(w, v); schema != 0 {
			f.docs = append(f.docs, fixture{entry.Name(), schema, v})
			f.collect(schema, v, 0)
		}
	}
}

// collect notes the values at each schema.
func (f *finder) collect(r model.Ref, v *source.Value, depth int) {
	if r == 0 || depth > 60 {
		return
	}
	if list := f.pool[r]; len(list) < 40 {
		f.pool[r] = append(list, v)
	}
	s := f.Model.Schema(r)
	f.collect(s.Ref, v, depth+1)
	for _, list := range [][]model.Ref{s.AllOf, s.AnyOf, s.OneOf} {
		for _, a := range list {
			if f.in.Validate(a, source.AppendJSON(nil, v)) == nil {
				f.collect(a, v, depth+1)
			}
		}
	}
	switch v.Kind {
	case source.Object:
		for _, p := range s.Properties {
			if x := v.Get(p.Name); x != nil {
				f.collect(p.Schema, x, depth+1)
			}
		}
	case source.Array:
		for _, x := range v.Items {
			f.collect(s.Items, x, depth+1)
		}
	}
}

// trial is a document to be tried, and of a transition the one before: what stands in
// a witness or fixture, changed further.
type trial struct {
	doc, old side
}

type side struct {
	from  *Witness
	base  *source.Value // what from says; nil where there is nothing before
	patch []edit
}

// with returns t with more edits.
func (t trial) with(doc, old []edit) trial {
	t.doc.patch, t.old.patch = doc, old
	return t
}

type edit struct {
	op, path string
	value    *source.Value
}

func (f *finder) rule(ctx context.Context, i int, mine []Case) (out []Suggestion, err error) {
	c := &f.Checked[i]
	id := c.Rule.ID.Value
	original := f.e.programs[i]
	defer func() { f.e.programs[i] = original }()
	var alive []mutant
	for _, m := range f.mutants(c) {
		if _, known := c.Rule.Equivalent[m.what]; !known {
			alive = append(alive, m)
		}
	}
	programs := make([]programs, len(alive))
	for k, m := range alive {
		p, err := f.mutated(original, m)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", id, m.what, err)
		}
		programs[k] = p
	}
	one := f.e.just(i)
	notices := func(w *Case) (noticed []string) {
		f.e.programs[i] = original
		before := trace(one, w, id)
		for k := 0; k < len(alive); k++ {
			f.e.programs[i] = programs[k]
			if trace(one, w, id) != before {
				noticed = append(noticed, alive[k].what)
				alive, programs = slices.Delete(alive, k, k+1), slices.Delete(programs, k, k+1)
				k--
			}
		}
		f.e.programs[i] = original
		return noticed
	}
	for k := range mine {
		notices(&mine[k])
	}
	wanted := slices.Clone(programs)
	defer func() {
		out = f.fewest(one, i, original, wanted, out)
	}()
	need := map[bool]bool{true: len(c.Rule.Valid) == 0, false: len(c.Rule.Invalid) == 0}
	rnd := rand.New(rand.NewPCG(uint64(len(id)), 17))
	tries := 0
	seen := map[string]bool{}
	try := func(t trial) bool {
		if tries++; tries > maxTries || len(alive) == 0 && !need[true] && !need[false] || ctx.Err() != nil {
			return false
		}
		text, old := f.whole(c.Schemas[0], t.doc), f.whole(c.Schemas[0], t.old)
		if text == nil || old == nil && t.old.base != nil {
			return true // the edits do not go together
		}
		w := Case{Rule: i, Schema: c.Schemas[0], Docs: [][]byte{text}, Old: old}
		key := string(text) + "\x00" + string(old)
		if seen[key] {
			return true
		}
		seen[key] = true
		o := f.e.Judge(&w)
		if len(o.Structure) > 0 {
			return true
		}
		valid := len(o.Issues) == 0
		for _, issue := range o.Issues {
			if string(issue.Code) != id {
				return true
			}
		}
		noticed := notices(&w)
		if len(noticed) > 0 || need[valid] {
			need[valid] = false
			out = append(out, Suggestion{id, valid, t.text(), noticed, w})
		}
		return true
	}
	bases := f.bases(i)
	near := min(len(bases), maxBases)
	consts := c.constants()
	edits := make([][]edit, near)
	for _, t := range bases {
		if !try(t) {
			return out, nil
		}
	}
	change := c.Rule.Scope == Transition
	for k, t := range bases[:near] {
		edits[k] = f.edits(c.Schemas[0], t.doc.base, consts)
		for _, ed := range edits[k] {
			for way := range ways(change) {
				if !try(t.edited(way, []edit{ed})) {
					return out, nil
				}
			}
		}
	}
	for near > 0 && tries < maxTries {
		k := rnd.IntN(near)
		if len(edits[k]) == 0 {
			tries++
			continue
		}
		var patch []edit
		for n := 2 + rnd.IntN(2); n > 0; n-- {
			patch = append(patch, edits[k][rnd.IntN(len(edits[k]))])
		}
		if !try(bases[k].edited(rnd.IntN(ways(change)), patch)) {
			break
		}
	}
	return out, nil
}

// fewest leaves out suggestions that notice nothing which others do not notice: a later
// one often covers what an earlier was found for. one judges by the rule i alone, whose mutants
// that nobody noticed before are wanted.
func (f *finder) fewest(one *Evaluator, i int, original programs, wanted []programs, found []Suggestion) []Suggestion {
	if len(found) < 2 {
		return found
	}
	defer func() { f.e.programs[i] = original }()
	c := &f.Checked[i]
	notices := make([][]int, len(found))
	kind := map[bool]int{true: len(c.Rule.Valid), false: len(c.Rule.Invalid)}
	for k := range found {
		f.e.programs[i] = original
		before := trace(one, &found[k].Case, c.Rule.ID.Value)
		for m := range wanted {
			f.e.programs[i] = wanted[m]
			if trace(one, &found[k].Case, c.Rule.ID.Value) != before {
				notices[k] = append(notices[k], m)
			}
		}
	}
	valid := make([]bool, len(found))
	for k := range found {
		valid[k] = found[k].Valid
	}
	var kept []Suggestion
	for _, k := range needed(valid, notices, kind) {
		kept = append(kept, found[k])
	}
	return kept
}

// needed returns which of several suggestions are kept: none all of whose mutants others
// notice, unless it is the only one of its kind. have counts the witnesses that there are.
func needed(valid []bool, notices [][]int, have map[bool]int) (kept []int) {
	times, kind := map[int]int{}, map[bool]int{true: have[true], false: have[false]}
	for k, list := range notices {
		kind[valid[k]]++
		for _, m := range list {
			times[m]++
		}
	}
	for k, list := range notices {
		if kind[valid[k]] < 2 || slices.ContainsFunc(list, func(m int) bool { return times[m] < 2 }) {
			kept = append(kept, k)
			continue
		}
		kind[valid[k]]--
		for _, m := range list {
			times[m]--
		}
	}
	return kept
}

// constants are what a rule compares with: where its verdict may change.
type constants struct {
	numbers []int64 // with those beside them
	texts   []*source.Value
}

// constants collects the literals of a rule.
func (c *Checked) constants() (out constants) {
	const most = 12
	visit := ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind {
			return
		}
		switch x := e.AsLiteral().(type) {
		case types.Int:
			for _, k := range []int64{int64(x), int64(x) + 1, int64(x) - 1} {
				if len(out.numbers) < most && !slices.Contains(out.numbers, k) {
					out.numbers = append(out.numbers, k)
				}
			}
		case types.String:
			if len(out.texts) < most && !slices.ContainsFunc(out.texts, func(y *source.Value) bool { return y.Text == string(x) }) {
				out.texts = append(out.texts, &source.Value{Kind: source.String, Text: string(x)})
			}
		}
	})
	for _, a := range append([]*cel.Ast{c.check, c.offenders}, c.binders...) {
		if a != nil {
			ast.PreOrderVisit(a.NativeRep().Expr(), visit)
		}
	}
	return out
}

// ways is how many ways there are to edit a trial.
func ways(change bool) int {
	if change {
		return 3
	}
	return 1
}

// edited changes the document, both documents alike, or the one before alone.
func (t trial) edited(way int, patch []edit) trial {
	switch way {
	case 1:
		return t.with(patch, patch)
	case 2:
		return t.with(nil, patch)
	}
	return t.with(patch, nil)
}

// Bounds of where the search starts.
const (
	maxBases  = 12  // bases that are edited
	maxBorrow = 600 // witnesses of other rules that are tried as they are
)

// bases lists where the search for the rule i starts: its own witnesses, the fixtures,
// and then the witnesses of other rules.
func (f *finder) bases(i int) (out []trial) {
	c := &f.Checked[i]
	schema, change := c.Schemas[0], c.Rule.Scope == Transition
	borrowed := 0
	take := func(w *Case) {
		if w.Schema != schema || len(w.Docs) != 1 || w.from == nil || (w.Old != nil) != change {
			return
		}
		t := trial{doc: side{from: w.from, base: reread(w.Docs[0])}}
		if change {
			t.old = side{from: w.from.Old, base: reread(w.Old)}
		}
		if t.doc.base != nil && (t.old.base != nil) == change {
			out = append(out, t)
		}
	}
	for k := range f.cases {
		if f.cases[k].Rule == i && len(f.cases[k].Also) == 0 {
			take(&f.cases[k])
		}
	}
	if len(out) > maxBases/2 {
		out = out[:maxBases/2]
	}
	root := false
	for _, d := range f.docs {
		if d.schema != schema {
			continue
		}
		root = true
		t := trial{doc: side{from: &Witness{Fixture: Text{Value: d.name}}, base: d.value}}
		if change {
			t.old = t.doc
		}
		out = append(out, t)
	}
	for _, v := range f.pool[schema] {
		if root {
			break
		}
		t := trial{doc: side{from: &Witness{}, base: v}}
		if change {
			t.old = t.doc
		}
		out = append(out, t)
	}
	for k := range f.cases {
		w := &f.cases[k]
		if w.Rule != i && w.Valid && borrowed < maxBorrow {
			borrowed++
			take(w)
		}
	}
	return out
}

func reread(text []byte) *source.Value {
	doc, err := source.Parse("witness.json", text, source.Limits{})
	if err != nil {
		return nil
	}
	return doc.Root
}

// whole is the text of the document with its derived members filled in, nil when there
// is none or it cannot be made.
func (f *finder) whole(r model.Ref, s side) []byte {
	text := s.value()
	if text == nil || len(f.fill[r]) == 0 {
		return text
	}
	doc, err := source.Parse("witness.json", text, source.Limits{})
	if err != nil {
		return nil
	}
	v, err := f.filled(f.in, r, doc.Root)
	if err != nil {
		return nil
	}
	return source.AppendJSON(nil, v)
}

// value is the text of the document, nil when there is none or it cannot be made.
func (s side) value() []byte {
	if s.base == nil {
		return nil
	}
	v := s.base
	if len(s.patch) > 0 {
		var err error
		if v, err = apply(s.base, patchOf(s.patch)); err != nil {
			return nil
		}
	}
	return source.AppendJSON(nil, v)
}

func patchOf(list []edit) *source.Value {
	str := func(s string) *source.Value { return &source.Value{Kind: source.String, Text: s} }
	out := &source.Value{Kind: source.Array}
	for _, e := range list {
		op := &source.Value{Kind: source.Object, Members: []source.Member{{Name: "op", Value: str(e.op)}, {Name: "path", Value: str(e.path)}}}
		if e.value != nil {
			op.Members = append(op.Members, source.Member{Name: "value", Value: e.value})
		}
		out.Items = append(out.Items, op)
	}
	return out
}

// text is the witness as an entry of a list.
func (t trial) text() string {
	out := t.doc.text()
	if t.old.base != nil {
		out += `,"old":{` + t.old.text() + `}`
	}
	return "{" + out + "}"
}

// text has the members that say what the document is.
func (s side) text() string {
	if s.from.Fixture.Value == "" {
		return `"value":` + string(s.value())
	}
	out := `"fixture":` + strconv.Quote(s.from.Fixture.Value)
	if s.from.Schema.Value != "" {
		out += `,"schema":` + strconv.Quote(s.from.Schema.Value)
	}
	patch := patchOf(s.patch)
	if s.from.Patch != nil {
		patch.Items = append(append([]*source.Value{}, s.from.Patch.Items...), patch.Items...)
	}
	if len(patch.Items) > 0 {
		out += `,"patch":` + string(source.AppendJSON(nil, patch))
	}
	return out
}

// edits lists small changes of a value by its schema.
func (f *finder) edits(r model.Ref, v *source.Value, consts constants) (out []edit) {
	strs := slices.Clone(consts.texts) // and what stands elsewhere, for rules that compare
	var gather func(x *source.Value, depth int)
	gather = func(x *source.Value, depth int) {
		switch x.Kind {
		case source.String:
			if len(strs) < 24 && !slices.ContainsFunc(strs, func(y *source.Value) bool { return y.Text == x.Text }) {
				strs = append(strs, x)
			}
		case source.Object:
			for i := range x.Members {
				gather(x.Members[i].Value, depth+1)
			}
		case source.Array:
			for _, y := range x.Items {
				gather(y, depth+1)
			}
		}
	}
	gather(v, 0)
	var visit func(r model.Ref, x *source.Value, at string, depth int)
	visit = func(r model.Ref, x *source.Value, at string, depth int) {
		if r == 0 || depth > 40 || len(out) > 1500 {
			return
		}
		s := f.Model.Schema(r)
		for _, l := range s.Enum {
			if doc, err := source.Parse("e.json", []byte(l.JSON), source.Limits{}); err == nil {
				out = append(out, edit{"replace", at, doc.Root})
			}
		}
		if s.Use.Nullable {
			out = append(out, edit{"replace", at, &source.Value{Kind: source.Null}})
		}
		for i, p := range f.pool[r] {
			if i < 6 && x.Kind != source.Object {
				out = append(out, edit{"replace", at, p})
			}
		}
		switch x.Kind {
		case source.Bool:
			out = append(out, edit{"replace", at, &source.Value{Kind: source.Bool, Bool: !x.Bool}})
		case source.Number:
			if n, err := strconv.ParseInt(x.Text, 10, 64); err == nil {
				for _, k := range slices.Concat([]int64{n + 1, n - 1, 0, 1}, consts.numbers) {
					out = append(out, edit{"replace", at, &source.Value{Kind: source.Number, Text: strconv.FormatInt(k, 10)}})
				}
			}
		case source.String:
			if depth == 0 {
				break
			}
			for _, o := range strs {
				if len(s.Enum) == 0 && s.Const == nil && o.Text != x.Text {
					out = append(out, edit{"replace", at, o})
				}
			}
			out = append(out, edit{"replace", at, &source.Value{Kind: source.String, Text: x.Text + "x"}}, edit{"replace", at, &source.Value{Kind: source.String, Text: ""}})
			if contract.IsDateTime([]byte(x.Text)) || strings.HasSuffix(x.Text, "Z") {
				for _, t := range []string{"1999-01-01T00:00:00Z", "2099-01-01T00:00:00Z", "2099-01-01T00:00Z"} {
					out = append(out, edit{"replace", at, &source.Value{Kind: source.String, Text: t}})
				}
			}
		case source.Array:
			out = append(out, edit{"replace", at, &source.Value{Kind: source.Array}})
			for i, y := range x.Items {
				place := at + "/" + strconv.Itoa(i)
				out = append(out, edit{"remove", place, nil}, edit{"add", at + "/-", y})
				visit(s.Items, y, place, depth+1)
			}
			if len(x.Items) > 1 {
				out = append(out, edit{"add", at + "/0", x.Items[len(x.Items)-1]})
			}
			for i, p := range f.pool[s.Items] {
				if i < 6 {
					out = append(out, edit{"add", at + "/-", p})
				}
			}
		case source.Object:
			for _, p := range s.Properties {
				place := at + "/" + source.EscapeToken(p.Name)
				if y := x.Get(p.Name); y != nil {
					out = append(out, edit{"remove", place, nil})
					visit(p.Schema, y, place, depth+1)
					continue
				}
				for i, y := range f.pool[p.Schema] {
					if i < 4 {
						out = append(out, edit{"add", place, y})
					}
				}
				if len(f.pool[p.Schema]) == 0 {
					if y := f.sample(p.Schema, 0); y != nil {
						out = append(out, edit{"add", place, y})
					}
				}
			}
		}
		visit(s.Ref, x, at, depth+1)
		for _, list := range [][]model.Ref{s.AllOf, s.AnyOf, s.OneOf} {
			for _, a := range list {
				visit(a, x, at, depth+1)
			}
		}
	}
	visit(r, v, "", 0)
	return out
}

// sample makes a small value of a schema that no fixture has.
func (f *finder) sample(r model.Ref, depth int) *source.Value {
	if r == 0 || depth > 12 {
		return nil
	}
	if list := f.pool[r]; len(list) > 0 {
		return list[0]
	}
	s := f.Model.Schema(r)
	parse := func(text string) *source.Value {
		doc, err := source.Parse("s.json", []byte(text), source.Limits{})
		if err != nil {
			return nil
		}
		return doc.Root
	}
	switch {
	case s.Default != nil:
		return parse(s.Default.JSON)
	case s.Const != nil:
		return parse(s.Const.JSON)
	case len(s.Enum) > 0:
		return parse(s.Enum[0].JSON)
	case s.Ref != 0:
		return f.sample(s.Ref, depth+1)
	case len(s.OneOf) > 0:
		return f.sample(s.OneOf[0], depth+1)
	case len(s.AnyOf) > 0:
		return f.sample(s.AnyOf[0], depth+1)
	case s.Types&model.KindString != 0:
		return &source.Value{Kind: source.String, Text: "x"}
	case s.Types&(model.KindInteger|model.KindNumber) != 0:
		return &source.Value{Kind: source.Number, Text: "1"}
	case s.Types&model.KindBool != 0:
		return &source.Value{Kind: source.Bool, Bool: true}
	case s.Types&model.KindArray != 0:
		return &source.Value{Kind: source.Array}
	case s.Types&model.KindObject != 0:
		out := &source.Value{Kind: source.Object}
		for _, p := range s.Properties {
			if slices.Contains(s.Required, p.Name) {
				y := f.sample(p.Schema, depth+1)
				if y == nil {
					return nil
				}
				out.Members = append(out.Members, source.Member{Name: p.Name, Value: y})
			}
		}
		return out
	}
	return nil
}
