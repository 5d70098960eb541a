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

// withoutRules are the schemas whose rules are still to be written.
var withoutRules = []string{
	"hasna.artifact_attestation.v1", "hasna.build_artifact.v1", "hasna.deployment_approval_decision.v1", "hasna.deployment_attempt.v1",
	"hasna.deployment_plan.v1", "hasna.deployment_receipt.v1", "hasna.deployment_request.v1", "hasna.environment_binding.v1",
	"hasna.intent_snapshot.v1", "hasna.launch_evidence.v1", "hasna.product_projection.v1", "hasna.provider_receipt.v1",
	"hasna.verified_source_candidate.v1",
}

// TestCorpus holds the compiled catalog to the recorded verdicts, and counts those that
// wait for a rule.
func TestCorpus(t *testing.T) {
	cases, err := corpus.Load(corpus.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	ids := catalog.SchemaIDs()
	agree, waiting := 0, map[string]int{}
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
		case issues == nil && ruled && slices.Contains(withoutRules, id):
			waiting[id]++
		case issues == nil:
			t.Errorf("%s %s: accepted; want %v", c.ID, id, c.Issues)
		default:
			agree++
		}
	}
	left := 0
	for _, n := range waiting {
		left += n
	}
	t.Logf("%d cases agree, %d parsed values equal, %d cases wait for rules: %v", agree, outputs, left, waiting)
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
