package spelling

import "testing"

func TestClosest(t *testing.T) {
	tests := []struct {
		word       string
		candidates []string
		want       string
	}{
		{"actor_ref.v2.json", []string{"actor.json", "actor_ref.v1.json", "task.json"}, "actor_ref.v1.json"},
		{"schmeas", []string{"name", "schemas", "targets"}, "schemas"},
		{"ou", []string{"out", "use"}, ""}, // a third of two bytes is none
		{"outt", []string{"out", "use"}, "out"},
		{"uot", []string{"use", "out"}, "out"},
		{"name", []string{"name"}, ""},
		{"abc", []string{"xyz", ""}, ""},
		{"", []string{"a"}, ""},
	}
	for _, test := range tests {
		if got := Closest(test.word, test.candidates); got != test.want {
			t.Errorf("Closest(%q) = %q, want %q", test.word, got, test.want)
		}
	}
}
