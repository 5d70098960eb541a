package contract

import (
	"slices"
	"testing"
)

func TestCanonicalURI(t *testing.T) {
	for _, tt := range [][2]string{
		{"https://example.com", "https://example.com/"},
		{"HTTPS://Example.COM/A", "https://example.com/A"},
		{"https://example.com:443/x", "https://example.com/x"},
		{"https://example.com:/x", "https://example.com/x"},
		{"https://example.com:0443/x", "https://example.com/x"},
		{"https://example.com:000", "https://example.com:0/"},
		{"https://example.com:08443/x", "https://example.com:8443/x"},
		{"https://@example.com/", "https://example.com/"},
		{"https://[::1]", "https://[::1]/"},
		{"https://[::1]:443/a", "https://[::1]/a"},
		{"https://example.com/a/../b", "https://example.com/b"},
		{"https://example.com/a/./b/../c", "https://example.com/a/c"},
		{"https://example.com/a/..", "https://example.com/"},
		{"https://example.com/a/b/.", "https://example.com/a/b/"},
		{"https://example.com/../../a", "https://example.com/a"},
		{"https://example.com/a/%2E%2e/b", "https://example.com/b"},
		{"https://example.com/a/.%2E", "https://example.com/"},
		{"https://example.com/.../..a", "https://example.com/.../..a"},
		{"https://example.com//a//b", "https://example.com//a//b"},
		{`https://example.com\a\b`, "https://example.com/a/b"},
		{"https://example.com/x y", "https://example.com/x%20y"},
		{"https://example.com/\u00e9", "https://example.com/%C3%A9"},
		{"https://example.com/x%20y%7Ea", "https://example.com/x%20y%7Ea"},
		{"https://example.com/a\n\tb", "https://example.com/ab"},
		{"https://example.com/x?", "https://example.com/x?"},
		{"https://example.com#", "https://example.com/#"},
		{"urn:hasna:todos:x?y#z", "urn:hasna:todos:x?y#z"},
		{"http://Example.com", "http://Example.com"},
		{"", ""},
	} {
		if got := CanonicalURI(tt[0]); got != tt[1] {
			t.Errorf("%q: got %q, want %q", tt[0], got, tt[1])
		}
	}
}

func TestTextSet(t *testing.T) {
	tests := []struct{ in, want []string }{
		{nil, nil},
		{[]string{}, []string{}},
		{[]string{""}, []string{}},
		{[]string{"b", "", "a", "b", "a"}, []string{"a", "b"}},
		{[]string{"\u00e9", "z", "Z"}, []string{"Z", "z", "\u00e9"}},
		{[]string{"\uffff", "\U0001F600"}, []string{"\U0001F600", "\uffff"}}, // by UTF-16 code unit
		{[]string{"ab", "a"}, []string{"a", "ab"}},
	}
	for _, tt := range tests {
		in := slices.Clone(tt.in)
		if got := TextSet(in); !slices.Equal(got, tt.want) || (got == nil) != (tt.want == nil) {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
		if !slices.Equal(in, tt.in) {
			t.Errorf("%q became %q", tt.in, in)
		}
	}
}

func FuzzCanonicalURI(f *testing.F) {
	for _, s := range []string{"https://a:0443/b/../c d?", `HTTPS://A\..\b`, "https://", "https://@@a::", "https://[::1]:/%2e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := CanonicalURI(s)
		if twice := CanonicalURI(once); twice != once && !credentials(once) {
			t.Errorf("%q became %q, then %q", s, once, twice)
		}
	})
}

// credentials reports whether an address has an @ or a second colon in its host,
// which no pattern admits.
func credentials(s string) bool {
	i := slices.IndexFunc([]byte(s[min(8, len(s)):]), func(c byte) bool { return c == '@' || c == ':' })
	return i >= 0
}
