package graph

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// uriRef is a URI reference without fragment.
type uriRef = url.URL

// suggest words the hint for a misspelt name, or returns "".
func (b *builder) suggest(word string, known []candidate) string {
	if len(known) == 0 || b.effort < len(known) {
		return ""
	}
	known = slices.Clone(known)
	slices.SortStableFunc(known, func(a, b candidate) int { return cmp.Compare(a.name, b.name) })
	words := make([]string, len(known))
	for i, c := range known {
		words[i] = c.name
	}
	best := b.closest(word, words)
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s, declared at %v?", quote(best), known[slices.Index(words, best)].pos)
}

// closest spends from a budget: each of many broken references in a large
// contract would otherwise be compared with each of its names.
func (b *builder) closest(word string, words []string) string {
	if b.effort -= len(words); b.effort < 0 {
		b.effort = 0
		return ""
	}
	return spelling.Closest(word, words)
}

// quote prints s for a message, shortened when it is long.
func quote(s string) string {
	const longest = 120
	if len(s) > longest {
		cut := longest
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		return strconv.Quote(s[:cut]) + "…"
	}
	return strconv.Quote(s)
}

func kindName(v *source.Value) string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[v.Kind]
}
