package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// On a terminal, author asks for what the options leave open.
func TestAuthorAsks(t *testing.T) {
	for name, tt := range map[string]struct {
		args, answers string
		code          int
		stderr        string
		manifest      []string
	}{
		"everything": {"pack author --skip-validate", "Notes\nnotes\n\n review , task\nread\n\n**\nnotes/**\nget\nnotes:fetch\nhttps://a.example/x\n\n", 0,
			`"Notes" cannot be a pack's id`, []string{"version: 0.1.0", "- review", "name: notes:read", "pattern: 'notes/**'", "name: notes:fetch", "- a.example:443"}},
		"only the tool":     {"pack author --skip-validate --id notes --version 1.2.3 --task-type t", "shell\nwrite\nnotes:w\nnotes/*.md\n\n", 0, "answer read, write or get", []string{"version: 1.2.3", "permission: write"}},
		"only the id":       {"pack author --skip-validate --version 1.0.0 --task-type t --read r=notes/*", "notes", 0, "Id of the pack", []string{"name: r"}},
		"nobody answers":    {"pack author", "", 2, "were not answered", nil},
		"half an answer":    {"pack author", "notes\n1.0.0\nt\nread\n", 2, "were not answered", nil},
		"a bad last answer": {"pack author", "No Good", 2, "cannot be a pack's id", nil},
	} {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		env := &Env{Dir: dir, Stdin: strings.NewReader(tt.answers), StdinIsTerminal: true, Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		if code := Main(strings.Fields(tt.args), env); code != tt.code || !strings.Contains(errs.String(), tt.stderr) {
			t.Errorf("%s: exit status %d\n%s%s", name, code, out.String(), errs.String())
		}
		text, _ := os.ReadFile(filepath.Join(dir, "packs", "notes", "manifest.yaml"))
		for _, want := range tt.manifest {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: the manifest has no %q:\n%s", name, want, text)
			}
		}
		if tt.code != 0 && text != nil {
			t.Errorf("%s: something was written", name)
		}
	}
}
