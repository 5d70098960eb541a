package govalidate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/goname"
)

// manyMembers is where the switch over an object's members is spread over several
// functions: the compiler's time for one function grows with the square of its length.
const manyMembers = 256

// memberCase is what happens to the member of one name.
type memberCase struct {
	name string
	code []jen.Code
	also []string // further names; not where the switch is to be split
}

// memberSwitch is the switch over the name that text has.
func memberSwitch(text *jen.Statement, cases []memberCase, otherwise []jen.Code) jen.Code {
	var list []jen.Code
	for _, c := range cases {
		labels := []jen.Code{jen.Lit(c.name)}
		for _, name := range c.also {
			labels = append(labels, jen.Lit(name))
		}
		list = append(list, jen.Case(labels...).Block(c.code...))
	}
	if len(otherwise) > 0 {
		list = append(list, jen.Default().Block(otherwise...))
	}
	return jen.Switch(jen.String().Call(text.Clone())).Block(list...)
}

// helper describes the functions that a switch is spread over. Their cases name the
// parameters only.
type helper struct {
	prefix, name string
	text         *jen.Statement // the member's name, also where the helpers are called
	fails        bool           // they return bool, and the caller returns false with them

	params, args []jen.Code
}

func (h *helper) param(name string, of *jen.Statement, arg jen.Code) {
	h.params = append(h.params, jen.Id(name).Add(of))
	h.args = append(h.args, arg)
}

// splitSwitch does what memberSwitch does, by way of helpers that each know a part of the
// names in order. A digit stands in their names where those of other functions have a
// capital letter.
func (e *emitter) splitSwitch(h helper, cases []memberCase, otherwise []jen.Code) (code, helpers []jen.Code) {
	const most = manyMembers / 2
	slices.SortFunc(cases, func(a, b memberCase) int { return cmp.Compare(a.name, b.name) })
	var parts []jen.Code
	for part := range slices.Chunk(cases, most) {
		name := e.free(h.prefix + strconv.Itoa(len(helpers)+1) + goname.Exported(h.name))
		fn := jen.Func().Id(name).Params(h.params...)
		call := jen.Id(name).Call(h.args...)
		if h.fails {
			fn.Bool().Block(memberSwitch(h.text, part, otherwise), jen.Return(jen.True()))
			call = jen.If(jen.Op("!").Add(call)).Block(jen.Return(jen.False()))
		} else {
			fn.Block(memberSwitch(h.text, part, otherwise))
		}
		helpers = append(helpers, fn)
		next := len(helpers) * most
		switch {
		case next < len(cases):
			parts = append(parts, jen.Case(jen.String().Call(jen.Id("text")).Op("<").Lit(cases[next].name)).Block(call))
		case len(helpers) == 1:
			return []jen.Code{call}, helpers
		default:
			parts = append(parts, jen.Default().Block(call))
		}
	}
	return []jen.Code{jen.Id("text").Op(":=").Add(h.text.Clone()), jen.Switch().Block(parts...)}, helpers
}
