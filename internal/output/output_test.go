package output

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/diag"
)

// setOf closes over files; those below artifacts/ carry the contract's meaning.
func setOf(t testing.TB, files map[string]string) *closure.Set {
	t.Helper()
	var in []closure.File
	for path, data := range files {
		f := closure.File{Path: path, Data: []byte(data)}
		if strings.HasPrefix(path, "artifacts/") {
			f.Contract = "c"
		}
		in = append(in, f)
	}
	set, err := closure.Close(in, []string{"c"}, []string{"schemas/a.json"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func compare(t testing.TB, set *closure.Set, dir string) *Plan {
	t.Helper()
	p, err := Compare(set, dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func applySet(t testing.TB, set *closure.Set, dir string) {
	t.Helper()
	if _, err := Apply(t.Context(), compare(t, set, dir), Options{}); err != nil {
		t.Fatal(err)
	}
	if p := compare(t, set, dir); !p.Clean() {
		t.Fatalf("not clean after Apply: %v", p.Diagnostics())
	}
}

func put(t testing.TB, dir, name, data string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tree reads all files below dir but Apply's own state.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		switch {
		case err != nil:
			return err
		case rel == stateDir:
			return fs.SkipDir
		case e.IsDir():
			out[filepath.ToSlash(rel)+"/"] = ""
		default:
			data, err := os.ReadFile(name)
			out[filepath.ToSlash(rel)] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	before = map[string]string{"go/a.go": "a1\n", "go/gone/old.go": "old\n", "go/same.go": "same\n", "artifacts/c/b.json": `{"n":1}`}
	after  = map[string]string{"go/a.go": "a2\n", "go/same.go": "same\n", "artifacts/c/b.json": `{"n":2}`, "go/new/deep/n.go": "n\n"}
)

func TestCompareStates(t *testing.T) {
	swap := func(name, old, new string) func(string) {
		return func(dir string) {
			file := filepath.Join(dir, filepath.FromSlash(name))
			data, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(data), old) {
				t.Fatalf("%s: no %q: %v", name, old, err)
			}
			put(t, dir, name, strings.Replace(string(data), old, new, 1))
		}
	}
	for _, tt := range []struct {
		name   string
		files  map[string]string // what sources produce now
		change func(dir string)
		want   string
	}{
		{"nothing", before, func(string) {}, ""},
		{"missing", before, func(dir string) { os.Remove(filepath.Join(dir, "go/a.go")) }, "output.missing go/a.go"},
		{"hand-edited", before, swap("go/a.go", "a1", "a3"), "output.hand-edited go/a.go"},
		{"stale, orphaned, missing", after, func(string) {},
			"output.stale artifacts/c/b.json, output.stale checksums.json, output.stale contract.json, output.stale go/a.go, output.orphan go/gone/old.go, output.missing go/new/deep/n.go"},
		{"an edited orphan", map[string]string{"go/a.go": "a1\n", "go/same.go": "same\n", "artifacts/c/b.json": `{"n":1}`}, swap("go/gone/old.go", "old", "new"),
			"output.stale checksums.json, output.hand-edited go/gone/old.go"},
		{"a foreign file", after, func(dir string) { put(t, dir, "go/new/deep/n.go", "mine\n") },
			"output.stale artifacts/c/b.json, output.stale checksums.json, output.stale contract.json, output.stale go/a.go, output.orphan go/gone/old.go, output.hand-edited go/new/deep/n.go"},
		{"a forged checksum", before, swap("checksums.json", `"go/a.go": "sha256:`, `"go/b.go": "sha256:`), "output.tampered checksums.json"},
		{"a forged artifact digest", before, func(dir string) {
			data, _ := os.ReadFile(filepath.Join(dir, "contract.json"))
			i := strings.Index(string(data), `"sha256": "sha256:`) + len(`"sha256": "sha256:`)
			c := byte('0')
			if data[i] == c {
				c = '1'
			}
			put(t, dir, "contract.json", string(data[:i])+string(c)+string(data[i+1:]))
		}, "output.tampered contract.json"},
		{"layout of the root", before, swap("contract.json", "\n", "\n\n"), "output.tampered contract.json"},
		{"no JSON", before, swap("checksums.json", "{", "<<<<"), "output.tampered checksums.json"},
		{"a source listed for removal", before, func(dir string) {
			put(t, dir, "schemas/a.json", "{}")
			swap("checksums.json", `"files": {`, `"files": {"schemas/a.json": "`+closure.Digest([]byte("{}"))+`",`)(dir)
		}, "output.tampered checksums.json"},
		{"a symbolic link", before, func(dir string) {
			os.Rename(filepath.Join(dir, "go/a.go"), filepath.Join(dir, "go/b.go"))
			os.Symlink("b.go", filepath.Join(dir, "go/a.go"))
		}, "output.symlink go/a.go"},
		{"a linked folder", before, func(dir string) {
			outside := t.TempDir()
			os.RemoveAll(filepath.Join(dir, "artifacts"))
			os.Symlink(outside, filepath.Join(dir, "artifacts"))
		}, "output.symlink artifacts/c/b.json"},
		{"a folder", before, func(dir string) {
			os.Remove(filepath.Join(dir, "go/a.go"))
			os.Mkdir(filepath.Join(dir, "go/a.go"), 0o755)
		}, "output.not-a-file go/a.go"},
		{"a file for a folder", before, func(dir string) {
			os.RemoveAll(filepath.Join(dir, "artifacts"))
			put(t, dir, "artifacts", "")
		}, "output.not-a-folder artifacts/c/b.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			applySet(t, setOf(t, before), dir)
			tt.change(dir)
			var got []string
			for _, d := range compare(t, setOf(t, tt.files), dir).Diagnostics() {
				got = append(got, d.Code+" "+d.Pos.File)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func TestApply(t *testing.T) {
	dir := t.TempDir()
	applySet(t, setOf(t, before), dir)
	put(t, dir, "go/gone/mine.go", "mine\n")
	same := filepath.Join(dir, "go/same.go")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(same, old, old); err != nil {
		t.Fatal(err)
	}
	set := setOf(t, after)
	applySet(t, set, dir)
	got := tree(t, dir)
	if got["go/gone/mine.go"] != "mine\n" || got["go/new/deep/n.go"] != "n\n" {
		t.Errorf("tree: %v", got)
	}
	if _, there := got["go/gone/old.go"]; there {
		t.Error("the orphan is still there")
	}
	if info, err := os.Stat(same); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("an equal file was touched: %v", err)
	}
	os.Remove(filepath.Join(dir, "go/gone/mine.go"))
	applySet(t, setOf(t, before), dir)
	if _, there := tree(t, dir)["go/new/"]; there {
		t.Error("a folder that a run made and emptied is still there")
	}
}

func TestApplyLeavesEditedFiles(t *testing.T) {
	dir := t.TempDir()
	applySet(t, setOf(t, before), dir)
	put(t, dir, "go/a.go", "mine\n")
	put(t, dir, "go/gone/old.go", "mine\n")
	was := tree(t, dir)
	set := setOf(t, after)
	_, err := Apply(t.Context(), compare(t, set, dir), Options{})
	if list, ok := errors.AsType[diag.List](err); !ok || len(list) != 2 || list[0].Code != "output.hand-edited" || list[1].Code != "output.hand-edited" {
		t.Errorf("apply: %v", err)
	}
	if d := cmp.Diff(was, tree(t, dir)); d != "" {
		t.Errorf("something was written:\n%s", d)
	}
	if _, err := Apply(t.Context(), compare(t, set, dir), Options{Force: true}); err != nil {
		t.Errorf("apply with force: %v", err)
	}
	if p := compare(t, set, dir); !p.Clean() {
		t.Errorf("not clean after force: %v", p.Diagnostics())
	}
}

// faultyDisk fails at one step, or dies there: nothing after it happens.
type faultyDisk struct {
	disk
	left int  // steps until the fault
	dies bool // die instead of fail
}

type death struct{}

var errFull = fmt.Errorf("write: %w", syscall.ENOSPC)

func (f *faultyDisk) step() error {
	if f.left--; f.left != 0 {
		return nil
	}
	if f.dies {
		panic(death{})
	}
	return errFull
}

func (f *faultyDisk) create(name string, data []byte) error {
	if f.left == 1 { // the disk fills up, or the power fails, in the middle of a write
		if err := f.disk.create(name, data[:len(data)/2]); err != nil {
			return err
		}
	}
	if err := f.step(); err != nil {
		return err
	}
	return f.disk.create(name, data)
}

func (f *faultyDisk) rename(from, to string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.disk.rename(from, to)
}

func (f *faultyDisk) link(from, to string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.disk.link(from, to)
}

func (f *faultyDisk) remove(name string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.disk.remove(name)
}

func (f *faultyDisk) mkdir(name string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.disk.mkdir(name)
}

func (f *faultyDisk) sync(folder string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.disk.sync(folder)
}

// At whatever step a run fails or dies, the tree is the old or the new one: right
// away when it failed, after recovery when it died.
func TestFaultAtEveryStep(t *testing.T) {
	for _, dies := range []bool{false, true} {
		for _, noLinks := range []bool{false, true} {
			t.Run(fmt.Sprintf("dies=%v,links=%v", dies, !noLinks), func(t *testing.T) {
				steps := 0
				for n := 1; ; n++ {
					if !faultAt(t, n, dies, noLinks) {
						break
					}
					steps = n
				}
				if steps < 30 {
					t.Errorf("only %d steps", steps)
				}
			})
		}
	}
}

// noLinkDisk is a file system without hard links.
type noLinkDisk struct{ disk }

func (noLinkDisk) link(string, string) error { return syscall.EPERM }

func faultAt(t *testing.T, n int, dies, noLinks bool) (reached bool) {
	dir := t.TempDir()
	oldSet, newSet := setOf(t, before), setOf(t, after)
	applySet(t, oldSet, dir)
	oldTree := tree(t, dir)
	newDir := t.TempDir()
	applySet(t, newSet, newDir)
	newTree := tree(t, newDir)
	for _, tr := range []map[string]string{oldTree, newTree} {
		maps.DeleteFunc(tr, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	}

	top, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer top.Close()
	var real disk = rootDisk{top}
	if noLinks {
		real = noLinkDisk{real}
	}
	faulty := &faultyDisk{disk: real, left: n, dies: dies}
	func() {
		defer func() {
			if p := recover(); p != nil {
				if _, ok := p.(death); !ok {
					panic(p)
				}
			}
		}()
		// One file at a time and on this goroutine, so that steps can be counted.
		_, err = apply(t.Context(), faulty, compare(t, newSet, dir), Options{}, 1)
	}()
	reached = faulty.left <= 0
	if !reached {
		if err != nil {
			t.Fatalf("step %d: no fault, and yet %v", n, err)
		}
		return false
	}
	_, journalErr := top.Lstat(journalFile)
	pending := journalErr == nil
	is := func() string {
		now := tree(t, dir)
		// An empty folder that could not be removed does no harm.
		maps.DeleteFunc(now, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
		switch {
		case maps.Equal(now, oldTree):
			return "old"
		case maps.Equal(now, newTree):
			return "new"
		default:
			return cmp.Diff(oldTree, now)
		}
	}
	if p := compare(t, newSet, dir); p.Interrupted != pending {
		t.Errorf("step %d: interrupted is %v, but a journal is there: %v", n, p.Interrupted, pending)
	}
	if state := is(); !pending && state != "old" && state != "new" {
		t.Errorf("step %d: no journal, and the tree is neither old nor new:\n%s", n, state)
	}
	// The next run recovers, even when it dies once more in the middle of it.
	for again := 1; again < 4; again++ {
		func() {
			defer func() { _ = recover() }()
			_ = recoverTree(&faultyDisk{disk: real, left: again, dies: true})
		}()
	}
	if err := recoverTree(real); err != nil {
		t.Errorf("step %d: recovery: %v", n, err)
	}
	if state := is(); state != "old" && state != "new" {
		t.Errorf("step %d: after recovery the tree is neither old nor new:\n%s", n, state)
	}
	applySet(t, newSet, dir)
	if state := is(); state != "new" {
		t.Errorf("step %d: the next run did not finish the job: %s", n, state)
	}
	return true
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	applySet(t, setOf(t, before), dir)
	was := tree(t, dir)
	if err := os.Chmod(filepath.Join(dir, "go"), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "go"), 0o755)
	if _, err := Apply(t.Context(), compare(t, setOf(t, after), dir), Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("apply: %v", err)
	}
	if d := cmp.Diff(was, tree(t, dir)); d != "" {
		t.Errorf("something was written:\n%s", d)
	}
}

func TestNoSymlinkIsFollowed(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "go")); err != nil {
		t.Skip(err)
	}
	_, err := Apply(t.Context(), compare(t, setOf(t, before), dir), Options{Force: true})
	if list, ok := errors.AsType[diag.List](err); !ok || list[0].Code != "output.symlink" {
		t.Errorf("apply: %v", err)
	}
	if got := tree(t, outside); len(got) > 1 {
		t.Errorf("written outside: %v", got)
	}
	// The state folder may be a trap as well.
	dir = t.TempDir()
	os.Symlink(outside, filepath.Join(dir, stateDir))
	if _, err := Apply(t.Context(), compare(t, setOf(t, before), dir), Options{}); err == nil {
		t.Error("a linked state folder was used")
	}
	if got := tree(t, outside); len(got) > 1 {
		t.Errorf("written outside: %v", got)
	}
}

func TestHostileJournal(t *testing.T) {
	for _, text := range []string{
		`{"formatVersion":1,"phase":"commit","writes":[{"path":"../x","old":"","new":"y"}],"removes":[],"folders":[]}`,
		`{"formatVersion":1,"phase":"rollback","writes":[],"removes":[],"folders":["../x"]}`,
		`{"formatVersion":1,"phase":"dance","writes":[],"removes":[],"folders":[]}`,
		`{`, ``, `null`,
	} {
		dir := t.TempDir()
		put(t, dir, journalFile, text)
		if _, err := Apply(t.Context(), compare(t, setOf(t, before), dir), Options{}); err == nil {
			t.Errorf("the journal %s was accepted", text)
		}
	}
}

func TestTwoRunsAtOnce(t *testing.T) {
	dir := t.TempDir()
	sets := []*closure.Set{setOf(t, before), setOf(t, before), setOf(t, before)}
	var wg sync.WaitGroup
	for _, set := range sets {
		p := compare(t, set, dir)
		wg.Go(func() {
			if _, err := Apply(t.Context(), p, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if p := compare(t, sets[0], dir); !p.Clean() {
		t.Errorf("not clean: %v", p.Diagnostics())
	}
}

// big is a set whose writing takes long enough to be killed in the middle.
func big(t testing.TB, version string) *closure.Set {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("go/f%03d/f.go", i)] = strings.Repeat(version+"\n", 1000)
	}
	return setOf(t, files)
}

// TestChild is the body of the process that TestKill kills.
func TestChild(t *testing.T) {
	dir := os.Getenv("OUTPUT_TEST_DIR")
	if dir == "" {
		t.Skip("only for TestKill")
	}
	set := big(t, "new")
	p := compare(t, set, dir)
	fmt.Println("ready")
	if _, err := Apply(t.Context(), p, Options{}); err != nil {
		t.Fatal(err)
	}
}

func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	oldSet, newSet := big(t, "old"), big(t, "new")
	interrupted := 0
	for _, wait := range []time.Duration{2, 15, 60, 150, 300} {
		dir := t.TempDir()
		applySet(t, oldSet, dir)
		cmd := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
		cmd.Env = append(os.Environ(), "OUTPUT_TEST_DIR="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var line []byte
		for buf := make([]byte, 1); !strings.Contains(string(line), "ready"); line = append(line, buf...) {
			if _, err := out.Read(buf); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(wait * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		p := compare(t, newSet, dir)
		if p.Interrupted {
			interrupted++
		} else if !p.Clean() && !compare(t, oldSet, dir).Clean() {
			t.Errorf("%v: no journal, and the tree is neither old nor new", wait)
		}
		applySet(t, newSet, dir)
		for name := range tree(t, dir) {
			if strings.Contains(name, ".contracts-") {
				t.Errorf("%v: left over: %s", wait, name)
			}
		}
	}
	t.Logf("%d runs were cut in the middle", interrupted)
}

func TestUnified(t *testing.T) {
	text, line := unified("x", []byte("a\nb\x1b[31m\xff\n"), []byte("a\nc\n"))
	if line != 2 || strings.Contains(text, "\x1b") || strings.Contains(text, "\xff") || !strings.Contains(text, `-b\u{1b}[31m\xff`) || !strings.Contains(text, "+c\n") {
		t.Errorf("line %d:\n%s", line, text)
	}
	var lines []string
	for i := range 10_000 {
		lines = append(lines, fmt.Sprint(i))
	}
	slices.Reverse(lines)
	text, _ = unified("x", []byte(strings.Join(lines, "\n")), []byte(strings.Repeat("y", 10_000_0)))
	if n := strings.Count(text, "\n"); n > maxDiffLines+1 || len(text) > 200_000 {
		t.Errorf("the diff has %d lines and %d bytes", n, len(text))
	}
}
