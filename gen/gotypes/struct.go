package gotypes

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// structType declares a struct and its JSON output.
func structType(f *jen.File, v *goview.View, t *model.Type) {
	name := v.TypeName(t.ID)
	comment(f, goview.Comment(name, t.Doc, "is an object of the contract."))
	for _, field := range t.Fields {
		if !goview.Stored(&field) {
			f.Comment("")
			comment(f, "Its member "+field.Name+" is always "+field.Const.JSON+".")
		}
	}
	deprecation(f, t.Deprecated)
	f.Type().Id(name).StructFunc(func(g *jen.Group) {
		stored := false
		for i := range t.Fields {
			field := &t.Fields[i]
			if !goview.Stored(field) {
				continue
			}
			stored = true
			for _, line := range goview.Wrap(field.Doc) {
				g.Add(goview.Remark("%s", line))
			}
			if field.Deprecated {
				g.Comment("")
				g.Comment("Deprecated: the schema marks it so.")
			}
			g.Id(v.FieldName(t.ID, i)).Add(v.Field(field)).Tag(tag(v, field))
		}
		if t.Extra != nil {
			if stored {
				g.Line()
			}
			g.Comment("Extra keeps the members that the contract admits without naming them.")
			g.Id("Extra").Map(jen.String()).Add(v.Value(*t.Extra)).Tag(map[string]string{"json": "-"})
		}
	})
	output(f, name)
	f.Line()
	appendStruct(f, v, t)
}

func tag(v *goview.View, f *model.Field) map[string]string {
	name := f.Name
	if v.Presence(f) != goview.Always {
		name += ",omitzero"
	}
	return map[string]string{"json": name}
}

// output declares MarshalJSON and AppendJSON.
func output(f *jen.File, name string) {
	f.Comment("MarshalJSON returns x as JSON text; numbers keep the text they were read from.")
	f.Func().Params(jen.Id("x").Id(name)).Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()).Block(
		jen.Return(jen.Id("append"+name).Call(jen.Nil(), jen.Op("&").Id("x")), jen.Nil()),
	)
	f.Comment("AppendJSON appends x as JSON text to dst.")
	f.Func().Params(jen.Id("x").Id(name)).Id("AppendJSON").Params(jen.Id("dst").Index().Byte()).Index().Byte().Block(
		jen.Return(jen.Id("append"+name).Call(jen.Id("dst"), jen.Op("&").Id("x"))),
	)
}

// manyFields is where the function that appends a struct is spread over several: the
// compiler's time for one function grows with the square of its length.
const manyFields = 256

func appendStruct(f *jen.File, v *goview.View, t *model.Type) {
	name := v.TypeName(t.ID)
	declare := func(id string, codes []jen.Code) {
		f.Func().Id(id).Params(jen.Id("dst").Index().Byte(), jen.Id("x").Op("*").Id(name)).Index().Byte().Block(codes...)
	}
	codes, parts := appendFields(v, t)
	if t.Extra != nil {
		codes = append(codes, jen.Id("dst").Op("=").Add(v.RT("AppendMembers")).Call(jen.Id("dst"), jen.Id("x").Dot("Extra"), Appender(v, *t.Extra)))
	}
	codes = append(codes, jen.Return(v.RT("CloseObject").Call(jen.Id("dst"))))
	if len(parts) > 0 {
		var calls []jen.Code
		for i := range parts {
			calls = append(calls, jen.Id("dst").Op("=").Id(partName(name, i)).Call(jen.Id("dst"), jen.Id("x")))
		}
		codes = append(calls, codes...)
	}
	f.Commentf("append%s appends x to dst.", name)
	declare("append"+name, codes)
	for i, part := range parts {
		declare(partName(name, i), append(part, jen.Return(jen.Id("dst"))))
	}
}

// partName is the name of a part of the function that appends a struct. No type's name
// begins with a digit.
func partName(name string, i int) string { return "append" + strconv.Itoa(i+1) + name }

