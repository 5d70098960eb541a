package gopattern

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
	"github.com/contractkit/contractkit/internal/testkit/module"
	"github.com/contractkit/contractkit/internal/testkit/shared"
)

const runtimeImport = "github.com/contractkit/contractkit/runtime/contract"

// sharedPatterns lists patterns of the data beside the repository, none if it is absent.
func sharedPatterns(t testing.TB) []string {
	root, err := shared.Root()
	if err != nil {
		t.Fatal(err)
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
					found[spaced(inner)] = true
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
		if _, ok := p.Plan().(*pattern.DFA); ok {
			f.Add(emit(p, fmt.Sprintf("table%d", k), runtimeImport, true))
		}
	}
	f.Comment("Tables are automata that Funcs may have as code.")
	f.Var().Id("Tables").Op("=").Map(jen.Int()).Func().Params(jen.Index().Byte()).Bool().Values(jen.DictFunc(func(d jen.Dict) {
		for k, p := range patterns {
			if _, ok := p.Plan().(*pattern.DFA); ok {
				d[jen.Lit(k)] = jen.Id(fmt.Sprintf("table%d", k))
			}
		}
	}))
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
		Want   []bool // of the inputs, where Go's regexp cannot say
	}
	var patterns []*pattern.Pattern
	var checks []check
	rnd := rand.New(rand.NewPCG(1, 9))
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
		for range 40 {
			if s := p.Sample(rnd); len(s) < 400 {
				at := rnd.IntN(len(s) + 1)
				in = append(in, s, s[:at]+"a"+s[at:], s[:at], s[at:], s+"-")
			}
		}
		patterns = append(patterns, p)
		in = slices.DeleteFunc(in, func(s string) bool { return !utf8.ValidString(s) })
		c := check{RE2: p.RE2(), Source: src, Inputs: in, Yes: yes, No: no}
		for _, s := range in {
			if c.RE2 != "" {
				break
			}
			c.Want = append(c.Want, p.MatchString(s))
		}
		checks = append(checks, c)
	}
	for _, c := range table {
		add(c.src, c.yes, c.no)
	}
	for _, src := range sharedPatterns(t) {
		add(src, nil, nil)
	}

	repo, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	// The other module uses these files; reading them tells go's test cache so.
	sources, err := filepath.Glob(filepath.Join(repo, "runtime", "contract", "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("the runtime's sources: %v", err)
	}
	for _, name := range sources {
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	data, err := json.Marshal(checks)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"go.mod":          fmt.Appendf(nil, "module emitted\n\ngo 1.26.0\n\nrequire github.com/contractkit/contractkit v0.0.0\n\nreplace github.com/contractkit/contractkit => %q\n", repo),
		"emitted.go":      emitAll(t, patterns),
		"checks.json":     data,
		"emitted_test.go": []byte(harness),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	module.Go(t, dir, "vet", ".")
	module.Go(t, dir, "test", ".")
	t.Logf("%d patterns", len(patterns))
	if os.Getenv("CONTRACTKIT_BENCH") != "" {
		out, err := module.Command(t, dir, "test", "-run=^$", "-bench=.", "-benchtime=20ms", ".").CombinedOutput()
		t.Logf("%v\n%s", err, out)
	}
}

// TestEmitIsDeterministic: two runs give the same bytes.
func TestEmitIsDeterministic(t *testing.T) {
	emit := func() []byte {
		var patterns []*pattern.Pattern
		for _, c := range table {
			p, err := pattern.Parse(c.src)
			if err != nil {
				t.Fatal(err)
			}
			patterns = append(patterns, p)
		}
		return emitAll(t, patterns)
	}
	if !bytes.Equal(emit(), emit()) {
		t.Error("the emitted files differ")
	}
}

// TestEmitComment: no pattern breaks out of its comment.
func TestEmitComment(t *testing.T) {
	for src, want := range map[string]string{
		"^a\n\"$":  "^a\\n\\\"$",
		"a\nb":     "a\\nb",
		`a\d"`:     `a\d"`,
		"a\u2028é": "a\\u2028\\u00e9",
		"*/ a":     "*/ a",
	} {
		if got := commentText(src); got != want {
			t.Errorf("commentText(%q) = %s, want %s", src, got, want)
		}
	}
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

type check struct {
	RE2, Source     string
	Inputs, Yes, No []string
	Want            []bool
}

func load(t testing.TB) (checks []check) {
	data, err := os.ReadFile("checks.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &checks); err != nil {
		t.Fatal(err)
	}
	return checks
}

// BenchmarkAll measures each pattern on its first match, emitted and by regexp.
func BenchmarkAll(b *testing.B) {
	for k, c := range load(b) {
		if len(c.Yes) == 0 {
			continue
		}
		s := []byte(c.Yes[0])
		b.Run(c.Source+"/emitted", func(b *testing.B) {
			for b.Loop() {
				Funcs[k](s)
			}
		})
		b.Run(c.Source+"/regexp", func(b *testing.B) {
			re := regexp.MustCompile(c.RE2)
			for b.Loop() {
				re.Match(s)
			}
		})
	}
}

func TestAll(t *testing.T) {
	for k, c := range load(t) {
		match := Funcs[k]
		if table, ok := Tables[k]; ok {
			code := match
			match = func(s []byte) bool {
				found := code(s)
				if table(s) != found {
					t.Errorf("match%d, %s: %q: the table does not say %v", k, c.Source, s, found)
				}
				return found
			}
		}
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
		for i, s := range c.Inputs {
			if c.RE2 == "" && match([]byte(s)) != c.Want[i] {
				t.Errorf("match%d, %s: %q: the plan says %v", k, c.Source, s, c.Want[i])
			}
		}
		if c.RE2 == "" {
			continue
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
