package pattern

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzPlan wants every plan to say what Go's regexp says, and every pattern to
// be parsed or refused in bounded time.
func FuzzPlan(f *testing.F) {
	for _, c := range cases {
		f.Add(c.src, "foo-a1")
	}
	f.Add(`^(a|ab)(c|bcd)(d*)$`, "abcd")
	f.Add(`(?:a|b|c|[d-z]+){2,}é`, "zzé")
	for _, c := range lookCases {
		f.Add(c.src, strings.Join(c.yes, ""))
	}
	f.Fuzz(func(t *testing.T, src, text string) {
		if len(src) > 200 || !utf8.ValidString(text) {
			t.Skip()
		}
		start := time.Now()
		p, err := Parse(src)
		if took := time.Since(start); took > 50*time.Second {
			t.Fatalf("Parse took %v", took)
		}
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) && !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrTooLarge) {
				t.Fatalf("error of no known kind: %v", err)
			}
			if syntax != nil && (syntax.Offset < 0 || syntax.Offset > len(src)) {
				t.Fatalf("offset %d is outside the pattern", syntax.Offset)
			}
			return
		}
		if re, err := regexp.Compile(p.RE2()); err == nil && p.RE2() != "" {
			if got, want := p.MatchString(text), re.MatchString(text); got != want {
				t.Fatalf("%q by %s on %q: %v, Go's regexp %s says %v", src, planName(p.Plan()), text, got, p.RE2(), want)
			}
		}
		if err := disagreement(p, 20); err != nil {
			t.Fatal(err)
		}
		if err := otherOpinion(p, text); err != nil {
			t.Fatal(err)
		}
	})
}
