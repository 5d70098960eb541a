package rules

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Keyword is what issues of rules name as their keyword, unless the contract says otherwise.
const Keyword = "x-invariants"

// maxCost bounds what one evaluation may cost, in cel-go's units.
const maxCost = 50_000_000

// Evaluator runs a Set with cel-go's interpreter. It is safe for concurrent use.
type Evaluator struct {
	set      *Set
	in       *interp.Interp
	programs []programs
	bySchema map[model.Ref][]int // index in set.Checked
	leads    []bool
}

type programs struct {
	check, offenders, message cel.Program
	binders                   []cel.Program
	path                      []cel.Program // nil for names
}

// Evaluator prepares the rules; in checks structure, which tells alternatives apart.
func (s *Set) Evaluator(in *interp.Interp) (*Evaluator, error) {
	e := &Evaluator{set: s, in: in, bySchema: map[model.Ref][]int{}, leads: Leads(s.Model, Document, Transition), programs: make([]programs, len(s.Checked))}
	for i := range s.Checked {
		c := &s.Checked[i]
		for _, r := range c.Schemas {
			e.bySchema[r] = append(e.bySchema[r], i)
		}
		var err error
		program := func(a *cel.Ast) cel.Program {
			if a == nil || err != nil {
				return nil
			}
			var p cel.Program
			p, err = s.base.Program(a, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(maxCost))
			return p
		}
		p := &e.programs[i]
		p.check, p.offenders, p.message = program(c.check), program(c.offenders), program(c.message)
		for _, b := range c.binders {
			p.binders = append(p.binders, program(b))
		}
		for _, part := range c.path {
			p.path = append(p.path, program(part.ast))
		}
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", c.Rule.ID.Value, err)
		}
	}
	return e, nil
}

// just returns an Evaluator of one rule, index in set.Checked, which shares its programs.
func (e *Evaluator) just(i int) *Evaluator {
	one := *e
	one.bySchema = map[model.Ref][]int{}
	leads := make([]bool, len(e.set.Model.Schemas))
	for _, r := range e.set.Checked[i].Schemas {
		one.bySchema[r] = []int{i}
		leads[r] = true
	}
	one.leads = spread(e.set.Model, leads)
	return &one
}

// Validate returns the violations of a document that has passed its structure.
func (e *Evaluator) Validate(r model.Ref, data []byte) contract.Issues {
	return e.run(r, data, nil)
}

// Transition returns the violations of a document that takes the place of old:
// those of the document itself and those of the change.
func (e *Evaluator) Transition(r model.Ref, old, data []byte) contract.Issues {
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(old, contract.Limits{}); issues != nil {
		return issues
	}
	return e.run(r, data, &v.Doc)
}

func (e *Evaluator) run(r model.Ref, data []byte, old *contract.Doc) contract.Issues {
	if !e.leads[r] {
		return nil
	}
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(data, contract.Limits{}); issues != nil {
		return issues
	}
	w := &walk{e: e, v: v, old: old, seen: map[string]bool{}}
	if old != nil {
		w.update = true
	}
	w.schema(r, contract.Root, contract.Root, old != nil)
	return w.issues
}

// List returns the violations of a list of documents, which is a history or a set:
// those of each document by itself, or where there are none, those of the whole and, in
// a history, of each change. Paths start with the index of the document, of a change
// with that of the later one.
func (e *Evaluator) List(scope Scope, r model.Ref, docs [][]byte) contract.Issues {
	var issues contract.Issues
	var list []ref.Val
	add := func(i int, found contract.Issues) {
		for _, issue := range found {
			issue.Path = fmt.Sprintf("/%d%s", i, issue.Path)
			issues = append(issues, issue)
		}
	}
	sound := make([]bool, len(docs))
	for i, data := range docs {
		before := len(issues)
		add(i, e.Validate(r, data))
		sound[i] = len(issues) == before
		v := contract.Acquire()
		defer v.Release()
		if bad := v.Load(data, contract.Limits{}); bad != nil {
			return bad
		}
		list = append(list, e.set.t.value(&v.Doc, contract.Root, e.set.t.schema(r)))
	}
	if issues != nil && scope != History {
		return issues
	}
	w := &walk{e: e, seen: map[string]bool{}}
	for _, i := range e.bySchema[r] {
		if e.set.Checked[i].Rule.Scope == scope && issues == nil {
			w.bound = r
			w.rule(i, map[string]any{"self": types.NewRefValList(types.DefaultTypeAdapter, list)}, "", 0)
		}
	}
	issues = append(issues, w.issues...)
	for i := 1; i < len(docs) && scope == History; i++ {
		if sound[i-1] && sound[i] {
			add(i, e.Transition(r, docs[i-1], docs[i]))
		}
	}
	return issues
}

