package rules

import (
	"strings"
	"testing"
)

// TestFailing finds constants that their function cannot read, at their place, and no
// others.
func TestFailing(t *testing.T) {
	for rule, want := range map[string]string{
		`self.note.matches("^[A-")`:                                "4:28 constant",
		`self.note.matches("^[A-Z]")`:                              "",
		`self.note.matches("a" + "[")`:                             "4:32 constant",
		`self.note.matches("(?=a)")`:                               "4:28 constant",
		`regex.replace(self.note, "(", "") == ""`:                  "4:35 constant",
		`regex.extract(self.note, "*").hasValue()`:                 "4:35 constant",
		`regex.extractAll(self.note, "a)").size() > 0`:             "4:38 constant",
		`findStrings(self, "[").size() > 0`:                        "4:28 constant",
		`timestamp("x") < timestamp(self.note)`:                    "4:20 constant",
		`timestamp("2020-01-01T00:00:00Z") < timestamp(self.note)`: "",
		`duration("1") < duration(self.note)`:                      "4:19 constant",
		`int("x") < self.total && self.note != ""`:                 "4:14 constant",
		`double("1.5e") < double(self.total) && self.note != ""`:   "4:17 constant",
		`int("12") < self.total && self.note.matches(self.note)`:   "",
		`["a"].exists(x, x.matches("[") || self.note == x)`:        "4:36 constant",
	} {
		_, warnings, err := load(t, "version: 1\nrules:\n  - {id: a, schema: order.json, unguarded: u, rule:\n        '"+rule+"'}\n")
		if got := places(err, nil); strings.TrimSpace(got) != want {
			t.Errorf("%s: %q, want %q\n%v\n%v", rule, got, want, err, warnings)
		}
	}
}
