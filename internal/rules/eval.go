package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Keyword is what issues of rules name as their keyword, unless the contract says otherwise.
const Keyword = "x-invariants"

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
			p, err = s.program(s.base, a)
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
		if err != nil { // what the interpreter finds out as it plans: a constant that fails
			return nil, diag.List{{Severity: diag.Error, Code: "rules.constant", Pos: c.Rule.ID.Pos, Pointer: c.Rule.ID.Pointer,
				Message: fmt.Sprintf("the rule %s fails for every document: %v", c.Rule.ID.Value, err), Hint: "look at its constants"}}
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
	return e.run(r, data, nil, &budget{left: maxTotal})
}

// OldStands reports whether the rules of documents are not asked about the document
// before a change; see [Evaluator.Transition].
func (e *Evaluator) OldStands() bool { return e.set.Model.OldStands }

// Transition returns the violations of a document that takes the place of old; both
// have passed their structure. Those that old has by itself have paths below /oldSelf.
// Only where neither has any are the rules of the change asked. In the profile of
// Kubernetes nobody asks after old, and all rules of the document are asked at once.
func (e *Evaluator) Transition(r model.Ref, old, data []byte) contract.Issues {
	if !e.set.Model.OldStands {
		found := e.Alone(r, old)
		for i := range found {
			found[i].Path = "/oldSelf" + found[i].Path
		}
		if found = append(found, e.Alone(r, data)...); found != nil {
			return found
		}
	}
	return e.change(r, old, data, &budget{left: maxTotal})
}

// Alone returns the violations of a document that has passed its structure, without
// rules of changes: what one has to be that takes the place of another, or gives it up.
func (e *Evaluator) Alone(r model.Ref, data []byte) contract.Issues {
	return e.runAs(r, data, nil, &budget{left: maxTotal}, true)
}

func (e *Evaluator) change(r model.Ref, old, data []byte, left *budget) contract.Issues {
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(old, contract.Limits{}); issues != nil {
		return issues
	}
	return e.run(r, data, &v.Doc, left)
}

func (e *Evaluator) run(r model.Ref, data []byte, old *contract.Doc, left *budget) contract.Issues {
	return e.runAs(r, data, old, left, false)
}

func (e *Evaluator) runAs(r model.Ref, data []byte, old *contract.Doc, left *budget, alone bool) contract.Issues {
	if !e.leads[r] {
		return nil
	}
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(data, contract.Limits{}); issues != nil {
		return issues
	}
	w := &walk{e: e, v: v, old: old, alone: alone, seen: map[string]bool{}, budget: left}
	if old != nil {
		w.update = true
	}
	w.schema(r, contract.Root, contract.Root, old != nil)
	return w.issues
}

