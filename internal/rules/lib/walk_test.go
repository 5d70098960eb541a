package lib

import (
	"maps"
	"reflect"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types/ref"

	"github.com/contractkit/contractkit/internal/rules/gofunc"
	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// walker evaluates an AST with the runtime library, as compiled code does: one method
// call for each function.
type walker struct {
	ctx       *rt.Ctx
	refs      map[int64]*ast.ReferenceInfo
	container string
	vars      map[string]rt.Val
	locals    map[string]rt.Val   // variables of macros, which hide those of the environment
	fieldName func(string) string // the wire name of a member that a rule names; nil for the same
	unknown   []string            // functions that gofunc.Names lacks
}

func (w *walker) eval(e ast.Expr) rt.Val {
	if e.Kind() == ast.IdentKind {
		if v, ok := w.locals[e.AsIdent()]; ok {
			return v
		}
	}
	if name, ok := w.variable(e); ok {
		return w.vars[name]
	}
	switch e.Kind() {
	case ast.LiteralKind:
		return toVal(e.AsLiteral())
	case ast.IdentKind:
		return w.ident(e)
	case ast.SelectKind:
		s := e.AsSelect()
		if r := w.refs[e.ID()]; r != nil && r.Name != "" {
			return rt.TypeNamed(r.Name)
		}
		x, name := w.eval(s.Operand()), s.FieldName()
		if w.fieldName != nil {
			name = w.fieldName(name)
		}
		if s.IsTestOnly() {
			return w.ctx.Has(x, name)
		}
		return w.ctx.Select(x, name)
	case ast.CallKind:
		return w.call(e.AsCall())
	case ast.ListKind:
		return w.list(e.AsList())
	case ast.MapKind:
		return w.mapping(e.AsMap())
	case ast.StructKind:
		return w.wrapper(e.AsStruct())
	case ast.ComprehensionKind:
		return w.comprehension(e.AsComprehension())
	}
	return rt.Err("not supported")
}

// variable finds the variable that a name, maybe with dots, stands for.
func (w *walker) variable(e ast.Expr) (string, bool) {
	name := dotted(e)
	root, _, _ := strings.Cut(name, ".")
	if _, local := w.locals[root]; name == "" || local {
		return "", false
	}
	if r := w.refs[e.ID()]; r != nil && r.Name != "" {
		_, ok := w.vars[strings.TrimPrefix(r.Name, ".")]
		return strings.TrimPrefix(r.Name, "."), ok
	}
	if strings.HasPrefix(name, ".") {
		_, ok := w.vars[name[1:]]
		return name[1:], ok
	}
	for scope := w.container; ; {
		full := name
		if scope != "" {
			full = scope + "." + name
		}
		if _, ok := w.vars[full]; ok {
			return full, true
		}
		if scope == "" {
			return "", false
		}
		if i := strings.LastIndex(scope, "."); i >= 0 {
			scope = scope[:i]
		} else {
			scope = ""
		}
	}
}

func dotted(e ast.Expr) string {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent()
	case ast.SelectKind:
		if of := dotted(e.AsSelect().Operand()); of != "" && !e.AsSelect().IsTestOnly() {
			return of + "." + e.AsSelect().FieldName()
		}
	}
	return ""
}

func (w *walker) ident(e ast.Expr) rt.Val {
	if r := w.refs[e.ID()]; r != nil && r.Name != "" {
		return rt.TypeNamed(r.Name)
	}
	switch name := e.AsIdent(); name {
	case "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "null_type":
		return rt.TypeNamed(name)
	}
	return rt.Err("no such variable: " + e.AsIdent())
}

