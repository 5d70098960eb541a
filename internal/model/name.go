package model

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/contractkit/contractkit/internal/graph"
)

// hint is the name that a type made for s would like to have: that of its file or
// definition, then the members that lead to it.
func (b *builder) hint(s *graph.Schema) string {
	doc := b.g.Document(s)
	root := camel(stem(s.Doc.Path))
	if v := doc.Root.Value.Get("x-go-name"); v != nil && v.Text != "" {
		root = v.Text
	}
	if b.opt.RootName != "" && !doc.Joined {
		root = b.opt.RootName
	}
	return hintOf(root, s.Pointer)
}

// reserve keeps the names of documents from their definitions where every document
// has a type that callers ask for by its name.
func (b *builder) reserve() {
	b.reserved = map[string]Ref{}
	for i, d := range b.m.Documents {
		if !b.opt.Root || b.g.Documents()[i].Joined {
			continue
		}
		root := b.m.Schema(d.Root)
		name := root.GoName
		if name == "" {
			name = root.Name
		}
		if b.reserved[name] == 0 {
			b.reserved[name] = d.Root
		}
	}
}

// name returns a free name for the type of s: its override, its hint, or the hint
// with a number.
func (b *builder) name(s *Schema, kind TypeKind) string {
	want := first(first(s.GoType, s.GoName), s.Name)
	if b.opt.RootName != "" && s.ID == b.m.Documents[s.Document].Root && !b.g.Documents()[s.Document].Joined {
		want = b.opt.RootName
	}
	if kind == Enum && s.ID == b.m.Documents[s.Document].Root {
		want += "Value" // the document itself wraps it
	}
	if want == "" { // of letters and digits there are none
		want = "X"
	}
	name := want
	for i := max(2, b.next[want]); b.names[name] != 0 || b.reserved[name] != 0 && b.reserved[name] != s.ID; i++ {
		name = want + strconv.Itoa(i)
		b.next[want] = i + 1
	}
	return name
}

func hintOf(root, pointer string) string {
	name := root
	tokens := strings.Split(pointer, "/")[1:]
	if pointer == "" {
		tokens = nil
	}
	for i := 0; i < len(tokens); i++ {
		next := func() string {
			if i++; i < len(tokens) {
				return camel(unescape(tokens[i]))
			}
			return ""
		}
		switch t := tokens[i]; t {
		case "$defs", "definitions":
			name = next()
		case "properties":
			name += next()
		case "items", "contains", "additionalItems":
			name += "Item"
			if i+1 < len(tokens) {
				if _, err := strconv.Atoi(tokens[i+1]); err == nil {
					name += next()
				}
			}
		case "additionalProperties":
			name += "Value"
		case "anyOf", "oneOf", "allOf":
			name += "Option" + ordinal(next())
		default:
			name += camel(unescape(t))
		}
	}
	return name
}

func ordinal(index string) string {
	n, err := strconv.Atoi(index)
	if err != nil {
		return index
	}
	return strconv.Itoa(n + 1)
}

var unescaper = strings.NewReplacer("~1", "/", "~0", "~")

func unescape(token string) string { return unescaper.Replace(token) }

// isDefinition reports whether the pointer names a definition of its file.
func isDefinition(pointer string) bool {
	rest, found := strings.CutPrefix(pointer, "/$defs/")
	if !found {
		rest, found = strings.CutPrefix(pointer, "/definitions/")
	}
	return found && !strings.Contains(rest, "/")
}

// stem is a file's name without folder and schema endings: orders/a.v1.schema.json
// gives a.v1.
func stem(file string) string {
	name := path.Base(file)
	for _, ending := range []string{".json", ".yaml", ".yml", ".schema"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// camel joins the words of a wire name: actor_ref.v1 gives ActorRefV1.
func camel(s string) string {
	var b strings.Builder
	upper := true
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			upper = true
			continue
		}
		if upper {
			r = unicode.ToUpper(r)
		}
		upper = false
		b.WriteRune(r)
	}
	return b.String()
}
