package gocel_test

import (
	"go/format"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/gocel"
	"github.com/contractkit/contractkit/internal/model"
)

// TestNames gives parameters of named expressions the names that mean something in Go.
func TestNames(t *testing.T) {
	text := &model.Term{Kind: model.TermString}
	constant := func(s string) *model.Expr { return &model.Expr{Op: model.ExprConst, Value: s, Term: text} }
	for _, name := range []string{"type", "range", "func", "len", "string", "any", "nil", "c", "list", "order"} {
		def := model.Def{
			Name: "isX", Params: []string{name}, Terms: []*model.Term{text},
			Expr: &model.Expr{Op: model.ExprCall, Name: "startsWith", Term: &model.Term{Kind: model.TermBool}, Args: []*model.Expr{{Op: model.ExprVar, Name: name, Term: text}, constant("x")}},
		}
		c := gocel.New(nil, []model.Def{def}, "example.test/contract")
		c.Begin("rule")
		call := c.True(&model.Expr{Op: model.ExprDef, Name: "isX", Term: &model.Term{Kind: model.TermBool}, Args: []*model.Expr{constant("xyz")}})
		if err := c.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := jen.NewFile("gen")
		f.Add(c.Funcs()...)
		f.Func().Id("rule").Params().Bool().Block(jen.Return(call))
		var b strings.Builder
		if err := f.Render(&b); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := format.Source([]byte(b.String())); err != nil || name != "order" && strings.Contains(b.String(), name+" cel.Str") {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
}
