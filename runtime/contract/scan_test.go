package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/race"
)

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	for _, c := range []struct {
		name, text string
		code       Code
		offset     int
	}{
		{"empty", "", CodeSyntax, 0},
		{"blank", " \n", CodeSyntax, 2},
		{"two values", "1 2", CodeSyntax, 2},
		{"trailing comma in array", "[1,]", CodeSyntax, 3},
		{"trailing comma in object", `{"a":1,}`, CodeSyntax, 7},
		{"missing comma", `[1 2]`, CodeSyntax, 3},
		{"missing colon", `{"a" 1}`, CodeSyntax, 5},
		{"name without quotes", `{a:1}`, CodeSyntax, 1},
		{"crossed brackets", `[{]}`, CodeSyntax, 2},
		{"array closed as object", `[1}`, CodeSyntax, 2},
		{"object closed as array", `{"a":1]`, CodeSyntax, 6},
		{"open string", `"abc`, CodeSyntax, 4},
		{"open object", `{"a":`, CodeSyntax, 5},
		{"leading zero", `01`, CodeSyntax, 1},
		{"lone minus", `-`, CodeSyntax, 1},
		{"plus", `+1`, CodeSyntax, 0},
		{"no digit behind point", `1.`, CodeSyntax, 2},
		{"no digit in exponent", `1e+`, CodeSyntax, 3},
		{"hexadecimal", `0x1`, CodeSyntax, 1},
		{"NaN", `NaN`, CodeSyntax, 0},
		{"half a word", `tru`, CodeSyntax, 0},
		{"tab in string", "\"a\tb\"", CodeSyntax, 2},
		{"unknown escape", `"\x"`, CodeSyntax, 1},
		{"short escape", `"\u12"`, CodeSyntax, 1},
		{"high surrogate alone", `"\ud800"`, CodeSyntax, 1},
		{"low surrogate alone", `"\udc00"`, CodeSyntax, 1},
		{"two high surrogates", `"\ud800\ud800"`, CodeSyntax, 1},
		{"invalid UTF-8", "\"\xff\"", CodeSyntax, 1},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", CodeSyntax, 1},
		{"byte order mark", "\ufeff1", CodeSyntax, 0},
		{"comment", "1 // one", CodeSyntax, 2},
		{"duplicate name", `{"a":1,"b":2,"a":3}`, CodeDuplicate, 13},
		{"duplicate name by escape", `{"a":1,"\u0061":2}`, CodeDuplicate, 7},
		{"duplicate empty name", `{"":1,"":2}`, CodeDuplicate, 6},
		{"duplicate among many", manyMembers(100, `"k7":0`), CodeDuplicate, len(manyMembers(100, ""))},
		{"too deep", deep, CodeTooDeep, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d Doc
			err, _ := d.Parse([]byte(c.text), Limits{}).(*Error)
			if err == nil {
				t.Fatalf("accepted %q", c.text)
			}
			if got := err.Issues[0]; got.Code != c.code || got.Offset != c.offset || got.Message == "" {
				t.Errorf("got %+v, want code %s at %d", got, c.code, c.offset)
			}
		})
	}
}

// manyMembers is an object of n members; last is added behind them.
func manyMembers(n int, last string) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range n {
		b.WriteString(`"k` + itoa(i) + `":{"k":1},`)
	}
	if last == "" {
		return b.String()
	}
	return b.String() + last + "}"
}