// List returns the violations of a list of documents, which is a history or a set:
// those of each document by itself, or where there are none, those of the whole and, in
// a history, of each change. Paths start with the index of the document, of a change
// with that of the later one. All of them share one budget.
func (e *Evaluator) List(scope Scope, r model.Ref, docs [][]byte) contract.Issues {
	var issues contract.Issues
	var list []ref.Val
	add := func(i int, found contract.Issues) {
		for _, issue := range found {
			issue.Path = fmt.Sprintf("/%d%s", i, issue.Path)
			issues = append(issues, issue)
		}
	}
	left := &budget{left: maxTotal}
	sound := make([]bool, len(docs))
	for i, data := range docs {
		if left.done || len(issues) >= maxIssues {
			return issues
		}
		before := len(issues)
		add(i, e.run(r, data, nil, left))
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
	w := &walk{e: e, seen: map[string]bool{}, budget: left}
	for _, i := range e.bySchema[r] {
		if e.set.Checked[i].Rule.Scope == scope && issues == nil {
			w.bound = r
			w.rule(i, map[string]any{"self": types.NewRefValList(types.DefaultTypeAdapter, list)}, contract.Root)
		}
	}
	issues = append(issues, w.issues...)
	for i := 1; i < len(docs) && scope == History && !left.done && len(issues) < maxIssues; i++ {
		if sound[i-1] && sound[i] {
			add(i, e.change(r, docs[i-1], docs[i], left))
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
	alone  bool      // rules of changes are left out
	bound  model.Ref // the schema whose rules are evaluated
	issues contract.Issues
	seen   map[string]bool
	budget *budget

	pointed bool // path is the pointer of at
	at      contract.Node
	path    string
}

// over reports whether nothing more is evaluated: the budget is spent, or there is no
// room for issues.
func (w *walk) over() bool { return w.budget.done || len(w.issues) >= maxIssues }

// eval evaluates a program. What it costs is drawn from the budget, which ends all
// evaluations of the document with an issue once it is spent.
func (w *walk) eval(p cel.Program, vars map[string]any) ref.Val {
	out, cost := eval(p, vars)
	w.budget.draw(eachCosts + min(int64(min(cost, math.MaxInt64)), maxTotal))
	return out
}

// size is the number of values at and below n.
func (w *walk) size(n contract.Node) int64 { return int64(w.v.Next(n) - n) }

// probe reports whether n is valid by the schema r; nothing is once the budget is spent.
func (w *walk) probe(n contract.Node, r model.Ref) bool {
	if w.budget.draw(1 + w.size(n)/4); w.budget.left < 0 {
		if !w.over() {
			w.budget.done = true
			w.issues = append(w.issues, contract.Issue{Code: contract.CodeTooLarge, Keyword: Keyword, Path: w.pointer(n), Offset: w.v.Offset(n), Message: "there are too many alternatives" + spentMessage})
		}
		return false
	}
	state := w.v.Probe()
	defer w.v.Resume(state)
	return w.e.in.Check(r)(w.v, n)
}

// schema applies the rules at and below r to n; was is the value before, if had.
func (w *walk) schema(r model.Ref, n, was contract.Node, had bool) {
	if r == 0 || !w.e.leads[r] || w.over() {
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
	if w.over() {
		return
	}
	switch c.Rule.Scope {
	case Document:
	case Transition:
		if w.alone {
			return
		}
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
	if _, lazy := vars["self"].(*object); !lazy {
		w.budget.draw(w.size(n) / 4)
	}
	w.rule(i, vars, n)
}

func (w *walk) rule(i int, vars map[string]any, n contract.Node) {
	c, p := &w.e.set.Checked[i], &w.e.programs[i]
	if c.Rule.Native != "" {
		return
	}
	w.bind(c, p, 0, vars, n)
	if w.budget.left < 0 && !w.budget.done {
		w.budget.done = true
		w.violated(c, &programs{}, allBound, vars, n, types.False)
	}
}

// bind goes through the loops of forEach and evaluates the rule within.
func (w *walk) bind(c *Checked, p *programs, depth int, vars map[string]any, n contract.Node) {
	stop := func() bool { return w.budget.left < 0 || w.over() }
	if depth < len(p.binders) {
		b := c.Rule.ForEach[depth]
		list := w.eval(p.binders[depth], vars)
		if types.IsError(list) {
			w.violated(c, p, depth, vars, n, list)
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
			w.bind(c, p, depth+1, inner, n)
		}
		switch l := list.(type) {
		case traits.Lister:
			k := int64(0)
			for it := l.Iterator(); !stop() && it.HasNext() == types.True; k++ {
				each(types.Int(k), it.Next())
			}
		case traits.Mapper:
			for it := l.Iterator(); !stop() && it.HasNext() == types.True; {
				key := it.Next()
				if b.Index.Value == "" {
					each(nil, key)
				} else {
					each(key, l.Get(key))
				}
			}
		default:
			w.violated(c, p, depth, vars, n, types.NewErr("forEach has no list"))
		}
		return
	}
	if p.check != nil {
		if out := w.eval(p.check, vars); out != types.True {
			w.violated(c, p, allBound, vars, n, out)
		}
		return
	}
	found := w.eval(p.offenders, vars)
	list, ok := found.(traits.Lister)
	if !ok {
		if !types.IsError(found) {
			found = types.NewErr("the offenders are no list")
		}
		w.violated(c, p, depth, vars, n, found)
		return
	}
	for it := list.Iterator(); !stop() && it.HasNext() == types.True; {
		inner := make(map[string]any, len(vars)+1)
		for k, v := range vars {
			inner[k] = v
		}
		inner["at"] = it.Next()
		w.violated(c, p, allBound, inner, n, types.False)
	}
}

// allBound is the depth where all variables of loops are there.
const allBound = -1

// violated adds an issue. What reads variables of loops that could not be run is left out
// of it: those from depth on, and at. Once the budget is spent there is one more, which
// says so.
func (w *walk) violated(c *Checked, p *programs, depth int, vars map[string]any, n contract.Node, out ref.Val) {
	if len(w.issues) >= maxIssues {
		return
	}
	issue := contract.Issue{Code: contract.Code(c.Rule.ID.Value), Keyword: Keyword,
		Location: w.e.set.Model.Schema(w.bound).Location, Message: c.Rule.Message}
	if w.v != nil {
		issue.Path, issue.Offset = w.pointer(n), w.v.Offset(n)
	}
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
		if w.budget.done {
			break
		}
		if failed && w.e.set.Registry.Profile == "kubernetes" {
			break // the API server says nothing more exact either
		}
		if part.ast == nil {
			issue.Path += "/" + contract.PointerToken(part.name)
			continue
		}
		issue.Path += segments(w.eval(p.path[k], vars))
	}
	if message != nil {
		if m, ok := w.eval(message, vars).(types.String); ok && strings.TrimSpace(string(m)) != "" && !strings.Contains(string(m), "\n") {
			issue.Message = string(m)
		}
	}
	if issue.Message == "" {
		issue.Message = fmt.Sprintf("the rule %s is broken", c.Rule.ID.Value)
	}
	if e, ok := out.(*types.Err); ok {
		issue.Message += " (the rule could not be evaluated: " + e.Error() + ")"
	}
	if w.budget.done {
		issue.Message += spentMessage
	}
	key := string(issue.Code) + "\x00" + issue.Path + "\x00" + issue.Message
	if !w.seen[key] {
		w.seen[key] = true
		w.issues = append(w.issues, issue)
	}
}

// pointer is the pointer of n, which is kept: finding it takes a walk from the root.
func (w *walk) pointer(n contract.Node) string {
	if !w.pointed || w.at != n {
		w.pointed, w.at, w.path = true, n, w.v.Pointer(n)
	}
	return w.path
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
