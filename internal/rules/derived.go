package rules

import (
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Derived is a member whose value follows from the rest of its document, as a digest
// does. Witnesses get it filled in, so that one which changes something else needs no new
// digest; a witness that is about the member itself stays as it is by asIs.
type Derived struct {
	Schema Text
	Others []Text
	Member Text
	Expr   Text // CEL over self, the completed document, of any type; a string
}

// readDerived reads the members that follow from the rest, in the order in which they
// are filled in.
func (d *decoder) readDerived(root *source.Value) {
	for i, v := range d.list(root, "", "derived") {
		at := fmt.Sprintf("/derived/%d", i)
		if !d.object(v, at, derivedKeys...) {
			continue
		}
		x := Derived{Member: d.text(v, at, "member", true), Expr: d.text(v, at, "expr", true)}
		x.Schema, x.Others = d.bound(v, at)
		d.reg.Derived = append(d.reg.Derived, x)
	}
}

// filler is a Derived that is checked.
type filler struct {
	member string
	ast    *cel.Ast
}

// derived checks the members that follow from the rest.
func (c *checker) derived() error {
	env, err := c.environment([]binding{{"self", dyn}})
	if err != nil {
		return err
	}
	c.fill = map[model.Ref][]filler{}
	for i := range c.Registry.Derived {
		x := &c.Registry.Derived[i]
		a := c.compile(env, x.Expr, 0, x.Expr.Value, types.StringType)
		for _, name := range append([]Text{x.Schema}, x.Others...) {
			for _, r := range c.find(name) {
				c.fill[r] = append(c.fill[r], filler{x.Member.Value, a})
			}
		}
	}
	return nil
}

// filled returns a document of the schema r with its derived members filled in, where
// they are there and the structure is sound.
func (s *Set) filled(in *interp.Interp, r model.Ref, v *source.Value) (*source.Value, error) {
	for _, f := range s.fill[r] {
		text := source.AppendJSON(nil, v)
		if v.Get(f.member) == nil || in.Validate(r, text) != nil {
			continue
		}
		program, err := s.program(s.base, f.ast)
		if err != nil {
			return nil, err
		}
		doc := new(contract.Doc)
		if fault := doc.Parse(in.Complete(r, text), contract.Limits{}); fault != nil {
			return nil, fmt.Errorf("the completed document is not JSON: %v", fault)
		}
		made, _ := eval(program, map[string]any{"self": s.t.value(doc, contract.Root, dyn)})
		value, ok := made.(types.String)
		if !ok {
			continue // the rule about the member says why
		}
		if v, err = apply(v, patchOf([]edit{{"replace", "/" + source.EscapeToken(f.member), &source.Value{Kind: source.String, Text: string(value)}}})); err != nil {
			return nil, err
		}
	}
	return v, nil
}
