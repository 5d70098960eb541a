package govalidate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/gen/internal/gocel"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/pattern"
	"github.com/contractkit/contractkit/internal/rules"
)

// ruleset emits the invariants: a function for each rule, and functions that go
// through a document to the values that rules bind.
type ruleset struct {
	*emitter
	c        *gocel.Compiler
	leads    []bool               // by schema: rules stand at it or below
	bySchema map[model.Ref][]int  // index in Model.Invariants
	walkers  map[model.Ref]string // function by schema
	queue    []model.Ref          // walkers still to be written
	rules    map[string]string    // function by rule id
	decls    []jen.Code
}

func newRuleset(e *emitter) *ruleset {
	if len(e.Invariants) == 0 {
		return nil
	}
	g := &ruleset{
		emitter: e, c: gocel.New(e.Views, e.Defs, e.Runtime), leads: rules.Leads(e.Model, rules.Document, rules.Transition),
		bySchema: map[model.Ref][]int{}, walkers: map[model.Ref]string{}, rules: map[string]string{},
	}
	g.c.Matcher, g.c.Free = g.matcher, e.free
	for i := range e.Invariants {
		g.bySchema[e.Invariants[i].Schema] = append(g.bySchema[e.Invariants[i].Schema], i)
	}
	return g
}

// rt and cel name things of the run-time packages.
func (g *ruleset) cel(name string) *jen.Statement { return jen.Qual(g.Runtime+"/cel", name) }

// governs reports whether rules bind documents of the schema, also those of changes.
func (g *ruleset) governs(r model.Ref) bool { return g != nil && g.leads[r] }

// has reports whether rules of the scope stand at or below the schema.
func (g *ruleset) has(r model.Ref, scope rules.Scope) bool {
	if g == nil {
		return false
	}
	return rules.Leads(g.Model, scope)[r]
}

// matcher declares a matcher for a pattern of RE2, written as the ECMAScript pattern
// that means the same; "" when there is none.
func (g *ruleset) matcher(text string) string {
	same, ok := gocel.ECMAScript(text)
	if !ok {
		return ""
	}
	p, err := pattern.Parse(same)
	if err != nil {
		return ""
	}
	return g.declareMatcher(same, "matchRule", p)
}

// target follows references that stand alone and bind nothing themselves.
func (g *ruleset) target(r model.Ref) model.Ref {
	for hops := 0; hops < 64; hops++ {
		s := g.Schema(r)
		if s.Ref == 0 || len(g.bySchema[r]) > 0 {
			break
		}
		alone := !slices.ContainsFunc(rules.Below(s), func(x model.Ref) bool { return x != s.Ref && g.leads[x] })
		if !alone {
			break
		}
		r = s.Ref
	}
	return r
}

// walker is the name of the function that applies the rules at and below r.
func (g *ruleset) walker(r model.Ref) string {
	r = g.target(r)
	if name, known := g.walkers[r]; known {
		return name
	}
	name := g.free("rules" + goname.Exported(g.Schema(r).Name))
	g.walkers[r] = name
	g.queue = append(g.queue, r)
	return name
}

// file returns the file with all rules.
func (g *ruleset) file() *jen.File {
	f := g.NewFile("the invariants of the contract " + g.Contract)
	for len(g.queue) > 0 {
		r := g.queue[0]
		g.queue = g.queue[1:]
		f.Add(g.walkerFunc(r))
	}
	for _, d := range g.decls {
		f.Add(d)
	}
	for _, d := range g.c.Shapes() {
		f.Add(d)
	}
	return f
}

