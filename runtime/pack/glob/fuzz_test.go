package glob

import (
	"strings"
	"testing"
)

// enumerate lists all paths of up to three segments of up to three of these
// letters; short enough to try them all, long enough for every construct.
var enumerate = func() (paths []string) {
	letters := []string{"a", "b", "c", "."}
	var names []string
	for size, list := 1, []string{""}; size <= 3; size++ {
		var longer []string
		for _, s := range list {
			for _, l := range letters {
				longer = append(longer, s+l)
			}
		}
		names, list = append(names, longer...), longer
	}
	short := []string{"a", "b", "c", "ab", ".a", "ba", "bc", ".b", ".c"}
	for _, n := range names {
		paths = append(paths, n)
		for _, m := range short {
			paths = append(paths, n+"/"+m, m+"/"+n)
			for _, o := range short {
				paths = append(paths, n+"/"+m+"/"+o, m+"/"+n+"/"+o)
			}
		}
	}
	return paths
}()

// few is a list that is short enough to try for every input of a fuzzer.
var few = func() (paths []string) {
	names := []string{"a", "b", "c", "ab", "ba", "aa", ".a", ".b"}
	for _, n := range names {
		paths = append(paths, n)
		for _, m := range names {
			paths = append(paths, n+"/"+m)
			for _, o := range names[:4] {
				paths = append(paths, n+"/"+o+"/"+m)
			}
		}
	}
	return paths
}()

// folded turns every letter and digit into one of those that the paths have.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return 'a' + r%3
		}
		return r
	}, s)
}

// slowMatch decides by the rules as they read, without automata: braces are
// written out, segments are matched one by one, by trying.
func slowMatch(pattern, path string) bool {
	if !IsClean(path) {
		return false
	}
	if i := strings.IndexByte(pattern, '{'); i >= 0 {
		end := i + strings.IndexByte(pattern[i:], '}')
		for option := range strings.SplitSeq(pattern[i+1:end], ",") {
			if slowMatch(pattern[:i]+option+pattern[end+1:], path) {
				return true
			}
		}
		return false
	}
	return slowSegments(strings.Split(strings.TrimPrefix(pattern, "./"), "/"), strings.Split(path, "/"))
}

func slowSegments(pattern, path []string) bool {
	if len(pattern) == 0 {
		return len(path) == 0
	}
	if pattern[0] == "**" {
		if slowSegments(pattern[1:], path) {
			return true
		}
		return len(path) > 0 && path[0][0] != '.' && slowSegments(pattern, path[1:])
	}
	return len(path) > 0 && slowSegment(pattern[0], path[0]) && slowSegments(pattern[1:], path[1:])
}

func slowSegment(pattern, name string) bool {
	if name[0] == '.' && (pattern[0] == '*' || pattern[0] == '?') {
		return false
	}
	return slowRunes([]rune(pattern), []rune(name))
}

func slowRunes(pattern, name []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == '*':
		return slowRunes(pattern[1:], name) || len(name) > 0 && slowRunes(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	return (pattern[0] == '?' || pattern[0] == name[0]) && slowRunes(pattern[1:], name[1:])
}

// FuzzContains holds that matching agrees with slowMatch on every path of a list,
// and that what one pattern matches is matched by every pattern that claims to
// contain it. Claims that could be made and are not are allowed.
func FuzzContains(f *testing.F) {
	for _, s := range [][2]string{{"**", "a/**"}, {"{a,b}*/**", "ab/?"}, {"**/.*", ".a"}, {"*a*", "ba/**"}, {"a/**/b", "a/*/b"}, {".*/**", "**"}, {"./a", "a"}, {"***", "?*"}, {"a{,b}", "{a,ab}"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		if len(one) > 40 || len(two) > 40 {
			return // slowMatch takes exponential time
		}
		one, two = folded(one), folded(two)
		p, errP := Compile(one)
		q, errQ := Compile(two)
		if errP != nil || errQ != nil {
			return
		}
		pq, qp := p.Contains(q), q.Contains(p)
		if !p.Contains(p) {
			t.Fatalf("%q does not contain itself", one)
		}
		common := Intersect([]Pattern{p}, []Pattern{q}, []Pattern{p, q}, []Pattern{q, p})
		for _, path := range few {
			inP, inQ := p.Match(path), q.Match(path)
			if strings.Count(one, "*") < 6 && inP != slowMatch(one, path) {
				t.Fatalf("%q matches %q: %v", one, path, inP)
			}
			if pq && inQ && !inP || qp && inP && !inQ {
				t.Fatalf("%q and %q: containment %v and %v, but %q is matched %v and %v", one, two, pq, qp, path, inP, inQ)
			}
			for _, r := range common {
				if r.Match(path) && !(inP && inQ) {
					t.Fatalf("the intersection %q of %q and %q matches %q", r, one, two, path)
				}
			}
		}
	})
}

// TestContainsBruteForce tries every pair of small patterns against every path.
func TestContainsBruteForce(t *testing.T) {
	segments := []string{"a", "*", "**", "?", "a*", "*a", ".a", ".*", "{a,b}", "{a,.b}*", "b?"}
	var texts []string
	for _, a := range segments {
		texts = append(texts, a)
		for _, b := range segments {
			texts = append(texts, a+"/"+b)
		}
	}
	patterns := compileAll(t, texts...)
	matched := make([][]bool, len(patterns))
	for i, p := range patterns {
		for _, path := range enumerate {
			in := p.Match(path)
			if in != slowMatch(texts[i], path) {
				t.Fatalf("%q matches %q: %v", texts[i], path, in)
			}
			matched[i] = append(matched[i], in)
		}
	}
	claims, missed := 0, 0
	for i := range patterns {
		for j := range patterns {
			inside := true
			for k := range enumerate {
				if matched[j][k] && !matched[i][k] {
					inside = false
					break
				}
			}
			switch got := patterns[i].Contains(patterns[j]); {
			case got && !inside:
				t.Errorf("%q claims to contain %q", texts[i], texts[j])
			case got:
				claims++
			case inside:
				missed++
				t.Errorf("%q contains %q, but does not claim so", texts[i], texts[j])
			}
		}
	}
	t.Logf("%d pairs, %d claims, %d missed", len(patterns)*len(patterns), claims, missed)
}
