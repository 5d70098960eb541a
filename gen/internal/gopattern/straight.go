package gopattern

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
)

const unbounded = -1

// straight writes the ops one after another. While offsets are known they are
// constants, and one test of the length covers them all; from the first op of
// varying width on, the variable i counts.
func (e *emitter) straight(plan *pattern.Straight) []jen.Code {
	ops := unroll(plan.Ops)
	fixed := 0 // ops of a known width at the front
	width := 0 // and the bytes that they take
	for fixed < len(ops) {
		n, ok := fixedWidth(ops[fixed])
		if !ok {
			break
		}
		width += n
		fixed++
	}
	whole := fixed == len(ops)
	if code, ok := e.literalOnly(ops, plan.End); ok {
		return code
	}

	w := &writer{emitter: e}
	w.length(plan.Min, plan.Max, plan.End)
	at := 0
	for _, op := range ops[:fixed] {
		n, _ := fixedWidth(op)
		w.fixedOp(op, at)
		at += n
	}
	if whole {
		w.add(jen.Return(jen.True()))
		return w.code
	}
	w.rest(ops[fixed:], at)
	if plan.End {
		w.add(jen.Return(jen.Id("i").Op("==").Len(jen.Id("s"))))
	} else {
		w.add(jen.Return(jen.True()))
	}
	return w.code
}

// unroll writes x{n,} as x{n}x*: the first part may join the known offsets and
// the second needs no counting.
func unroll(ops []pattern.Op) []pattern.Op {
	var out []pattern.Op
	for _, op := range ops {
		run, ok := op.(pattern.Run)
		if ok && run.Min > 0 && run.Max == unbounded && byteWise(run) {
			out = append(out, pattern.Run{Set: run.Set, Min: run.Min, Max: run.Min})
			run.Min = 0
			op = run
		}
		out = append(out, op)
	}
	return out
}

// literalOnly covers the plans that compare with one string and no more.
func (e *emitter) literalOnly(ops []pattern.Op, end bool) ([]jen.Code, bool) {
	s := func() *jen.Statement { return jen.Id("s") }
	switch {
	case len(ops) == 0 && end:
		return []jen.Code{jen.Return(jen.Len(s()).Op("==").Lit(0))}, true
	case len(ops) != 1:
		return nil, false
	}
	lit, ok := ops[0].(pattern.Literal)
	switch {
	case !ok:
		return nil, false
	case end:
		return []jen.Code{jen.Return(jen.String().Call(s()).Op("==").Add(text(lit.Text)))}, true
	}
	n := len(lit.Text)
	return []jen.Code{jen.Return(jen.Len(s()).Op(">=").Lit(n).Op("&&").
		String().Call(s().Index(jen.Op(":").Lit(n))).Op("==").Add(text(lit.Text)))}, true
}

// fixedWidth gives the bytes that op takes, if it always takes as many.
func fixedWidth(op pattern.Op) (int, bool) {
	switch op := op.(type) {
	case pattern.Literal:
		return len(op.Text), true
	case pattern.Run:
		return op.Min, op.Min == op.Max && byteWise(op)
	}
	return 0, false
}

// byteWise reports whether a run can look at bytes alone.
func byteWise(op pattern.Run) bool { return op.Set.Whole || len(op.Set.High) == 0 }

// writer collects the statements of one block.
type writer struct {
	*emitter
	code []jen.Code
}

func (w *writer) add(c ...jen.Code) { w.code = append(w.code, jen.Add(c...)) }

// block runs f on a writer of its own and gives its statements.
func (w *writer) block(f func(w *writer)) []jen.Code {
	inner := &writer{emitter: w.emitter}
	f(inner)
	return inner.code
}

func (w *writer) failIf(cond jen.Code) {
	w.add(jen.If(cond).Block(jen.Return(jen.False())))
}

// length refuses at once what is too short or too long.
func (w *writer) length(lo, hi int, end bool) {
	size := func() *jen.Statement { return jen.Len(jen.Id("s")) }
	switch {
	case end && lo == hi:
		w.failIf(size().Op("!=").Lit(lo))
	case end && hi != unbounded && lo > 0:
		w.failIf(size().Op("<").Lit(lo).Op("||").Add(size()).Op(">").Lit(hi))
	case end && hi != unbounded:
		w.failIf(size().Op(">").Lit(hi))
	case lo > 0:
		w.failIf(size().Op("<").Lit(lo))
	}
}

