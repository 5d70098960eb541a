package pattern

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// planName is the plan's kind in a word.
func planName(p Plan) string {
	return strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", p), "*"), "pattern.")
}

// cases are patterns with the plan that each must get: a slower plan is a bug too.
var cases = []struct{ src, plan string }{
	{``, "Always"},
	{`.*`, "Always"},
	{`a*`, "Always"},
	{`^`, "Always"},
	{`$`, "Always"},
	{`^.*`, "Always"},
	{`^|a`, "Always"},
	{`ping`, "Contains"},
	{`.*ping.*`, "Contains"},
	{`(?:x?)p\u{1F600}`, "Contains"},
	{`\.json$`, "Suffix"},
	{`^$`, "Straight"},
	{`^x-`, "Straight"},
	{`^foo$`, "Straight"},
	{`^foo.*`, "Straight"},
	{`^.*$`, "Straight"},
	{`^.+$`, "Straight"},
	{`^\s*\S+\s*$`, "Straight"},
	{`^\s*\d+\s*$`, "Straight"},
	{`^[a-zA-Z0-9_-]+$`, "Straight"},
	{`^[a-zA-Z0-9_-]+`, "Straight"},
	{`^[a-z]{2,5}-[0-9]{1,6}$`, "Straight"},
	{`^[a-fA-F0-9]{64}$`, "Straight"},
	{`^(sha256:)?[a-fA-F0-9]{64}$`, "Straight"},
	{`^[a-z0-9]+(?:-[a-z0-9]+)*$`, "Straight"},
	{`^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,3}$`, "Straight"},
	{`^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`, "Straight"},
	{`^(?:artifact|repo|render|file|files|https|http|git\+https)://`, "Straight"},
	{`^(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+|\.)(?:/(?:[^/\\.][^/\\]*|\.[^/\\.][^/\\]*|\.\.[^/\\]+|\.)?)*$`, "Straight"},
	{`^(@[a-z0-9-~][a-z0-9-._~]*/)?[a-z0-9-~][a-z0-9-._~]*$`, "Straight"},
	{`^hasna\.[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*\.v[0-9]+$`, "DFA"},
	{`^#(?:[\da-fA-F]{3}){1,2}$`, "Straight"},
	{`^lin|^lnx$|ms.*win|oob$`, "DFA"},
	{`^(|en|zh.*)$`, "Straight"},
	{`[^ ]`, "DFA"},
	{`^([0-9a-f]{32})|(#\{.*\}#?)$`, "DFA"},
	{`^[é-ü]{2,3}$`, "Straight"},
	{`^\p{L}+$`, "DFA"},
	{`^😀{1,2}\uD83D\uDE00$`, "DFA"},
	{`^[^a]{3}$`, "Straight"},
	{`^[^a]{2,3}b$`, "DFA"},
	{`^[^b]{2,3}b$`, "Straight"},
	{`(a|b)*abb`, "Contains"},
	{`^(a|b)*abb`, "DFA"},
	{`^(a?){20}a{20}$`, "DFA"},
	{`(x+x+)+y`, "DFA"},
	{`(a|b)*a(a|b){13}$`, "Regexp"},
	{`^\s*\S(?:.{0,198}\S)?\s*$`, "Padded"},
	{`^\s*[^\0-\x1f\s](?:[^\0-\x1f]*[^\0-\x1f\s])?\s*$`, "DFA"},
	{`\bfoo\b`, "DFA"},
	{`^\Bx?`, "DFA"},
	{`a^`, "Never"},
	{`a$b`, "Never"},
	{`[]`, "Never"},
	{`^[^]$`, "Straight"},
	{`a{,5}`, "Contains"},
	{`^{$`, "Straight"},
	{`^a{1}}]$`, "Straight"},
	{`^[\w-:]$`, "Straight"},
	{`^[\b\cC\0]$`, "Straight"},
	{`^\-\_\/\@$`, "Straight"},
	{`^[a-z]{5000}$`, "Straight"},
	{`^(?:a|aa)+$`, "DFA"},
	{`^(?:a$|b)`, "DFA"},
	{`(?:^a|b)+c$`, "DFA"},
	{`^(?<year>\d{4})-(?<month>\d{2})$`, "Straight"},
	{`^(?:ab|cd){2}$`, "Straight"},
	{`^(?:ab|cd){2}`, "Straight"},
	{`^(?:ab?|cd)+`, "Straight"},
	{`^(?:ab?|cd){3}`, "Straight"},
	{`x|(?:^|,)$`, "DFA"},
	{`$^`, "DFA"},
	{`^a(b(c(d(e(f(g(h(i)?)?)?)?)?)?)?)?$`, "Straight"},
}

var noise = []string{"", "a", "b", "/", "\n", "-", "0", ".", " ", "\u2028", "\u00a0", "é", "😀", "\x7f", "\x00", "Z"}

// mutate changes s in one place, keeping it valid UTF-8.
func mutate(rnd *rand.Rand, s string) string {
	r := []rune(s)
	at := rnd.IntN(len(r) + 1)
	piece := noise[rnd.IntN(len(noise))]
	switch rnd.IntN(4) {
	case 0:
		return string(r[:at]) + piece + string(r[at:])
	case 1:
		return string(r[:at]) + piece + string(r[min(at+1, len(r)):])
	case 2:
		return string(r[:at])
	}
	return s
}

