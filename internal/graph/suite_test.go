package graph

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// TestSuiteSchemas holds that every schema of the JSON Schema Test Suite
// resolves: the suite holds valid schemas only.
func TestSuiteSchemas(t *testing.T) {
	dir := shared.Path(t, "json-schema-test-suite")
	served, err := source.OpenMapped([]source.Mapping{{Prefix: "http://localhost:1234/", Dir: filepath.Join(dir, "remotes")}}, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()
	drafts := map[string]Draft{"draft4": Draft4, "draft6": Draft6, "draft7": Draft7, "draft2019-09": Draft2019, "draft2020-12": Draft2020}
	for folder, draft := range drafts {
		count := 0
		files, err := filepath.Glob(filepath.Join(dir, "tests", folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal("no tests for", folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests, err := source.Parse(path.Base(file), data, source.Limits{})
			if err != nil {
				t.Error(err)
				continue
			}
			for _, group := range tests.Root.Items {
				text := string(source.AppendJSON(nil, group.Get("schema")))
				name := folder + "/" + path.Base(file) + ": " + group.Get("description").Text
				doc, err := source.Parse("the-test.json", []byte(text), source.Limits{})
				if err != nil {
					t.Error(name, err)
					continue
				}
				set, err := source.NewSet(doc)
				if err != nil {
					t.Fatal(err)
				}
				count++
				if _, err := Resolve("suite", set, Options{Base: "http://localhost:1234/", Draft: draft, Retrieve: served.Retrieve}); err != nil {
					t.Errorf("%s\n%v\n%s", name, err, text)
				}
			}
		}
		t.Logf("%s: %d schemas", folder, count)
	}
}
