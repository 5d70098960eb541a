package inspect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/pack"
)

// toolJSON is a tool as manifests and vectors spell it.
type toolJSON struct {
	Name, Entry, Permission string
	Scopes                  []pack.Scope    `json:"required_scopes"`
	Input                   json.RawMessage `json:"input_schema"`
	Output                  json.RawMessage `json:"output_schema"`
}

func (t toolJSON) spec() pack.ToolSpec {
	return pack.ToolSpec{Name: t.Name, Entry: t.Entry, Permission: t.Permission, Scopes: t.Scopes, InputSchema: t.Input, OutputSchema: t.Output}
}

func codeSet(l pack.Diagnostics) []string {
	var out []string
	for _, d := range l {
		out = append(out, string(d.Code))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestLintVectors(t *testing.T) {
	var v struct {
		Cases []struct {
			ID    string
			Tool  toolJSON
			Codes []string
		}
	}
	vectors(t, "lint.json", &v)
	for _, c := range v.Cases {
		slices.Sort(c.Codes)
		if got := codeSet(LintTool("", c.Tool.spec())); !slices.Equal(got, c.Codes) {
			t.Errorf("%s: %v, want %v", c.ID, got, c.Codes)
		}
	}
	if len(v.Cases) < 30 {
		t.Errorf("only %d cases", len(v.Cases))
	}
}

func TestLintTool(t *testing.T) {
	deep := `{"type":"string"}`
	for range 12 {
		deep = `{"type":"object","properties":{"a":` + deep + `}}`
	}
	for _, tt := range []struct{ tool, want string }{
		{`{"permission":"write","required_scopes":[{"type":"path","access":"write","pattern":".lumenflow/**"}]}`, "PACK_LINT_RESERVED_SCOPE"},
		{`{"permission":"write","required_scopes":[{"type":"path","access":"write","pattern":"./{a,.lumenflow}/x"}]}`, "PACK_LINT_RESERVED_SCOPE"},
		{`{"permission":"write","required_scopes":[{"type":"path","access":"write","pattern":".lumen*/x"}]}`, "PACK_LINT_RESERVED_SCOPE"},
		{`{"permission":"write","required_scopes":[{"type":"path","access":"write","pattern":"**/.lumenflow"}]}`, "PACK_LINT_RESERVED_SCOPE"},
		{`{"permission":"write","required_scopes":[{"type":"path","access":"write","pattern":"a/.lumenflow/x"}]}`, ""},
		{`{"permission":"read","required_scopes":[{"type":"path","access":"read","pattern":".lumenflow/x"}]}`, ""},
		{`{"permission":"read","required_scopes":[{"type":"path","access":"read","pattern":"a[bc]/x"}]}`, "PACK_LINT_GLOB_UNSUPPORTED"},
		{`{"permission":"read","required_scopes":[{"type":"path","access":"read","pattern":"/etc/**"}]}`, "PACK_LINT_GLOB_UNSUPPORTED"},
		{`{"permission":"read","required_scopes":[{"type":"network","posture":"off","allowlist_entries":["a;reboot:443"]}]}`, "PACK_LINT_ALLOWLIST_ENTRY"},
		{`{"permission":"read","required_scopes":[{"type":"network","posture":"off","allowlist_entries":["a.example:443","[::1]:1","10.0.0.0/8"]}]}`, ""},
		{`{"permission":"read","input_schema":{"anyOf":[]}}`, "PACK_LINT_SCHEMA_UNSUPPORTED"},
		{`{"permission":"read","output_schema":{"properties":{"a":{"type":"null"}}}}`, "PACK_LINT_SCHEMA_UNSUPPORTED"},
		{`{"permission":"read","output_schema":{"properties":{"a":{"type":"array"}}}}`, "PACK_LINT_SCHEMA_UNSUPPORTED"},
		{`{"permission":"read","output_schema":{"properties":{"a":{"enum":[]}}}}`, "PACK_LINT_SCHEMA_UNSUPPORTED"},
		{`{"permission":"read","output_schema":` + deep + `}`, "PACK_LINT_SCHEMA_UNSUPPORTED"},
		{`{"permission":"read","input_schema":{"properties":{"url":{"const":"https://a.example:99999999999/"}}},"required_scopes":[{"type":"network","posture":"full"}]}`, "PACK_LINT_NETWORK_URL_INVALID"},
		{`{"permission":"read","input_schema":{"properties":{"url":{"const":"https:///x"}}},"required_scopes":[{"type":"network","posture":"full"}]}`, "PACK_LINT_NETWORK_URL_INVALID"},
		{`{"permission":"read","input_schema":{"properties":{"url":{"const":"HTTPS://a.example"}}},"required_scopes":[{"type":"network","posture":"full"}]}`, ""},
	} {
		var tool toolJSON
		if err := json.Unmarshal([]byte(tt.tool), &tool); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(codeSet(LintTool("", tool.spec())), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.tool, got, tt.want)
		}
	}
}

// The lint of a whole manifest knows its places, says each thing once a tool, and
// looks at contract v1 as well.
func TestLint(t *testing.T) {
	const text = `id: p
version: 1.0.0
contract_version: 2
publisher: {id: acme, name: Acme}
compatibility: {kernel: ^6.0.0, host: ^6.0.0}
trust_tier: isolated
adapter_id: isolated:p
config_key: policies
capabilities:
  filesystem: {read: ['a/**'], write: ['**']}
  memory: {limit_mb: 1}
  cpu: {time_limit_ms: 1}
task_types: [t]
tools:
  - name: p:x
    entry: a.wasm
    permission: read
    required_scopes:
      - {type: path, pattern: ../x, access: read}
      - {type: path, pattern: ../x, access: read}
`
	p := pack.ParseManifest("manifest.yaml", []byte(text))
	if !p.Accepted() {
		t.Fatal(p.Diagnostics)
	}
	var got []string
	for _, d := range Lint(p) {
		got = append(got, fmt.Sprintf("%s %s %d", d.Code, d.Path, d.Line))
	}
	want := []string{"PACK_LINT_SCOPE_UNSAFE /tools/0/required_scopes/0/pattern 19", "PACK_LINT_CONFIG_KEY_RESERVED /config_key 8",
		"PACK_LINT_CAPABILITY_BROAD_WRITE /capabilities/filesystem/write/0 10"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	old := pack.ParseManifest("manifest.yaml", []byte("id: p\nversion: 1.0.0\ntask_types: [t]\npolicies: []\ntools:\n  - {name: x, entry: a.ts, permission: write, required_scopes: [{type: path, pattern: '**', access: write}]}\n"))
	if got := codeSet(Lint(old)); !slices.Equal(got, []string{"PACK_LINT_SCOPE_BROAD_WRITE"}) {
		t.Errorf("contract v1: %v (%v)", got, old.Diagnostics)
	}
}
