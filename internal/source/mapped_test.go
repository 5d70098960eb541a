package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMapped(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"out.json": `"secret"`, "a/x.json": `1`, "a/plain": `2`, "a/sub/y.json": `3`, "b/x.json": `4`, "a/with space": `5`, "a/bad.json": `{`,
		"a/z.yaml": "k: 6",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"a/link.json": "x.json", "a/out": "..", "a/out.json": "../out.json"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	m, err := OpenMapped([]Mapping{
		{Prefix: "http://x.test", Dir: filepath.Join(dir, "a")}, {Prefix: "http://x.test/b/", Dir: filepath.Join(dir, "b")},
	}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for uri, want := range map[string]string{
		"http://x.test/x.json":          "1 at x.test/x.json",
		"http://x.test/plain":           "2 at x.test/plain",
		"http://x.test/sub/y.json":      "3 at x.test/sub/y.json",
		"http://x.test/b/x.json":        "4 at x.test/b/x.json",
		"http://x.test/with%20space":    "5 at x.test/with%20space",
		"http://x.test/z.yaml":          "{ at x.test/z.yaml",
		"http://x.test/x":               "nothing", // no ending is added
		"http://x.test/plain.json":      "nothing",
		"http://x.test/x.json?v=1":      "nothing",
		"http://x.test":                 "nothing",
		"http://x.test/":                "nothing",
		"http://x.testing/x.json":       "nothing",
		"https://x.test/x.json":         "nothing",
		"http://x.test/sub":             "error",
		"http://x.test/../out.json":     "error",
		"http://x.test/%2e%2e/out.json": "error",
		"http://x.test/link.json":       "source.symlink",
		"http://x.test/out.json":        "source.symlink",
		"http://x.test/out/out.json":    "source.symlink",
		"http://x.test/bad.json":        "source.",
	} {
		doc, err := m.Retrieve(uri)
		got := "nothing"
		switch {
		case err != nil:
			got = "error"
			if strings.HasPrefix(want, "source.") && strings.Contains(err.Error(), want) {
				got = want
			}
		case doc != nil && doc.Root.Kind == Object:
			got = "{ at " + doc.Path
		case doc != nil:
			got = doc.Root.Text + " at " + doc.Path
		}
		if got != want {
			t.Errorf("%s: got %s (%v), want %s", uri, got, err, want)
		}
	}
}

func TestOpenMappedRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, one := range []Mapping{{Prefix: "x.test/", Dir: dir}, {Prefix: "http://x.test/#a", Dir: dir}, {Prefix: "http://x.test/?a", Dir: dir}, {Prefix: "http://x.test/", Dir: filepath.Join(dir, "none")}, {Prefix: ":", Dir: dir}} {
		if m, err := OpenMapped([]Mapping{one}, Limits{}); err == nil {
			m.Close()
			t.Errorf("%v is served", one)
		}
	}
}

// FuzzMapped holds that no URI leads out of the folder: the only file beside it is
// never served.
func FuzzMapped(f *testing.F) {
	dir := f.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in", "sub"), 0o755); err != nil {
		f.Fatal(err)
	}
	for name, text := range map[string]string{"secret.json": `"secret"`, "in/a.json": `"a"`, "in/sub/b": `"b"`} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	for _, seed := range []string{"a.json", "sub/b", "../secret.json", "%2e%2e/secret.json", "sub/../../secret.json", "sub%2f..%2f..%2fsecret.json", "/", "..", "a.json?x", "sub//b", "%00", `..\secret.json`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		m, err := OpenMapped([]Mapping{{Prefix: "http://x.test/", Dir: filepath.Join(dir, "in")}}, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		doc, err := m.Retrieve("http://x.test/" + rest)
		if doc != nil && err != nil {
			t.Error("a document and an error")
		}
		if doc != nil && doc.Root.Text != "a" && doc.Root.Text != "b" {
			t.Errorf("%q leads to %q", rest, doc.Bytes)
		}
	})
}
