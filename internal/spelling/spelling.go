// Package spelling finds the name that a misspelt one was probably meant to be.
package spelling

import "fmt"

// longest is how many bytes of a name are compared; longer ones get no suggestion.
const longest = 128

// Closest returns the candidate with the fewest edits from word, or "" when
// none is close: a third of the word's bytes may differ. The first of equally
// close ones wins. The cost is at most 128*128 steps a candidate.
func Closest(word string, candidates []string) string {
	return Within(word, candidates, len(word))
}

// Within is Closest with at most so many edits.
func Within(word string, candidates []string, edits int) string {
	best, bestDistance := "", min(len(word)/3, edits)+1
	if len(word) > longest {
		return ""
	}
	for _, c := range candidates {
		if c == word || len(c) > longest || max(len(c)-len(word), len(word)-len(c)) >= bestDistance {
			continue
		}
		if d := distance(word, c, bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// Ask is the hint about a misspelt word: which of the candidates was meant, or otherwise
// when none is close.
func Ask(word string, candidates []string, otherwise string) string {
	if best := Closest(word, candidates); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return otherwise
}

// distance counts insertions, removals, replacements and swaps of neighbours
// that lead from a to b. It gives up with limit once the result cannot be lower.
func distance(a, b string, limit int) int {
	var rows [3][longest + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= len(b); j++ {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		lowest := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			lowest = min(lowest, d)
		}
		if lowest >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
