package govalidate

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/gen/internal/goview"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// defaultOf is the JSON text of what Parse makes of the field when it is absent, which
// is more than the schema's default when that lacks members with defaults.
func (e *emitter) defaultOf(field *model.Field) (text string, there bool) {
	if !goview.Stored(field) || field.Default == nil || e.literalOf(field.Use, field.Default.JSON) == nil {
		return "", false
	}
	return e.completed(field.Use, field.Normalize, field.Default.JSON), true
}

// completed is the value of a use that literalOf has an expression for, as it is after
// it was completed. Such values have an end, for the model drops other defaults.
func (e *emitter) completed(u model.Use, steps []string, text string) string {
	if text == "null" && e.IsNullable(u) {
		return text
	}
	t := e.Type(u.Type)
	switch t.Kind {
	case model.Text:
		s := goview.Unquote(text)
		for _, step := range steps {
			if f, known := normalizers[step]; known {
				s = f.apply(s)
			}
		}
		return goview.QuoteName(s)
	case model.List:
		return e.completedList(t, steps, text)
	case model.Map:
		names, values := orderedMembers(text)
		for i := range values {
			values[i] = goview.QuoteName(names[i]) + ":" + e.completed(t.Elem, e.elemNormalize(t), values[i])
		}
		return "{" + strings.Join(values, ",") + "}"
	case model.Struct:
		return e.completedStruct(t, text)
	case model.Tuple:
		items := elements(text)
		for i := range items {
			if i < len(t.Fields) {
				items[i] = e.completed(t.Fields[i].Use, t.Fields[i].Normalize, items[i])
			} else {
				items[i] = e.completed(*t.Extra, e.elemNormalize(t), items[i])
			}
		}
		return "[" + strings.Join(items, ",") + "]"
	case model.Union:
		return e.completed(t.Options[literalOption(t, text)].Use, nil, text)
	}
	return text
}

func (e *emitter) completedList(t *model.Type, steps []string, text string) string {
	items := elements(text)
	for i := range items {
		items[i] = e.completed(t.Elem, e.elemNormalize(t), items[i])
	}
	if e.isSet(t, steps) {
		for i := range items {
			items[i] = goview.Unquote(items[i])
		}
		items = contract.TextSet(items)
		for i := range items {
			items[i] = goview.QuoteName(items[i])
		}
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (e *emitter) completedStruct(t *model.Type, text string) string {
	names, values := orderedMembers(text)
	var members []string
	add := func(name, text string) { members = append(members, goview.QuoteName(name)+":"+text) }
	known := map[string]bool{}
	for i := range t.Fields {
		f := &t.Fields[i]
		known[f.Name] = true
		if at := slices.Index(names, f.Name); at >= 0 {
			add(f.Name, e.completed(f.Use, f.Normalize, values[at]))
		} else if text, there := e.defaultOf(f); there {
			add(f.Name, text)
		}
	}
	for i, name := range names {
		if !known[name] {
			add(name, e.completed(*t.Extra, e.elemNormalize(t), values[i]))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// elements splits the text of an array.
func elements(text string) []string {
	var items []json.RawMessage
	if json.Unmarshal([]byte(text), &items) != nil {
		return nil
	}
	list := make([]string, len(items))
	for i := range items {
		list[i] = string(items[i])
	}
	return list
}
