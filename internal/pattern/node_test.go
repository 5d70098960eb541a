package pattern

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// nodeScript says for each pattern and text whether node finds it. A pattern
// that unicode mode refuses is tried without; its texts are ASCII then.
const nodeScript = `
let text = '';
process.stdin.on('data', d => text += d).on('end', () => {
  const out = JSON.parse(text).map(({src, texts}) => {
    let re, mode = 'u';
    try { re = new RegExp(src, 'u'); } catch {
      try { re = new RegExp(src); mode = ''; } catch { return {mode: 'refused', found: []}; }
    }
    return {mode, found: texts.map(t => re.test(t))};
  });
  process.stdout.write(JSON.stringify(out));
});`

// sloppy are patterns that unicode mode refuses and browsers read all the same.
var sloppy = map[string]bool{`a{,5}`: true, `^{$`: true, `^a{1}}]$`: true, `^[\w-:]$`: true, `^\-\_\/\@$`: true}

// TestAgainstNode asks a JavaScript engine for a second opinion on ECMA-262.
func TestAgainstNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: the meaning of patterns is not compared with a JavaScript engine")
	}
	sources := []string{`\s`, `\S`, `\w`, `\W`, `\d`, `\D`, `.`, `[^]`, `[\s\S]`, `^[^\s]$`, `\u{1F600}`, `[\uD83D\uDE00-\uD83D\uDE05]`, `^\p{Lu}`,
		`\P{L}`, `\p{Script=Greek}`, `\p{gc=Nd}`, `\p{Letter}`, `\p{White_Space}`, `\x41\u0042\cJ`, `^(?:a|b$)`, `[\b]`, `a$|^b`, `(?:^|,)x(?:,|$)`,
		`\bé`, `a\b`, `\Ba`, `[a-]`, `[-a]`, `[^-a]`, `a??b`, `a{2}?`, `()`, `(|a)+$`, `^(a*)*$`, `^(?:a?b?)*c$`, `\p{Alphabetic}`, `\p{Uppercase}`, `\p{Lowercase}`}
	for _, c := range cases {
		sources = append(sources, c.src)
	}
	type query struct {
		Src   string   `json:"src"`
		Texts []string `json:"texts"`
	}
	var queries []query
	var patterns []*Pattern
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, src := range sources {
		p, err := Parse(src)
		if err != nil {
			t.Errorf("Parse(%q): %v", src, err)
			continue
		}
		texts := []string{"", "a", "b", "Z", "5", " ", "\n", "\r", "\t", "\v", "\f", "\b", "\u0085", "\u00a0", "\u180e", "\u200b", "\u2028", "\u2029",
			"\u202f", "\u3000", "\ufeff", "é", "É", "α", "٣", "😀", "a\n", "\na", "aé", "éa", "-", "AB\n", "b\na", ",x", "x,y"}
		// Engines differ in their version of Unicode, hence no samples of properties.
		samples := 60
		if strings.Contains(strings.ToLower(src), `\p{`) {
			samples = 0
		}
		for range samples {
			s := p.Sample(rnd)
			texts = append(texts, s, mutate(rnd, s))
		}
		if sloppy[src] {
			ascii := texts[:0]
			for _, s := range texts {
				if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 {
					ascii = append(ascii, s)
				}
			}
			texts = ascii
		}
		patterns = append(patterns, p)
		queries = append(queries, query{src, texts})
	}
	in, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "-e", nodeScript)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var answers []struct {
		Mode  string
		Found []bool
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		p := patterns[i]
		if wantMode := map[bool]string{false: "u", true: ""}[sloppy[p.String()]]; a.Mode != wantMode {
			t.Errorf("%s: node's mode is %q, want %q", p, a.Mode, wantMode)
			continue
		}
		for k, found := range a.Found {
			if s := queries[i].Texts[k]; p.MatchString(s) != found {
				t.Errorf("%s (%s) on %q: node says %v", p, planName(p.Plan()), s, found)
			}
		}
	}
}

// TestErrorsAgainstNode: what is refused as malformed, unicode mode refuses too.
func TestErrorsAgainstNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	sources := []string{`a(b`, `ab)`, `[a`, `[z-a]`, `*a`, `a**`, `{2}`, `^*`, `a{3,2}`, `a\`, `\Z`, `\a`, `\1`, `\u12`, `\u{110000}`, `\xg0`, `\c1`, `\07`, `\p{L`, `(?<1>a)`, `(?<>a)`, `(?`, `[\B]`, `\u{}`, `\u{+1}`, `\x+1`, `\u-001`}
	in, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "-e", `console.log(JSON.stringify(JSON.parse(process.argv[1]).map(s => { try { new RegExp(s, 'u'); return true } catch { return false } })))`, string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var accepted []bool
	if err := json.Unmarshal(out, &accepted); err != nil {
		t.Fatal(err)
	}
	for i, src := range sources {
		if _, err := Parse(src); err == nil || accepted[i] {
			t.Errorf("%s: error %v, node accepts: %v", src, err, accepted[i])
		}
	}
}