func TestParseAccepts(t *testing.T) {
	for _, text := range []string{
		`null`, ` true `, "\t[ ]\n", `{}`, `{"a":{"a":{"a":[]}}}`, `-0`, `-0.0e-00`, `1E+400`, `""`, `"\u0000\ud83d\ude00\/"`, `"é😀"`,
		`[[],{},[{}]]`, `{"a":1,"A":2,"a ":3}`, manyMembers(200, `"z":0`), `"` + strings.Repeat("x", 100) + `\n"`,
		strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
	} {
		var d Doc
		if err := d.Parse([]byte(text), Limits{}); err != nil {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

func TestParseLimits(t *testing.T) {
	var d Doc
	if err := d.Parse([]byte(`[[1]]`), Limits{MaxDepth: 2}); err != nil {
		t.Error(err)
	}
	if err := d.Parse([]byte(`[[1]]`), Limits{MaxDepth: 1}); err == nil {
		t.Error("depth 2 accepted under limit 1")
	}
	if err := d.Parse([]byte(`12345`), Limits{MaxBytes: 4}); err == nil {
		t.Error("five bytes accepted under limit 4")
	}
}

func TestSetLimits(t *testing.T) {
	defer SetLimits(Limits{})
	deep := []byte(strings.Repeat("[", 1500) + strings.Repeat("]", 1500))
	if issues := Validate(deep, Anything); len(issues) != 1 || issues[0].Code != CodeTooDeep {
		t.Errorf("depth 1500: %v", issues)
	}
	SetLimits(Limits{MaxDepth: 2000, MaxBytes: 3000})
	if issues := Validate(deep, Anything); issues != nil {
		t.Errorf("depth 1500 of 2000: %v", issues)
	}
	if issues := Validate(append(deep, ' '), Anything); len(issues) != 1 || issues[0].Code != CodeTooLarge {
		t.Errorf("3001 bytes of 3000: %v", issues)
	}
	var d Doc
	if d.Parse([]byte("[[1]]"), Limits{MaxDepth: 1}) == nil {
		t.Error("limits of a call give way to those of the process")
	}
	SetLimits(Limits{})
	if Validate(deep, Anything) == nil {
		t.Error("the defaults do not come back")
	}
}

func TestNodes(t *testing.T) {
	var d Doc
	text := `{"a":[1,{"b~/":"x\n\u00e9y"},true],"c":null}`
	if err := d.Parse([]byte(text), Limits{}); err != nil {
		t.Fatal(err)
	}
	a, _ := d.Member(Root, "a")
	if d.Kind(a) != Array || d.Count(a) != 3 || d.Count(Root) != 2 {
		t.Errorf("kind %v, counts %d and %d", d.Kind(a), d.Count(a), d.Count(Root))
	}
	obj := d.Next(a + 1)
	str, found := d.Member(obj, "b~/")
	if !found || string(d.Text(str)) != "x\néy" || string(d.Raw(str)) != `"x\n\u00e9y"` {
		t.Errorf("text %q, raw %s", d.Text(str), d.Raw(str))
	}
	if got := d.pointer(str); got != "/a/1/b~0~1" {
		t.Errorf("pointer %q", got)
	}
	if got := d.pointer(str - 1); got != "/a/1/b~0~1" {
		t.Errorf("pointer of the name %q", got)
	}
	c, _ := d.Member(Root, "c")
	if got := d.pointer(c); got != "/c" || d.Offset(c) != strings.Index(text, "null") {
		t.Errorf("pointer %q, offset %d", got, d.Offset(c))
	}
	if _, found := d.Member(Root, "b"); found {
		t.Error("a member that is not there")
	}
}

func TestNoAllocation(t *testing.T) {
	race.SkipAllocations(t)
	text := []byte(`{"a":[1,2.5,"é",{"b":"c"}],"d":null,"e":{"f":true,"g":false}}`)
	check := func(v *Validator, n Node) bool { return v.CheckType(n, 1<<Object, "x") }
	Validate(text, check)
	if n := testing.AllocsPerRun(100, func() {
		if Validate(text, check) != nil {
			t.Error("rejected")
		}
	}); n > 0 {
		t.Errorf("%v allocations for a valid document", n)
	}
}

// Hostile names must not make the search for duplicates quadratic: these share
// length and ends, which the cheap hash looks at.
func BenchmarkHostileNames(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		var s strings.Builder
		s.WriteString("{")
		for i := range n {
			if i > 0 {
				s.WriteString(",")
			}
			s.WriteString(`"aaaaaaaa` + strings.Repeat("0", 6-len(itoa(i))) + itoa(i) + `bbbbbbbb":0`)
		}
		s.WriteString("}")
		b.Run(itoa(n), func(b *testing.B) {
			var d Doc
			for b.Loop() {
				if err := d.Parse([]byte(s.String()), Limits{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/member")
		})
	}
}

// What is said of names that come twice, and of merge conflicts, is enough to find them.
func TestParseExplains(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a":1,"b":{"a":2},"a":3}`, `the object has two members called "a"; the first stands at column 2`},
		{"{\n \"x\":[{\"é\":0,\n  \"\\u00e9\":[{}]}]}", `the object has two members called "é"; the first stands at line 2, column 8`},
		{`[{"a":{"b":1,"c":[2],"b":0}}]`, `the object has two members called "b"; the first stands at column 8`},
		{`{"":1,"":1}`, `the object has two members called ""; the first stands at column 2`},
		{"{\"a\":1,\n<<<<<<< HEAD\n", "a marker of a merge conflict: both sides of the conflict still stand here"},
		{"[1\n=======\n2]", "a marker of a merge conflict: both sides of the conflict still stand here"},
		{"[1]\n>>>>>>> x", "a marker of a merge conflict: both sides of the conflict still stand here"},
		{"<<<<<<<", "a marker of a merge conflict: both sides of the conflict still stand here"},
		{"<<<<<<<<", "expected a JSON value"},
		{"[ <<<<<<< x", "expected a JSON value"},
	} {
		if issues := Validate([]byte(tt.in), Anything); len(issues) != 1 || issues[0].Message != tt.want {
			t.Errorf("%s: %v, want %s", tt.in, issues, tt.want)
		}
	}
	var members []string // looked for with a set of names
	for i := range 100 {
		members = append(members, fmt.Sprintf(`"m%d":0`, i))
	}
	in := "{" + strings.Join(members, ",") + `,"m50":0}`
	if issues := Validate([]byte(in), Anything); len(issues) != 1 || !strings.Contains(issues[0].Message, `"m50"; the first stands at column `+fmt.Sprint(strings.Index(in, `"m50"`)+1)) {
		t.Errorf("%v", issues)
	}
}
