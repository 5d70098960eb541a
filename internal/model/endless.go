package model

import (
	encjson "encoding/json"
	"maps"
	"slices"

	"github.com/contractkit/contractkit/internal/diag"
)

// dropEndless takes away the defaults that would be filled in for ever: those whose
// value holds an object in which the same default is absent again.
func (b *builder) dropEndless() {
	type filling struct {
		owner Ref
		field int
	}
	makes := map[filling][]Ref{} // the structs in the value of a default
	for i := range b.m.Types {
		for j := range b.m.Types[i].Fields {
			f := &b.m.Types[i].Fields[j]
			if f.Default == nil || isScalar(f.Default.JSON) {
				continue
			}
			made := map[Ref]bool{}
			b.made(f.Use, []byte(f.Default.JSON), made)
			if len(made) > 0 {
				makes[filling{Ref(i), j}] = slices.Sorted(maps.Keys(made))
			}
		}
	}
	for i := range b.m.Types {
		for j := range b.m.Types[i].Fields {
			seen := map[Ref]bool{}
			open := makes[filling{Ref(i), j}]
			for len(open) > 0 && !seen[Ref(i)] {
				r := open[0]
				open = open[1:]
				if seen[r] {
					continue
				}
				seen[r] = true
				for k := range b.m.Types[r].Fields {
					open = append(open, makes[filling{r, k}]...)
				}
			}
			if !seen[Ref(i)] {
				continue
			}
			f := &b.m.Types[i].Fields[j]
			b.diags.Add(diag.Diagnostic{
				Severity: diag.Note, Code: "model.endless-default", Pos: f.Default.Pos,
				Message: "the default of " + f.Name + " holds what lacks it again; it is not filled in",
				Hint:    "write the member into the default, or leave the default out",
			})
			f.Default = nil
			delete(makes, filling{Ref(i), j})
		}
	}
}

// made collects the structs that the JSON text, a value of use, is decoded into.
func (b *builder) made(u Use, text []byte, made map[Ref]bool) {
	t := b.m.Type(u.Type)
	switch t.Kind {
	case Struct:
		var members map[string]encjson.RawMessage
		if encjson.Unmarshal(text, &members) != nil || members == nil {
			return
		}
		made[t.ID] = true
		for i := range t.Fields {
			if member, there := members[t.Fields[i].Name]; there {
				b.made(t.Fields[i].Use, member, made)
			}
		}
		for _, member := range members {
			if t.Extra != nil {
				b.made(*t.Extra, member, made)
			}
		}
	case Union:
		for i := range t.Options {
			b.made(t.Options[i].Use, text, made)
		}
	case Tuple:
		var items []encjson.RawMessage
		if encjson.Unmarshal(text, &items) != nil {
			return
		}
		for i, item := range items {
			if i < len(t.Fields) {
				b.made(t.Fields[i].Use, item, made)
			} else if t.Extra != nil {
				b.made(*t.Extra, item, made)
			}
		}
	case List, Map, Wrapper:
		var items []encjson.RawMessage
		var members map[string]encjson.RawMessage
		if t.Kind == Wrapper {
			items = []encjson.RawMessage{text}
		} else if encjson.Unmarshal(text, &items) != nil && encjson.Unmarshal(text, &members) != nil {
			return
		}
		for _, item := range items {
			b.made(t.Elem, item, made)
		}
		for _, member := range members {
			b.made(t.Elem, member, made)
		}
	}
}
