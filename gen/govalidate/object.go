package govalidate

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// wordBits is how many required names one word of seen bits can hold.
const wordBits = 64

// object emits the assertions on objects: one walk over the members, a switch on
// the name, a bit for each required name.
func (b *body) object() {
	s := b.s
	required := distinct(s.Required)
	walk := len(required) > 0 || len(s.PatternProperties) > 0 || !b.none(s.AdditionalProperties) || !b.none(s.PropertyNames)
	for _, p := range s.Properties {
		walk = walk || !b.accepts(p.Schema)
	}
	if walk {
		b.members(required)
	}
	least := s.MinProperties != nil && *s.MinProperties > 0
	if least || s.MaxProperties != nil {
		b.add(jen.Id("members").Op(":=").Id("v").Dot("Count").Call(n()))
	}
	if least {
		b.add(b.compare(jen.Id("members"), "<", jen.Lit(*s.MinProperties), b.report("TooFew", n(), jen.Lit(*s.MinProperties), b.loc())))
	}
	if s.MaxProperties != nil {
		b.add(b.compare(jen.Id("members"), ">", jen.Lit(*s.MaxProperties), b.report("TooMany", n(), jen.Lit(*s.MaxProperties), b.loc())))
	}
	b.dependencies()
}

func (b *body) members(required []string) {
	s := b.s
	words := (len(required) + wordBits - 1) / wordBits
	seen := func(w int) *jen.Statement {
		if words == 1 {
			return jen.Id("seen")
		}
		return jen.Id("seen").Index(jen.Lit(w))
	}
	switch {
	case words == 1:
		b.add(jen.Var().Id("seen").Uint64())
	case words > 1:
		b.add(jen.Var().Id("seen").Index(jen.Lit(words)).Uint64())
	}
	split := len(s.Properties)+len(required) > manyMembers
	k, val := jen.Id("k"), jen.Id("k").Op("+").Lit(1)
	mark := func(name string) []jen.Code {
		i := slices.Index(required, name)
		if i < 0 {
			return nil
		}
		if split && words == 1 {
			return []jen.Code{jen.Op("*").Id("seen").Op("|=").Add(bit(i))}
		}
		return []jen.Code{seen(i / wordBits).Op("|=").Add(bit(i % wordBits))}
	}

	closed := !b.none(s.AdditionalProperties)
	patterned := len(s.PatternProperties) > 0
	other := func() []jen.Code { // what happens to members that no property names
		if !closed {
			return nil
		}
		if b.Schema(b.target(s.AdditionalProperties)).Never {
			return []jen.Code{stop(b.report("Unknown", k.Clone(), b.loc())).Code}
		}
		return []jen.Code{b.must(s.AdditionalProperties, val.Clone())}
	}

	var cases []memberCase
	handled := map[string]bool{}
	for _, p := range s.Properties {
		handled[p.Name] = true
		block := mark(p.Name)
		if !b.accepts(p.Schema) {
			block = append(block, b.must(p.Schema, val.Clone()))
		}
		if len(block) == 0 && !closed {
			continue
		}
		cases = append(cases, memberCase{name: p.Name, code: unwrap(block)})
	}
	unknown := jen.Id("known").Op("=").False()
	if split {
		unknown = jen.Op("*").Id("known").Op("=").False()
	}
	for _, name := range required {
		if !handled[name] {
			block := mark(name)
			switch {
			case patterned && closed:
				block = append(block, unknown.Clone())
			default:
				block = append(block, other()...)
			}
			cases = append(cases, memberCase{name: name, code: unwrap(block)})
		}
	}
	var loop, otherwise []jen.Code
	if !b.none(s.PropertyNames) {
		loop = append(loop, b.must(s.PropertyNames, k.Clone()))
	}
	text := jen.Id("v").Dot("Text").Call(k.Clone())
	if patterned && closed {
		loop = append(loop, jen.Id("known").Op(":=").True())
		otherwise = []jen.Code{unknown.Clone()}
	} else if d := other(); len(d) > 0 {
		if len(cases) == 0 && !patterned {
			loop = append(loop, d...)
		} else {
			otherwise = unwrap(d)
		}
	}
	if split && len(cases) > 0 {
		h := helper{prefix: "check", name: b.s.Name, text: text, fails: true}
		h.param("v", jen.Op("*").Add(b.RT("Validator")), jen.Id("v"))
		h.param("k", b.RT("Node"), k)
		switch {
		case words == 1:
			h.param("seen", jen.Op("*").Uint64(), jen.Op("&").Id("seen"))
		case words > 1:
			h.param("seen", jen.Op("*").Index(jen.Lit(words)).Uint64(), jen.Op("&").Id("seen"))
		}
		if patterned && closed {
			h.param("known", jen.Op("*").Bool(), jen.Op("&").Id("known"))
		}
		code, helpers := b.splitSwitch(h, cases, otherwise)
		loop = append(loop, code...)
		b.tables = append(b.tables, helpers...)
	} else if len(cases)+len(otherwise) > 0 {
		loop = append(loop, memberSwitch(text, cases, otherwise))
	}
	for _, p := range s.PatternProperties {
		var block []jen.Code
		if closed {
			block = append(block, jen.Id("known").Op("=").True())
		}
		if !b.accepts(p.Schema) {
			block = append(block, b.must(p.Schema, val.Clone()))
		}
		if len(block) > 0 {
			match := b.matcher(p.Pattern, b.Schema(p.Schema))
			loop = append(loop, jen.If(jen.Id(match).Call(text.Clone())).Block(unwrap(block)...))
		}
	}
	if patterned && closed {
		loop = append(loop, jen.If(jen.Op("!").Id("known")).Block(unwrap(other())...))
	}
	if len(loop) > 0 {
		b.add(jen.For(
			jen.List(jen.Id("k"), jen.Id("end")).Op(":=").List(n().Op("+").Lit(1), jen.Id("v").Dot("Next").Call(n())),
			jen.Id("k").Op("<").Id("end"),
			jen.Id("k").Op("=").Id("v").Dot("Next").Call(val.Clone()),
		).Block(unwrap(loop)...))
	}
	for w := range words {
		part := required[w*wordBits : min((w+1)*wordBits, len(required))]
		args := []jen.Code{n(), seen(w), b.loc()}
		for _, name := range part {
			args = append(args, jen.Lit(name))
		}
		b.add(b.compare(seen(w), "!=", hexMask(len(part)), b.report("MissingOf", args...)))
	}
}

// dependencies emits dependentRequired and dependentSchemas.
func (b *body) dependencies() {
	has := func(name string) *jen.Statement { return jen.Id("v").Dot("Has").Call(n(), jen.Lit(name)) }
	for _, d := range b.s.DependentRequired {
		var block []jen.Code
		for _, name := range d.Required {
			block = append(block, b.fail(jen.Op("!").Add(has(name)), has(name),
				b.report("MissingWith", n(), jen.Lit(name), jen.Lit(d.Name), b.loc())))
		}
		if len(block) > 0 {
			b.add(jen.If(has(d.Name)).Block(unwrap(block)...))
		}
	}
	for _, p := range b.s.DependentSchemas {
		if !b.accepts(p.Schema) {
			b.add(jen.If(has(p.Name)).Block(b.must(p.Schema, n()).Code))
		}
	}
}

func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
