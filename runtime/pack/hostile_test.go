package pack

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostileText holds that no text costs more than a moment, whatever it is
// made of.
func TestHostileText(t *testing.T) {
	const mega = 1 << 20
	fill := func(start, more string) string {
		return start + strings.Repeat(more, (mega-len(start))/len(more))
	}
	head := base("my-pack", "1.0.0")
	// As many as the bound on values lets through.
	count := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			if strings.Contains(format, "%") {
				fmt.Fprintf(&b, format, i)
			} else {
				b.WriteString(format)
			}
		}
		return b.String()
	}
	tests := []struct{ name, text string }{
		{"deep flow", fill("", "[")}, {"deep block", fill("", "- ")}, {"deep maps", fill("", "{a: ")}, {"questions", fill("", "? ")},
		{"many keys", head + count(90_000, "k%d: \n")},
		{"many keys and dependencies", head + count(20_000, "k%d: \n") + "depends_on:\n" + count(14_000, "- {id: d%d, version_range: '*'}\n")},
		{"many keys and one dependency over and over", head + count(20_000, "k%d: \n") + "depends_on:\n" + count(20_000, "- {id: a, version_range: x}\n")},
		{"one tool over and over", head + "tools:\n" + count(40_000, "- {name: a}\n")},
		{"one key over and over", count(90_000, "a: 1\n")},
		{"steps", head + "migrations:\n- from: '*'\n  to: 1.0.0\n  steps:\n" + count(20_000, "  - {kind: x}\n") + count(10_000, "  - {kind: rename_event_kind, from: a, to: a}\n")},
		{"migrations", head + "migrations:\n" + count(20_000, "- {from: a, to: 9.0.0, steps: []}\n")},
		{"unknown keys of tools", head + "tools:\n" + count(20_000, "- {x: 1, y: 2, z: 3}\n")},
		{"one line", fill("x: [", "é,")}, {"anchors", fill("", "- &a x\n")}, {"aliases", fill("a: &a x\nb:\n", "- *a\n")},
		{"quotes", fill("", "\"\n")}, {"comments", fill("", "# c\n")}, {"breaks", "a: |\n" + fill("", "\n")}, {"tags", fill("", "!a ")},
		{"directives", fill("%YAML 1.2\n", "%TAG !a! b\n")}, {"digits", fill("id: ", "9")}, {"hexadecimal", fill("id: 0x", "f")},
		{"long version", fill("id: a\nversion: 1.0.0-", "a.")}, {"long range", fill(head+"depends_on: [{id: a, version_range: '", "1||") + "1'}]\n"},
		{"range of blanks", fill(head+"depends_on: [{id: a, version_range: '", " ") + "'}]\n"}, {"long id", fill("id: ", "a-")}, {"bomb", bomb()},
		{"tiers", fill(head+"trust_tier: [", "isolated, ") + "]\n"}, {"control characters", fill("id: \"", "\\u0001") + "\"\n"},
		{"claims", head + "namespaces:\n  command:\n" + count(90_000, "  - c%d\n")},
	}
	for _, test := range tests {
		if len(test.text) > mega {
			test.text = test.text[:mega]
		}
		start := time.Now()
		p := ParseManifest("m.yaml", []byte(test.text))
		if _, err := ValidateRegistration([]*Parsed{p, p}, hostWith(nil)); err != nil {
			t.Error(err)
		}
		took := time.Since(start)
		size := len(p.Diagnostics.Error())
		if took > 100*time.Second || size > mega || len(p.Diagnostics) > maxErrors+maxWarnings {
			t.Errorf("%s: %v, %d diagnostics of %d bytes", test.name, took, len(p.Diagnostics), size)
		}
		t.Logf("%-45s %8v accepted %v, %d diagnostics of %d bytes", test.name, took.Round(time.Millisecond), p.Accepted(), len(p.Diagnostics), size)
	}
}
