package rules

import (
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// def is a named expression that is checked.
type def struct {
	fn     *Function
	ast    *cel.Ast
	env    *cel.Env
	params []binding
}

// binding evaluates the expression with its parameters. The program is planned at
// the first call: most checks never evaluate.
func (d def) binding(*Set, int) func(args ...ref.Val) ref.Val {
	plan := sync.OnceValues(func() (cel.Program, error) {
		return d.env.Program(d.ast, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(maxCost))
	})
	return func(args ...ref.Val) ref.Val {
		p, err := plan()
		if err != nil {
			return types.WrapErr(err)
		}
		vars := make(map[string]any, len(args))
		for i, a := range args {
			vars[d.params[i].name] = a
		}
		return eval(p, vars)
	}
}
