package rules

import (
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/traits"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules/lib"
	"github.com/contractkit/contractkit/runtime/contract"
	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// Numbers of a document have one canonical form and one digest in both engines.
func TestNumbersOfDocuments(t *testing.T) {
	env, err := cel.NewEnv(append(lib.Options(), cel.Variable("x", cel.DynType))...)
	if err != nil {
		t.Fatal(err)
	}
	checked, problems := env.Compile("[canonical(x), digest(x)]")
	if problems.Err() != nil {
		t.Fatal(problems)
	}
	program, err := env.Program(checked)
	if err != nil {
		t.Fatal(err)
	}
	var typed typer
	for _, tt := range []struct{ text, want string }{
		{"1e-400", "0"},
		{"-1e-400", "0"},
		{"2e-324", "0"},
		{"4.9e-324", "5e-324"},
		{"-0", "0"},
		{"-0.0", "0"},
		{"1.0", "1"},
		{"1e3", "1000"},
		{"0.1", "0.1"},
		{"0.1000000000000000055511151231257827", "0.1"},
		{"9007199254740992", "9007199254740992"},
		{"9007199254740993", "error"},
		{"-9223372036854775808", "error"},
		{"9223372036854775807", "error"},
		{"9223372036854775808", "9223372036854776000"},
		{"123456789012345678901234", "1.2345678901234569e+23"},
		{"1.7976931348623157e308", "1.7976931348623157e+308"},
		{"1e309", "error"},
		{"-1e309", "error"},
	} {
		var d contract.Doc
		if fault := d.Parse([]byte(`{"n":`+tt.text+`}`), contract.Limits{}); fault != nil {
			t.Fatalf("%s: %v", tt.text, fault)
		}
		interpreted := "error"
		n, _ := d.Member(contract.Root, "n")
		out, _, err := program.Eval(map[string]any{"x": typed.value(&d, n, &model.Term{Kind: model.TermDyn})})
		var both [2]string
		if err == nil {
			for i := range both {
				both[i] = string(out.(traits.Lister).Get(types.Int(i)).(types.String))
			}
			interpreted = both[0]
		}
		var c rt.Ctx
		c.Reset(&d)
		v := c.FromNode(n, nil)
		compiled, digest := "error", ""
		if s, ok := c.Canonical(v).AsString(); ok {
			compiled = s
			digest, _ = c.Digest(v).AsString()
		}
		if interpreted != tt.want || compiled != tt.want || digest != both[1] {
			t.Errorf("%s: interpreted %s %s, compiled %s %s, want %s", tt.text, interpreted, both[1], compiled, digest, tt.want)
		}
	}
}
