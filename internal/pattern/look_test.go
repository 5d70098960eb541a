package pattern

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// lookCases are patterns with look-around, word boundaries and references: what
// they match, what not, and the plan that each must get.
var lookCases = []struct {
	src     string
	yes, no []string
	plan    string
}{
	{`^(?!-)[a-z-]+$`, []string{"a", "a-"}, []string{"", "-a", "A"}, "DFA"},
	{`^(?!foo$).*$`, []string{"", "fo", "fooo", "xfoo"}, []string{"foo"}, "DFA"},
	{`^(?!.*\.\.).+$`, []string{"a.b", "."}, []string{"", "a..b", ".."}, "DFA"},
	{`^(?=.*\d)(?=.*[a-z]).{4,8}$`, []string{"a234", "123x5678"}, []string{"1234", "abcd", "a23", "123456789"}, "DFA"},
	{`^(?!.*[-_]{2,})(?=^[^-_].*[^-_]$)[\w\s-]{3,16}$`, []string{"a b-c"}, []string{"-ab", "ab-", "a--b", "ab"}, "DFA"},
	{`^(?![ \t\n]*\(default(.*)\))[\s\S]*`, []string{"", "x (default)", "(def)"}, []string{"(default)", " \n(default x) y"}, "DFA"},
	{`^(?:(?!secret).)*$`, []string{"", "secre", "xsecre t"}, []string{"secret", "my secrets"}, "DFA"},
	{`^((?!(^|/)\.{1,2}(/|$)).)*$`, []string{"a/b", "..a", "a..b"}, []string{"..", "../a", "./a"}, "DFA"},
	{`(?<!-)$`, []string{"", "a"}, []string{"-", "a-"}, "DFA"},
	{`^[a-z.]+(?<!\.)$`, []string{"a", "a.b"}, []string{"a.", "."}, "DFA"},
	{`(?<=^|,)x(?=,|$)`, []string{"x", "a,x,b", "x,"}, []string{"", "ax", "xa,bx"}, "DFA"},
	{`(?<![0-9])[0-9]{3}(?![0-9])`, []string{"123", "a123b"}, []string{"1234", "12"}, "DFA"},
	{`(?<=(?<!\\)")x`, []string{`"x`, `\\x"x`}, []string{`\"x`, `x`}, "DFA"},
	{`\bfoo\b`, []string{"foo", "a foo-b"}, []string{"afoo", "foo1"}, "DFA"},
	{`\Bo\B`, []string{"foo!oo oox"}, []string{"o", "of"}, "DFA"},
	{`^\b`, []string{"a"}, []string{"", " a"}, "DFA"},
	{`(?!é)(?!$)`, []string{"a", "éa"}, []string{"", "é"}, "DFA"},
	{`^(?=a|é)(?!aé).{2}$`, []string{"aa", "éé"}, []string{"aé", "ba", "a"}, "DFA"},
	{`^(?=a(?!b))a`, []string{"a", "ac"}, []string{"ab", "b"}, "DFA"},
	{`^(?!a(?=b(?!c)))a`, []string{"a", "abc", "ac"}, []string{"ab", "abd"}, "DFA"},
	{`(?=a)*b`, []string{"b", "ab"}, []string{"a"}, "Contains"},
	{`^(?=a)+b?`, []string{"a"}, []string{"b", ""}, "DFA"},
	{`(?=x)y`, nil, []string{"", "xy"}, "Never"},
	{`(?!)`, nil, []string{"", "a"}, "Never"},
	{`(?=)`, []string{"", "a"}, nil, "Always"},
	{`(?<=a(?=b))b`, []string{"ab"}, []string{"b", "a"}, "Backtrack"},
	{`(?<=a$)`, []string{"a", "ba"}, []string{"", "ab"}, "Backtrack"},

	{`^(a+)\1$`, []string{"aa", "aaaa"}, []string{"", "a", "aaa"}, "Backtrack"},
	{`^(["'])[^"']*\1$`, []string{`"x"`, `''`}, []string{`"x'`, `"`}, "Backtrack"},
	{`^(?<q>["']).*\k<q>$`, []string{`"x"`, `'"'`}, []string{`"x'`}, "Backtrack"},
	{`^(?:(a)|b)*\1$`, []string{"ab", "aa", "b", ""}, []string{"c"}, "Backtrack"},
	{`^\1(a)$`, []string{"a"}, []string{"aa"}, "Backtrack"},
	{`^(?:\1(a)|b)+$`, []string{"a", "ab", "aaba"}, []string{"", "c"}, "Backtrack"},
	{`^(?=(a+))\1b$`, []string{"ab", "aab"}, []string{"b", "a"}, "Backtrack"},
	{`^(?=(a+?))\1b$`, []string{"ab"}, []string{"aab"}, "Backtrack"},
	{`^(?=(a|ab))\1c$`, []string{"ac"}, []string{"abc"}, "Backtrack"},
	{`^(?!(a)\1).`, []string{"a", "ab", "b"}, []string{"aa", ""}, "Backtrack"},
	{`(?<=(.)\1)x`, []string{"ax", "abx"}, []string{"x"}, "Backtrack"},
	{`(?<=\1(.))x`, []string{"aax", "baax"}, []string{"abx", "ax"}, "Backtrack"},
	{`^(.)(.)?\2\1$`, []string{"aa", "abba"}, []string{"ab", "aba"}, "Backtrack"},
	{`^(é|😀)\1{2}$`, []string{"ééé", "😀😀😀"}, []string{"éé😀", "éé"}, "Backtrack"},
	{`^(?:(a?)b?)*\1c$`, []string{"c", "abc", "abac"}, []string{"ab"}, "Backtrack"},
	{`^(a*)*\1$`, []string{"", "aa"}, []string{"a", "b"}, "Backtrack"},
	{`\b(\w+) \1\b`, []string{"the the", "a bc bc"}, []string{"the then", "a b"}, "Backtrack"},
	{`^(?:(x)(?!\1)|y)+$`, []string{"x", "xyx"}, []string{"xx", ""}, "Backtrack"},
}

