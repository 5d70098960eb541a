package govalidate

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/gen/internal/gopattern"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/pattern"
)

// check returns the name of the function that checks schema r and sees to it that
// it is emitted. A schema that only refers is checked by what it refers to.
func (e *emitter) check(r model.Ref) string {
	r = e.target(r)
	if name, known := e.names[r]; known {
		return name
	}
	name := e.free("check" + goname.Exported(e.Schema(r).Name))
	e.names[r] = name
	e.queue = append(e.queue, r)
	return name
}

// target follows references that stand alone.
func (e *emitter) target(r model.Ref) model.Ref {
	for e.onlyRefers(e.Schema(r)) {
		r = e.Schema(r).Ref
	}
	return r
}

func (e *emitter) free(want string) string {
	name := want
	for i := 2; e.taken[name]; i++ {
		name = want + "_" + strconv.Itoa(i)
	}
	e.taken[name] = true
	return name
}

type patternUse struct {
	name string
	p    *pattern.Pattern
}

// matcher returns the function that matches a pattern, one for each text.
func (e *emitter) matcher(text string, s *model.Schema) string {
	if name, known := e.byText[text]; known {
		return name
	}
	p, err := pattern.Parse(text)
	if err != nil {
		e.diags.Add(diag.Diagnostic{
			Code: "gen.pattern", Pos: s.Pos, Message: "the pattern " + strconv.Quote(text) + " cannot be compiled: " + err.Error(),
			Hint: "write it without the construct that is named, or with smaller counts",
		})
		p, _ = pattern.Parse("")
	}
	return e.declareMatcher(text, "match"+goname.Exported(s.Name), p)
}

// declareMatcher names the function that matches a pattern, the first time.
func (e *emitter) declareMatcher(text, name string, p *pattern.Pattern) string {
	if known, ok := e.byText[text]; ok {
		return known
	}
	name = e.free(name)
	e.byText[text] = name
	e.patterns = append(e.patterns, patternUse{name, p})
	return name
}

// patternsFile holds the matchers; nil when there are none.
func (e *emitter) patternsFile() *jen.File {
	if len(e.patterns) == 0 && len(e.literals) == 0 {
		return nil
	}
	f := e.NewFile("the patterns of the contract " + e.Contract)
	for _, p := range e.patterns {
		f.Add(gopattern.Emit(p.p, p.name, e.Runtime))
		f.Line()
	}
	return f
}
