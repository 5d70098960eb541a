package cli

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/output"
	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

// codeLiteral finds diagnostic codes in source text.
var codeLiteral = regexp.MustCompile(`"((?:build|closure|config|crd|gen|graph|init|model|output|rules|source|usage)\.[a-z][a-z0-9_-]+)"`)

// contractCode finds codes of packs, which keep the spelling of their contract.
var contractCode = regexp.MustCompile(`"((?:PACK|DISPATCH|ISOLATED|MIGRATION)_[A-Z_]+[A-Z]|TOOL_NOT_FOUND|SCOPE_DENIED|POLICY_DENIED|APPROVAL_REQUIRED|INVALID_(?:IN|OUT)PUT|TOOL_EXECUTION_FAILED)"`)

// Every code in the source has a page with an example, and every page a code.
func TestEveryCodeHasAPage(t *testing.T) {
	pages, err := diagnosticPages()
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]bool{}
	for _, s := range []output.State{output.Missing, output.Stale, output.HandEdited, output.Orphan, output.Foreign, output.Tampered} {
		codes["output."+string(s)] = true
	}
	for _, dir := range []string{"../../internal", "../../gen", "../../runtime/pack"} {
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := os.ReadFile(name)
			for _, m := range codeLiteral.FindAllStringSubmatch(string(data), -1) {
				if !strings.HasSuffix(m[1], ".json") && !strings.HasSuffix(m[1], ".yaml") {
					codes[m[1]] = true
				}
			}
			for _, m := range contractCode.FindAllStringSubmatch(string(data), -1) {
				codes[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for code := range codes {
		if pages[code] == "" {
			t.Errorf("%s has no section in docs/diagnostics/%s.md", code, strings.SplitN(code, ".", 2)[0])
		}
	}
	for code, page := range pages {
		if !codes[code] {
			t.Errorf("docs/diagnostics has a section for %s, which nothing reports", code)
		}
		if strings.Count(page, "\n```") < 2 {
			t.Errorf("the page of %s has no failing example", code)
		}
	}
}

// What the pages of packs show in YAML does what they say.
func TestPackPagesFail(t *testing.T) {
	pages, err := diagnosticPages()
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```\n")
	shown := 0
	for code, page := range pages {
		m := example.FindStringSubmatch(page)
		if m == nil {
			continue
		}
		shown++
		keys := map[string]string{
			"id": "id: my-pack\n", "version": "version: 1.0.0\n", "contract_version": "contract_version: 2\n", "publisher": "publisher: {id: acme, name: Acme}\n",
			"compatibility": "compatibility: {kernel: ^6.0.0, host: ^6.0.0}\n", "task_types": "task_types: [task]\n",
		}
		if strings.Contains(m[1], "tools:") && !strings.Contains(m[1], "trust_tier:") {
			keys["trust_tier"], keys["adapter_id"] = "trust_tier: trusted-host-adapter\n", "adapter_id: trusted-host-adapter:my-pack\n"
		}
		key := ""
		for line := range strings.Lines(m[1] + "\n") {
			if line[0] != ' ' {
				key, _, _ = strings.Cut(line, ":")
				keys[key] = ""
			}
			keys[key] += line
		}
		var text strings.Builder
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			text.WriteString(keys[key])
		}
		parsed := pack.ParseManifest("manifest.yaml", []byte(text.String()))
		found := parsed.Diagnostics
		if parsed.Accepted() {
			found = append(found, inspect.Lint(parsed)...)
		}
		for _, d := range found {
			if string(d.Code) != code {
				t.Errorf("the example of %s: %v", code, d)
			}
		}
		if len(found) == 0 {
			t.Errorf("the example of %s is in order:\n%s", code, text.String())
		}
	}
	if shown < 35 {
		t.Errorf("only %d examples", shown)
	}
}
