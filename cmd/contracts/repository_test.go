package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/cli"
)

// This repository is its own first user: what it generated is current and whole,
// and its fixtures are as their names say.
func TestThisRepository(t *testing.T) {
	root := filepath.FromSlash("../..")
	for _, args := range []string{"check", "verify", "conformance schemas"} {
		var out, errs bytes.Buffer
		env := &cli.Env{Dir: root, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		if code := cli.Main(strings.Fields(args), env); code != 0 {
			t.Errorf("contracts %s: exit status %d; run make generate\n%.3000s%s", args, code, out.String(), errs.String())
		}
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: docs/verify.py is not run")
	}
	if out, err := exec.Command(python, filepath.Join(root, "docs", "verify.py"), root).CombinedOutput(); err != nil {
		t.Errorf("docs/verify.py: %v\n%s", err, out)
	}
}
