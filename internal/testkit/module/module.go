// Package module writes, builds and asks modules that tests make of emitted code. The
// go command works without a network and without the workspace around it.
package module

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Write writes a file of the module in dir, whose name has slashes.
func Write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Command is the go command in dir.
func Command(t testing.TB, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	return cmd
}

// Go runs the go command in dir; what it prints, if it fails, ends the test.
func Go(t testing.TB, dir string, args ...string) {
	t.Helper()
	if out, err := Command(t, dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%.8000s", args[0], err, out)
	}
}

// Output runs a program and returns what it prints to standard output; what it prints to
// standard error, if it fails, ends the test.
func Output(t testing.TB, cmd *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%.4000s", err, stderr.String())
	}
	return out
}

// Ask builds the program in dir, hands it asks as a JSON array on standard input, and
// reads as many answers.
func Ask[A, B any](t testing.TB, dir string, asks []A) []B {
	t.Helper()
	Go(t, dir, "build", "-trimpath", "-o", "program", ".")
	input, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "program"))
	cmd.Stdin = bytes.NewReader(input)
	var answers []B
	if err := json.Unmarshal(Output(t, cmd), &answers); err != nil || len(answers) != len(asks) {
		t.Fatalf("%d answers to %d questions, %v", len(answers), len(asks), err)
	}
	return answers
}