func (g *ruleset) walkerFunc(r model.Ref) jen.Code {
	s := g.Schema(r)
	node, was, run := jen.Id("n"), jen.Id("was"), jen.Id("r")
	call := func(r model.Ref, n, was *jen.Statement) jen.Code {
		return jen.Id(g.walker(r)).Call(run.Clone(), n, was)
	}
	same := func(r model.Ref) jen.Code { return call(r, node.Clone(), was.Clone()) }
	v := run.Clone().Dot("V")
	var body []jen.Code
	if code := g.members(s); code != nil {
		if s.Accepts != model.KindObject {
			code = []jen.Code{jen.If(v.Clone().Dot("Kind").Call(node.Clone()).Op("==").Add(g.RT("Object"))).Block(code...)}
		}
		body = append(body, code...)
	}
	if code := g.elements(s); code != nil {
		if s.Accepts != model.KindArray {
			code = []jen.Code{jen.If(v.Clone().Dot("Kind").Call(node.Clone()).Op("==").Add(g.RT("Array"))).Block(code...)}
		}
		body = append(body, code...)
	}
	if s.Ref != 0 && g.leads[s.Ref] {
		body = append(body, same(s.Ref))
	}
	for _, a := range s.AllOf {
		if g.leads[a] {
			body = append(body, same(a))
		}
	}
	probe := func(a model.Ref) *jen.Statement {
		if g.accepts(a) {
			return jen.True()
		}
		return run.Clone().Dot("Probes").Call(jen.Id(g.check(a)), node.Clone())
	}
	for _, list := range [][]model.Ref{s.AnyOf, s.OneOf} {
		for _, a := range list {
			if g.leads[a] {
				body = append(body, jen.If(probe(a)).Block(same(a)))
			}
		}
	}
	if s.If != 0 {
		then, other := s.Then != 0 && g.leads[s.Then], s.Else != 0 && g.leads[s.Else]
		switch {
		case then && other:
			body = append(body, jen.If(probe(s.If)).Block(same(s.Then)).Else().Block(same(s.Else)))
		case then:
			body = append(body, jen.If(probe(s.If)).Block(same(s.Then)))
		case other:
			body = append(body, jen.If(jen.Op("!").Add(probe(s.If))).Block(same(s.Else)))
		}
	}
	own := g.bySchema[r]
	if len(own) > 0 && s.Use.Nullable {
		body = append(body, jen.If(v.Clone().Dot("Kind").Call(node.Clone()).Op("==").Add(g.RT("Null"))).Block(jen.Return()))
	}
	for _, i := range own {
		inv := &g.Invariants[i]
		switch rules.Scope(inv.Scope) {
		case rules.Document:
			body = append(body, jen.Id(g.rule(inv)).Call(run.Clone(), node.Clone()))
		case rules.Transition:
			body = append(body, run.Clone().Dot("Change").Call(jen.Id(g.rule(inv)), node.Clone(), was.Clone()))
		}
	}
	f := jen.Commentf("%s applies the rules of %s to n; was is the value before, if any.", g.walkers[r], s.Location).Line()
	return f.Func().Id(g.walkers[r]).Params(jen.Id("r").Op("*").Add(g.cel("Run")), jen.List(jen.Id("n"), jen.Id("was")).Add(g.RT("Node"))).Block(body...).Line()
}

