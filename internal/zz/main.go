package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/gotypes"
	"github.com/contractkit/contractkit/gen/govalidate"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

func main() {
	root, dir, out, pkg := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	dispatch := ""
	if len(os.Args) > 5 {
		dispatch = os.Args[5]
	}
	paths, err := source.Discover(root, dir)
	die(err)
	set, err := source.Load(context.Background(), root, paths, source.Limits{})
	die(err)
	g, err := graph.Resolve(pkg, set, graph.Options{Dir: dir})
	die(err)
	m, diags := model.Build(g, model.Options{Contract: pkg, Dispatch: dispatch, AssertFormat: true, Root: dispatch == ""})
	die(diags.Err())
	ctx := emit.Context{Runtime: "github.com/contractkit/contractkit/runtime/contract", Renumber: dispatch == ""}
	os.MkdirAll(out, 0o755)
	for _, fn := range []func() ([]emit.File, error){
		func() ([]emit.File, error) { return gotypes.Emit(m, gotypes.Options{Package: pkg}, ctx) },
		func() ([]emit.File, error) { return govalidate.Emit(m, govalidate.Options{Package: pkg}, ctx) },
	} {
		files, err := fn()
		die(err)
		for _, f := range files {
			die(os.WriteFile(filepath.Join(out, f.Path), f.Data, 0o644))
		}
	}
}

func die(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
