package rules

import (
	"strconv"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/contractkit/contractkit/internal/model"
)

// def is a named expression that is checked.
type def struct {
	fn     *Function
	ast    *cel.Ast
	env    *cel.Env
	params []binding
	plan   func() (cel.Program, error) // at the first call: most checks never evaluate
}

// planned returns d with its program to come.
func (d def) planned(s *Set) def {
	d.plan = sync.OnceValues(func() (cel.Program, error) { return s.program(d.env, d.ast) })
	return d
}

// call evaluates the expression with its parameters, and says what that cost.
func (d def) call(args []ref.Val) (ref.Val, uint64) {
	p, err := d.plan()
	if err != nil {
		return types.WrapErr(err), 0
	}
	vars := make(map[string]any, len(args))
	for i, a := range args {
		vars[d.params[i].name] = a
	}
	return eval(p, vars)
}

// eval returns the value, or an error as one, and what it cost.
func eval(p cel.Program, vars map[string]any) (ref.Val, uint64) {
	cost := uint64(0)
	out, details, err := p.Eval(vars)
	if details != nil {
		if c := details.ActualCost(); c != nil {
			cost = *c
		}
	}
	if err != nil {
		return types.WrapErr(err), cost
	}
	return out, cost
}

// program plans an expression with all that bounds its work.
func (s *Set) program(env *cel.Env, a *cel.Ast) (cel.Program, error) {
	return env.Program(a, s.bounds()...)
}

func (s *Set) bounds() []cel.ProgramOption {
	return []cel.ProgramOption{
		cel.EvalOptions(cel.OptOptimize), cel.CostLimit(maxCost), cel.CostTracking(pricing{}), cel.CostTrackerOptions(s.prices...), s.guard, cel.CustomDecoratorV2(s.calls),
	}
}

// calls replaces calls of the registry's functions, and comparisons. As bindings the
// functions would cost one unit, whatever they do.
func (s *Set) calls(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok {
		return i, nil
	}
	switch call.Function() {
	case "_==_", "_!=_":
		return &comparison{call, call.Function() == "_!=_"}, nil
	}
	for k := range s.defs {
		if s.defs[k].fn.Name.Value == call.Function() && len(call.Args()) == len(s.defs[k].params) {
			return &defCall{call, s.defs[k]}, nil
		}
	}
	return i, nil
}

type defCall struct {
	interpreter.InterpretableCall
	def def
}

// Exec evaluates the arguments, unless one is an error, and then the function.
func (c *defCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	args := make([]ref.Val, len(c.Args()))
	for i, a := range c.Args() {
		if args[i] = a.Exec(frame); types.IsUnknownOrError(args[i]) {
			return args[i]
		}
		if !fits(args[i], c.def.params[i].term) {
			return types.MaybeNoSuchOverloadErr(args[i])
		}
	}
	out, cost := c.def.call(args)
	if tracker := frame.CostTracker(); tracker != nil {
		tracker.EvalVarArgs(frame, c.ID(), paid(cost), nil, out)
	}
	return out
}

// fits reports whether a parameter may have the value, so far as the type check leaves
// that open: null, and scalars of unknown type.
func fits(v ref.Val, t *model.Term) bool {
	if v == types.NullValue {
		return t.Nullable || t.Kind == model.TermDyn || t.Kind == model.TermNull || t.Kind == model.TermOptional
	}
	want := map[model.TermKind]ref.Type{
		model.TermBool: types.BoolType, model.TermInt: types.IntType, model.TermUint: types.UintType, model.TermDouble: types.DoubleType,
		model.TermString: types.StringType, model.TermBytes: types.BytesType, model.TermTimestamp: types.TimestampType, model.TermDuration: types.DurationType,
	}[t.Kind]
	return want == nil || v.Type() == want
}

// Eval is Exec for callers of the older interface.
func (c *defCall) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, c.Exec)
}

// paid is a call to the tracker that has this cost; pricing reads it.
type paid uint64

const paidFunction = "@paid"

// Function is a name that no function has.
func (paid) Function() string { return paidFunction }

// OverloadID is the cost.
func (p paid) OverloadID() string { return strconv.FormatUint(uint64(p), 10) }
