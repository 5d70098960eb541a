package rules

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules/lib"
	"github.com/contractkit/contractkit/internal/spelling"
)

// Limits of one expression, which keep the checker's time bounded.
const (
	maxExpression = 32 << 10 // bytes
	maxNesting    = 200
)

// NoWitness is the code of a rule that does not show what it does. Generating goes on
// with it; checking does not.
const NoWitness = "rules.no-witness"

// Cost is the code of a rule that may be slow: a warning of both generating and checking.
const Cost = "rules.cost"

// Set is a registry whose rules are type-checked against a model.
type Set struct {
	Registry *Registry
	Checked  []Checked // as Registry.Rules
	Model    *model.Model

	t      *typer
	base   *cel.Env
	guard  cel.ProgramOption
	prices []celcost.TrackerOption
	defs   []def
	fill   map[model.Ref][]filler
}

// Checked is what is known of a rule after the check.
type Checked struct {
	Rule    *Rule
	Schemas []model.Ref // all that stand at the rule's schema; more than one under dynamic references
	Self    *model.Term

	env       *cel.Env
	check     *cel.Ast
	offenders *cel.Ast
	message   *cel.Ast
	binders   []*cel.Ast
	path      []astPart
	readsOld  bool
}

type astPart struct {
	name string
	ast  *cel.Ast
}

// Check type-checks a registry against a model and adds what it finds to the
// model: views, named expressions and invariants. The error is a diag.List; the
// other list holds warnings.
func Check(reg *Registry, m *model.Model) (*Set, diag.List, error) {
	s := &Set{Registry: reg, Model: m, t: newTyper(m, reg.Profile)}
	m.OldStands = reg.Profile == "kubernetes" // the API server judges what comes, not what is stored
	c := &checker{Set: s, schemas: index(m, path.Dir(reg.Path))}
	// Types first: the environment answers for all of them.
	terms := make([]*model.Term, len(reg.Rules))
	refs := make([][]model.Ref, len(reg.Rules))
	for i := range reg.Rules {
		refs[i], terms[i] = c.bound(&reg.Rules[i])
	}
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, nil, err
	}
	s.base, err = cel.NewEnv(append(lib.Options(),
		cel.CustomTypeProvider(&provider{registry, s.t}),
		cel.EnableIdentifierEscapeSyntax(), cel.EnableMacroCallTracking(),
		cel.ParserRecursionLimit(maxNesting), cel.ParserExpressionSizeLimit(maxExpression),
	)...)
	if err != nil {
		return nil, nil, fmt.Errorf("CEL environment: %w", err)
	}
	if s.guard, err = guards(s.base); err != nil {
		return nil, nil, fmt.Errorf("CEL environment: %w", err)
	}
	s.prices = prices(s.base)
	for i := range reg.Functions {
		if err := c.function(&reg.Functions[i]); err != nil {
			return nil, nil, err
		}
	}
	if err := c.derived(); err != nil {
		return nil, nil, err
	}
	s.Checked = make([]Checked, len(reg.Rules))
	for i := range reg.Rules {
		s.Checked[i] = Checked{Rule: &reg.Rules[i], Schemas: refs[i], Self: terms[i]}
		if terms[i] != nil {
			if err := c.rule(&s.Checked[i]); err != nil {
				return nil, nil, err
			}
		}
	}
	if err := c.diags.Err(); err != nil {
		return nil, nil, err
	}
	m.Views = s.t.views
	for i := 1; i < len(s.t.views); i++ {
		s.t.plain(i) // known before several evaluations ask at once
	}
	m.Registry = reg.files
	c.diags.Sort()
	return s, c.diags, nil
}

type checker struct {
	*Set
	schemas map[string][]model.Ref
	diags   diag.List
	env     *cel.Env // of the last rule, with what it was made for
	envKey  string
	calls   map[string]called // what functions cost, by what they are called with
}

// index lists the schemas by the names that a registry in the folder dir may use.
func index(m *model.Model, dir string) map[string][]model.Ref {
	out := map[string][]model.Ref{}
	add := func(name string, r model.Ref) {
		out[name] = append(out[name], r)
	}
	for i := range m.Documents {
		d := &m.Documents[i]
		names := map[string]bool{d.ID: true, d.Path: true, path.Base(d.Path): true}
		if rel, ok := strings.CutPrefix(d.Path, dir+"/"); ok || dir == "." {
			names[rel] = true
		}
		for name := range names {
			if name != "" && d.Root != 0 {
				add(name, d.Root)
			}
		}
		for r := 1; r < len(m.Schemas); r++ {
			s := &m.Schemas[r]
			if s.Document != i {
				continue
			}
			id, fragment, _ := strings.Cut(s.Location, "#")
			if fragment == "" {
				continue
			}
			names[id] = true
			for name := range names {
				add(name+"#"+fragment, model.Ref(r))
			}
			delete(names, id)
		}
	}
	return out
}

