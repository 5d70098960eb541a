package build

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/testkit/module"
)

const orders = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "order.v1",
  "type": "object",
  "required": ["schema", "total"],
  "properties": {
    "schema": {"const": "order.v1"},
    "total": {"type": "number", "minimum": 0},
    "note": {"type": "string", "default": ""}
  }
}`

// project writes files into a fresh folder and loads its contracts.yaml.
func project(t *testing.T, dir string, files map[string]string) *config.Project {
	t.Helper()
	for name, data := range files {
		module.Write(t, dir, name, []byte(data))
	}
	p, err := config.Load(filepath.Join(dir, config.FileName))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func example() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n",
		"contracts.yaml": `version: 1
contracts:
  - {name: orders, schemas: schemas/orders, dispatch: schema}
  - {name: users, schemas: schemas/users}
targets:
  - {use: go-types, contract: orders, out: gen/orders}
  - {use: go-validators, contract: orders, out: gen/orders}
  - {use: bundle, contract: orders, out: artifacts/orders}
  - {use: bundle, contract: users, out: artifacts/users}
  - {use: modeljson, contract: users, out: artifacts/users}
`,
		"schemas/orders/order.json": orders,
		"schemas/users/user.yaml":   "type: object\nproperties:\n  name: {type: string}\n",
	}
}

func render(set *closure.Set) string {
	var b strings.Builder
	for _, f := range set.Files() {
		b.WriteString("-- " + f.Path + " --\n" + string(f.Data))
	}
	return b.String()
}

func TestRunIsDeterministic(t *testing.T) {
	var first string
	for _, procs := range []int{0, 1} {
		if procs > 0 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		}
		set, err := Run(t.Context(), project(t, t.TempDir(), example()))
		if err != nil {
			t.Fatal(err)
		}
		switch text := render(set); {
		case first == "":
			first = text
			if strings.Contains(text, os.TempDir()) {
				t.Error("the output holds a path of this machine")
			}
		case first != text:
			t.Error("two runs differ")
		}
	}
}

// What a vendored project holds builds by itself, without any module of ours.
func TestVendoredProjectBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	set, err := Run(t.Context(), project(t, dir, example()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range set.Files() {
		module.Write(t, dir, f.Path, f.Data)
	}
	os.WriteFile(filepath.Join(dir, "main.go"), []byte(`package main

import (
	"fmt"
	"os"

	"example.com/shop/gen/orders"
)

func main() {
	x, err := orders.Parse([]byte(`+"`"+`{"schema":"order.v1","total":1.50,"x":[1e400]}`+"`"+`))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	text, _ := x.MarshalJSON()
	fmt.Println(string(text))
}
`), 0o644)
	out, err := module.Command(t, dir, "run", ".").CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"total":1.50`) || !strings.Contains(string(out), "1e400") {
		t.Errorf("%v\n%s", err, out)
	}
	if list := closure.Verify(dir); len(list) > 0 {
		t.Errorf("verify: %v", list)
	}
}

func TestRunReportsEverything(t *testing.T) {
	change := func(edits ...string) map[string]string {
		files := example()
		for i := 0; i < len(edits); i += 3 {
			was := files[edits[i]]
			files[edits[i]] = strings.Replace(was, edits[i+1], edits[i+2], 1)
			if files[edits[i]] == was {
				panic("nothing to replace: " + edits[i+1])
			}
		}
		return files
	}
	without := func(names ...string) map[string]string {
		files := example()
		for _, n := range names {
			delete(files, n)
		}
		return files
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // place and code, one a diagnostic
	}{
		{"problems of two contracts", change("schemas/orders/order.json", `"total"]`, `"total"`, "schemas/users/user.yaml", "string}", "strang}"),
			"schemas/orders/order.json:6:15 source.syntax, schemas/users/user.yaml:3:16 graph.meta-schema"},
		{"a misspelt target", change("contracts.yaml", "go-types", "go-type"), "contracts.yaml:6:11 build.unknown-target"},
		{"an option that is none", change("contracts.yaml", "out: gen/orders}", "out: gen/orders, options: {pakage: x}}"), "contracts.yaml:6:66 config.unknown-key"},
		{"two targets, one file", change("contracts.yaml", "contract: users, out: artifacts/users", "contract: users, out: artifacts/orders"),
			"contracts.yaml:9:41 closure.duplicate-path, contracts.yaml:9:41 closure.duplicate-path"},
		{"over a source", change("contracts.yaml", "go-types, contract: orders, out: gen/orders", "bundle, contract: orders, out: Contract.json"), "contracts.yaml:6:42 closure.source-path"},
		{"no schema", without("schemas/users/user.yaml"), "contracts.yaml:4:28 source.unreadable"},
		{"no go.mod", without("go.mod"), "contracts.yaml:1:1 build.no-module"},
		{"an inexact number", change("schemas/orders/order.json", `"minimum": 0`, `"minimum": 9007199254740993`), "schemas/orders/order.json:8:44 closure.number"},
		{"invariants", change("contracts.yaml", "dispatch: schema}", "dispatch: schema, invariants: i.yaml}"), "contracts.yaml:3:75 source.unreadable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Run(t.Context(), project(t, t.TempDir(), tt.files))
			list, ok := errors.AsType[diag.List](err)
			if !ok {
				t.Fatalf("got %v, want diagnostics", err)
			}
			var got []string
			for _, d := range list {
				got = append(got, d.Pos.String()+" "+d.Code)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got  %s\nwant %s\n%v", s, tt.want, err)
			}
		})
	}
}
