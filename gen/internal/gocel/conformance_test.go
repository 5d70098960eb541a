package gocel_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/internal/gocel"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/rules/lib"
	"github.com/contractkit/contractkit/internal/testkit/celspec"
	"github.com/contractkit/contractkit/internal/testkit/module"
	rt "github.com/contractkit/contractkit/runtime"
)

// TestConformance compiles every expression of the specification's tests to Go, in one
// program, and compares values, types and errors.
func TestConformance(t *testing.T) {
	base, err := lib.Base()
	if err != nil {
		t.Fatal(err)
	}
	g := newProgram()
	want := map[int]string{}
	byIndex := map[int]celspec.Case{}
	var refused, checkOnly int
	skipped := map[string]int{}
	for i, tc := range celspec.Load(t) {
		a, status := check(t, tc, base)
		switch {
		case status == "refused":
			if tc.Expect.Error == nil && tc.CelGo == "agrees" {
				t.Errorf("%s: %s is refused", tc.ID(), tc.Expr)
			}
			refused++
			continue
		case tc.DisableCheck && tc.Container != "" && len(tc.Bindings) > 0:
			skipped["names are the checker's to resolve"]++
			continue
		case tc.CheckOnly || tc.Expect.Value == nil && tc.Expect.Error == nil:
			checkOnly++
			continue
		}
		var vars []string
		for name := range tc.Bindings {
			vars = append(vars, name)
		}
		for name := range tc.Vars {
			if !slices.Contains(vars, name) {
				vars = append(vars, name)
			}
		}
		sort.Strings(vars)
		e, err := rules.Expression(a.NativeRep(), tc.Expr, vars...)
		if err == nil {
			err = g.add(i, e, vars, tc.Bindings)
		}
		if err != nil {
			skipped[err.Error()]++
			if !tc.DisableCheck && !strings.Contains(err.Error(), "make messages") {
				t.Errorf("%s: %s: %v", tc.ID(), tc.Expr, err)
			}
			continue
		}
		byIndex[i] = tc
		if tc.Expect.Error != nil {
			want[i] = "error"
		} else {
			want[i] = showTagged(t, tc.Expect.Value)
		}
	}
	got := g.run(t)
	passed := 0
	for i, tc := range byIndex {
		switch {
		case got[i] == want[i]:
			passed++
		case tc.CelGo != "agrees" && (got[i] == "error" || strings.HasSuffix(got[i], strings.TrimPrefix(tc.CelGo, "value: "))):
			passed++
		default:
			t.Errorf("%s: %s\n got  %s\n want %s", tc.ID(), tc.Expr, got[i], want[i])
		}
	}
	t.Logf("%d of %d compiled expressions agree; %d are refused by the checker as they should, %d only check, not compiled: %v", passed, len(byIndex), refused, checkOnly, skipped)
}

func check(t *testing.T, c celspec.Case, base *cel.Env) (*cel.Ast, string) {
	opts := []cel.EnvOption{cel.Container(c.Container), cel.EnableIdentifierEscapeSyntax()}
	if c.DisableMacros {
		opts = append(opts, cel.ClearMacros())
	}
	for name, typ := range c.Vars {
		opts = append(opts, cel.Variable(name, parseType(typ)))
	}
	env, err := base.Extend(opts...)
	if err != nil {
		t.Fatal(err)
	}
	a, issues := env.Parse(c.Expr)
	if issues.Err() != nil {
		return nil, "refused"
	}
	if !c.DisableCheck {
		if a, issues = env.Check(a); issues.Err() != nil {
			return nil, "refused"
		}
	}
	return a, ""
}

func parseType(s string) *cel.Type {
	inner, args := s, ""
	if i := strings.IndexByte(s, '('); i >= 0 {
		inner, args = s[:i], s[i+1:len(s)-1]
	}
	switch inner {
	case "int":
		return cel.IntType
	case "uint":
		return cel.UintType
	case "double":
		return cel.DoubleType
	case "bool":
		return cel.BoolType
	case "string":
		return cel.StringType
	case "bytes":
		return cel.BytesType
	case "null", "null_type":
		return cel.NullType
	case "timestamp":
		return cel.TimestampType
	case "duration":
		return cel.DurationType
	case "list":
		return cel.ListType(parseType(args))
	case "optional_type":
		return cel.OptionalType(parseType(args))
	case "map":
		k, v, _ := strings.Cut(args, ",")
		return cel.MapType(parseType(strings.TrimSpace(k)), parseType(strings.TrimSpace(v)))
	case "wrapper":
		return cel.NullableType(parseType(args))
	}
	return cel.DynType
}

// program is a Go program of compiled expressions.
type program struct {
	c     *gocel.Compiler
	file  *jen.File
	calls []jen.Code
}

const runtimePath = "conformance/contract"

func newProgram() *program {
	f := jen.NewFile("main")
	f.ImportName(runtimePath, "contract")
	f.ImportName(runtimePath+"/cel", "cel")
	return &program{c: gocel.New(make([]model.View, 1), nil, runtimePath), file: f}
}

var notIdent = regexp.MustCompile(`[^a-zA-Z0-9]`)

func (p *program) add(i int, e *model.Expr, vars []string, bindings map[string]json.RawMessage) error {
	q := func(name string) *jen.Statement { return jen.Qual(runtimePath+"/cel", name) }
	name := fmt.Sprintf("t%d", i)
	var list []gocel.Variable
	params := []jen.Code{jen.Id("c").Op("*").Add(q("Ctx"))}
	args := []jen.Code{jen.Id("c")}
	for k, v := range vars {
		id := fmt.Sprintf("v%d%s", k, notIdent.ReplaceAllString(v, ""))
		list = append(list, gocel.Variable{Name: v, ID: id, Doc: -1, Term: &model.Term{Kind: model.TermDyn}})
		params = append(params, jen.Id(id).Add(q("Val")))
		value := q("Err").Call(jen.Lit("no such variable"))
		if raw := bindings[v]; raw != nil {
			value = taggedCode(raw)
		}
		args = append(args, value)
	}
	p.c.Begin(name, list...)
	code := p.c.Value(e)
	if err := p.c.Err(); err != nil {
		p.c.Forget()
		return err
	}
	for _, f := range p.c.Funcs() {
		p.file.Add(f)
	}
	p.file.Func().Id(name).Params(params...).Add(q("Val")).Block(append(p.c.Settle(), jen.Return(code))...)
	p.calls = append(p.calls, jen.Id("show").Call(jen.Lit(i), jen.Id("c"), jen.Func().Params().Add(q("Val")).Block(jen.Return(jen.Id(name).Call(args...)))))
	return nil
}

// taggedCode is the Go expression of a tagged value.
func taggedCode(raw json.RawMessage) *jen.Statement {
	q := func(name string) *jen.Statement { return jen.Qual(runtimePath+"/cel", name) }
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	for kind, v := range m {
		var s string
		json.Unmarshal(v, &s)
		switch kind {
		case "null":
			return q("Null").Call()
		case "bool":
			return q("Bool").Call(jen.Lit(string(v) == "true"))
		case "int":
			return q("Int").Call(jen.Op(s))
		case "uint":
			return q("Uint").Call(jen.Op(s))
		case "double":
			if s == "" {
				s = string(v)
			}
			return jen.Id("double").Call(jen.Lit(s))
		case "string":
			return q("String").Call(jen.Lit(s))
		case "bytes":
			b, _ := base64.StdEncoding.DecodeString(s)
			return q("Bytes").Call(jen.Lit(string(b)))
		case "timestamp":
			return jen.Id("c").Dot("ToTimestamp").Call(q("String").Call(jen.Lit(s)))
		case "duration":
			return jen.Id("c").Dot("ToDuration").Call(q("String").Call(jen.Lit(s)))
		case "type":
			return q("TypeNamed").Call(jen.Lit(s))
		case "list":
			var items []json.RawMessage
			json.Unmarshal(v, &items)
			var codes []jen.Code
			for _, x := range items {
				codes = append(codes, taggedCode(x))
			}
			return q("List").Call(jen.Index().Add(q("Val")).Values(codes...))
		case "map":
			var items [][2]json.RawMessage
			json.Unmarshal(v, &items)
			var keys, vals []jen.Code
			for _, x := range items {
				keys, vals = append(keys, taggedCode(x[0])), append(vals, taggedCode(x[1]))
			}
			return q("MapOf").Call(jen.Index().Add(q("Val")).Values(keys...), jen.Index().Add(q("Val")).Values(vals...))
		case "optional":
			if string(v) == "null" {
				return q("None").Call()
			}
			return q("Some").Call(taggedCode(v))
		}
	}
	panic("unknown tagged value " + string(raw))
}

