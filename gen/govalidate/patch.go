package govalidate

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// Rules speak of a document with its defaults, but most of them are about few members,
// and most documents lack little. So rules do not wait for the document to be decoded,
// completed and printed: functions go over its tape as completeT goes over T, and note
// where the text has to change.

// patch returns the name of the function that notes what completing a value of a named
// type changes, and sees to it that it is emitted.
func (e *emitter) patch(r model.Ref) string {
	e.reachPatch(r)
	return "patch" + e.TypeName(r)
}

// completer is the patch function of r as a function value; nil when there is no work.
func (e *emitter) completer(r model.Ref) jen.Code {
	if r == 0 || e.work[r] == 0 || !e.Composite(r) {
		return jen.Nil()
	}
	return jen.Id(e.patch(r))
}

// reachPatch marks the types whose patch functions are called, from r on.
func (e *emitter) reachPatch(r model.Ref) {
	if r == 0 || e.patched[r] || e.work[r] == 0 {
		return
	}
	e.patched[r] = true
	t := e.Type(r)
	for i := range t.Fields {
		e.reachPatch(t.Fields[i].Use.Type)
	}
	if t.Extra != nil {
		e.reachPatch(t.Extra.Type)
	}
	e.reachPatch(t.Elem.Type)
	for i := range t.Options {
		e.reachPatch(t.Options[i].Use.Type)
	}
}

func (e *emitter) patchParams() []jen.Code {
	return []jen.Code{jen.Id("v").Op("*").Add(e.RT("Validator")), jen.Id("n").Add(e.RT("Node"))}
}

// patchFunc declares the patch function of a named type.
func (e *emitter) patchFunc(f *jen.File, t *model.Type) {
	var body, helpers []jen.Code
	switch t.Kind {
	case model.Struct:
		body, helpers = e.patchStruct(t)
	case model.Wrapper:
		body = e.patchValue(t.Elem, e.elemNormalize(t), n())
	case model.Union:
		body = []jen.Code{e.switchOption(t, jen.Id("v"), func(i int) []jen.Code {
			return e.patchValue(t.Options[i].Use, nil, n())
		})}
	case model.Tuple:
		body = e.patchTuple(t)
	}
	name := e.TypeName(t.ID)
	f.Commentf("patch%s notes what completing the valid value n changes.", name)
	f.Func().Id("patch" + name).Params(e.patchParams()...).Block(body...)
	for _, h := range helpers {
		f.Add(h)
	}
}

