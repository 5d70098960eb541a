package source

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/internal/diag"
)

// messages returns the diagnostics of err as text, one an entry.
func messages(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		t.Fatalf("not a diag.List: %v", err)
	}
	return strings.Split(list.Error(), "\n")
}

func TestParseReportsProblems(t *testing.T) {
	small := Limits{MaxDepth: 3, MaxValues: 20, MaxFileBytes: 200}
	tests := []struct {
		name, file, text string
		want             []string
	}{
		{"empty json", "a.json", " \n", []string{`a.json:2:1: error: malformed JSON: the file is empty [source.syntax]`}},
		{"cut off", "a.json", `{"a": [1,`, []string{`a.json:1:10: error: malformed JSON: the file ends in the middle of a value [source.syntax]`}},
		{"comment", "a.json", "{\n  // no\n}", []string{`a.json:2:3: error: malformed JSON: a comment starts here [source.syntax]`}},
		{"conflict", "a.json", "{\n<<<<<<< HEAD\n  \"a\": 1\n=======\n", []string{`a.json:2:1: error: a marker of a merge conflict: both sides of the conflict still stand here [source.syntax]`}},
		{"rest of a conflict", "a.json", "{\"a\": 1\n>>>>>>> other\n}", []string{`a.json:2:1: error: a marker of a merge conflict: both sides of the conflict still stand here [source.syntax]`}},
		{"no conflict", "a.json", "{\n <<<<<<< HEAD\n", []string{`a.json:2:2: error: malformed JSON: invalid character '<' at start of value [source.syntax]`}},
		{"conflict in yaml", "a.yaml", "a: 1\nb:\n<<<<<<< HEAD\n  - 1\n=======\n  - 2\n>>>>>>> other\n", []string{`a.yaml:3:1: error: a marker of a merge conflict: both sides of the conflict still stand here [source.syntax]`}},
		{"more text", "a.json", "1 2", []string{`a.json:1:3: error: there is more text after the end of the value [source.syntax]`}},
		{"duplicates", "a.json", "{\"ü\": 1, \"x\": 2,\n \"x\": {\"y\":1,\"y\":2}, \"ü\": 3}", []string{
			`a.json:2:2: error: the member "x" is written twice [source.duplicate-key]`,
			`a.json:2:14: error: the member "y" is written twice [source.duplicate-key]`,
			`a.json:2:22: error: the member "ü" is written twice [source.duplicate-key]`}},
		{"escaped duplicate", "a.json", `{"a":1,"\u0061":2}`, []string{`a.json:1:8: error: the member "a" is written twice [source.duplicate-key]`}},
		{"bom", "a.json", "\xEF\xBB\xBF{}", []string{`a.json:1:1: error: the file starts with a byte order mark [source.bom]`}},
		{"bytes", "a.json", "[\"\xFF\xFE\",\n\"ü\xC3\"]", []string{
			`a.json:1:3: error: the byte 0xFF is not UTF-8 [source.utf8]`,
			`a.json:2:4: error: the byte 0xC3 is not UTF-8 [source.utf8]`}},
		{"surrogates", "a.json", `["\ud83d\ude00", "\ud83d", "a\\ud83d", {"\uDE00\ud83dx": "\ud83d\ud83d\ude00"}]`, []string{
			`a.json:1:19: error: \ud83d is half of a surrogate pair and stands for no character [source.utf8]`,
			`a.json:1:42: error: \uDE00 is half of a surrogate pair and stands for no character [source.utf8]`,
			`a.json:1:48: error: \ud83d is half of a surrogate pair and stands for no character [source.utf8]`,
			`a.json:1:59: error: \ud83d is half of a surrogate pair and stands for no character [source.utf8]`}},
		{"depth", "a.json", `[[[[]]]]`, []string{`a.json:1:4: error: values are nested more than 3 deep [source.depth]`}},
		{"values", "a.json", "[" + strings.Repeat("1,", 30) + "1]", []string{`a.json:1:40: error: the file holds more than 20 values [source.too-large]`}},
		{"size", "a.json", strings.Repeat(" ", 201), []string{`a.json:1:1: error: the file has 201 bytes, more than the 200 allowed [source.too-large]`}},

		{"empty yaml", "a.yaml", "# nothing\n", []string{`a.yaml:1:1: error: the file is empty [source.syntax]`}},
		{"yaml syntax", "a.yaml", "a: 1\nb: [\n", []string{`a.yaml:2:1: error: malformed YAML: did not find expected node content [source.syntax]`}},
		{"yaml tag", "a.yaml", "a: 1\nb: !has(x) || y\n", []string{`a.yaml:2:1: error: malformed YAML: did not find expected comment or line break [source.syntax]`}},
		{"tab", "a.yaml", "a:\n\tb: 1\n", []string{`a.yaml:2:1: error: malformed YAML: found character that cannot start any token [source.syntax]`}},
		{"two documents", "a.yaml", "a: 1\n---\nb: 2\n", []string{`a.yaml:2:1: error: the file holds a second YAML document [source.yaml-documents]`}},
		{"yaml duplicates", "a.yaml", "ü: {x: 1, x: 2}\n\"ü\": 3\n", []string{
			`a.yaml:1:12: error: the member "x" is written twice [source.duplicate-key]`,
			`a.yaml:2:1: error: the member "ü" is written twice [source.duplicate-key]`}},
		{"yaml version", "a.yaml", "%YAML 2.0\n---\na: 1\n", []string{`a.yaml:1:1: error: malformed YAML: found incompatible YAML document [source.syntax]`}},
		{"merge", "a.yaml", "a: &a {x: 1}\nb:\n  <<: *a\n", []string{`a.yaml:3:3: error: the merge key << is not part of YAML 1.2 [source.yaml-merge]`}},
		{"key", "a.yaml", "[1]: 2\n", []string{`a.yaml:1:1: error: a key is not a plain text [source.yaml-key]`}},
		{"tags", "a.yaml", "a: !!binary aGk=\nb: !mine {}\nc: !!int x\nd: !!timestamp 2020-01-01\n", []string{
			`a.yaml:1:4: error: the tag "!!binary" cannot stand here [source.yaml-tag]`,
			`a.yaml:2:4: error: the tag "!mine" cannot stand here [source.yaml-tag]`,
			`a.yaml:3:4: error: "x" is not a value of the tag "!!int" [source.yaml-tag]`,
			`a.yaml:4:4: error: the tag "!!timestamp" cannot stand here [source.yaml-tag]`}},
		{"infinite", "a.yaml", "[.inf, -.INF, .nan]\n", []string{
			`a.yaml:1:2: error: ".inf" is a number that JSON cannot write [source.yaml-number]`,
			`a.yaml:1:8: error: "-.INF" is a number that JSON cannot write [source.yaml-number]`,
			`a.yaml:1:15: error: ".nan" is a number that JSON cannot write [source.yaml-number]`}},
		{"cycle", "a.yaml", "a: &a\n  b: *a\n", []string{`a.yaml:2:6: error: the alias *a stands inside the value that it names [source.yaml-alias]`}},
		{"laughs", "a.yaml", "a: &a [x,x,x,x]\nb: [*a,*a,*a,*a]\n", []string{`a.yaml:1:12: error: the file holds more than 20 values once its aliases are written out [source.too-large]`}},
		{"yaml depth", "a.yaml", "a: {b: {c: {}}}\n", []string{`a.yaml:1:12: error: values are nested more than 3 deep [source.depth]`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(test.file, []byte(test.text), small)
			if diff := cmp.Diff(test.want, messages(t, err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseValues(t *testing.T) {
	tests := []struct{ file, text, want string }{
		{"a.json", ` { "a" : [ 1.50, -0, 1E400, 12345678901234567890 ], "<\u00e9\u2028" : "\/\n\ud83d\ude00" } `,
			"{\"a\":[1.50,-0,1E400,12345678901234567890],\"<é\u2028\":\"/\\n😀\"}"},
		{"a.json", `[null,true,false,{},[],""]`, `[null,true,false,{},[],""]`},
		{"a.yaml", "[on, off, yes, no, y, True, FALSE, ~, Null, '1', \"true\", 2020-01-01, 1_000, 0b1, 12:30:45]\n",
			`["on","off","yes","no","y",true,false,null,null,"1","true","2020-01-01","1_000","0b1","12:30:45"]`},
		{"a.yaml", "[1, +1, -007, 0o17, 0xfF, .5, 5., -.5e3, 1e3, +0.10E-2, 0xFFFFFFFFFFFFFFFFFF, 123456789012345678901234567890.10, 0o8, -0x1]\n",
			`[1,1,-7,15,255,0.5,5.0,-0.5e3,1e3,0.10E-2,4722366482869645213695,123456789012345678901234567890.10,"0o8","-0x1"]`},
		{"a.yaml", "200: ok\non: 1\nnull: 2\n\"<<\": 3\n", `{"200":"ok","on":1,"null":2,"<<":3}`},
		{"a.yaml", "a: &a {x: [1]}\nb: *a\nc: |\n  two\n  lines\nd: >-\n  one\n  line\n", `{"a":{"x":[1]},"b":{"x":[1]},"c":"two\nlines\n","d":"one line"}`},
		{"a.yaml", "# a\n\n%YAML 1.2 # b\n---\nyes: off\n...\n", `{"yes":"off"}`},
		{"a.yaml", "- !!str 12\n- !!int 0o17\n- !!float 1\n- !!null ''\n- !!bool True\n-\n", `["12",15,1,null,true,null]`},
		{"a.yml", "--- {a: 1}\n...\n", `{"a":1}`},
	}
	for _, test := range tests {
		doc, err := Parse(test.file, []byte(test.text), Limits{})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := string(AppendJSON(nil, doc.Root)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

// TestPositions finds each value by its pointer and compares the text there.
func TestPositions(t *testing.T) {
	tests := []struct {
		file, text string
		at         map[string]string // pointer to the text at its position
	}{
		{"a.json", "{\n  \"é\": [10, {\"a/b\": true,\r\n \"m~n\" : \"s\"}] }", map[string]string{
			"": "{", "/é": "[10", "/é/0": "10", "/é/1": `{"a/b"`, "/é/1/a~1b": "true", "/é/1/m~0n": `"s"`,
			"/é/2": "[10", "/é/01": "[10", "/é/1/x/y": `{"a/b"`, "/~2": "{", "bad": "{"}},
		{"a.yaml", "é: {k: ü, l: [1,\r\n  two]}\r\n# ü\nm:\n  - x: |\n      text\n  -\n", map[string]string{
			"": "é: {", "/é": "{k", "/é/k": "ü", "/é/l": "[1", "/é/l/1": "two", "/m": "- x", "/m/0": "x: |", "/m/0/x": "|"}},
		{"a.yaml", "# \u2028a: 1\u0085b: 2\nc: 3\n", map[string]string{"/a": "1", "/b": "2", "/c": "3"}},
	}
	for _, test := range tests {
		doc, err := Parse(test.file, []byte(test.text), Limits{})
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		for pointer, want := range test.at {
			if got := textAt(test.text, doc.At(pointer)); !strings.HasPrefix(got, want) {
				t.Errorf("%q at %q: %q does not start with %q", test.text, pointer, got, want)
			}
		}
	}
}

func textAt(text string, pos diag.Pos) string {
	for range pos.Line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text[pos.Col-1:]
}

func TestLookup(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"":{"":7}`)
	for i := range 100 { // enough members for an index
		fmt.Fprintf(&b, `,"m%d":[%d]`, i, i)
	}
	b.WriteString("}")
	doc, err := Parse("a.json", []byte(b.String()), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{"//": "7", "/m99/0": "99", "/m0/0": "0", "/m0/1": "", "/m100": "", "/m0/-": "", "m0": "", "/m0/0/": ""} {
		got := ""
		if v := doc.Root.Lookup(pointer); v != nil {
			got = v.Text
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", pointer, got, want)
		}
	}
	if doc.Root.Lookup("") != doc.Root {
		t.Error("the empty pointer is not the root")
	}
}

func TestProblemsAreCapped(t *testing.T) {
	_, err := Parse("a.json", []byte("{"+strings.Repeat(`"a":1,`, 1000)+`"b":1}`), Limits{})
	got := messages(t, err)
	if len(got) != maxProblems+1 {
		t.Errorf("got %d lines", len(got))
	}
}

// FuzzParse holds that Parse does not panic, that diagnostics lie inside the
// file, and that what is read prints back to the same value.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"\u00e9"],"a":null}`, "a: &x [1, 0x1F]\nb: *x\n", "{a: é, ? [b] : c}\r\n", "\"\\ud800\"", "a: |\n  x\u2028y\n- z"} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, asYAML bool) {
		name := "a.json"
		if asYAML {
			name = "a.yaml"
		}
		doc, err := Parse(name, data, Limits{MaxDepth: 50, MaxValues: 5000})
		if err != nil {
			for _, d := range err.(diag.List) {
				if d.Severity == diag.Error {
					inside(t, data, d.Pos)
				}
				for _, r := range d.Related {
					inside(t, data, r.Pos)
				}
			}
			return
		}
		printed := AppendJSON(nil, doc.Root)
		again, err := Parse("b.json", printed, Limits{})
		if err != nil {
			t.Fatalf("%s does not parse: %v", printed, err)
		}
		if second := AppendJSON(nil, again.Root); string(second) != string(printed) {
			t.Errorf("%s prints back as %s", printed, second)
		}
		positions(t, data, doc.Root)
	})
}

func positions(t *testing.T, data []byte, v *Value) {
	inside(t, data, v.Pos)
	for _, m := range v.Members {
		inside(t, data, m.NamePos)
		positions(t, data, m.Value)
	}
	for _, item := range v.Items {
		positions(t, data, item)
	}
}

func inside(t *testing.T, data []byte, pos diag.Pos) {
	t.Helper()
	rows := strings.Split(string(data), "\n")
	if pos.Line < 1 || pos.Line > len(rows) || pos.Col < 1 || pos.Col > len(rows[pos.Line-1])+1 {
		t.Fatalf("%v is outside the file", pos)
	}
}

// A text that begins as a list or object of YAML and goes on behind its end is reported
// where it stands, not where what is around it begins.
func TestBracketedText(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\nrules:\n  - id: a\n    rule: {\"a\": 1}[self.x] == 1\n    path: /x\n": "4:11 {",
		"version: 1\nrules:\n  - id: a\n    rule: [1, '],'].exists(x, x == self.x)\n":      "4:11 [",
		"a: [1, 2] # a comment\nb: {c: d} == 1\n":                                          "2:4 {",
		"a: {b: [1]}\nc: [\n": "",
	} {
		_, err := Parse("a.yaml", []byte(text), Limits{})
		list, ok := errors.AsType[diag.List](err)
		if !ok || len(list) != 1 {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := ""
		if d := list[0]; strings.Contains(d.Hint, "in quotes, or write it as a block") {
			got = fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Col, strings.Fields(strings.SplitAfter(d.Message, "begins with ")[1])[0])
		}
		if got != want {
			t.Errorf("%q: got %q, want %q: %v", text, got, want, err)
		}
	}
}

// TestQuoteHint says which characters at the start of a value need quotes.
func TestQuoteHint(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: !has(x) || y\n": "put a text that begins with ! in quotes",
		"a: 1\nb: @x\n":           "put a text that begins with @ in quotes",
		"- `x`\n":                 "put a text that begins with ` in quotes",
		"b: [\n":                  "",
	} {
		_, err := Parse("a.yaml", []byte(text), Limits{})
		list, ok := errors.AsType[diag.List](err)
		if !ok || len(list) != 1 || list[0].Hint != want {
			t.Errorf("%q: %+v", text, err)
		}
	}
}