const showCode = `
package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"conformance/contract/cel"
)

func double(s string) cel.Val {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		panic(err)
	}
	return cel.Double(f)
}

func show(i int, c *cel.Ctx, f func() cel.Val) {
	c.Refill()
	fmt.Printf("%d\t%s\n", i, strings.ReplaceAll(text(c, f()), "\n", "\\n"))
}

func text(c *cel.Ctx, v cel.Val) string {
	switch v.Kind() {
	case cel.KindError:
		return "error"
	case cel.KindNull:
		return "null"
	case cel.KindBool:
		return fmt.Sprintf("bool %t", v.IsTrue())
	case cel.KindInt:
		n, _ := v.AsInt()
		return fmt.Sprintf("int %d", n)
	case cel.KindUint:
		n, _ := v.AsUint()
		return fmt.Sprintf("uint %d", n)
	case cel.KindDouble:
		f, _ := v.AsDouble()
		return "double " + strconv.FormatFloat(f, 'g', -1, 64)
	case cel.KindString:
		s, _ := v.AsString()
		return fmt.Sprintf("string %q", s)
	case cel.KindBytes:
		s, _ := v.AsBytes()
		return "bytes " + base64.StdEncoding.EncodeToString([]byte(s))
	case cel.KindTimestamp:
		t, _ := v.AsTimestamp()
		return "timestamp " + t.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
	case cel.KindDuration:
		d, _ := v.AsDuration()
		return "duration " + d.String()
	case cel.KindType:
		s, _ := v.AsType()
		return "type " + s
	case cel.KindList:
		var parts []string
		for it := c.Iter(v); it.Next(); {
			parts = append(parts, text(c, it.Val()))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case cel.KindMap:
		var parts []string
		for it := c.Iter(v); it.Next(); {
			parts = append(parts, text(c, it.Key())+": "+text(c, it.Val()))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case cel.KindOptional:
		x, some, _ := v.AsOptional()
		if !some {
			return "optional none"
		}
		return "optional " + text(c, x)
	}
	return "opaque"
}
`

func showTagged(t *testing.T, raw json.RawMessage) string {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	for kind, v := range m {
		var s string
		json.Unmarshal(v, &s)
		switch kind {
		case "null":
			return "null"
		case "bool":
			return "bool " + string(v)
		case "double":
			if s == "" {
				s = string(v)
			}
			f, _ := strconv.ParseFloat(s, 64)
			return "double " + strconv.FormatFloat(f, 'g', -1, 64)
		case "string":
			return strings.ReplaceAll(fmt.Sprintf("string %q", s), "\n", "\\n")
		case "list":
			var items []json.RawMessage
			json.Unmarshal(v, &items)
			var parts []string
			for _, x := range items {
				parts = append(parts, showTagged(t, x))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		case "map":
			var items [][2]json.RawMessage
			json.Unmarshal(v, &items)
			var parts []string
			for _, x := range items {
				parts = append(parts, showTagged(t, x[0])+": "+showTagged(t, x[1]))
			}
			sort.Strings(parts)
			return "{" + strings.Join(parts, ", ") + "}"
		case "optional":
			if string(v) == "null" {
				return "optional none"
			}
			return "optional " + showTagged(t, v)
		}
		return kind + " " + s
	}
	t.Fatalf("unknown tagged value %s", raw)
	return ""
}

// run builds and runs the program; the answers are by index.
func (p *program) run(t *testing.T) map[int]string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command here")
	}
	for _, s := range p.c.Shapes() {
		p.file.Add(s)
	}
	p.file.Func().Id("main").Params().Block(append([]jen.Code{
		jen.Id("c").Op(":=").New(jen.Qual(runtimePath+"/cel", "Ctx")),
		jen.Id("c").Dot("Reset").Call(jen.New(jen.Qual(runtimePath, "Doc"))),
	}, p.calls...)...)
	dir := t.TempDir()
	var main bytes.Buffer
	if err := p.file.Render(&main); err != nil {
		t.Fatalf("%.3000v", err)
	}
	write := func(name string, data []byte) { module.Write(t, dir, name, data) }
	write("go.mod", []byte("module conformance\n\ngo 1.26\n"))
	write("main.go", main.Bytes())
	write("show.go", []byte(showCode))
	files, err := rt.Contract(runtimePath, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		write("contract/"+f.Name, f.Data)
	}
	out := module.Output(t, module.Command(t, dir, "run", "."))
	got := map[int]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		index, text, _ := strings.Cut(line, "\t")
		i, err := strconv.Atoi(index)
		if err != nil {
			t.Fatalf("unexpected output %q", line)
		}
		got[i] = text
	}
	return got
}
