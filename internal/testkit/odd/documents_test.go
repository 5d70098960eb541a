package odd

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// stock holds what documents for one schema are made from: the names and values that
// the schema speaks of, and a few that it does not.
type stock struct {
	random *rand.Rand
	names  []string
	values []string // JSON texts
}

// newStock collects the names and values of a schema.
func newStock(seed uint64, schema string) *stock {
	s := &stock{
		random: rand.New(rand.NewPCG(seed, 7)),
		names:  []string{"a", "b", "Extra", "zz"},
		values: []string{"null", "true", "false", "0", "1", "-1", "1.0", "2.50", "1e2", "12345678901234567890", `""`, `"a"`, `"\u0061b"`, `"x y"`, "[]", "{}"},
	}
	var walk func(x any)
	walk = func(x any) {
		switch x := x.(type) {
		case map[string]any:
			names := make([]string, 0, len(x))
			for name := range x {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				member := x[name]
				switch name {
				case "properties":
					if properties, ok := member.(map[string]any); ok {
						for property := range properties {
							s.names = append(s.names, property)
						}
					}
				case "const", "default":
					s.value(member)
				case "enum", "required":
					list, _ := member.([]any)
					for _, e := range list[:min(len(list), 50)] {
						if text, ok := e.(string); ok && name == "required" {
							s.names = append(s.names, text)
						} else {
							s.value(e)
						}
					}
				}
				walk(member)
			}
		case []any:
			for _, e := range x[:min(len(x), 200)] {
				walk(e)
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(schema))
	d.UseNumber()
	var x any
	if d.Decode(&x) == nil {
		walk(x)
	}
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
	return s
}

func (s *stock) value(x any) {
	text, err := json.Marshal(x)
	if err == nil && !slices.Contains(s.values, string(text)) {
		s.values = append(s.values, string(text))
	}
}

// document returns a random JSON text.
func (s *stock) document(depth int) string {
	pick := func(list []string) string { return list[s.random.IntN(len(list))] }
	switch n := s.random.IntN(10); {
	case depth == 0 || n < 2:
		return pick(s.values)
	case n < 4:
		var list []string
		for range s.random.IntN(4) {
			list = append(list, s.document(depth-1))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	var members, seen []string
	for range s.random.IntN(min(len(s.names), 6) + 1) {
		name := pick(s.names)
		if slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		key, _ := json.Marshal(name)
		members = append(members, string(key)+":"+s.document(depth-1))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// values reads a JSON text, keeping its numbers.
func values(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var x any
	err := d.Decode(&x)
	return x, err
}

// equal reports whether two JSON texts are the same value.
func equal(a, b string) bool {
	x, err1 := values(a)
	y, err2 := values(b)
	return err1 == nil && err2 == nil && within(x, y) && within(y, x)
}

// within reports whether whole is part with members or elements added: that is what
// filling in defaults may do.
func within(part, whole any) bool {
	switch part := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		if !ok {
			return false
		}
		for name, x := range part {
			if y, found := w[name]; !found || !within(x, y) {
				return false
			}
		}
		return true
	case []any:
		w, ok := whole.([]any)
		if !ok || len(w) < len(part) {
			return false
		}
		for i, x := range part {
			if !within(x, w[i]) {
				return false
			}
		}
		return true
	case json.Number:
		w, ok := whole.(json.Number)
		x, _ := new(big.Rat).SetString(string(part))
		y, _ := new(big.Rat).SetString(string(w))
		return ok && (part == w || x != nil && y != nil && x.Cmp(y) == 0)
	}
	return part == whole
}
