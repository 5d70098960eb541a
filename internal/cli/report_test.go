package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
)

// Colour is for terminals, and not for those who said NO_COLOR.
func TestColour(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"contracts.yaml": "version: 1\ncontracts:\n  - {name: shop, schemas: s}\ntargets:\n  - {use: bundle, out: a}\n",
		"s/order.json":   `{"type": "object"}`,
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(terminal bool, noColor, command string) (stdout, stderr string, code int) {
		var out, errs bytes.Buffer
		env := &Env{Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, StdoutIsTerminal: terminal, StderrIsTerminal: terminal,
			Getenv: func(name string) string { return map[string]string{"NO_COLOR": noColor}[name] }}
		code = Main([]string{command}, env)
		return out.String(), errs.String(), code
	}
	if _, stderr, code := run(false, "", "generate"); code != 0 || stderr != "" {
		t.Errorf("generate without a terminal: %d, %q", code, stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "s/order.json"), []byte(`{"type": "array"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		terminal bool
		noColor  string
		want     bool
	}{{true, "", true}, {true, "1", false}, {false, "", false}} {
		out, _, code := run(tt.terminal, tt.noColor, "check")
		if got := strings.Contains(out, "\x1b["); got != tt.want || code != 1 {
			t.Errorf("terminal %v, NO_COLOR %q: coloured is %v, exit status %d", tt.terminal, tt.noColor, got, code)
		}
		if tt.want && (!strings.Contains(out, red+"-") || !strings.Contains(out, green+"+")) {
			t.Errorf("the diff is not coloured:\n%q", out)
		}
	}
	if _, stderr, _ := run(true, "", "generate"); !strings.Contains(stderr, "4 written, 0 removed") {
		t.Errorf("generate on a terminal says %q", stderr)
	}
}

// What files are called and hold reaches no terminal as it is.
func TestNothingCommandsTheTerminal(t *testing.T) {
	var b bytes.Buffer
	err := printText(&b, diag.List{{Severity: diag.Error, Code: "a.b", Message: "m\x1b]0;t\a", Pos: diag.Pos{File: "f\n\x1b[2J"},
		Pointer: "/\x1b", Hint: "h\r", Related: []diag.Related{{Message: "\x7f"}}}}, false)
	if err != nil || strings.ContainsAny(b.String(), "\x1b\a\r\x7f") || strings.Count(b.String(), "\n") != 4 {
		t.Errorf("%v: %q", err, b.String())
	}
}

// A report that cannot be written is a failure, not a success.
func TestFullStdout(t *testing.T) {
	for _, args := range []string{"schemas --json", "version --json", "explain output.stale --json"} {
		env := &Env{Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: brokenPipe{}, Stderr: io.Discard, Getenv: func(string) string { return "" }}
		if code := Main(strings.Fields(args), env); code != exitFailed {
			t.Errorf("%s: exit status %d", args, code)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }
