// Package gocel compiles the model's CEL expressions to Go.
//
// A boolean expression becomes two Go conditions: one that is true when the
// expression is true, one that is true when it is false; when neither is, its
// evaluation failed. That gives CEL's absorption of errors by && and || for free,
// without a third truth value at run time. Values of types that are known become
// strings, integers or nodes of the document's tape that may fail to be there;
// everything else calls the dynamic library runtime/contract/cel. Loops and
// alternatives become functions of their own.
package gocel

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/internal/model"
)

// Compiler compiles the expressions of one package.
type Compiler struct {
	Views   []model.View
	Defs    []model.Def
	Runtime string // import path of runtime/contract

	// Matcher declares a function func([]byte) bool for a pattern in RE2 syntax and
	// returns its name; "" when the pattern is better left to the regexp package.
	Matcher func(pattern string) string

	// Free makes a name unique in the package; by default among what the compiler declares.
	Free func(name string) string

	reads    map[int][]string    // by view: the members that are read, in order of their numbers
	seen     []int               // the views, in order of their first use
	readLog  []int               // the views, in order of what was added to reads
	texts    map[string]textList // by the strings
	lists    []jen.Code
	funcs    []jen.Code // declarations, in the order of their completion
	shapes   map[string]string
	order    []shape
	defOrder []string
	defs     map[string]string // function of a named expression, by what its arguments are
	taken    map[string]bool
	frames   []*frame
	prefix   string
	count    int
	work     int            // expressions compiled since Begin, each time they were
	most     int            // of work
	seldom   int            // what is compiled runs for offenders only
	quick    int            // what is compiled is a quick condition; see Empty
	names    int            // variables that another has named
	wide     *model.Widener // see widener
	err      error
}

// maxWork bounds the work and the code of one rule: what is compared or chosen by is
// written twice, so that the code doubles with each level of nesting.
const maxWork = 50_000

// tooLarge counts an expression, and fails when it is one too many.
func (c *Compiler) tooLarge() bool {
	if c.work++; c.work <= c.most {
		return false
	}
	c.fail("its conditions are nested so deeply that its code would be too large; split it, or name parts of it with cel.bind or functions")
	return true
}

// repr says how an operand is represented in Go.
type repr uint8

const (
	asVal  repr = iota // cel.Val
	asNode             // contract.Node of the document doc, perhaps cel.Nowhere
	asStr              // cel.Str
	asInt              // cel.I64
	asNum              // cel.F64
	asTime             // cel.Inst
	asOpt              // contract.Node of an optional: cel.Nowhere is none, and it cannot fail
)

// operand is a Go expression for a value.
type operand struct {
	repr repr
	code *jen.Statement
	doc  int // of a node: 0 for the document, 1 for the one before
	term *model.Term

	fixed *jen.Statement // of a constant: its form as a cel.Val
	id    string         // the Go variable that holds it, if it is one
	there bool           // that variable holds a value for sure
}

// variable is a CEL variable and the Go variable that holds it.
type variable struct {
	name, id string
	operand
}

// frame is a Go function that is being written.
type frame struct {
	vars []variable // what CEL names mean here; the last one of a name counts
	used []string   // Go names that the function needs from outside
	own  map[string]bool
	seen map[string]bool // own names that are used
	def  bool            // of a named expression, which loops may call

	reads []read // of members of variables that are not settled yet
	drops bool   // something was compiled that is not part of it
}

// New returns a compiler for a package.
func New(views []model.View, defs []model.Def, runtime string) *Compiler {
	c := &Compiler{Views: views, Defs: defs, Runtime: runtime, shapes: map[string]string{}, reads: map[int][]string{}, texts: map[string]textList{}, defs: map[string]string{}, taken: map[string]bool{}}
	c.Free = func(name string) string {
		base := name
		for n := 2; c.taken[name]; n++ {
			name = fmt.Sprintf("%s%d", base, n)
		}
		c.taken[name] = true
		return name
	}
	return c
}

// cel names something of the library.
func (c *Compiler) cel(name string) *jen.Statement { return jen.Qual(c.Runtime+"/cel", name) }

