package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	google "github.com/google/jsonschema-go/jsonschema"
	v5 "github.com/santhosh-tekuri/jsonschema/v5"
	v6 "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// base makes the catalog's ids, which are relative, addresses for engines that
// want those.
const base = "mem://catalog/"

// engine goes from bytes to a verdict. A schema that it cannot compile is
// skipped with the reason.
type engine struct {
	name string
	make func(sources []source, id string) (func(doc []byte) bool, error)
}

var engines = []engine{
	{"contractkit", makeOurs},
	{"santhosh-tekuri v5", makeV5},
	{"santhosh-tekuri v6", makeV6},
	{"google/jsonschema-go", makeGoogle},
}

func makeOurs(_ []source, id string) (func([]byte) bool, error) {
	return func(doc []byte) bool { return catalog.ValidateStructureAs(id, doc) == nil }, nil
}

func makeV5(sources []source, id string) (func([]byte) bool, error) {
	c := v5.NewCompiler()
	c.Draft, c.AssertFormat = v5.Draft2020, true
	for _, s := range sources {
		if err := c.AddResource(base+s.id, bytes.NewReader(s.text)); err != nil {
			return nil, err
		}
	}
	schema, err := c.Compile(base + id)
	if err != nil {
		return nil, err
	}
	return func(doc []byte) bool {
		d := json.NewDecoder(bytes.NewReader(doc))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			return false
		}
		if _, err := d.Token(); err != io.EOF {
			return false
		}
		return schema.Validate(v) == nil
	}, nil
}

func makeV6(sources []source, id string) (func([]byte) bool, error) {
	c := v6.NewCompiler()
	c.AssertFormat()
	for _, s := range sources {
		v, err := v6.UnmarshalJSON(bytes.NewReader(s.text))
		if err != nil {
			return nil, err
		}
		if err := c.AddResource(base+s.id, v); err != nil {
			return nil, err
		}
	}
	schema, err := c.Compile(base + id)
	if err != nil {
		return nil, err
	}
	return func(doc []byte) bool {
		v, err := v6.UnmarshalJSON(bytes.NewReader(doc))
		return err == nil && schema.Validate(v) == nil
	}, nil
}

// makeGoogle uses the engine as it is meant to be used, on encoding/json's
// values. It does not assert formats, which the catalog hardly uses.
func makeGoogle(sources []source, id string) (func([]byte) bool, error) {
	load := func(id string) (*google.Schema, error) {
		for _, s := range sources {
			if s.id == id {
				var schema google.Schema
				return &schema, json.Unmarshal(s.text, &schema)
			}
		}
		return nil, fmt.Errorf("no schema has the id %q", id)
	}
	root, err := load(id)
	if err != nil {
		return nil, err
	}
	schema, err := root.Resolve(&google.ResolveOptions{
		BaseURI: base,
		Loader:  func(uri *url.URL) (*google.Schema, error) { return load(strings.TrimPrefix(uri.Path, "/")) },
	})
	if err != nil {
		return nil, err
	}
	return func(doc []byte) bool {
		var v any
		return json.Unmarshal(doc, &v) == nil && schema.Validate(v) == nil
	}, nil
}

func compacted(text []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Compact(&b, text)
	return b.Bytes(), err
}