// disagreement compares the plan of p with Go's regexp on random strings.
func disagreement(p *Pattern, rounds int) error {
	re, err := regexp.Compile(p.RE2())
	if err != nil || p.RE2() == "" {
		return nil // beyond Go's syntax or limits; TestBacktrack looks at those
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	check := func(s string) error {
		if got, want := p.MatchString(s), re.MatchString(s); got != want {
			return fmt.Errorf("%s by %s on %q: %v, Go's regexp %s says %v", p, planName(p.Plan()), s, got, p.RE2(), want)
		}
		return nil
	}
	for _, s := range noise {
		if err := check(s); err != nil {
			return err
		}
	}
	for range rounds {
		s := p.Sample(rnd)
		for range rnd.IntN(4) {
			s = mutate(rnd, s)
		}
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

func TestPlans(t *testing.T) {
	for _, c := range cases {
		p, err := Parse(c.src)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.src, err)
			continue
		}
		if got := planName(p.Plan()); got != c.plan {
			t.Errorf("plan of %s: %s, want %s", c.src, got, c.plan)
		}
		if err := disagreement(p, 400); err != nil {
			t.Error(err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		src    string
		offset int
		want   string // part of the message
	}{
		{`(?m)^a`, 0, "flag m"}, {`(a)(?i)\1`, 9, "without regard to case"},
		{`x\p{Nope}`, 1, `property \p{Nope}`},
		{`a(b`, 1, "group is not closed"},
		{`ab)`, 2, "unmatched )"},
		{`[a`, 0, "class is not closed"},
		{`[z-a]`, 1, "range is out of order"},
		{`*a`, 0, "nothing to repeat"},
		{`a**`, 2, "nothing to repeat"},
		{`{2}`, 0, "nothing to repeat"},
		{`^*`, 0, "an assertion cannot be repeated"},
		{`a{3,2}`, 1, "out of order"},
		{`a\`, 1, "backslash"},
		{`\Z`, 0, `unknown escape \Z`},
		{`\a`, 0, `unknown escape \a`},
		{`\1`, 0, "refers to no group"},
		{`\u12`, 0, "hexadecimal"},
		{`\u{110000}`, 0, "code point"},
		{`\xg0`, 0, "hexadecimal"},
		{`\c1`, 0, "letter"},
		{`\07`, 0, "octal"},
		{`\p{L`, 0, "braces"},
		{`(?<1>a)`, 3, "group name"},
		{`(?<>a)`, 0, "group name is empty"},
		{`(?`, 0, "unknown group"},
		{"a\xff", 1, "UTF-8"},
	} {
		_, err := Parse(c.src)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q): error %v, want one with %q", c.src, err, c.want)
			continue
		}
		var syntax *SyntaxError
		var unsupported *UnsupportedError
		switch {
		case errors.As(err, &syntax):
			if syntax.Offset != c.offset {
				t.Errorf("Parse(%q): offset %d, want %d", c.src, syntax.Offset, c.offset)
			}
		case errors.As(err, &unsupported):
			if !errors.Is(err, ErrUnsupported) || unsupported.Offset != c.offset {
				t.Errorf("Parse(%q): %v, want offset %d", c.src, err, c.offset)
			}
		default:
			t.Errorf("Parse(%q): error of type %T", c.src, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("(", 10_000) + strings.Repeat(")", 10_000),
		strings.Repeat("a", maxPattern+1),
		`a{99999999999999999999}`,
		`(((x{1000}y?){1000}z?){1000}w?){1000}\b`,
	} {
		if _, err := Parse(src); !errors.Is(err, ErrTooLarge) {
			t.Errorf("Parse(%.30q…): error %v, want ErrTooLarge", src, err)
		}
	}
}

// TestSample: what is sampled from a pattern without assertions inside matches it.
func TestSample(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for _, c := range cases {
		p, err := Parse(c.src)
		if err != nil {
			t.Fatal(err)
		}
		if _, body, _ := anchors(p.root); body.asserts() || c.plan == "Never" {
			continue
		}
		for range 50 {
			if s := p.Sample(rnd); !p.MatchString(s) {
				t.Errorf("%s does not match its sample %q", c.src, s)
			}
		}
	}
}

// Case-insensitive groups are ECMA-262 since 2025; (?i) without a colon comes with
// patterns that were written for other languages.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{`(?i)^abc$`, "aBC", true}, {`^(?i)(sell|buy)$`, "SELL", true}, {`^(?i)(sell|buy)$`, "sold", false},
		{`^(?i:a)b$`, "Ab", true}, {`^(?i:a)b$`, "AB", false}, {`^(?:(?i)a)b$`, "AB", false}, {`^(?i)a(?-i:b)c$`, "AbC", true}, {`^(?i)a(?-i:b)c$`, "ABC", false},
		{`(?i)^[^a]$`, "A", false}, {`(?i)^[^a]$`, "b", true}, {`(?i)^[a-c]+$`, "AbC", true}, {`(?i)^\u00e9$`, "É", true}, {`(?i)^k$`, "\u212A", true},
		{`(?i)a|b`, "B", true}, {`^.$`, "\n", false}, {`(?s)^.$`, "\n", true}, {`(?is)^a.B$`, "A\nb", true},
	} {
		p, err := Parse(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got := p.MatchString(c.text); got != c.want {
			t.Errorf("%s on %q: %v", c.pattern, c.text, got)
		}
	}
}
