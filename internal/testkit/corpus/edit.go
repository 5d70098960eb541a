package corpus

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// edit returns doc with the value at the path added, replaced or removed. Only
// the containers on the path are copied; doc itself stays as it was.
func edit(doc any, path []string, op string, value any) (any, error) {
	if len(path) == 0 {
		if op == "remove" {
			return nil, errors.New("the whole document cannot be removed")
		}
		return value, nil
	}
	token, rest := path[0], path[1:]
	switch doc := doc.(type) {
	case map[string]any:
		return editObject(doc, token, rest, op, value)
	case []any:
		return editArray(doc, token, rest, op, value)
	}
	return nil, fmt.Errorf("nothing at %q: its parent is neither an object nor an array", token)
}

func editObject(doc map[string]any, name string, rest []string, op string, value any) (any, error) {
	old, ok := doc[name]
	if !ok && (len(rest) > 0 || op != "add") {
		return nil, fmt.Errorf("no member %q", name)
	}
	out := maps.Clone(doc)
	if len(rest) > 0 {
		child, err := edit(old, rest, op, value)
		if err != nil {
			return nil, err
		}
		out[name] = child
		return out, nil
	}
	if op == "remove" {
		delete(out, name)
	} else {
		out[name] = value
	}
	return out, nil
}

func editArray(doc []any, token string, rest []string, op string, value any) (any, error) {
	inserting := op == "add" && len(rest) == 0
	if token == "-" && inserting {
		return append(slices.Clone(doc), value), nil
	}
	i, err := index(token)
	if err != nil {
		return nil, err
	}
	if i > len(doc) || i == len(doc) && !inserting {
		return nil, fmt.Errorf("index %d in an array of %d", i, len(doc))
	}
	out := slices.Clone(doc)
	switch {
	case len(rest) > 0:
		child, err := edit(doc[i], rest, op, value)
		if err != nil {
			return nil, err
		}
		out[i] = child
	case op == "add":
		out = slices.Insert(out, i, value)
	case op == "remove":
		out = slices.Delete(out, i, i+1)
	default:
		out[i] = value
	}
	return out, nil
}

func index(token string) (int, error) {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || strconv.Itoa(i) != token {
		return 0, fmt.Errorf("%q is not an array index", token)
	}
	return i, nil
}

// splitPointer splits an RFC 6901 pointer into its unescaped tokens.
func splitPointer(p string) ([]string, error) {
	if p == "" {
		return nil, nil
	}
	if p[0] != '/' {
		return nil, fmt.Errorf("pointer %q does not start with /", p)
	}
	tokens := strings.Split(p[1:], "/")
	for i, t := range tokens {
		for rest := t; ; {
			_, after, ok := strings.Cut(rest, "~")
			if !ok {
				break
			}
			if after == "" || after[0] != '0' && after[0] != '1' {
				return nil, fmt.Errorf("pointer %q has a ~ without 0 or 1", p)
			}
			rest = after[1:]
		}
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
	}
	return tokens, nil
}
