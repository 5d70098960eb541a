package gopattern

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
)

// Limits of an automaton that is written as code, one label for each state,
// instead of a table: a processor foresees branches, but must wait for each
// state that it loads.
const (
	maxLabels = 60
	maxTests  = 160
)

// edge is where a state goes on some bytes.
type edge struct {
	to  int
	set pattern.ByteSet
}

// edges lists the ways out of a state, those of most bytes first, and the one to take
// if no test of the others holds: failure, or, if a state cannot fail, the way
// with the most ranges. tests is what the others cost.
func edges(d *pattern.DFA, state int) (tested []edge, otherwise, tests int) {
	index := map[int]int{}
	var all []edge
	for b := range 256 {
		to := int(d.Next[state*d.Classes+int(d.Class[b])])
		k, ok := index[to]
		if !ok {
			k = len(all)
			index[to] = k
			all = append(all, edge{to: to})
		}
		all[k].set[b>>6] |= 1 << (b & 63)
	}
	most := 0
	for k, e := range all {
		n, m := len(ranges(e.set)), len(ranges(all[most].set))
		if n > m {
			most = k
		}
	}
	if k, ok := index[0]; ok {
		most = k
	}
	for k, e := range all {
		if k != most {
			tested = append(tested, e)
			tests += min(len(ranges(e.set)), 3)
		}
	}
	// The larger a set, the likelier its test is the one that holds.
	slices.SortStableFunc(tested, func(a, b edge) int { return cmp.Compare(b.set.Len(), a.set.Len()) })
	return tested, all[most].to, tests
}

// asCode reports whether d is small enough for code.
func asCode(d *pattern.DFA) bool {
	if d.States > maxLabels {
		return false
	}
	total := 0
	for state := 2; state < d.States; state++ {
		_, _, tests := edges(d, state)
		total += tests
	}
	return total <= maxTests
}

// machine writes d with a label for each state.
func (e *emitter) machine(d *pattern.DFA) []jen.Code {
	order := layout(d)
	target := map[int]bool{} // states that a goto names
	var blocks [][]jen.Code
	for k, state := range order {
		following := 0
		if k+1 < len(order) {
			following = order[k+1]
		}
		blocks = append(blocks, e.state(d, state, following, target))
	}
	code := []jen.Code{
		jen.Comment("An automaton: each test of the length begins a state, labels are states gone to."),
		jen.Id("i").Op(":=").Lit(0),
	}
	for k, state := range order {
		if target[state] {
			code = append(code, jen.Id(label(state)).Op(":"))
		}
		code = append(code, blocks[k]...)
	}
	return code
}

func label(state int) string { return fmt.Sprintf("s%d", state) }

// layout orders states so that each is followed by one that it leads to, where it can.
func layout(d *pattern.DFA) []int {
	seen := map[int]bool{0: true, 1: true}
	var order []int
	var visit func(state int)
	visit = func(state int) {
		if seen[state] {
			return
		}
		seen[state] = true
		order = append(order, state)
		tested, otherwise, _ := edges(d, state)
		for k := len(tested) - 1; k >= 0; k-- {
			visit(tested[k].to)
		}
		visit(otherwise)
	}
	visit(d.Start)
	return order
}

// state writes what happens in a state; following is the state whose code comes next.
func (e *emitter) state(d *pattern.DFA, state, following int, target map[int]bool) []jen.Code {
	tested, otherwise, _ := edges(d, state)
	accepts := state >= d.Accept
	over := jen.Id("i").Op("==").Len(jen.Id("s"))
	code := []jen.Code{jen.If(over).Block(jen.Return(jen.Lit(accepts)))}
	// leave goes to a state whose code may follow at once.
	leave := func(to int, falls bool) []jen.Code {
		switch {
		case to == 0:
			return []jen.Code{jen.Return(jen.False())}
		case to == 1:
			return []jen.Code{jen.Return(jen.True())}
		case to == following && falls:
			return []jen.Code{jen.Id("i").Op("++")}
		}
		target[to] = true
		return []jen.Code{jen.Id("i").Op("++"), jen.Goto().Id(label(to))}
	}
	switch {
	case len(tested) == 0:
		return append(code, leave(otherwise, true)...)
	case len(tested) == 1 && tested[0].to != following && otherwise == following:
		code = append(code, jen.If(e.bare(tested[0].set, at)).Block(leave(tested[0].to, false)...))
		return append(code, leave(otherwise, true)...)
	case len(tested) == 1 && otherwise == 0 && !accepts:
		code = []jen.Code{jen.If(over.Clone().Op("||").Add(e.hasNot(tested[0].set, at))).Block(jen.Return(jen.False()))}
		return append(code, leave(tested[0].to, true)...)
	case len(tested) == 1:
		code = append(code, jen.If(e.hasNot(tested[0].set, at)).Block(leave(otherwise, false)...))
		return append(code, leave(tested[0].to, true)...)
	}
	var cases []jen.Code
	for _, t := range tested {
		c := func() *jen.Statement { return jen.Id("c") }
		cases = append(cases, jen.Case(e.bare(t.set, c)).Block(leave(t.to, true)...))
	}
	cases = append(cases, jen.Default().Block(leave(otherwise, true)...))
	return append(code, jen.Switch(jen.Id("c").Op(":=").Add(at()), jen.Empty()).Block(cases...))
}
