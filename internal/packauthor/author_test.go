package packauthor

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

func header() Header {
	h := Header{ID: "notes", Version: "1.0.0", TaskTypes: []string{"task"}}
	h.Fill()
	return h
}

func spec() Spec {
	return Spec{Templates: []Template{
		{TemplateID: WriteText, ToolName: "notes:write", ScopePattern: "notes/**"},
		{TemplateID: ReadText, ToolName: "notes:read", ScopePattern: "notes/{a,b}*.md"},
		{TemplateID: GetJSON, ToolName: "notes:get", AllowedURLs: []string{"https://[::1]/x", "https://A.example:8443/y", "https://b.example"}},
	}}
}

// Whatever names are valid, the manifest is, and every check passes but the host's word.
func TestGeneratedPacksAreValid(t *testing.T) {
	for _, h := range []Header{
		header(),
		{ID: "true", Version: "1.0.0-rc.1+b", PublisherID: "no", PublisherName: "O'Neil: \"x\" #\t\u2028\u0085\u2029\u007f\ufeffé", KernelRange: ">=5.0.0 <8 || 9.x", HostRange: "*", TaskTypes: []string{"- a", "b: c", "null", "1.5", "{x}"}},
		{ID: "n", Version: "10.20.30", PublisherID: "1.0", PublisherName: "@x", KernelRange: "6.0.0 - 7", HostRange: "~1", TaskTypes: []string{" x "}},
	} {
		author, faults := Author(h, spec())
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		scaffold, faults := Scaffold(h, []string{"a", "b:c-d-", "x1:y"})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		for i, files := range [][]File{author, scaffold} {
			dir, err := Write(t.TempDir(), h.ID, files, false)
			if err != nil {
				t.Fatal(err)
			}
			r, err := inspect.Pack(dir, inspect.Options{Host: pack.Host{Kernel: "6.0.0", Host: "1.0.0"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range r.Checks {
				for _, d := range c.Diagnostics {
					if d.Code != pack.CodeTrustAdapterUnregistered && d.Code != pack.CodeHostIncompatible {
						t.Errorf("%s, %d: %v", h.ID, i, d)
					}
				}
			}
			doc, _ := inspect.ReadManifest(dir, "").Manifest().Document()
			if doc.Publisher.Name != h.PublisherName || doc.Publisher.ID != h.PublisherID || i == 1 && !slices.Equal(doc.TaskTypes, h.TaskTypes) {
				t.Errorf("%+v, %q; want %+v", doc.Publisher, doc.TaskTypes, h)
			}
		}
	}
}

func TestHostPort(t *testing.T) {
	for in, want := range map[string]string{"https://[::1]/x": "[::1]:443", "https://A.example:8443/y": "a.example:8443", "https://b.example": "b.example:443"} {
		if got := hostPort(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// Write makes all of a pack or nothing, and takes the place of packs only.
func TestWrite(t *testing.T) {
	out := t.TempDir()
	files, _ := Scaffold(header(), []string{"a"})
	if _, err := Write(out, "notes", files, false); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(out, "notes", files, false); err == nil {
		t.Error("an existing folder is written to")
	}
	stale := filepath.Join(out, "notes", "stale")
	os.WriteFile(stale, nil, 0o644)
	if _, err := Write(out, "notes", files, true); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the old pack is still there")
	}
	os.Symlink("notes", filepath.Join(out, "link"))
	os.Mkdir(filepath.Join(out, "other"), 0o755)
	for _, id := range []string{"link", "other"} {
		if _, err := Write(out, id, files, true); err == nil {
			t.Errorf("%s is replaced", id)
		}
	}
	if _, err := Write(out, "bad", []File{{"../evil", []byte("x")}}, false); err == nil {
		t.Error("a file was written outside")
	}
	if _, err := os.Stat(filepath.Join(out, "bad")); err == nil {
		t.Error("half a pack is left")
	}
	list, _ := os.ReadDir(out)
	if len(list) != 3 {
		t.Errorf("%v", list)
	}
}

var (
	interfaces  = regexp.MustCompile(`(?s)interface \w+ \{.*?\n\}\n`)
	signatures  = regexp.MustCompile(`(?m)^(?:export )?(?:async )?function .*$|^ *const \w+: .*$`)
	annotations = regexp.MustCompile(`: (?:\{ [^}]*\}|Promise<[^>]*>|readonly string\[\]|Uint8Array\[\]|\w+(?:\[\])?)(?: \| undefined)?([,)= ])`)
)

// javascript takes the types out of what our templates hold, and of nothing else.
func javascript(ts string) string {
	ts = interfaces.ReplaceAllString(ts, "")
	return signatures.ReplaceAllStringFunc(ts, func(line string) string {
		head, tail, _ := strings.Cut(line, " = ")
		if strings.Contains(line, "function") {
			head, tail = line, ""
		} else {
			head, tail = head+" ", "= "+tail
		}
		return annotations.ReplaceAllString(head, "$1") + tail
	})
}

// The generated handlers use what their pattern and the call's scopes both cover.
func TestHandlers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node: the generated handlers are not run")
	}
	files, faults := Author(header(), spec())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	dir, workspace := t.TempDir(), t.TempDir()
	for _, f := range files {
		if base, isCode := strings.CutPrefix(f.Path, "tool-impl/"); isCode {
			os.WriteFile(filepath.Join(dir, strings.TrimSuffix(base, ".ts")+".mjs"), []byte(javascript(string(f.Data))), 0o644)
		}
	}
	for name, text := range map[string]string{"notes/a.md": "A", "notes/b1.md": "B", "notes/c.md": "C", "notes/a/x.md": "X", "notes-private/a.md": "P", "notes/.a.md": "H", "secret": "S",
		"notes/big.md": strings.Repeat("x", 200_000)} {
		file := filepath.Join(workspace, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		os.WriteFile(file, []byte(text), 0o644)
	}
	os.Symlink("../secret", filepath.Join(workspace, "notes", "a-link.md"))
	os.Symlink("/tmp", filepath.Join(workspace, "notes", "out"))
	const program = `
import { notesReadTool } from './notes-read.mjs';
import { notesWriteTool } from './notes-write.mjs';
import { notesGetTool } from './notes-get.mjs';
const [workspace_root, calls] = [process.argv[2], JSON.parse(process.argv[3])];
const answers = [];
for (const [tool, input, scopes] of calls) {
  const f = { read: notesReadTool, write: notesWriteTool, get: notesGetTool }[tool];
  try {
    const out = await f(input, { workspace_root, allowed_scopes: scopes });
    answers.push(out.success ? String(out.data.content ?? out.data.bytes_written) : out.error.code);
  } catch (e) { answers.push('throws ' + e.message); }
}
console.log(JSON.stringify(answers));
`
	os.WriteFile(filepath.Join(dir, "main.mjs"), []byte(program), 0o644)
	read := []any{map[string]any{"type": "path", "pattern": "notes/**", "access": "read"}}
	write := []any{map[string]any{"type": "path", "pattern": "notes/**", "access": "write"}}
	narrow := []any{map[string]any{"type": "path", "pattern": "notes/b*", "access": "read"}}
	path := func(p string) map[string]any { return map[string]any{"path": p, "content": "new"} }
	rows := []struct {
		call []any
		want string
	}{
		{[]any{"read", path("notes/a.md"), read}, "A"},
		{[]any{"read", path("notes/b1.md"), narrow}, "B"},
		{[]any{"read", path("notes/a.md"), narrow}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/a.md"), write}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/a.md"), []any{}}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/c.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/a/x.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/.a.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes-private/a.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/../secret"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes//a.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("/etc/passwd"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/a-link.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/a\\b.md"), read}, "SCOPE_DENIED"},
		{[]any{"read", path("notes/big.md"), []any{map[string]any{"type": "path", "pattern": "**", "access": "read"}}}, "TOO_LARGE"},
		{[]any{"write", path("notes/new.md"), write}, "3"},
		{[]any{"write", path("notes/new2.md"), read}, "SCOPE_DENIED"},
		{[]any{"write", path("notes/out/x"), write}, "SCOPE_DENIED"},
		{[]any{"write", path("notes/a-link.md"), write}, "SCOPE_DENIED"},
		{[]any{"write", path("secret"), []any{map[string]any{"type": "path", "pattern": "**", "access": "write"}}}, "SCOPE_DENIED"},
		{[]any{"get", map[string]any{"url": "https://evil.example/"}, []any{map[string]any{"type": "network", "posture": "full"}}}, "SCOPE_DENIED"},
		{[]any{"get", map[string]any{"url": "https://b.example"}, []any{map[string]any{"type": "network", "posture": "allowlist", "allowlist_entries": []any{"a.example:443"}}}}, "SCOPE_DENIED"},
		{[]any{"get", map[string]any{"url": "https://b.example"}, []any{}}, "SCOPE_DENIED"},
	}
	var calls []any
	for _, r := range rows {
		calls = append(calls, r.call)
	}
	args, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, filepath.Join(dir, "main.mjs"), workspace, string(args)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, r := range rows {
		if got[i] != r.want {
			t.Errorf("%v: %s, want %s", r.call, got[i], r.want)
		}
	}
}
