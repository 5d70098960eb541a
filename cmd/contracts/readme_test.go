package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestREADME runs the README's tour, block by block, as a stranger would type it
// in an empty folder.
// The two make targets are what CI runs itself.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and a program")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	bin, app := t.TempDir(), t.TempDir()
	env := append(os.Environ(), "GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=off")
	run := func(dir, script string) string {
		t.Helper()
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", script, err, out)
		}
		return string(out)
	}
	blocks := regexp.MustCompile("(?ms)^```(\\w+) ?(\\S*)\n(.*?)^```").FindAllStringSubmatch(string(readme), -1)
	tour := 0
	for _, b := range blocks {
		switch lang, where, text := b[1], b[2], b[3]; {
		case where == "install":
			run(root, text)
		case lang == "sh" && where == "tour":
			tour++
			out := run(app, text)
			if strings.Contains(text, "go run") && (!strings.Contains(out, "hello <nil>") || !strings.Contains(out, "/txt")) {
				t.Errorf("the example program prints\n%s", out)
			}
		case strings.HasPrefix(where, "tour="):
			file := filepath.Join(app, filepath.FromSlash(strings.TrimPrefix(where, "tour=")))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		case lang == "sh" && where == "":
			for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
				target, isMake := strings.CutPrefix(strings.TrimSpace(strings.SplitN(line, "#", 2)[0]), "make ")
				if !isMake {
					t.Errorf("the README shows %q, which no test runs", line)
					continue
				}
				run(root, "make -n "+target)
			}
		}
	}
	if tour < 3 {
		t.Errorf("found %d blocks of the tour; has their mark changed?", tour)
	}
}
