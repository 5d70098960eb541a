package graph

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// shared returns a folder of the shared test data, or skips.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("CONTRACTKIT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the test data %s is not there; CONTRACTKIT_SHARED names the folder", name)
	}
	return dir
}

// TestSuiteSchemas holds that every schema of the JSON Schema Test Suite
// resolves: the suite holds valid schemas only.
func TestSuiteSchemas(t *testing.T) {
	dir := shared(t, "json-schema-test-suite")
	var remotes []*source.Document
	root := os.DirFS(filepath.Join(dir, "remotes"))
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		doc, err := source.Parse(name, data, source.Limits{})
		if err != nil {
			return err
		}
		remotes = append(remotes, doc)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	drafts := map[string]Draft{"draft4": Draft4, "draft6": Draft6, "draft7": Draft7, "draft2019-09": Draft2019, "draft2020-12": Draft2020}
	for folder, draft := range drafts {
		count, skipped := 0, 0
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
				if reason := skip(text); reason != "" {
					skipped++
					continue
				}
				doc, err := source.Parse("the-test.json", []byte(text), source.Limits{})
				if err != nil {
					t.Error(name, err)
					continue
				}
				docs := []*source.Document{doc}
				if strings.Contains(text, "localhost:1234") {
					for _, r := range remotes {
						if folderOf, _, _ := strings.Cut(r.Path, "/"); drafts[folderOf] == draft || !strings.HasPrefix(folderOf, "draft") && folderOf != "v1" {
							docs = append(docs, r)
						}
					}
				}
				set, err := source.NewSet(docs...)
				if err != nil {
					t.Fatal(err)
				}
				count++
				_, err = Resolve("suite", set, Options{Base: "http://localhost:1234/", Draft: draft})
				if list, ok := err.(diag.List); ok {
					for _, d := range list {
						if d.Pos.File == "the-test.json" {
							t.Errorf("%s\n%s\n%s", name, d, text)
						}
					}
				} else if err != nil {
					t.Error(name, err)
				}
			}
		}
		t.Logf("%s: %d schemas, %d skipped", folder, count, skipped)
	}
}

// skip returns why a schema of the suite cannot resolve, or "".
func skip(text string) string {
	switch {
	case strings.Contains(text, `"$ref":"http://json-schema.org/`), strings.Contains(text, `"$ref":"https://json-schema.org/`):
		return "refers to a meta-schema, which no document declares"
	case strings.Contains(text, `"$schema":"http://localhost:1234/`):
		return "has a dialect of its own"
	}
	return ""
}
