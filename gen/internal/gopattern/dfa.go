package gopattern

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
)

// dfa declares the automaton's tables and calls its runner. States are written
// as the offsets of their rows, which saves a multiplication for each byte.
func (e *emitter) dfa(d *pattern.DFA) []jen.Code {
	name := e.name + "Table"
	kind := "DFA16"
	if d.States*d.Classes <= 256 {
		kind = "DFA8"
	}
	var next []byte
	for _, state := range d.Next {
		entry := int(state) * d.Classes
		next = append(next, byte(entry))
		if kind == "DFA16" {
			next = append(next, byte(entry>>8))
		}
	}
	e.decls = append(e.decls, jen.Var().Id(name).Op("=").Qual(e.runtime, kind).Values(jen.DictFunc(func(v jen.Dict) {
		v[jen.Id("Class")] = byteString(d.Class[:])
		v[jen.Id("Next")] = byteString(next)
		v[jen.Id("Width")] = jen.Lit(d.Classes)
		v[jen.Id("Start")] = jen.Lit(d.Start * d.Classes)
		v[jen.Id("Accept")] = jen.Lit(d.Accept * d.Classes)
	})))
	return []jen.Code{jen.Return(jen.Id(name).Dot("Match").Call(jen.Id("s")))}
}

// byteString is a string constant in lines of 32 bytes.
func byteString(data []byte) jen.Code {
	const perLine = 32
	var b strings.Builder
	b.WriteString(`""`)
	for len(data) > 0 {
		line := data[:min(perLine, len(data))]
		data = data[len(line):]
		b.WriteString(" +\n\"")
		for _, c := range line {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
		b.WriteByte('"')
	}
	return jen.Op(b.String())
}