// members is the code for the members of an object.
func (g *ruleset) members(s *model.Schema) (code []jen.Code) {
	run, n, was := jen.Id("r"), jen.Id("n"), jen.Id("was")
	v := run.Clone().Dot("V")
	var named []model.Property
	for _, p := range s.Properties {
		if g.leads[p.Schema] {
			named = append(named, p)
		}
	}
	for _, p := range s.DependentSchemas {
		if g.leads[p.Schema] {
			code = append(code, jen.If(g.cel("Has").Call(jen.Op("&").Add(v.Clone()).Dot("Doc"), n.Clone(), jen.Lit(p.Name))).Block(
				jen.Id(g.walker(p.Schema)).Call(run.Clone(), n.Clone(), was.Clone())))
		}
	}
	free := s.AdditionalProperties != 0 && g.leads[s.AdditionalProperties]
	patterns := slices.ContainsFunc(s.PatternProperties, func(p model.PatternProperty) bool { return g.leads[p.Schema] })
	if !free && !patterns && len(named) <= 1 {
		for _, p := range named {
			code = append(code, jen.If(
				jen.List(jen.Id("m"), jen.Id("w")).Op(":=").Add(run.Clone()).Dot("Member").Call(n.Clone(), was.Clone(), jen.Lit(p.Name)),
				jen.Id("m").Op(">=").Lit(0),
			).Block(jen.Id(g.walker(p.Schema)).Call(run.Clone(), jen.Id("m"), jen.Id("w"))))
		}
		return code
	}
	k := jen.Id("k")
	visit := func(r model.Ref, name *jen.Statement) jen.Code {
		return jen.Id(g.walker(r)).Call(run.Clone(), k.Clone().Op("+").Lit(1), run.Clone().Dot("Before").Call(was.Clone(), name))
	}
	name := jen.String().Call(v.Clone().Dot("Text").Call(k.Clone()))
	var cases []jen.Code
	for _, p := range s.Properties {
		if g.leads[p.Schema] {
			cases = append(cases, jen.Case(jen.Lit(p.Name)).Block(visit(p.Schema, jen.Lit(p.Name))))
		} else if free {
			cases = append(cases, jen.Case(jen.Lit(p.Name)))
		}
	}
	var loop []jen.Code
	if patterns || free && len(s.PatternProperties) > 0 {
		// Patterns first: they apply to declared members too, and rule out the others' schema.
		loop = append(loop, jen.Id("name").Op(":=").Add(name), jen.Id("known").Op(":=").False())
		for _, p := range s.PatternProperties {
			block := []jen.Code{jen.Id("known").Op("=").True()}
			if g.leads[p.Schema] {
				block = append(block, visit(p.Schema, jen.Id("name")))
			}
			parsed, err := pattern.Parse(p.Pattern)
			if err != nil {
				continue // the checks have reported it
			}
			loop = append(loop, jen.If(jen.Id(g.declareMatcher(p.Pattern, "match"+goname.Exported(s.Name), parsed)).Call(jen.Index().Byte().Call(jen.Id("name")))).Block(block...))
		}
		other := []jen.Code{}
		if free {
			other = append(other, jen.If(jen.Op("!").Id("known")).Block(visit(s.AdditionalProperties, jen.Id("name"))))
		} else {
			loop = append(loop, jen.Id("_").Op("=").Id("known"))
		}
		cases = append(cases, jen.Default().Block(other...))
		loop = append(loop, jen.Switch(jen.Id("name")).Block(cases...))
	} else {
		if free {
			loop = append(loop, jen.Id("name").Op(":=").Add(name))
			cases = append(cases, jen.Default().Block(visit(s.AdditionalProperties, jen.Id("name"))))
			loop = append(loop, jen.Switch(jen.Id("name")).Block(cases...))
		} else {
			loop = append(loop, jen.Switch(name).Block(cases...))
		}
	}
	return append(code, jen.For(
		jen.List(k.Clone(), jen.Id("end")).Op(":=").List(n.Clone().Op("+").Lit(1), v.Clone().Dot("Next").Call(n.Clone())),
		k.Clone().Op("<").Id("end"), k.Clone().Op("=").Add(v.Clone()).Dot("Next").Call(k.Clone().Op("+").Lit(1)),
	).Block(loop...))
}

