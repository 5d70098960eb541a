package govalidate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// manyValues is where an enum becomes a table: the compiler's time and memory for a
// switch over bytes grow faster than the switch.
const manyValues = 512

// values emits const and enum.
func (b *body) values() {
	if c := b.s.Const; c != nil {
		b.add(b.fail(jen.Op("!").Parens(b.equals(*c)), b.equals(*c), b.report("NotConst", n(), jen.Lit(c.JSON), b.loc())))
	}
	if !b.s.IsEnum {
		return
	}
	list := make([]string, len(b.s.Enum))
	for i, l := range b.s.Enum {
		list[i] = l.JSON
	}
	report := stop(b.report("NotEnum", n(), jen.Lit(strings.Join(list, ", ")), b.loc()))
	var strs []jen.Code
	var texts []string
	var others []model.Literal
	seen := map[string]bool{}
	for _, l := range b.s.Enum {
		switch {
		case seen[l.JSON]:
		case l.JSON[0] == '"':
			texts = append(texts, goview.Unquote(l.JSON))
			strs = append(strs, jen.Lit(goview.Unquote(l.JSON)))
		default:
			others = append(others, l)
		}
		seen[l.JSON] = true
	}
	if len(strs) > manyValues && len(others) == 0 {
		table := b.free("values" + goname.Exported(b.s.Name))
		slices.Sort(texts)
		b.tables = append(b.tables, jen.Commentf("%s is sorted.", table), jen.Var().Id(table).Op("=").Index().String().CustomFunc(
			jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, func(g *jen.Group) {
				for _, text := range texts {
					g.Lit(text)
				}
			}))
		in := jen.Id("v").Dot("Kind").Call(n()).Op("==").Add(b.kind("String")).Op("&&").Add(b.RT("OneOf")).Call(jen.Id("v").Dot("Str").Call(n()), jen.Id(table))
		b.add(jen.If(jen.Op("!").Parens(in)).Block(report.Code))
		return
	}
	if len(strs) > 0 && len(others) == 0 {
		// A string outside the list and a value of another kind end alike.
		b.add(jen.Switch(jen.String().Call(jen.Id("v").Dot("Str").Call(n()))).Block(
			jen.Case(strs...).BlockFunc(func(g *jen.Group) {
				if hasEmpty(b.s.Enum) { // Str is empty also for what is no string
					g.If(jen.Id("v").Dot("Kind").Call(n()).Op("!=").Add(b.kind("String"))).Block(report.Code)
				}
			}),
			jen.Default().Block(report.Code),
		))
		return
	}
	var cond *jen.Statement
	or := func(c *jen.Statement) {
		if cond == nil {
			cond = c
		} else {
			cond = cond.Op("||").Line().Add(c)
		}
	}
	for _, l := range b.s.Enum {
		if l.JSON[0] == '"' {
			or(b.equals(l))
		}
	}
	for _, l := range others {
		or(b.equals(l))
	}
	if cond == nil { // an empty enum admits nothing
		b.add(report)
		return
	}
	b.add(jen.If(jen.Op("!").Parens(cond)).Block(report.Code))
}

func hasEmpty(list []model.Literal) bool {
	for _, l := range list {
		if l.JSON == `""` {
			return true
		}
	}
	return false
}

// equals is the condition that n equals the literal, as JSON values are equal.
func (b *body) equals(l model.Literal) *jen.Statement {
	kind := func(name string) *jen.Statement {
		return jen.Id("v").Dot("Kind").Call(n()).Op("==").Add(b.kind(name))
	}
	switch l.JSON[0] {
	case '"':
		return kind("String").Op("&&").String().Call(jen.Id("v").Dot("Text").Call(n())).Op("==").Lit(goview.Unquote(l.JSON))
	case 'n':
		return kind("Null")
	case 't':
		return kind("Bool").Op("&&").Id("v").Dot("True").Call(n())
	case 'f':
		return kind("Bool").Op("&&").Op("!").Id("v").Dot("True").Call(n())
	case '[', '{':
		return jen.Id("v").Dot("Equals").Call(n(), jen.Lit(l.JSON))
	}
	return kind("Num").Op("&&").Add(b.RT("CompareNumber")).Call(jen.Id("v").Dot("Number").Call(n()), b.decimal(l.JSON)).Op("==").Lit(0)
}

