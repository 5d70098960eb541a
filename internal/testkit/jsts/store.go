package jsts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/source"
)

// LoadStore reads SchemaStore's layout below src: one group a schema that has
// documents, with the verdict that the document's folder tells. Documents in JSON
// and YAML are read; unread counts the others and those that are neither.
func LoadStore(src string) (groups []Group, unread int, err error) {
	schemas, err := filepath.Glob(filepath.Join(src, "schemas", "json", "*.json"))
	if err != nil {
		return nil, 0, err
	}
	slices.Sort(schemas)
	for _, file := range schemas {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		g := Group{Draft: "store", Set: Format, File: name}
		if g.Schema, err = os.ReadFile(file); err != nil {
			return nil, 0, err
		}
		for _, folder := range []string{"test", "negative_test"} {
			docs, err := filepath.Glob(filepath.Join(src, folder, name, "*"))
			if err != nil {
				return nil, 0, err
			}
			slices.Sort(docs)
			for _, doc := range docs {
				data, ok := document(doc)
				if !ok {
					unread++
					continue
				}
				g.Tests = append(g.Tests, Test{Title: folder + "/" + filepath.Base(doc), Data: data, Valid: folder == "test"})
			}
		}
		groups = append(groups, g)
	}
	return groups, unread, nil
}

// document returns a document as JSON.
func document(file string) (json.RawMessage, bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	name := filepath.Base(file)
	if !slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(name)) {
		return nil, false
	}
	d, err := source.Parse(name, data, source.Limits{})
	if err != nil {
		return nil, false
	}
	return source.AppendJSON(nil, d.Root), true
}
