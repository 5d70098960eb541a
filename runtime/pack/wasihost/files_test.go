package wasihost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the grants cover can be used in the granted mode; all else is not there.
func TestFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"data/a.txt": "A", "data/sub/b.txt": "B", "data/.hidden": "H", "secret.txt": "S", "in/x.txt": "X",
		".git/config": "G", ".lumenflow/state": "L", "out/old.txt": "O", "both/c.txt": "hello"})
	write(t, outside, map[string]string{"passwd": "P"})
	for link, target := range map[string]string{"data/link": filepath.Join(outside, "passwd"), "data/dir": outside, "data/inner": "../secret.txt",
		"data/self": "a.txt", "out/evil": filepath.Join(outside, "passwd"), "out/dir": outside, "out/dangling": filepath.Join(outside, "new")} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	type row struct {
		call
		want string // "" is: refused
	}
	rows := []row{
		{call{Do: "read", Path: "/data/a.txt"}, "A"},
		{call{Do: "read", Path: "data/sub/b.txt"}, "B"},
		{call{Do: "read", Path: "data/./sub/../a.txt"}, "A"},
		{call{Do: "read", Path: "both/c.txt"}, "hello"},
		{call{Do: "list", Path: "/"}, "both data out"},
		{call{Do: "list", Path: "data"}, "a.txt sub"},
		{call{Do: "list", Path: "data/sub"}, "b.txt"},
		{call{Do: "walk"}, ". both both/c.txt data data/a.txt data/sub data/sub/b.txt out"},
		{call{Do: "stat", Path: "data/a.txt"}, "false 1 0"},
		{call{Do: "stat", Path: "data"}, "true 0 0"},
		{call{Do: "write", Path: "out/new.txt", Text: "N"}, "ok"},
		{call{Do: "append", Path: "out/new.txt", Text: "M"}, "ok"},
		{call{Do: "mkdir", Path: "out/deep/er"}, "ok"},
		{call{Do: "write", Path: "out/deep/er/f", Text: "F"}, "ok"},
		{call{Do: "rename", Path: "out/old.txt", To: "out/moved.txt"}, "ok"},
		{call{Do: "remove", Path: "out/deep/er/f"}, "ok"},
		{call{Do: "remove", Path: "out/deep/er"}, "ok"},
		{call{Do: "update", Path: "both/c.txt", Text: "J"}, "ok"},

		{call{Do: "read", Path: "secret.txt"}, ""},
		{call{Do: "stat", Path: "secret.txt"}, ""},
		{call{Do: "read", Path: "data/.hidden"}, ""},
		{call{Do: "read", Path: ".git/config"}, ""},
		{call{Do: "read", Path: "in/x.txt"}, ""},
		{call{Do: "list", Path: "in"}, ""},
		{call{Do: "list", Path: "out"}, ""},           // write does not include read
		{call{Do: "read", Path: "out/new.txt"}, ""},   // neither here
		{call{Do: "update", Path: "out/new.txt"}, ""}, // nor to change in place
		{call{Do: "write", Path: "data/a.txt"}, ""},   // read does not include write
		{call{Do: "append", Path: "data/a.txt"}, ""},
		{call{Do: "write", Path: "data/new.txt"}, ""},
		{call{Do: "remove", Path: "data/a.txt"}, ""},
		{call{Do: "mkdir", Path: "data/new"}, ""},
		{call{Do: "mkdir", Path: "new"}, ""},
		{call{Do: "rename", Path: "data/a.txt", To: "out/a.txt"}, ""},
		{call{Do: "rename", Path: "out/new.txt", To: "data/new.txt"}, ""},
		{call{Do: "rename", Path: "out/deep", To: "out/shallow"}, ""}, // folders stay
		{call{Do: "write", Path: ".lumenflow/state", Text: "evil"}, ""},
		{call{Do: "write", Path: ".LumenFlow/new", Text: "evil"}, ""},

		{call{Do: "read", Path: "data/../secret.txt"}, ""},
		{call{Do: "read", Path: "../" + filepath.Base(outside) + "/passwd"}, ""},
		{call{Do: "read", Path: "/../../../../../../etc/passwd"}, ""},
		{call{Do: "read", Path: "/etc/passwd"}, ""},
		{call{Do: "read", Path: filepath.Join(outside, "passwd")}, ""},
		{call{Do: "read", Path: "data/../../../../../../etc/passwd"}, ""},
		{call{Do: "read", Path: `data\..\..\secret.txt`}, ""},
		{call{Do: "write", Path: "out/../secret.txt", Text: "evil"}, ""},
		{call{Do: "read", Path: "/dev/zero"}, ""},
		{call{Do: "read", Path: "/proc/self/environ"}, ""},

		{call{Do: "read", Path: "data/link"}, ""},
		{call{Do: "read", Path: "data/inner"}, ""},
		{call{Do: "read", Path: "data/self"}, ""},
		{call{Do: "read", Path: "data/dir/passwd"}, ""},
		{call{Do: "list", Path: "data/dir"}, ""},
		{call{Do: "stat", Path: "data/link"}, ""},
		{call{Do: "write", Path: "out/evil", Text: "evil"}, ""},
		{call{Do: "write", Path: "out/dangling", Text: "evil"}, ""},
		{call{Do: "write", Path: "out/dir/new", Text: "evil"}, ""},
		{call{Do: "remove", Path: "out/evil"}, ""},
		{call{Do: "symlink", Path: "out/mine", To: "../secret.txt"}, ""},
		{call{Do: "link", Path: "out/mine", To: "data/a.txt"}, ""},
		{call{Do: "read", Path: "out/mine"}, ""},
	}
	var calls []call
	for _, r := range rows {
		calls = append(calls, r.call)
	}
	c := ask(t, calls...)
	c.read = globs(t, "data/**", "both/**")
	c.write = globs(t, "out/**", "both/*", ".lumenflow/**", ".LumenFlow/**")
	for i, got := range answers(t, hostAt(t, Options{Workspace: dir}), c) {
		if want := rows[i].want; want == "" && !refused(got) || want != "" && got != want {
			t.Errorf("%+v: %q, want %q", rows[i].call, got, want)
		}
	}
	for name, want := range map[string]string{"out/new.txt": "NM", "out/moved.txt": "O", "both/c.txt": "Jello", "secret.txt": "S",
		"data/a.txt": "A", ".lumenflow/state": "L"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("something was made outside: %v", list)
	}
	if data, _ := os.ReadFile(filepath.Join(outside, "passwd")); string(data) != "P" {
		t.Errorf("the file outside holds %q", data)
	}
}

