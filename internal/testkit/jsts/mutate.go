package jsts

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// mutator makes documents that are nearly right: from documents, by changing one or
// two places, and from the schema, by following what it says. Values come from the
// schema's own constants, enums, defaults and examples where there are some.
type mutator struct {
	rng    *rand.Rand
	schema any
	pool   []any
	names  []string
}

func newMutator(rng *rand.Rand, schema any) *mutator {
	m := &mutator{rng: rng, schema: schema, pool: []any{
		nil, true, false, "", "a", "2026-11-30", "1.2.3", "https://example.org/x", json.Number("0"), json.Number("-1"), json.Number("1.0"), json.Number("1.5"),
		json.Number("1e3"), json.Number("12345678901234567890"), []any{}, []any{json.Number("1")}, map[string]any{}, map[string]any{"x": nil},
	}, names: []string{"", "x", "$schema"}}
	m.harvest(schema, 0)
	return m
}

// harvest collects the values and names that the schema speaks of.
func (m *mutator) harvest(v any, depth int) {
	const most = 400
	switch v := v.(type) {
	case map[string]any:
		for _, name := range keys(v) {
			switch name {
			case "const", "default":
				m.pool = append(m.pool, v[name])
			case "enum", "examples":
				if list, ok := v[name].([]any); ok {
					m.pool = append(m.pool, list[:min(len(list), 8)]...)
				}
			case "properties":
				if props, ok := v[name].(map[string]any); ok && len(m.names) < most {
					m.names = append(m.names, keys(props)...)
				}
			}
			if depth < 60 && len(m.pool) < most {
				m.harvest(v[name], depth+1)
			}
		}
	case []any:
		for _, item := range v {
			m.harvest(item, depth+1)
		}
	}
}

func keys(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func pick[T any](m *mutator, list []T) T { return list[m.rng.IntN(len(list))] }

// change returns v with one place changed.
func (m *mutator) change(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 && m.rng.IntN(8) != 0 {
			out := make(map[string]any, len(v)+1)
			for name, x := range v {
				out[name] = x
			}
			name := pick(m, keys(v))
			switch m.rng.IntN(8) {
			case 0:
				delete(out, name)
			case 1:
				out[pick(m, m.names)] = pick(m, m.pool)
			case 2:
				out[pick(m, m.names)] = out[name]
				delete(out, name)
			default:
				out[name] = m.change(v[name])
			}
			return out
		}
	case []any:
		if len(v) > 0 && m.rng.IntN(8) != 0 {
			out := slices.Clone(v)
			i := m.rng.IntN(len(v))
			switch m.rng.IntN(6) {
			case 0:
				return slices.Delete(out, i, i+1)
			case 1:
				return append(out, out[i])
			case 2:
				return append(out, pick(m, m.pool))
			}
			out[i] = m.change(v[i])
			return out
		}
	case string:
		switch m.rng.IntN(6) {
		case 0:
			return v + pick(m, []string{" ", "x", "0", "/", "\n", "é", "-"})
		case 1:
			r := []rune(v)
			return string(r[:m.rng.IntN(len(r)+1)])
		case 2:
			return strings.ToUpper(v)
		}
	case json.Number:
		return pick(m, []any{json.Number("-" + strings.TrimPrefix(v.String(), "-")), json.Number("0"), json.Number("1e9"), json.Number("0.5"), v.String()})
	}
	return pick(m, m.pool)
}

// follow makes a value that obeys most of what schema s says.
func (m *mutator) follow(s any, depth int) any {
	o, ok := s.(map[string]any)
	if !ok || depth > 12 {
		return pick(m, m.pool)
	}
	if c, found := o["const"]; found {
		return c
	}
	if e, ok := o["enum"].([]any); ok && len(e) > 0 {
		return pick(m, e)
	}
	if ref, ok := o["$ref"].(string); ok {
		if target := m.resolve(ref); target != nil {
			return m.follow(target, depth+1)
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if list, ok := o[keyword].([]any); ok && len(list) > 0 {
			x := m.follow(pick(m, list), depth+1)
			if props, ok := x.(map[string]any); ok {
				m.fill(props, o, depth)
			}
			return x
		}
	}
	kind, _ := o["type"].(string)
	if list, ok := o["type"].([]any); ok && len(list) > 0 {
		kind, _ = pick(m, list).(string)
	}
	if kind == "" && (o["properties"] != nil || o["allOf"] != nil || o["required"] != nil) {
		kind = "object"
	}
	switch kind {
	case "object":
		out := map[string]any{}
		m.fill(out, o, depth)
		return out
	case "array":
		out := []any{}
		for range m.rng.IntN(3) {
			out = append(out, m.follow(o["items"], depth+1))
		}
		return out
	}
	for range 20 {
		x := pick(m, m.pool)
		if kindOf(x) == kind {
			return x
		}
	}
	return pick(m, m.pool)
}

// fill adds members that o and its allOf speak of.
func (m *mutator) fill(out, o map[string]any, depth int) {
	required, _ := o["required"].([]any)
	if props, ok := o["properties"].(map[string]any); ok {
		for _, name := range keys(props) {
			must := slices.ContainsFunc(required, func(r any) bool { return r == name })
			if must && m.rng.IntN(20) != 0 || m.rng.IntN(3+depth*2) == 0 {
				out[name] = m.follow(props[name], depth+1)
			}
		}
	}
	all, _ := o["allOf"].([]any)
	for _, part := range all {
		if x, ok := m.follow(part, depth+1).(map[string]any); ok {
			for name, v := range x {
				out[name] = v
			}
		}
	}
}

func kindOf(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if !strings.ContainsAny(x.String(), ".eE") {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// resolve follows a pointer inside the schema; nil for other references.
func (m *mutator) resolve(ref string) any {
	rest, local := strings.CutPrefix(ref, "#/")
	if !local {
		if ref == "#" {
			return m.schema
		}
		return nil
	}
	at := m.schema
	for _, token := range strings.Split(rest, "/") {
		o, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = o[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
	}
	return at
}
