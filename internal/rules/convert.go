package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/contractkit/contractkit/internal/model"
)

// converter turns a checked AST into the model's expressions.
type converter struct {
	t       *typer
	a       *ast.AST
	text    string
	offsets []int // rune offset → byte offset; nil when the text is ASCII
	defs    map[string]bool
	scope   []binding
	err     error
}

type binding struct {
	name string
	term *model.Term
}

// convert returns the expression of a checked AST. vars are the variables around it.
func (t *typer) convert(a *ast.AST, text string, vars []binding, defs map[string]bool) (*model.Expr, error) {
	c := &converter{t: t, a: a, text: text, scope: slices.Clone(vars), defs: defs}
	for i := range text {
		c.offsets = append(c.offsets, i)
	}
	e := c.expr(a.Expr())
	return e, c.err
}

func (c *converter) at(id int64) int {
	info := c.a.SourceInfo()
	r, ok := info.GetOffsetRange(id)
	if !ok || int(r.Start) >= len(c.offsets) || r.Start < 0 {
		return 0
	}
	return c.offsets[r.Start]
}

func (c *converter) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *converter) lookup(name string) *model.Term {
	for i := len(c.scope) - 1; i >= 0; i-- {
		if c.scope[i].name == name {
			return c.scope[i].term
		}
	}
	return nil
}

// with evaluates f with more variables in scope.
func (c *converter) with(vars []binding, f func()) {
	n := len(c.scope)
	c.scope = append(c.scope, vars...)
	f()
	c.scope = c.scope[:n]
}

func (c *converter) expr(e ast.Expr) *model.Expr {
	out := &model.Expr{Term: c.t.back(c.a.GetType(e.ID())), At: c.at(e.ID())}
	if r := c.a.ReferenceMap()[e.ID()]; r != nil && r.Value != nil {
		return c.constant(out, r.Value)
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return c.constant(out, e.AsLiteral())
	case ast.IdentKind:
		name := strings.TrimPrefix(e.AsIdent(), ".")
		if r := c.a.ReferenceMap()[e.ID()]; r != nil && r.Name != "" {
			name = strings.TrimPrefix(r.Name, ".")
		}
		out.Op, out.Name = model.ExprVar, name
		if t := c.a.GetType(e.ID()); out.Term.Kind == model.TermType && c.lookup(name) == nil && t != nil {
			out.Op, out.Value = model.ExprConst, name
			if len(t.Parameters()) == 1 {
				out.Value = t.Parameters()[0].TypeName()
			}
			return out
		}
		if strings.HasPrefix(e.AsIdent(), ".") { // not the variable of a loop of that name
			out.Name = "." + name
		} else if t := c.lookup(name); t != nil && (t.Kind == out.Term.Kind || out.Term.Kind == model.TermDyn) {
			out.Term = t
		}
	case ast.SelectKind:
		s := e.AsSelect()
		c.selection(out, c.expr(s.Operand()), s.FieldName())
		if s.IsTestOnly() {
			out.Op, out.Term = model.ExprHas, &model.Term{Kind: model.TermBool}
		}
	case ast.CallKind:
		c.call(out, e.AsCall())
	case ast.ListKind:
		out.Op = model.ExprList
		for _, x := range e.AsList().Elements() {
			out.Args = append(out.Args, c.expr(x))
		}
		for _, i := range e.AsList().OptionalIndices() {
			out.Optional = append(out.Optional, int(i))
		}
	case ast.MapKind:
		out.Op = model.ExprMap
		for i, x := range e.AsMap().Entries() {
			m := x.AsMapEntry()
			out.Args = append(out.Args, c.expr(m.Key()), c.expr(m.Value()))
			if key := out.Args[2*i]; key.Term.Nullable {
				c.fail("a key of a map may be null here")
			}
			if m.IsOptional() {
				out.Optional = append(out.Optional, i)
			}
		}
	case ast.ComprehensionKind:
		c.comprehension(out, e.AsComprehension())
	default:
		c.fail("a rule cannot make messages")
		out.Op, out.Value = model.ExprConst, "null"
	}
	return out
}

// selection reads a member: of an object by its name on the wire.
func (c *converter) selection(out, operand *model.Expr, name string) {
	out.Op, out.Name, out.Args = model.ExprSelect, name, []*model.Expr{operand}
	term := operand.Term
	if term.Kind == model.TermOptional {
		term = term.Elem
	}
	switch term.Kind {
	case model.TermObject:
		if f := c.t.field(term.Object, name); f != nil {
			out.Name = f.Name
			if operand.Term.Kind != model.TermOptional {
				out.Term = f.Term
			}
		}
	case model.TermMap:
		if operand.Term.Kind != model.TermOptional {
			out.Term = term.Elem
		}
	}
}

