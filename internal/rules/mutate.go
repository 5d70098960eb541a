package rules

import (
	"fmt"
	"sort"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/parser"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/interp"
)

// Mutant is a rule with one change that its witnesses should notice.
type Mutant struct {
	Rule string `json:"rule"`
	What string `json:"what"`         // what was changed, stable as long as the rule is
	Was  string `json:"was"`          // the part of the rule, as CEL
	Now  string `json:"now"`          // what stands there in the mutant
	By   string `json:"by,omitempty"` // why no witness can notice, as the registry says

	Pos diag.Pos `json:"-"`
}

// Words say what was changed, as the end of "no witness notices when".
func (m *Mutant) Words() string {
	what, _, _ := strings.Cut(m.What, ", ")
	if m.Now == "true" || m.Now == "[]" {
		if what == "dropped" {
			return "the rule is left out"
		}
	}
	operand, rest, _ := strings.Cut(strings.TrimPrefix(what, "operand "), " ")
	side := map[string]string{"1": "left", "2": "right"}[operand]
	switch {
	case what == "negated":
		return "the rule is turned into its opposite"
	case what == "condition negated":
		return "a condition is turned into its opposite: " + m.Was
	case rest == "dropped" && side != "":
		return "the " + side + " side is left out of " + m.Was
	case rest == "negated" && side != "":
		return "the " + side + " side is turned into its opposite: " + m.Was
	}
	return "it is changed: " + m.What
}

// Survivors returns the mutants that no witness notices, and how many there were. A
// mutant is noticed when the rule's issues differ for some witness, by number, path
// or failure of the evaluation.
func (s *Set) Survivors(in *interp.Interp, cases []Case, only string) (survivors []Mutant, total int, err error) {
	byRule := map[int][]*Case{}
	for i := range cases {
		byRule[cases[i].Rule] = append(byRule[cases[i].Rule], &cases[i])
	}
	e, err := s.Evaluator(in)
	if err != nil {
		return nil, 0, err
	}
	for i := range s.Checked {
		c := &s.Checked[i]
		if c.check == nil && c.offenders == nil || !strings.HasPrefix(c.Rule.ID.Value, only) {
			continue
		}
		mine := byRule[i]
		before := make([]string, len(mine))
		one := e.just(i)
		for k, w := range mine {
			before[k] = trace(one, w, c.Rule.ID.Value)
		}
		original := e.programs[i]
		for _, m := range s.mutants(c) {
			total++
			p := original
			if p, err = s.mutated(original, m); err != nil {
				return nil, 0, fmt.Errorf("%s, %s: %w", c.Rule.ID.Value, m.what, err)
			}
			e.programs[i] = p
			noticed := false
			for k, w := range mine {
				if trace(one, w, c.Rule.ID.Value) != before[k] {
					noticed = true
					break
				}
			}
			if !noticed {
				survivors = append(survivors, Mutant{Rule: c.Rule.ID.Value, What: m.what, Was: m.was, Now: m.now, By: c.Rule.Equivalent[m.what], Pos: c.Rule.ID.Pos})
			}
		}
		e.programs[i] = original
	}
	return survivors, total, nil
}