// decimal is the literal of a number, worked out now.
func (b *body) decimal(text string) *jen.Statement {
	d := contract.ParseDecimal(text)
	fields := jen.Dict{}
	if d.Coef != 0 {
		fields[jen.Id("Coef")] = jen.Lit(int(d.Coef))
	}
	if d.Exp != 0 {
		fields[jen.Id("Exp")] = jen.Lit(int(d.Exp))
	}
	if d.Text != "" {
		fields[jen.Id("Text")] = jen.Lit(d.Text)
	}
	return b.RT("Decimal").Values(fields)
}

// str emits the assertions on strings.
func (b *body) str() {
	s := b.s
	length := jen.Id("v").Dot("Length").Call(n())
	if s.MinLength != nil && *s.MinLength > 0 {
		b.add(b.compare(length, "<", jen.Lit(*s.MinLength), b.report("TooShort", n(), jen.Lit(*s.MinLength), b.loc())))
	}
	if s.MaxLength != nil {
		b.add(b.compare(length, ">", jen.Lit(*s.MaxLength), b.report("TooLong", n(), jen.Lit(*s.MaxLength), b.loc())))
	}
	if s.Pattern != "" {
		match := b.matcher(s.Pattern, s)
		matches := jen.Id(match).Call(jen.Id("v").Dot("Text").Call(n()))
		b.add(b.fail(jen.Op("!").Add(matches), matches, b.report("NoMatch", n(), jen.Lit(s.Pattern), b.loc())))
	}
	if fn := formatFunc(s); fn != "" {
		is := b.RT(fn).Call(jen.Id("v").Dot("Text").Call(n()))
		b.add(b.fail(jen.Op("!").Add(is), is, b.report("NotFormat", n(), jen.Lit(s.Format), b.loc())))
	}
	if contentChecked(s) {
		encoding, mediaType := jen.Lit(s.ContentEncoding), jen.Lit(s.ContentMediaType)
		is := b.RT("IsContent").Call(jen.Id("v").Dot("Text").Call(n()), encoding, mediaType)
		b.add(b.fail(jen.Op("!").Add(is), is, b.report("NotContent", n(), encoding.Clone(), mediaType.Clone(), b.loc())))
	}
}

// formats are the formats that can be asserted, and the runtime's functions.
var formats = map[string]string{
	"date-time": "IsDateTime", "date": "IsDate", "time": "IsTime", "duration": "IsDuration", "email": "IsEmail",
	"idn-email": "IsIDNEmail", "hostname": "IsHostname", "ipv4": "IsIPv4", "ipv6": "IsIPv6", "uri": "IsURI",
	"uri-reference": "IsURIReference", "iri": "IsIRI", "iri-reference": "IsIRIReference", "uri-template": "IsURITemplate",
	"uuid": "IsUUID", "regex": "IsRegex", "idn-hostname": "IsIDNHostname", "json-pointer": "IsJSONPointer", "relative-json-pointer": "IsRelativeJSONPointer",
}

// formatFunc is the runtime's function for the format of s; "" when it is none
// that is known, or an annotation.
func formatFunc(s *model.Schema) string {
	if !s.AssertFormat {
		return ""
	}
	return formats[s.Format]
}

// contentChecked reports whether the content keywords of s ask anything of a string.
func contentChecked(s *model.Schema) bool {
	return s.AssertContent && contract.KnowsContent(s.ContentEncoding, s.ContentMediaType)
}

// number emits the assertions on numbers.
func (b *body) number() {
	text := jen.Id("v").Dot("Number").Call(n())
	bound := func(l *model.Literal, keyword, op string) {
		if l != nil {
			cmp := b.RT("CompareNumber").Call(text.Clone(), b.decimal(l.JSON))
			b.add(b.compare(cmp, op, jen.Lit(0), b.report("OutOfRange", n(), jen.Lit(keyword), jen.Lit(l.JSON), b.loc())))
		}
	}
	bound(b.s.Minimum, "minimum", "<")
	bound(b.s.ExclusiveMinimum, "exclusiveMinimum", "<=")
	bound(b.s.Maximum, "maximum", ">")
	bound(b.s.ExclusiveMaximum, "exclusiveMaximum", ">=")
	if m := b.s.MultipleOf; m != nil {
		multiple := b.RT("IsMultipleOf").Call(text.Clone(), b.decimal(m.JSON))
		b.add(b.fail(jen.Op("!").Add(multiple), multiple, b.report("NotMultiple", n(), jen.Lit(m.JSON), b.loc())))
	}
}