// elements is the code for the elements of an array.
func (g *ruleset) elements(s *model.Schema) []jen.Code {
	run, n, was, k := jen.Id("r"), jen.Id("n"), jen.Id("was"), jen.Id("k")
	v := run.Clone().Dot("V")
	leads := func(r model.Ref) bool { return r != 0 && g.leads[r] }
	before := g.cel("Nowhere")
	if len(s.ListMapKeys) > 0 {
		args := []jen.Code{k.Clone(), was.Clone()}
		for _, key := range s.ListMapKeys {
			args = append(args, jen.Lit(key))
		}
		before = run.Clone().Dot("Entry").Call(args...)
	}
	visit := func(r model.Ref) jen.Code { return jen.Id(g.walker(r)).Call(run.Clone(), k.Clone(), before.Clone()) }
	var loop, cases []jen.Code
	for i, p := range s.PrefixItems {
		if leads(p) {
			cases = append(cases, jen.Case(jen.Lit(i)).Block(visit(p)))
		} else if leads(s.Items) {
			cases = append(cases, jen.Case(jen.Lit(i)))
		}
	}
	switch {
	case len(cases) > 0:
		if leads(s.Items) {
			cases = append(cases, jen.Default().Block(visit(s.Items)))
		}
		loop = append(loop, jen.Switch(jen.Id("i")).Block(cases...), jen.Id("i").Op("++"))
	case leads(s.Items):
		loop = append(loop, visit(s.Items))
	}
	if leads(s.Contains) {
		// Entries are one across versions as items of the list, not as what it contains.
		loop = append(loop, jen.If(run.Clone().Dot("Probes").Call(jen.Id(g.check(s.Contains)), k.Clone())).Block(
			jen.Id(g.walker(s.Contains)).Call(run.Clone(), k.Clone(), g.cel("Nowhere"))))
	}
	if loop == nil {
		return nil
	}
	out := []jen.Code{}
	if len(cases) > 0 {
		out = append(out, jen.Id("i").Op(":=").Lit(0))
	}
	return append(out, jen.For(
		jen.List(k.Clone(), jen.Id("end")).Op(":=").List(n.Clone().Op("+").Lit(1), v.Clone().Dot("Next").Call(n.Clone())),
		k.Clone().Op("<").Id("end"), k.Clone().Op("=").Add(v.Clone()).Dot("Next").Call(k.Clone()),
	).Block(loop...))
}