// fixedOp writes an op at a constant offset; the length has been checked.
func (w *writer) fixedOp(op pattern.Op, at int) {
	index := func(k int) func() *jen.Statement {
		return func() *jen.Statement { return jen.Id("s").Index(jen.Lit(k)) }
	}
	slice := func(n int) *jen.Statement { return jen.Id("s").Index(jen.Lit(at).Op(":").Lit(at + n)) }
	switch op := op.(type) {
	case pattern.Literal:
		if n := len(op.Text); n == 1 {
			w.failIf(index(at)().Op("!=").Add(byteLit(op.Text[0])))
		} else {
			w.failIf(jen.String().Call(slice(n)).Op("!=").Add(text(op.Text)))
		}
	case pattern.Run:
		switch {
		case op.Min == 1:
			w.failIf(w.hasNot(op.Set.Bytes, index(at)))
		default:
			w.failIf(jen.Op("!").Add(w.all(op.Set.Bytes, slice(op.Min), op.Min)))
		}
	}
}

// rest writes the ops from a constant offset on and declares i.
func (w *writer) rest(ops []pattern.Op, at int) {
	// A run that may be empty declares i with its end.
	if run, ok := ops[0].(pattern.Run); ok && byteWise(run) && run.Min == 0 && run.Max == unbounded {
		w.add(jen.Id("i").Op(":=").Id(w.byteSet(run.Set.Bytes)).Dot("Run").Call(jen.Id("s"), jen.Lit(at)))
		ops = ops[1:]
	} else {
		w.add(jen.Id("i").Op(":=").Lit(at))
	}
	w.ops(ops)
}

// entered writes ops when the byte at i is known to be in first: if that is all
// that the first op asks, it has only to step on.
func (w *writer) entered(first pattern.ByteSet, ops []pattern.Op) {
	ops = unroll(ops)
	switch op := ops[0].(type) {
	case pattern.Literal:
		if first.Len() == 1 && first.Has(op.Text[0]) && len(op.Text) == 1 {
			w.add(i().Op("++"))
			ops = ops[1:]
		}
	case pattern.Run:
		if op.Min == 1 && op.Max == 1 && byteWise(op) && op.Set.Bytes == first {
			w.add(i().Op("++"))
			ops = ops[1:]
		}
	}
	w.ops(ops)
}

func (w *writer) ops(ops []pattern.Op) {
	for _, op := range unroll(ops) {
		switch op := op.(type) {
		case pattern.Literal:
			w.literal(op.Text)
		case pattern.Run:
			w.run(op)
		case pattern.Group:
			w.group(op)
		case pattern.Choice:
			w.choice(op)
		}
	}
}

func i() *jen.Statement  { return jen.Id("i") }
func at() *jen.Statement { return jen.Id("s").Index(jen.Id("i")) }

// inside is the condition that a byte is left at i.
func inside() *jen.Statement { return i().Op("<").Len(jen.Id("s")) }

func (w *writer) literal(lit string) {
	n := len(lit)
	if n == 1 {
		w.failIf(i().Op(">=").Len(jen.Id("s")).Op("||").Add(at()).Op("!=").Add(byteLit(lit[0])))
		w.add(i().Op("++"))
		return
	}
	w.failIf(jen.Len(jen.Id("s")).Op("-").Add(i()).Op("<").Lit(n).Op("||").
		String().Call(jen.Id("s").Index(i().Op(":").Add(i()).Op("+").Lit(n))).Op("!=").Add(text(lit)))
	w.add(i().Op("+=").Lit(n))
}

