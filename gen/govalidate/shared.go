package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// Two ways may lead from one schema to another and meet at the same value; where
// such forks follow one another, as in a recursive schema, the work doubles with
// each. Checks at which ways can meet are called by way of Once, which gives every
// document a budget of plain calls and after that remembers verdicts.

// shallow is the height of schemas whose checks are repeated without harm.
const shallow = 2

// endless is the height of schemas that lead back to themselves.
const endless = 1 << 20

// settleShared counts who calls whom. It needs no more than the schemas that the
// documents lead to; the others are never called.
func (e *emitter) settleShared() {
	e.heights = make([]int, len(e.Schemas))
	e.callers = make([]int, len(e.Schemas))
	e.marking = make([]int, len(e.Schemas))
	for i := 1; i < len(e.Schemas); i++ {
		s := e.Schema(model.Ref(i))
		for _, r := range inPlace(s) {
			e.marking[r]++
		}
		if e.onlyRefers(s) { // it has a mark function, and no check of its own
			continue
		}
		byName := map[model.Ref]bool{} // members of different names do not meet
		for _, p := range s.Properties {
			byName[e.target(p.Schema)] = true
		}
		for r := range byName {
			e.callers[r]++
		}
		c := *s
		c.Properties = nil
		for _, r := range e.below(&c) {
			e.callers[e.target(r)]++
		}
	}
	for i := 1; i < len(e.Schemas); i++ {
		e.height(model.Ref(i))
	}
	e.settleForks()
}

// settleForks finds the schemas at which two ways to one value can begin, and marks
// all that lie behind them.
func (e *emitter) settleForks() {
	e.forked = make([]bool, len(e.Schemas))
	ways := make([]int, len(e.Schemas)) // how often, up to twice, a schema looks into or at a value
	var count func(r model.Ref) int
	count = func(r model.Ref) int {
		if ways[r] == 0 {
			s := e.Schema(r)
			n := 0
			if len(s.Properties)+len(s.PatternProperties)+len(s.PrefixItems) > 0 || s.Items != 0 || s.Contains != 0 || s.AdditionalProperties != 0 {
				n = 1
			}
			if len(s.PatternProperties) > 1 || len(s.PatternProperties) > 0 && len(s.Properties) > 0 ||
				s.Contains != 0 && (s.Items != 0 || len(s.PrefixItems) > 0) {
				n = 2
			}
			for _, o := range append(inPlace(s), s.Not) {
				if o != 0 {
					n += count(o)
				}
			}
			ways[r] = min(max(n, 1), 2)
		}
		return ways[r]
	}
	var open []model.Ref
	for i := 1; i < len(e.Schemas); i++ {
		if count(model.Ref(i)) > 1 {
			open = append(open, model.Ref(i))
		}
	}
	seen := make([]bool, len(e.Schemas))
	for len(open) > 0 {
		r := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[r] {
			continue
		}
		seen[r] = true
		for _, o := range e.below(e.Schema(r)) {
			e.forked[o], e.forked[e.target(o)] = true, true
			open = append(open, o)
		}
	}
}

// height is how many checks can be inside one another below r.
func (e *emitter) height(r model.Ref) int {
	if h := e.heights[r]; h != 0 {
		return h
	}
	e.heights[r] = endless // met again on the way: it leads back to itself
	h := 1
	for _, o := range e.below(e.Schema(r)) {
		if !e.accepts(o) {
			h = max(h, min(e.height(o)+1, endless))
		}
	}
	e.heights[r] = h
	return h
}

// shared reports whether calls of the check of r are to be counted.
func (e *emitter) shared(r model.Ref) bool {
	return e.forked[r] && e.callers[r] > 1 && e.heights[r] > shallow
}

// checkValue is the check of r as a function value.
func (e *emitter) checkValue(r model.Ref) jen.Code {
	r = e.target(r)
	if !e.shared(r) {
		return jen.Id(e.check(r))
	}
	return jen.Func().Params(
		jen.Id("v").Op("*").Add(e.RT("Validator")), jen.Id("n").Add(e.RT("Node")),
	).Bool().Block(jen.Return(e.once(r, n())))
}

func (e *emitter) once(r model.Ref, node *jen.Statement) *jen.Statement {
	return jen.Id("v").Dot("Once").Call(jen.Lit(int(r)), jen.Id(e.check(r)), node)
}
