package model

import (
	"maps"
	"slices"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// dropEndless takes away the defaults that would be filled in for ever: those whose
// value holds an object in which the same default is absent again.
func (b *builder) dropEndless() {
	type filling struct {
		owner Ref
		field int
	}
	makes := map[filling][]Ref{} // the structs in the value of a default
	found := map[reading][]Ref{} // the same, for the fields that share one
	for i := range b.m.Types {
		for j := range b.m.Types[i].Fields {
			f := &b.m.Types[i].Fields[j]
			if f.Default == nil || isScalar(f.Default.JSON) {
				continue
			}
			key := reading{f.Use.Type, f.Default}
			list, known := found[key]
			if !known {
				list = b.structsOf(key)
				found[key] = list
			}
			if len(list) > 0 {
				makes[filling{Ref(i), j}] = list
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

// reading is a default as a value of a type.
type reading struct {
	t    Ref
	text *Literal
}

// structsOf lists the structs that the default is decoded into.
func (b *builder) structsOf(r reading) []Ref {
	size := len(r.text.JSON)
	doc, err := source.Parse("default.json", []byte(r.text.JSON), source.Limits{MaxFileBytes: int64(size), MaxDepth: size, MaxValues: size})
	if err != nil {
		return nil // deeper than any document may be
	}
	m := maker{b, map[visit]bool{}, map[Ref]bool{}}
	m.value(r.t, doc.Root)
	return slices.Sorted(maps.Keys(m.made))
}

type maker struct {
	b    *builder
	seen map[visit]bool // alternatives come to the same members again and again
	made map[Ref]bool
}

type visit struct {
	t Ref
	v *source.Value
}

// value goes through v, a value of the type.
func (m *maker) value(r Ref, v *source.Value) {
	if m.seen[visit{r, v}] {
		return
	}
	m.seen[visit{r, v}] = true
	t := m.b.m.Type(r)
	switch t.Kind {
	case Struct:
		if v.Kind != source.Object {
			return
		}
		m.made[t.ID] = true
		for i := range t.Fields {
			if member := v.Get(t.Fields[i].Name); member != nil {
				m.value(t.Fields[i].Use.Type, member)
			}
		}
		if t.Extra != nil {
			m.all(t.Extra.Type, v)
		}
	case Union:
		for i := range t.Options {
			m.value(t.Options[i].Use.Type, v)
		}
	case Wrapper:
		m.value(t.Elem.Type, v)
	case Tuple:
		for i, item := range v.Items {
			if i < len(t.Fields) {
				m.value(t.Fields[i].Use.Type, item)
			} else if t.Extra != nil {
				m.value(t.Extra.Type, item)
			}
		}
	case List, Map:
		m.all(t.Elem.Type, v)
	}
}

// all goes through all members or elements of v.
func (m *maker) all(r Ref, v *source.Value) {
	for _, item := range v.Items {
		m.value(r, item)
	}
	for i := range v.Members {
		m.value(r, v.Members[i].Value)
	}
}
