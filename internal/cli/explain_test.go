package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/output"
)

// codeLiteral finds diagnostic codes in source text.
var codeLiteral = regexp.MustCompile(`"((?:build|closure|config|gen|graph|init|model|output|rules|source|usage)\.[a-z][a-z0-9_-]+)"`)

// Every code in the source has a page with an example, and every page a code.
func TestEveryCodeHasAPage(t *testing.T) {
	pages, err := diagnosticPages()
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]bool{}
	for _, s := range []output.State{output.Missing, output.Stale, output.HandEdited, output.Orphan, output.Tampered} {
		codes["output."+string(s)] = true
	}
	for _, dir := range []string{"../../internal", "../../gen"} {
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
		if strings.Count(page, "\n```\n") < 2 {
			t.Errorf("the page of %s has no failing example", code)
		}
	}
}
