package gocel_test

import (
	"regexp"
	"testing"

	"github.com/contractkit/contractkit/gen/internal/gocel"
	"github.com/contractkit/contractkit/internal/pattern"
)

// TestECMAScript compares patterns of RE2 with what they are rewritten as.
func TestECMAScript(t *testing.T) {
	patterns := []string{
		`^a+$`, `a.c`, `(?s)a.c`, `^(foo|bar)?$`, `[^a-c]`, `\d{2,3}x`, `[\s\S]`, `\bBearer\b`, `(?i)sh -c`, `(?i:K)elvin`,
		`^(?:ba|z)?sh`, `\p{Lu}x`, `[[:alpha:]]{2}`, `\x{feff}`, `a{2,}`, `a{3}`, `\Aab\z`, `x*?y`, `(?P<n>a)b`, `\$\{[^}]+\}`, `[]a]`,
		`\B-`, "`[^`]+`", `é|ü`, `\x{1F600}`, ``, `a||b`, `\Q.*\E`, `[^\n]`, `ſ(?i:s)`, `^$`,
	}
	texts := []string{
		"", "a", "aa", "aaa", "abc", "a\nc", "foo", "bar", "foobar", "ab", "12x", "1x", "x123x", "\n", "Bearer", "xBearer", "Bearer x", "SH -C", "sh -c",
		"kelvin", "Kelvin", "\u212aelvin", "zsh", "bash", "Äx", "äx", "é", "\ufeff", ".*", "${x}", "]", "a-", "-", "`x`", "``", "😀", "s", "ſs", "ſſ", "ſS", "xxy", "y",
	}
	for _, text := range patterns {
		same, ok := gocel.ECMAScript(text)
		if !ok {
			t.Errorf("%s cannot be rewritten", text)
			continue
		}
		p, err := pattern.Parse(same)
		if err != nil {
			t.Errorf("%s, rewritten as %s: %v", text, same, err)
			continue
		}
		re := regexp.MustCompile(text)
		for _, s := range texts {
			if got, want := p.MatchString(s), re.MatchString(s); got != want {
				t.Errorf("%s, rewritten as %s, in %q: %t, want %t", text, same, s, got, want)
			}
		}
	}
	for _, text := range []string{`(?m)^a`, `(?m)a$`, `[^\x00-\x{10FFFF}]`} {
		if same, ok := gocel.ECMAScript(text); ok {
			t.Errorf("%s is rewritten as %s", text, same)
		}
	}
}
