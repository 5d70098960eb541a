package graph

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// metaSchema compiles the meta-schema of a draft, which the library embeds.
var metaSchema = func() func(Draft) *jsonschema.Schema {
	compiled := map[Draft]func() *jsonschema.Schema{}
	for d := range draftURLs {
		compiled[d] = sync.OnceValue(func() *jsonschema.Schema {
			c := jsonschema.NewCompiler()
			c.LoadURL = func(u string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is not fetched", u) }
			return c.MustCompile(d.URL())
		})
	}
	return func(d Draft) *jsonschema.Schema {
		if d == OpenAPI30 {
			d = Draft4 // it says nothing of "nullable", "discriminator" and the like, and allows them
		}
		return compiled[d]()
	}
}()

// meta holds every schema to the meta-schema of its draft: each one alone,
// without the schemas inside it. The library's work for one error grows with
// the square of the depth, and so depth is kept from it.
func (b *builder) meta() {
	inner := make(map[*source.Value]bool, len(b.queue))
	for _, s := range b.queue {
		// A keyword's place is checked with the schema around it: booleans, which draft-04 allows in
		// two places only, and what is a schema just because a reference leads there.
		inner[s.Value] = s.placed && s.Value.Kind == source.Object
	}
	for _, s := range b.queue {
		switch {
		case s.doc.unknown, s.doc.overfull, s.Value.Kind == source.Bool && s.Pointer != "":
		case b.full():
			b.dropped = max(b.dropped, 1)
			return
		default:
			b.check(s, inner)
		}
	}
}

// check validates one schema and reports one problem a cause.
func (b *builder) check(s *Schema, inner map[*source.Value]bool) {
	rest := alone(s, inner)
	if rest == nil {
		return
	}
	err := metaSchema(s.Draft).Validate(rest)
	if err == nil {
		return
	}
	ve, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		b.add(diag.Diagnostic{Code: "graph.meta-schema", Pos: s.Value.Pos, Pointer: s.Pointer, Message: "the meta-schema cannot be applied: " + err.Error()})
		return
	}
	causes := leaves(ve)
	slices.SortFunc(causes, func(a, b cause) int {
		return cmp.Or(cmp.Compare(a.pointer, b.pointer), cmp.Compare(a.message, b.message))
	})
	for _, c := range slices.Compact(causes) {
		v := s.Value.Lookup(c.pointer)
		if v == nil { // cannot be: the library walked the same tree
			v = s.Value
		}
		if path.Base(c.pointer) == "$id" && strings.HasPrefix(c.message, "does not match pattern") {
			continue // its own code, graph.bad-id, says more
		}
		message := c.message
		if name, ok := source.UnescapeToken(path.Base(c.pointer)); ok && c.pointer != "" {
			message = quote(name) + ": " + message
		}
		b.add(diag.Diagnostic{Code: "graph.meta-schema", Pos: v.Pos, Pointer: s.Pointer + c.pointer, Message: message, Hint: b.advice(s, c, v)})
	}
}

// alone turns s into what the library validates: without the members that s
// ignores, and without inner schemas. It returns nil when what is left needs no
// library.
func alone(s *Schema, inner map[*source.Value]bool) any {
	if s.Value.Kind != source.Object {
		return instance(s.Value, inner)
	}
	object := make(map[string]any, len(s.Value.Members))
	for i := range s.Value.Members {
		m := &s.Value.Members[i]
		if !inner[m.Value] && !s.ignores(m.Name) && !plain(m) {
			object[m.Name] = instance(m.Value, inner)
		}
	}
	if len(object) == 0 {
		return nil
	}
	return object
}

// plain reports whether every draft allows m; it knows the members that make up
// most of a contract.
func plain(m *source.Member) bool {
	switch m.Name {
	case "$ref", "title", "description", "$comment":
		return m.Value.Kind == source.String
	case "type":
		return m.Value.Kind == source.String && slices.Contains(typeNames, m.Value.Text)
	}
	return false
}

func instance(v *source.Value, inner map[*source.Value]bool) any {
	switch v.Kind {
	case source.Bool:
		return v.Bool
	case source.Number:
		return tame(v.Text)
	case source.String:
		return v.Text
	case source.Array:
		items := make([]any, len(v.Items)) // the number of items counts, and so inner schemas are kept, as {}
		for i, item := range v.Items {
			items[i] = instance(item, inner)
		}
		return items
	case source.Object:
		object := make(map[string]any, len(v.Members))
		if inner[v] {
			return object
		}
		for i := range v.Members {
			if m := &v.Members[i]; !inner[m.Value] {
				object[m.Name] = instance(m.Value, inner)
			}
		}
		return object
	}
	return nil
}