// rule is the function of an invariant.
func (g *ruleset) rule(inv *model.Invariant) string {
	if name, known := g.rules[inv.ID]; known {
		return name
	}
	name := g.free("rule" + goname.Exported(strings.NewReplacer(".", "_", "-", "_", "/", "_").Replace(inv.ID)))
	g.rules[inv.ID] = name
	scope := rules.Scope(inv.Scope)
	vars := []gocel.Variable{{Name: "self", ID: "self", Doc: 0, Term: inv.Self}}
	params := []jen.Code{jen.Id("r").Op("*").Add(g.cel("Run")), jen.Id("self").Add(g.RT("Node"))}
	switch {
	case scope == rules.Transition && inv.MayLackOld:
		vars = append(vars, gocel.Variable{Name: "oldSelf", ID: "oldSelf", Doc: -1, Term: &model.Term{Kind: model.TermOptional, Elem: inv.Self}})
		params = append(params, jen.Id("was").Add(g.RT("Node")))
	case scope == rules.Transition:
		vars = append(vars, gocel.Variable{Name: "oldSelf", ID: "oldSelf", Doc: 1, Term: inv.Self})
		params = append(params, jen.Id("oldSelf").Add(g.RT("Node")))
	case scope != rules.Document:
		vars[0].Doc, vars[0].Term = -1, &model.Term{Kind: model.TermList, Elem: inv.Self}
		params[1] = jen.Id("self").Add(g.cel("Val"))
	}
	g.c.Begin(name, vars...)
	body := g.ruleBody(inv, 0)
	members := g.c.Settle()
	if err := g.c.Err(); err != nil {
		g.diags.Errorf(inv.Pos, "", "gen.rule", "the rule %s cannot be compiled: %v", inv.ID, err)
	}
	var head []jen.Code
	if scope == rules.Transition && !inv.MayLackOld {
		head = append(head, jen.If(jen.Id("oldSelf").Op("<").Lit(0).Op("||").Add(jen.Id("r").Dot("Old").Dot("Kind").Call(jen.Id("oldSelf"))).Op("==").Add(g.RT("Null"))).Block(jen.Return()))
	}
	head = append(head, jen.Id("r").Dot("Refill").Call())
	if g.c.Uses("c") || inv.MayLackOld {
		head = append(head, jen.Id("c").Op(":=").Op("&").Id("r").Dot("Ctx"))
	}
	if g.c.Uses("d") {
		head = append(head, jen.Id("d").Op(":=").Op("&").Id("r").Dot("V").Dot("Doc"))
	}
	if g.c.Uses("o") {
		head = append(head, jen.Id("o").Op(":=").Id("r").Dot("OldDoc").Call())
	}
	if g.c.Drops() { // what was to use them may not be part of the code
		text := fmt.Sprintf("%#v", jen.Block(slices.Concat(members, body)...))
		for _, id := range []string{"c", "d", "o"} {
			if g.c.Uses(id) && !regexp.MustCompile(`\b`+id+`\b`).MatchString(text) {
				head = append(head, jen.Id("_").Op("=").Id(id))
			}
		}
	}
	head = append(head, members...)
	if inv.MayLackOld {
		head = append(head, jen.Id("oldSelf").Op(":=").Id("r").Dot("OldOptional").Call(jen.Id("was"), g.c.Shape(inv.Self)))
		if !g.c.Uses("oldSelf") {
			head = append(head, jen.Id("_").Op("=").Id("oldSelf"))
		}
		if !g.c.Uses("c") {
			head = append(head, jen.Id("_").Op("=").Id("c"))
		}
	}
	text := inv.Rule
	if text == "" {
		text = inv.Offenders
	}
	f := jen.Commentf("%s is the rule %s:", name, inv.ID).Line().Comment("//").Line()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f = f.Comment("//\t" + strings.TrimRight(line, " \r")).Line()
	}
	g.decls = append(g.decls, f.Func().Id(name).Params(params...).Block(append(head, body...)...).Line())
	g.decls = append(g.decls, g.c.Funcs()...)
	return name
}

// ruleBody is the code of the loops from depth on and of the rule within them.
func (g *ruleset) ruleBody(inv *model.Invariant, depth int) []jen.Code {
	if depth < len(inv.Binders) {
		b := inv.Binders[depth]
		vars := []string{b.As}
		if b.Index != "" {
			vars = []string{b.Index, b.As}
		}
		ran := g.c.Each(b.In, vars, func() []jen.Code { return g.ruleBody(inv, depth+1) })
		return []jen.Code{jen.If(jen.Op("!").Add(ran)).Block(g.failed(inv, depth))}
	}
	if inv.Check != nil {
		var report jen.Code
		g.c.Seldom(func() { report = g.violated(inv) })
		if inv.FailsAt && len(inv.Path) > 0 {
			short := *inv
			short.Path = nil
			g.c.Seldom(func() {
				report = jen.If(g.c.False(inv.Check)).Block(report).Else().Block(g.report("Failed", &short, nil))
			})
		}
		return []jen.Code{jen.If(jen.Op("!").Parens(g.c.True(inv.Check))).Block(report)}
	}
	if inv.List == nil {
		return nil
	}
	if skip := g.c.Empty(inv.List); skip != nil {
		leave := jen.Return()
		if depth > 0 {
			leave = jen.Continue()
		}
		return []jen.Code{jen.If(skip).Block(leave), g.offenders(inv)}
	}
	return []jen.Code{g.offenders(inv)}
}

// offenders is the loop over those who break the rule.
func (g *ruleset) offenders(inv *model.Invariant) jen.Code {
	ran := g.c.Each(inv.List, []string{"at"}, func() (code []jen.Code) {
		g.c.Seldom(func() { code = []jen.Code{g.violated(inv)} })
		return code
	})
	return jen.If(jen.Op("!").Add(ran)).Block(g.failed(inv, len(inv.Binders)))
}

