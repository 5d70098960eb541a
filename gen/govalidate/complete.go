package govalidate

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// settleWork finds the types whose values Parse changes: those with a default or
// a normalisation, and those that hold such a type.
func (e *emitter) settleWork() {
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(e.Types); i++ {
			if e.work[i] == 0 && e.worksNow(&e.Types[i]) {
				e.work[i], changed = 1, true
			}
		}
	}
}

func (e *emitter) worksNow(t *model.Type) bool {
	for i := range t.Fields {
		f := &t.Fields[i]
		if fills(f) || goview.Stored(f) && e.normalizes(f.Use, f.Normalize) {
			return true
		}
	}
	for i := range t.Options {
		if e.normalizes(t.Options[i].Use, nil) {
			return true
		}
	}
	switch {
	case t.Kind == model.List || t.Kind == model.Map || t.Kind == model.Wrapper:
		return e.normalizes(t.Elem, e.elemNormalize(t))
	case t.Extra != nil:
		return e.normalizes(*t.Extra, e.elemNormalize(t))
	}
	return false
}

// normalizes reports whether Parse changes a value of use, given the
// normalisations of its schema.
func (e *emitter) normalizes(u model.Use, steps []string) bool {
	t := e.Type(u.Type)
	return len(steps) > 0 && (t.Kind == model.Text || e.isSet(t, steps)) || e.work[u.Type] != 0
}

// isSet reports whether Parse makes a set of a list of texts.
func (e *emitter) isSet(t *model.Type, steps []string) bool {
	return t.Kind == model.List && slices.Contains(steps, "set") && !e.IsNullable(t.Elem) && e.Type(t.Elem.Type).Kind == model.Text
}

// elemNormalize returns what happens to the elements of t.
func (e *emitter) elemNormalize(t *model.Type) []string { return e.NormalizeOf(t.ElemSchema) }

// completeFunc declares what Parse does to a decoded value of a named type.
func (e *emitter) completeFunc(f *jen.File, t *model.Type) {
	if e.work[t.ID] == 0 {
		return
	}
	name := e.TypeName(t.ID)
	var block []jen.Code
	if t.Kind == model.Wrapper {
		block = append(block, e.change(t.Elem, e.elemNormalize(t), jen.Id("x").Dot("Value"), 0)...)
	}
	for i := range t.Fields {
		field := &t.Fields[i]
		if !goview.Stored(field) {
			continue
		}
		x := jen.Id("x").Dot(e.FieldName(t.ID, i))
		if fills(field) {
			block = append(block, e.fillIn(field, x))
		}
		if e.normalizes(field.Use, field.Normalize) {
			block = append(block, e.changeField(field, x)...)
		}
	}
	for i := range t.Options {
		if option := e.Option(t.ID, i); e.normalizes(option.Use, nil) {
			block = append(block, e.changeField(option, jen.Id("x").Dot(e.FieldName(t.ID, i)))...)
		}
	}
	if t.Extra != nil && e.normalizes(*t.Extra, e.elemNormalize(t)) {
		x, i, y := jen.Id("x").Dot("Extra"), jen.Id("i"), jen.Id("y")
		if t.Kind == model.Tuple {
			block = append(block, jen.For(i.Clone().Op(":=").Range().Add(x.Clone())).Block(
				e.change(*t.Extra, e.elemNormalize(t), x.Clone().Index(i), 1)...))
		} else {
			inner := e.change(*t.Extra, e.elemNormalize(t), y.Clone(), 1)
			inner = append(inner, x.Clone().Index(i.Clone()).Op("=").Add(y.Clone()))
			block = append(block, jen.For(jen.List(i, y).Op(":=").Range().Add(x.Clone())).Block(inner...))
		}
	}
	f.Commentf("complete%s fills in defaults and normalises.", name)
	f.Func().Id("complete" + name).Params(jen.Id("x").Op("*").Id(name)).Block(block...)
}

func (e *emitter) changeField(field *model.Field, x *jen.Statement) []jen.Code {
	switch e.Presence(field) {
	case goview.Pointer:
		return []jen.Code{jen.If(x.Clone().Op("!=").Nil()).Block(jen.Id("complete" + e.TypeName(field.Use.Type)).Call(x.Clone()))}
	case goview.Wrapped:
		return []jen.Code{jen.If(jen.Id("y").Op(":=").Add(x.Clone()).Dot("Ptr").Call(), jen.Id("y").Op("!=").Nil()).Block(
			e.changePtr(field, jen.Id("y"), 0)...)}
	}
	if field.Recursive {
		return e.changePtr(field, jen.Op("&").Add(x.Clone()), 0)
	}
	return e.change(field.Use, field.Normalize, x, 0)
}

// changePtr changes the value that the expression y points to.
func (e *emitter) changePtr(field *model.Field, y *jen.Statement, depth int) []jen.Code {
	if field.Recursive { // a Nullable of a pointer
		z := jen.Id("z")
		return []jen.Code{jen.If(jen.List(z, jen.Id("there")).Op(":=").Add(y).Dot("Get").Call(), jen.Id("there")).Block(
			jen.Id("complete" + e.TypeName(field.Use.Type)).Call(z))}
	}
	if e.Composite(field.Use.Type) && !e.IsNullable(field.Use) {
		return []jen.Code{jen.Id("complete" + e.TypeName(field.Use.Type)).Call(y)}
	}
	return e.change(field.Use, field.Normalize, jen.Parens(jen.Op("*").Add(y)), depth)
}