// linear names a function of the library whose time grows with a value of the document:
// within loops it is a method that draws on the step budget.
func (c *Compiler) linear(name string) *jen.Statement {
	if c.quick == 0 && (len(c.frames) > 1 || c.frames[0].def) {
		return c.ctx().Dot("Walk" + name)
	}
	return c.cel(name)
}

// rt names something of the runtime.
func (c *Compiler) rt(name string) *jen.Statement { return jen.Qual(c.Runtime, name) }

// Funcs returns the functions that were needed so far, and forgets them.
func (c *Compiler) Funcs() []jen.Code {
	f := c.funcs
	c.funcs = nil
	return f
}

// Err returns why an expression could not be compiled, if any could not.
func (c *Compiler) Err() error { return c.err }

// Forget drops the error and the functions of the rule that has it.
func (c *Compiler) Forget() { c.err, c.funcs = nil, nil }

func (c *Compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// Begin starts a function for the expressions of one rule, whose helpers are named
// after prefix. vars are its variables.
func (c *Compiler) Begin(prefix string, vars ...Variable) {
	c.prefix, c.count, c.names = prefix, 0, 0
	c.work, c.most = 0, maxWork
	f := &frame{own: map[string]bool{"c": true, "d": true, "o": true, "r": true}}
	for _, v := range vars {
		f.own[v.ID] = true
		f.vars = append(f.vars, v.variable())
	}
	c.frames = []*frame{f}
}

// Drops reports whether something was compiled since Begin that is not part of the
// code, so that what it uses might not be used.
func (c *Compiler) Drops() bool { return c.frames[0].drops }

// Uses reports whether what was compiled since Begin uses the Go variable id: c is
// the evaluation's state, d the document, o the one before.
func (c *Compiler) Uses(id string) bool { return c.frames[0].seen[id] }

// Need notes that what is being compiled uses the Go variable id of its rule.
func (c *Compiler) Need(id string) { c.use(id) }

// Each compiles a loop over a list or a map to a function that is true when the
// loop could be run to its end. inside returns the statements for an element.
func (c *Compiler) Each(in *model.Expr, vars []string, inside func() []jen.Code) *jen.Statement {
	return c.loop(&model.Expr{Args: []*model.Expr{in}, Vars: vars}, "Each", jen.Bool(), nil, jen.False(), inside, jen.Return(jen.True()))
}

// Shape is the expression of how values of a type are seen.
func (c *Compiler) Shape(t *model.Term) *jen.Statement { return c.shape(t) }

// Variable is a variable of a rule: a node of a document, or a dynamic value.
type Variable struct {
	Name string // in CEL
	ID   string // in Go
	Doc  int    // 0 or 1 of a node; -1 for a cel.Val
	Term *model.Term
}

func (v Variable) variable() variable {
	o := operand{repr: asNode, code: jen.Id(v.ID), doc: v.Doc, term: v.Term, id: v.ID, there: true}
	if v.Doc < 0 {
		o.repr, o.doc = asVal, 0
	}
	return variable{v.Name, v.ID, o}
}

// Declare makes a further variable known, for what is compiled after it.
func (c *Compiler) Declare(v Variable) {
	f := c.top()
	f.own[v.ID] = true
	f.vars = append(f.vars, v.variable())
}

func (c *Compiler) top() *frame { return c.frames[len(c.frames)-1] }

// use notes that the current function needs a Go variable.
func (c *Compiler) use(id string) {
	f := c.top()
	if f.own[id] {
		if f.seen == nil {
			f.seen = map[string]bool{}
		}
		f.seen[id] = true
	} else if !slices.Contains(f.used, id) {
		f.used = append(f.used, id)
	}
}

// doc is the Go variable of a document.
func (c *Compiler) doc(i int) *jen.Statement {
	id := "d"
	if i == 1 {
		id = "o"
	}
	c.use(id)
	return jen.Id(id)
}

// ctx is the Go variable of the evaluation's state.
func (c *Compiler) ctx() *jen.Statement {
	c.use("c")
	return jen.Id("c")
}

func (c *Compiler) lookup(name string) (variable, bool) {
	if outer, ok := strings.CutPrefix(name, "."); ok { // a variable of the rule itself
		for _, v := range c.frames[0].vars {
			if v.name == outer {
				return v, true
			}
		}
		return variable{}, false
	}
	for i := len(c.frames) - 1; i >= 0; i-- {
		vars := c.frames[i].vars
		for k := len(vars) - 1; k >= 0; k-- {
			if vars[k].name == name {
				return vars[k], true
			}
		}
	}
	return variable{}, false
}

// goType is the type of a parameter.
func (c *Compiler) goType(id string) *jen.Statement {
	switch id {
	case "c":
		return jen.Op("*").Add(c.cel("Ctx"))
	case "d", "o":
		return jen.Op("*").Add(c.rt("Doc"))
	case "r":
		return jen.Op("*").Add(c.cel("Run"))
	}
	for i := len(c.frames) - 1; i >= 0; i-- {
		for _, v := range c.frames[i].vars {
			if v.id == id {
				return c.reprType(v.repr)
			}
		}
	}
	return c.cel("Val")
}

func (c *Compiler) reprType(r repr) *jen.Statement {
	switch r {
	case asNode, asOpt:
		return c.rt("Node")
	case asStr:
		return c.cel("Str")
	case asInt:
		return c.cel("I64")
	case asNum:
		return c.cel("F64")
	case asTime:
		return c.cel("Inst")
	}
	return c.cel("Val")
}

// fresh returns a Go name for a CEL variable that no variable in scope has.
func (c *Compiler) fresh(name string) string {
	id := lowerFirst(goname.Exported(strings.Trim(name, "@_")))
	if id == "" || id == "_" {
		id = "x"
	}
	if strings.HasSuffix(id, membersSuffix) {
		id += "_"
	}
	if packageIDs.MatchString(id) {
		id = "its" + strings.ToUpper(id[:1]) + id[1:]
	}
	base := id
	for n := 2; c.inScope(id) || reservedIDs[id] || token.IsKeyword(id) || types.Universe.Lookup(id) != nil; n++ {
		id = fmt.Sprintf("%s%d", base, n)
	}
	return id
}

// packageIDs look like names that the package declares or imports, which a variable
// must not hide from the rule's own code.
var packageIDs = regexp.MustCompile(`^(texts|fixed|shape|sees|rules?|def|match)[A-Z0-9]|^(math|regexp|slices|strings)$`)

// reservedIDs are the names that generated code uses itself.
var reservedIDs = map[string]bool{"n": true, "at": true, "c": true, "d": true, "o": true, "r": true, "list": true, "end": true, "it": true, "out": true, "count": true, "sum": true, "cel": true, "contract": true, "accu": true, "i": true, "v": true, "few": true, "m": true, "l": true}

func (c *Compiler) inScope(id string) bool {
	for _, f := range c.frames {
		for _, v := range f.vars {
			if v.id == id {
				return true
			}
		}
	}
	return false
}

// function writes a helper function. body is written within a new frame, in which
// the parameters params are known; it returns the function's statements. The call
// of the function is returned: args are given for params, and what body used from
// outside is handed over by the same names.
func (c *Compiler) function(kind string, result *jen.Statement, params []variable, args []*jen.Statement, body func() []jen.Code) *jen.Statement {
	c.count++
	name := fmt.Sprintf("%s%s%d", c.prefix, kind, c.count)
	f := &frame{own: map[string]bool{}}
	for _, p := range params {
		f.own[p.id] = true
		f.vars = append(f.vars, p)
	}
	c.frames = append(c.frames, f)
	code := body()
	code = append(c.settle(func(string) bool { return true }), code...)
	var list, call []jen.Code
	used := slices.Clone(f.used)
	slices.SortFunc(used, func(a, b string) int { return strings.Compare(rank(a)+a, rank(b)+b) })
	for _, id := range used {
		list = append(list, jen.Id(id).Add(c.goType(id)))
		call = append(call, jen.Id(id))
	}
	for i, p := range params {
		if p.name == "\x00" || args[i] == nil {
			continue
		}
		list = append(list, jen.Id(p.id).Add(c.reprType(p.repr)))
		call = append(call, args[i])
	}
	c.frames = c.frames[:len(c.frames)-1]
	for _, id := range used {
		c.use(id)
	}
	c.funcs = append(c.funcs, jen.Func().Id(name).Params(list...).Add(result).Block(code...).Line())
	return jen.Id(name).Call(call...)
}

// mark remembers what is written; the function that it returns goes back to that.
func (c *Compiler) mark() func() {
	f := c.top()
	funcs, count, used, seen, err := len(c.funcs), c.count, slices.Clone(f.used), maps.Clone(f.seen), c.err
	defs, shapes, reads, lists, views, members := len(c.defOrder), len(c.order), len(c.readLog), len(c.lists), len(c.seen), len(f.reads)
	return func() {
		f.reads = f.reads[:members]
		for _, view := range c.readLog[reads:] {
			c.reads[view] = c.reads[view][:len(c.reads[view])-1]
		}
		for _, view := range c.seen[views:] {
			delete(c.reads, view)
		}
		c.readLog, c.seen = c.readLog[:reads], c.seen[:views]
		for key, name := range c.texts {
			if name.at >= lists {
				delete(c.texts, key)
			}
		}
		c.lists = c.lists[:lists]

		c.funcs, c.count, f.used, f.seen, c.err = c.funcs[:funcs], count, used, seen, err
		for _, key := range c.defOrder[defs:] {
			delete(c.defs, key)
		}
		for _, s := range c.order[shapes:] {
			delete(c.shapes, c.shapeKey(s.term))
		}
		c.defOrder, c.order = c.defOrder[:defs], c.order[:shapes]
	}
}

func rank(id string) string {
	switch id {
	case "c":
		return "0"
	case "d":
		return "1"
	case "o":
		return "2"
	}
	return "3"
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	i := 0
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	if i > 1 && i < len(s) { // an initialism before another word
		i--
	}
	return strings.ToLower(s[:i]) + s[i:]
}

// slot returns a view and the number of one of its members.
func (c *Compiler) slot(view int, name string) (v, i *jen.Statement) {
	names, known := c.reads[view]
	if !known {
		c.seen = append(c.seen, view)
	}
	if !slices.Contains(names, name) {
		c.reads[view] = append(names, name)
		c.readLog = append(c.readLog, view)
	}
	return jen.Op("&").Id(c.viewVar(view)), jen.Id(c.memberConst(view, name))
}

// memberConst is the constant with the number of a member.
func (c *Compiler) memberConst(view int, name string) string {
	key := fmt.Sprintf("view %d %s", view, name)
	if id, known := c.shapes[key]; known {
		return id
	}
	id := c.Free(c.viewVar(view) + goname.Exported(name))
	c.shapes[key] = id
	return id
}

func (c *Compiler) viewVar(view int) string {
	key := fmt.Sprintf("view %d", view)
	if name, known := c.shapes[key]; known {
		return name
	}
	name := c.Free("sees" + c.Views[view].Name)
	c.shapes[key] = name
	return name
}

// viewDecls declares the views that are read, with a constant for each member.
func (c *Compiler) viewDecls() (out []jen.Code) {
	for k, view := range c.seen {
		id := c.viewVar(view)
		var names, consts []jen.Code
		for i, name := range c.reads[view] {
			names = append(names, jen.Line().Lit(name))
			constant := jen.Id(c.memberConst(view, name))
			if i == 0 {
				constant = constant.Op("=").Iota()
			}
			consts = append(consts, constant)
		}
		out = append(out,
			jen.Commentf("%s are the members of %s that rules read.", id, c.Views[view].Name).Line().
				Var().Id(id).Op("=").Add(c.cel("View")).Values(jen.Dict{
				jen.Id("ID"):    jen.Lit(k + 1),
				jen.Id("Names"): jen.Index().String().Values(append(names, jen.Line())...),
			}),
			jen.Const().Defs(consts...))
	}
	return out
}

// textList is a variable with constant strings; at is its place in Compiler.lists.
type textList struct {
	name string
	at   int
}

// strings declares a list of constant strings and returns its name.
func (c *Compiler) strings(list []string) string {
	key := fmt.Sprintf("%q", list)
	if l, known := c.texts[key]; known {
		return l.name
	}
	name := c.Free(fmt.Sprintf("texts%d", len(c.texts)+1))
	c.texts[key] = textList{name, len(c.lists)}
	var items []jen.Code
	for _, s := range list {
		items = append(items, jen.Lit(s))
	}
	c.lists = append(c.lists, jen.Var().Id(name).Op("=").Index().String().Values(items...))
	return name
}
