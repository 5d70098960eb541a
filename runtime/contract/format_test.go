package contract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// formats are the checks by the names that JSON Schema gives them.
var formats = map[string]func([]byte) bool{
	"date-time": IsDateTime, "date": IsDate, "time": IsTime, "duration": IsDuration,
	"email": IsEmail, "idn-email": IsIDNEmail, "hostname": IsHostname, "ipv4": IsIPv4, "ipv6": IsIPv6,
	"uri": IsURI, "uri-reference": IsURIReference, "iri": IsIRI, "iri-reference": IsIRIReference,
	"uri-template": IsURITemplate, "uuid": IsUUID, "json-pointer": IsJSONPointer, "relative-json-pointer": IsRelativeJSONPointer,
	"regex": IsRegex, "idn-hostname": IsIDNHostname,
}

var formatCases = []struct {
	format, text string
	valid        bool
}{
	{"date-time", "2024-02-29t10:11:12.5+01:00", true},
	{"date-time", "2023-02-29T10:11:12Z", false},
	{"date-time", "2024-02-29 10:11:12Z", false},
	{"date-time", "2024-02-29T", false},
	{"date-time", "2016-12-31T23:59:60Z", true},
	{"date-time", "2016-12-31T23:59:60+00:01", false},
	{"date-time", "2017-01-01T00:59:60.9+01:00", true},
	{"date", "1900-02-29", false},
	{"date", "2000-02-29", true},
	{"date", "2001-04-31", false},
	{"date", "2001-12-31", true},
	{"date", "2001-00-10", false},
	{"date", "2001-01-00", false},
	{"date", "2001-13-10", false},
	{"date", "2o01-01-01", false},
	{"time", "10:11:12.Z", false},
	{"time", "10:11:12.5", false},
	{"time", "10:11:12+1:00", false},
	{"duration", "P", false},
	{"duration", "P1Y2MT3S", true},
	{"duration", "PT1H2S", false},
	{"duration", "P1W1D", false},
	{"duration", "P1D1D", false},
	{"email", strings.Repeat("a", 65) + "@b", false},
	{"email", `"a\"b"@c.d`, true},
	{"email", `"a"b@c.d`, false},
	{"email", `"a`, false},
	{"email", "a@b@c", false},
	{"email", "é@b", false},
	{"email", "a@[IPv6:1::2::3]", false},
	{"idn-email", "é@b", true},
	{"hostname", strings.Repeat("a.", 126) + "a", true},
	{"hostname", strings.Repeat("a.", 127) + "a", false},
	{"hostname", "a..b", false},
	{"hostname", "é", false},
	{"hostname", "xn--bcher-kva.example", true},
	{"hostname", "xn--Bcher-kvA.example", true},
	{"hostname", "xn--bcher-kv.example", false},
	{"hostname", "xn--4dbcagdahymbxekheh6e0a7fei0b", true},
	{"idn-hostname", "bücher.example", true},
	{"idn-hostname", "Bücher.example", true},
	{"idn-hostname", "BÜCHER.example", false},
	{"idn-hostname", "a_b", false},
	{"idn-hostname", "a。", false},
	{"idn-hostname", "", false},
	{"idn-hostname", strings.Repeat("ü", 70), false},
	{"idn-hostname", strings.Repeat("ü.", 300), false},
	{"hostname", "xn--", false},
	{"hostname", "xn--a", false},
	{"hostname", "xn--99999999999999999999999999", false},
	{"ipv4", "1.2.3.4", true},
	{"ipv4", "1.2.3.04", false},
	{"ipv4", "1.2.3.256", false},
	{"ipv4", "1..3.4444", false},
	{"ipv4", "1.2.3.4.", false},
	{"ipv6", "1:2:3:4:5:6:7::", true},
	{"ipv6", "::2:3:4:5:6:7:8", true},
	{"ipv6", "1:2:3:4:5:6:7:8::", false},
	{"ipv6", "::1.2.3.4:5", false},
	{"ipv6", ":", false},
	{"uri", "a:", true},
	{"uri", "http://[::1]:80/a?b#c", true},
	{"uri", "http://[::1", false},
	{"uri", "http://[::1]a", false},
	{"uri", "http://u:p@h:8a/", false},
	{"uri", "http://a/#b#c", false},
	{"uri", "http://a/[", false},
	{"uri", "http://é", false},
	{"uri-reference", "", true},
	{"uri-reference", "?a", true},
	{"uri-reference", "a/b:c", true},
	{"uri-reference", "1a:b", false},
	{"uri-reference", "//a@b@c", false},
	{"iri", "http://é/?\ue000", true},
	{"iri", "http://é/\ue000", false},
	{"iri", "http://é/\u0080", false},
	{"iri-reference", "é:b", false},
	{"uri-template", "{a,b*,c:12}/x{?q}", true},
	{"uri-template", "{a", false},
	{"uri-template", "{a:}", false},
	{"uri-template", "{a.}", false},
	{"uri-template", "%4", false},
	{"uuid", "00000000-0000-0000-0000-00000000000g", false},
	{"json-pointer", "/a~0~1", true},
	{"json-pointer", "a", false},
	{"relative-json-pointer", "0#", true},
	{"relative-json-pointer", "00", false},
	{"relative-json-pointer", "#", false},
	{"regex", ``, true},
	{"regex", `a|b`, true},
	{"regex", `(?=a)*`, true},
	{"regex", `a{2,3}?`, true},
	{"regex", `a{`, true},
	{"regex", `{a}`, true},
	{"regex", `a{,5}`, true},
	{"regex", `]`, true},
	{"regex", `}`, true},
	{"regex", `[\w-x]`, true},
	{"regex", `[a-]`, true},
	{"regex", `\-\/\_`, true},
	{"regex", `(a)\1`, true},
	{"regex", `\2(a)(b)`, true},
	{"regex", `\k<n>(?<n>a)`, true},
	{"regex", `\p{L}`, true},
	{"regex", `[\uD83D\uDE00-\uD83D\uDE05]`, true},
	{"regex", `a{3}`, true},
	{"regex", `\u{10FFFF}`, true},
	{"regex", `(?<!a)b`, true},
	{"regex", `[\b]`, true},
	{"regex", `\0`, true},
	{"regex", `a{007,8}`, true},
	{"regex", `a(b`, false},
	{"regex", `ab)`, false},
	{"regex", `[a`, false},
	{"regex", `[z-a]`, false},
	{"regex", `*a`, false},
	{"regex", `a**`, false},
	{"regex", `{2}`, false},
	{"regex", `^*`, false},
	{"regex", `a{3,2}`, false},
	{"regex", `a{30,4}`, false},
	{"regex", `a\`, false},
	{"regex", `\Z`, false},
	{"regex", `\a`, false},
	{"regex", `\1`, false},
	{"regex", `\u12`, false},
	{"regex", `\u{110000}`, false},
	{"regex", `\u{}`, false},
	{"regex", `\xg0`, false},
	{"regex", `\c1`, false},
	{"regex", `\07`, false},
	{"regex", `\p{L`, false},
	{"regex", `\pL`, false},
	{"regex", `(?<1>a)`, false},
	{"regex", `(?<>a)`, false},
	{"regex", `(?`, false},
	{"regex", `(?i)a`, false},
	{"regex", `(?<=a)*`, false},
	{"regex", `(a)\2`, false},
	{"regex", `\k<n>`, false},
	{"regex", `|*`, false},
	{"regex", `(*a)`, false},
	{"regex", `\b+`, false},
	{"regex", `[\B]`, false},
	{"regex", `[\`, false},
	{"regex", "a\xff", false},
}

func TestFormats(t *testing.T) {
	for _, c := range formatCases {
		if got := formats[c.format]([]byte(c.text)); got != c.valid {
			t.Errorf("%s: %q is %v, want %v", c.format, c.text, got, c.valid)
		}
	}
}

// TestFormatSuite runs the official test suite, if it is there.
func TestFormatSuite(t *testing.T) {
	dir := shared.Path(t, "json-schema-test-suite", "tests", "draft2020-12", "optional", "format")
	run := 0
	for name, check := range formats {
		data, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var groups []struct {
			Tests []struct {
				Description string
				Data        any
				Valid       bool
			}
		}
		if err := json.Unmarshal(data, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			for _, c := range g.Tests {
				if s, ok := c.Data.(string); ok {
					run++
					if got := check([]byte(s)); got != c.Valid {
						t.Errorf("%s: %s: %q is %v", name, c.Description, s, got)
					}
				}
			}
		}
	}
	t.Logf("%d cases", run)
}

// validTexts has a text of each format for measuring and fuzzing.
var validTexts = map[string]string{
	"date-time": "2024-02-29T23:59:59.123Z", "date": "2024-02-29", "time": "23:59:59.123+01:00", "duration": "P1Y2M3DT4H5M6S",
	"email": "joe.bloggs@example.com", "idn-email": "실례@실례.테스트", "hostname": "www.example.com", "ipv4": "192.168.100.1",
	"ipv6": "2001:db8:85a3::8a2e:370:7334", "uri": "https://user@example.com:8080/a/b%20c?d=e#f", "uri-reference": "../a/b?c",
	"iri": "http://ƒøø.ßår/?∂éœ=πîx#πîüx", "iri-reference": "/âππ", "uri-template": "http://example.com/{term:1}/{term}{?q*}",
	"uuid": "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "json-pointer": "/foo/bar~0/baz~1/%a", "relative-json-pointer": "2/0/baz",
	"idn-hostname": "bücher.example。실례",
	"regex":        `^(?<a>[a-z\d-]{2,}|\u{1F600}+?)\.[^\]]*$`,
}

func TestFormatsDoNotAllocate(t *testing.T) {
	for name, check := range formats {
		s := []byte(validTexts[name])
		if !check(s) {
			t.Errorf("%s: %q is not valid", name, s)
		}
		if n := testing.AllocsPerRun(20, func() { check(s) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// FuzzFormats wants no panic, and formats that contain others to say so.
func FuzzFormats(f *testing.F) {
	for _, s := range validTexts {
		f.Add([]byte(s))
	}
	f.Add([]byte("xn--ngba5hb2804a"))
	f.Fuzz(func(t *testing.T, s []byte) {
		valid := map[string]bool{}
		for name, check := range formats {
			valid[name] = check(s)
		}
		for _, c := range [][2]string{{"uri", "iri"}, {"uri", "uri-reference"}, {"uri-reference", "iri-reference"}, {"iri", "iri-reference"}, {"email", "idn-email"}} {
			if valid[c[0]] && !valid[c[1]] {
				t.Errorf("%q is %s but not %s", s, c[0], c[1])
			}
		}
	})
}

func BenchmarkFormats(b *testing.B) {
	for name, check := range formats {
		s := []byte(validTexts[name])
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				check(s)
			}
		})
	}
}

// TestFormatsAreLinear feeds each format long repetitions of the pieces that its
// grammar repeats; a quadratic check would need minutes.
func TestFormatsAreLinear(t *testing.T) {
	const size = 1 << 18
	starts := []string{"", "a:", `"`, "[", "(a)", "(?<n>a)", "{", "/", "P", "a@[", "http://["}
	pieces := []string{"a", "a.", "%41", "{", "{1", "(", "[", "[a-", `\1`, `\k<n>`, `\p{`, `\p{L}`, `\u{0`, "(?<a", "(?<a>", "é", ":", "1", "1D",
		"@", "{a,", "~0", "a@", "xn--", `\`, "a{1,2", `\uD83D`, "ü。", "::", "{?", "*"}
	for _, piece := range pieces {
		body := strings.Repeat(piece, size/len(piece))
		for _, start := range starts {
			s := []byte(start + body)
			for name, check := range formats {
				began := time.Now()
				check(s)
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("%s on %d bytes of %q after %q took %v", name, len(s), piece, start, took)
				}
			}
		}
	}
}
