package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// tree writes files below a new folder; "-> x" makes a symbolic link to x.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(to, full)
		} else {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDiscover(t *testing.T) {
	root := tree(t, map[string]string{
		"s/b.json": "", "s/a.schema.yaml": "", "s/B/c.yml": "", "s/B-x.json": "", "s/readme.md": "", "s/x.JSON": "",
		"s/fix/a.valid.json": "", "s/fix/a.invalid.yaml": "", "s/fix/a.valid.2.json": "", "s/invariants.yaml": "", "s/B/invariants.json": "",
		"s/valid.json": "", "s/link.md": "-> readme.md", "other/d.json": "",
	})
	got, err := Discover(root, "s")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"s/B-x.json", "s/B/c.yml", "s/a.schema.yaml", "s/b.json", "s/valid.json"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestDiscoverReports(t *testing.T) {
	outside := tree(t, map[string]string{"x.json": "1"})
	root := tree(t, map[string]string{"s/a.json": "1", "s/link.json": "-> a.json", "s/folder": "-> ../t", "t/b.json": "1", "s/out": "-> " + outside, "u": "-> s"})
	for dir, want := range map[string][]string{
		"s": {
			"s/folder: error: this is a symbolic link, which is not followed [source.symlink]",
			"s/link.json: error: this is a symbolic link, which is not followed [source.symlink]",
			"s/out: error: this is a symbolic link, which is not followed [source.symlink]"},
		"u":    {"u: error: this is a symbolic link, which is not followed [source.symlink]"},
		"no":   {"no: error: the folder cannot be read: no such file or directory [source.unreadable]"},
		"../x": {"../x: error: the folder cannot be read: the path leaves the project folder [source.unreadable]"},
	} {
		_, err := Discover(root, dir)
		if diff := cmp.Diff(want, messages(t, err)); diff != "" {
			t.Error(dir, diff)
		}
	}
}

func TestLoad(t *testing.T) {
	root := tree(t, map[string]string{"b.json": "[1]", "a/c.yaml": "x: 1\n"})
	set, err := Load(context.Background(), root, []string{"b.json", "a/c.yaml", "b.json"}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, doc := range set.Documents() {
		got = append(got, doc.Path+" "+doc.Digest[:14]+" "+doc.Root.Pos.String())
	}
	if diff := cmp.Diff([]string{"a/c.yaml sha256:d09edad a/c.yaml:1:1", "b.json sha256:080a9ed b.json:1:1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadReports(t *testing.T) {
	root := tree(t, map[string]string{"a.json": "{", "b.yaml": "x: 1\nx: 2\n", "big.json": strings.Repeat(" ", 100) + "1", "link.json": "-> b.yaml", "dir/x": "", "ok.json": "1"})
	_, err := Load(context.Background(), root, []string{"ok.json", "b.yaml", "a.json", "big.json", "link.json", "dir", "none.json", "../a.json"}, Limits{MaxFileBytes: 100})
	want := []string{
		"../a.json: error: the path leaves the project folder [source.unreadable]",
		"a.json:1:2: error: malformed JSON: the file ends in the middle of a value [source.syntax]",
		`b.yaml:2:1: error: the member "x" is written twice [source.duplicate-key]`,
		"big.json:1:1: error: the file has 101 bytes, more than the 100 allowed [source.too-large]",
		"dir: error: the file cannot be read: it is not a regular file [source.unreadable]",
		"link.json: error: this is a symbolic link, which is not followed [source.symlink]",
		"none.json: error: the file cannot be read: no such file or directory [source.unreadable]",
	}
	if diff := cmp.Diff(want, messages(t, err)); diff != "" {
		t.Error(diff)
	}
	if _, err := Load(context.Background(), root, []string{"a.json", "b.yaml"}, Limits{MaxFiles: 1}); err == nil || !strings.Contains(err.Error(), "2 files are more than the 1 allowed") {
		t.Error(err)
	}
	if _, err := Load(context.Background(), root, []string{"a.json", "ok.json"}, Limits{MaxTotalBytes: 1}); err == nil || !strings.Contains(err.Error(), "ok.json: error: the files up to this one") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, root, []string{"ok.json"}, Limits{}); err != context.Canceled {
		t.Error(err)
	}
}

// TestSharedDocuments reads real documents and compares what is printed with
// what was read.
func TestSharedDocuments(t *testing.T) {
	root := shared.Path(t)
	count := 0
	for _, folder := range []string{"openapi", "schemastore", "json-schema-test-suite"} {
		if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
			continue
		}
		names, err := Discover(root, folder)
		if err != nil {
			t.Error(err)
			continue
		}
		set, err := Load(context.Background(), root, names, Limits{})
		if err != nil {
			t.Errorf("%.4000v", err)
			continue
		}
		for _, doc := range set.Documents() {
			count++
			again, err := Parse("again.json", AppendJSON(nil, doc.Root), Limits{})
			if err != nil {
				t.Errorf("%s: %v", doc.Path, err)
			} else if !same(doc.Root, again.Root) {
				t.Errorf("%s changes when it is printed", doc.Path)
			}
		}
	}
	if count == 0 {
		t.Skip("the shared documents are not there; CONTRACTKIT_SHARED names the folder")
	}
	t.Logf("%d documents", count)
}

func same(a, b *Value) bool {
	return a.Kind == b.Kind && a.Bool == b.Bool && a.Text == b.Text &&
		slices.EqualFunc(a.Items, b.Items, same) &&
		slices.EqualFunc(a.Members, b.Members, func(x, y Member) bool { return x.Name == y.Name && same(x.Value, y.Value) })
}
