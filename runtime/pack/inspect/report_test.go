package inspect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

func TestReportVectors(t *testing.T) {
	var v struct {
		Cases []struct {
			ID     string
			Checks []struct {
				Name   string
				Status Status
				Error  string
			}
			Text    string
			Exit    int  `json:"validate_exit"`
			Blocked bool `json:"author_blocked"`
		}
	}
	vectors(t, "report.json", &v)
	for _, c := range v.Cases {
		r := newReport()
		for i, check := range c.Checks {
			if r.Checks[i].Name != check.Name {
				t.Errorf("%s: check %d is %q, want %q", c.ID, i, r.Checks[i].Name, check.Name)
			}
			r.Checks[i].Status = check.Status
			if check.Error != "" {
				r.Checks[i].Diagnostics = pack.Diagnostics{{Severity: pack.Warning, Message: "a warning"}, {Severity: pack.Error, Message: check.Error}}
			}
		}
		if got := r.Text(); got != c.Text {
			t.Errorf("%s:\n%s\nwant\n%s", c.ID, got, c.Text)
		}
		if r.Passed() != (c.Exit == 0) || r.Blocked() != c.Blocked {
			t.Errorf("%s: passed %v, blocked %v", c.ID, r.Passed(), r.Blocked())
		}
	}
	if len(v.Cases) < 8 {
		t.Errorf("only %d cases", len(v.Cases))
	}
}

const manifest = `id: p
version: 1.0.0
contract_version: 2
publisher: {id: acme, name: Acme}
compatibility: {kernel: ^6.0.0, host: ^6.0.0}
trust_tier: trusted-host-adapter
adapter_id: trusted-host-adapter:p
task_types: [t]
tools:
  - name: p:x
    entry: tool-impl/x.ts#xTool
    permission: read
    required_scopes: [{type: path, pattern: 'data/**', access: read}]
`

func statuses(r *Report) string {
	var out []string
	for _, c := range r.Checks {
		out = append(out, string(c.Status))
		for _, d := range c.Diagnostics {
			out = append(out, string(d.Code))
		}
	}
	return strings.Join(out, " ")
}

