package wasihost

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/pack"
)

const boxManifest = `id: box
version: 1.0.0
contract_version: 2
publisher: {id: acme, name: Acme}
compatibility: {kernel: ^6.0.0, host: ^6.0.0}
trust_tier: isolated
adapter_id: isolated:box
capabilities:
  filesystem: {read: ['data/**', 'private/**'], write: ['out/**']}
  network: {posture: %s}
  env: [BOX_GREETING]
  memory: {limit_mb: 64}
  cpu: {time_limit_ms: 20000}
  cancellation: {grace_period_ms: 100}
task_types: [t]
tools:
  - name: box:do
    entry: %s
    permission: write
    required_scopes:
      - {type: path, pattern: 'data/**', access: read}
      - {type: path, pattern: 'out/**', access: write}
    input_schema: {type: object, additionalProperties: true}
`

// kernelWith registers the pack box with the tests' component and returns a kernel
// whose isolated host is h.
func kernelWith(t *testing.T, h pack.IsolatedHost, entry, network string, handle any) *pack.Kernel {
	t.Helper()
	files := map[string][]byte{"box.wasm": module(t), "echo.wasm": []byte("no module")}
	return kernelOf(t, h, fmt.Sprintf(boxManifest, network, entry), files, handle)
}

func kernelOf(t *testing.T, h pack.IsolatedHost, manifest string, files map[string][]byte, handle any) *pack.Kernel {
	t.Helper()
	root := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	adapters := pack.NewRegistry()
	if err := adapters.Register(pack.Registration{AdapterID: "isolated:box", Tier: pack.Isolated, PackID: "box", Handle: handle}); err != nil {
		t.Fatal(err)
	}
	k, err := pack.NewKernel(pack.Config{Host: pack.Host{Kernel: "6.2.1", Host: "6.0.4", Adapters: adapters}, Isolated: h})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Register([]pack.Installed{{Parsed: pack.ParseManifest("manifest.yaml", []byte(manifest)), Root: root}}, nil); err != nil {
		t.Fatal(err)
	}
	return k
}

// layers grant less than the capabilities in one place and more in another.
var layers = pack.Layers{
	Workspace: []pack.Scope{pack.PathScope("read", "**"), pack.PathScope("write", "**")},
	Lane:      []pack.Scope{pack.PathScope("read", "**"), pack.PathScope("write", "**")},
	Task:      []pack.Scope{pack.PathScope("read", "**"), pack.PathScope("write", "**")},
}

// input is a call's input that asks the guest for calls.
func input(t *testing.T, calls ...call) []byte {
	t.Helper()
	data, err := json.Marshal(map[string]any{"calls": calls})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDispatch(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"data/a.txt": "A", "private/p.txt": "P"})
	h := hostAt(t, Options{Workspace: dir, LookupEnv: func(name string) (string, bool) { return "hello", name == "BOX_GREETING" }})
	k := kernelWith(t, h, "box.wasm#do", "off", nil)
	// private is in the capabilities and in no scope of the tool; out is in both.
	in := input(t, call{Do: "read", Path: "data/a.txt"}, call{Do: "read", Path: "private/p.txt"}, call{Do: "mkdir", Path: "out"},
		call{Do: "write", Path: "out/x", Text: "X"}, call{Do: "env"}, call{Do: "args"})
	out, err := k.Dispatch(t.Context(), pack.Call{Tool: "box:do", Input: in, Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	var data struct{ Answers []string }
	if err := json.Unmarshal(out.Data, &data); err != nil || !out.Success {
		t.Fatalf("%v: %s", err, out.Data)
	}
	got := data.Answers
	if len(got) != 6 || got[0] != "A" || !refused(got[1]) || got[3] != "ok" || got[4] != "BOX_GREETING=hello" || got[5] != "do" {
		t.Errorf("%q", got)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "out", "x")); err != nil || string(data) != "X" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestDispatchRefusals(t *testing.T) {
	sum := fmt.Sprintf("sha256:%x", sha256.Sum256(module(t)))
	for name, tt := range map[string]struct {
		entry, network string
		handle         any
		opt            Options
		calls          []call
		code           pack.Code
		words          string
	}{
		"pinned":              {entry: "box.wasm", handle: Pins{"box.wasm": sum}},
		"pinned to another":   {entry: "box.wasm", handle: Pins{"box.wasm": "sha256:00"}, code: pack.CodeToolExecutionFailed, words: "vouches for"},
		"not among the pins":  {entry: "box.wasm", handle: Pins{}, code: pack.CodeToolExecutionFailed, words: "vouches for"},
		"no module":           {entry: "echo.wasm", code: pack.CodeToolExecutionFailed, words: "no module"},
		"no file":             {entry: "none.wasm", code: pack.CodeToolExecutionFailed, words: "cannot be read"},
		"outside":             {entry: "../box.wasm", code: pack.CodeToolExecutionFailed, words: "cannot be read"},
		"memory":              {entry: "box.wasm", opt: Options{MaxMemoryMB: 32}, calls: []call{{Do: "allocate", N: 60}}, code: pack.CodeIsolatedMemoryLimit, words: "bytes of memory"},
		"failure":             {entry: "box.wasm", calls: []call{{Do: "exit", N: 9}}, code: pack.CodeToolExecutionFailed, words: "exit status 9"},
		"no output":           {entry: "box.wasm", calls: []call{{Do: "exit"}}, code: pack.CodeInvalidOutput, words: "malformed"},
		"long output":         {entry: "box.wasm", opt: Options{MaxOutput: 100}, calls: []call{{Do: "print", N: 101}}, code: pack.CodeInvalidOutput, words: "100 bytes"},
		"network":             {entry: "box.wasm", network: "allowlist, allowlist_entries: ['a.example:443']", code: ""},
		"network off is fine": {entry: "box.wasm", opt: Options{RefuseNetwork: true}},
	} {
		if tt.network == "" {
			tt.network = "off"
		}
		k := kernelWith(t, hostAt(t, tt.opt), tt.entry, tt.network, tt.handle)
		_, err := k.Dispatch(t.Context(), pack.Call{Tool: "box:do", Input: input(t, tt.calls...), Layers: layers})
		if pack.CodeOf(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	// Without a host nothing runs.
	if _, err := kernelWith(t, nil, "box.wasm", "off", nil).Dispatch(t.Context(), pack.Call{Tool: "box:do", Input: input(t), Layers: layers}); pack.CodeOf(err) != pack.CodeIsolatedHostUnavailable {
		t.Errorf("no host: %v", err)
	}
}

func TestParseOutput(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"success":true}`: true, `{"success":true,"data":[1e400],"metadata":{}}`: true,
		`{"success":false,"error":{"code":"c","message":"m","details":1}}`: true,
		``: false, `[]`: false, `{}`: false, `{"success":1}`: false, `{"success":true} {}`: false, `{"success":true,"success":false}`: false,
		`{"success":true,"authority":{}}`: false, `{"success":null}`: false, "{\"success\":true,\"data\":\"\xff\"}": false,
	} {
		if out, err := parseOutput([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %+v, %v", text, out, err)
		}
	}
}