func (c *checker) find(t Text) []model.Ref {
	refs := c.schemas[t.Value]
	if refs == nil {
		refs = c.schemas[strings.TrimSuffix(t.Value, "#")]
	}
	if refs == nil && strings.Contains(t.Value, "*") {
		refs = c.matching(t)
	}
	if refs != nil {
		return refs
	}
	hint := spelling.Ask(t.Value, c.schemaNames(t.Value), "name a schema file of the contract, or a part of it as in order.json#/$defs/line")
	c.diags.Add(diag.Diagnostic{Code: "rules.unknown-schema", Pos: t.Pos, Pointer: t.Pointer, Message: fmt.Sprintf("the contract has no schema %.200q", t.Value), Hint: hint})
	return nil
}

// matching returns the schemas whose name fits a pattern, in which * stands for what
// is within one step of the pointer.
func (c *checker) matching(t Text) (refs []model.Ref) {
	for name, list := range c.schemas {
		if fits, err := path.Match(t.Value, name); err == nil && fits {
			refs = append(refs, list...)
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// bound returns the schemas that a rule binds and how it sees their values: as the
// schemas say, or where several are listed and differ, as values of any type.
func (c *checker) bound(rule *Rule) ([]model.Ref, *model.Term) {
	refs := c.find(rule.Schema)
	if refs == nil {
		return nil, nil
	}
	if strings.Contains(rule.Schema.Value, "*") {
		c.alike(rule, refs)
	}
	term := c.t.schema(refs[0])
	for _, name := range rule.Others {
		more := c.find(name)
		if more == nil {
			return nil, nil
		}
		if !c.t.alike(term, c.t.schema(more[0])) {
			term = dyn
		}
		refs = append(refs, more...)
	}
	return refs, term
}

// alike reports schemas of a rule whose members differ from those of its first: the
// rule reads all of them as it reads that one.
func (c *checker) alike(rule *Rule, refs []model.Ref) {
	first := c.t.schema(refs[0])
	for _, r := range refs[1:] {
		if !c.t.alike(first, c.t.schema(r)) {
			c.diags.Errorf(rule.Schema.Pos, rule.Schema.Pointer, "rules.type", "%s and %s do not have the same members, so one rule cannot bind both",
				c.Model.Schema(refs[0]).Location, c.Model.Schema(r).Location)
		}
	}
}

// environment returns base with variables.
func (c *checker) environment(vars []binding) (*cel.Env, error) {
	var key strings.Builder
	opts := make([]cel.EnvOption, len(vars))
	for i, v := range vars {
		typ := c.t.cel(v.term)
		fmt.Fprintf(&key, "%s:%s;", v.name, typ)
		opts[i] = cel.Variable(v.name, typ)
	}
	if c.env != nil && c.envKey == key.String() {
		return c.env, nil
	}
	env, err := c.base.Extend(opts...)
	if err != nil {
		return nil, fmt.Errorf("CEL environment: %w", err)
	}
	c.env, c.envKey = env, key.String()
	return env, nil
}

// compile parses and checks one expression; nil when it is wrong.
func (c *checker) compile(env *cel.Env, t Text, base int, text string, want ...*types.Type) *cel.Ast {
	if len(text) > maxExpression {
		c.problem(t, 0, "rules.limit", fmt.Sprintf("the expression has more than %d bytes", maxExpression), "split it with functions")
		return nil
	}
	out, issues := env.Compile(text)
	if issues.Err() != nil {
		for _, e := range issues.Errors() {
			code := "rules.type"
			if out == nil && strings.HasPrefix(e.Message, "Syntax error") {
				code = "rules.syntax"
			}
			c.problem(t, base+offsetOf(text, e.Location.Line(), e.Location.Column()), code, words(e.Message), c.hintFor(e.Message, text, env))
		}
		return nil
	}
	for _, w := range want {
		if got := out.OutputType(); got.Kind() == w.Kind() || got.Kind() == types.DynKind {
			return out
		}
	}
	if len(want) > 0 {
		c.problem(t, base, "rules.type", fmt.Sprintf("the expression is a %s; it has to be a %s", out.OutputType(), want[0]), "")
		return nil
	}
	return out
}

// offsetOf turns the library's place, a line from 1 and a column of characters
// from 0, into a byte offset.
func offsetOf(text string, line, col int) int {
	at := 0
	for l := 1; l < line; l++ {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return at
		}
		at += next + 1
	}
	for i := range text[at:] {
		if col == 0 {
			return at + i
		}
		col--
	}
	return len(text)
}

func words(message string) string {
	message = strings.ReplaceAll(message, "\n", " ")
	if len(message) > 400 {
		message = message[:400] + "…"
	}
	return message
}

// problem reports something at a byte of an expression, with the line and a caret.
func (c *checker) problem(t Text, offset int, code, message, hint string) {
	c.report(diag.Error, t, offset, code, message, hint)
}

func (c *checker) report(severity diag.Severity, t Text, offset int, code, message, hint string) {
	pos, line := place(c.Registry.texts[t.Pos.File], t, offset)
	c.diags.Add(diag.Diagnostic{Severity: severity, Code: code, Pos: pos, Pointer: t.Pointer, Message: message, Hint: hint, Detail: caret(line, pos.Col)})
}

// variables returns what a rule of the scope sees.
func variables(scope Scope, self *model.Term) []binding {
	switch scope {
	case Transition:
		return []binding{{"self", self}, {"oldSelf", self}}
	case History, Collection:
		return []binding{{"self", &model.Term{Kind: model.TermList, Elem: self}}}
	}
	return []binding{{"self", self}}
}

// rule checks everything of one rule, and adds the invariant to the model.
func (c *checker) rule(r *Checked) error {
	rule := r.Rule
	inv := model.Invariant{
		ID: rule.ID.Value, Schema: r.Schemas[0], SchemaURI: c.Model.Schema(r.Schemas[0]).Location, Scope: string(rule.Scope), Self: r.Self,
		Rule: rule.Rule.Value, Offenders: rule.Offenders.Value, Message: rule.Message, MessageCEL: rule.MessageExpression.Value, PathText: rule.Path.Value,
		Reason: rule.Reason, Since: rule.Since, Doc: rule.Doc, MayLackOld: rule.OptionalOldSelf, Native: rule.Native, FailsAt: c.Registry.Profile == "kubernetes", Pos: rule.ID.Pos,
	}
	vars := variables(rule.Scope, r.Self)
	if rule.OptionalOldSelf {
		vars[1].term = &model.Term{Kind: model.TermOptional, Elem: r.Self}
	}
	before := len(c.diags)
	safe := facts{}
	for _, b := range rule.ForEach {
		env, err := c.environment(vars)
		if err != nil {
			return err
		}
		a := c.compile(env, b.In, 0, b.In.Value, types.NewListType(types.DynType), types.NewMapType(types.DynType, types.DynType))
		if a == nil {
			return nil
		}
		in := c.converted(a, b.In, 0, b.In.Value, vars)
		if in == nil {
			return nil
		}
		c.guarded(rule, b.In, 0, in, safe)
		safe = safe.filtered(in, b.As.Value)
		r.binders = append(r.binders, a)
		first, second := element(in.Term, b.Index.Value != "")
		bind := model.Binder{As: b.As.Value, Index: b.Index.Value, In: in, Text: b.In.Value}
		if bind.Index == "" {
			vars = append(vars, binding{bind.As, first})
		} else {
			vars = append(vars, binding{bind.Index, first}, binding{bind.As, second})
		}
		inv.Binders = append(inv.Binders, bind)
	}
	env, err := c.environment(vars)
	if err != nil {
		return err
	}
	r.env = env
	if rule.Rule.Value != "" {
		if r.check = c.compile(env, rule.Rule, 0, rule.Rule.Value, types.BoolType); r.check != nil {
			inv.Check = c.converted(r.check, rule.Rule, 0, rule.Rule.Value, vars)
		}
	}
	if rule.Offenders.Value != "" {
		if r.offenders = c.compile(env, rule.Offenders, 0, rule.Offenders.Value, types.NewListType(types.DynType)); r.offenders != nil {
			inv.List = c.converted(r.offenders, rule.Offenders, 0, rule.Offenders.Value, vars)
		}
	}
	for _, main := range []struct {
		e *model.Expr
		t Text
	}{{inv.Check, rule.Rule}, {inv.List, rule.Offenders}} {
		if main.e != nil {
			c.guarded(rule, main.t, 0, main.e, safe)
			c.alive(main.t, main.e)
			if rule.Costly == "" {
				c.affordable(main.t, main.e, inv.Binders)
			}
		}
	}
	after := vars
	if rule.Offenders.Value != "" { // messages and paths may speak of the one that offends
		at := dyn
		if inv.List != nil && inv.List.Term.Kind == model.TermList {
			at = inv.List.Term.Elem
		}
		after = append(after[:len(after):len(after)], binding{"at", at})
	}
	env, err = c.environment(after)
	if err != nil {
		return err
	}
	if m := rule.MessageExpression; m.Value != "" {
		if r.message = c.compile(env, m, 0, m.Value, types.StringType); r.message != nil {
			inv.MessageBy = c.converted(r.message, m, 0, m.Value, after)
		}
	}
	c.knownPath(rule, r.Self)
	parts, err := splitPath(rule.Path.Value)
	if err != nil {
		c.diags.Errorf(rule.Path.Pos, rule.Path.Pointer, "rules.registry", "%v", err)
	}
	for _, p := range parts {
		if p.expr == "" {
			r.path = append(r.path, astPart{name: p.text})
			inv.Path = append(inv.Path, model.PathPart{Name: p.text})
			continue
		}
		a := c.compile(env, rule.Path, p.at, p.expr, types.StringType, types.IntType, types.NewListType(types.DynType))
		if a == nil {
			continue
		}
		r.path = append(r.path, astPart{ast: a})
		if e := c.converted(a, rule.Path, p.at, p.expr, after); e != nil {
			inv.Path = append(inv.Path, model.PathPart{Expr: e})
		}
	}
	if len(c.diags) > before && c.diags[before:].HasErrors() {
		return nil
	}
	if c.Registry.Profile == "" && (len(rule.Valid) == 0 || len(rule.Invalid) == 0) {
		missing := "not an invalid"
		switch {
		case len(rule.Valid) == 0 && len(rule.Invalid) == 0:
			missing = "neither a valid nor an invalid"
		case len(rule.Valid) == 0:
			missing = "not a valid"
		}
		c.diags.Add(diag.Diagnostic{Severity: diag.Warning, Code: NoWitness, Pos: rule.ID.Pos, Pointer: rule.ID.Pointer,
			Message: fmt.Sprintf("the rule %s has %s witness", rule.ID.Value, missing), Hint: "add one, or let contracts test --suggest look for some"})
	}
	if inv.Message == "" && inv.MessageBy == nil {
		inv.Message = "the rule " + inv.ID + " is broken"
		if rule.Rule.Value != "" && c.Registry.Profile == "kubernetes" {
			inv.Message = "failed rule: " + strings.TrimSpace(strings.ReplaceAll(rule.Rule.Value, "\n", " "))
		}
	}
	for _, e := range []*model.Expr{inv.Check, inv.List} {
		r.readsOld = r.readsOld || e != nil && reads(e, "oldSelf")
	}
	inv.ReadsOld = r.readsOld
	for _, ref := range r.Schemas {
		with := inv
		with.Schema, with.SchemaURI = ref, c.Model.Schema(ref).Location
		c.Model.Invariants = append(c.Model.Invariants, with)
	}
	return nil
}

// converted turns the AST into the model's form; nil with a report when it has no form.
func (c *checker) converted(a *cel.Ast, t Text, base int, text string, vars []binding) *model.Expr {
	names := map[string]bool{}
	for _, d := range c.defs {
		names[d.fn.Name.Value] = true
	}
	e, err := c.t.convert(a.NativeRep(), text, vars, names)
	if err != nil {
		c.problem(t, base, "rules.unsupported", err.Error(), "")
		return nil
	}
	e = model.NewWidener(c.Model.Defs).Widen(e, nil)
	c.impossible(t, base, e)
	c.failing(t, base, e)
	return e
}

// function checks a named expression and makes it callable for what follows.
func (c *checker) function(f *Function) error {
	if c.taken(f.Name.Value) {
		c.diags.Add(diag.Diagnostic{Code: "rules.registry", Pos: f.Name.Pos, Pointer: f.Name.Pointer,
			Message: fmt.Sprintf("CEL has a function %s of its own", f.Name.Value), Hint: "choose another name; docs/invariants.md lists the functions that there are"})
		return nil
	}
	var vars []binding
	var params []*types.Type
	for _, p := range f.Params {
		term, err := c.parseType(p.Type.Value)
		if err != nil {
			c.diags.Add(diag.Diagnostic{Code: "rules.type", Pos: p.Type.Pos, Pointer: p.Type.Pointer, Message: err.Error(), Hint: c.typeHint(p.Type.Value)})
			return nil
		}
		vars = append(vars, binding{p.Name.Value, term})
		params = append(params, c.t.cel(term))
	}
	env, err := c.environment(vars)
	if err != nil {
		return err
	}
	a := c.compile(env, f.Expr, 0, f.Expr.Value)
	if a == nil {
		return nil
	}
	e := c.converted(a, f.Expr, 0, f.Expr.Value, vars)
	if e == nil {
		return nil
	}
	d := def{fn: f, ast: a, env: env, params: vars}.planned(c.Set)
	result := a.OutputType()
	extended, err := c.base.Extend(cel.Function(f.Name.Value, cel.Overload(f.Name.Value+"_def", params, result, cel.FunctionBinding(func(args ...ref.Val) ref.Val {
		out, _ := d.call(args)
		return out
	}))))
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner
		}
		c.diags.Errorf(f.Name.Pos, f.Name.Pointer, "rules.registry", "%s cannot be a function: %v", f.Name.Value, err)
		return nil
	}
	c.base = extended
	c.env, c.envKey = nil, ""
	c.defs = append(c.defs, d)
	out := model.Def{Name: f.Name.Value, Expr: e, Text: f.Expr.Value, Doc: f.Doc}
	for _, p := range f.Params {
		out.Types = append(out.Types, c.typeName(p.Type.Value))
	}
	for _, v := range vars {
		out.Params, out.Terms = append(out.Params, v.name), append(out.Terms, v.term)
	}
	c.Model.Defs = append(c.Model.Defs, out)
	return nil
}

