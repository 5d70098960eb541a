package graph

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// References into files that are broken are not reported beside these; others are. A
// file that could not be read at all may be what any reference means.
func TestBrokenFiles(t *testing.T) {
	const refs = `{"a": {"$ref": "x.json"}, "b": {"$ref": "urn:x"}, "c": {"$ref": "urn:y"}, "d": {"$ref": "http://e.com/in/z"}}`
	for _, tt := range []struct{ name, file, text, want string }{
		{"by path and id", "x.json", `{"$id": "urn:x", "type": }`, "urn:y http://e.com/in/z"},
		{"an id that is not closed", "x.json", `{"$id": "urn:y}`, "urn:x http://e.com/in/z"},
		{"an id inside", "x.json", `{"$id": "http://e.com/in/a", "$defs": {"z": {"$id": "z"}`, "urn:x urn:y"},
		{"a key twice", "x.json", `{"$id": "urn:x", "type": 1, "type": 2}`, "urn:y http://e.com/in/z"},
		{"YAML", "y.yaml", "$id: urn:y\na: [", "x.json urn:x http://e.com/in/z"},
		{"another encoding", "x.json", "\xff\xfe{\x00", ""},
		{"a link", "x.json", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			put := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			put("a.json", `{"$defs": `+refs+`}`)
			if tt.text != "" {
				put(tt.file, tt.text)
			} else if err := os.Symlink("a.json", filepath.Join(dir, tt.file)); err != nil {
				t.Skip(err)
			}
			set, err := source.Load(t.Context(), dir, []string{"a.json", tt.file}, source.Limits{})
			if err == nil || set == nil || len(set.Broken()) != 1 || len(set.Documents()) != 1 {
				t.Fatalf("%v, %v", set, err)
			}
			_, err = Resolve("c", set, Options{})
			list, _ := errors.AsType[diag.List](err)
			var got []string
			for _, d := range list {
				_, name, _ := strings.Cut(d.Message, `"`)
				name, _, _ = strings.Cut(name, `"`)
				got = append(got, name)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s, want %s: %v", s, tt.want, err)
			}
		})
	}
}
