package catalog_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// whiteSpace is the class that trimming takes off, written as in the sources.
const whiteSpace = "\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// trim is the normalisation "trim", spelled out independently of whiteSpace.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		switch {
		case r >= 0x09 && r <= 0x0d, r >= 0x2000 && r <= 0x200a:
			return true
		}
		return slices.Contains([]rune{0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff}, r)
	})
}

// checkedFormat is a definition in the sources beside the fact it stands for.
type checkedFormat struct {
	def    string // name in $defs
	source string // pattern as written
	re     *regexp.Regexp
	fact   format
	max    int // greatest length after trimming, 0 for none
	core   *regexp.Regexp
}

// wants judges a text the long way: trim, then length and pattern.
func (f *checkedFormat) wants(s string) bool {
	if f.fact.Trim {
		s = trim(s)
	}
	n := utf8.RuneCountInString(s)
	return n >= f.fact.Min && (f.max == 0 || n <= f.max) && (f.core == nil || f.core.MatchString(s))
}

func loadFormats(t testing.TB) map[string]*checkedFormat {
	t.Helper()
	c, known := load(t), readFacts(t)
	out := map[string]*checkedFormat{}
	c.eachDef(func(id, name string, s *node) {
		if name == "" || s.get("pattern") == nil || id == taskToPRID {
			return
		}
		f := &checkedFormat{def: name, source: s.text("pattern")}
		f.re = regexp.MustCompile(f.source)
		d := formatDefs[name]
		if d.format == "" {
			d.format = snake(name)
		}
		var ok bool
		if f.fact, ok = known.Formats[d.format]; !ok {
			t.Fatalf("%s: %s is no known format", id, name)
		}
		if d.max != "" {
			f.max, _ = strconv.Atoi(d.max.String())
		}
		if f.fact.Pattern != "" {
			f.core = regexp.MustCompile(f.fact.Pattern)
		}
		var steps []string
		if f.fact.Trim {
			steps = append(steps, "trim")
		}
		if f.fact.Normalize != "" {
			steps = append(steps, f.fact.Normalize)
		}
		if got := normalizeOf(s); !slices.Equal(got, steps) {
			t.Errorf("%s: x-normalize is %q, the facts say %q", name, got, steps)
		}
		out[name] = f
	})
	return out
}

// Most patterns are the fact's own with white space around. The others had to
// be rewritten because their inner text may be white space itself; that they
// mean the same is what TestPatternsEqualTheirFacts shows.
func TestPatternsWrapTheirFacts(t *testing.T) {
	rewritten := []string{"relativePath", "storePathPattern", "waiverReason", "waiverReviewer", "displayName", "mediaType"}
	space := "[" + whiteSpace + "]*"
	for name, f := range loadFormats(t) {
		want := f.fact.Pattern
		switch {
		case slices.Contains(rewritten, name):
			continue
		case f.fact.Pattern == "":
			want = "[^" + whiteSpace + "]"
		case f.fact.Trim:
			want = "^" + space + strings.TrimPrefix(want, "^")
			if rest, ok := strings.CutSuffix(want, "$"); ok {
				want = rest + space + "$"
			}
		}
		if f.source != want {
			t.Errorf("%s: pattern %q, want %q", name, f.source, want)
		}
	}
}

// Every text of up to length characters over the alphabet is judged alike by
// the pattern in the sources and by trimming first.
func TestPatternsEqualTheirFacts(t *testing.T) {
	formats := loadFormats(t)
	tests := []struct {
		formats  []string
		alphabet string
		length   int
	}{
		{[]string{"relativePath", "storePathPattern"}, " \u3000./\\a~", 6},
		{[]string{"waiverReason", "waiverReviewer"}, " \n\x00\x7f\u0085a", 5},
		{[]string{"nonblank", "displayName", "mediaType"}, " \ufeff\u0085\u200ba", 4},
		{[]string{"operationId", "deploymentId", "deploymentName"}, "a1._-A", 5},
		{[]string{"slug", "appName", "npmName", "semver", "commsEventType", "gitShaShort", "envKey", "schemaId"}, "a1-.@A", 5},
	}
	for _, tt := range tests {
		alphabet := []rune(tt.alphabet)
		for _, name := range tt.formats {
			f := formats[name]
			var walk func(text []rune)
			walk = func(text []rune) {
				if s := string(text); f.re.MatchString(s) != f.wants(s) {
					t.Errorf("%s: the pattern says %v of %q", name, f.re.MatchString(s), s)
				}
				if len(text) < tt.length {
					for _, r := range alphabet {
						walk(append(text, r))
					}
				}
			}
			walk(nil)
		}
	}
}

