package jsts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/graph"
)

// Drafts are the suite's folders and what is written in them.
var Drafts = []struct {
	Name  string
	Draft graph.Draft
}{
	{"draft2020-12", graph.Draft2020}, {"draft2019-09", graph.Draft2019}, {"draft7", graph.Draft7}, {"draft6", graph.Draft6}, {"draft4", graph.Draft4},
	{"openapi-3.0", graph.OpenAPI30}, // ours only
}

// The sets of a draft.
const (
	Required = "required"
	Optional = "optional"
	Format   = "format" // optional/format: run with format as an assertion
)

// Group is one schema and its instances.
type Group struct {
	Draft  string // folder
	Set    string
	File   string // below the draft's folder, without .json: optional/bignum
	Title  string
	Schema json.RawMessage
	Tests  []Test
}

// Test is one instance and the verdict it should get.
type Test struct {
	Title string          `json:"description"`
	Data  json.RawMessage `json:"data"`
	Valid bool            `json:"valid"`
}

// Name says where the group is in the suite.
func (g *Group) Name() string { return g.Draft + "/" + g.File + ": " + g.Title }

// Load reads the groups of the draft folder dir, which is called draft.
func Load(dir, draft string) ([]Group, error) {
	var all []Group
	for _, set := range []struct{ name, glob string }{{Required, "*.json"}, {Optional, "optional/*.json"}, {Format, "optional/format/*.json"}} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(set.glob)))
		if err != nil {
			return nil, err
		}
		slices.Sort(files)
		for _, file := range files {
			groups, err := loadFile(file)
			if err != nil {
				return nil, err
			}
			below, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, err
			}
			for i := range groups {
				groups[i].Draft, groups[i].Set, groups[i].File = draft, set.name, strings.TrimSuffix(filepath.ToSlash(below), ".json")
			}
			all = append(all, groups...)
		}
	}
	return all, nil
}

func loadFile(file string) ([]Group, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var raw []struct {
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
		Tests       []Test          `json:"tests"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	groups := make([]Group, len(raw))
	for i, r := range raw {
		groups[i] = Group{Title: r.Description, Schema: r.Schema, Tests: r.Tests}
	}
	return groups, nil
}

// Skip is an entry of testdata/skips.json. Empty fields fit everything.
type Skip struct {
	Drafts []string `json:"drafts"`
	File   string   `json:"file"`
	Group  string   `json:"group"`
	Test   string   `json:"test"`
	Reason string   `json:"reason"` // for a reader

	used bool
}

// LoadSkips reads the list.
func LoadSkips(file string) ([]Skip, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []Skip
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	for _, s := range list {
		if s.Reason == "" || s.File == "" {
			return nil, fmt.Errorf("%s: an entry for %q has no reason or no file", filepath.Base(file), s.File)
		}
	}
	return list, nil
}

// skipped returns the entry that covers a test; nil when it is to be run.
func skipped(list []Skip, g *Group, t *Test) *Skip {
	for i := range list {
		s := &list[i]
		if s.File == g.File && (len(s.Drafts) == 0 || slices.Contains(s.Drafts, g.Draft)) &&
			(s.Group == "" || s.Group == g.Title) && (s.Test == "" || s.Test == t.Title) {
			return s
		}
	}
	return nil
}
