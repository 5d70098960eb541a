package build

import (
	"bytes"
	"fmt"
	"path"
	"strconv"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	rt "github.com/contractkit/contractkit/runtime"
)

// ownRuntime is where generated code finds its runtime with runtime: import.
const ownRuntime = "github.com/contractkit/contractkit/runtime/contract"

// noModule stands for the import path of a runtime whose module is not known.
// It is no valid path, so it cannot end up in a file that compiles.
const noModule = "go.mod is missing"

// runtimePath is the import path of the runtime package for generated code.
func runtimePath(p *config.Project) string {
	switch {
	case p.Runtime == config.Import:
		return ownRuntime
	case p.GoModule.Value == "":
		return noModule
	}
	return path.Join(p.GoModule.Value, p.RuntimeDir.Value)
}

// vendored returns the copy of the runtime, when any of files imports it.
func vendored(p *config.Project, files []closure.File) ([]closure.File, error) {
	if p.Runtime == config.Import {
		return nil, nil
	}
	used, ruled := imports(files, runtimePath(p))
	if !used {
		return nil, nil
	}
	if p.GoModule.Value == "" {
		return nil, diag.List{{Severity: diag.Error, Code: "build.no-module", Pos: p.RuntimeDir.Pos,
			Message: "generated Go code needs an import path for its runtime package, and there is no go.mod here or above",
			Hint:    "run go mod init, or set goModule in contracts.yaml"}}
	}
	sources, err := rt.Contract(runtimePath(p), ruled)
	if err != nil {
		return nil, fmt.Errorf("copy the runtime: %w", err)
	}
	var out []closure.File
	for _, f := range sources {
		out = append(out, closure.File{Path: path.Join(p.RuntimeDir.Value, f.Name), Data: f.Data, Pos: p.RuntimeDir.Pos})
	}
	return out, nil
}

// imports reports whether Go files among files import the runtime, and whether they
// import its package of rules.
func imports(files []closure.File, runtime string) (used, ruled bool) {
	name, rules := []byte(strconv.Quote(runtime)), []byte(strconv.Quote(runtime+"/cel"))
	for _, f := range files {
		if path.Ext(f.Path) == ".go" {
			used = used || bytes.Contains(f.Data, name)
			ruled = ruled || bytes.Contains(f.Data, rules)
		}
	}
	return used, ruled
}
