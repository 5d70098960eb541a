package rules

import (
	"fmt"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
)

// What an estimate takes a list to have that the schema does not bound, and from which
// number of steps on a rule is reported.
const (
	assumedEntries   = 1000
	defaultCostLimit = 200_000
)

// cost is an estimate: the power of the input's size with which the work grows, and
// the steps for lists of assumedEntries.
type cost struct {
	degree int
	steps  float64
}

func (a cost) plus(b cost) cost {
	return cost{max(a.degree, b.degree), a.steps + b.steps}
}

// times is the cost of work done for each entry of a list.
func (a cost) times(over cost) cost {
	return cost{a.degree + over.degree, max(a.steps, 1) * over.steps}
}

// entries is the size of a list or map.
func entries(t *model.Term) cost {
	switch {
	case t.Kind != model.TermList && t.Kind != model.TermMap && t.Kind != model.TermDyn:
		return cost{0, 1}
	case t.Most > 0:
		return cost{0, float64(t.Most)}
	}
	return cost{1, assumedEntries}
}

// size is how many entries the value of e may have.
func size(e *model.Expr) cost {
	switch e.Op {
	case model.ExprList:
		return cost{0, float64(len(e.Args))}
	case model.ExprMap:
		return cost{0, float64(len(e.Args) / 2)}
	case model.ExprFilter, model.ExprMapList:
		return size(e.Args[0])
	case model.ExprCond:
		a, b := size(e.Args[1]), size(e.Args[2])
		return cost{max(a.degree, b.degree), max(a.steps, b.steps)}
	case model.ExprCall:
		switch e.Name {
		case "_+_":
			return size(e.Args[0]).plus(size(e.Args[1]))
		case "flatten":
			return entries(e.Term)
		case "distinct", "sort", "slice", "reverse", "repeats", "misses":
			return size(e.Args[0])
		}
	}
	return entries(e.Term)
}

// costOf estimates an expression. Functions over whole lists take a step for each entry.
func costOf(e *model.Expr) cost {
	if e == nil {
		return cost{}
	}
	var args cost
	for i, a := range e.Args {
		if i == 0 || len(e.Vars) == 0 && e.Op != model.ExprFold {
			args = args.plus(costOf(a))
		}
	}
	switch e.Op {
	case model.ExprAll, model.ExprExists, model.ExprOne, model.ExprFilter, model.ExprMapList, model.ExprFold:
		body := cost{0, 1}
		for _, a := range e.Args[1:] {
			body = body.plus(costOf(a))
		}
		return args.plus(body.times(size(e.Args[0])))
	case model.ExprCall:
		switch e.Name {
		case "@in":
			if e.Args[1].Term.Kind == model.TermList {
				return args.plus(size(e.Args[1]))
			}
		case "unique", "repeats", "misses", "isPrefix", "sorted", "distinct", "sort", "sets.contains", "sets.intersects", "sets.equivalent", "indexOf", "sum", "min", "max", "flatten", "_==_", "_!=_", "_+_":
			for _, a := range e.Args {
				if a.Term.Kind == model.TermList || a.Term.Kind == model.TermMap {
					args = args.plus(size(a))
				}
			}
		}
	}
	return args.plus(cost{0, 1})
}

// affordable reports a rule whose work grows faster than its input. Kubernetes has its
// own bound on the rules of definitions.
func (c *checker) affordable(t Text, e *model.Expr, loops []model.Binder) {
	if c.Registry.Profile == "kubernetes" {
		return
	}
	whole := costOf(e)
	for i := len(loops) - 1; i >= 0; i-- {
		whole = whole.times(size(loops[i].In)).plus(costOf(loops[i].In))
	}
	limit := c.Registry.CostLimit
	if limit == 0 {
		limit = defaultCostLimit
	}
	if whole.degree < 2 || whole.steps <= float64(limit) {
		return
	}
	c.report(diag.Warning, t, e.At, Cost, fmt.Sprintf("the work grows with the power %d of the input: about %.0f steps for lists of %d entries, and the limit is %d", whole.degree, whole.steps, assumedEntries, limit),
		"look elements up in one pass, as unique(list), repeats(list), misses(names, list.map(x, x.id)) and associate(keys, values) do; bound the lists with maxItems; or raise costLimit")
}
