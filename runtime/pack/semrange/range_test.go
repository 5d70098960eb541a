package semrange

import (
	"strings"
	"testing"
)

func TestVersions(t *testing.T) {
	valid := []string{"0.0.0", "1.2.3", "10.20.30", "1.0.0-rc.1", "1.0.0-0a.b-c", "1.0.0-0", "1.0.0+001.a", "1.0.0-a+b", "9007199254740991.0.0"}
	for _, text := range valid {
		if v, err := ParseVersion(text); err != nil || v.String() != text {
			t.Errorf("%q: %q, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "1", "1.2", "1.2.3.4", "v1.2.3", "=1.2.3", " 1.2.3", "1.2.3 ", "01.2.3", "1.02.3", "1.2.03", "1.2.3-", "1.2.3-01",
		"1.2.3-a..b", "1.2.3+", "1.2.3+a..b", "1.2.3-a_b", "1.2.x", "x", "*", "1.2.-3", "9007199254740992.0.0", "99999999999999999999.0.0",
		"1.2.3-ä", "１.2.3", "1.2.3\n", "1.2.3-" + strings.Repeat("a", 300)} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("%q is read as %q", text, v)
		}
	}
}

func TestPrecedence(t *testing.T) {
	order := []string{"0.0.0-0", "0.0.0", "1.0.0-0", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.1", "1.0.0-a.2", "1.0.0-a.10", "1.0.0-a.a", "1.0.0-a0",
		"1.0.0-b", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0-rc.2", "2.0.0-rc.10", "2.0.0", "9.9.0", "10.0.0"}
	for i, a := range order {
		for j, b := range order {
			v, errV := ParseVersion(a)
			w, errW := ParseVersion(b + "+build")
			if errV != nil || errW != nil {
				t.Fatal(errV, errW)
			}
			want := 0
			if i != j {
				want = 1 - 2*btoi(i < j)
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%s and %s: %d, want %d", a, b, got, want)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestRanges(t *testing.T) {
	tests := []struct{ text, in, out string }{
		{"^6.1.2", "6.1.2 6.9.9", "6.1.1 7.0.0 7.0.0-alpha 6.2.0-rc.1"},
		{"^0.2.3", "0.2.3 0.2.9", "0.3.0 0.2.2"},
		{"^0.0.3", "0.0.3", "0.0.4 0.0.2"},
		{"^0.0", "0.0.0 0.0.9", "0.1.0"},
		{"^x.1.2", "0.0.0 9.9.9", "1.0.0-a"},
		{"^6.x.2", "6.0.0 6.0.1", "7.0.0 5.9.9"},
		{"~>6.1", "6.1.0 6.1.9", "6.2.0"},
		{">6", "7.0.0", "6.9.9 7.0.0-rc.1"},
		{"<=6.1", "6.1.9 0.0.0", "6.2.0 6.2.0-0"},
		{"<6.1", "6.0.9", "6.1.0 6.1.0-0"},
		{"6.0 - 6.2", "6.0.0 6.2.9", "6.3.0 5.9.9"},
		{"v6 - v7.1.2", "6.0.0 7.1.2", "7.1.3"},
		{"^6.3.0-rc.1", "6.3.0-rc.2 6.4.0", "6.4.0-rc.1 6.3.0-rc.0"},
		{">=6.0.0-0", "6.0.0-alpha 6.0.0 7.0.0", "6.3.0-rc.2"},
		{"* || ^6.3.0-rc.1", "6.3.0", "6.3.0-rc.2"}, // npm: "any" swallows the rest
		{">=0.0.0 || ^6.3.0-rc.1", "6.3.0", "6.3.0-rc.2"},
		{">x", "", "0.0.0 1.0.0 0.0.0-0"},
		{"<*", "", "0.0.0 0.0.0-0"},
		{"6.1.x-beta", "6.1.0", "6.1.0-beta 6.2.0"},
		{"1.2.3+a.b", "1.2.3 1.2.3+c", "1.2.4"},
		{"6.1+b", "6.1.5", "6.2.0"},
		{"6.1.2+b+c.d", "6.1.2", "6.1.3"},
		{">=v0.0.0 || ^6.3.0-rc.1", "6.3.0 6.3.0-rc.2", "6.3.0-rc.0"}, // npm: "any", but not seen to be
		{">=v0.0 || ^6.3.0-rc.1", "6.3.0", "6.3.0-rc.2"},
		{"v0.0.0 - x || ^6.3.0-rc.1", "6.3.0-rc.2", ""},
		{"v0.x.1 - x || ^6.3.0-rc.1", "6.3.0", "6.3.0-rc.2"},
		{"0.0.0 - x || ^6.3.0-rc.1", "6.3.0", "6.3.0-rc.2"},
		{">=v0.0.0 <0.0.0-a", "", "0.0.0-0"},
		{">=0.0.0 <0.0.0-a", "0.0.0-0", ""},
	}
	for _, test := range tests {
		r, err := ParseRange(test.text)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		for want, list := range map[bool]string{true: test.in, false: test.out} {
			for _, text := range strings.Fields(list) {
				v, err := ParseVersion(text)
				if err != nil {
					t.Fatal(err)
				}
				if r.Contains(v) != want {
					t.Errorf("%q holds %s: %v", test.text, text, !want)
				}
			}
		}
	}
	for _, text := range []string{"", " ", "||", "^6 ||", "|| ^6", "^6 | ^7", "6,7", "!=6", "=>6", "=<6", "==6", "^=6", "> =6", "~ > 6", "(6)", "[6,7)", "V6",
		"latest", "6.0.0.0", "^06", "6.0.0-01", "6.0.0-", "x.1", "6.x.1", "1 -2", "1- 2", "=1 - 2", "^1 - 2", "1 - 2 3", "1 - 2 - 3", "-", "vv6", "6.1.2*", "*6",
		"^9007199254740992", "^9007199254740991.0.0", "<=1.9007199254740991", "^6\u00a0", "\uFEFF^6", "６.0.0", "6.0.0\x00", ">=1.0.0-" + strings.Repeat("a", 260)} {
		if r, err := ParseRange(text); err == nil {
			t.Errorf("%q is read as %+v", text, r.alternatives)
		}
	}
}

// FuzzParseRange holds that reading is total and says the same for every spelling
// that npm takes to be equal: blanks around, and the alternatives in any order.
func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"^6.0.0", ">=6.0.0-0 <7 || 8.x", "6.0 - 7", "~>1.2.3-a.1+b", "*", "=v6.1.x", "^6 ||", "> = 6", "1.2.3-01", "<0.0.0-0", "^9007199254740991"} {
		f.Add(s, "6.1.0-rc.1")
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		r, err := ParseRange(text)
		v, errV := ParseVersion(version)
		if errV == nil {
			if again, err := ParseVersion(v.String()); err != nil || again != v || v.Compare(again) != 0 {
				t.Fatalf("%q prints as %q", version, v)
			}
			if exact, err := ParseRange(v.String()); err != nil || !exact.Contains(v) {
				t.Fatalf("%q is not inside the range that it is: %v", version, err)
			}
		}
		if err != nil {
			return
		}
		spaced, err := ParseRange("\t" + strings.ReplaceAll(text, "||", " || ") + " ")
		if err != nil {
			t.Fatalf("with blanks, %q is no range: %v", text, err)
		}
		parts := strings.Split(text, "||")
		turned, err := ParseRange(strings.Join(append(parts[1:], parts[0]), "||"))
		if err != nil {
			t.Fatalf("in another order, %q is no range: %v", text, err)
		}
		if errV != nil {
			return
		}
		if in := r.Contains(v); spaced.Contains(v) != in || turned.Contains(v) != in {
			t.Fatalf("%q and %q: the spelling decides", text, version)
		}
		if r.Contains(v) && v.IsPrerelease() && !strings.Contains(text, "-") {
			t.Fatalf("%q lets the prerelease %q in", text, version)
		}
	})
}
