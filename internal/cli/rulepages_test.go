package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The registries that the pages of rules show do what the pages say.
func TestRulePagesFail(t *testing.T) {
	page, err := os.ReadFile("../../docs/diagnostics/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	schema := regexp.MustCompile("(?s)\n```\n(.*?)\n```\n").FindSubmatch(page)
	sections := regexp.MustCompile("(?s)\n## (rules\\.[a-z-]+)\n.*?\n```(.*?)\n(.*?)\n```\n").FindAllStringSubmatch(string(page), -1)
	shown := 0
	for _, s := range sections {
		code, kind, text := s[1], s[2], s[3]
		if kind != "yaml invariants" {
			continue
		}
		shown++
		dir := t.TempDir()
		for name, data := range map[string]string{
			"contracts.yaml":     "version: 1\ncontracts:\n  - {name: shop, schemas: s, invariants: s/invariants.yaml}\ntargets:\n  - {use: bundle, out: a}\n",
			"s/order.json":       string(schema[1]),
			"s/invariants.yaml":  "version: 1\n" + text + "\n",
			"s/fixtures/.ignore": "",
		} {
			file := filepath.Join(dir, filepath.FromSlash(name))
			os.MkdirAll(filepath.Dir(file), 0o755)
			if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		args := "test --engine interpreter"
		if code == "rules.mutant" {
			args += " --mutate"
		}
		Main(strings.Fields(args), &Env{Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }})
		found := regexp.MustCompile(`(?m)^\S+: (?:error|warning): .*\[(rules\.[a-z-]+)\]$`).FindAllStringSubmatch(out.String(), -1)
		if len(found) == 0 {
			t.Errorf("the example of %s is in order:\n%s%s", code, out.String(), errs.String())
		}
		for _, f := range found {
			// Rules without witnesses keep the examples short.
			if f[1] != code && f[1] != "rules.no-witness" {
				t.Errorf("the example of %s shows %s:\n%s", code, f[1], out.String())
			}
		}
		if !strings.Contains(out.String(), "["+code+"]") {
			t.Errorf("the example of %s does not show it:\n%s", code, out.String())
		}
	}
	if shown < 10 {
		t.Errorf("only %d examples", shown)
	}
}
