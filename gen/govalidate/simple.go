package govalidate

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// call is the expression that checks node by schema r: a call of the schema's own
// function, or of a method of the validator where that says it all.
func (e *emitter) call(r model.Ref, node *jen.Statement) *jen.Statement {
	r = e.target(r)
	if c := e.simple(e.Schema(r), node); c != nil {
		return c
	}
	if e.shared(r) {
		return e.once(r, node)
	}
	return jen.Id(e.check(r)).Call(jen.Id("v"), node)
}

// simple is the method call for a schema that only asks for a type, a length or
// one string; nil for others.
func (e *emitter) simple(s *model.Schema, node *jen.Statement) *jen.Statement {
	v := jen.Id("v")
	loc := jen.Lit(s.Location)
	rest := *s
	if s.Never {
		return v.Dot("Forbidden").Call(node, loc)
	}
	if s.Const != nil && s.Const.JSON[0] == '"' && (s.Types == 0 || s.Types == model.KindString) {
		rest.Const, rest.Types = nil, 0
		if e.assertsNothing(&rest) {
			return v.Dot("CheckConst").Call(node, jen.Lit(goview.Unquote(s.Const.JSON)), loc)
		}
		return nil
	}
	rest.Types = 0
	switch {
	case s.Types == 0:
		return nil
	case e.assertsNothing(&rest):
		if s.Types&model.KindInteger != 0 && s.Types&model.KindNumber == 0 {
			if s.Types != model.KindInteger {
				return nil
			}
			return v.Dot("CheckInteger").Call(node, loc)
		}
		return v.Dot("CheckType").Call(node, e.kindSet(kinds(s.Types)), loc)
	case s.Types == model.KindString:
		rest.MinLength, rest.MaxLength = nil, nil
		if !e.assertsNothing(&rest) {
			return nil
		}
		least, most := 0, -1
		if s.MinLength != nil {
			least = *s.MinLength
		}
		if s.MaxLength != nil {
			most = *s.MaxLength
		}
		return v.Dot("CheckLength").Call(node, jen.Op(strconv.Itoa(least)), jen.Op(strconv.Itoa(most)), loc)
	}
	return nil
}

// kindSet is the runtime's Kinds of a set.
func (e *emitter) kindSet(k model.Kinds) *jen.Statement {
	var set *jen.Statement
	for _, kn := range kindNames {
		if k&kn.kind == 0 {
			continue
		}
		bit := jen.Lit(1).Op("<<").Add(e.RT(kn.name))
		if set == nil {
			set = bit
		} else {
			set = set.Op("|").Add(bit)
		}
	}
	if set == nil {
		return jen.Lit(0)
	}
	return set
}
