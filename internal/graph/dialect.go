package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// maxChain is how many meta-schemas may lie between a schema and a draft.
const maxChain = 8

// meaning is what a "$schema" was found to mean.
type meaning struct {
	dialect
	known   bool
	lost    bool             // it leads to a file that is broken
	unknown []*source.Member // vocabularies that are required and not known
}

// dialectOf finds out what the "$schema" v means inside base: a draft, or a
// meta-schema at hand, whose own "$schema" leads to the draft and whose
// "$vocabulary" says what of it counts.
func (b *builder) dialectOf(base *uri, v *source.Value) meaning {
	if draft, ok := draftOf(v.Text); ok {
		return meaning{dialect: draft.whole(), known: true}
	}
	u, fragment, err := reference(v.Text)
	if err != nil || fragment != "" {
		return meaning{}
	}
	absolute := base.resolve(u)
	if m, done := b.dialects[absolute.text]; done {
		return m
	}
	m := b.readDialect(absolute)
	b.dialects[absolute.text] = m
	return m
}

func (b *builder) readDialect(at *uri) meaning {
	var vocabulary *source.Value
	for range maxChain {
		doc := b.shelf.own[at.text]
		if doc == nil {
			doc = b.peek(at.text)
		}
		if doc == nil {
			return meaning{lost: b.broken(at.text)}
		}
		if vocabulary == nil {
			vocabulary = doc.Root.Get("$vocabulary")
		}
		next := doc.Root.Get("$schema")
		if next == nil || next.Kind != source.String {
			return meaning{}
		}
		if draft, ok := draftOf(next.Text); ok {
			return counted(draft, vocabulary)
		}
		u, _, err := reference(next.Text)
		if err != nil {
			return meaning{}
		}
		at = at.resolve(u)
	}
	return meaning{}
}

// counted reads a "$vocabulary"; the drafts that have none ignore it.
func counted(draft Draft, vocabulary *source.Value) meaning {
	m := meaning{dialect: draft.whole(), known: true}
	names := vocabularies[draft]
	if names == nil || vocabulary == nil || vocabulary.Kind != source.Object {
		return m
	}
	m.vocab = 0
	for i := range vocabulary.Members {
		member := &vocabulary.Members[i]
		short, standard := strings.CutPrefix(member.Name, draft.vocabularyURL())
		v, known := names[short]
		switch {
		case standard && known:
			if v == Format && draft == Draft2019 && member.Value.IsTrue() {
				v |= FormatAssertion // 2019-09 demands it this way
			}
			m.vocab |= v
		case member.Value.IsTrue():
			m.unknown = append(m.unknown, member)
		}
	}
	return m
}

// rootDialect reads the "$schema" of a document.
func (b *builder) rootDialect(d *Document, v *source.Value) dialect {
	own := b.opt.Draft.whole()
	if v == nil || v.Kind != source.String {
		return own // if anything is wrong with it the meta-schema says so
	}
	m := b.dialectOf(d.file, v)
	if !m.known {
		if d.unknown = true; !m.lost {
			b.unknownDialect(v, "")
		}
		return own
	}
	b.unknownVocabulary(m, v, "")
	return m.dialect
}

// unknownDialect reports the "$schema" of the schema at a pointer.
func (b *builder) unknownDialect(v *source.Value, pointer string) {
	hint := `write "$schema": "` + Draft2020.URL() + `", or add its meta-schema to the documents`
	if best := b.closest(v.Text, dialects()); best != "" {
		hint = "did you mean \"" + best + "\"?"
	}
	b.add(diag.Diagnostic{Code: "graph.unknown-dialect", Pos: v.Pos, Pointer: pointer + "/$schema",
		Message: "the dialect " + quote(v.Text) + " is not known", Hint: hint})
}

// unknownVocabulary reports what a meta-schema asks of us and we cannot give.
func (b *builder) unknownVocabulary(m meaning, v *source.Value, pointer string) {
	for _, member := range m.unknown {
		b.add(diag.Diagnostic{Code: "graph.unknown-vocabulary", Pos: v.Pos, Pointer: pointer + "/$schema",
			Message: fmt.Sprintf("the dialect %s requires the vocabulary %s, which is not known", quote(v.Text), quote(member.Name)),
			Hint:    "if its keywords are annotations, let the meta-schema say false behind the vocabulary",
			Related: []diag.Related{{Pos: member.NamePos, Message: "required here"}}})
	}
}

func dialects() []string {
	var all []string
	for _, u := range draftURLs {
		all = append(all, u)
	}
	slices.Sort(all)
	return all
}
