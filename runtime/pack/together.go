package pack

import (
	"slices"
	"sync/atomic"
)

// sideBySide is where it pays to run rules side by side. Smaller sets are judged before
// another processor has woken up.
const sideBySide = 4096

// pieceOfNeeds is how many dependencies are one piece of work.
const pieceOfNeeds = 1024

// together runs the rules on two processors, as far as they do not need one another's
// results. What they report is put in order afterwards, so that nobody can tell.
func (g *gate) together() {
	out := make([][]Diagnostics, len(setRules)) // by rule, and of each in order
	var work []func()
	add := func(rule int, check func(*gate)) {
		n := len(out[rule])
		out[rule] = append(out[rule], nil)
		work = append(work, func() {
			own := *g
			own.out = nil
			check(&own)
			out[rule][n] = own.out
		})
	}
	last := 0 // the rule that needs the work on dependencies done
	for i, rule := range setRules {
		switch rule.code {
		case CodeDependencyMissing:
			for needs := range slices.Chunk(g.needs, pieceOfNeeds) {
				add(i, func(g *gate) { g.dependencies(needs) })
			}
		case CodeDependencyCycle:
			last = i
		default:
			add(i, rule.check)
		}
	}
	var next atomic.Int32
	run := func() {
		for {
			n := int(next.Add(1)) - 1
			if n >= len(work) {
				return
			}
			work[n]()
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	run()
	<-done
	add(last, setRules[last].check)
	work[len(work)-1]()
	for _, parts := range out {
		for _, part := range parts {
			g.out = append(g.out, part...)
		}
	}
}
