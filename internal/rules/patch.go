package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/source"
)

// clone copies a value so that a patch may change it.
func clone(v *source.Value) *source.Value {
	out := &source.Value{Kind: v.Kind, Pos: v.Pos, Bool: v.Bool, Text: v.Text}
	for i := range v.Members {
		m := v.Members[i]
		m.Value = clone(m.Value)
		out.Members = append(out.Members, m)
	}
	for _, x := range v.Items {
		out.Items = append(out.Items, clone(x))
	}
	return out
}

// apply returns v changed by the operations of a JSON Patch (RFC 6902): add, remove,
// replace, copy, move and test.
func apply(v *source.Value, patch *source.Value) (*source.Value, error) {
	v = clone(v)
	if patch == nil {
		return v, nil
	}
	for i, op := range patch.Items {
		path, from := op.Get("path"), op.Get("from")
		if op.Kind != source.Object || op.Get("op") == nil || path == nil || path.Kind != source.String {
			return nil, fmt.Errorf("operation %d: op and path are needed", i)
		}
		value := op.Get("value")
		var err error
		switch name := op.Get("op").Text; name {
		case "add", "replace", "test":
			if value == nil {
				return nil, fmt.Errorf("operation %d: a value is needed", i)
			}
			switch name {
			case "add":
				err = put(&v, path.Text, clone(value), true)
			case "replace":
				err = put(&v, path.Text, clone(value), false)
			default:
				at := v.Lookup(path.Text)
				if at == nil || string(source.AppendJSON(nil, at)) != string(source.AppendJSON(nil, value)) {
					err = fmt.Errorf("the value is another one")
				}
			}
		case "remove":
			err = remove(v, path.Text)
		case "copy", "move":
			if from == nil {
				return nil, fmt.Errorf("operation %d: from is needed", i)
			}
			at := v.Lookup(from.Text)
			if at == nil {
				return nil, fmt.Errorf("operation %d: there is nothing at %s", i, from.Text)
			}
			at = clone(at)
			if name == "move" {
				err = remove(v, from.Text)
			}
			if err == nil {
				err = put(&v, path.Text, at, true)
			}
		default:
			err = fmt.Errorf("%q is no operation", name)
		}
		if err != nil {
			return nil, fmt.Errorf("operation %d at %s: %w", i, path.Text, err)
		}
	}
	return v, nil
}

// parent splits a pointer into the container and the last token.
func parent(v *source.Value, pointer string) (*source.Value, string, error) {
	at := strings.LastIndexByte(pointer, '/')
	if at < 0 {
		return nil, "", fmt.Errorf("%q is no JSON Pointer", pointer)
	}
	in := v.Lookup(pointer[:at])
	if in == nil {
		return nil, "", fmt.Errorf("there is nothing at %s", pointer[:at])
	}
	name, ok := source.UnescapeToken(pointer[at+1:])
	if !ok {
		return nil, "", fmt.Errorf("%q is no JSON Pointer", pointer)
	}
	return in, name, nil
}

// indexOf is the index that a token names, as RFC 6901 writes it; -1 for none.
func indexOf(name string) int {
	i, err := strconv.Atoi(name)
	if err != nil || strconv.Itoa(i) != name {
		return -1
	}
	return i
}

func put(v **source.Value, pointer string, value *source.Value, add bool) error {
	if pointer == "" {
		*v = value
		return nil
	}
	in, name, err := parent(*v, pointer)
	if err != nil {
		return err
	}
	switch in.Kind {
	case source.Object:
		for i := range in.Members {
			if in.Members[i].Name == name {
				in.Members[i].Value = value
				return nil
			}
		}
		if !add {
			return fmt.Errorf("there is no member to replace")
		}
		in.Members = append(in.Members, source.Member{Name: name, Value: value})
		return nil
	case source.Array:
		i := len(in.Items)
		if name != "-" || !add {
			if i = indexOf(name); i < 0 || i > len(in.Items) || !add && i == len(in.Items) {
				return fmt.Errorf("there is no element %s", name)
			}
		}
		if !add {
			in.Items[i] = value
			return nil
		}
		in.Items = append(in.Items, nil)
		copy(in.Items[i+1:], in.Items[i:])
		in.Items[i] = value
		return nil
	}
	return fmt.Errorf("the value around it is neither object nor array")
}

func remove(v *source.Value, pointer string) error {
	in, name, err := parent(v, pointer)
	if err != nil {
		return err
	}
	switch in.Kind {
	case source.Object:
		for i := range in.Members {
			if in.Members[i].Name == name {
				in.Members = append(in.Members[:i], in.Members[i+1:]...)
				return nil
			}
		}
	case source.Array:
		if i := indexOf(name); i >= 0 && i < len(in.Items) {
			in.Items = append(in.Items[:i], in.Items[i+1:]...)
			return nil
		}
	}
	return fmt.Errorf("there is nothing to remove")
}
