//go:build unix

package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestHashVectors(t *testing.T) {
	var v struct {
		Cases []struct {
			ID        string
			Files     map[string]string
			Hashed    []string `json:"hashed_files"`
			Integrity string
		}
	}
	vectors(t, "hash.json", &v)
	for _, c := range v.Cases {
		tree, err := Read(write(t, c.Files), Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		var paths []string
		for _, f := range tree.Files {
			paths = append(paths, f.Path)
		}
		if got, ok := tree.Integrity(); !ok || got != c.Integrity || !slices.Equal(paths, c.Hashed) {
			t.Errorf("%s: %s over %q, want %s over %q", c.ID, got, paths, c.Integrity, c.Hashed)
		}
	}
	if len(v.Cases) < 10 {
		t.Errorf("only %d cases", len(v.Cases))
	}
}

func TestIntegrity(t *testing.T) {
	hash := func(files map[string]string) string {
		tree, err := Read(write(t, files), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := tree.Integrity()
		if !ok {
			t.Fatalf("%v", tree.Faults())
		}
		return got
	}
	base := hash(map[string]string{"a": "1", "b/c": "2"})
	for name, tt := range map[string]struct {
		files map[string]string
		same  bool
	}{
		"a byte":                 {map[string]string{"a": "1", "b/c": "3"}, false},
		"a name":                 {map[string]string{"a": "1", "b/d": "2"}, false},
		"contents swapped":       {map[string]string{"a": "2", "b/c": "1"}, false},
		"node_modules":           {map[string]string{"a": "1", "b/c": "2", "node_modules/x/y.js": "1", ".git/HEAD": "x", "dist/z": "", ".DS_Store": "", "b/.DS_Store": ""}, true},
		"a file that is no dist": {map[string]string{"a": "1", "b/c": "2", "dist": "x"}, false},
		"a folder further down":  {map[string]string{"a": "1", "b/c": "2", "b/dist/x": "x"}, false},
	} {
		if got := hash(tt.files); (got == base) != tt.same {
			t.Errorf("%s: equal is %v", name, got == base)
		}
	}
}

// What is no regular file, or too much of anything, leaves no hash.
func TestHostileTrees(t *testing.T) {
	link := func(target string) func(dir string) error {
		return func(dir string) error { return os.Symlink(target, filepath.Join(dir, "link")) }
	}
	for name, tt := range map[string]struct {
		files  map[string]string
		make   func(dir string) error
		limits Limits
		code   string
	}{
		"link to a file":         {make: link("manifest.yaml"), code: "PACK_INTEGRITY_FILE_KIND"},
		"link to a folder":       {make: link("/etc"), code: "PACK_INTEGRITY_FILE_KIND"},
		"link to nowhere":        {make: link("nowhere"), code: "PACK_INTEGRITY_FILE_KIND"},
		"link to itself":         {make: link("link"), code: "PACK_INTEGRITY_FILE_KIND"},
		"link to the root":       {make: link("."), code: "PACK_INTEGRITY_FILE_KIND"},
		"link named like a link": {make: func(dir string) error { return os.Symlink("/etc", filepath.Join(dir, "node_modules")) }, code: "PACK_INTEGRITY_FILE_KIND"},
		"link named .DS_Store":   {make: func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, ".DS_Store")) }, code: "PACK_INTEGRITY_FILE_KIND"},
		"pipe":                   {make: func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600) }, code: "PACK_INTEGRITY_FILE_KIND"},
		"name that is not UTF-8": {make: func(dir string) error { return os.WriteFile(filepath.Join(dir, "a\xff"), nil, 0o600) }, code: "PACK_INTEGRITY_FILE_NAME"},
		"many files":             {limits: Limits{Files: 3}, files: map[string]string{"a": "", "b": "", "c": ""}, code: "PACK_INTEGRITY_LIMIT"},
		"many names":             {limits: Limits{Entries: 3}, files: map[string]string{"a": "", "b": "", "c": ""}, code: "PACK_INTEGRITY_LIMIT"},
		"deep":                   {limits: Limits{Depth: 3}, files: map[string]string{"1/2/3/4/x": ""}, code: "PACK_INTEGRITY_LIMIT"},
		"very deep":              {files: map[string]string{strings.Repeat("d/", 60) + "x": ""}, code: "PACK_INTEGRITY_LIMIT"},
		"long path":              {limits: Limits{PathBytes: 80}, files: map[string]string{strings.Repeat("d", 100): ""}, code: "PACK_INTEGRITY_LIMIT"},
		"large file":             {limits: Limits{FileBytes: 100}, files: map[string]string{"x": strings.Repeat("x", 101)}, code: "PACK_INTEGRITY_LIMIT"},
		"sparse file": {make: func(dir string) error {
			f, err := os.Create(filepath.Join(dir, "x"))
			if err == nil {
				err = f.Truncate(1 << 40)
				f.Close()
			}
			return err
		}, code: "PACK_INTEGRITY_LIMIT"},
		"large files": {limits: Limits{TotalBytes: 100}, files: map[string]string{"x": strings.Repeat("x", 60), "y": strings.Repeat("x", 60)}, code: "PACK_INTEGRITY_LIMIT"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"manifest.yaml": "id: t\n"})
			for file, text := range tt.files {
				file = filepath.Join(dir, file)
				os.MkdirAll(filepath.Dir(file), 0o755)
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if tt.make != nil {
				if err := tt.make(dir); err != nil {
					t.Skip(err)
				}
			}
			tree, err := Read(dir, tt.limits)
			if err != nil {
				t.Fatal(err)
			}
			faults := tree.Faults()
			if len(faults) != 1 || faults[0].Code != tt.code {
				t.Errorf("%+v", faults)
			}
			if hash, ok := tree.Integrity(); ok {
				t.Errorf("it has the hash %s", hash)
			}
		})
	}
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "pack"), 0o755)
	os.Symlink("pack", filepath.Join(dir, "link"))
	for _, name := range []string{"nowhere", "link"} {
		if _, err := Read(filepath.Join(dir, name), Limits{}); err == nil {
			t.Errorf("the folder %q is read", name)
		}
	}
}

// A file that changes between hash and scan is not trusted.
func TestChangedFile(t *testing.T) {
	dir := write(t, map[string]string{"a.ts": "export const a = 1;\n"})
	tree, err := Read(dir, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.ts"), []byte("import 'evil';\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(codes(tree.Imports(DefaultImportRules()))); got != "[PACK_IMPORT_UNREADABLE]" {
		t.Error(got)
	}
	if _, err := tree.ReadFile("a.ts"); err == nil {
		t.Error("ReadFile returns what was not hashed")
	}
}
