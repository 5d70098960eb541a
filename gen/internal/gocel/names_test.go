package gocel_test

import (
	"fmt"
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

// TestDeepNesting has the compiler refuse what would double with each level, and go
// through long chains in a time that does not.
func TestDeepNesting(t *testing.T) {
	boolean, dyn := &model.Term{Kind: model.TermBool}, &model.Term{Kind: model.TermDyn}
	flag := &model.Expr{Op: model.ExprVar, Name: "flag", Term: boolean}
	equal, choice := flag, flag
	chain, optional := &model.Expr{Op: model.ExprVar, Name: "any", Term: dyn}, &model.Expr{Op: model.ExprVar, Name: "any", Term: dyn}
	for range 100 {
		equal = &model.Expr{Op: model.ExprCall, Name: "_==_", Term: boolean, Args: []*model.Expr{equal, flag}}
		choice = &model.Expr{Op: model.ExprCond, Term: boolean, Args: []*model.Expr{choice, flag, flag}}
		chain = &model.Expr{Op: model.ExprCall, Name: "_[_]", Term: dyn, Args: []*model.Expr{chain, {Op: model.ExprConst, Value: "0", Term: &model.Term{Kind: model.TermInt}}}}
		optional = &model.Expr{Op: model.ExprCall, Name: "_?._", Term: &model.Term{Kind: model.TermOptional, Elem: dyn}, Args: []*model.Expr{optional, {Op: model.ExprConst, Value: "x", Term: &model.Term{Kind: model.TermString}}}}
	}
	for name, test := range map[string]struct {
		e     *model.Expr
		value bool
		fails bool
	}{"equal": {equal, false, true}, "choice": {choice, false, true}, "chain": {chain, true, false}, "optional": {optional, true, false}} {
		c := gocel.New(nil, nil, "example.test/contract")
		c.Begin("rule", gocel.Variable{Name: "flag", ID: "flag", Term: boolean}, gocel.Variable{Name: "any", ID: "anything", Doc: -1, Term: dyn})
		if test.value {
			c.Value(test.e)
		} else {
			c.True(test.e)
		}
		if err := c.Err(); (err != nil) != test.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDoubling has quick conditions give up where functions that call each other twice
// would make them endless.
func TestDoubling(t *testing.T) {
	text := &model.Term{Kind: model.TermString}
	list := &model.Term{Kind: model.TermList, Elem: text}
	variable := &model.Expr{Op: model.ExprVar, Name: "l", Term: list}
	call := func(name string, t *model.Term, args ...*model.Expr) *model.Expr {
		return &model.Expr{Op: model.ExprCall, Name: name, Term: t, Args: args}
	}
	def := func(i int, arg *model.Expr) *model.Expr {
		return &model.Expr{Op: model.ExprDef, Name: fmt.Sprintf("f%d", i), Term: list, Args: []*model.Expr{arg}}
	}
	for name, twice := range map[string]func(i int) *model.Expr{
		"result":   func(i int) *model.Expr { return call("_+_", list, def(i-1, variable), def(i-1, variable)) },
		"argument": func(i int) *model.Expr { return def(i-1, call("_+_", list, variable, variable)) },
	} {
		defs := []model.Def{{Name: "f0", Params: []string{"l"}, Terms: []*model.Term{list}, Expr: variable}}
		for i := 1; i < 60; i++ {
			defs = append(defs, model.Def{Name: fmt.Sprintf("f%d", i), Params: []string{"l"}, Terms: []*model.Term{list}, Expr: twice(i)})
		}
		self := &model.Expr{Op: model.ExprVar, Name: "self", Term: list}
		for _, e := range []*model.Expr{
			call("repeats", list, def(59, self)),
			call("misses", list, def(59, self), def(59, self)),
			call("misses", list, self, def(59, self)),
			call("flatten", list, call("repeats", list, def(59, self))),
		} {
			c := gocel.New(nil, defs, "example.test/contract")
			c.Begin("rule", gocel.Variable{Name: "self", ID: "self", Term: list})
			if c.Empty(e); c.Err() != nil {
				t.Errorf("%s: %s: %v", name, e.Name, c.Err())
			}
		}
	}
}

// TestHidden has no variable hide what the package declares.
func TestHidden(t *testing.T) {
	text, boolean := &model.Term{Kind: model.TermString}, &model.Term{Kind: model.TermBool}
	letters := &model.Expr{Op: model.ExprList, Term: &model.Term{Kind: model.TermList, Elem: text}, Args: []*model.Expr{{Op: model.ExprConst, Value: "a", Term: text}}}
	for _, name := range []string{"texts1", "math", "ruleX", "shapeY", "matchZ"} {
		c := gocel.New(nil, nil, "example.test/contract")
		c.Begin("rule", gocel.Variable{Name: "list", ID: "values", Term: letters.Term})
		c.True(&model.Expr{Op: model.ExprAll, Term: boolean, Vars: []string{name}, Args: []*model.Expr{
			{Op: model.ExprVar, Name: "list", Term: letters.Term},
			{Op: model.ExprCall, Name: "@in", Term: boolean, Args: []*model.Expr{{Op: model.ExprVar, Name: name, Term: text}, letters}},
		}})
		f := jen.NewFile("gen")
		f.Add(c.Funcs()...)
		var b strings.Builder
		if err := f.Render(&b); err != nil || strings.Contains(b.String(), "\t"+name+" := ") {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
}
