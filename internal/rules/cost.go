package rules

import (
	"fmt"
	"slices"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
)

// What an estimate takes a list to have that the schema does not bound, and from which
// number of steps on a rule is reported.
const (
	assumedEntries   = 1000
	defaultCostLimit = 200_000
	maxCalls         = 10_000 // functions by arguments; what comes after them counts as nothing
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

// scope says what the variables around an expression stand for. Loops over parts of
// something that a loop goes over are cheap: the lines of all orders together are no more
// than the input, however many orders there are. So a loop's variable has credit for one
// loop over its parts; a further loop inside of that one costs as if it were over anything.
type scope struct {
	up     *scope
	name   string
	credit bool   // of the variable of a loop, or a parameter that is a part of one
	spent  *scope // no variable: from here on that one has no credit

	// Of other variables, what they were found to be where they are bound.
	part *scope
	size cost
}

// find is the variable of that name, nil where it is none of these.
func (s *scope) find(name string) *scope {
	for ; s != nil; s = s.up {
		if s.spent == nil && s.name == name {
			return s
		}
	}
	return nil
}

// credited reports whether loops over parts of v are cheap here.
func (s *scope) credited(v *scope) bool {
	if v == nil || !v.credit {
		return false
	}
	for ; s != nil && s != v; s = s.up {
		if s.spent == v {
			return false
		}
	}
	return true
}

// partOf is the variable with credit of which e is a part, nil for none.
func (s *scope) partOf(e *model.Expr) *scope {
	switch e.Op {
	case model.ExprVar:
		v := s.find(e.Name)
		if v != nil && !v.credit {
			return v.part
		}
		return v
	case model.ExprSelect, model.ExprFilter:
		return s.partOf(e.Args[0])
	case model.ExprMapList: // lists of parts
		return s.over(e.Args[0], e.Vars).partOf(e.Args[2])
	case model.ExprCall:
		switch e.Name {
		case "_[_]", "_?._", "_[?_]", "orValue", "value", "flatten", "distinct", "sort", "slice", "reverse", "dyn":
			if len(e.Args) > 0 {
				return s.partOf(e.Args[0])
			}
		}
	}
	return nil
}

// over is the scope within a loop.
func (s *scope) over(list *model.Expr, vars []string) *scope {
	if v := s.partOf(list); s.credited(v) {
		s = &scope{up: s, spent: v}
	}
	for _, name := range vars {
		s = &scope{up: s, name: name, credit: true}
	}
	return s
}

// bind is the scope in which a name stands for e.
func (c *checker) bind(s *scope, name string, e *model.Expr) *scope {
	return &scope{up: s, name: name, part: s.partOf(e), size: c.size(e, s)}
}

// size is how many entries the value of e may have, on average where e is evaluated.
func (c *checker) size(e *model.Expr, s *scope) cost {
	switch e.Op {
	case model.ExprList:
		return cost{0, float64(len(e.Args))}
	case model.ExprMap:
		return cost{0, float64(len(e.Args) / 2)}
	case model.ExprFilter, model.ExprMapList:
		return c.size(e.Args[0], s)
	case model.ExprCond:
		a, b := c.size(e.Args[1], s), c.size(e.Args[2], s)
		return cost{max(a.degree, b.degree), max(a.steps, b.steps)}
	case model.ExprDef:
		return c.call(e, s).size
	case model.ExprBind:
		return c.size(e.Args[1], c.bind(s, e.Accu, e.Args[0]))
	case model.ExprVar:
		if v := s.find(e.Name); v != nil && !v.credit && (v.part == nil || s.credited(v.part)) {
			return v.size
		}
	case model.ExprCall:
		switch e.Name {
		case "_+_":
			return c.size(e.Args[0], s).plus(c.size(e.Args[1], s))
		case "distinct", "sort", "slice", "reverse", "repeats", "misses":
			return c.size(e.Args[0], s)
		}
	}
	if s.credited(s.partOf(e)) {
		return cost{0, 1}
	}
	return entries(e.Term)
}

// onePass are the functions that take a step for each entry of their lists.
var onePass = map[string]bool{
	"unique": true, "repeats": true, "misses": true, "isPrefix": true, "sorted": true, "distinct": true, "sort": true, "sets.contains": true,
	"sets.intersects": true, "sets.equivalent": true, "indexOf": true, "sum": true, "min": true, "max": true, "flatten": true, "associate": true,
	"_==_": true, "_!=_": true, "_+_": true,
}

// costOf estimates an expression.
func (c *checker) costOf(e *model.Expr, s *scope) cost {
	if e == nil {
		return cost{}
	}
	step := cost{0, 1}
	switch e.Op {
	case model.ExprBind:
		return step.plus(c.costOf(e.Args[0], s)).plus(c.costOf(e.Args[1], c.bind(s, e.Accu, e.Args[0])))
	case model.ExprAll, model.ExprExists, model.ExprOne, model.ExprFilter, model.ExprMapList, model.ExprFold:
		body, within := step, s.over(e.Args[0], e.Vars)
		for _, a := range e.Args[1:] {
			body = body.plus(c.costOf(a, within))
		}
		return step.plus(c.costOf(e.Args[0], s)).plus(body.times(c.size(e.Args[0], s)))
	}
	sum := step
	for _, a := range e.Args {
		sum = sum.plus(c.costOf(a, s))
		if (a.Term.Kind == model.TermList || a.Term.Kind == model.TermMap) && e.Op == model.ExprCall && onePass[e.Name] {
			sum = sum.plus(c.size(a, s))
		}
	}
	switch {
	case e.Op == model.ExprDef:
		return sum.plus(c.call(e, s).cost)
	case e.Op == model.ExprCall && e.Name == "@in" && e.Args[1].Term.Kind == model.TermList:
		return sum.plus(c.size(e.Args[1], s))
	}
	return sum
}

// called are the estimates of a function of the registry: what it costs, and how many
// entries its value has.
type called struct{ cost, size cost }

// call estimates a function of the registry for such arguments. Functions call one
// another, so what was found out is kept.
func (c *checker) call(e *model.Expr, s *scope) called {
	i := slices.IndexFunc(c.Model.Defs, func(d model.Def) bool { return d.Name == e.Name })
	if i < 0 {
		return called{size: entries(e.Term)}
	}
	def := &c.Model.Defs[i]
	var within *scope
	key := e.Name
	for k, name := range def.Params {
		p := &scope{up: within, name: name, credit: s.credited(s.partOf(e.Args[k]))}
		if !p.credit {
			p.size = c.size(e.Args[k], s)
		}
		key += fmt.Sprint(" ", p.credit, p.size)
		within = p
	}
	known, ok := c.calls[key]
	switch {
	case ok:
	case len(c.calls) >= maxCalls:
		known.size = entries(e.Term)
	default:
		if c.calls == nil {
			c.calls = map[string]called{}
		}
		known = called{c.costOf(def.Expr, within), c.size(def.Expr, within)}
		c.calls[key] = known
	}
	return known
}

// affordable reports a rule whose work grows faster than its input. Kubernetes has its
// own bound on the rules of definitions.
func (c *checker) affordable(t Text, e *model.Expr, loops []model.Binder) {
	if c.Registry.Profile == "kubernetes" {
		return
	}
	scopes := []*scope{nil}
	for _, l := range loops {
		scopes = append(scopes, scopes[len(scopes)-1].over(l.In, []string{l.As}))
	}
	whole := c.costOf(e, scopes[len(loops)])
	for i := len(loops) - 1; i >= 0; i-- {
		whole = whole.times(c.size(loops[i].In, scopes[i])).plus(c.costOf(loops[i].In, scopes[i]))
	}
	limit := c.Registry.CostLimit
	if limit == 0 {
		limit = defaultCostLimit
	}
	if whole.degree < 2 || whole.steps <= float64(limit) {
		return
	}
	c.report(diag.Warning, t, e.At, Cost, fmt.Sprintf("the work grows with the power %d of the input: about %.0f steps for lists of %d entries, and the limit is %d", whole.degree, whole.steps, assumedEntries, limit),
		"look elements up in one pass, as unique(list), repeats(list), misses(names, list.map(x, x.id)) and associate(keys, values) do; bound the lists with maxItems; or say in costly why it may")
}
