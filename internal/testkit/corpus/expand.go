package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// inputBase is the name by which an output refers to the input of its case.
const inputBase = "@input"

// maxNodes bounds a resolved value, so that bases which name each other several
// times cannot grow without end.
const maxNodes = 1 << 20

// base is a resolved document. Its value is shared between all that refer to
// it and must never be changed in place.
type base struct {
	value any
	nodes int
}

// bases holds the documents by name.
type bases map[string]base

// add reads one line of a bases file.
func (b bases) add(text []byte) error {
	var line struct {
		Base string          `json:"base"`
		Doc  json.RawMessage `json:"doc"`
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	if line.Base == "" || line.Base == inputBase || line.Doc == nil {
		return errors.New("a base needs a name of its own and a doc")
	}
	if _, ok := b[line.Base]; ok {
		return fmt.Errorf("base %q is defined twice", line.Base)
	}
	doc, err := decode(line.Doc)
	if err != nil {
		return err
	}
	resolved, err := b.resolve(doc, nil)
	if err != nil {
		return fmt.Errorf("base %q: %w", line.Base, err)
	}
	b[line.Base] = resolved
	return nil
}

// expand replaces every base reference in raw. Text without one is returned as
// it is, copied; input may be nil.
func (b bases) expand(raw, input json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(raw, []byte(`$base`)) {
		return bytes.Clone(raw), nil
	}
	value, err := decode(raw)
	if err != nil {
		return nil, err
	}
	var in *base
	if input != nil {
		v, err := decode(input)
		if err != nil {
			return nil, err
		}
		in = &base{v, count(v)}
	}
	resolved, err := b.resolve(value, in)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(resolved.value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func (b bases) resolve(v any, input *base) (base, error) {
	out := base{nodes: 1}
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["$base"]; ok {
			return b.reference(name, v, input)
		}
		m := make(map[string]any, len(v))
		for key, member := range v {
			r, err := b.resolve(member, input)
			if err != nil {
				return base{}, err
			}
			m[key] = r.value
			out.nodes += r.nodes
		}
		out.value = m
	case []any:
		a := make([]any, len(v))
		for i, item := range v {
			r, err := b.resolve(item, input)
			if err != nil {
				return base{}, err
			}
			a[i] = r.value
			out.nodes += r.nodes
		}
		out.value = a
	default:
		out.value = v
	}
	if out.nodes > maxNodes {
		return base{}, fmt.Errorf("value has more than %d parts", maxNodes)
	}
	return out, nil
}

func (b bases) reference(name any, v map[string]any, input *base) (base, error) {
	text, ok := name.(string)
	if !ok {
		return base{}, errors.New("$base is not a string")
	}
	for key := range v {
		if key != "$base" && key != "$patch" {
			return base{}, fmt.Errorf("unknown member %q beside $base", key)
		}
	}
	found, ok := b[text]
	if text == inputBase && input != nil {
		found, ok = *input, true
	}
	if !ok {
		return base{}, fmt.Errorf("no base has the name %q", text)
	}
	patch, ok := v["$patch"]
	if !ok {
		return found, nil
	}
	ops, ok := patch.([]any)
	if !ok {
		return base{}, errors.New("$patch is not a list")
	}
	for i, op := range ops {
		added, err := b.apply(&found.value, op, input)
		if err != nil {
			return base{}, fmt.Errorf("$patch of %q: operation %d: %w", text, i, err)
		}
		// Removed parts still count, so the sum is a bound, not a size.
		if found.nodes += added; found.nodes > maxNodes {
			return base{}, fmt.Errorf("value has more than %d parts", maxNodes)
		}
	}
	return found, nil
}

// apply runs one operation on *doc and returns how many parts it brought in.
func (b bases) apply(doc *any, op any, input *base) (int, error) {
	m, ok := op.(map[string]any)
	if !ok {
		return 0, errors.New("not an object")
	}
	name, _ := m["op"].(string)
	path, ok := m["path"].(string)
	if !ok {
		return 0, errors.New("no path")
	}
	tokens, err := splitPointer(path)
	if err != nil {
		return 0, err
	}
	var value base
	switch name {
	case "add", "replace":
		raw, ok := m["value"]
		if !ok {
			return 0, fmt.Errorf("%s without a value", name)
		}
		if value, err = b.resolve(raw, input); err != nil {
			return 0, err
		}
	case "remove":
	default:
		return 0, fmt.Errorf("unknown operation %q", name)
	}
	*doc, err = edit(*doc, tokens, name, value.value)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", name, path, err)
	}
	return value.nodes, nil
}

func count(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			n += count(member)
		}
	case []any:
		for _, item := range v {
			n += count(item)
		}
	}
	return n
}

// decode keeps numbers as they are written.
func decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("text after the value")
	}
	return v, nil
}
