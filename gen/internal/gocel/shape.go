package gocel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/model"
)

// shape is a package variable that says how a value of the document is seen.
type shape struct {
	name string
	term *model.Term
}

// shape returns the expression of a *cel.Shape.
func (c *Compiler) shape(t *model.Term) *jen.Statement {
	if t.Kind == model.TermDyn || t.Kind == model.TermOptional || t.Kind == model.TermOpaque || t.Kind == model.TermNull {
		return c.cel("Dyn")
	}
	return jen.Op("&").Id(c.shapeVar(t))
}

func (c *Compiler) shapeVar(t *model.Term) string {
	key := c.shapeKey(t)
	if name, known := c.shapes[key]; known {
		return name
	}
	name := c.Free("shape" + shapeName(c, t))
	c.shapes[key] = name
	c.order = append(c.order, shape{name, t})
	switch t.Kind { // what it needs is needed too
	case model.TermList, model.TermMap:
		c.shape(t.Elem)
	case model.TermObject:
		for _, f := range c.Views[t.Object].Fields {
			c.shape(f.Term)
		}
	}
	return name
}

func (c *Compiler) shapeKey(t *model.Term) string {
	switch t.Kind {
	case model.TermList, model.TermMap:
		return fmt.Sprintf("%s %t %q (%s)", t.Kind, t.Set, t.Keys, c.shapeKey(t.Elem))
	case model.TermObject:
		return fmt.Sprintf("object%d", t.Object)
	}
	return fmt.Sprintf("%s %t", t.Kind, t.Date)
}

func shapeName(c *Compiler, t *model.Term) string {
	switch t.Kind {
	case model.TermList:
		return "ListOf" + shapeName(c, t.Elem)
	case model.TermMap:
		return "MapOf" + shapeName(c, t.Elem)
	case model.TermObject:
		return c.Views[t.Object].Name
	case model.TermTimestamp:
		if t.Date {
			return "Date"
		}
	}
	k := string(t.Kind)
	return strings.ToUpper(k[:1]) + k[1:]
}

// Shapes declares the shapes that were used. A shape that holds itself is tied
// together when the program starts, since Go allows no such variables.
func (c *Compiler) Shapes() []jen.Code {
	out := append(c.viewDecls(), c.lists...)
	var ties []jen.Code
	done := map[string]bool{}
	for _, s := range c.order {
		done[s.name] = false
	}
	state := map[string]int{} // 1: being written, 2: written
	var write func(s shape)
	byName := map[string]shape{}
	for _, s := range c.order {
		byName[s.name] = s
	}
	write = func(s shape) {
		if state[s.name] != 0 {
			return
		}
		state[s.name] = 1
		ref := func(t *model.Term, place *jen.Statement) *jen.Statement {
			x := c.shape(t)
			key := c.shapeKey(t)
			name := c.shapes[key]
			if name == "" {
				return x
			}
			if state[name] == 0 {
				write(byName[name])
			}
			if state[name] == 1 { // part of a circle
				ties = append(ties, place.Op("=").Add(x))
				return nil
			}
			return x
		}
		d := jen.Dict{}
		kind := map[model.TermKind]string{model.TermBool: "Bool", model.TermInt: "Int", model.TermUint: "Uint", model.TermDouble: "Double", model.TermString: "String", model.TermBytes: "Bytes",
			model.TermTimestamp: "Timestamp", model.TermDuration: "Duration", model.TermList: "List", model.TermMap: "Map", model.TermObject: "Object"}[s.term.Kind]
		if s.term.Date {
			kind = "Date"
		}
		switch s.term.Kind {
		case model.TermList, model.TermMap, model.TermObject:
			if c.plainTerm(s.term) {
				d[jen.Id("Plain")] = jen.True()
			}
		}
		d[jen.Id("Kind")] = c.cel("Shape" + kind)
		if s.term.Set {
			d[jen.Id("Set")] = jen.True()
		}
		if s.term.Keys != nil {
			var keys []jen.Code
			for _, k := range s.term.Keys {
				keys = append(keys, jen.Lit(k))
			}
			d[jen.Id("Keys")] = jen.Index().String().Values(keys...)
		}
		switch s.term.Kind {
		case model.TermList, model.TermMap:
			if x := ref(s.term.Elem, jen.Id(s.name).Dot("Elem")); x != nil {
				d[jen.Id("Elem")] = x
			}
		case model.TermObject:
			fields := slices.Clone(c.Views[s.term.Object].Fields)
			slices.SortFunc(fields, func(a, b model.ViewField) int { return strings.Compare(a.Name, b.Name) })
			var list []jen.Code
			for i, f := range fields {
				x := ref(f.Term, jen.Id(s.name).Dot("Fields").Index(jen.Lit(i)).Dot("Shape"))
				if x == nil {
					x = jen.Nil()
				}
				list = append(list, jen.Line().Values(jen.Id("Name").Op(":").Lit(f.Name), jen.Id("Shape").Op(":").Add(x)))
			}
			if len(list) > 0 {
				list = append(list, jen.Line())
			}
			d[jen.Id("Fields")] = jen.Index().Add(c.cel("Field")).Values(list...)
		}
		out = append(out, jen.Var().Id(s.name).Op("=").Add(c.cel("Shape")).Values(d))
		state[s.name] = 2
	}
	for i := 0; i < len(c.order); i++ {
		write(c.order[i])
	}
	if len(ties) > 0 {
		out = append(out, jen.Func().Id("init").Params().Block(ties...))
	}
	return out
}
