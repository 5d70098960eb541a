package wasihost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	xsys "github.com/tetratelabs/wazero/experimental/sys"
)

// Whatever a component calls a file, what it opens lies below the workspace, is no
// link, and is covered by a grant.
func FuzzGrantFS(f *testing.F) {
	for _, name := range []string{"data/a", "data/../secret", "/data/a/", "out/new", "data/link", "data/dir/x", "./data//a", "data\\a", ".lumenflow/x", "..", "out/\x00", "OUT/x", "out/dangling"} {
		f.Add(name, uint8(1))
		f.Add(name, uint8(14))
	}
	base, err := os.MkdirTemp("", "grants")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { os.RemoveAll(base) })
	workspace, outside := filepath.Join(base, "workspace"), filepath.Join(base, "outside")
	for name, text := range map[string]string{"workspace/data/a": "A", "workspace/secret": "S", "workspace/out/old": "O", "workspace/.lumenflow/x": "L", "outside/x": "X"} {
		file := filepath.Join(base, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	for link, target := range map[string]string{"data/link": "../secret", "data/dir": outside, "out/dangling": filepath.Join(outside, "new"), "out/dir": outside} {
		if err := os.Symlink(target, filepath.Join(workspace, link)); err != nil {
			f.Skip(err)
		}
	}
	below := func(top string) func(string) bool {
		return func(name string) bool { return name == top || strings.HasPrefix(name, top+"/") }
	}
	f.Fuzz(func(t *testing.T, name string, flags uint8) {
		root, err := os.OpenRoot(workspace)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		g := &grantFS{root: root, read: below("data"), write: func(n string) bool { return below("out")(n) || below(".lumenflow")(n) }, maxWrite: 1 << 10, maxOpen: 4, maxMade: 4}
		flag := []xsys.Oflag{xsys.O_RDONLY, xsys.O_RDWR, xsys.O_WRONLY}[flags%3]
		for i, more := range []xsys.Oflag{xsys.O_CREAT, xsys.O_TRUNC, xsys.O_EXCL, xsys.O_APPEND, xsys.O_DIRECTORY} {
			if flags>>(i+2)&1 == 1 {
				flag |= more
			}
		}
		file, errno := g.OpenFile(name, flag, 0)
		if errno != 0 {
			if file != nil || g.open.Load() != 0 {
				t.Fatalf("%q: %v with a file, %d open", name, errno, g.open.Load())
			}
		} else {
			cleaned, _ := clean(name)
			info, err := os.Lstat(filepath.Join(workspace, cleaned))
			if err != nil || info.Mode()&os.ModeSymlink != 0 {
				t.Errorf("%q is open: %v", name, err)
			}
			writable := flag&accessMode != xsys.O_RDONLY
			if cleaned != "." && !below("data")(cleaned) && (!writable || !below("out")(cleaned)) || writable && !below("out")(cleaned) {
				t.Errorf("%q is open with %b", name, flag)
			}
			if _, errno := file.Write([]byte("x")); errno == 0 && !below("out")(cleaned) {
				t.Errorf("%q is written to", name)
			}
			file.Close()
		}
		for file, want := range map[string]string{"workspace/data/a": "A", "workspace/secret": "S", "workspace/.lumenflow/x": "L", "outside/x": "X"} {
			if got, err := os.ReadFile(filepath.Join(base, file)); err != nil || string(got) != want {
				t.Fatalf("%q with %b changed %s to %q (%v)", name, flag, file, got, err)
			}
		}
		if list, _ := os.ReadDir(outside); len(list) != 1 {
			t.Fatalf("%q made something outside", name)
		}
	})
}
