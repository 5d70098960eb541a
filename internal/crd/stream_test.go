package crd

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// definition is one of a resource, in YAML's flow style on one line.
func definition(plural, schema string) string {
	return "{kind: CustomResourceDefinition, spec: {group: example.com, names: {plural: " + plural + ", kind: K}, versions: [{name: v1, schema: {openAPIV3Schema: " + schema + "}}]}}"
}

// TestRead finds definitions wherever they may stand.
func TestRead(t *testing.T) {
	as, bs := definition("as", "{type: object}"), definition("bs", "{type: object}")
	for name, tt := range map[string]struct {
		file, text string
		want       string
	}{
		"one":                 {"a.yaml", as, "as.v1"},
		"a stream":            {"a.yaml", "# a\n---\n" + as + "\n--- # b\n" + bs + "\n---\n# end\n", "as.v1 bs.v1"},
		"with carriage":       {"a.yaml", as + "\r\n---\r\n" + bs + "\r\n", "as.v1 bs.v1"},
		"in a separator":      {"a.yaml", "--- {kind: Pod}\n--- " + as + "\n---\t!!map\n" + bs, "as.v1 bs.v1"},
		"ends of documents":   {"a.yaml", as + "\n...\n# c\n---\n...\n---\n" + bs + "\n...\n", "as.v1 bs.v1"},
		"directives":          {"a.yaml", "%YAML 1.2\n---\n" + as + "\n...\n%YAML 1.1\n%TAG ! tag:x,2000:\n---\n" + bs + "\n---\n%YAML 1.2\n", "as.v1 bs.v1"},
		"a list":              {"a.yaml", "{kind: List, items: [" + as + ", {kind: Pod}, " + bs + "]}", "as.v1 bs.v1"},
		"a list of its kind":  {"a.yaml", "{kind: CustomResourceDefinitionList, items: [" + bs + "]}", "bs.v1"},
		"a list of nothing":   {"a.yaml", "{kind: List, items: []}", ""},
		"items that are none": {"a.yaml", "{kind: List, items: {a: 1}}", ""},
		"items of any kind":   {"a.yaml", "{kind: List, items: [1, null, [], x]}", ""},
		"another kind":        {"a.yaml", "{kind: Pod}", ""},
		"no object":           {"a.yaml", "[1]", ""},
		"JSON":                {"a.json", `{"kind":"CustomResourceDefinition","spec":{"names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","schema":{"openAPIV3Schema":{}}},{"name":"v2"}]}}`, "as.v1"},
	} {
		found, err := Read(tt.file, []byte(tt.text), source.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var names []string
		for _, v := range found {
			names = append(names, v.Name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: %q is to be %q", name, got, tt.want)
		}
	}
}

// TestPositions counts lines from the beginning of the file, in every document and for
// problems of every stage, and reports all of them.
func TestPositions(t *testing.T) {
	rule := "{type: object, x-kubernetes-validations: [{rule: ''}]}"
	for name, tt := range map[string]struct {
		text string
		want string // line:column of each problem
	}{
		"names":      {definition("as", "{}") + "\n---\n\n{a: 1, a: 2}\n---\n{b: 1, b: 2}\n", "4:8 6:8"},
		"definition": {"kind: Pod\n---\nkind: CustomResourceDefinition\n---\n\n" + "{kind: CustomResourceDefinition, spec: {names: {}}}", "3:1 6:1"},
		"in a list":  {"a: 1\n---\nkind: List\nitems:\n- {kind: CustomResourceDefinition}\n-\n  kind: CustomResourceDefinition", "5:3 7:3"},
		"rules":      {"\n---\n" + definition("as", rule) + "\n---\n" + definition("bs", rule), "3:181 5:181"},
		"marks":      {definition("as", "{}") + "\n---\n\ufeff" + definition("bs", "{}") + "\n\ufeff---\n" + definition("cs", "{}"), "3:1"},
		"behind it":  {"--- {a: 1}\n--- {a: 1, a: 2}", "2:12"},
		"no schema":  {"\n" + strings.Replace(definition("as", "{}"), "openAPIV3Schema", "openAPIV3Schem", 1), "2:1"},
		"twice":      {definition("as", "{}") + "\n---\n" + definition("as", "{}"), "3:102"},
	} {
		found, err := Read("a.yaml", []byte(tt.text), source.Limits{})
		if err == nil {
			_, err = Import(found)
		}
		list, _ := errors.AsType[diag.List](err)
		var got []string
		for _, d := range list {
			got = append(got, fmt.Sprintf("%d:%d", d.Pos.Line, d.Pos.Col))
			if d.Pos.File != "a.yaml" {
				t.Errorf("%s: %v", name, d)
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: problems at %s, want %s:\n%v", name, s, tt.want, err)
		}
	}
}

// TestSameName keeps resources of different groups apart.
func TestSameName(t *testing.T) {
	a := definition("ws", "{type: object}")
	text := a + "\n---\n" + strings.Replace(a, "example.com", "other.org", 1)
	found, err := Read("a.yaml", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Import(found)
	if err != nil || len(files) != 3 || files[0].Path != "ws_example.com.v1.json" || files[1].Path != "ws_other.org.v1.json" {
		t.Errorf("%v, %v", files, err)
	}
}

// FuzzImport wants no panic, and files that can be read again.
func FuzzImport(f *testing.F) {
	f.Add(definition("as", "{type: object, properties: {a: {type: string, nullable: true, enum: [x], x-kubernetes-validations: [{rule: self == oldSelf, fieldPath: .a}]}}}"))
	f.Add("kind: List\nitems:\n- " + definition("as", "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}"))
	f.Add("---\n" + definition("as", "{x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b-c], items: {type: object}}") + "\n--- # b\nkind: Pod")
	f.Add(definition("as", "{x-kubernetes-embedded-resource: true, properties: {metadata: 3}}"))
	f.Fuzz(func(t *testing.T, text string) {
		found, err := Read("a.yaml", []byte(text), source.Limits{MaxFileBytes: 1 << 16})
		if err != nil {
			return
		}
		files, err := Import(found)
		if err != nil {
			return
		}
		for _, file := range files {
			if _, err := source.Parse(file.Path, file.Data, source.Limits{}); err != nil {
				t.Errorf("%s: %v\n%s", file.Path, err, file.Data)
			}
		}
	})
}
