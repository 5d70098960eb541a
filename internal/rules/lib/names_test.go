package lib

import (
	"reflect"
	"testing"

	"github.com/contractkit/contractkit/internal/rules/gofunc"
	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// TestNames holds the table of methods to the environment and to the methods.
func TestNames(t *testing.T) {
	env, err := Base()
	if err != nil {
		t.Fatal(err)
	}
	ctx := reflect.TypeFor[*rt.Ctx]()
	for name, f := range env.Functions() {
		if name == "cel.@block" { // only an optimizer makes it
			continue
		}
		m, ok := ctx.MethodByName(gofunc.Names[name])
		if !ok {
			t.Errorf("%s: there is no method %q", name, gofunc.Names[name])
			continue
		}
		if m.Type.IsVariadic() != gofunc.Variadic[name] {
			t.Errorf("%s: variadic is %v in the table, not in the method", name, gofunc.Variadic[name])
		}
		for _, o := range f.OverloadDecls() {
			if n := m.Type.NumIn() - 1; !m.Type.IsVariadic() && n != len(o.ArgTypes()) {
				t.Errorf("%s takes %d arguments, %s %d", name, len(o.ArgTypes()), m.Name, n)
			}
		}
	}
	for name, method := range gofunc.Names {
		m, ok := ctx.MethodByName(method)
		switch {
		case !ok:
			t.Errorf("%s: there is no method %s", name, method)
		case m.Type.IsVariadic() != gofunc.Variadic[name]:
			t.Errorf("%s: variadic is %v in the table, not in the method", name, gofunc.Variadic[name])
		case m.Type.NumOut() != 1 || m.Type.Out(0) != reflect.TypeFor[rt.Val]():
			t.Errorf("%s does not return a Val", method)
		}
	}
}
