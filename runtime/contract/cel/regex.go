package cel

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Patterns are compiled once per process, as long as there are not too many of them: they
// mostly stand in the rules, but may come from a document too.
const (
	mostPattern  = 8192 // bytes of a pattern
	mostPatterns = 512  // patterns that are remembered
)

var patterns struct {
	sync.RWMutex
	compiled map[string]pattern
}

// pattern is a compiled pattern.
type pattern struct {
	*regexp.Regexp
	cost int // steps for each byte that is matched: the size of the automaton, which a{1000} makes large
}

// pattern compiles a regular expression of Go's syntax, which is RE2's.
func (c *Ctx) pattern(text string) (pattern, Val) {
	patterns.RLock()
	re, known := patterns.compiled[text]
	patterns.RUnlock()
	if known {
		return re, Null()
	}
	if len(text) > mostPattern {
		return re, Err("the regular expression is too long")
	}
	if !c.spend(len(text) + 1) {
		return re, errLimit
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return re, Err(err.Error())
	}
	re = pattern{compiled, automaton(text)}
	if !c.spend(16 * re.cost) {
		return re, errLimit
	}
	patterns.Lock()
	defer patterns.Unlock()
	if len(patterns.compiled) < mostPatterns {
		if patterns.compiled == nil {
			patterns.compiled = map[string]pattern{}
		}
		patterns.compiled[strings.Clone(text)] = re
	}
	return re, Null()
}

// automaton returns the cost of a pattern that has been compiled before.
func automaton(text string) int {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 1
	}
	return 1 + len(program.Inst)/32
}

// matcher reads a string and a pattern, and draws for matching: a pass over the string.
func (c *Ctx) matcher(s, p Val) (string, pattern, Val) {
	if s.kind != KindString || p.kind != KindString {
		return "", pattern{}, failed(s, p)
	}
	re, bad := c.pattern(p.str)
	if bad.kind != KindError && !c.spend((len(s.str)+1)*re.cost) {
		bad = errLimit
	}
	return s.str, re, bad
}

// Matches is s.matches(pattern): found anywhere in s.
func (c *Ctx) Matches(s, pattern Val) Val {
	x, re, bad := c.matcher(s, pattern)
	if bad.kind == KindError {
		return bad
	}
	return Bool(re.MatchString(x))
}

// Find is s.find(pattern): the first match, or "".
func (c *Ctx) Find(s, pattern Val) Val {
	x, re, bad := c.matcher(s, pattern)
	if bad.kind == KindError {
		return bad
	}
	return String(re.FindString(x))
}

// FindAll is s.findAll(pattern) or s.findAll(pattern, limit); a negative limit is none.
func (c *Ctx) FindAll(args ...Val) Val {
	kinds := []Kind{KindString, KindString, KindInt}
	if bad := accepts(args, kinds[:max(2, min(len(args), 3))]...); bad.kind == KindError {
		return bad
	}
	limit := -1
	if len(args) == 3 {
		limit = clampInt(args[2].int())
	}
	s, re, bad := c.matcher(args[0], args[1])
	if bad.kind == KindError {
		return bad
	}
	found, ok := matches(c, s, re, limit, re.FindAllString)
	if !ok {
		return errLimit
	}
	return textList(found)
}

// matches collects the matches of a pattern, at most limit unless that is negative; ok
// is false when there are no steps left. Looking for one may take a pass over all that
// follows, so each draws for a part of it.
func matches[T any](c *Ctx, s string, re pattern, limit int, find func(s string, n int) []T) (found []T, ok bool) {
	if limit == 0 {
		return nil, true
	}
	each := 4 + len(s)/16*re.cost
	for n := 32; ; n *= 4 {
		if limit > 0 {
			n = min(n, limit)
		}
		if n = min(n, (c.limit-c.spent)/each); n <= 0 {
			return nil, c.spend(each) // which are not there
		}
		found = find(s, n)
		if !c.spend(len(found) * each) {
			return nil, false
		}
		if len(found) < n || n == limit {
			return found, true
		}
	}
}

// RegexExtract is regex.extract(s, pattern): an optional of the first match, or of its
// group if the pattern has one.
func (c *Ctx) RegexExtract(s, pattern Val) Val {
	x, re, bad := c.grouped(s, pattern)
	if bad.kind == KindError {
		return bad
	}
	m := re.FindStringSubmatch(x)
	switch {
	case m == nil, len(m) == 2 && m[1] == "":
		return None()
	}
	return Some(String(m[len(m)-1]))
}

// RegexExtractAll is regex.extractAll(s, pattern): all matches, or their groups that are
// not empty if the pattern has one.
func (c *Ctx) RegexExtractAll(s, pattern Val) Val {
	x, re, bad := c.grouped(s, pattern)
	if bad.kind == KindError {
		return bad
	}
	var found []string
	all, ok := matches(c, x, re, -1, re.FindAllStringSubmatch)
	if !ok {
		return errLimit
	}
	for _, m := range all {
		if len(m) == 1 || m[1] != "" {
			found = append(found, m[len(m)-1])
		}
	}
	return textList(found)
}

func (c *Ctx) grouped(s, p Val) (string, pattern, Val) {
	x, re, bad := c.matcher(s, p)
	if bad.kind != KindError && re.NumSubexp() > 1 {
		bad = Err("regular expression has more than one capturing group")
	}
	return x, re, bad
}

// RegexReplace is regex.replace(s, pattern, with) or regex.replace(s, pattern, with,
// limit); \0 to \9 stand for the match and its groups.
func (c *Ctx) RegexReplace(args ...Val) Val {
	kinds := []Kind{KindString, KindString, KindString, KindInt}
	if bad := accepts(args, kinds[:max(3, min(len(args), 4))]...); bad.kind == KindError {
		return bad
	}
	limit := -1
	if len(args) == 4 {
		limit = clampInt(args[3].int())
	}
	if limit == 0 {
		return args[0]
	}
	s, re, bad := c.matcher(args[0], args[1])
	if bad.kind == KindError {
		return bad
	}
	var out []byte
	last := 0
	all, ok := matches(c, s, re, limit, re.FindAllStringSubmatchIndex)
	if !ok {
		return errLimit
	}
	for _, m := range all {
		from := len(out)
		out = append(out, s[last:m[0]]...)
		if out, bad = expand(out, s, m, args[2].str); bad.kind == KindError {
			return bad
		}
		if last = m[1]; !c.spendMade(len(out) - from) {
			return errLimit
		}
	}
	return String(string(append(out, s[last:]...)))
}

// expand appends a replacement with its references filled in.
func expand(out []byte, s string, m []int, with string) ([]byte, Val) {
	for i := 0; i < len(with); i++ {
		if with[i] != '\\' {
			out = append(out, with[i])
			continue
		}
		if i++; i == len(with) {
			return nil, Err(`invalid replacement string: \ not allowed at end`)
		}
		group := int(with[i]) - '0'
		switch {
		case with[i] == '\\':
			out = append(out, '\\')
		case group < 0 || group > 9:
			return nil, Err(`invalid replacement string: \ must be followed by a digit or \`)
		case 2*group >= len(m):
			return nil, Err("replacement string references a group that the pattern does not have")
		case m[2*group] >= 0:
			out = append(out, s[m[2*group]:m[2*group+1]]...)
		}
	}
	return out, Null()
}
