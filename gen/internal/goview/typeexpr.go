package goview

import (
	"encoding/json"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// Base is the Go type of t without regard to null or absence.
func (v *View) Base(r model.Ref) *jen.Statement {
	t := v.Type(r)
	switch t.Kind {
	case model.Struct, model.Enum, model.Wrapper, model.Union, model.Tuple:
		return jen.Id(v.TypeName(r))
	case model.Text:
		return jen.String()
	case model.Integer:
		return v.RT("Integer")
	case model.Number:
		return v.RT("Number")
	case model.Boolean:
		return jen.Bool()
	case model.List:
		return jen.Index().Add(v.Value(t.Elem))
	case model.Map:
		return jen.Map(jen.String()).Add(v.Value(t.Elem))
	}
	return v.RT("Value")
}

// Value is the Go type of a value that is there: Base, or Nullable of it.
func (v *View) Value(u model.Use) *jen.Statement {
	if u.Nullable && !v.holdsNull(u) {
		return v.RT("Nullable").Types(v.Base(u.Type))
	}
	return v.Base(u.Type)
}

// holdsNull reports whether the type has null among its values by itself.
func (v *View) holdsNull(u model.Use) bool { return v.Type(u.Type).Kind == model.Any }

// IsNullable reports whether the value is held in a Nullable.
func (v *View) IsNullable(u model.Use) bool { return u.Nullable && !v.holdsNull(u) }

// Presence says how a struct holds a field that may be absent.
type Presence int

// The ways to hold a field.
const (
	Always   Presence = iota // required: the value
	Wrapped                  // Optional
	NilIsOut                 // a slice or map, absent when nil
	Pointer                  // recursive: absent when nil
)

// Presence returns how field f is held.
func (v *View) Presence(f *model.Field) Presence {
	kind := v.Type(f.Use.Type).Kind
	switch {
	case f.Recursive && !v.IsNullable(f.Use):
		return Pointer
	case f.Required:
		return Always
	case (kind == model.List || kind == model.Map) && !v.IsNullable(f.Use):
		return NilIsOut
	}
	return Wrapped
}

// Field is the Go type of a struct's field.
func (v *View) Field(f *model.Field) *jen.Statement {
	value := v.Value(f.Use)
	if f.Recursive && v.IsNullable(f.Use) {
		value = v.RT("Nullable").Types(jen.Op("*").Add(v.Base(f.Use.Type)))
	}
	switch v.Presence(f) {
	case Pointer:
		return jen.Op("*").Add(value)
	case Wrapped:
		return v.RT("Optional").Types(value)
	}
	return value
}

// Composite reports whether values of type r are declared structs, which have
// functions to append and decode them in place.
func (v *View) Composite(r model.Ref) bool {
	switch v.Type(r).Kind {
	case model.Struct, model.Wrapper, model.Union, model.Tuple:
		return true
	}
	return false
}

// Option returns the i-th option of the union r as a struct field: at most one of
// them is there.
func (v *View) Option(r model.Ref, i int) *model.Field {
	o := &v.Type(r).Options[i]
	return &model.Field{Name: o.Name, Use: o.Use, Recursive: v.Composite(o.Use.Type)}
}

// Stored reports whether the struct has a Go field for f: a required member with
// one possible scalar needs none.
func Stored(f *model.Field) bool { return f.Const == nil }

// Unquote returns the string of a JSON string literal.
func Unquote(text string) string {
	var s string
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		panic("goview: not a JSON string: " + text)
	}
	return s
}

// Lower is the name with a small first word, for unexported identifiers.
func Lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// Comment turns a description into the text of a doc comment that begins with name.
func Comment(name, doc, otherwise string) string {
	doc = strings.Join(strings.Fields(Plain(doc)), " ")
	if doc == "" {
		return name + " " + otherwise
	}
	if strings.HasPrefix(doc, name+" ") {
		return doc
	}
	return name + ": " + doc
}
