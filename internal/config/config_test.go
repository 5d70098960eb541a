package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

const head = "version: 1\ncontracts: [{name: a, schemas: s}]\n"

func TestProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"version missing", "contracts: []\n", `contracts.yaml:1:1: error: the file does not say its version [config.version]`},
		{"version alone", "version: 2\nnonsense: 1\n", `contracts.yaml:1:10: error: the version 2 is not known [config.version]`},
		{"version text", "version: '1'\n", `contracts.yaml:1:10: error: the version "1" is not known [config.version]`},
		{"not an object", "[1]\n", `contracts.yaml:1:1: error: the file is an array, not an object [config.type]`},
		{"malformed", "version: 1\na: [\n", `contracts.yaml:2:1: error: malformed YAML: did not find expected node content [source.syntax]`},
		{"unknown keys", head + "runtme: vendor\nlimits: {depth: 3}\n",
			`contracts.yaml:3:1: error: the key "runtme" is not known [config.unknown-key]` + "\n" +
				`contracts.yaml:4:10: error: the key "depth" is not known [config.unknown-key]`},
		{"duplicate key", head + "runtime: vendor\nruntime: import\n", `contracts.yaml:4:1: error: the member "runtime" is written twice [source.duplicate-key]`},
		{"types", "version: 1\ncontracts:\n  - {name: 7, schemas: [s], assertFormat: 'yes'}\n  - x\ntargets: {}\nlimits: null\n",
			`contracts.yaml:3:12: error: "name" is a number, not a string [config.type]` + "\n" +
				`contracts.yaml:3:24: error: "schemas" is an array, not a string [config.type]` + "\n" +
				`contracts.yaml:3:43: error: "assertFormat" is a string, not a boolean [config.type]` + "\n" +
				`contracts.yaml:4:5: error: "contracts/1" is a string, not an object [config.type]` + "\n" +
				`contracts.yaml:5:10: error: "targets" is an object, not an array [config.type]` + "\n" +
				`contracts.yaml:6:9: error: "limits" is null, not an object [config.type]`},
		{"missing", "version: 1\ncontracts: [{name: a}]\ntargets: [{use: x}]\n",
			`contracts.yaml:2:13: error: "schemas" is missing [config.missing]` + "\n" +
				`contracts.yaml:3:11: error: "out" is missing [config.missing]`},
		{"no contracts", "version: 1\ncontracts: []\n", `contracts.yaml:2:12: error: there is no contract [config.value]`},
		{"contracts missing", "version: 1\n", `contracts.yaml:1:1: error: "contracts" is missing [config.missing]`},
		{"duplicate contract", "version: 1\ncontracts: [{name: a, schemas: s}, {name: a, schemas: t}]\n", `contracts.yaml:2:43: error: two contracts are called "a" [config.duplicate]`},
		{"contract names", "version: 1\ncontracts: [{name: A, schemas: s}, {name: '', schemas: t}]\n",
			`contracts.yaml:2:20: error: "A" is not a name for a contract [config.value]` + "\n" +
				`contracts.yaml:2:43: error: "" is not a name for a contract [config.value]`},
		{"runtime", head + "runtime: vendr\n", `contracts.yaml:3:10: error: the runtime "vendr" is not known [config.value]`},
		{"target's contract", head + "targets: [{use: x, out: o, contract: b}]\n", `contracts.yaml:3:38: error: no contract is called "b" [config.value]`},
		{"which contract", "version: 1\ncontracts: [{name: a, schemas: s}, {name: b, schemas: t}]\ntargets: [{use: x, out: o}]\n",
			`contracts.yaml:3:11: error: "contract" is missing [config.missing]`},
		{"paths", head + "runtimeDir: /abs\ntargets:\n- {use: x, out: a/../../b}\n- {use: x, out: 'a\\b'}\n- {use: x, out: 'c:/b'}\n- {use: x, out: \"a\\0b\"}\n- {use: x, out: ''}\n- {use: '', out: ..}\n",
			`contracts.yaml:3:13: error: the path "/abs" is absolute [config.path-escape]` + "\n" +
				`contracts.yaml:5:17: error: the path "a/../../b" leaves the project [config.path-escape]` + "\n" +
				`contracts.yaml:6:17: error: the path "a\\b" has a backslash [config.path-escape]` + "\n" +
				`contracts.yaml:7:17: error: the path "c:/b" is absolute [config.path-escape]` + "\n" +
				`contracts.yaml:8:17: error: the path "a\x00b" has a control character [config.path-escape]` + "\n" +
				`contracts.yaml:9:17: error: the text is empty [config.value]` + "\n" +
				`contracts.yaml:10:9: error: the text is empty [config.value]` + "\n" +
				`contracts.yaml:10:18: error: the path ".." leaves the project [config.path-escape]`},
		{"options", head + "targets: [{use: x, out: o, options: [1]}]\n", `contracts.yaml:3:37: error: "options" is an array, not an object [config.type]`},
		{"limits", head + "limits: {maxDepth: 0, maxFiles: 1.5, maxFileBytes: 99999999999}\n",
			`contracts.yaml:3:20: error: "0" lies outside 1 to 5000 [config.value]` + "\n" +
				`contracts.yaml:3:33: error: "1.5" is not an integer of at most 64 bits [config.value]` + "\n" +
				`contracts.yaml:3:52: error: "99999999999" lies outside 1 to 1073741824 [config.value]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, err := Parse(FileName, []byte(test.text))
			if err == nil {
				t.Fatalf("no error: %+v", p)
			}
			if diff := cmp.Diff(strings.Split(test.want, "\n"), strings.Split(err.Error(), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHints(t *testing.T) {
	_, err := Parse(FileName, []byte(head+"runtme: vendor\n"))
	list := err.(diag.List)
	if list[0].Hint != `did you mean "runtime"?` || list[0].Pointer != "/runtme" {
		t.Errorf("%+v", list[0])
	}
}

func TestParse(t *testing.T) {
	data, err := os.ReadFile("testdata/examples/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(FileName, data)
	if err != nil {
		t.Fatal(err)
	}
	want := &Project{Version: 1, Runtime: Import, RuntimeDir: Text{Value: "generated/go/contract"}, GoModule: Text{Value: "example.com/app"},
		Contracts: []Contract{
			{Name: Text{Value: "orders"}, Schemas: Text{Value: "schemas/orders"}, Dispatch: Text{Value: "schema"}, AssertFormat: true, AssertContent: true, Invariants: Text{Value: "schemas/orders/invariants.yaml"}},
			{Name: Text{Value: "users-2"}, Schemas: Text{Value: "schemas/users"}},
		},
		Targets: []Target{
			{Use: Text{Value: "go-types"}, Contract: Text{Value: "orders"}, Out: Text{Value: "generated/go/orders"}, Pointer: "/targets/0"},
			{Use: Text{Value: "openapi"}, Contract: Text{Value: "users-2"}, Out: Text{Value: "artifacts"}, Pointer: "/targets/1"},
		},
		Limits: source.Limits{MaxFileBytes: 1 << 20, MaxDepth: 64, MaxFiles: 500}}
	ignore := cmp.Options{cmpopts.IgnoreFields(Text{}, "Pos", "Pointer"), cmpopts.IgnoreFields(Target{}, "Options", "Pos")}
	if diff := cmp.Diff(want, got, ignore); diff != "" {
		t.Error(diff)
	}
	if at := got.Targets[0].Out; at.Pos != (diag.Pos{File: FileName, Line: 15, Col: 44}) || at.Pointer != "/targets/0/out" {
		t.Errorf("out is at %v %s", at.Pos, at.Pointer)
	}

	one, err := Parse(FileName, []byte(head+"targets: [{use: x, out: ./o//p/}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if one.Runtime != Vendor || one.Targets[0].Contract.Value != "a" || one.Targets[0].Out.Value != "o/p" {
		t.Errorf("defaults: %+v", one)
	}
}

func TestDecodeOptions(t *testing.T) {
	type inner struct {
		On   bool           `json:"on"`
		Sub  *inner         `json:"sub"`
		Map  map[string]int `json:"map"`
		More *source.Value  `json:"more"`
	}
	type options struct {
		Package string   `json:"package" jsonschema:"required"`
		Tags    []string `json:"tags"`
		Depth   int8     `json:"depth"`
		Inner   inner    `json:"inner"`
		Where   Text     `json:"where"`
	}
	read := func(text string) Target {
		p, err := Parse(FileName, []byte(head+"targets:\n- {use: x, out: o, options: "+text+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return p.Targets[0]
	}
	got := options{Depth: 3}
	if err := read(`{package: p, tags: [a, b], inner: {on: true, sub: {map: {k: 7}}, more: [1]}, where: w}`).DecodeOptions(&got); err != nil {
		t.Fatal(err)
	}
	if got.Package != "p" || len(got.Tags) != 2 || got.Depth != 3 || !got.Inner.On || got.Inner.Sub.Map["k"] != 7 ||
		got.Inner.More.Items[0].Text != "1" || got.Where.Pointer != "/targets/0/options/where" {
		t.Errorf("%+v", got)
	}
	err := read(`{packag: p, tags: [1], depth: 300, inner: {on: 1, map: {k: x}}}`).DecodeOptions(&got)
	want := strings.Join([]string{
		`contracts.yaml:4:29: error: "package" is missing [config.missing]`,
		`contracts.yaml:4:30: error: the key "packag" is not known [config.unknown-key]`,
		`contracts.yaml:4:48: error: "tags/0" is a number, not a string [config.type]`,
		`contracts.yaml:4:59: error: "300" is not an integer of at most 8 bits [config.value]`,
		`contracts.yaml:4:76: error: "on" is a number, not a boolean [config.type]`,
		`contracts.yaml:4:88: error: "k" is a string, not an integer [config.type]`}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if err := DecodeOptions(nil, &got); err == nil || !strings.Contains(err.Error(), `"package" is missing`) {
		t.Errorf("nil: %v", err)
	}
}

func TestFindAndLoad(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "mod", "app", "x", "y")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Find(deep); err == nil || !strings.Contains(err.Error(), "[config.not-found]") {
		t.Errorf("nothing there: %v", err)
	}
	write("mod/app/contracts.yaml", head)
	write("mod/go.mod", "// module no\nmodule \"example.com/m\" // yes\n\ngo 1.26\n")
	name, err := Find(deep)
	if err != nil || name != filepath.Join(root, "mod", "app", FileName) {
		t.Fatalf("found %s, %v", name, err)
	}
	p, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if p.GoModule.Value != "example.com/m/app" || p.Dir != filepath.Dir(name) {
		t.Errorf("%+v", p)
	}
	if _, err := Load(filepath.Join(root, "no.yaml")); err == nil || !strings.Contains(err.Error(), "[config.not-found]") {
		t.Errorf("missing file: %v", err)
	}
}

// TestExamples holds every example to the decoder and to the JSON Schema, and
// the schema to what the decoder refuses.
func TestExamples(t *testing.T) {
	schema, err := jsonschema.CompileString("config.json", string(JSONSchema()))
	if err != nil {
		t.Fatalf("%v\n%s", err, JSONSchema())
	}
	validate := func(text []byte) error {
		doc, err := source.Parse(FileName, text, source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(source.AppendJSON(nil, doc.Root), &v); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	files, err := filepath.Glob("testdata/examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(FileName, data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if err := validate(data); err != nil {
			t.Errorf("%s: %#v", file, err)
		}
	}
	for _, bad := range []string{"contracts: [{name: a, schemas: s}]", "version: 2\ncontracts: [{name: a, schemas: s}]", head + "runtime: x", head + "x: 1",
		head + "targets: [{use: x}]", "version: 1\ncontracts: [{name: A, schemas: s}]", head + "targets: [{use: x, out: o, options: []}]", head + "limits: {maxDepth: 0}"} {
		if err := validate([]byte(bad)); err == nil {
			t.Errorf("the JSON Schema accepts %q", bad)
		}
	}
	for _, key := range []string{`"description": "Version of this file's format."`, `"description": "Folder of the schemas`} {
		if !strings.Contains(string(JSONSchema()), key) {
			t.Errorf("the JSON Schema lacks %s", key)
		}
	}
}

// FuzzParse holds that a project file of any content is refused with positions
// inside it, or gives a project whose paths stay inside.
func FuzzParse(f *testing.F) {
	f.Add([]byte(head))
	f.Add([]byte(head + "targets: [{use: x, out: ../o, options: {}}, 1]\nlimits: [~]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(FileName, data)
		if err != nil {
			rows := strings.Split(string(data), "\n")
			for _, d := range err.(diag.List) {
				if d.Severity == diag.Error && (d.Pos.Line < 1 || d.Pos.Line > len(rows) || d.Pos.Col > len(rows[d.Pos.Line-1])+1) {
					t.Fatalf("%v is outside the file", d)
				}
			}
			return
		}
		for _, target := range p.Targets {
			if !filepath.IsLocal(target.Out.Value) || p.Contract(target.Contract.Value) == nil {
				t.Fatalf("%+v", target)
			}
		}
	})
}