// trace is what one rule says of a witness.
func trace(e *Evaluator, c *Case, id string) string {
	var lines []string
	for _, issue := range e.Judge(c).Issues {
		if string(issue.Code) == id {
			failed := strings.Contains(issue.Message, "could not be evaluated")
			lines = append(lines, fmt.Sprintf("%s %t", issue.Path, failed))
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

type mutant struct {
	what  string
	was   string // CEL of the part that is changed
	now   string // and of what takes its place
	part  string // check, offenders or binder
	index int
	ast   *ast.AST
}

func (s *Set) mutated(p programs, m mutant) (programs, error) {
	program, err := s.base.PlanProgram(m.ast, s.bounds()...)
	if err != nil {
		return p, err
	}
	switch m.part {
	case "check":
		p.check = program
	case "offenders":
		p.offenders = program
	default:
		p.binders = append([]cel.Program(nil), p.binders...)
		p.binders[m.index] = program
	}
	return p, nil
}

// mutants returns the changed forms of a rule: dropped, negated, each operand of &&
// and || dropped or negated, each condition of a loop or choice negated.
func (s *Set) mutants(c *Checked) []mutant {
	var out []mutant
	if c.check != nil {
		out = append(out, variants("check", 0, c.check.NativeRep(), true)...)
	}
	if c.offenders != nil {
		out = append(out, variants("offenders", 0, c.offenders.NativeRep(), false)...)
	}
	for i, b := range c.binders {
		out = append(out, variants("binder", i, b.NativeRep(), false)...)
	}
	return out
}

func variants(part string, index int, a *ast.AST, boolean bool) (out []mutant) {
	fac := ast.NewExprFactory()
	var max int64
	var sites []ast.Expr
	ast.PreOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() > max {
			max = e.ID()
		}
		sites = append(sites, e)
	}))
	for id := range a.TypeMap() {
		if id > max {
			max = id
		}
	}
	text := func(e ast.Expr) string {
		if r, ok := a.SourceInfo().GetOffsetRange(e.ID()); ok {
			return fmt.Sprintf("%s %d at %d", part, index, r.Start)
		}
		return fmt.Sprintf("%s %d node %d", part, index, e.ID())
	}
	source := func(e ast.Expr) string {
		s, err := parser.Unparse(e, a.SourceInfo())
		if err != nil {
			return "…"
		}
		return clip(strings.ReplaceAll(s, "\n", " "))
	}
	not := func(e ast.Expr) string { return "!(" + source(e) + ")" }
	add := func(what, now string, at ast.Expr, change func(e ast.Expr, refs map[int64]*ast.ReferenceInfo, typ map[int64]*types.Type)) {
		root := fac.CopyExpr(a.Expr())
		typ := map[int64]*types.Type{}
		for k, v := range a.TypeMap() {
			typ[k] = v
		}
		refs := map[int64]*ast.ReferenceInfo{}
		for k, v := range a.ReferenceMap() {
			refs[k] = v
		}
		done := false
		ast.PreOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
			if !done && e.ID() == at.ID() && e.Kind() == at.Kind() {
				done = true
				change(e, refs, typ)
			}
		}))
		if done {
			out = append(out, mutant{what: what + ", " + text(at), was: source(at), now: now, part: part, index: index,
				ast: ast.NewCheckedAST(ast.NewAST(root, a.SourceInfo()), typ, refs)})
		}
	}
	negate := func(e ast.Expr, refs map[int64]*ast.ReferenceInfo, typ map[int64]*types.Type) {
		inner := fac.NewUnspecifiedExpr(max + 2)
		inner.SetKindCase(e)
		typ[max+2], refs[max+2] = typ[e.ID()], refs[e.ID()]
		if refs[max+2] == nil {
			delete(refs, max+2)
		}
		typ[e.ID()] = types.BoolType
		refs[e.ID()] = ast.NewFunctionReference("logical_not")
		e.SetKindCase(fac.NewCall(e.ID(), operators.LogicalNot, inner))
	}
	if boolean {
		add("dropped", "true", a.Expr(), func(e ast.Expr, refs map[int64]*ast.ReferenceInfo, _ map[int64]*types.Type) {
			delete(refs, e.ID())
			e.SetKindCase(fac.NewLiteral(e.ID(), types.True))
		})
		add("negated", not(a.Expr()), a.Expr(), negate)
	} else if part == "offenders" {
		add("dropped", "[]", a.Expr(), func(e ast.Expr, refs map[int64]*ast.ReferenceInfo, _ map[int64]*types.Type) {
			delete(refs, e.ID())
			e.SetKindCase(fac.NewList(e.ID(), nil, nil))
		})
	}
	for _, e := range sites {
		switch e.Kind() {
		case ast.CallKind:
			call := e.AsCall()
			switch call.FunctionName() {
			case operators.LogicalAnd, operators.LogicalOr:
				if isMacroStep(a, call) {
					add("condition negated", not(call.Args()[1]), call.Args()[1], negate)
					continue
				}
				for i, other := range []int{1, 0} {
					add(fmt.Sprintf("operand %d dropped", i+1), source(call.Args()[other]), e, func(x ast.Expr, refs map[int64]*ast.ReferenceInfo, typ map[int64]*types.Type) {
						keep := x.AsCall().Args()[other]
						if r := refs[keep.ID()]; r != nil {
							refs[x.ID()] = r
						} else {
							delete(refs, x.ID())
						}
						typ[x.ID()] = typ[keep.ID()]
						x.SetKindCase(keep)
					})
					add(fmt.Sprintf("operand %d negated", i+1), not(call.Args()[i]), call.Args()[i], negate)
				}
			case operators.Conditional:
				add("condition negated", not(call.Args()[0]), call.Args()[0], negate)
			}
		}
	}
	return out
}

// clip keeps a text to one line of a report.
func clip(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// isMacroStep reports whether a call joins a loop's result and its condition.
func isMacroStep(a *ast.AST, call ast.CallExpr) bool {
	first := call.Args()[0]
	return first.Kind() == ast.IdentKind && strings.HasPrefix(first.AsIdent(), "@")
}
