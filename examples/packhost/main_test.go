package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/packauthor"
	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

func scaffold(t *testing.T, output, id string, tools ...string) string {
	t.Helper()
	h := packauthor.Header{ID: id, Version: "0.1.0", TaskTypes: []string{"task"}}
	h.Fill()
	files, faults := packauthor.Scaffold(h, tools)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	dir, err := packauthor.Write(output, id, files, false)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A scaffolded pack has exactly one failure, that no host vouches for it, and none
// for this host.
func TestVouching(t *testing.T) {
	dir := scaffold(t, t.TempDir(), "my-pack", "my-tool")
	adapters, err := vouch()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		adapters *pack.Registry
		want     []pack.Code
	}{"nobody vouches": {nil, []pack.Code{pack.CodeTrustAdapterUnregistered}}, "this host vouches": {adapters, nil}} {
		r, err := inspect.Pack(dir, inspect.Options{Host: pack.Host{Kernel: kernelVersion, Host: hostVersion, Adapters: tt.adapters}})
		if err != nil {
			t.Fatal(err)
		}
		var got []pack.Code
		for _, c := range r.Checks {
			for _, d := range c.Diagnostics {
				got = append(got, d.Code)
			}
		}
		if len(got) != len(tt.want) || len(got) > 0 && got[0] != tt.want[0] || r.Passed() != (tt.want == nil) || r.Blocked() {
			t.Errorf("%s: %v\n%s", name, got, r.Text())
		}
	}
}

func TestRun(t *testing.T) {
	packs, workspace := t.TempDir(), t.TempDir()
	scaffold(t, packs, "my-pack", "my-tool")
	scaffold(t, packs, "data")
	os.Mkdir(filepath.Join(workspace, "notes"), 0o755)
	os.WriteFile(filepath.Join(workspace, "notes", "hello.md"), []byte("hello"), 0o644)
	os.WriteFile(filepath.Join(workspace, "secret"), []byte("s"), 0o644)
	host := func(more ...string) (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), append([]string{"-packs", packs, "-workspace", workspace}, more...), &out)
		return out.String(), err
	}
	out, err := host("-call", "my-tool", "-input", `{"path": "notes/hello.md"}`)
	if want := "data 0.1.0: passed\nmy-pack 0.1.0: passed\nregistered: [data my-pack]\n{\"content\":\"hello\"}\n"; err != nil || out != want {
		t.Errorf("%v\n%s", err, out)
	}
	for _, path := range []string{"secret", "notes/../secret", "/etc/passwd", "notes/none.md"} {
		if out, err := host("-call", "my-tool", "-input", `{"path": "`+path+`"}`); pack.CodeOf(err) != pack.CodeToolExecutionFailed {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
	if _, err := host("-call", "no-tool"); pack.CodeOf(err) != pack.CodeToolNotFound {
		t.Errorf("%v", err)
	}
	// One pack that nobody vouches for closes the gate for all.
	scaffold(t, packs, "other", "other-tool")
	if out, err := host(); err == nil || !strings.Contains(err.Error(), "PACK_TRUST_ADAPTER_UNREGISTERED") || strings.Contains(out, "registered") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := host("-adapters"); err != nil || out != "- {adapter_id: \"trusted-host-adapter:my-pack\", tier: trusted-host-adapter, pack_id: \"my-pack\"}\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
