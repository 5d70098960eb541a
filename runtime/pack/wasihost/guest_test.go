package wasihost

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/glob"
)

// guest and network are the components of the tests, each compiled once.
var (
	guest   = sync.OnceValues(func() ([]byte, error) { return compile("guest") })
	network = sync.OnceValues(func() ([]byte, error) { return compile("network") })
)

func compile(name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "guest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "guest.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./testdata/"+name)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, &buildError{err, string(out)}
	}
	return os.ReadFile(file)
}

type buildError struct {
	err error
	out string
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.out }

func module(t testing.TB) []byte {
	t.Helper()
	data, err := guest()
	if err != nil {
		t.Skipf("go cannot build for wasip1 here: %v", err)
	}
	return data
}

// call is one thing that the guest is asked to do; see testdata/guest.
type call struct {
	Do   string
	Path string `json:",omitempty"`
	To   string `json:",omitempty"`
	Text string `json:",omitempty"`
	N    int    `json:",omitempty"`
}

var shared = sync.OnceValue(func() *Host {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		panic(err)
	}
	h, err := New(Options{Workspace: dir})
	if err != nil {
		panic(err)
	}
	return h
})

// hostAt shares what has been compiled, which takes longer than all calls.
func hostAt(t *testing.T, opt Options) *Host {
	t.Helper()
	if opt.Workspace == "" {
		opt.Workspace = t.TempDir()
	}
	h, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	h.cache = shared().cache
	return h
}

func globs(t *testing.T, patterns ...string) func(string) bool {
	t.Helper()
	var all []glob.Pattern
	for _, p := range patterns {
		g, err := glob.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return func(name string) bool {
		for _, p := range all {
			if p.Match(name) {
				return true
			}
		}
		return false
	}
}

func ask(t *testing.T, calls ...call) component {
	t.Helper()
	nothing := func(string) bool { return false }
	return component{module: module(t), entry: "run", input: input(t, calls...), read: nothing, write: nothing,
		memory: 64 << 20, time: 20 * time.Second, grace: time.Second}
}

// answers runs the component and returns what it says to each call.
func answers(t *testing.T, h *Host, c component) []string {
	t.Helper()
	o := h.run(t.Context(), c)
	if o.termination != pack.Completed {
		t.Fatalf("%s: %s\n%s", o.termination, o.reason, o.stderr)
	}
	var out struct{ Data struct{ Answers []string } }
	if err := json.Unmarshal(o.output, &out); err != nil {
		t.Fatalf("%v: %s", err, o.output)
	}
	return out.Data.Answers
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func refused(answer string) bool { return strings.HasPrefix(answer, "error: ") }