func (c *converter) call(out *model.Expr, call ast.CallExpr) {
	name := call.FunctionName()
	if call.IsMemberFunction() {
		if call.Target().Kind() != ast.UnspecifiedExprKind {
			out.Args = append(out.Args, c.expr(call.Target()))
		}
	}
	for _, x := range call.Args() {
		out.Args = append(out.Args, c.expr(x))
	}
	out.Op, out.Name = model.ExprCall, strings.TrimPrefix(name, ".")
	switch name {
	case operators.LogicalAnd:
		out.Op = model.ExprAnd
	case operators.LogicalOr:
		out.Op = model.ExprOr
	case operators.LogicalNot:
		out.Op = model.ExprNot
	case operators.Conditional:
		out.Op = model.ExprCond
	case operators.OptSelect:
		operand := out.Args[0].Term
		if operand.Kind == model.TermOptional {
			operand = operand.Elem
		}
		if operand.Kind == model.TermObject && len(out.Args) == 2 {
			if f := c.t.field(operand.Object, out.Args[1].Value); f != nil {
				out.Args[1].Value = f.Name
				out.Term = &model.Term{Kind: model.TermOptional, Elem: f.Term}
			}
		}
	case operators.Index:
		if out.Args[0].Term.Kind == model.TermList {
			out.Term = out.Args[0].Term.Elem
		} else if out.Args[0].Term.Kind == model.TermMap {
			out.Term = out.Args[0].Term.Elem
		}
	case operators.OptIndex:
		if from := out.Args[0].Term; (from.Kind == model.TermList || from.Kind == model.TermMap) && from.Elem.Values != nil && out.Term.Kind == model.TermOptional {
			elem := *out.Term.Elem
			elem.Values = from.Elem.Values
			out.Term = &model.Term{Kind: model.TermOptional, Elem: &elem}
		}
	default:
		if c.defs[out.Name] {
			out.Op = model.ExprDef
		}
	}
	if len(out.Args) > 64 {
		c.fail("a call has more than 64 arguments")
	}
}

func (c *converter) constant(out *model.Expr, v ref.Val) *model.Expr {
	out.Op = model.ExprConst
	kind := func(k model.TermKind, text string) {
		out.Term, out.Value = &model.Term{Kind: k}, text
	}
	switch x := v.(type) {
	case types.Null:
		kind(model.TermNull, "null")
	case types.Bool:
		kind(model.TermBool, strconv.FormatBool(bool(x)))
	case types.Int:
		kind(model.TermInt, strconv.FormatInt(int64(x), 10))
	case types.Uint:
		kind(model.TermUint, strconv.FormatUint(uint64(x), 10))
	case types.Double:
		kind(model.TermDouble, strconv.FormatFloat(float64(x), 'g', -1, 64))
	case types.String:
		kind(model.TermString, string(x))
	case types.Bytes:
		kind(model.TermBytes, string(x))
	case *types.Type:
		kind(model.TermType, x.TypeName())
	case *types.Optional:
		if !x.HasValue() {
			out.Op, out.Name = model.ExprCall, "optional.none"
			return out
		}
		c.fail("a constant optional is not supported")
	default:
		c.fail("a constant of the type %s is not supported", v.Type().TypeName())
	}
	return out
}

// element returns the types of a loop's variables.
func element(r *model.Term, two bool) (first, second *model.Term) {
	first, second = dyn, dyn
	switch r.Kind {
	case model.TermList:
		first = r.Elem
		if two {
			first, second = &model.Term{Kind: model.TermInt}, r.Elem
		}
	case model.TermMap:
		first, second = r.Key, r.Elem
	}
	return first, second
}