// tame keeps the library, which computes with exact fractions, from writing out
// a number such as 1e999999999. Meta-schemas ask only for the sign and whether a
// number is whole, so one of the same kind stands in for it.
func tame(text string) json.Number {
	const most = 400
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		if len(text) <= 4096 {
			return json.Number(text)
		}
		i = len(text)
	}
	exponent := 0
	if i < len(text) {
		var err error
		if exponent, err = strconv.Atoi(text[i+1:]); err != nil {
			exponent = most + 1
			if text[i+1] == '-' {
				exponent = -exponent
			}
		}
	}
	if len(text) <= 4096 && exponent <= most && exponent >= -most {
		return json.Number(text)
	}
	mantissa := strings.TrimPrefix(text[:i], "-")
	sign := text[:i-len(mantissa)]
	switch {
	case strings.Trim(mantissa, "0.") == "":
		return "0"
	case whole(mantissa, exponent):
		return json.Number(sign + "1e400")
	}
	return json.Number(sign + "0.5")
}

// whole reports whether mantissa times ten to the exponent is an integer.
func whole(mantissa string, exponent int) bool {
	digits, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	if fraction != "" {
		return exponent >= len(fraction)
	}
	return exponent >= 0 || len(digits)-len(strings.TrimRight(digits, "0")) >= -exponent
}

// cause is one reason why a meta-schema was not satisfied.
type cause struct{ pointer, message string }

// leaves collects the reasons below ve. Of the branches of anyOf and oneOf one
// is kept: the first that went deeper into the document, which is what the
// author meant; if none did, all are told as alternatives.
func leaves(ve *jsonschema.ValidationError) []cause {
	if len(ve.Causes) == 0 {
		if path.Base(ve.KeywordLocation) == "format" {
			return nil // patterns and references are read by other code, which knows more
		}
		return []cause{{unescapeLocation(ve.InstanceLocation), shorten(ve.Message)}}
	}
	var all []cause
	switch path.Base(ve.KeywordLocation) {
	case "anyOf", "oneOf":
		here := unescapeLocation(ve.InstanceLocation)
		var messages []string
		for _, branch := range ve.Causes {
			found := leaves(branch)
			if len(found) == 0 {
				return nil // only a format stood in the way
			}
			if !slices.ContainsFunc(found, func(c cause) bool { return c.pointer == here }) {
				return found
			}
			for _, c := range found {
				if c.pointer == here && !slices.Contains(messages, c.message) {
					messages = append(messages, c.message)
				}
			}
		}
		return []cause{{here, strings.Join(messages, ", or ")}}
	}
	for _, c := range ve.Causes {
		all = append(all, leaves(c)...)
	}
	return all
}

// unescapeLocation undoes the percent-encoding that the library adds to its pointers.
func unescapeLocation(p string) string {
	if plain, err := url.PathUnescape(p); err == nil {
		return plain
	}
	return p
}

func shorten(message string) string {
	const longest = 300
	if len(message) <= longest {
		return message
	}
	return strings.ToValidUTF8(message[:longest], "") + "…"
}

var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// advice is the hint for a cause: v is the value that it speaks of.
func (b *builder) advice(s *Schema, c cause, v *source.Value) string {
	switch name := path.Base(c.pointer); {
	case name == "required" && v.Kind == source.Bool:
		return `list the names of required members in the "required" array of the object around them`
	case name == "items" && v.Kind == source.Array && s.Draft >= Draft2020:
		return `since 2020-12 a tuple is written as "prefixItems"`
	case (name == "exclusiveMinimum" || name == "exclusiveMaximum") && v.Kind == source.Bool && s.Draft >= Draft6:
		return "since draft-06 this is the limit itself, a number"
	case name == "exclusiveMinimum" || name == "exclusiveMaximum":
		if s.Draft == Draft4 && v.Kind == source.Number {
			return `in draft-04 this is a boolean beside "minimum" or "maximum"`
		}
	case v.Kind == source.String && (name == "type" || path.Base(path.Dir(c.pointer)) == "type"):
		if best := b.closest(v.Text, typeNames); best != "" {
			return "did you mean " + quote(best) + "?"
		}
	case v.Kind == source.Bool && s.Draft == Draft4:
		return "draft-04 has no boolean schemas: write {} or {\"not\": {}}"
	}
	return "the document is held to the meta-schema of " + s.Draft.String()
}