// failed reports the rule where the loop at depth could not be run, or the offenders not
// be found: the variables of its elements are not there, and the message says so.
func (g *ruleset) failed(inv *model.Invariant, depth int) (code jen.Code) {
	g.c.Seldom(func() { code = g.report("Failed", inv, inv.Unbound(depth)) })
	return code
}

// violated is the call that reports the rule.
func (g *ruleset) violated(inv *model.Invariant) jen.Code {
	return g.report("Violated", inv, nil)
}

// report is the call of a method of Run. The path ends before the first part that reads
// one of the variables that are not there.
func (g *ruleset) report(method string, inv *model.Invariant, unbound []string) jen.Code {
	g.c.Need("r")
	g.c.Need("self")
	at := jen.Id("self")
	if s := rules.Scope(inv.Scope); s == rules.History || s == rules.Collection {
		at = g.cel("Nowhere")
	}
	var path *jen.Statement
	text := ""
	add := func(x *jen.Statement) {
		if path == nil {
			path = x
		} else {
			path = path.Op("+").Add(x)
		}
	}
	for _, p := range inv.Path[:inv.Known(unbound)] {
		if p.Expr == nil {
			text += "/" + strings.ReplaceAll(strings.ReplaceAll(p.Name, "~", "~0"), "/", "~1")
			continue
		}
		if text != "" {
			add(jen.Lit(text))
			text = ""
		}
		g.c.Need("c")
		add(jen.Id("c").Dot("Segment").Call(g.c.Value(p.Expr)))
	}
	if text != "" || path == nil {
		add(jen.Lit(text))
	}
	text = inv.Message
	if text == "" { // a computed one that could not be computed
		text = "the rule " + inv.ID + " is broken"
	}
	message := jen.Lit(text)
	if inv.MessageBy != nil && !slices.ContainsFunc(unbound, inv.MessageBy.Reads) {
		message = g.cel("Message").Call(g.c.Value(inv.MessageBy), message)
	}
	return jen.Id("r").Dot(method).Call(at, jen.Lit(inv.ID), jen.Lit(inv.SchemaURI), message, path)
}

// validate is the call that validates data wholly; also the arguments that the
// other entry points hand on.
func (g *ruleset) arguments(d *model.Document) []jen.Code {
	return []jen.Code{g.checkOrAny(d.Root), g.completer(d.Type), jen.Id(g.walker(d.Root))}
}

