package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is one schema of the catalog.
type source struct {
	id   string
	text []byte
}

// document is a valid fixture.
type document struct {
	name   string // file name without .valid.json
	schema string // id of its schema
	data   []byte // compact, as it would travel
}

const schemaFolder = "schemas/catalog"

// readCatalog reads the sources and the valid fixtures.
func readCatalog(root string) ([]source, []document, error) {
	paths, err := filepath.Glob(filepath.Join(root, schemaFolder, "*.v*.json"))
	if err != nil || len(paths) == 0 {
		return nil, nil, fmt.Errorf("%s holds no schema: is -root the repository?", filepath.Join(root, schemaFolder))
	}
	var sources []source
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, nil, err
		}
		var head struct {
			ID string `json:"$id"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p, err)
		}
		sources = append(sources, source{head.ID, text})
	}
	paths, _ = filepath.Glob(filepath.Join(root, schemaFolder, "fixtures", "*.valid.json"))
	slices.Sort(paths)
	var docs []document
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, nil, err
		}
		var head struct{ Schema string }
		if err := json.Unmarshal(text, &head); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p, err)
		}
		if head.Schema == "" {
			continue // of the few documents that name no schema
		}
		compact, err := compacted(text)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p, err)
		}
		docs = append(docs, document{strings.TrimSuffix(filepath.Base(p), ".valid.json"), head.Schema, compact})
	}
	return sources, docs, nil
}
