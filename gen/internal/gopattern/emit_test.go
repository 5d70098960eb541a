package gopattern

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
)

const runtimeImport = "github.com/contractkit/contractkit/runtime/contract"

const (
	spaceClass = `[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`
)

// table are the patterns that always run, with texts that match and do not.
var table = []struct {
	src     string
	yes, no []string
}{
	{``, []string{"", "x"}, nil},
	{`ping`, []string{"ping", "a ping b"}, []string{"", "pin", "pong"}},
	{`\.json$`, []string{".json", "a.json"}, []string{"json", "a.json\n", "a.jso"}},
	{`[]`, nil, []string{"", "a"}},
	{`^$`, []string{""}, []string{"a", "\n"}},
	{`^x-`, []string{"x-", "x-a"}, []string{"", "x", "ax-"}},
	{`^foo$`, []string{"foo"}, []string{"", "fo", "foo\n", "fooo"}},
	{`^.*$`, []string{"", "é😀"}, []string{"a\n", "\u2028"}},
	{`^.+$`, []string{"a", "é"}, []string{"", "\r"}},
	{`^\s*\d+\s*$`, []string{"1", " 12\u00a0", "\ufeff3"}, []string{"", " ", "1 2", "1é"}},
	{`^\s*\S+\s*$`, []string{"a", " é\u3000"}, []string{"", " ", "a b"}},
	{`^[a-z]{2,5}-[0-9]{1,6}$`, []string{"ab-1", "abcde-123456"}, []string{"a-1", "abcdef-1", "ab-", "ab-1234567", "ab1"}},
	{`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`, []string{"DE89370400440532013000"}, []string{"DE8937040044", "de89370400440532013000"}},
	{`^[A-Z]{3}-[0-9]{4}$`, []string{"ABC-1234"}, []string{"ABC-123", "ABC-12345", "ABCD1234"}},
	{`^dev-[a-z0-9]{8}$`, []string{"dev-abc12345"}, []string{"dev-abc1234", "dev-ABC12345"}},
	{`^[0-9]{4}$`, []string{"2024"}, []string{"204", "20245", "2o24"}},
	{`^sha256:[0-9a-f]{64}$`, []string{"sha256:" + strings.Repeat("0f", 32)}, []string{"sha256:" + strings.Repeat("0F", 32), "sha256:0f"}},
	{`^(sha256:)?[a-fA-F0-9]{64}$`, []string{strings.Repeat("aF", 32)}, []string{"sha256:", "sha255:" + strings.Repeat("aF", 32)}},
	{`^#(?:[\da-fA-F]{3}){1,2}$`, []string{"#abc", "#aBc123"}, []string{"#ab", "#abcd", "#abcdefa", "abc"}},
	{`^(|en|zh.*)$`, []string{"", "en", "zh", "zh-CN"}, []string{"e", "enx", "z", "zh\n"}},
	{`[^ ]`, []string{"a", " a"}, []string{"", "  "}},
	{`^([0-9a-f]{32})|(#\{.*\}#?)$`, []string{"#{x}", "a#{x}#", strings.Repeat("a", 33)}, []string{"#{x", "abc"}},
	{`^[é-ü]{2,3}$`, []string{"éü", "éêë"}, []string{"é", "aé", "éééé"}},
	{`^\p{L}+$`, []string{"aé漢"}, []string{"", "1", "a1"}},
	{`^[^a]{3}$`, []string{"bcd", "é漢😀"}, []string{"bca", "éé", "éééé"}},
	{`^[^/]+/[^/]?$`, []string{"é/", "é/漢"}, []string{"/", "é/漢漢"}},
	{`(a|b)*a(a|b){13}$`, []string{"abbbbbbbbbbbbb"}, []string{"bbbbbbbbbbbbbb", "a"}},
	{`\bfoo\b`, []string{"foo", "a foo b"}, []string{"food", "afoo"}},
	{`^(?:ab|cd){2}$`, []string{"abcd", "cdcd"}, []string{"ab", "ababab", "abce"}},
	{`^(?:ab|cd){2,}x[01]*`, []string{"abcdx", "cdcdabx01"}, []string{"abx", "ababab", "abce"}},
	{`^(?:a[0-9]|[b-f]x)?[xyz]{2}(?:-(?:l|r))?$`, []string{"a1xy", "xx-l", "bxzz-r"}, []string{"ax", "bxx", "xx-", "xx-m"}},
	{`^(?:[a-f]+|[0-9]+)(?:,[a-f]+;)*$`, []string{"a", "12,ab;", "ab,c;d"[:5]}, []string{"", "a1", "12,ab"}},
	{`^[a-z]{5000}$`, []string{strings.Repeat("a", 5000)}, []string{strings.Repeat("a", 4999)}},
	{`^"\\` + "`" + `$`, []string{"\"\\`"}, []string{"", "\""}},
	{`^[\x00-\x1f\x7f]?[^\x00-\x1f\x7f]+$`, []string{"\x00a", "é"}, []string{"", "\x00", "a\n"}},
}