func (w *walker) call(e ast.CallExpr) rt.Val {
	args := e.Args()
	if e.IsMemberFunction() {
		if of := dotted(e.Target()); of != "" && gofunc.Names[of+"."+e.FunctionName()] != "" {
			return w.invoke(of+"."+e.FunctionName(), args) // an unchecked AST still has namespaces as receivers
		}
		args = append([]ast.Expr{e.Target()}, args...)
	}
	switch e.FunctionName() {
	case operators.LogicalAnd, operators.LogicalOr:
		x := w.eval(args[0])
		for _, a := range args[1:] {
			if e.FunctionName() == operators.LogicalAnd {
				x = w.ctx.And(x, w.eval(a))
			} else {
				x = w.ctx.Or(x, w.eval(a))
			}
		}
		return x
	case operators.Conditional:
		cond := w.eval(args[0])
		if b, ok := cond.AsBool(); !ok || b {
			return w.ctx.Conditional(cond, w.evalIf(cond.IsTrue(), args[1]), rt.Null())
		}
		return w.eval(args[2])
	}
	return w.invoke(e.FunctionName(), args)
}

func (w *walker) evalIf(wanted bool, e ast.Expr) rt.Val {
	if !wanted {
		return rt.Null()
	}
	return w.eval(e)
}

func (w *walker) invoke(function string, args []ast.Expr) rt.Val {
	method := reflect.ValueOf(w.ctx).MethodByName(gofunc.Names[function])
	if !method.IsValid() {
		w.unknown = append(w.unknown, function)
		return rt.Err("unknown function " + function)
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(w.eval(a))
	}
	if !method.Type().IsVariadic() && method.Type().NumIn() != len(in) {
		return rt.Err("no such overload")
	}
	return method.Call(in)[0].Interface().(rt.Val)
}

func (w *walker) list(e ast.ListExpr) rt.Val {
	out := rt.List(nil)
	for i, x := range e.Elements() {
		if e.IsOptional(int32(i)) {
			out = w.ctx.AppendOpt(out, w.eval(x))
		} else {
			out = w.ctx.Append(out, w.eval(x))
		}
		if out.IsErr() {
			return out
		}
	}
	return out
}

func (w *walker) mapping(e ast.MapExpr) rt.Val {
	out := rt.MapOf(nil, nil)
	for _, entry := range e.Entries() {
		k, v := w.eval(entry.AsMapEntry().Key()), w.eval(entry.AsMapEntry().Value())
		if entry.AsMapEntry().IsOptional() {
			out = w.ctx.InsertOpt(out, k, v)
		} else {
			out = w.ctx.MapInsert(out, k, v)
		}
		if out.IsErr() {
			return out
		}
	}
	return out
}

func (w *walker) comprehension(e ast.ComprehensionExpr) rt.Val {
	over := w.eval(e.IterRange())
	inner := &walker{ctx: w.ctx, refs: w.refs, container: w.container, vars: w.vars, fieldName: w.fieldName, locals: maps.Clone(w.locals)}
	if inner.locals == nil {
		inner.locals = map[string]rt.Val{}
	}
	defer func() { w.unknown = append(w.unknown, inner.unknown...) }()
	accu := w.eval(e.AccuInit())
	it := w.ctx.Iter(over)
	for it.Next() {
		if e.HasIterVar2() {
			inner.locals[e.IterVar()], inner.locals[e.IterVar2()] = it.Key(), it.Val()
		} else {
			inner.locals[e.IterVar()] = it.First()
		}
		inner.locals[e.AccuVar()] = accu
		if b, ok := inner.eval(e.LoopCondition()).AsBool(); !ok || !b {
			break
		}
		accu = inner.eval(e.LoopStep())
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	inner.locals = maps.Clone(w.locals)
	if inner.locals == nil {
		inner.locals = map[string]rt.Val{}
	}
	inner.locals[e.AccuVar()] = accu
	return inner.eval(e.Result())
}

// wrapper evaluates the messages of protobuf that stand for a scalar, which are all that
// the tests have.
func (w *walker) wrapper(e ast.StructExpr) rt.Val {
	for _, f := range e.Fields() {
		if f.AsStructField().Name() == "value" {
			return w.eval(f.AsStructField().Value())
		}
	}
	if strings.HasSuffix(e.TypeName(), "Value") {
		return rt.Null() // Value{null_value: ...}
	}
	return rt.Err("not supported")
}

// bind turns the values of variables into those of the runtime library.
func bind(vars map[string]ref.Val) map[string]rt.Val {
	out := map[string]rt.Val{}
	for name, v := range vars {
		out[name] = toVal(v)
	}
	return out
}
