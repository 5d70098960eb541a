package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// Bounds on what Warnings says and how long it looks.
const (
	maxWarnings = 100
	maxCompared = 20_000 // different words that are no keywords
	longestWord = 32     // bytes; keywords are shorter
	most        = 2      // edits between a word and the keyword it was meant to be
)

// word is a keyword: the drafts that have it, and what to write in the others.
type word struct {
	since, till Draft  // till 0: still there
	instead     string // before and after; "" where the word does no harm there
}

// words are the keywords of all drafts. A draft's reader does not forget what was
// deprecated: definitions and dependencies stay.
var words = func() map[string]word {
	all := map[string]word{}
	for since, names := range map[Draft]string{
		Draft4: "$schema $ref title description default multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern items maxItems " +
			"minItems uniqueItems maxProperties minProperties required additionalProperties properties patternProperties dependencies enum type allOf anyOf " +
			"oneOf not format definitions",
		Draft6:    "examples",
		Draft7:    "$comment readOnly writeOnly contentMediaType contentEncoding",
		Draft2019: "$defs $vocabulary contentSchema deprecated",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = word{since: since}
		}
	}
	for name, w := range map[string]word{
		"id":              {Draft4, OpenAPI30, "it is $id now"},
		"$id":             {Draft6, 0, "it is id in draft 4"},
		"additionalItems": {Draft4, Draft2019, "items beside prefixItems says it now"},
		"const":           {Draft6, 0, "an enum of one value says the same"},
		"if":              {Draft7, 0, ""}, "then": {Draft7, 0, ""}, "else": {Draft7, 0, ""},
		"contains": {Draft6, 0, ""}, "propertyNames": {Draft6, 0, ""},
		"dependentSchemas": {Draft2019, 0, "dependencies says it here"}, "dependentRequired": {Draft2019, 0, "dependencies says it here"},
		"unevaluatedItems": {Draft2019, 0, ""}, "unevaluatedProperties": {Draft2019, 0, ""},
		"minContains": {Draft2019, 0, ""}, "maxContains": {Draft2019, 0, ""},
		"$anchor":          {Draft2019, 0, `an $id such as "#name" says it here`},
		"$recursiveRef":    {Draft2019, Draft2019, "$dynamicRef says it in 2020-12, $ref in others"},
		"$recursiveAnchor": {Draft2019, Draft2019, "$dynamicAnchor says it in 2020-12"},
		"prefixItems":      {Draft2020, 0, "an array of schemas in items says it here"},
		"$dynamicRef":      {Draft2020, 0, "$ref, or $recursiveRef in 2019-09, says it here"},
		"$dynamicAnchor":   {Draft2020, 0, "$recursiveAnchor says it in 2019-09"},
		"nullable":         {OpenAPI30, OpenAPI30, `write a type such as ["string", "null"]`},
		"divisibleBy":      {-1, -1, "it is multipleOf now"},
		"disallow":         {-1, -1, "not says it now"},
		"extends":          {-1, -1, "allOf says it now"},
	} {
		if w.instead == "" {
			w.instead = fmt.Sprintf(`it is a keyword from draft %s on; name that in "$schema"`, strings.TrimPrefix(w.since.String(), "draft-0"))
		}
		all[name] = w
	}
	return all
}()

// common are words near a keyword that people mean as they write them: annotations of
// other tools.
var common = []string{"example", "comment", "comments", "$comments", "formats", "options", "titles", "descriptions", "name", "note", "notes", "tsType"}

// in reports whether the draft has the keyword.
func (w word) in(d Draft) bool { return d >= w.since && (w.till == 0 || d <= w.till) && w.since > 0 }

// Warnings says which members of schemas are keywords that are misspelt, or that only
// another draft has: they have no effect, and JSON Schema allows them. Documents that
// joined from elsewhere are not the user's to mend and stay out of it.
func (g *Graph) Warnings() diag.List {
	w := speller{near: map[Draft]map[string]string{}}
	for _, d := range g.docs {
		if d.Joined || d.unknown {
			continue
		}
		for _, s := range d.order {
			if s.standard() {
				w.schema(s)
			}
		}
	}
	if w.more > 0 {
		w.list.Add(diag.Diagnostic{Severity: diag.Note, Code: "graph.more", Message: fmt.Sprintf("%d further warnings about keywords are not shown", w.more)})
	}
	return w.list
}

// standard reports whether s is written in a draft, not in a dialect that may have
// keywords of its own.
func (s *Schema) standard() bool {
	for _, r := range []*Schema{s.Resource, s.doc.Root} {
		if v := r.Value.Get("$schema"); v != nil {
			_, known := draftOf(v.Text)
			return known
		}
	}
	return true
}

type speller struct {
	near     map[Draft]map[string]string // the keyword that a word is close to; "" for none
	compared int
	list     diag.List
	more     int
}

func (w *speller) schema(s *Schema) {
	for i := range s.Value.Members {
		m := &s.Value.Members[i]
		if s.ignores(m.Name) || len(m.Name) > longestWord || strings.HasPrefix(m.Name, "x-") {
			continue
		}
		known, isWord := words[m.Name]
		switch {
		case isWord && (known.in(s.Draft) || known.instead == "" || !foreign(m)):
		case isWord && s.Draft == OpenAPI30 && openAPI[m.Name]:
		case isWord:
			w.warn(s, m, "graph.other-draft", fmt.Sprintf("%s is no keyword of %s and has no effect", quote(m.Name), s.Draft), known.instead)
		default:
			if best := w.closest(s.Draft, m.Name); best != "" {
				w.warn(s, m, "graph.unknown-keyword", fmt.Sprintf("%s is not a keyword and has no effect", quote(m.Name)), fmt.Sprintf("did you mean %q?", best))
			}
		}
	}
}

func (w *speller) warn(s *Schema, m *source.Member, code, message, hint string) {
	if len(w.list) >= maxWarnings {
		w.more++
		return
	}
	w.list.Add(diag.Diagnostic{Severity: diag.Warning, Code: code, Pos: m.NamePos, Pointer: s.Pointer + "/" + source.EscapeToken(m.Name), Message: message, Hint: hint})
}

// openAPI are the words that OpenAPI 3.0 adds to draft 4, among those of other drafts.
var openAPI = map[string]bool{"readOnly": true, "writeOnly": true, "deprecated": true}

// foreign reports whether the value is one that the keyword has in its own draft: id may
// be somebody's annotation.
func foreign(m *source.Member) bool {
	switch m.Name {
	case "id", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef":
		return m.Value.Kind == source.String
	case "nullable":
		return m.Value.IsTrue()
	case "divisibleBy":
		return m.Value.Kind == source.Number
	}
	return true
}

// closest is the keyword of the draft that a word was probably meant to be, or "".
func (w *speller) closest(d Draft, name string) string {
	near := w.near[d]
	if near == nil {
		near = map[string]string{}
		w.near[d] = near
	}
	best, known := near[name]
	if known || w.compared >= maxCompared {
		return best
	}
	w.compared++
	if !slices.Contains(common, name) {
		best = spelling.Within(name, keywordsOf(d), most)
	}
	near[name] = best
	return best
}

// keywordsOf lists the keywords of a draft.
func keywordsOf(d Draft) []string {
	var names []string
	for name, w := range words {
		if w.in(d) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