// walk goes through a document by its schema.
type walk struct {
	e      *Evaluator
	v      *contract.Validator
	old    *contract.Doc
	update bool
	bound  model.Ref // the schema whose rules are evaluated
	issues contract.Issues
	seen   map[string]bool
}

func (w *walk) probe(n contract.Node, r model.Ref) bool {
	state := w.v.Probe()
	defer w.v.Resume(state)
	return w.e.in.Check(r)(w.v, n)
}

// schema applies the rules at and below r to n; was is the value before, if had.
func (w *walk) schema(r model.Ref, n, was contract.Node, had bool) {
	if r == 0 || !w.e.leads[r] {
		return
	}
	s := w.e.set.Model.Schema(r)
	switch w.v.Kind(n) {
	case contract.Object:
		w.object(s, n, was, had)
	case contract.Array:
		w.array(s, n, was, had)
	}
	w.schema(s.Ref, n, was, had)
	for _, a := range s.AllOf {
		w.schema(a, n, was, had)
	}
	for _, list := range [][]model.Ref{s.AnyOf, s.OneOf} {
		for _, a := range list {
			if w.e.leads[a] && w.probe(n, a) {
				w.schema(a, n, was, had)
			}
		}
	}
	if s.If != 0 && (s.Then != 0 && w.e.leads[s.Then] || s.Else != 0 && w.e.leads[s.Else]) {
		if w.probe(n, s.If) {
			w.schema(s.Then, n, was, had)
		} else {
			w.schema(s.Else, n, was, had)
		}
	}
	if w.v.Kind(n) == contract.Null && s.Use.Nullable {
		return // rules speak of values that are there
	}
	for _, i := range w.e.bySchema[r] {
		w.bound = r
		w.document(i, n, was, had)
	}
}

func (w *walk) object(s *model.Schema, n, was contract.Node, had bool) {
	for _, d := range s.DependentSchemas {
		if _, there := w.v.Member(n, d.Name); there {
			w.schema(d.Schema, n, was, had)
		}
	}
	child := func(k contract.Node, name string, r model.Ref) {
		if !w.e.leads[r] {
			return
		}
		old, there := contract.Node(0), false
		if had {
			old, there = w.old.Member(was, name)
		}
		w.schema(r, k+1, old, there)
	}
	known := map[string]bool{}
	for _, p := range s.Properties {
		known[p.Name] = true
		if at, there := w.v.Member(n, p.Name); there {
			child(at-1, p.Name, p.Schema)
		}
	}
	if len(s.PatternProperties) == 0 && (s.AdditionalProperties == 0 || !w.e.leads[s.AdditionalProperties]) {
		return
	}
	for k := n + 1; k < w.v.Next(n); k = w.v.Next(k + 1) {
		name := string(w.v.Text(k))
		evaluated := known[name]
		for _, p := range s.PatternProperties {
			if w.e.in.Pattern(p.Pattern).MatchString(name) {
				evaluated = true
				child(k, name, p.Schema)
			}
		}
		if !evaluated && s.AdditionalProperties != 0 {
			child(k, name, s.AdditionalProperties)
		}
	}
}

func (w *walk) array(s *model.Schema, n, was contract.Node, had bool) {
	i := 0
	for k := n + 1; k < w.v.Next(n); k, i = w.v.Next(k), i+1 {
		r := s.Items
		if i < len(s.PrefixItems) {
			r = s.PrefixItems[i]
		}
		old, there := contract.Node(0), false
		if had && len(s.ListMapKeys) > 0 {
			old, there = contract.SameEntry(&w.v.Doc, k, w.old, was, s.ListMapKeys)
		}
		w.schema(r, k, old, there)
		if s.Contains != 0 && w.e.leads[s.Contains] && w.probe(k, s.Contains) {
			w.schema(s.Contains, k, 0, false)
		}
	}
}

// document evaluates one rule at n.
func (w *walk) document(i int, n, was contract.Node, had bool) {
	c := &w.e.set.Checked[i]
	vars := map[string]any{}
	switch c.Rule.Scope {
	case Document:
	case Transition:
		var old ref.Val
		if had {
			old = w.e.set.t.value(w.old, was, c.Self)
		}
		switch {
		case c.Rule.OptionalOldSelf && had && old != types.NullValue:
			vars["oldSelf"] = types.OptionalOf(old)
		case c.Rule.OptionalOldSelf:
			vars["oldSelf"] = types.OptionalNone
		case !had || old == types.NullValue:
			return
		default:
			vars["oldSelf"] = old
		}
	default:
		return
	}
	vars["self"] = w.e.set.t.value(&w.v.Doc, n, c.Self)
	w.rule(i, vars, w.v.Pointer(n), w.v.Offset(n))
}

