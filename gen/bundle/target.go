// Package bundle is the target bundle: a contract as sealed JSON artifacts, for
// programs in any language.
package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/internal/generator"
	"github.com/contractkit/contractkit/internal/model"
)

// Target emits the schemas and where they come from.
var Target = emit.New("bundle", "Sealed artifacts: the schemas in one file, and where they come from", Emit)

// Options are the keys under "options:" for bundle.
type Options struct {
	InvariantsKeyword string `json:"invariantsKeyword"` // names the rules that bind a schema; default x-invariants
}

// The names of the artifacts.
const (
	SchemasFile    = "schema-bundle.json"
	ProvenanceFile = "generator-provenance.json"
)

// Provenance is generator-provenance.json: what the contract was made from and
// by what. It holds no date and no path of a machine.
type Provenance struct {
	Contract  string   `json:"contract"`
	Generator Identity `json:"generator"`
	Sources   []Source `json:"sources"` // ordered by path
}

// Identity names a program.
type Identity struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Source is a file that was read.
type Source struct {
	Path   string `json:"path"`   // relative to contracts.yaml
	SHA256 string `json:"sha256"` // of its bytes
}

// Emit returns the artifacts: two, and with rules three.
func Emit(m *model.Model, opt Options, _ emit.Context) ([]emit.File, error) {
	keyword := cmp.Or(opt.InvariantsKeyword, "x-invariants")
	schemas := map[string]json.RawMessage{}
	from := Provenance{Contract: m.Contract, Generator: Identity{generator.Name, generator.Version}, Sources: []Source{}}
	for i := range m.Documents {
		d := &m.Documents[i]
		key := d.ID
		if _, taken := schemas[key]; taken {
			key = d.Path // two files of one name that have no id
		}
		schema, err := bound(m, i, keyword)
		if err != nil {
			return nil, fmt.Errorf("bundle: %s: %w", d.Path, err)
		}
		schemas[key] = schema
		from.Sources = append(from.Sources, Source{Path: d.Path, SHA256: d.Digest})
	}
	for _, r := range m.Registry {
		from.Sources = append(from.Sources, Source{Path: r.Path, SHA256: r.Digest})
	}
	slices.SortStableFunc(from.Sources, func(a, b Source) int { return cmp.Compare(a.Path, b.Path) })
	var files []emit.File
	if len(m.Registry) > 0 {
		data, err := encode(registry(m))
		if err != nil {
			return nil, fmt.Errorf("bundle: %s: %w", InvariantsFile, err)
		}
		files = append(files, emit.File{Path: InvariantsFile, Data: data, Sealed: true})
	}
	for _, f := range []struct {
		name    string
		content any
	}{
		{ProvenanceFile, from},
		{SchemasFile, struct {
			Contract string                     `json:"contract"`
			Schemas  map[string]json.RawMessage `json:"schemas"`
		}{m.Contract, schemas}},
	} {
		data, err := encode(f.content)
		if err != nil {
			return nil, fmt.Errorf("bundle: %s: %w", f.name, err)
		}
		files = append(files, emit.File{Path: f.name, Data: data, Sealed: true})
	}
	return files, nil
}

// encode prints v indented. Raw schemas keep the text of their numbers and
// strings, and the order of their members.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := jsontext.Value(bytes.TrimSpace(out.Bytes()))
	if err := text.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