// shared lists patterns of the data beside the repository, none if it is absent.
func shared(t testing.TB) []string {
	root := os.Getenv("CONTRACTKIT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared")
	}
	found := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if p, ok := v["pattern"].(string); ok {
				found[p] = true
				if trim, _ := v["trim"].(bool); trim {
					inner := strings.TrimSuffix(strings.TrimPrefix(p, "^"), "$")
					found["^"+spaceClass+"*(?:"+inner+")"+spaceClass+"*$"] = true
				}
			}
			if m, ok := v["patternProperties"].(map[string]any); ok {
				for p := range m {
					found[p] = true
				}
			}
			for _, child := range v {
				walk(child)
			}
		case []any:
			for _, child := range v {
				walk(child)
			}
		}
	}
	for _, dir := range []string{"spec", "tools/perf/own", "schemastore"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			var v any
			if json.Unmarshal(data, &v) == nil {
				walk(v)
			}
			return nil
		})
		if err != nil {
			t.Logf("shared data is absent, its patterns are not tested: %v", err)
		}
	}
	var out []string
	for p := range found {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

// emitAll writes a file with one function for each pattern and a list of them.
func emitAll(t testing.TB, patterns []*pattern.Pattern) []byte {
	f := jen.NewFile("emitted")
	f.ImportName(runtimeImport, "contract")
	for k, p := range patterns {
		f.Add(Emit(p, fmt.Sprintf("match%d", k), runtimeImport))
	}
	f.Comment("Funcs lists the functions in the order of the patterns.")
	f.Var().Id("Funcs").Op("=").Index().Func().Params(jen.Index().Byte()).Bool().ValuesFunc(func(g *jen.Group) {
		for k := range patterns {
			g.Line().Id(fmt.Sprintf("match%d", k))
		}
		g.Line()
	})
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		t.Fatalf("render: %v", err)
	}
	return b.Bytes()
}

// inputs are texts near the patterns: those of the table, pieces of the pattern
// itself, and common values.
func inputs(src string) []string {
	out := []string{"", "a", "A", "0", "-", "foo", "foo-bar", "foo_bar.baz", "1.2.3", "1.2.3-rc.1+b", "é", "😀", "\n", " a ", "\u00a0a\u3000",
		"2024-02-29T10:00:00Z", "2023-02-29T10:00:00Z", "2024-12-31T23:59:59.123Z", "2024-01-01", "gate:0123abcd-ef", "https://github.com/a", "git+https://github.com/a", "files://x", "file://x",
		"a/b", "./a", "../a", "a/../b", "a/..b/.c", "a//b", ".", "..", "@a/b", "hasna.x.y.v1", "hasna.v1.v2", "00000000-0000-4000-8000-000000000000",
		strings.Repeat("a", 40), strings.Repeat("0", 64), "sha256:" + strings.Repeat("0", 64), "#abc", "#{x}#", "x-y", "a b", "ABC_DEF", "CAN12", "LIN255", "LIN256", src}
	for k := range src {
		out = append(out, src[:k], src[k:])
	}
	return slices.DeleteFunc(out, func(s string) bool { return len(s) > 400 })
}

// TestEmitted compiles the emitted functions in a module of their own and
// compares their verdicts with Go's regexp.
func TestEmitted(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	type check struct {
		RE2    string
		Source string
		Inputs []string
		Yes    []string
		No     []string
	}
	var patterns []*pattern.Pattern
	var checks []check
	add := func(src string, yes, no []string) {
		p, err := pattern.Parse(src)
		if err != nil {
			t.Logf("not tested: %s: %v", src, err)
			return
		}
		in := inputs(src)
		// Words around what matches are near misses.
		for _, s := range yes {
			in = append(in, s, s+"\n", " "+s, s+s, s+"é")
			for k := range s {
				if len(s) < 100 {
					in = append(in, s[:k], s[:k]+"~"+s[k:], s[:k]+"😀"+s[k:])
				}
			}
		}
		patterns = append(patterns, p)
		checks = append(checks, check{p.RE2(), src, in, yes, no})
	}
	for _, c := range table {
		add(c.src, c.yes, c.no)
	}
	for _, src := range shared(t) {
		add(src, nil, nil)
	}

	repo, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	data, err := json.Marshal(checks)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"go.mod":          fmt.Appendf(nil, "module emitted\n\ngo 1.26.0\n\nrequire github.com/contractkit/contractkit v0.0.0\n\nreplace github.com/contractkit/contractkit => %s\n", repo),
		"emitted.go":      emitAll(t, patterns),
		"checks.json":     data,
		"emitted_test.go": []byte(harness),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"test", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%.8000s", args[0], err, out)
		}
	}
	t.Logf("%d patterns", len(patterns))
}

// harness is the test that runs inside the emitted module.
const harness = `package emitted

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
	"unicode/utf8"
)

func TestAll(t *testing.T) {
	data, err := os.ReadFile("checks.json")
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct {
		RE2, Source     string
		Inputs, Yes, No []string
	}
	if err := json.Unmarshal(data, &checks); err != nil {
		t.Fatal(err)
	}
	for k, c := range checks {
		match := Funcs[k]
		for _, s := range c.Yes {
			if !match([]byte(s)) {
				t.Errorf("match%d, %s: %q must match", k, c.Source, s)
			}
		}
		for _, s := range c.No {
			if match([]byte(s)) {
				t.Errorf("match%d, %s: %q must not match", k, c.Source, s)
			}
		}
		re := regexp.MustCompile(c.RE2)
		for _, s := range c.Inputs {
			if want := re.MatchString(s); utf8.ValidString(s) && match([]byte(s)) != want {
				t.Errorf("match%d, %s: %q: Go's regexp says %v", k, c.Source, s, want)
			}
		}
	}
}
`