func TestFormatVectors(t *testing.T) {
	hex := strings.Repeat("aB3f", 16)
	tests := map[string]struct{ accept, refuse []string }{
		"timestamp": {
			[]string{"2026-06-27T10:00:00Z", "2026-06-27T10:00Z", "2026-06-27T10:00:00.1Z", "2026-06-27T10:00:00.123456789012Z", "2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "0000-01-01T00:00:00Z"},
			[]string{"2026-06-27T10:00:00+00:00", "2026-06-27T10:00:00", "2026-06-27t10:00:00Z", "2026-06-27T10:00:00z", "2026-06-27 10:00:00Z", "2026-06-27", "2026-06-27T10:00:00.Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-06-31T00:00:00Z", "2026-06-27T24:00:00Z", "2026-06-27T10:00:60Z", " 2026-06-27T10:00:00Z", "2026-06-27T10:00:00Z\n"}},
		"nonblank": {
			[]string{" a ", "\ufeffa", "\u0085", "\u200b", "\u180e"},
			[]string{"", " ", "\t\n", "\u3000"}},
		"uri": {
			[]string{"https://", " task://x ", "git+https://x", "todo://", "file://a b\nc"},
			[]string{"HTTPS://x", "git+http://x", "ssh://x", "urn:x", "todos://x", "event://x", "ftp://a", "file:x", "x https://a"}},
		"sha256Hex":  {[]string{hex}, []string{hex[1:], "sha256:" + hex, hex + "a", " " + hex}},
		"hashString": {[]string{hex, "sha256:" + hex}, []string{"SHA256:" + hex, "sha256:", hex + "\n"}},
		"relativePath": {
			[]string{".", "./a", "..a", "a..", "...", "a/", "a//b", "~/x", "C:/x", " a ", "a\nb", "a/ ..", "a/.. /b", " ./ ", ". x/b"},
			[]string{"", " ", "..", "../a", "a/..", "a/../b", "/a", `a\b`, " ..", ".. ", "a/.. ", "a/..\n", " /a"}},
		"storePathPattern": {[]string{"a~", "*.db", "a/~", ".~"}, []string{"~", "~/x", " ~x", "..", " /a"}},
		"slug":             {[]string{"a", "a-b", "1"}, []string{"a--b", "-a", "a-", "A", "a_b", "", "a "}},
		"appName":          {[]string{"a", "a-1b"}, []string{"1a", "a--b", ""}},
		"npmName":          {[]string{"@hasna/todos", "todos", "~x", "-x", "x.y_z~"}, []string{".x", "_x", "@a/b/c", "@/x", "X", ""}},
		"semver":           {[]string{"1.2.3", "01.2.3", "1.2.3-01", "1.2.3-a+b", "1.2.3+b.1"}, []string{"1.2", "v1.2.3", "1.2.3-", "1.2.3-a..b"}},
		"gitShaShort":      {[]string{"a1b2c3d", strings.Repeat("a", 40)}, []string{"a1b2c3", strings.Repeat("a", 41), "A1B2C3D"}},
		"githubUrl": {
			[]string{"https://github.com/", "git+https://github.com/a", "\u2003https://github.com/a "},
			[]string{"http://github.com/a", "https://github.com", "https://github.com ", "https://GitHub.com/x", "https://githubxcom/x"}},
		"schemaId":       {[]string{"hasna.a.v1", "hasna.a.b_c.v10"}, []string{"hasna.v1", "hasna.a", "hasna.A.v1", "hasna.a.v", "hasna.1a.v1"}},
		"commsEventType": {[]string{"a.b", "a.b.c.d", "a_1.b"}, []string{"a", "a.b.c.d.e", "a.B", "a.1b", "a.b "}},
		"untilHorizon": {
			[]string{"2026-08-01", "2026-99-99", "2026-08-01T12:00:00Z", "gate:97610c99", "gate:" + strings.Repeat("a", 36), "gate:a-------", " 2026-08-01\n"},
			[]string{"2026-08-01T12:00Z", "gate:97610c9", "gate:" + strings.Repeat("a", 37), "gate:-aaaaaaaa", "soon", "2026-08-01 x"}},
		"envKey": {[]string{"A", "A_1"}, []string{"a", "1A", "_A", "A-B", ""}},
		"waiverReason": {
			[]string{" x ", "\n x", "\u3000 " + strings.Repeat("x", 500) + "\t ", "a\u0085b", "a\u2028b", "\u00a0" + strings.Repeat("x", 250) + strings.Repeat(" ", 249) + "x\ufeff"},
			[]string{"", " ", strings.Repeat("x", 501), "a\nb", "a\x00", "\x1fa", "a\x7fb", strings.Repeat("x", 250) + strings.Repeat(" ", 250) + "x"}},
		"displayName": {
			[]string{" x ", "\u3000" + strings.Repeat("\n", 9) + strings.Repeat("x", 200) + " ", "a\nb", strings.Repeat("\U0001F600", 200)},
			[]string{"", "\t", strings.Repeat("x", 201), "x" + strings.Repeat(" ", 199) + "x"}},
		"mediaType": {
			[]string{"text/plain", " " + strings.Repeat("x", 160)},
			[]string{"", " ", strings.Repeat("x", 161)}},
		"deploymentId": {
			[]string{"A", "0", "a.b_c:d-e", strings.Repeat("a", 160)},
			[]string{"", "-a", "_a", ".a", "a b", "a/b", "a\n", strings.Repeat("a", 161)}},
		"deploymentName": {
			[]string{"a", "a.b_c-1", strings.Repeat("a", 128)},
			[]string{"", "A", "1a", "aB", "a:b", "a ", strings.Repeat("a", 129)}},
		"operationId": {[]string{"a.b", "a_1.b.c_"}, []string{"a", "a.", ".a", "a..b", "a.1", "a-b.c", "A.b"}},
		"gitShaFull":  {[]string{strings.Repeat("0a", 20)}, []string{strings.Repeat("a", 39), strings.Repeat("a", 41), strings.Repeat("A", 40)}},
		"externalUuid": {
			[]string{"0f0e0d0c-0b0a-4908-8706-050403020100", " 0F0E0D0C-0B0A-8908-B706-050403020100\n"},
			[]string{"0f0e0d0c-0b0a-9908-8706-050403020100", "0f0e0d0c-0b0a-4908-7706-050403020100", "0f0e0d0c0b0a49088706050403020100", "{0f0e0d0c-0b0a-4908-8706-050403020100}", ""}},
		"canonicalUri": {
			[]string{"https://a", "HTTPS://A.b:65535/x y?#", " https://a.example/ \n", "https://[::1]:443", "https://a/\u00e9", "urn:a:b", "urn:hasna:todos:x?y#z"},
			[]string{"", "https://", "https:///a", "https:a", "http://a", "https://a?q", "https://a#f", "https://u@a", "https://a:65536", "https://a:99999/", "https://:443/", "https://a b/", "urn:A:b", "URN:a:b", "urn:a:", "urn:-a:b", "urn:a:\u00e9", "urn:a:b c", "a.example"}},
		"waiverReviewer": {
			[]string{"x", "\n" + strings.Repeat("x", 200) + "  "},
			[]string{"", strings.Repeat("x", 201), "a\tb"}},
	}
	formats := loadFormats(t)
	for name, f := range formats {
		tt, ok := tests[name]
		if !ok {
			t.Errorf("%s: no vectors", name)
		}
		for _, s := range tt.accept {
			if !f.re.MatchString(s) {
				t.Errorf("%s: refuses %q", name, s)
			}
		}
		for _, s := range tt.refuse {
			if f.re.MatchString(s) {
				t.Errorf("%s: accepts %q", name, s)
			}
		}
	}
	for name := range tests {
		if formats[name] == nil {
			t.Errorf("vectors for %s, which no source defines", name)
		}
	}
}

// Numbers and plain texts are judged by value, not by spelling.
func TestValueVectors(t *testing.T) {
	c := load(t)
	tests := []struct {
		id, member     string
		accept, refuse []string
	}{
		{"hasna.cost_estimate.v1", "amountMicros", []string{"0", "-0", "1.0", "1e21", "1E+3", "12345678901234567890"}, []string{"-1", "1.5", `"1"`, "null", "1e-1"}},
		{"hasna.cost_estimate.v1", "id", []string{`" "`, `"\u0000"`}, []string{`""`, "1", "null"}},
		{"hasna.cost_estimate.v1", "updatedAt", []string{"null", `"2026-06-27T10:00Z"`}, []string{`""`, "0"}},
		{"hasna.cost_estimate.v1", "metadata", []string{"{}", `{"a":null}`}, []string{"null", "[]"}},
	}
	for _, tt := range tests {
		try := func(text string) error {
			doc := parse(t, "minimal", minimal(t, tt.id)).value.(map[string]any)
			doc[tt.member] = parse(t, text, []byte(text)).value
			return c.compiled[tt.id].Validate(doc)
		}
		for _, s := range tt.accept {
			if err := try(s); err != nil {
				t.Errorf("%s: %s refuses %s: %v", tt.id, tt.member, s, err)
			}
		}
		for _, s := range tt.refuse {
			if try(s) == nil {
				t.Errorf("%s: %s accepts %s", tt.id, tt.member, s)
			}
		}
	}
}

func minimal(t testing.TB, id string) []byte {
	t.Helper()
	for _, f := range fixtures(t) {
		if f.id == id && f.kind == "minimal" {
			text, err := json.Marshal(f.doc.value)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
	}
	t.Fatalf("%s has no minimal fixture", id)
	return nil
}

func FuzzPatternsEqualTheirFacts(f *testing.F) {
	formats := loadFormats(f)
	for _, s := range []string{" a/.. ", "\u3000~/x", "gate:97610c99\n", " x\x00", "@a/b", "1.2.3-a+b", "https://github.com/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip("no JSON text")
		}
		for name, c := range formats {
			if got := c.re.MatchString(s); got != c.wants(s) {
				t.Errorf("%s: the pattern says %v of %q", name, got, s)
			}
		}
	})
}
