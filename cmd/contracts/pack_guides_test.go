package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/runtime/pack"
)

// TestPackGuides runs what the guides of packs show, block by block, and holds the Go
// that they show against the example.
func TestPackGuides(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two commands")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	env := append(os.Environ(), "GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=off")
	run := func(dir, script string) (string, error) {
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(root, "go install ./cmd/contracts ./examples/packhost"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	block := regexp.MustCompile("(?ms)^```(\\w*) ?([^\n]*)\n(.*?)^```")
	for _, guide := range []string{"first-pack.md", "vouch.md", "threat-model.md"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", "pack", guide))
		if err != nil {
			t.Fatal(err)
		}
		app, ran, last := t.TempDir(), 0, ""
		for _, b := range block.FindAllStringSubmatch(string(text), -1) {
			switch lang, mark, body := b[1], b[2], b[3]; {
			case lang == "sh" && mark == "install":
				if body != "go install ./cmd/contracts ./examples/packhost\n" {
					t.Errorf("%s installs by %q, which no test does", guide, body)
				}
			case lang == "sh" && strings.HasPrefix(mark, "tour"):
				ran++
				last, err = run(app, body)
				if (err != nil) != (mark == "tour fails") {
					t.Fatalf("%s: %s\n%v\n%s", guide, body, err, last)
				}
			case lang == "sh":
				t.Errorf("%s shows %q, which no test runs", guide, body)
			case lang == "" && !strings.HasPrefix(last, body):
				t.Errorf("%s shows the output\n%s\nand it is\n%s", guide, body, last)
			case lang == "yaml":
				const rest = "id: my-pack\nversion: 2.0.0\ncontract_version: 2\npublisher: {id: acme, name: Acme}\ncompatibility: {kernel: ^6.0.0, host: ^6.0.0}\ntask_types: [task]\n"
				if p := pack.ParseManifest(guide, []byte(rest+body)); len(p.Diagnostics) > 0 {
					t.Errorf("%s shows a manifest that is not in order: %v", guide, p.Diagnostics)
				}
			case strings.HasPrefix(mark, "excerpt="):
				source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(mark, "excerpt="))))
				if err != nil || !strings.Contains(string(source), body) {
					t.Errorf("%s: %s does not hold\n%s", guide, mark, body)
				}
			}
		}
		if want := map[string]int{"first-pack.md": 8, "vouch.md": 6}[guide]; ran < want {
			t.Errorf("%s: only %d blocks ran", guide, ran)
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(root, "docs", "pack", filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s leads to %s: %v", guide, m[1], err)
			}
		}
	}
}