// change changes the addressable expression x, a value of use.
func (e *emitter) change(u model.Use, steps []string, x *jen.Statement, depth int) []jen.Code {
	name := func(s string) string { return s + strings.Repeat("_", depth) }
	if e.IsNullable(u) {
		y := jen.Id(name("p"))
		return []jen.Code{jen.If(y.Clone().Op(":=").Add(x.Clone()).Dot("Ptr").Call(), y.Clone().Op("!=").Nil()).Block(
			e.change(model.Use{Type: u.Type}, steps, jen.Parens(jen.Op("*").Add(y.Clone())), depth+1)...)}
	}
	t := e.Type(u.Type)
	switch t.Kind {
	case model.Text:
		value := x.Clone()
		for _, step := range steps {
			if f, known := normalizers[step]; known {
				value = e.RT(f.name).Call(value)
			}
		}
		return []jen.Code{x.Clone().Op("=").Add(value)}
	case model.Struct, model.Wrapper, model.Union, model.Tuple:
		return []jen.Code{jen.Id("complete" + e.TypeName(u.Type)).Call(jen.Op("&").Add(x.Clone()))}
	case model.List:
		var block []jen.Code
		if e.normalizes(t.Elem, e.elemNormalize(t)) {
			i := jen.Id(name("i"))
			block = append(block, jen.For(i.Clone().Op(":=").Range().Add(x.Clone())).Block(
				e.change(t.Elem, e.elemNormalize(t), jen.Parens(x.Clone()).Index(i.Clone()), depth+1)...))
		}
		if e.isSet(t, steps) {
			block = append(block, x.Clone().Op("=").Add(e.RT("TextSet")).Call(x.Clone()))
		}
		return block
	case model.Map:
		k, y := jen.Id(name("k")), jen.Id(name("y"))
		block := e.change(t.Elem, e.elemNormalize(t), y.Clone(), depth+1)
		block = append(block, jen.Parens(x.Clone()).Index(k.Clone()).Op("=").Add(y.Clone()))
		return []jen.Code{jen.For(jen.List(k.Clone(), y.Clone()).Op(":=").Range().Add(x.Clone())).Block(block...)}
	}
	return nil
}

// normalizers are the functions of the runtime that change a string.
var normalizers = map[string]struct {
	name  string
	apply func(string) string
}{
	"trim": {"Trim", contract.Trim}, "lowercase": {"LowerASCII", contract.LowerASCII}, "canonical-uri": {"CanonicalURI", contract.CanonicalURI},
}

// literalOf is the Go expression for a valid JSON value of a use, or nil when there is
// none, as for an alternative that only a check tells.
func (e *emitter) literalOf(u model.Use, text string) *jen.Statement {
	if e.IsNullable(u) {
		if text == "null" {
			return e.RT("Nullable").Types(e.Base(u.Type)).Values()
		}
		inner := e.literalOf(model.Use{Type: u.Type}, text)
		if inner == nil {
			return nil
		}
		return e.RT("NotNull").Call(inner)
	}
	t := e.Type(u.Type)
	switch t.Kind {
	case model.Text:
		if text[0] == '"' {
			return jen.Lit(goview.Unquote(text))
		}
	case model.Enum:
		for _, l := range t.Values {
			if l.JSON == text {
				return jen.Id(e.Constant(t, goview.Unquote(text)))
			}
		}
	case model.Boolean:
		if text == "true" || text == "false" {
			return jen.Lit(text == "true")
		}
	case model.Integer:
		if isNumber(text) && integral(text) {
			return e.RT("IntegerOf").Call(jen.Lit(text))
		}
	case model.Number:
		if isNumber(text) {
			return e.RT("NumberOf").Call(jen.Lit(text))
		}
	case model.Any:
		return e.RT("ValueOf").Call(jen.Lit(text))
	case model.List:
		return e.literalList(t, text)
	case model.Map:
		return e.literalMap(t, text)
	case model.Struct:
		return e.literalStruct(t, text)
	case model.Tuple:
		return e.literalTuple(t, text)
	case model.Union:
		return e.literalUnion(t, text)
	}
	return nil
}

func (e *emitter) literalList(t *model.Type, text string) *jen.Statement {
	var items []json.RawMessage
	if text[0] != '[' || json.Unmarshal([]byte(text), &items) != nil {
		return nil
	}
	var values []jen.Code
	for _, item := range items {
		value := e.literalOf(t.Elem, string(item))
		if value == nil {
			return nil
		}
		values = append(values, value)
	}
	return e.Base(t.ID).Values(values...)
}

