package canon

import (
	"slices"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{ "b" : 1.50, "a" : [ 1e400, -0 ] }`, `{"a":[1e400,-0],"b":1.50}`},
		{`"\u0061\u2028\/"`, "\"a\u2028/\""},
		{"{\"\uFFFD\":1,\"\U0001F600\":2}", "{\"\U0001F600\":2,\"\uFFFD\":1}"},
		{`null`, `null`},
	} {
		v, err := Parse([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if got := string(Append(nil, v)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
	for _, in := range []string{``, `{"a":1,"a":1}`, `1 2`, "\"\xff\"", `{"a":}`, `01`} {
		if v, err := Parse([]byte(in)); err == nil {
			t.Errorf("%q is read as %v", in, v)
		}
	}
}

func TestCompare(t *testing.T) {
	in := []string{"\uFFFD", "\U0001F600", "b", "é", "a-b.txt", "a/b.txt", "a.txt", "", "B"}
	slices.SortFunc(in, Compare)
	want := []string{"", "B", "a-b.txt", "a.txt", "a/b.txt", "b", "é", "\U0001F600", "\uFFFD"}
	if !slices.Equal(in, want) {
		t.Errorf("%q", in)
	}
}