func TestLook(t *testing.T) {
	for _, c := range lookCases {
		p, err := Parse(c.src)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := planName(p.Plan()); got != c.plan {
			t.Errorf("plan of %s: %s, want %s", c.src, got, c.plan)
		}
		for _, s := range c.yes {
			if !p.MatchString(s) {
				t.Errorf("%s must match %q", c.src, s)
			}
		}
		for _, s := range c.no {
			if p.MatchString(s) {
				t.Errorf("%s must not match %q", c.src, s)
			}
		}
	}
}

// near gives random strings of pieces that matter to a pattern.
func near(rnd *rand.Rand, src string, yes []string) string {
	pieces := append([]string{"a", "b", "-", ".", "é", "1", "\n", " ", "x", ","}, yes...)
	for _, r := range src {
		if !strings.ContainsRune(`\()[]{}?*+|^$`, r) {
			pieces = append(pieces, string(r))
		}
	}
	var b strings.Builder
	for range rnd.IntN(6) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

// otherOpinion compares a plan with backtracking over the same tree.
func otherOpinion(p *Pattern, s string) error {
	slow, err := compileBacktrack(p.root)
	if err != nil {
		return nil
	}
	if found, decided := slow.Search.Find([]byte(s)); decided && found != p.MatchString(s) {
		return fmt.Errorf("%s by %s on %q: %v, backtracking says %v", p, planName(p.Plan()), s, !found, found)
	}
	return nil
}

// TestBacktrack holds every plan to the backtracker, which shares nothing with
// them but the tree.
func TestBacktrack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	check := func(src string, yes []string) {
		p, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			return
		}
		for range 200 {
			s := near(rnd, src, yes)
			if rnd.IntN(2) == 0 {
				s = mutate(rnd, p.Sample(rnd))
			}
			if len(s) > 2000 {
				continue
			}
			if err := otherOpinion(p, s); err != nil {
				t.Error(err)
				return
			}
		}
	}
	for _, c := range cases {
		check(c.src, nil)
	}
	for _, c := range lookCases {
		check(c.src, c.yes)
	}
}

// TestNode asks the engine whose language this is.
func TestNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	type question struct {
		Src   string
		Texts []string
	}
	var questions []question
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, c := range lookCases {
		q := question{c.src, slices.Concat(c.yes, c.no)}
		for range 100 {
			q.Texts = append(q.Texts, near(rnd, c.src, c.yes))
		}
		questions = append(questions, q)
	}
	in, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	// (?=a)* is no unicode-mode syntax; browsers take it without the flag.
	cmd := exec.Command(node, "-e", `
const make = (s) => { try { return new RegExp(s, "u") } catch { return new RegExp(s) } };
const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(questions.map((q) => q.Texts.map((t) => make(q.Src).test(t)))));`)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var answers [][]bool
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		p, err := Parse(q.Src)
		if err != nil {
			t.Errorf("%s: %v", q.Src, err)
			continue
		}
		for k, s := range q.Texts {
			if got := p.MatchString(s); got != answers[i][k] {
				t.Errorf("%s by %s on %q: %v, node says %v", q.Src, planName(p.Plan()), s, got, answers[i][k])
			}
		}
	}
}

// TestCostly: no pattern and no string take long, and what is given up is not found.
func TestCostly(t *testing.T) {
	for _, src := range []string{
		`^(?:(a+)+)\1$`, `^(a*)*\1b$`, `^(a|a)*\1c$`, `(x+x+)+\1y`, `^(?=(a+)+$)\1\1b`, `^(.*)\1(.*)\2(.*)\3!$`,
		`(a?){500}(a){500}\2b`, `^(?:(?=(a*))a)*\1b$`, `(?<=\1(a+)+)b$`,
	} {
		p, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		for _, n := range []int{30, 3000, 30_000} {
			text := strings.Repeat("a", n) + "!"
			start := time.Now()
			found, decided := p.Plan().(*Backtrack).Search.Find([]byte(text))
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("%s took %v on %d bytes", src, took, n)
			}
			if found && !decided {
				t.Errorf("%s is found and not decided", src)
			}
		}
	}
	p, err := Parse(`^(a*)*\1b$`)
	if err != nil {
		t.Fatal(err)
	}
	if _, decided := p.Plan().(*Backtrack).Search.Find([]byte(strings.Repeat("a", 100))); decided {
		t.Error("a search that takes for ever was decided")
	}
	for _, src := range []string{`^(?!.*(?:a|b)*a(?:a|b){40}$)`, strings.Repeat(`(?=.*a.{9}b)`, 12), strings.Repeat(`(?!`, 150) + strings.Repeat(`)`, 150),
		`^(?:(?!a.{20}b)(?=a.{20}c)[a-d])*$`, strings.Repeat(`(?<=(?<!a.{5}`, 20) + strings.Repeat(`))`, 20)} {
		start := time.Now()
		if _, err := Parse(src); err != nil {
			t.Errorf("%.60s: %v", src, err)
		}
		if took := time.Since(start); took > 50*time.Second {
			t.Errorf("%.60s took %v to parse", src, took)
		}
	}
}