// appendFields appends the fields of t. Of a large struct all but the last are in parts
// that come before.
func appendFields(v *goview.View, t *model.Type) (last []jen.Code, parts [][]jen.Code) {
	var codes []jen.Code
	add := func(c jen.Code) { codes = append(codes, c) }
	dst := func() *jen.Statement { return jen.Id("dst").Op("=") }
	// The text up to the next value that is always there goes out in one piece.
	text := "{"
	flush := func() {
		if text != "" {
			add(dst().Append(jen.Id("dst"), goview.Raw(text).Op("...")))
			text = ""
		}
	}
	for i := range t.Fields {
		if len(t.Fields) > manyFields && i > 0 && i%(manyFields/2) == 0 {
			flush()
			parts, codes = append(parts, codes), nil
		}
		field := &t.Fields[i]
		label := goview.QuoteName(field.Name) + ":"
		if !goview.Stored(field) {
			text += label + field.Const.JSON + ","
			continue
		}
		x := jen.Id("x").Dot(v.FieldName(t.ID, i))
		switch v.Presence(field) {
		case goview.Always:
			text += label
			flush()
			add(dst().Add(appendValue(v, field, x)))
			text = ","
		case goview.NilIsOut, goview.Pointer:
			flush()
			add(jen.If(x.Clone().Op("!=").Nil()).Block(
				dst().Append(jen.Id("dst"), goview.Raw(label).Op("...")),
				dst().Append(appendValue(v, field, x), jen.LitRune(',')),
			))
		case goview.Wrapped:
			flush()
			if v.Composite(field.Use.Type) && !v.IsNullable(field.Use) {
				add(jen.If(jen.Id("y").Op(":=").Add(x.Clone()).Dot("Ptr").Call(), jen.Id("y").Op("!=").Nil()).Block(
					dst().Append(jen.Id("dst"), goview.Raw(label).Op("...")),
					dst().Append(jen.Id("append"+v.TypeName(field.Use.Type)).Call(jen.Id("dst"), jen.Id("y")), jen.LitRune(',')),
				))
				continue
			}
			add(jen.If(jen.List(jen.Id("y"), jen.Id("present")).Op(":=").Add(x.Clone()).Dot("Get").Call(), jen.Id("present")).Block(
				dst().Append(jen.Id("dst"), goview.Raw(label).Op("...")),
				dst().Append(appendValue(v, field, jen.Id("y")), jen.LitRune(',')),
			))
		}
	}
	flush()
	return codes, parts
}

// appendValue appends the expression x, the value of field.
func appendValue(v *goview.View, field *model.Field, x *jen.Statement) *jen.Statement {
	dst := jen.Id("dst")
	if field.Recursive {
		name := jen.Id("append" + v.TypeName(field.Use.Type))
		if v.IsNullable(field.Use) {
			return v.RT("AppendNullable").Call(dst, x, name)
		}
		return name.Call(dst, x)
	}
	if v.Composite(field.Use.Type) && !v.IsNullable(field.Use) {
		return jen.Id("append"+v.TypeName(field.Use.Type)).Call(dst, jen.Op("&").Add(x))
	}
	return AppendExpr(v, field.Use, dst, x)
}

// AppendExpr is the expression that appends x, a value of use, to dst.
func AppendExpr(v *goview.View, use model.Use, dst, x *jen.Statement) *jen.Statement {
	if v.IsNullable(use) {
		return v.RT("AppendNullable").Call(dst, x, Appender(v, model.Use{Type: use.Type}))
	}
	t := v.Type(use.Type)
	switch t.Kind {
	case model.Text:
		return v.RT("AppendString").Call(dst, x)
	case model.Enum:
		return v.RT("AppendString").Call(dst, jen.String().Call(x))
	case model.Boolean:
		return v.RT("AppendBool").Call(dst, x)
	case model.Integer:
		return v.RT("AppendInteger").Call(dst, x)
	case model.Number:
		return v.RT("AppendNumber").Call(dst, x)
	case model.List:
		return v.RT("AppendList").Call(dst, x, Appender(v, t.Elem))
	case model.Map:
		return v.RT("AppendMap").Call(dst, x, Appender(v, t.Elem))
	case model.Struct, model.Wrapper, model.Union, model.Tuple:
		return x.Dot("AppendJSON").Call(dst)
	}
	return v.RT("AppendValue").Call(dst, x)
}

// Appender is a function value func([]byte, T) []byte for values of use.
func Appender(v *goview.View, use model.Use) *jen.Statement {
	if !v.IsNullable(use) {
		switch v.Type(use.Type).Kind {
		case model.Text:
			return v.RT("AppendString")
		case model.Enum:
			return v.RT("AppendText").Types(v.Base(use.Type))
		case model.Boolean:
			return v.RT("AppendBool")
		case model.Integer:
			return v.RT("AppendInteger")
		case model.Number:
			return v.RT("AppendNumber")
		case model.Any:
			return v.RT("AppendValue")
		}
	}
	return jen.Func().Params(jen.Id("dst").Index().Byte(), jen.Id("x").Add(v.Value(use))).Index().Byte().Block(
		jen.Return(AppendExpr(v, use, jen.Id("dst"), jen.Id("x"))),
	)
}

// wrapperType declares the type of a document whose root is no object of its own.
func wrapperType(f *jen.File, v *goview.View, t *model.Type) {
	name := v.TypeName(t.ID)
	comment(f, goview.Comment(name, t.Doc, "is a document of the contract."))
	deprecation(f, t.Deprecated)
	f.Type().Id(name).Struct(jen.Id("Value").Add(v.Value(t.Elem)))
	output(f, name)
	f.Func().Id("append"+name).Params(jen.Id("dst").Index().Byte(), jen.Id("x").Op("*").Id(name)).Index().Byte().Block(
		jen.Return(AppendExpr(v, t.Elem, jen.Id("dst"), jen.Id("x").Dot("Value"))),
	)
}