// array emits the assertions on arrays.
func (b *body) array() {
	s := b.s
	items := s.Items != 0 && !b.accepts(s.Items)
	prefix := false
	for _, r := range s.PrefixItems {
		prefix = prefix || !b.accepts(r)
	}
	minItems := s.MinItems != nil && *s.MinItems > 0
	contains := s.Contains != 0
	if !items && !prefix && !contains && !minItems && s.MaxItems == nil && !s.UniqueItems {
		return
	}
	counting := minItems || s.MaxItems != nil || prefix || len(s.PrefixItems) > 0 && items
	if items || prefix || contains {
		b.elements(items, counting, contains)
	} else if counting {
		b.add(jen.Id("count").Op(":=").Id("v").Dot("Count").Call(n()))
	}
	if minItems {
		b.add(b.compare(jen.Id("count"), "<", jen.Lit(*s.MinItems), b.report("TooFew", n(), jen.Lit(*s.MinItems), b.loc())))
	}
	if s.MaxItems != nil {
		b.add(b.compare(jen.Id("count"), ">", jen.Lit(*s.MaxItems), b.report("TooMany", n(), jen.Lit(*s.MaxItems), b.loc())))
	}
	if s.UniqueItems {
		b.add(jen.If(
			jen.List(jen.Id("twin"), jen.Id("found")).Op(":=").Id("v").Dot("Repeated").Call(n()),
			jen.Id("found").Op("&&").Op("!").Add(b.report("NotUnique", jen.Id("twin"), b.loc())),
		).Block(jen.Return(jen.False())))
	}
}

// elements emits the loop over an array's elements.
func (b *body) elements(items, counting, contains bool) {
	s := b.s
	var loop []jen.Code
	if len(s.PrefixItems) > 0 {
		var cases []jen.Code
		for i, r := range s.PrefixItems {
			if b.accepts(r) {
				if items {
					cases = append(cases, jen.Case(jen.Lit(i)))
				}
				continue
			}
			cases = append(cases, jen.Case(jen.Lit(i)).Block(b.must(r, jen.Id("e")).Code))
		}
		if items {
			cases = append(cases, jen.Default().Block(b.must(s.Items, jen.Id("e")).Code))
		}
		if len(cases) > 0 {
			loop = append(loop, jen.Switch(jen.Id("count")).Block(cases...))
		}
	} else if items {
		loop = append(loop, b.must(s.Items, jen.Id("e")))
	}
	if contains {
		b.add(jen.Id("matches").Op(":=").Lit(0))
		if b.accepts(s.Contains) {
			loop = append(loop, jen.Id("matches").Op("++"))
		} else {
			loop = append(loop,
				jen.If(b.probeOf(s.Contains, jen.Id("e"))).Block(jen.Id("matches").Op("++")))
		}
	}
	if counting {
		b.add(jen.Id("count").Op(":=").Lit(0))
		loop = append(loop, jen.Id("count").Op("++"))
	}
	b.add(jen.For(
		jen.List(jen.Id("e"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("v").Dot("Next").Call(n())),
		jen.Id("e").Op("<").Id("end"),
		jen.Id("e").Op("=").Id("v").Dot("Next").Call(jen.Id("e")),
	).Block(unwrap(loop)...))
	if contains {
		least := 1
		if s.MinContains != nil {
			least = *s.MinContains
		}
		if least > 0 {
			b.add(b.compare(jen.Id("matches"), "<", jen.Lit(least), b.report("TooFewMatches", n(), jen.Lit(least), b.loc())))
		}
		if s.MaxContains != nil {
			b.add(b.compare(jen.Id("matches"), ">", jen.Lit(*s.MaxContains), b.report("TooManyMatches", n(), jen.Lit(*s.MaxContains), b.loc())))
		}
	}
}

func bit(i int) *jen.Statement {
	if i == 0 {
		return jen.Lit(1)
	}
	return jen.Lit(1).Op("<<").Lit(i)
}

func hexMask(count int) *jen.Statement {
	return jen.Op("0x" + strconv.FormatUint(1<<count-1, 16))
}