func (c *converter) comprehension(out *model.Expr, l ast.ComprehensionExpr) {
	if l.IterRange().Kind() == ast.ListKind && l.IterRange().AsList().Size() == 0 && l.LoopCondition().Kind() == ast.LiteralKind && l.LoopCondition().AsLiteral() == types.False {
		value := c.expr(l.AccuInit())
		out.Op, out.Accu = model.ExprBind, l.AccuVar()
		c.with([]binding{{l.AccuVar(), value.Term}}, func() { out.Args = []*model.Expr{value, c.expr(l.Result())} })
		out.Term = out.Args[1].Term
		return
	}
	over := c.expr(l.IterRange())
	out.Args = []*model.Expr{over}
	out.Vars = []string{l.IterVar()}
	first, second := element(over.Term, l.HasIterVar2())
	vars := []binding{{l.IterVar(), first}}
	if l.HasIterVar2() {
		out.Vars = append(out.Vars, l.IterVar2())
		vars = append(vars, binding{l.IterVar2(), second})
	}
	if c.macro(out, l, vars) {
		return
	}
	out.Op, out.Accu = model.ExprFold, l.AccuVar()
	start := c.expr(l.AccuInit())
	accu := binding{l.AccuVar(), c.t.back(c.a.GetType(l.AccuInit().ID()))}
	if t := c.t.back(c.a.GetType(l.LoopStep().ID())); t.Kind != accu.term.Kind {
		accu.term = dyn
	} else {
		accu.term = t
	}
	start.Term = accu.term
	c.with(append([]binding{accu}, vars...), func() {
		out.Args = append(out.Args, start, c.expr(l.LoopCondition()), c.expr(l.LoopStep()))
	})
	c.with([]binding{accu}, func() { out.Args = append(out.Args, c.expr(l.Result())) })
}

// macro recognises what the standard macros expand to.
func (c *converter) macro(out *model.Expr, l ast.ComprehensionExpr, vars []binding) bool {
	isAccu := func(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == l.AccuVar() }
	isCall := func(e ast.Expr, name string, n int) ([]ast.Expr, bool) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != name || e.AsCall().IsMemberFunction() || len(e.AsCall().Args()) != n {
			return nil, false
		}
		return e.AsCall().Args(), true
	}
	isLiteral := func(e ast.Expr, v ref.Val) bool {
		return e.Kind() == ast.LiteralKind && e.AsLiteral().Equal(v) == types.True
	}
	body := func(op model.ExprOp, args ...ast.Expr) bool {
		out.Op = op
		c.with(vars, func() {
			for _, x := range args {
				if x == nil {
					out.Args = append(out.Args, nil)
					continue
				}
				out.Args = append(out.Args, c.expr(x))
			}
		})
		return true
	}
	step, init := l.LoopStep(), l.AccuInit()
	if cond, ok := isCall(l.LoopCondition(), operators.NotStrictlyFalse, 1); ok && isAccu(l.Result()) {
		if args, ok := isCall(step, operators.LogicalAnd, 2); ok && isAccu(args[0]) && isAccu(cond[0]) && isLiteral(init, types.True) {
			return body(model.ExprAll, args[1])
		}
		if args, ok := isCall(step, operators.LogicalOr, 2); ok && isAccu(args[0]) && isLiteral(init, types.False) {
			if not, ok := isCall(cond[0], operators.LogicalNot, 1); ok && isAccu(not[0]) {
				return body(model.ExprExists, args[1])
			}
		}
		return false
	}
	if !isLiteral(l.LoopCondition(), types.True) {
		return false
	}
	var pred ast.Expr
	if args, ok := isCall(step, operators.Conditional, 3); ok && isAccu(args[2]) {
		pred, step = args[0], args[1]
	}
	add, ok := isCall(step, operators.Add, 2)
	if !ok || !isAccu(add[0]) {
		return false
	}
	if res, ok := isCall(l.Result(), operators.Equals, 2); ok && pred != nil && isAccu(res[0]) && isLiteral(res[1], types.IntOne) && isLiteral(init, types.IntZero) && isLiteral(add[1], types.IntOne) {
		return body(model.ExprOne, pred)
	}
	if !isAccu(l.Result()) || init.Kind() != ast.ListKind || init.AsList().Size() != 0 || add[1].Kind() != ast.ListKind || add[1].AsList().Size() != 1 || len(add[1].AsList().OptionalIndices()) > 0 {
		return false
	}
	value := add[1].AsList().Elements()[0]
	if pred != nil && !l.HasIterVar2() && value.Kind() == ast.IdentKind && value.AsIdent() == l.IterVar() {
		body(model.ExprFilter, pred)
		if over := out.Args[0].Term; over.Kind == model.TermList {
			out.Term = over
		}
		return true
	}
	return body(model.ExprMapList, pred, value)
}

// Expression converts a checked expression that speaks of no schema. vars are the
// names of its variables, whose values are dynamic.
func Expression(a *ast.AST, text string, vars ...string) (*model.Expr, error) {
	t := newTyper(&model.Model{}, "")
	var scope []binding
	for _, v := range vars {
		scope = append(scope, binding{v, dyn})
	}
	return t.convert(a, text, scope, nil)
}