func (e *emitter) literalMap(t *model.Type, text string) *jen.Statement {
	names, members := orderedMembers(text)
	if names == nil {
		return nil
	}
	var values []jen.Code
	for i, name := range names {
		value := e.literalOf(t.Elem, members[i])
		if value == nil {
			return nil
		}
		values = append(values, jen.Lit(name).Op(":").Add(value))
	}
	return e.Base(t.ID).Values(values...)
}

func (e *emitter) literalStruct(t *model.Type, text string) *jen.Statement {
	names, members := orderedMembers(text)
	if names == nil {
		return nil
	}
	var values []jen.Code
	known := make([]bool, len(names))
	for i := range t.Fields {
		f := &t.Fields[i]
		at := -1
		for j, name := range names {
			if name == f.Name {
				at, known[j] = j, true
			}
		}
		if at < 0 && f.Required || at >= 0 && f.Recursive {
			return nil
		}
		if at >= 0 && !goview.Stored(f) && members[at] != f.Const.JSON {
			return nil
		}
		if at < 0 || !goview.Stored(f) {
			continue
		}
		value := e.literalOf(f.Use, members[at])
		if value == nil {
			return nil
		}
		if e.Presence(f) == goview.Wrapped {
			value = e.RT("Some").Call(value)
		}
		values = append(values, jen.Id(e.FieldName(t.ID, i)).Op(":").Add(value))
	}
	var others []jen.Code
	for j, name := range names {
		if known[j] {
			continue
		}
		var value *jen.Statement
		if t.Extra != nil {
			value = e.literalOf(*t.Extra, members[j])
		}
		if value == nil {
			return nil
		}
		others = append(others, jen.Lit(name).Op(":").Add(value))
	}
	if len(others) > 0 {
		values = append(values, jen.Id("Extra").Op(":").Map(jen.String()).Add(e.View.Value(*t.Extra)).Values(others...))
	}
	return e.Base(t.ID).Values(values...)
}

func (e *emitter) literalTuple(t *model.Type, text string) *jen.Statement {
	var items []json.RawMessage
	if text[0] != '[' || json.Unmarshal([]byte(text), &items) != nil {
		return nil
	}
	var values []jen.Code
	for i := range t.Fields {
		f := &t.Fields[i]
		if i >= len(items) {
			if f.Required {
				return nil
			}
			break
		}
		value := e.literalOf(f.Use, string(items[i]))
		if value == nil || f.Recursive {
			return nil
		}
		if e.Presence(f) == goview.Wrapped {
			value = e.RT("Some").Call(value)
		}
		values = append(values, jen.Id(e.FieldName(t.ID, i)).Op(":").Add(value))
	}
	var others []jen.Code
	for i := len(t.Fields); i < len(items); i++ {
		var value *jen.Statement
		if t.Extra != nil {
			value = e.literalOf(*t.Extra, string(items[i]))
		}
		if value == nil {
			return nil
		}
		others = append(others, value)
	}
	if len(others) > 0 {
		values = append(values, jen.Id("Extra").Op(":").Index().Add(e.View.Value(*t.Extra)).Values(others...))
	}
	return e.Base(t.ID).Values(values...)
}

// literalUnion is nil where only a check tells the alternatives apart.
func (e *emitter) literalUnion(t *model.Type, text string) *jen.Statement {
	at := literalOption(t, text)
	if at < 0 {
		return nil
	}
	option := e.Option(t.ID, at)
	value := e.literalOf(option.Use, text)
	if value == nil || option.Recursive && e.IsNullable(option.Use) {
		return nil
	}
	switch e.Presence(option) {
	case goview.Pointer:
		value = jen.Op("&").Add(value)
	case goview.Wrapped:
		value = e.RT("Some").Call(value)
	}
	return e.Base(t.ID).Values(jen.Id(e.FieldName(t.ID, at)).Op(":").Add(value))
}

// literalOption is the index of the alternative that the JSON value is by its kind or
// by the member that tells; below 0 when they do not say.
func literalOption(t *model.Type, text string) int {
	switch t.By {
	case "kind":
		return slices.IndexFunc(t.Options, func(o model.Option) bool { return o.Kinds&kindOf(text) != 0 })
	case "member":
		names, members := orderedMembers(text)
		if i := slices.Index(names, t.Member); i >= 0 && members[i][0] == '"' {
			name := goview.Unquote(members[i])
			return slices.IndexFunc(t.Options, func(o model.Option) bool { return slices.Contains(o.Values, name) })
		}
	}
	return -1
}

// kindOf is the kind of a JSON value.
func kindOf(text string) model.Kinds {
	switch text[0] {
	case 'n':
		return model.KindNull
	case 't', 'f':
		return model.KindBool
	case '"':
		return model.KindString
	case '[':
		return model.KindArray
	case '{':
		return model.KindObject
	}
	return model.KindNumber
}

// orderedMembers splits the text of an object; names is nil when it is none.
func orderedMembers(text string) (names []string, values []string) {
	if text[0] != '{' {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	if _, err := dec.Token(); err != nil {
		return nil, nil
	}
	names = []string{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, nil
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, nil
		}
		names, values = append(names, tok.(string)), append(values, string(raw))
	}
	return names, values
}

func isNumber(text string) bool { return text[0] == '-' || text[0] >= '0' && text[0] <= '9' }
