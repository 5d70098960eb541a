package semrange

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

func TestVectors(t *testing.T) {
	var file struct {
		Versions []string
		Ranges   []struct {
			Range       string
			Valid       bool
			SatisfiedBy []string `json:"satisfied_by"`
		}
	}
	if err := json.Unmarshal(shared.Read(t, "vectors", "pack", "semver.json"), &file); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, row := range file.Ranges {
		r, err := ParseRange(row.Range)
		if (err == nil) != row.Valid {
			t.Errorf("range %q: error %v, want valid %v", row.Range, err, row.Valid)
			continue
		}
		var got []string
		for _, text := range file.Versions {
			v, err := ParseVersion(text)
			if err != nil {
				t.Fatal(err)
			}
			if v.String() != text {
				t.Errorf("%q prints as %q", text, v)
			}
			if r.Contains(v) {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, row.SatisfiedBy) {
			t.Errorf("range %q holds %q, want %q", row.Range, got, row.SatisfiedBy)
			continue
		}
		passed++
	}
	t.Logf("%d of %d ranges, %d versions each", passed, len(file.Ranges), len(file.Versions))
}
