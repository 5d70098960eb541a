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
		w.failIf(w.wrong(op, offset{n: at}))
		at += n
	}
	if whole {
		w.add(jen.Return(jen.True()))
		return w.code
	}
	w.rest(ops[fixed:], at)
	switch {
	case plan.End:
		w.add(jen.Return(i().Op("==").Len(jen.Id("s"))))
	case w.stepped == len(w.code): // nobody reads i any more
		w.code[len(w.code)-1] = jen.Return(jen.True())
	default: // true, but i is read, which linters ask for
		w.add(jen.Return(i().Op("<=").Len(jen.Id("s"))))
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
	code    []jen.Code
	stepped int // statements when the last one was a step of i
	width   int // and the bytes of that step
}

func (w *writer) add(c ...jen.Code) { w.code = append(w.code, jen.Add(c...)) }

// block runs f on a writer of its own and gives its statements.
func (w *writer) block(f func(w *writer)) []jen.Code {
	inner := &writer{emitter: w.emitter}
	f(inner)
	return inner.code
}

// step moves i on.
func (w *writer) step(n int) {
	if n == 1 {
		w.add(i().Op("++"))
	} else {
		w.add(i().Op("+=").Lit(n))
	}
	w.stepped, w.width = len(w.code), n
}

// next gives the offset to go on from: i, or i+n in place of a step just written.
func (w *writer) next() *jen.Statement {
	if w.stepped == 0 || w.stepped != len(w.code) {
		return i()
	}
	w.code = w.code[:len(w.code)-1]
	return i().Op("+").Lit(w.width)
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

// offset is a place in s: a constant, or one relative to i.
type offset struct {
	relative bool
	n        int
}

func (o offset) code() *jen.Statement {
	switch {
	case !o.relative:
		return jen.Lit(o.n)
	case o.n == 0:
		return i()
	}
	return i().Op("+").Lit(o.n)
}

func (o offset) plus(n int) offset { return offset{o.relative, o.n + n} }

// byte is s[o].
func (o offset) byte() *jen.Statement { return jen.Id("s").Index(o.code()) }

// slice is s[o:o+n].
func (o offset) slice(n int) *jen.Statement {
	return jen.Id("s").Index(o.code().Op(":").Add(o.plus(n).code()))
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
	w.ops(ops, false)
}

// entered writes ops when the byte at i is known to be in first: if that is all
// that the first op asks, it is not tested again.
func (w *writer) entered(first pattern.ByteSet, ops []pattern.Op) {
	ops = unroll(ops)
	known := false
	switch op := ops[0].(type) {
	case pattern.Literal:
		known = len(op.Text) == 1 && first.Len() == 1 && first.Has(op.Text[0])
	case pattern.Run:
		known = op.Min == 1 && op.Max == 1 && byteWise(op) && op.Set.Bytes == first
	}
	w.ops(ops, known)
}

// ops writes ops from i on; known says that the first one, of one byte, holds.
func (w *writer) ops(ops []pattern.Op, known bool) {
	ops = unroll(ops)
	for len(ops) > 0 {
		if n := w.stretch(ops, known); n > 0 {
			ops, known = ops[n:], false
			continue
		}
		switch op := ops[0].(type) {
		case pattern.Run:
			w.run(op)
		case pattern.Group:
			w.group(op)
		case pattern.Choice:
			w.choice(op)
		}
		ops = ops[1:]
	}
}

// stretch writes the ops of known width at the front, with one test of the
// length for all, and gives their number.
func (w *writer) stretch(ops []pattern.Op, known bool) int {
	count, width := 0, 0
	for _, op := range ops {
		n, ok := fixedWidth(op)
		if !ok {
			break
		}
		count++
		width += n
	}
	if count == 0 {
		return 0
	}
	skip := 0
	if known {
		skip = 1
	}
	if width > skip {
		short := jen.Len(jen.Id("s")).Op("-").Add(i()).Op("<").Lit(width)
		if width == 1 {
			short = i().Op(">=").Len(jen.Id("s"))
		}
		if count == 1 {
			short = short.Op("||").Add(w.wrong(ops[0], offset{relative: true}))
			skip = 1
		}
		w.failIf(short)
	}
	at := offset{relative: true}
	for k, op := range ops[:count] {
		if k >= skip {
			w.failIf(w.wrong(op, at))
		}
		n, _ := fixedWidth(op)
		at = at.plus(n)
	}
	w.step(width)
	return count
}

// wrong is a condition: an op of known width does not hold at a place in s. It
// can stand after ||; the length has been checked.
func (w *writer) wrong(op pattern.Op, at offset) *jen.Statement {
	switch op := op.(type) {
	case pattern.Literal:
		if n := len(op.Text); n > 1 {
			return jen.String().Call(at.slice(n)).Op("!=").Add(text(op.Text))
		}
		return at.byte().Op("!=").Add(byteLit(op.Text[0]))
	case pattern.Run:
		if op.Min > 1 {
			return jen.Op("!").Add(w.all(op.Set.Bytes, at.slice(op.Min), op.Min))
		}
		return w.hasNot(op.Set.Bytes, at.byte)
	}
	return nil
}

func i() *jen.Statement  { return jen.Id("i") }
func at() *jen.Statement { return jen.Id("s").Index(jen.Id("i")) }

// inside is the condition that a byte is left at i.
func inside() *jen.Statement { return i().Op("<").Len(jen.Id("s")) }

func (w *writer) run(op pattern.Run) {
	if !byteWise(op) {
		w.runeRun(op)
		return
	}
	set := op.Set.Bytes
	run := func() *jen.Statement { return jen.Id(w.byteSet(set)).Dot("Run").Call(jen.Id("s"), i()) }
	switch {
	case op.Min == 0 && op.Max == unbounded:
		w.add(i().Op("=").Id(w.byteSet(set)).Dot("Run").Call(jen.Id("s"), w.next()))
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