func (w *walk) rule(i int, vars map[string]any, at string, offset int) {
	c, p := &w.e.set.Checked[i], &w.e.programs[i]
	if c.Rule.Native != "" {
		return
	}
	w.bind(c, p, 0, vars, at, offset)
}

// bind goes through the loops of forEach and evaluates the rule within.
func (w *walk) bind(c *Checked, p *programs, depth int, vars map[string]any, at string, offset int) {
	if depth < len(p.binders) {
		b := c.Rule.ForEach[depth]
		list := eval(p.binders[depth], vars)
		if types.IsError(list) {
			w.violated(c, p, depth, vars, at, offset, list)
			return
		}
		each := func(index, value ref.Val) {
			inner := make(map[string]any, len(vars)+2)
			for k, v := range vars {
				inner[k] = v
			}
			inner[b.As.Value] = value
			if b.Index.Value != "" {
				inner[b.Index.Value] = index
			}
			w.bind(c, p, depth+1, inner, at, offset)
		}
		switch l := list.(type) {
		case traits.Lister:
			k := int64(0)
			for it := l.Iterator(); it.HasNext() == types.True; k++ {
				each(types.Int(k), it.Next())
			}
		case traits.Mapper:
			for it := l.Iterator(); it.HasNext() == types.True; {
				key := it.Next()
				if b.Index.Value == "" {
					each(nil, key)
				} else {
					each(key, l.Get(key))
				}
			}
		default:
			w.violated(c, p, depth, vars, at, offset, types.NewErr("forEach has no list"))
		}
		return
	}
	if p.check != nil {
		if out := eval(p.check, vars); out != types.True {
			w.violated(c, p, allBound, vars, at, offset, out)
		}
		return
	}
	list, ok := eval(p.offenders, vars).(traits.Lister)
	if !ok {
		w.violated(c, p, depth, vars, at, offset, types.NewErr("the offenders could not be found"))
		return
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		inner := make(map[string]any, len(vars)+1)
		for k, v := range vars {
			inner[k] = v
		}
		inner["at"] = it.Next()
		w.violated(c, p, allBound, inner, at, offset, types.False)
	}
}

// eval returns the value, or an error as one.
func eval(p cel.Program, vars map[string]any) ref.Val {
	out, _, err := p.Eval(vars)
	if err != nil {
		return types.WrapErr(err)
	}
	return out
}

// allBound is the depth where all variables of loops are there.
const allBound = -1

// violated adds an issue. What reads variables of loops that could not be run is left out
// of it: those from depth on, and at.
func (w *walk) violated(c *Checked, p *programs, depth int, vars map[string]any, at string, offset int, out ref.Val) {
	issue := contract.Issue{Path: at, Code: contract.Code(c.Rule.ID.Value), Keyword: Keyword, Offset: offset,
		Location: w.e.set.Model.Schema(w.bound).Location, Message: c.Rule.Message}
	_, failed := out.(*types.Err)
	known, message := len(c.path), p.message
	for i := range w.e.set.Model.Invariants {
		inv := &w.e.set.Model.Invariants[i]
		if inv.ID != c.Rule.ID.Value {
			continue
		}
		if issue.Message == "" {
			issue.Message = inv.Message
		}
		if depth != allBound {
			unbound := inv.Unbound(depth)
			known = min(known, inv.Known(unbound))
			if slices.ContainsFunc(unbound, inv.MessageBy.Reads) {
				message = nil
			}
		}
	}
	for k, part := range c.path[:known] {
		if failed && w.e.set.Registry.Profile == "kubernetes" {
			break // the API server says nothing more exact either
		}
		if part.ast == nil {
			issue.Path += "/" + contract.PointerToken(part.name)
			continue
		}
		issue.Path += segments(eval(p.path[k], vars))
	}
	if message != nil {
		if m, ok := eval(message, vars).(types.String); ok && strings.TrimSpace(string(m)) != "" && !strings.Contains(string(m), "\n") {
			issue.Message = string(m)
		}
	}
	if e, ok := out.(*types.Err); ok {
		issue.Message += " (the rule could not be evaluated: " + e.Error() + ")"
	}
	key := string(issue.Code) + "\x00" + issue.Path + "\x00" + issue.Message
	if !w.seen[key] {
		w.seen[key] = true
		w.issues = append(w.issues, issue)
	}
}

// segments turns the value of a path expression into steps of a JSON Pointer.
func segments(v ref.Val) string {
	switch x := v.(type) {
	case types.String:
		return "/" + contract.PointerToken(string(x))
	case types.Int:
		return fmt.Sprintf("/%d", int64(x))
	case traits.Lister:
		var b strings.Builder
		for it := x.Iterator(); it.HasNext() == types.True; {
			b.WriteString(segments(it.Next()))
		}
		return b.String()
	}
	return ""
}
