package odd

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// random returns n schemas put together by chance from every keyword, the same ones
// each time; ODD_SEED asks for others, and ODD_COUNT for more.
func random(n int) []odd {
	seed, _ := strconv.ParseUint(os.Getenv("ODD_SEED"), 10, 64)
	if count, err := strconv.Atoi(os.Getenv("ODD_COUNT")); err == nil {
		n = count
	}
	var out []odd
	for i := range n {
		m := &maker{rand.New(rand.NewPCG(seed, uint64(i)))}
		defs := make([]string, 4)
		for j := range defs {
			defs[j] = fmt.Sprintf(`"d%d":%s`, j, m.schema(3, false))
		}
		root := m.schema(3, false)
		if !strings.HasPrefix(root, "{") {
			root = "{}"
		}
		body := strings.TrimSuffix(root, "}")
		if body != "{" {
			body += ","
		}
		out = append(out, odd{name: fmt.Sprintf("random %d of seed %d", i, seed), schema: body + `"$defs":{` + strings.Join(defs, ",") + `}}`})
	}
	return out
}

type maker struct{ *rand.Rand }

func (m *maker) pick(list ...string) string { return list[m.IntN(len(list))] }

// schema returns a schema; references stand only where a value of their own is
// meant, so that none leads back to itself without progress.
func (m *maker) schema(depth int, within bool) string {
	if within && m.IntN(5) == 0 {
		return m.pick(`{"$ref":"#"}`, `{"$ref":"#/$defs/d0"}`, `{"$ref":"#/$defs/d1"}`, `{"$ref":"#/$defs/d2"}`, `{"$ref":"#/$defs/d3","description":"beside"}`)
	}
	if depth == 0 || m.IntN(6) == 0 {
		return m.pick(`true`, `false`, `{}`, `{"type":"string"}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":"null"}`, `{"type":"boolean"}`, `{"type":["string","null"]}`,
			`{"enum":["a","b"]}`, `{"enum":["b",null,1]}`, `{"const":"a"}`, `{"const":1}`, `{"const":{"a":1}}`, `{"minLength":2}`, `{"minimum":1}`, `{"type":"string","default":"x"}`,
			`{"type":"object"}`, `{"type":"array"}`, `{"type":"integer","default":3}`, `{"pattern":"^a"}`, `{"required":["a"]}`, `{"uniqueItems":true}`)
	}
	inside := func() string { return m.schema(depth-1, true) }
	beside := func() string { return m.schema(depth-1, false) }
	several := func(one func() string) string {
		var out []string
		for range 1 + m.IntN(3) {
			out = append(out, one())
		}
		return list(out...)
	}
	members := func() string {
		var out []string
		for _, name := range []string{"a", "b", "Extra", "c-d"} {
			if m.IntN(2) == 0 {
				out = append(out, quote(name)+":"+inside())
			}
		}
		return "{" + strings.Join(out, ",") + "}"
	}
	var words []string
	add := func(chance int, word string, value func() string) {
		if m.IntN(chance) == 0 {
			words = append(words, quote(word)+":"+value())
		}
	}
	add(2, "type", func() string {
		return m.pick(`"object"`, `"object"`, `"object"`, `"array"`, `"array"`, `"string"`, `["object","null"]`, `["array","string"]`, `["integer","object","null"]`)
	})
	add(2, "properties", members)
	add(3, "required", func() string { return m.pick(`["a"]`, `["a","b"]`, `["zz"]`, `[]`, `["Extra","c-d"]`) })
	add(4, "additionalProperties", inside)
	add(7, "patternProperties", func() string { return `{"^[ab]":` + inside() + `,"d$":` + inside() + `}` })
	add(12, "propertyNames", func() string { return m.pick(`{"maxLength":3}`, `{"enum":["a","b","zz"]}`) })
	add(4, "items", inside)
	add(5, "prefixItems", func() string { return several(inside) })
	add(8, "minItems", func() string { return m.pick("0", "1", "2") })
	add(12, "contains", inside)
	add(5, "allOf", func() string { return several(beside) })
	add(5, "anyOf", func() string { return several(beside) })
	add(5, "oneOf", func() string { return several(beside) })
	add(10, "not", beside)
	add(10, "if", beside)
	add(10, "then", beside)
	add(10, "else", beside)
	add(12, "unevaluatedProperties", inside)
	add(14, "unevaluatedItems", inside)
	add(12, "dependentSchemas", func() string { return `{"a":` + beside() + `}` })
	add(12, "dependentRequired", func() string { return `{"a":["b"]}` })
	add(14, "maxProperties", func() string { return "2" })
	add(10, "default", func() string { return m.pick(`{}`, `[]`, `{"a":"a"}`, `"a"`, `1`, `null`, `{"zz":1}`) })
	return "{" + strings.Join(words, ",") + "}"
}
