package crd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
)

// Load reads what Import made as a project would, so that faults are told where they come
// from: those of rules at their definition, others at the version whose schema has them.
// The error is a [diag.List]; the other list holds warnings.
func Load(files []File) (*rules.Set, diag.List, error) {
	var docs []*source.Document
	var registry *source.Document
	for _, f := range files {
		doc, err := source.Parse(f.Path, f.Data, source.Limits{MaxFileBytes: 1 << 30, MaxDepth: maxDepth, MaxValues: 1 << 26})
		if err != nil {
			return nil, nil, traced(files, err)
		}
		if f.Path == Registry {
			registry = doc
		} else {
			docs = append(docs, doc)
		}
	}
	set, err := source.NewSet(docs...)
	if err != nil {
		return nil, nil, traced(files, err)
	}
	g, err := graph.Resolve("crd", set, graph.Options{})
	if err != nil {
		return nil, nil, traced(files, err)
	}
	m, problems := model.Build(g, model.Options{Contract: "crd"})
	if err := problems.Err(); err != nil {
		return nil, nil, traced(files, err)
	}
	warnings := append(append(problems.Warnings(), g.Warnings()...), interp.Settle(m)...)
	reg, err := rules.Decode(rules.Files{Main: registry})
	if err != nil {
		return nil, nil, traced(files, err)
	}
	checked, more, err := rules.Check(reg, m)
	if err != nil {
		return nil, nil, traced(files, err)
	}
	list, _ := errors.AsType[diag.List](traced(files, append(warnings, more...)))
	return checked, list, nil
}

// maxDepth is how deep a schema may be nested; what is imported is no deeper than twice
// what was read.
const maxDepth = 5000

// traced moves diagnostics from the files that an import makes to what they were made of.
func traced(files []File, err error) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	out := diag.List{}
	for _, d := range list {
		for _, f := range files {
			if f.Path != d.Pos.File {
				continue
			}
			at, pointer := f.origin(d.Pointer)
			d.Pos, d.Pointer, d.Related = at, "", nil
			if pointer != "" && f.Path != Registry {
				d.Message = fmt.Sprintf("%s (%s of the schema)", d.Message, pointer)
			}
			break
		}
		out = append(out, d)
	}
	return out
}

// origin is where the value at a pointer comes from, and the part of the pointer below.
func (f *File) origin(pointer string) (diag.Pos, string) {
	for at := pointer; ; at = at[:strings.LastIndexByte(at, '/')] {
		if pos, known := f.origins[at]; known {
			return pos, pointer[len(at):]
		}
		if at == "" {
			return diag.Pos{File: f.Path}, pointer
		}
	}
}
