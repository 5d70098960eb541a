// Package arrows holds the rules about who may import whom; docs/architecture.md
// states them.
package arrows

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path"
	"strings"
	"testing"
)

const module = "github.com/contractkit/contractkit/"

type pkg struct {
	ImportPath string
	Standard   bool
	Deps       []string
}

func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Deps", "./...")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	standard := map[string]bool{}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		standard[p.ImportPath] = p.Standard
		all = append(all, p)
	}
	rules := []struct {
		who, mayNot, but string // patterns below the module; but is allowed all the same
	}{
		{"runtime/*", "cmd internal gen", ""},
		{"runtime/contract", "runtime generated", "runtime/contract"},
		{"generated/*", "cmd internal gen runtime", "runtime/contract"},
		{"internal/build", "generated cmd internal/cli", ""},
		{"internal/regen", "generated cmd internal/cli", ""},
		{"gen/*", "generated cmd internal/cli internal/build internal/output internal/closure", ""},
		{"internal/model", "gen generated internal/build internal/output internal/closure internal/cli", ""},
		{"internal/graph", "gen generated internal/model", ""},
		{"internal/source", "gen generated internal/model internal/graph", ""},
	}
	checked := 0
	for _, p := range all {
		who, ours := strings.CutPrefix(p.ImportPath, module)
		if !ours {
			continue
		}
		for _, d := range p.Deps {
			if strings.HasPrefix(d, "github.com/tetratelabs/wazero") && who != "runtime/pack/wasihost" {
				t.Errorf("%s reaches %s; only who imports the WASI host pays for it", who, d)
				break
			}
		}
		for _, r := range rules {
			if !matches(r.who, who) {
				continue
			}
			checked++
			for _, d := range p.Deps {
				dep, ours := strings.CutPrefix(d, module)
				if !ours {
					if who == "runtime/contract" && !standard[d] {
						t.Errorf("%s imports %s; it may import the standard library only", who, d)
					}
					continue
				}
				for _, no := range strings.Fields(r.mayNot) {
					if (dep == no || strings.HasPrefix(dep, no+"/")) && dep != r.but && !strings.HasPrefix(dep, r.but+"/") {
						t.Errorf("%s reaches %s", who, dep)
					}
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d packages were looked at", checked)
	}
}

func matches(pattern, name string) bool {
	if prefix, all := strings.CutSuffix(pattern, "/*"); all {
		return strings.HasPrefix(name, prefix+"/")
	}
	ok, _ := path.Match(pattern, name)
	return ok
}
