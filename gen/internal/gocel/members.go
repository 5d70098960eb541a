package gocel

import (
	"github.com/dave/jennifer/jen"
)

// A function that reads several members of one variable asks for the places of all of
// them once. Whether it does is known only when the function is complete, so a read is
// written as a statement that is filled in then.

// membersSuffix ends the Go variables that hold the places of a variable's members.
const membersSuffix = "Members"

// read is one read of a member in the function that is being written.
type read struct {
	id         string // the Go variable that is read
	doc        int
	view, slot *jen.Statement
	code       *jen.Statement // to be filled in
	once       *jen.Statement // what it is where it stands alone
	each       func(place *jen.Statement) *jen.Statement
}

// member reads a member of an object with declared members: a node.
func (c *Compiler) member(base operand, name string) *jen.Statement {
	return c.read(base, name, "Field", "Was", func(place *jen.Statement) *jen.Statement { return place })
}

// has is the condition that an object with declared members has one, or that it is
// there without it.
func (c *Compiler) has(base operand, name string, want bool) condition {
	if want {
		return condition{code: c.read(base, name, "HasField", "HadField", func(place *jen.Statement) *jen.Statement {
			return place.Op(">=").Lit(0)
		}), op: "=="}
	}
	if base.there {
		return condition{code: c.read(base, name, "LacksField", "LackedField", func(place *jen.Statement) *jen.Statement {
			return place.Op("<").Lit(0)
		}), op: "=="}
	}
	return condition{code: c.read(base, name, "LacksField", "LackedField", func(place *jen.Statement) *jen.Statement {
		return c.cel("Without").Call(jen.Id(base.id), place)
	})}
}

func (c *Compiler) read(base operand, name, now, before string, each func(*jen.Statement) *jen.Statement) *jen.Statement {
	view, slot := c.slot(base.term.Object, name)
	method := now
	if base.doc == 1 {
		method = before
	}
	once := c.ctx().Dot(method).Call(base.code, view, slot)
	if base.id == "" || c.seldom > 0 {
		return once
	}
	r := read{id: base.id, doc: base.doc, view: view, slot: slot, code: &jen.Statement{}, once: once, each: each}
	f := c.top()
	f.reads = append(f.reads, r)
	return jen.Add(r.code) // a copy of what is around it has the same statement in it
}

// settle fills in the reads of the variables that mine accepts, and returns the
// declarations of their members' places, for the place where the variables are known.
// Where something was compiled in vain nothing is declared, for it might not be used.
func (c *Compiler) settle(mine func(id string) bool) (declarations []jen.Code) {
	f := c.top()
	count := map[string]int{}
	for _, r := range f.reads {
		count[r.id]++
	}
	var left []read
	declared := map[string]bool{}
	for _, r := range f.reads {
		if !mine(r.id) {
			left = append(left, r)
			continue
		}
		if count[r.id] == 1 || f.drops {
			*r.code = *r.once
			continue
		}
		places := r.id + membersSuffix
		if !declared[r.id] {
			declared[r.id] = true
			method := "Fields"
			if r.doc == 1 {
				method = "OldFields"
			}
			declarations = append(declarations, jen.Id(places).Op(":=").Id("c").Dot(method).Call(jen.Id(r.id), r.view.Clone()))
		}
		*r.code = *r.each(jen.Id(places).Index(r.slot.Clone()))
	}
	f.reads = left
	return declarations
}

// Settle returns the statements that have to stand before what was compiled since
// Begin.
func (c *Compiler) Settle() []jen.Code { return c.settle(func(string) bool { return true }) }

// Seldom compiles what runs for offenders only.
func (c *Compiler) Seldom(compile func()) {
	c.seldom++
	defer func() { c.seldom-- }()
	compile()
}
