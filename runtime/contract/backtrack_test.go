package contract

import (
	"strings"
	"testing"
)

// again is ^(a*)*\1b$, as the pattern compiler writes it.
var again = Backtracker{
	Steps: []Step{
		{Op: StepBegin}, {Op: StepSplit, X: 2, Y: 12}, {Op: StepSave, X: 2}, {Op: StepClear, X: 0, Y: 2}, {Op: StepSave, X: 0},
		{Op: StepSplit, X: 6, Y: 9}, {Op: StepSave, X: 3}, {Op: StepSet, X: 0}, {Op: StepJump, X: 5},
		{Op: StepSave, X: 1}, {Op: StepMoved, X: 2}, {Op: StepJump, X: 1},
		{Op: StepRef, X: 0}, {Op: StepSet, X: 1}, {Op: StepEnd}, {Op: StepMatch},
	},
	Sets:  []RuneSet{{ASCII: ByteSet{1: 1 << ('a' - 64)}}, {ASCII: ByteSet{1: 1 << ('b' - 64)}}},
	Slots: 4,
}

func TestBacktrackerFinds(t *testing.T) {
	for text, want := range map[string]bool{"b": true, "aab": true, "aaab": true, "ab": false, "": false, "a": false} {
		if found, decided := again.Find([]byte(text)); found != want || !decided {
			t.Errorf("%q: %v, %v", text, found, decided)
		}
	}
}

// A costly string fails the document, whether the pattern must match or must not,
// is asked for in a probe, or only while decoding.
func TestCostlyFailsEverywhere(t *testing.T) {
	first := func(v *Validator) Node { return Root + 1 }
	costlyText := strings.Repeat("a", 60)
	must := func(v *Validator, n Node) bool {
		return again.Match(v.Str(first(v))) || v.NoMatch(first(v), "^(a*)*\\1b$", "x.v1#")
	}
	for name, check := range map[string]Check{
		"must match": must,
		"must not match": func(v *Validator, n Node) bool {
			return !v.Probes(must, n) || v.Fail(n, CodeNot, "x.v1#/not", "must not match")
		},
		"may match": func(v *Validator, n Node) bool { return v.Probes(must, n) || true },
	} {
		issues := Validate([]byte(`["`+costlyText+`"]`), check)
		if len(issues) != 1 || issues[0].Code != CodeCostly || issues[0].Path != "/0" || issues[0].Offset != 1 {
			t.Errorf("%s: %+v", name, issues)
		}
		// The validator goes back to the pool in order.
		if issues := Validate([]byte(`["aab"]`), must); issues != nil {
			t.Errorf("after %s: %v", name, issues)
		}
	}
	err := Decode([]byte(`["\u0061`+costlyText+`"]`), Anything, func(d *Decoder) { must(d.Validator, Root) })
	if err == nil || err.(*Error).Issues[0].Code != CodeCostly || err.(*Error).Issues[0].Path != "/0" {
		t.Errorf("decode: %v", err)
	}
}

func TestPadded(t *testing.T) {
	space, letter := ByteSet{0: 1 << ' '}, ByteSet{1: 0x07FFFFFE07FFFFFE}
	both := ByteSet{0: space[0] | 1<<'-', 1: letter[1]}
	p := Padded{Pad: RuneSet{ASCII: space, High: []rune{0x3000, 0x3000}}, Edge: RuneSet{ASCII: letter, High: []rune{'é', 'é'}},
		Inner: RuneSet{ASCII: both, High: []rune{'é', 'é'}}, Max: 5}
	for text, want := range map[string]bool{
		"a": true, " a ": true, "\u3000a\u3000": true, "a b": true, "a-b": true, "éé-éé": true, "a    ": true, "a   b": true,
		"": false, " ": false, "-a": false, "a-": false, "a- ": false, "a -": false, "a    b": false, "a\u3000b": false, "éé--éé": false, "a1": false,
	} {
		if got := p.Match([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