// Without a grant there is an empty folder.
func TestNoFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.txt": "A"})
	got := answers(t, hostAt(t, Options{Workspace: dir}), ask(t, call{Do: "walk"}, call{Do: "read", Path: "a.txt"}, call{Do: "write", Path: "b.txt"}))
	if got[0] != "." || !refused(got[1]) || !refused(got[2]) {
		t.Errorf("%q", got)
	}
}

func TestFileBounds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.txt": "A"})
	c := ask(t, call{Do: "open many", Path: "a.txt", N: 5}, call{Do: "write", Path: "b.txt", Text: strings.Repeat("x", 100)},
		call{Do: "append", Path: "b.txt", Text: strings.Repeat("x", 100)}, call{Do: "update", Path: "b.txt", Text: "x", N: 1 << 40},
		call{Do: "mkdir", Path: "c"}, call{Do: "write", Path: "c/d"})
	c.read, c.write = globs(t, "**"), globs(t, "**")
	got := answers(t, hostAt(t, Options{Workspace: dir, MaxOpen: 4, MaxWrite: 150, MaxMade: 2}), c)
	if got[4] != "ok" || !refused(got[5]) {
		t.Errorf("%q", got[4:])
	}
	if !refused(got[0]) || got[1] != "ok" && !refused(got[1]) || !refused(got[2]) || !refused(got[3]) {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "b.txt")); err == nil && info.Size() > 150 {
		t.Errorf("%d bytes were written", info.Size())
	}
}