// patchStruct goes over the members, and has those noted that are not there.
func (e *emitter) patchStruct(t *model.Type) (body, helpers []jen.Code) {
	var defaults []string // the members, as JSON
	for i := range t.Fields {
		if text, there := e.defaultMember(&t.Fields[i]); there {
			defaults = append(defaults, text)
		}
	}
	split := len(t.Fields) > manyMembers
	words := (len(defaults) + wordBits - 1) / wordBits
	seen := jen.Id("seen")
	if split && words == 1 {
		seen = jen.Op("*").Id("seen")
	}
	word := func(seen *jen.Statement, w int) *jen.Statement {
		if words > 1 {
			return seen.Clone().Index(jen.Lit(w))
		}
		return seen.Clone()
	}
	others := t.Extra != nil && e.normalizes(*t.Extra, e.elemNormalize(t))
	val := jen.Id("k").Op("+").Lit(1)
	var cases []memberCase
	at := 0
	alike := map[string]int{} // members without a default, of one type and with the same steps: their case
	for i := range t.Fields {
		field := &t.Fields[i]
		var code []jen.Code
		_, there := e.defaultMember(field)
		if there {
			code = append(code, word(seen, at/wordBits).Op("|=").Add(bit(at%wordBits)))
			at++
		}
		if goview.Stored(field) {
			code = append(code, e.patchValue(field.Use, field.Normalize, val)...)
		}
		if len(code) == 0 && !others {
			continue
		}
		if !there && !split {
			key := ""
			if len(code) > 0 {
				key = fmt.Sprint(field.Use.Type, field.Normalize)
			}
			if first, known := alike[key]; known {
				cases[first].also = append(cases[first].also, field.Name)
				continue
			}
			alike[key] = len(cases)
		}
		cases = append(cases, memberCase{name: field.Name, code: code})
	}
	var otherwise []jen.Code
	if others {
		otherwise = e.patchValue(*t.Extra, e.elemNormalize(t), val)
	}
	if len(cases)+len(otherwise) == 0 { // nothing to complete
		return nil, nil
	}
	text := jen.Id("v").Dot("Text").Call(jen.Id("k"))
	loop := []jen.Code{memberSwitch(text, cases, otherwise)}
	if split {
		h := helper{prefix: "patch", name: e.TypeName(t.ID), text: text}
		h.param("v", jen.Op("*").Add(e.RT("Validator")), jen.Id("v"))
		h.param("k", e.RT("Node"), jen.Id("k"))
		switch {
		case words == 1:
			h.param("seen", jen.Op("*").Uint64(), jen.Op("&").Id("seen"))
		case words > 1:
			h.param("seen", jen.Op("*").Index(jen.Lit(words)).Uint64(), jen.Op("&").Id("seen"))
		}
		loop, helpers = e.splitSwitch(h, cases, otherwise)
	}
	switch {
	case words == 1:
		body = append(body, jen.Var().Id("seen").Uint64())
	case words > 1:
		body = append(body, jen.Var().Id("seen").Index(jen.Lit(words)).Uint64())
	}
	body = append(body, jen.For(
		jen.List(jen.Id("k"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("v").Dot("Next").Call(n())),
		jen.Id("k").Op("<").Id("end"),
		jen.Id("k").Op("=").Id("v").Dot("Next").Call(val.Clone()),
	).Block(loop...))
	for w := range words {
		part := defaults[w*wordBits : min((w+1)*wordBits, len(defaults))]
		args := []jen.Code{n(), word(jen.Id("seen"), w)}
		for _, member := range part {
			args = append(args, goview.Raw(member))
		}
		body = append(body, jen.If(word(jen.Id("seen"), w).Op("!=").Add(hexMask(len(part)))).Block(
			jen.Id("v").Dot("FillIn").Call(args...)))
	}
	return body, helpers
}

// defaultMember is the member that is filled in for an absent field, as JSON.
func (e *emitter) defaultMember(field *model.Field) (string, bool) {
	return goview.QuoteName(field.Name) + ":" + field.Filled, fills(field)
}

// patchTuple goes over the elements.
func (e *emitter) patchTuple(t *model.Type) []jen.Code {
	m := jen.Id("m")
	var cases []jen.Code
	others := t.Extra != nil && e.normalizes(*t.Extra, e.elemNormalize(t))
	for i := range t.Fields {
		code := e.patchValue(t.Fields[i].Use, t.Fields[i].Normalize, m)
		if len(code) > 0 || others {
			cases = append(cases, jen.Case(jen.Lit(i)).Block(code...))
		}
	}
	if others {
		cases = append(cases, jen.Default().Block(e.patchValue(*t.Extra, e.elemNormalize(t), m)...))
	}
	return []jen.Code{
		jen.Id("i").Op(":=").Lit(0),
		jen.For(
			jen.List(m.Clone(), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("v").Dot("Next").Call(n())),
			m.Clone().Op("<").Id("end"),
			m.Clone().Op("=").Id("v").Dot("Next").Call(m.Clone()),
		).Block(jen.Switch(jen.Id("i")).Block(cases...), jen.Id("i").Op("++")),
	}
}

// patchValue notes what completing the value at node, of a use, changes.
func (e *emitter) patchValue(u model.Use, steps []string, node *jen.Statement) []jen.Code {
	if !e.normalizes(u, steps) {
		return nil
	}
	t := e.Type(u.Type)
	call := func(method string, args ...jen.Code) []jen.Code {
		return []jen.Code{jen.Id("v").Dot(method).Call(append([]jen.Code{node.Clone()}, args...)...)}
	}
	switch t.Kind { // values of other kinds, such as null, are left alone
	case model.Text:
		return call("Normalize", e.steps(steps)...)
	case model.List:
		elem := e.elemNormalize(t)
		switch {
		case e.isSet(t, steps):
			return call("NormalizeSet", e.steps(elem)...)
		case e.Type(t.Elem.Type).Kind == model.Text:
			return call("NormalizeEach", e.steps(elem)...)
		}
		return call("CompleteEach", e.patcher(t.Elem, elem))
	case model.Map:
		return call("CompleteMembers", e.patcher(t.Elem, e.elemNormalize(t)))
	}
	return []jen.Code{jen.Id(e.patch(u.Type)).Call(jen.Id("v"), node.Clone())}
}

// patcher is a contract.Completer for values of a use.
func (e *emitter) patcher(u model.Use, steps []string) jen.Code {
	if e.Composite(u.Type) {
		return jen.Id(e.patch(u.Type))
	}
	return jen.Func().Params(e.patchParams()...).Block(e.patchValue(u, steps, n())...)
}

// steps are the functions that normalise a string.
func (e *emitter) steps(names []string) (functions []jen.Code) {
	for _, name := range names {
		if f, known := normalizers[name]; known {
			functions = append(functions, e.RT(f.name))
		}
	}
	return functions
}