// entryPoints declares what a document with invariants has beside others.
func (g *ruleset) entryPoints(f *jen.File, d *model.Document) {
	name := g.TypeName(d.Type)
	data := jen.Id("data").Index().Byte()
	changes := g.has(d.Root, rules.Transition)
	if changes {
		f.Commentf("Validate%sTransition returns what is wrong with data as the document that takes the place of", name)
		f.Comment("old: its structure, its rules and the rules of the change.")
		if g.OldStands {
			f.Comment("What is stored stands: old has to be JSON, and is not judged.")
		} else {
			f.Comment("old has to be valid by itself, in structure and by its rules, too. What is wrong with old has")
			f.Comment("a path below /oldSelf, and then the rules of the change are not asked.")
		}
		f.Func().Id("Validate" + name + "Transition").Params(jen.List(jen.Id("old"), data.Clone())).Add(g.RT("Issues")).Block(
			jen.Return(g.change(jen.Id("old"), jen.Id("data"), g.arguments(d))))
	}
	list := func(scope rules.Scope, verb, about string, transition jen.Code) {
		var calls []jen.Code
		for _, i := range g.bySchema[d.Root] {
			if rules.Scope(g.Invariants[i].Scope) == scope {
				calls = append(calls, jen.Id(g.rule(&g.Invariants[i])).Call(jen.Id("r"), jen.Id("self")))
			}
		}
		if len(calls) == 0 && transition == nil {
			return
		}
		f.Commentf("Validate%s%s returns what is wrong with %s.", name, verb, about)
		complete := g.arguments(d)[1]
		args := []jen.Code{jen.Id("docs"), g.c.Shape(g.selfTerm(d)), complete, jen.Id("Validate" + name)}
		function := "ValidateSet"
		if scope == rules.History {
			function = "ValidateHistory"
			if transition == nil {
				transition = jen.Nil()
			}
			args = append(args, transition)
		}
		var each *jen.Statement
		if len(calls) == 0 {
			each = jen.Nil()
		} else {
			each = jen.Func().Params(jen.Id("r").Op("*").Add(g.cel("Run")), jen.Id("self").Add(g.cel("Val"))).Block(calls...)
		}
		f.Func().Id("Validate" + name + verb).Params(jen.Id("docs").Index().Index().Byte()).Add(g.RT("Issues")).Block(
			jen.Return(g.cel(function).Call(append(args, each)...)))
	}
	var transition jen.Code
	if changes { // of versions that are sound, so that nobody has to ask again
		transition = jen.Func().Params(jen.List(jen.Id("old"), data.Clone())).Add(g.RT("Issues")).Block(
			jen.Return(g.cel("Update").Call(append([]jen.Code{jen.Id("old"), jen.Id("data")}, g.arguments(d)...)...)))
	}
	list(rules.History, "History", "a document's versions, oldest first: each by itself, each change and the whole", transition)
	list(rules.Collection, "Set", "documents that belong together: each by itself and all together", nil)
}

// change is a call that judges a change; by are the check, the completion and the rules.
func (g *ruleset) change(old, data jen.Code, by []jen.Code) jen.Code {
	function := "Transition"
	if g.OldStands {
		function = "Update"
	}
	return g.cel(function).Call(append([]jen.Code{old, data}, by...)...)
}

// transitionAs declares ValidateTransitionAs, where any document has rules of changes.
func (g *ruleset) transitionAs(f *jen.File, docs []*model.Document) {
	var cases []jen.Code
	for _, d := range docs {
		if g.has(d.Root, rules.Transition) {
			cases = append(cases, jen.Case(jen.Id(g.TypeName(d.Type)+"SchemaID")).Block(
				jen.Return(jen.Id("Validate"+g.TypeName(d.Type)+"Transition").Call(jen.Id("old"), jen.Id("data")))))
		}
	}
	if len(cases) == 0 {
		return
	}
	f.Comment("ValidateTransitionAs returns what is wrong with data, a document of the schema id, as the one")
	both := g.cel("Both").Call(jen.Id("old"), jen.Id("data"), jen.Id("validate"), jen.Id("validate"))
	if g.OldStands {
		f.Comment("that takes the place of old. Where no rule speaks of changes old does not matter.")
		both = jen.Id("validate").Call(jen.Id("data"))
	} else {
		f.Comment("that takes the place of old. Where no rule speaks of changes both are judged by themselves.")
		f.Comment("What is wrong with old has a path below /oldSelf.")
	}
	f.Func().Id("ValidateTransitionAs").Params(jen.Id("id").String(), jen.List(jen.Id("old"), jen.Id("data")).Index().Byte()).Add(g.RT("Issues")).Block(
		jen.Switch(jen.Id("id")).Block(cases...),
		jen.Id("validate").Op(":=").Id("validatorOf").Call(jen.Id("id")),
		jen.If(jen.Id("validate").Op("==").Nil()).Block(jen.Return(g.RT("UnknownSchema").Call(jen.Id("id")))),
		jen.Return(both),
	)
}

// selfTerm is the type of the document in rules.
func (g *ruleset) selfTerm(d *model.Document) *model.Term {
	for _, i := range g.bySchema[d.Root] {
		return g.Invariants[i].Self
	}
	return &model.Term{Kind: model.TermDyn}
}
