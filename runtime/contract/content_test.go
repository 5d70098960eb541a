package contract

import (
	"strings"
	"testing"
)

func TestIsContent(t *testing.T) {
	for _, c := range []struct {
		text, encoding, mediaType string
		want, known               bool
	}{
		{`{"a":1}`, "", "application/json", true, true},
		{`{"a":1} x`, "", "application/json; charset=utf-8", false, true},
		{`{"a":1,"a":2}`, "", "application/json", false, true},
		{``, "", "application/json", false, true},
		{`{`, "", "Application/Problem+JSON", false, true},
		{`{`, "", "text/json", true, false},
		{`{`, "8bit", "application/json", false, true},
		{`{`, "8bit", "text/plain", true, false},
		{`eyJhIjoxfQ==`, "base64", "", true, true},
		{"eyJh\r\nIjoxfQ==", "BASE64", "", true, true},
		{`eyJhIjoxfQ`, "base64", "", false, true},
		{`eyJhIjoxfR==`, "base64", "", false, true}, // bits are left over
		{`eyJh_joxfQ==`, "base64", "", false, true},
		{``, "base64", "", true, true},
		{``, "base64", "application/json", false, true},
		{`eyJhIjoxfQ==`, "base64", "application/json", true, true},
		{`ezp9Cg==`, "base64", "application/json", false, true},
		{`{}`, "base64", "application/json", false, true},
		{`PMRA====`, "base32", "", true, true},
		{`PMRA`, "base32", "", false, true},
		{`pmra====`, "base32", "", false, true},
		{`7B7d`, "base16", "application/json", true, true},
		{`7B7`, "base16", "", false, true},
		{`{`, "quoted-printable", "application/json", true, false},
		{strings.Repeat("[", 100_000), "", "application/json", false, true},
	} {
		if got := IsContent([]byte(c.text), c.encoding, c.mediaType); got != c.want {
			t.Errorf("%.20s in %q of %q: %v", c.text, c.encoding, c.mediaType, got)
		}
		if got := KnowsContent(c.encoding, c.mediaType); got != c.known {
			t.Errorf("%q of %q is known: %v", c.encoding, c.mediaType, got)
		}
	}
}

func FuzzIsContent(f *testing.F) {
	f.Add([]byte("eyJhIjoxfQ=="))
	f.Add([]byte("7b7d"))
	f.Add([]byte("{\"a\":[]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, encoding := range []string{"base64", "base32", "base16", "7bit", "other"} {
			// JSON inside is never less than the encoding alone.
			if IsContent(text, encoding, "application/json") && !IsContent(text, encoding, "") {
				t.Errorf("%q in %s", text, encoding)
			}
		}
	})
}