func (w *writer) run(op pattern.Run) {
	if !byteWise(op) {
		w.runeRun(op)
		return
	}
	set := op.Set.Bytes
	run := func() *jen.Statement { return jen.Id(w.byteSet(set)).Dot("Run").Call(jen.Id("s"), i()) }
	switch {
	case op.Min == 1 && op.Max == 1:
		w.failIf(i().Op(">=").Len(jen.Id("s")).Op("||").Add(w.hasNot(set, at)))
		w.add(i().Op("++"))
	case op.Min == op.Max:
		w.failIf(jen.Len(jen.Id("s")).Op("-").Add(i()).Op("<").Lit(op.Min).Op("||").Op("!").
			Add(w.all(set, jen.Id("s").Index(i().Op(":").Add(i()).Op("+").Lit(op.Min)), op.Min)))
		w.add(i().Op("+=").Lit(op.Min))
	case op.Min == 0 && op.Max == unbounded:
		w.add(i().Op("=").Add(run()))
	case op.Min == 0 && op.Max == 1:
		w.add(jen.If(inside().Op("&&").Add(w.has(set, at))).Block(i().Op("++")))
	default:
		// What follows is never in the set, so a run beyond the most is a failure.
		end := w.local("end")
		w.add(jen.Id(end).Op(":=").Add(run()))
		n := func() *jen.Statement { return jen.Id(end).Op("-").Add(i()) }
		tooMany := n().Op(">").Lit(op.Max)
		if op.Min > 0 {
			tooMany = n().Op("<").Lit(op.Min).Op("||").Add(tooMany)
		}
		w.failIf(tooMany)
		w.add(i().Op("=").Id(end))
	}
}

// local gives a name for a variable that no other op of the function uses.
func (e *emitter) local(word string) string {
	e.locals[word]++
	if n := e.locals[word]; n > 1 {
		return fmt.Sprintf("%s%d", word, n)
	}
	return word
}

// runeRun steps over code points.
func (w *writer) runeRun(op pattern.Run) {
	limit := op.Max
	call := jen.Id(w.runeSet(op.Set)).Dot("Run").Call(jen.Id("s"), i(), jen.Lit(limit))
	if op.Min == 0 {
		w.add(jen.List(i(), jen.Id("_")).Op("=").Add(call))
		return
	}
	end, n := w.local("end"), w.local("n")
	w.add(jen.List(jen.Id(end), jen.Id(n)).Op(":=").Add(call))
	w.failIf(jen.Id(n).Op("<").Lit(op.Min))
	w.add(i().Op("=").Id(end))
}

func (w *writer) group(op pattern.Group) {
	body := w.block(func(w *writer) { w.entered(op.First, op.Ops) })
	more := inside().Op("&&").Add(w.has(op.First, at))
	switch {
	case op.Min == 0 && op.Max == 1:
		w.add(jen.If(more).Block(body...))
	case op.Min == 0 && op.Max == unbounded:
		w.add(jen.For(more).Block(body...))
	default:
		rounds := w.local("rounds")
		w.add(jen.Id(rounds).Op(":=").Lit(0))
		if op.Max != unbounded {
			more = jen.Id(rounds).Op("<").Lit(op.Max).Op("&&").Add(more)
		}
		w.add(jen.For(jen.Empty(), more, jen.Id(rounds).Op("++")).Block(body...))
		if op.Min > 0 {
			w.failIf(jen.Id(rounds).Op("<").Lit(op.Min))
		}
	}
}

func (w *writer) choice(op pattern.Choice) {
	// Few bytes to choose by read best as cases; sets need conditions.
	byValue := true
	for _, b := range op.Branches {
		byValue = byValue && b.First.Len() <= 4
	}
	var cases []jen.Code
	for _, b := range op.Branches {
		var label []jen.Code
		if byValue {
			for c := range 256 {
				if b.First.Has(byte(c)) {
					label = append(label, byteLit(byte(c)))
				}
			}
		} else {
			label = append(label, w.has(b.First, func() *jen.Statement { return jen.Id("c") }))
		}
		cases = append(cases, jen.Case(label...).Block(w.block(func(w *writer) { w.entered(b.First, b.Ops) })...))
	}
	if !op.Optional {
		cases = append(cases, jen.Default().Block(jen.Return(jen.False())))
	}
	on := []jen.Code{at()}
	if !byValue {
		on = []jen.Code{jen.Id("c").Op(":=").Add(at()), jen.Empty()}
	}
	sw := jen.Switch(on...).Block(cases...)
	if op.Optional {
		w.add(jen.If(inside()).Block(sw))
		return
	}
	w.failIf(i().Op(">=").Len(jen.Id("s")))
	w.add(sw)
}
