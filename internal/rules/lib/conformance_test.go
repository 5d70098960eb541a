package lib

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types/ref"

	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// conformanceCase is a test of CEL's specification; the README beside the data explains it.
type conformanceCase struct {
	File, Section, Name         string
	Expr, Container             string
	DisableMacros, DisableCheck bool
	CheckOnly                   bool
	Vars                        map[string]string
	Bindings                    map[string]json.RawMessage
	Expect                      struct {
		Value json.RawMessage
		Error json.RawMessage
		Type  string
	}
	CelGo string
}

func shared(t testing.TB, path ...string) string {
	root := os.Getenv("CONTRACTKIT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared")
	}
	full := filepath.Join(append([]string{root}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no shared test data: %v (set CONTRACTKIT_SHARED)", err)
	}
	return full
}

func TestConformance(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t, "cel-spec"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conformance files: %v", err)
	}
	sort.Strings(files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var cases []conformanceCase
			if err := json.Unmarshal(data, &cases); err != nil {
				t.Fatal(err)
			}
			passed := 0
			for _, tc := range cases {
				if got, want := tc.run(t), tc.want(t); !accepts(got, want, tc) {
					t.Errorf("%s/%s: %s\n got  %s\n want %s (cel-go: %s)", tc.Section, tc.Name, tc.Expr, got, want, tc.CelGo)
				} else {
					passed++
				}
			}
			t.Logf("%d of %d", passed, len(cases))
		})
	}
}

// accepts allows what cel-go does instead of what the specification wants, where the
// difference is known.
func accepts(got, want string, tc conformanceCase) bool {
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

func (tc conformanceCase) want(t *testing.T) string {
	if tc.Expect.Error != nil {
		return "error"
	}
	if tc.Expect.Value == nil {
		return "checked"
	}
	return showRef(untag(t, tc.Expect.Value))
}

func (tc conformanceCase) run(t *testing.T) string {
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
