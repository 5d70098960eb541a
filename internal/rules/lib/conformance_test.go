package lib

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"

	"github.com/contractkit/contractkit/internal/testkit/celspec"
	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

func TestConformance(t *testing.T) {
	passed := map[string]int{}
	all := map[string]int{}
	for _, tc := range celspec.Load(t) {
		all[tc.File]++
		if got, want := run(t, tc), wanted(t, tc); !accepts(got, want, tc) {
			t.Errorf("%s: %s\n got  %s\n want %s (cel-go: %s)", tc.ID(), tc.Expr, got, want, tc.CelGo)
		} else {
			passed[tc.File]++
		}
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%s: %d of %d", file, passed[file], all[file])
	}
}

// accepts allows what cel-go does instead of what the specification wants, where the
// difference is known.
func accepts(got, want string, tc celspec.Case) bool {
	if got == want || tc.CheckOnly && got == "checked" {
		return true
	}
	if tc.CelGo == "agrees" {
		return false
	}
	if strings.HasPrefix(tc.CelGo, "value:") {
		return strings.HasSuffix(got, " "+strings.TrimPrefix(tc.CelGo, "value: "))
	}
	return got == "error" || strings.HasPrefix(tc.CelGo, "type:") && got == "checked"
}

func wanted(t *testing.T, tc celspec.Case) string {
	if tc.Expect.Error != nil {
		return "error"
	}
	if tc.Expect.Value == nil {
		return "checked"
	}
	return showRef(untag(t, tc.Expect.Value))
}

func run(t *testing.T, tc celspec.Case) string {
	opts := append(Options(), cel.Container(tc.Container), cel.EnableIdentifierEscapeSyntax())
	if tc.DisableMacros {
		opts = append(opts, cel.ClearMacros())
	}
	for name, typ := range tc.Vars {
		opts = append(opts, cel.Variable(name, parseType(typ)))
	}
	env, err := cel.NewEnv(opts...)
	if err != nil {
		t.Fatal(err)
	}
	a, issues := env.Parse(tc.Expr)
	if issues.Err() != nil {
		return "error"
	}
	if !tc.DisableCheck {
		if a, issues = env.Check(a); issues.Err() != nil {
			return "error"
		}
	}
	if tc.CheckOnly || tc.Expect.Value == nil && tc.Expect.Error == nil {
		return "checked"
	}
	vars := map[string]ref.Val{}
	for name, raw := range tc.Bindings {
		vars[name] = untag(t, raw)
	}
	ctx := new(rt.Ctx)
	ctx.Reset(nil)
	w := walker{ctx: ctx, refs: a.NativeRep().ReferenceMap(), container: tc.Container, vars: bind(vars)}
	got := w.eval(a.NativeRep().Expr())
	if len(w.unknown) > 0 && tc.Expect.Error == nil && !tc.DisableCheck {
		t.Errorf("%s: gofunc.Names lacks %v", tc.Expr, w.unknown)
	}
	return show(ctx, got)
}
