package build

import (
	"fmt"
	"strconv"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// inexactNumbers returns, with its place, each number that canonical JSON would
// change. Closing the set would find the same, but only its place in an artifact.
func inexactNumbers(set *source.Set) diag.List {
	var found diag.List
	for _, d := range set.Documents() {
		inexact(d.Root, "", &found)
	}
	return found
}

// sealedNumbers reports the inexact numbers of the contracts that are sealed.
func sealedNumbers(p *config.Project, found []diag.List, files []closure.File) error {
	sealed := map[string]bool{}
	for _, f := range files {
		sealed[f.Contract] = true
	}
	var problems diag.List
	for i := range p.Contracts {
		if sealed[p.Contracts[i].Name.Value] {
			problems = append(problems, found[i]...)
		}
	}
	return problems.Err()
}

func inexact(v *source.Value, pointer string, problems *diag.List) {
	switch v.Kind {
	case source.Number:
		if !closure.Exact(v.Text) {
			problems.Add(diag.Diagnostic{Code: "closure.number", Pos: v.Pos, Pointer: pointer,
				Message: fmt.Sprintf("the number %.60s has no exact canonical form: a double cannot hold it", v.Text),
				Hint:    "write it with at most 15 significant digits, or leave the bundle target out"})
		}
	case source.Array:
		for i, item := range v.Items {
			inexact(item, pointer+"/"+strconv.Itoa(i), problems)
		}
	case source.Object:
		for i := range v.Members {
			m := &v.Members[i]
			inexact(m.Value, pointer+"/"+source.EscapeToken(m.Name), problems)
		}
	}
}
