package glob

import (
	"strings"
	"testing"
	"time"
)

func TestMatch(t *testing.T) {
	tests := []struct{ pattern, yes, no string }{
		{"**", "a a/b a/b/c", ".a a/.b .a/b"},
		{"*", "a ab", "a/b .a"},
		{"src/**", "src src/a src/a/b", "srca src/.env src/.git/config src/a/.b SRC/a"},
		{".box/**", ".box .box/a", ".box/.h/x box .boxa"},
		{"**/.env", ".env a/.env a/b/.env", ".a/.env env"},
		{"*.ts", "a.ts", ".ts a.tsx b/a.ts"},
		{".*", ".a .ab", "a"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "a/xb a/.x/b"},
		{"a**b", "ab axb", "a/b"},
		{"***", "a ab", "a/b .a"},
		{"a?c", "abc aäc", "ac a/c abbc"},
		{"?a", "ba", ".a"},
		{"{a,b}/c", "a/c b/c", "c ab/c"},
		{"a{,b}", "a ab", "b"},
		{"{a/b,c}/**", "a/b c/x a/b/x", "a"},
		{"./a", "a", "b"},
		{"a b", "a\u0020b", "a"},
	}
	for _, test := range tests {
		p := compileAll(t, test.pattern)[0]
		for want, list := range map[bool]string{true: test.yes, false: test.no} {
			paths := strings.Fields(list)
			if strings.Contains(test.pattern, " ") && want {
				paths = []string{list}
			}
			for _, path := range paths {
				if p.Match(path) != want {
					t.Errorf("%q matches %q: %v", test.pattern, path, !want)
				}
			}
		}
	}
	all := compileAll(t, "{**,.*/**,.*/.*,**/.*/**}")[0]
	for _, path := range []string{"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\x00", `a\b`, "a/\xff", strings.Repeat("a", 5000)} {
		if all.Match(path) {
			t.Errorf("the path %q is matched", path)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, text := range []string{"", "/", "/a", "a/", "a//b", ".", "..", "./", "././a", "a/..", "../a", "a/./b", "!a", "[a]", "a]", "(a|b)", "@(a)", "a|b", `a\b`,
		"{a", "a}", "{a}", "{}", "{a,{b,c}}", "{a..b}", "{a,..}/b", "{a,}/b/{,c}", "a/{b,}", "C:/a", "c:a", "a\x00", "a\n", "\xff", strings.Repeat("a", 1025),
		strings.Repeat("{a,b}", 7)} {
		if p, err := Compile(text); err == nil || !p.IsZero() || p.Match("a") || p.Contains(p) || p.Reaches("a") {
			t.Errorf("%q is compiled", text)
		}
	}
}

func TestContains(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"**", "a/**", true}, {"**", "*", true}, {"*", "**", false}, {"**", ".a", false}, {"**/*", "**", true}, {"*/**", "**", true},
		{"a/**", "a/**/b", true}, {"a/**", "a/*/b/?", true}, {"a/*", "a/?", true}, {"a/?", "a/*", false}, {"a/?*", "a/*", true},
		{"{a,b}/*", "?/*", false}, {"?/*", "{a,b}/*", true}, {"{a*,b*}", "{ab,ba}", true}, {"*a*", "*aa*", true}, {"*aa*", "*a*", false},
		{"**/a", "a", true}, {"**/a/**", "b/a/c/a", true}, {".*/**", ".git/**", true}, {"**/.*", "a/.b", true}, {"**/.*", ".a/.b", false},
		{"a**b", "a*b", true}, {"a/**", "a/.b", false}, {"{*,.*}", ".a", true}, {"é*", "éa", true}, {"?", "é", true},
		{"a/**/b/**", "a/**/c/b/**", true}, {"{a/**,b/**}", "{b,a}/**", true}, {"src/*", "src/.*", false},
	}
	for _, test := range tests {
		p := compileAll(t, test.a, test.b)
		if got := p[0].Contains(p[1]); got != test.want {
			t.Errorf("%q contains %q: %v", test.a, test.b, got)
		}
	}
}

// TestContainsIsBounded gives up, and so refuses, where a proof would take long.
func TestContainsIsBounded(t *testing.T) {
	hard := strings.Repeat("*a", 200) + "*"
	other := strings.Repeat("?*", 250)
	p := compileAll(t, hard, other, strings.Repeat("**/a*b*/", 100)+"**", strings.Repeat("{a*,*b}", 6)+"/**")
	start := time.Now()
	for _, a := range p {
		for _, b := range p {
			a.Contains(b)
		}
		a.Match(strings.Repeat("a", 4000))
		a.Match(strings.Repeat("ab/", 1300) + "a")
	}
	if took := time.Since(start); took > 50*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestIntersect(t *testing.T) {
	everything := compileAll(t, "**")
	if got := Intersect(everything, everything, everything, nil); got != nil {
		t.Errorf("nothing intersects to %v", got)
	}
	many := make([]Pattern, 101)
	for i := range many {
		many[i] = everything[0]
	}
	if got := Intersect(many, many, everything, everything); got != nil {
		t.Errorf("too many combinations give %v", got)
	}
}

func TestReaches(t *testing.T) {
	for pattern, want := range map[string]bool{".lumenflow": true, ".lumenflow/**": true, ".LumenFlow/x": true, "**/.lumenflow": true, "**/.lumen*/x": true,
		".*": true, "{a,.lumenflow}/b": true, "**": false, "*/.lumenflow": false, ".lumenflowx": false, "a/.lumenflow": false, "lumenflow/**": false} {
		if got := compileAll(t, pattern)[0].Reaches(".lumenflow"); got != want {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}