func TestPack(t *testing.T) {
	vouched := pack.NewRegistry()
	if err := vouched.Register(pack.Registration{AdapterID: "trusted-host-adapter:p", Tier: pack.TrustedHostAdapter, PackID: "p"}); err != nil {
		t.Fatal(err)
	}
	const code = "export async function xTool() {}\n"
	for name, tt := range map[string]struct {
		files    map[string]string
		link     string // name of a symbolic link to /etc
		adapters *pack.Registry
		opt      Options
		want     string
		hash     bool
	}{
		"vouched for":     {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code}, adapters: vouched, want: "PASS PASS PASS PASS PASS SKIP PASS", hash: true},
		"nobody vouches":  {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code}, want: "PASS PASS PASS PASS PASS SKIP FAIL PACK_TRUST_ADAPTER_UNREGISTERED", hash: true},
		"no manifest":     {files: map[string]string{"tool-impl/x.ts": code}, adapters: vouched, want: "FAIL PACK_MANIFEST_MISSING PASS SKIP SKIP PASS SKIP SKIP", hash: true},
		"bad manifest":    {files: map[string]string{"manifest.yaml": "[]"}, adapters: vouched, want: "FAIL PACK_SCHEMA PASS SKIP SKIP PASS SKIP SKIP", hash: true},
		"huge manifest":   {files: map[string]string{"manifest.yaml": "a: " + strings.Repeat("x", 2<<20)}, adapters: vouched, want: "FAIL PACK_YAML_INVALID PASS SKIP SKIP PASS SKIP SKIP", hash: true},
		"linked manifest": {link: "manifest.yaml", adapters: vouched, want: "FAIL PACK_MANIFEST_UNREADABLE PASS SKIP SKIP FAIL PACK_INTEGRITY_FILE_KIND SKIP SKIP"},
		"no entry":        {files: map[string]string{"manifest.yaml": manifest}, adapters: vouched, want: "PASS PASS FAIL PACK_ENTRY_MISSING PASS PASS SKIP PASS", hash: true},
		"bad import":      {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": "import 'left-pad';\n"}, adapters: vouched, want: "PASS FAIL PACK_IMPORT_BARE PASS PASS PASS SKIP PASS", hash: true},
		"entry is a test": {files: map[string]string{"manifest.yaml": strings.Replace(manifest, "x.ts", "x.test.ts", 1), "tool-impl/x.test.ts": "import 'left-pad';\n"}, adapters: vouched,
			want: "PASS FAIL PACK_IMPORT_BARE PASS PASS PASS SKIP PASS", hash: true},
		"a link":     {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code}, link: "etc", adapters: vouched, want: "PASS PASS PASS PASS FAIL PACK_INTEGRITY_FILE_KIND SKIP PASS"},
		"pin":        {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code}, adapters: vouched, opt: Options{Pin: "sha256:0"}, want: "PASS PASS PASS PASS FAIL PACK_INTEGRITY_MISMATCH SKIP PASS", hash: true},
		"pinned dev": {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code}, adapters: vouched, opt: Options{Pin: "dev"}, want: "PASS PASS PASS PASS PASS SKIP PASS", hash: true},
		"published":  {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code, "README.md": ""}, adapters: vouched, opt: Options{Publish: true, Name: "p"}, want: "PASS PASS PASS PASS PASS PASS PASS", hash: true},
		"no readme":  {files: map[string]string{"manifest.yaml": manifest, "tool-impl/x.ts": code}, adapters: vouched, opt: Options{Publish: true, Name: "p"}, want: "PASS PASS PASS PASS PASS PASS PACK_PUBLISH_README PASS", hash: true},
		"placeholder": {files: map[string]string{"manifest.yaml": strings.NewReplacer("acme", "p", "Acme", "P").Replace(manifest), "tool-impl/x.ts": code, "README.md": ""}, adapters: vouched, opt: Options{Publish: true, Name: "q"},
			want: "PASS PASS PASS PASS PASS FAIL PACK_PUBLISH_PUBLISHER PACK_PUBLISH_ID PASS", hash: true},
		"excluded": {files: map[string]string{"manifest.yaml": strings.Replace(strings.Replace(manifest, "tool-impl", "dist", 1), "1.0.0", "1.0.0+5", 1), "dist/x.ts": code, "README.md": ""}, adapters: vouched,
			opt: Options{Publish: true, Name: "p"}, want: "PASS PASS PASS PASS PASS FAIL PACK_PUBLISH_VERSION PACK_PUBLISH_ENTRY_EXCLUDED PASS", hash: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, tt.files)
			if tt.link != "" {
				if err := os.Symlink("/etc", filepath.Join(dir, tt.link)); err != nil {
					t.Skip(err)
				}
			}
			tt.opt.Host = pack.Host{Kernel: "6.2.1", Host: "6.0.4", Adapters: tt.adapters}
			r, err := Pack(dir, tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if got := statuses(r); got != tt.want || (r.Integrity != "") != tt.hash {
				t.Errorf("%s (%s)\nwant %s\n%s", got, r.Integrity, tt.want, r.Text())
			}
			if (r.Result == "passed") != r.Passed() {
				t.Errorf("result %s", r.Result)
			}
		})
	}
}

// Diagnostics by the thousand do not have the manifest read once for each: that
// would take minutes.
func TestManyFindings(t *testing.T) {
	var text strings.Builder
	text.WriteString(strings.Split(manifest, "tools:")[0] + "tools:\n")
	for i := range 4000 {
		fmt.Fprintf(&text, " - {name: t%d, entry: x.ts, required_scopes: [{type: path, pattern: '[', access: read}]}\n", i)
	}
	dir := write(t, map[string]string{"manifest.yaml": text.String()})
	start := time.Now()
	r, err := Pack(dir, Options{Host: pack.Host{Kernel: "6.2.1", Host: "6.0.4"}})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 150*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, c := range r.Checks {
		if id := c.ID; (id == CheckEntries || id == CheckLint) && (len(c.Diagnostics) != 4000 || c.Diagnostics[3999].Line != strings.Count(text.String(), "\n")) {
			t.Errorf("%s: %d diagnostics", id, len(c.Diagnostics))
		}
	}
}

// What a pack calls itself gives no orders to a terminal.
func TestTextIsPlain(t *testing.T) {
	r := newReport()
	r.Checks[0].Status = Fail
	r.Checks[0].Diagnostics = pack.Diagnostics{{Severity: pack.Error, Message: "a\x1b[2J\r\u202eb\u009b"}}
	if strings.ContainsAny(r.Text(), "\x1b\r\u202e\u009b") {
		t.Errorf("%q", r.Text())
	}
}
