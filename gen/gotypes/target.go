// Package gotypes is the target go-types: structs, enums and their JSON output.
package gotypes

import (
	"bytes"
	"fmt"
	"path"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
)

// Target emits Go structs, enums and their JSON output.
var Target = emit.New("go-types", "Go structs, enums and their JSON output", Emit)

// Options are the keys under "options:" for go-types.
type Options struct {
	Package string `json:"package"` // Go package name; default: made from the contract's name
}

// Emit returns one file per schema file that declares a type, ordered by path.
func Emit(m *model.Model, opt Options, ctx emit.Context) ([]emit.File, error) {
	v, err := goview.New(m, opt.Package, ctx)
	if err != nil {
		return nil, err
	}
	declared := make([][]*model.Type, len(m.Documents)) // by document
	for i := 1; i < len(m.Types); i++ {
		if t := &m.Types[i]; t.Name != "" && t.Used {
			declared[t.Document] = append(declared[t.Document], t)
		}
	}
	var files []emit.File
	for doc, types := range declared {
		if len(types) == 0 {
			continue
		}
		f := v.NewFile(path.Base(m.Documents[doc].Path))
		for _, t := range types {
			declare(f, v, t)
		}
		var buf bytes.Buffer
		if err := f.Render(&buf); err != nil {
			return nil, fmt.Errorf("go-types: %s: %w", m.Documents[doc].Path, err)
		}
		files = append(files, emit.File{Path: v.FileName(doc, ".gen.go"), Data: buf.Bytes()})
	}
	return files, nil
}

func declare(f *jen.File, v *goview.View, t *model.Type) {
	switch t.Kind {
	case model.Struct:
		structType(f, v, t)
	case model.Enum:
		enumType(f, v, t)
	case model.Wrapper:
		wrapperType(f, v, t)
	case model.Union:
		unionType(f, v, t)
	case model.Tuple:
		tupleType(f, v, t)
	}
}

func comment(f *jen.File, text string) {
	for _, line := range goview.Wrap(text) {
		f.Add(goview.Remark("%s", line))
	}
}

func deprecation(f *jen.File, yes bool) {
	if yes {
		f.Comment("")
		f.Comment("Deprecated: the schema marks it so.")
	}
}
