package catalogtest

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/internal/testkit/corpus"
	"github.com/contractkit/contractkit/runtime/contract"
)

// TestCorpusStructure holds the compiled catalog to the recorded verdicts that
// structure alone decides, and counts those that only a rule decides.
func TestCorpusStructure(t *testing.T) {
	cases, err := corpus.Load(corpus.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	ids := catalog.SchemaIDs()
	agree, byRule := 0, map[string]int{}
	outputs := 0
	for _, c := range cases {
		if c.Fn != "validate" || c.Tier != "" && c.Tier != corpus.Main {
			continue
		}
		id := c.Schema
		var issues contract.Issues
		if id == "" {
			id, issues = catalog.Validate(c.Input)
			if !slices.Contains(ids, id) && id != "" {
				continue
			}
		} else if slices.Contains(ids, id) {
			issues = catalog.ValidateAs(id, c.Input)
		} else {
			continue
		}
		ruled := !slices.ContainsFunc(c.Issues, func(i corpus.Issue) bool { return i.Code != "rule" })
		switch {
		case c.Valid && issues != nil:
			t.Errorf("%s %s: valid, but %v", c.ID, id, issues)
		case c.Valid:
			agree++
			doc, err := catalog.DecodeAs(id, c.Input)
			if err != nil {
				t.Errorf("%s %s: decode: %v", c.ID, id, err)
				continue
			}
			if got := doc.AppendJSON(nil); !sameJSON(got, c.Input) {
				t.Errorf("%s %s: round trip\n got %s\nwant %s", c.ID, id, got, c.Input)
			}
			parsed, err := catalog.ParseAs(id, c.Input)
			if err != nil {
				t.Errorf("%s %s: parse: %v", c.ID, id, err)
				continue
			}
			want := c.Output
			if want == nil {
				want = c.Input
			}
			if got := parsed.AppendJSON(nil); !sameJSON(got, want) {
				t.Errorf("%s %s: parsed value %s", c.ID, id, diffJSON(want, got))
			} else {
				outputs++
			}
		case issues == nil && ruled:
			byRule[id]++
		case issues == nil:
			t.Errorf("%s %s: accepted; want %v", c.ID, id, c.Issues)
		default:
			agree++
		}
	}
	left := 0
	for _, n := range byRule {
		left += n
	}
	t.Logf("%d cases agree, %d parsed values equal, %d cases wait for rules: %v", agree, outputs, left, byRule)
}

func sameJSON(a, b []byte) bool { return diffJSON(a, b) == "" }

// diffJSON compares values: 1.0 and 1 are one number.
func diffJSON(a, b []byte) string {
	return cmp.Diff(decode(a), decode(b), cmp.Comparer(func(x, y json.Number) bool {
		return contract.EqualNumbers([]byte(x), []byte(y))
	}))
}

func decode(b []byte) any {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	return v
}
