package govalidate

import (
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// entryPoints declares what callers use of one document: DecodeT, ParseT, ValidateT.
func (e *emitter) entryPoints(f *jen.File, doc int) {
	d := &e.Documents[doc]
	if d.Type == 0 {
		return
	}
	e.used[doc] = true
	name := e.TypeName(d.Type)
	check, fill := e.checkOrAny(d.Root), e.fill(d.Type)
	data := jen.Id("data").Index().Byte()

	f.Commentf("%sSchemaID is the id of the schema of %s.", name, name)
	f.Const().Id(name + "SchemaID").Op("=").Lit(d.ID)

	governed := e.rules.governs(d.Root)
	// Documents with invariants go through the package of rules, others straight to the runtime.
	validate, decode := e.RT("Validate"), e.RT("Decode")
	args := []jen.Code{jen.Id("data"), check.Clone()}
	if governed {
		validate, decode = e.rules.cel("Validate"), e.rules.cel("Decode")
		args = append([]jen.Code{jen.Id("data")}, e.rules.arguments(d)...)
	}
	value := []jen.Code{jen.Id("x").Id(name), jen.Err().Error()}
	// fillBy decodes within a function that the runtime calls but does not keep: the value
	// need not be on the heap.
	fillBy := func(steps ...jen.Code) []jen.Code {
		by := jen.Func().Params(jen.Id("d").Op("*").Add(e.RT("Decoder"))).Block(steps...)
		return []jen.Code{
			jen.Err().Op("=").Add(decode.Clone()).Call(append(args[:len(args):len(args)], by)...),
			jen.Return(jen.Id("x"), jen.Err()),
		}
	}
	filled := jen.Id(fill).Call(jen.Id("d"), e.RT("Root"), jen.Op("&").Id("x"))
	f.Add(goview.Remark("Validate%s returns what is wrong with a JSON document of %s; nothing when it is valid.", name, d.ID))
	f.Func().Id("Validate" + name).Params(data).Add(e.RT("Issues")).Block(
		jen.Return(validate.Call(args...)),
	)
	f.Commentf("Decode%s validates data and returns its value, in which nothing is lost or added.", name)
	f.Comment("The error is a *contract.Error with the issues.")
	f.Func().Id("Decode" + name).Params(data).Params(value...).Block(fillBy(filled)...)
	f.Commentf("Parse%s is Decode%s, and then fills in defaults and normalises strings.", name, name)
	if e.work[d.Type] == 0 {
		f.Commentf("This schema has neither, so the value is that of Decode%s.", name)
		f.Func().Id("Parse"+name).Params(data).Params(jen.Id(name), jen.Error()).Block(
			jen.Return(jen.Id("Decode" + name).Call(jen.Id("data"))),
		)
	} else {
		completed := jen.Id("complete" + name).Call(jen.Op("&").Id("x"))
		f.Func().Id("Parse" + name).Params(data).Params(value...).Block(fillBy(filled.Clone(), completed)...)
	}
	if e.rules != nil {
		e.rules.entryPoints(f, d)
	}
	f.Comment("UnmarshalJSON validates data and stores its value in x.")
	f.Func().Params(jen.Id("x").Op("*").Id(name)).Id("UnmarshalJSON").Params(data).Error().Block(
		jen.List(jen.Id("y"), jen.Err()).Op(":=").Id("Decode"+name).Call(jen.Id("data")),
		jen.If(jen.Err().Op("==").Nil()).Block(jen.Op("*").Id("x").Op("=").Id("y")),
		jen.Return(jen.Err()),
	)
	f.Comment("Validate checks a value that was made by hand.")
	f.Func().Params(jen.Id("x").Id(name)).Id("Validate").Params().Error().Block(
		jen.Return(jen.Id("Validate" + name).Call(jen.Id("x").Dot("AppendJSON").Call(jen.Nil())).Dot("Err").Call()),
	)
	f.Commentf("SchemaID returns %sSchemaID.", name)
	f.Func().Params(jen.Id(name)).Id("SchemaID").Params().String().Block(jen.Return(jen.Id(name + "SchemaID")))
}

// checkOrAny is the check of r as a function value.
func (e *emitter) checkOrAny(r model.Ref) *jen.Statement {
	if e.accepts(r) {
		return e.RT("Anything")
	}
	return jen.Id(e.check(r))
}

// packageFile holds what concerns all documents together.
func (e *emitter) packageFile() *jen.File {
	f := e.NewFile("the contract " + e.Contract)
	var docs []*model.Document
	for i := range e.Documents {
		if e.Documents[i].Type != 0 {
			docs = append(docs, &e.Documents[i])
		}
	}
	f.Comment("Document is a value of any document type of this package.")
	f.Type().Id("Document").Interface(
		jen.Comment("SchemaID returns the id of the document's schema."),
		jen.Id("SchemaID").Params().String(),
		jen.Comment("AppendJSON appends the document as JSON text to dst."),
		jen.Id("AppendJSON").Params(jen.Id("dst").Index().Byte()).Index().Byte(),
		jen.Comment("MarshalJSON returns the document as JSON text."),
		jen.Id("MarshalJSON").Params().Params(jen.Index().Byte(), jen.Error()),
	)
	if e.Dispatch == "" {
		f.Comment("SchemaIDs returns the ids of the schemas, in the order of their files.")
	} else {
		f.Commentf("SchemaIDs returns the ids of the schemas that documents name in their member %q, in the order of their files.", e.Dispatch)
	}
	f.Func().Id("SchemaIDs").Params().Index().String().Block(
		jen.Return(jen.Index().String().ValuesFunc(func(g *jen.Group) {
			for _, d := range docs {
				if e.Dispatch == "" || d.Dispatched {
					g.Line().Id(e.TypeName(d.Type) + "SchemaID")
				}
			}
			g.Line()
		})),
	)
	id, data := jen.Id("id"), jen.Id("data").Index().Byte()
	byID := func(result func(d *model.Document) jen.Code, none jen.Code) jen.Code {
		return jen.Switch(id.Clone()).BlockFunc(func(g *jen.Group) {
			for _, d := range docs {
				g.Case(jen.Id(e.TypeName(d.Type) + "SchemaID")).Block(result(d))
			}
		}).Line().Add(none)
	}
	if e.rules != nil {
		f.Comment("validatorOf returns the Validate function of a schema id; nil when there is none.")
		f.Func().Id("validatorOf").Params(id.Clone().String()).Func().Params(jen.Index().Byte()).Add(e.RT("Issues")).Block(
			byID(func(d *model.Document) jen.Code { return jen.Return(jen.Id("Validate" + e.TypeName(d.Type))) }, jen.Return(jen.Nil())),
		)
		f.Comment("ValidateAs returns what is wrong with a JSON document of the schema id; nothing when it is valid.")
		f.Comment("A document that names another schema than id is not valid.")
		f.Func().Id("ValidateAs").Params(id.Clone().String(), data.Clone()).Add(e.RT("Issues")).Block(
			jen.Id("validate").Op(":=").Id("validatorOf").Call(id.Clone()),
			jen.If(jen.Id("validate").Op("==").Nil()).Block(jen.Return(e.RT("UnknownSchema").Call(id.Clone()))),
			jen.Return(jen.Id("validate").Call(jen.Id("data"))),
		)
		e.rules.transitionAs(f, docs)
		e.validateAs(f, byID, "ValidateStructureAs", "is ValidateAs without the invariants: what a JSON Schema validator would say.")
	} else {
		e.validateAs(f, byID, "ValidateAs", "returns what is wrong with a JSON document of the schema id; nothing when it is valid.")
	}
	e.decodeAs(f, byID, docs)
	if e.Dispatch != "" {
		e.dispatch(f, docs)
	}
	return f
}

// validateAs declares the function that checks the structure of a document by its
// schema id.
func (e *emitter) validateAs(f *jen.File, byID func(func(*model.Document) jen.Code, jen.Code) jen.Code, name, does string) {
	id, data := jen.Id("id"), jen.Id("data").Index().Byte()
	f.Comment("checkOf returns the check of a schema id.")
	f.Func().Id("checkOf").Params(id.Clone().String()).Params(e.RT("Check"), jen.Bool()).Block(
		byID(func(d *model.Document) jen.Code { return jen.Return(e.checkOrAny(d.Root), jen.True()) }, jen.Return(jen.Nil(), jen.False())),
	)
	f.Commentf("%s %s", name, does)
	f.Comment("A document that names another schema than id is not valid.")
	f.Func().Id(name).Params(id.Clone().String(), data.Clone()).Add(e.RT("Issues")).Block(
		jen.List(jen.Id("check"), jen.Id("known")).Op(":=").Id("checkOf").Call(id.Clone()),
		jen.If(jen.Op("!").Id("known")).Block(jen.Return(e.RT("UnknownSchema").Call(id.Clone()))),
		jen.Return(e.RT("Validate").Call(jen.Id("data"), jen.Id("check"))),
	)
}

// decodeAs declares DecodeAs and ParseAs.
func (e *emitter) decodeAs(f *jen.File, byID func(func(*model.Document) jen.Code, jen.Code) jen.Code, docs []*model.Document) {
	id, data := jen.Id("id"), jen.Id("data").Index().Byte()
	for _, verb := range []struct{ name, doc string }{
		{"Decode", "validates data by the schema id and returns its value, in which nothing is lost or added."},
		{"Parse", "is DecodeAs, and then fills in defaults and normalises strings."},
	} {
		f.Commentf("%sAs %s", verb.name, verb.doc)
		f.Func().Id(verb.name+"As").Params(id.Clone().String(), data.Clone()).Params(jen.Id("Document"), jen.Error()).Block(
			byID(func(d *model.Document) jen.Code {
				return jen.Return(jen.Id("document").Call(jen.Id(verb.name + e.TypeName(d.Type)).Call(jen.Id("data"))))
			}, jen.Return(jen.Nil(), e.RT("UnknownSchema").Call(id.Clone()).Dot("Err").Call())),
		)
	}
	if len(docs) > 0 {
		f.Comment("document keeps a failure from being a Document that is not nil.")
		f.Func().Id("document").Types(jen.Id("T").Id("Document")).Params(jen.Id("x").Id("T"), jen.Err().Error()).Params(jen.Id("Document"), jen.Error()).Block(
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
			jen.Return(jen.Id("x"), jen.Nil()),
		)
	}
}

// dispatch declares Validate, Decode and Parse, which find the schema by a member.
func (e *emitter) dispatch(f *jen.File, docs []*model.Document) {
	id, data := jen.Id("id"), jen.Id("data").Index().Byte()
	member := jen.Lit(e.Dispatch)
	function, find := e.RT("ValidateMember"), "checkNamed"
	if e.rules != nil {
		function, find = e.rules.cel("ValidateMember"), "validatorOf"
	} else {
		e.checkNamed(f, docs)
	}
	f.Commentf("Validate finds the schema by the document's member %q and returns its id and what is wrong.", e.Dispatch)
	f.Func().Id("Validate").Params(data.Clone()).Params(id.Clone().String(), jen.Id("issues").Add(e.RT("Issues"))).Block(
		jen.Return(function.Call(jen.Id("data"), member.Clone(), jen.Id(find))),
	)
	for _, verb := range []string{"Decode", "Parse"} {
		f.Commentf("%s is %sAs with the schema that the document's member %q names.", verb, verb, e.Dispatch)
		f.Func().Id(verb).Params(data.Clone()).Params(jen.Id("Document"), jen.Error()).Block(
			jen.List(id.Clone(), jen.Id("issues")).Op(":=").Add(e.RT("SchemaID")).Call(jen.Id("data"), member.Clone()),
			jen.If(jen.Id("issues").Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id("issues").Dot("Err").Call())),
			jen.Return(jen.Id(verb+"As").Call(id.Clone(), jen.Id("data"))),
		)
	}
}

// checkNamed declares how a document's schema is found by its name.
func (e *emitter) checkNamed(f *jen.File, docs []*model.Document) {
	id := jen.Id("id")
	f.Comment("checkNamed returns the schema id that a document names, and its check; nil when there is none.")
	f.Func().Id("checkNamed").Params(jen.Id("name").Index().Byte()).Params(id.Clone().String(), jen.Id("check").Add(e.RT("Check"))).Block(
		jen.Switch(jen.String().Call(jen.Id("name"))).BlockFunc(func(g *jen.Group) {
			for _, d := range docs {
				g.Case(jen.Id(e.TypeName(d.Type) + "SchemaID")).Block(jen.Return(jen.Id(e.TypeName(d.Type)+"SchemaID"), e.checkOrAny(d.Root)))
			}
		}).Line().Return(jen.Lit(""), jen.Nil()),
	)
}
