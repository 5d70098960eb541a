package rules

import (
	"context"
	"math/rand/v2"

	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// Mutator makes documents that are near the fixtures of a registry, for tests that
// hold engines to each other.
type Mutator struct {
	f     *finder
	edits map[string][]edit
}

// Mutator reads the fixtures beside the registry; dir is the project's folder.
func (s *Set) Mutator(ctx context.Context, in *interp.Interp, dir string, lim source.Limits) *Mutator {
	f := &finder{Set: s, in: in, pool: map[model.Ref][]*source.Value{}}
	f.fixtures(ctx, dir, lim)
	return &Mutator{f, map[string][]edit{}}
}

// Len is the number of fixtures.
func (m *Mutator) Len() int { return len(m.f.docs) }

// numbers are texts that readers like to get wrong.
var numbersOfNote = []string{"0", "-1", "1.0", "1e2", "-0", "9007199254740993", "9223372036854775807", "9223372036854775808", "0.1", "1E400"}

// Next returns a document and its schema, and sometimes another version of it. Most
// are valid in structure.
func (m *Mutator) Next(rnd *rand.Rand) (schema model.Ref, doc, old []byte) {
	d := m.f.docs[rnd.IntN(len(m.f.docs))]
	if m.edits[d.name] == nil {
		m.edits[d.name] = m.f.edits(d.schema, d.value, constants{})
	}
	version := func() []byte {
		v := d.value
		for n := rnd.IntN(4); n > 0; n-- {
			list := m.edits[d.name]
			if len(list) == 0 {
				break
			}
			e := list[rnd.IntN(len(list))]
			if e.value != nil && e.value.Kind == source.Number && rnd.IntN(3) == 0 {
				e.value = &source.Value{Kind: source.Number, Text: numbersOfNote[rnd.IntN(len(numbersOfNote))]}
			}
			if changed, err := apply(v, patchOf([]edit{e})); err == nil {
				v = changed
			}
		}
		return escapeSome(source.AppendJSON(nil, v), rnd)
	}
	doc = version()
	if rnd.IntN(3) == 0 {
		old = version()
	}
	return d.schema, doc, old
}

// escapeSome writes some letters of strings as escapes, which mean the same.
func escapeSome(text []byte, rnd *rand.Rand) []byte {
	if rnd.IntN(4) > 0 {
		return text
	}
	const hex = "0123456789abcdef"
	var out []byte
	in := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case in && c == '\\':
			out = append(out, c, text[i+1])
			i++
			continue
		case c == '"':
			in = !in
		case in && c >= 'a' && c <= 'z' && rnd.IntN(40) == 0:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			continue
		}
		out = append(out, c)
	}
	return out
}