// taken reports whether rules know a function or macro of that name that is not the
// registry's.
func (c *checker) taken(name string) bool {
	for _, d := range c.defs {
		if d.fn.Name.Value == name {
			return false // the registry's own has been reported
		}
	}
	return c.base.HasFunction(name) || slices.ContainsFunc(c.base.Macros(), func(m cel.Macro) bool { return m.Function() == name })
}

// parseType reads a parameter's type: a CEL type, or a schema of the contract.
func (c *checker) parseType(text string) (*model.Term, error) {
	text = strings.TrimSpace(text)
	for _, k := range []model.TermKind{model.TermDyn, model.TermBool, model.TermInt, model.TermUint, model.TermDouble, model.TermString, model.TermBytes, model.TermTimestamp, model.TermDuration} {
		if text == string(k) {
			return &model.Term{Kind: k}, nil
		}
	}
	inner := func(name string) (string, bool) {
		s, ok := strings.CutPrefix(text, name+"(")
		if !ok || !strings.HasSuffix(s, ")") {
			return "", false
		}
		return s[:len(s)-1], true
	}
	if s, ok := inner("list"); ok {
		e, err := c.parseType(s)
		return &model.Term{Kind: model.TermList, Elem: e}, err
	}
	if s, ok := inner("optional"); ok {
		e, err := c.parseType(s)
		return &model.Term{Kind: model.TermOptional, Elem: e}, err
	}
	if s, ok := inner("map"); ok {
		k, v, _ := strings.Cut(s, ",")
		key, err := c.parseType(k)
		if err != nil {
			return nil, err
		}
		e, err := c.parseType(v)
		return &model.Term{Kind: model.TermMap, Key: key, Elem: e}, err
	}
	if refs := c.schemas[text]; refs != nil {
		return c.t.schema(refs[0]), nil
	}
	return nil, fmt.Errorf("%.200q is neither a CEL type nor a schema of the contract", text)
}

// typeName is a parameter's type, which parseType accepts, with schemas by their
// location: who reads it later has no files.
func (c *checker) typeName(text string) string {
	text = strings.TrimSpace(text)
	if refs := c.schemas[text]; refs != nil {
		return c.Model.Schema(refs[0]).Location
	}
	name, inner, generic := strings.Cut(text, "(")
	if !generic {
		return text
	}
	parts := strings.SplitN(strings.TrimSuffix(inner, ")"), ",", 2)
	for i := range parts {
		parts[i] = c.typeName(parts[i])
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// alive reports an expression that does not depend on the document.
func (c *checker) alive(t Text, e *model.Expr) {
	if !usesVariables(e) {
		c.problem(t, 0, "rules.dead", "the rule has the same result for every document", "read a member of self, or remove the rule")
		return
	}
	if e.Term.Kind == model.TermBool {
		if v, fixed := constantBool(e); fixed {
			c.problem(t, e.At, "rules.dead", fmt.Sprintf("the rule is %t for every document", v), "a part of it decides alone; remove that part or the rule")
		}
	}
}
