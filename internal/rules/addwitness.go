package rules

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/source"
)

const witnessHead = `# Further witnesses of the rules, by id: made to show one thing each, or found by search.
# All of them notice something that the others of their rule do not.
`

// AddWitnesses returns the text of the file of witnesses with more in it. What is
// there keeps its order; rules that are new come in the order of found.
func AddWitnesses(have *source.Document, found []Suggestion) ([]byte, error) {
	type entry struct{ valid, invalid, equivalent []string }
	var order []string
	entries := map[string]*entry{}
	get := func(id string) *entry {
		if entries[id] == nil {
			entries[id] = &entry{}
			order = append(order, id)
		}
		return entries[id]
	}
	if have != nil {
		for i := range have.Root.Members {
			m := &have.Root.Members[i]
			e := get(m.Name)
			for name, to := range map[string]*[]string{"valid": &e.valid, "invalid": &e.invalid, "equivalent": &e.equivalent} {
				if list := m.Value.Get(name); list != nil {
					for _, x := range list.Items {
						*to = append(*to, string(source.AppendJSON(nil, x)))
					}
				}
			}
		}
	}
	for _, s := range found {
		doc, err := source.Parse("witness.json", []byte(s.Text), source.Limits{})
		if err != nil {
			return nil, fmt.Errorf("a witness of %s: %w", s.Rule, err)
		}
		line := string(source.AppendJSON(nil, doc.Root))
		if e := get(s.Rule); s.Valid {
			e.valid = append(e.valid, line)
		} else {
			e.invalid = append(e.invalid, line)
		}
	}
	var b bytes.Buffer
	b.WriteString(witnessHead)
	for _, id := range order {
		name := id
		if !idPattern.MatchString(id) {
			name = strconv.Quote(id)
		}
		fmt.Fprintf(&b, "%s:\n", name)
		e := entries[id]
		for _, part := range []struct {
			name string
			list []string
		}{{"valid", e.valid}, {"invalid", e.invalid}, {"equivalent", e.equivalent}} {
			if len(part.list) == 0 {
				continue
			}
			fmt.Fprintf(&b, "  %s:\n", part.name)
			for _, line := range part.list {
				fmt.Fprintf(&b, "    - %s\n", strings.TrimSpace(line))
			}
		}
	}
	return b.Bytes(), nil
}

// FileOf returns the file that has the rule.
func (s *Set) FileOf(id string) string {
	for i := range s.Registry.Rules {
		if r := &s.Registry.Rules[i]; r.ID.Value == id {
			return r.ID.Pos.File
		}
	}
	return s.Registry.Path
}
