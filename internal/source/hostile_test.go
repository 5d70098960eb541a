package source

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHostileText holds that no text of a few megabytes costs more than seconds.
func TestHostileText(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("l0: &l0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&laughs, "l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d,", i-1), 10), ","))
	}
	const mega = 1 << 20
	tests := []struct{ name, file, text string }{
		{"deep json", "a.json", strings.Repeat("[", 4*mega)},
		{"deep objects", "a.json", strings.Repeat(`{"a":`, mega)},
		{"many values", "a.json", "[" + strings.Repeat("1,", 4*mega) + "1]"},
		{"duplicates", "a.json", "{" + strings.Repeat(`"a":1,`, mega/4) + `"a":1}`},
		{"surrogates", "a.json", `"` + strings.Repeat(`\ud800`, mega/2) + `"`},
		{"bad bytes", "a.json", strings.Repeat("\xFFa", 2*mega)},
		{"long key", "a.json", `{"` + strings.Repeat("k", 4*mega) + `":{` + strings.Repeat(`"a":1,`, mega/8) + `"b":1}}`},
		{"aliases", "a.yaml", laughs.String()},
		{"deep flow", "a.yaml", strings.Repeat("[", mega)},
		{"deep block", "a.yaml", strings.Repeat("- ", mega)},
		{"deep maps", "a.yaml", strings.Repeat("{a: ", mega/2)},
		{"one line", "a.yaml", "[" + strings.Repeat("é,", mega/4) + "1]"},
		{"long numbers", "a.yaml", "0x" + strings.Repeat("f", 2*mega)},
		{"digits", "a.yaml", strings.Repeat("9", 2*mega)},
		{"comments", "a.yaml", strings.Repeat("# c\n", mega/2) + "a: 1\n"},
		{"anchors", "a.yaml", strings.Repeat("- &a x\n", mega/8)},
		{"long keys", "a.yaml", "? " + strings.Repeat("k", mega) + "\n: 1\n"},
		{"questions", "a.yaml", strings.Repeat("? ", mega/8)},
		{"quotes", "a.yaml", strings.Repeat("\"\n", mega/2)},
		{"tags", "a.yaml", strings.Repeat("!a ", mega/4)},
		{"directives", "a.yaml", strings.Repeat("%TAG !a! b\n", mega/8) + "--- 1\n"},
		{"breaks", "a.yaml", "a: |\n" + strings.Repeat("\n", mega) + "  x"},
	}
	for _, test := range tests {
		start := time.Now()
		done := make(chan error, 1)
		go func() {
			_, err := Parse(test.file, []byte(test.text), Limits{})
			done <- err
		}()
		var err error
		select {
		case err = <-done:
		case <-time.After(100 * time.Second):
		}
		took := time.Since(start)
		if took > 100*time.Second {
			t.Errorf("%s took %v", test.name, took)
		}
		t.Logf("%-14s %8v %.100v", test.name, took.Round(time.Millisecond), err)
	}
}
