// Package gopattern writes Go functions that decide patterns.
//
// A [pattern.Pattern] enters; a function on bytes leaves, with the package-level
// sets and tables that it reads. Emitted code calls runtime/contract and the
// standard library only; nothing runs when a program starts, save the making of
// a closure for the few patterns that only Go's regexp can decide.
package gopattern

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
)

// Emit gives the declaration of
//
//	func name(s []byte) bool
//
// which reports whether p is found in s, valid UTF-8, in time linear in its
// length and without allocation. Where p refers to its own groups, the function
// may give a search up by ending the whole check with an issue; it must be called
// inside a check function then. Declarations that the function needs are named
// name followed by a word and a number (nameSet1, nameTable), so two calls with
// different names never clash unless one name is another's plus such a word.
// runtimeImport is the import path of runtime/contract in the emitted module.
func Emit(p *pattern.Pattern, name, runtimeImport string) *jen.Statement {
	return emit(p, name, runtimeImport, false)
}

// emit is Emit; tables asks for automata as tables whatever their size.
func emit(p *pattern.Pattern, name, runtimeImport string, tables bool) *jen.Statement {
	e := &emitter{name: name, runtime: runtimeImport, tables: tables, sets: map[string]string{}, locals: map[string]int{}}
	body := e.plan(p)
	doc := fmt.Sprintf("%s reports whether s matches %s.", name, commentText(p.String()))
	out := jen.Comment(doc).Line().
		Func().Id(name).Params(jen.Id(e.param()).Index().Byte()).Bool().Block(body...)
	for _, d := range e.decls {
		out.Line().Line().Add(d)
	}
	return out
}

// commentText keeps a pattern on one comment line, whatever characters it holds.
func commentText(src string) string {
	const longest = 300
	quoted := fmt.Sprintf("%+q", src)
	plain := quoted[1 : len(quoted)-1]
	if strings.ReplaceAll(src, `\`, "") == strings.ReplaceAll(plain, `\`, "") {
		plain = src // nothing needed quoting but backslashes and quotes
	}
	if len(plain) > longest {
		plain = plain[:longest] + "…"
	}
	return plain
}

// emitter holds what one function gathers while it is written.
type emitter struct {
	name    string
	runtime string
	tables  bool
	decls   []jen.Code
	sets    map[string]string // key of a set → name of its variable
	locals  map[string]int    // word → variables named after it
	unused  bool              // the function does not read its parameter
}

func (e *emitter) param() string {
	if e.unused {
		return "_"
	}
	return "s"
}

func (e *emitter) plan(p *pattern.Pattern) []jen.Code {
	switch plan := p.Plan().(type) {
	case pattern.Always, pattern.Never:
		e.unused = true
		_, always := plan.(pattern.Always)
		return []jen.Code{jen.Return(jen.Lit(always))}
	case pattern.Contains:
		return []jen.Code{jen.Return(jen.Qual(e.runtime, "Contains").Call(jen.Id("s"), text(plan.Text)))}
	case pattern.Suffix:
		n := len(plan.Text)
		return []jen.Code{jen.Return(
			jen.Len(jen.Id("s")).Op(">=").Lit(n).Op("&&").
				String().Call(jen.Id("s").Index(jen.Len(jen.Id("s")).Op("-").Lit(n).Op(":"))).Op("==").Add(text(plan.Text)))}
	case *pattern.Straight:
		return e.straight(plan)
	case *pattern.DFA:
		if !e.tables && asCode(plan) {
			return e.machine(plan)
		}
		return e.dfa(plan)
	case *pattern.Padded:
		return e.padded(plan)
	case *pattern.Backtrack:
		return e.backtrack(plan)
	}
	return e.regexp(p)
}

// text is a string literal in ASCII.
func text(s string) jen.Code { return jen.Op(fmt.Sprintf("%+q", s)) }

func (e *emitter) regexp(p *pattern.Pattern) []jen.Code {
	name := e.name + "Regexp"
	lit := fmt.Sprintf("%+q", p.RE2())
	if !strings.Contains(p.RE2(), "`") {
		lit = "`" + p.RE2() + "`"
	}
	e.decls = append(e.decls,
		jen.Comment(name+" is compiled at its first use.").Line().
			Var().Id(name).Op("=").Qual("sync", "OnceValue").Call(
			jen.Func().Params().Op("*").Qual("regexp", "Regexp").Block(
				jen.Return(jen.Qual("regexp", "MustCompile").Call(jen.Op(lit))))))
	return []jen.Code{jen.Return(jen.Id(name).Call().Dot("Match").Call(jen.Id("s")))}
}
