// Package config reads the project file, contracts.yaml.
//
// Bytes enter, a Project leaves whose paths stay inside the project and whose
// targets name existing contracts. The version is read first and alone; then
// the strict decoder of that version runs. What a target's options mean is the
// target's business: they stay as written until DecodeOptions.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// FileName is the name of the project file.
const FileName = "contracts.yaml"

// maxBytes bounds the project file.
const maxBytes = 1 << 20

// Runtime says how generated Go code gets the package it calls.
type Runtime string

// The values of "runtime".
const (
	Vendor Runtime = "vendor" // copied into RuntimeDir
	Import Runtime = "import" // imported from contractkit's module
)

// Project is a project file of any version, checked and with defaults filled in.
// Paths are slash-separated, clean and relative to Dir.
type Project struct {
	Dir        string // folder of the project file, as given to Load; "" after Parse
	Version    int
	Runtime    Runtime
	RuntimeDir Text
	GoModule   Text // module path that generated Go code lives in; empty when there is no go.mod
	Contracts  []Contract
	Targets    []Target
	Limits     source.Limits
}

// Contract is one set of schemas.
type Contract struct {
	Name          Text
	Schemas       Text // folder
	Dispatch      Text // member whose const names a document's schema; may be empty
	AssertFormat  bool // "format" is an assertion
	AssertContent bool // "contentEncoding" and "contentMediaType" are assertions
	Invariants    Text // file; may be empty
}

// Target is one thing to generate.
type Target struct {
	Use      Text // name of the target
	Contract Text // name of an existing contract
	Out      Text // folder
	Options  *source.Value
	Pos      diag.Pos
	Pointer  string
}

// DecodeOptions is [DecodeOptions] for t's options, with pointers that count
// from the root of the project file.
func (t Target) DecodeOptions(into any) error {
	if t.Options == nil {
		return decodeOptions(&source.Value{Kind: source.Object, Pos: t.Pos}, t.Pointer+"/options", into)
	}
	return decodeOptions(t.Options, t.Pointer+"/options", into)
}

// Text is a string and where it is written. The position is that of the object
// around it when the string is a default.
type Text struct {
	Value   string
	Pos     diag.Pos
	Pointer string
}

// String returns the value.
func (t Text) String() string { return t.Value }

// Contract returns the contract of that name, or nil.
func (p *Project) Contract(name string) *Contract {
	for i := range p.Contracts {
		if p.Contracts[i].Name.Value == name {
			return &p.Contracts[i]
		}
	}
	return nil
}

// Find returns the path of the nearest project file at or above the folder dir.
// The error is a [diag.List] with config.not-found.
func Find(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", FileName, err)
	}
	for {
		name := filepath.Join(abs, FileName)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name, nil
		}
		up := filepath.Dir(abs)
		if up == abs {
			return "", diag.List{{Severity: diag.Error, Code: "config.not-found",
				Message: "there is no " + FileName + " in this folder or above it",
				Hint:    "run contracts init to write one, or name it with --config"}}
		}
		abs = up
	}
}

// Load reads the project file at path. The error is a [diag.List] for what the
// user wrote, or an ordinary one when the disk fails.
func Load(path string) (*Project, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.List{{Severity: diag.Error, Code: "config.not-found", Pos: diag.Pos{File: filepath.Base(path)},
			Message: "the project file does not exist", Hint: "run contracts init to write one"}}
	case err != nil:
		return nil, fmt.Errorf("read the project file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read the project file: %s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the project file: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the project file: %w", err)
	}
	p, err := Parse(filepath.Base(path), data)
	if err != nil {
		return nil, err
	}
	p.Dir = filepath.Dir(path)
	if p.GoModule.Value == "" {
		if p.GoModule.Value, err = ImportPath(p.Dir); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Parse reads a project file from memory; name stands in positions.
func Parse(name string, data []byte) (*Project, error) {
	doc, err := source.Parse(name, data, source.Limits{MaxFileBytes: maxBytes, MaxDepth: 64})
	if err != nil {
		return nil, err
	}
	d := &decoder{}
	root := doc.Root
	if root.Kind != source.Object {
		d.wrongType(root, "", "an object")
		return nil, d.list.Err()
	}
	version := root.Get("version")
	switch {
	case version == nil:
		d.add(root.Pos, "", "config.version", "the file does not say its version", "write version: 1 as the first line")
	case version.Kind != source.Number || version.Text != "1":
		d.add(version.Pos, "/version", "config.version", fmt.Sprintf("the version %s is not known", source.AppendJSON(nil, version)),
			"this program reads version 1")
	default:
		if p := readV1(d, root); !d.list.HasErrors() {
			return p, nil
		}
	}
	return nil, d.list.Err()
}
