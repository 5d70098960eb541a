package jsts

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/gotypes"
	"github.com/contractkit/contractkit/gen/govalidate"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// server is where the suite's schemas expect its remotes folder.
const server = "http://localhost:1234/"

// packageName is that of every emitted package: equal schemas then give equal files.
const packageName = "suite"

// generate returns the package of a group, for the runtime at an import path, and the
// model it is made from. remotes is the folder that is served as
// http://localhost:1234/; may be "".
func generate(g *Group, draft graph.Draft, remotes, runtime string) ([]emit.File, *model.Model, error) {
	m, err := modelOf(g, draft, remotes)
	if err != nil {
		return nil, nil, err
	}
	ctx := emit.Context{Runtime: runtime, Renumber: true}
	types, err := gotypes.Emit(m, gotypes.Options{Package: packageName}, ctx)
	if err != nil {
		return nil, nil, err
	}
	checks, err := govalidate.Emit(m, govalidate.Options{Package: packageName}, ctx)
	if err != nil {
		return nil, nil, err
	}
	files := append(types, checks...)
	for _, f := range files {
		if strings.HasPrefix(f.Path, "root_validate") && bytes.Contains(f.Data, []byte("func DecodeRoot(")) {
			return files, m, nil
		}
	}
	return nil, nil, fmt.Errorf("no DecodeRoot among the %d files", len(files))
}

func modelOf(g *Group, draft graph.Draft, remotes string) (*model.Model, error) {
	doc, err := source.Parse("root.json", g.Schema, source.Limits{})
	if err != nil {
		return nil, err
	}
	set, err := source.NewSet(doc)
	if err != nil {
		return nil, err
	}
	opt := graph.Options{Draft: draft}
	if remotes != "" {
		mapped, err := source.OpenMapped([]source.Mapping{{Prefix: server, Dir: remotes}}, source.Limits{})
		if err != nil {
			return nil, err
		}
		defer mapped.Close()
		opt.Retrieve = mapped.Retrieve
	}
	resolved, err := graph.Resolve(packageName, set, opt)
	if err != nil {
		return nil, err
	}
	m, problems := model.Build(resolved, model.Options{
		Contract: packageName, Root: true, AssertFormat: g.Set == Format, AssertContent: g.File == "optional/content",
	})
	interp.Settle(m)
	return m, problems.Err()
}
