package pack

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// sharedFile reads a file of the shared vectors, or skips.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	return shared.Read(t, "vectors", "pack", filepath.FromSlash(name))
}

// vectorIndex is index.json of the shared vectors.
type vectorIndex struct {
	Context vectorContext `json:"default_context"`
	Cases   []struct {
		ID, File string
		Parse    struct {
			Verdict          string
			Contract         *int
			EffectiveTier    *string `json:"effective_tier"`
			Errors, Warnings []map[string]any
		}
		GateAlone *struct {
			Verdict string
			Errors  []map[string]any
		} `json:"gate_alone"`
	}
	Sets []struct {
		ID      string
		Files   []string
		Context *vectorContext
		Verdict string
		Errors  []map[string]any
	}
	Trust []struct {
		ID, File      string
		Registrations []vectorRegistration
		Decision      struct {
			Allowed bool
			Tier    string
			Code    string
		}
		Dispatch *struct {
			AuthorityPack string `json:"authority_pack"`
			Authority     string
			Invoked       bool
			Code          string
		}
	}
}

type vectorContext struct {
	Kernel, Host  string
	Registrations []vectorRegistration
}

type vectorRegistration struct {
	AdapterID string `json:"adapter_id"`
	Tier      string
	PackID    string `json:"pack_id"`
}

func vectors(t testing.TB) (index vectorIndex) {
	t.Helper()
	if err := json.Unmarshal(sharedFile(t, "index.json"), &index); err != nil {
		t.Fatal(err)
	}
	if len(index.Cases) == 0 {
		t.Fatal("no cases")
	}
	return index
}

// flat writes a diagnostic the way the vectors do: members of data beside the code.
func flat(t testing.TB, d Diagnostic, members ...string) string {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{"code": string(d.Code)}
	for _, m := range members {
		if v, ok := all[m]; ok {
			out[m] = v
		}
	}
	if data, ok := all["data"].(map[string]any); ok {
		for k, v := range data {
			out[k] = v
		}
	}
	return canonical(t, out)
}

func canonical(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParseVectors(t *testing.T) {
	index := vectors(t)
	passed := 0
	for _, c := range index.Cases {
		ok := t.Run(c.ID, func(t *testing.T) {
			p := ParseManifest(c.File, sharedFile(t, c.File))
			verdict := "reject"
			if p.Accepted() {
				verdict = "accept"
			}
			if verdict != c.Parse.Verdict {
				t.Errorf("verdict %s, want %s", verdict, c.Parse.Verdict)
			}
			if p.Accepted() == p.Diagnostics.HasErrors() {
				t.Error("the verdict and the diagnostics disagree")
			}
			want := 0
			if c.Parse.Contract != nil {
				want = *c.Parse.Contract
			}
			if p.Contract != want {
				t.Errorf("contract %d, want %d", p.Contract, want)
			}
			tier := ""
			if c.Parse.EffectiveTier != nil {
				tier = *c.Parse.EffectiveTier
			}
			if string(p.Tier) != tier {
				t.Errorf("tier %q, want %q", p.Tier, tier)
			}
			var gotErrors, gotWarnings []string
			for _, d := range p.Diagnostics {
				// A code without data members in the vectors compares by code and path.
				text := parseForm(t, d)
				if d.Severity == Error {
					gotErrors = append(gotErrors, text)
				} else {
					gotWarnings = append(gotWarnings, text)
				}
				if d.Line == 0 || d.Col == 0 || d.Message == "" {
					t.Errorf("no place or message: %+v", d)
				}
			}
			compareSets(t, "errors", gotErrors, c.Parse.Errors)
			compareSets(t, "warnings", gotWarnings, c.Parse.Warnings)
			if t.Failed() {
				t.Log("\n" + p.Diagnostics.Error())
			}
		})
		if ok {
			passed++
		}
	}
	t.Logf("%d of %d cases", passed, len(index.Cases))
}

// parseForm keeps what the vectors of the parse stage compare.
func parseForm(t testing.TB, d Diagnostic) string {
	out := map[string]any{"code": string(d.Code), "path": d.Path}
	if d.Code == CodeSchema {
		out["keyword"] = d.Data.Keyword
	}
	if d.Data.Fields != nil {
		out["fields"] = d.Data.Fields
	}
	return canonical(t, out)
}

func compareSets(t *testing.T, what string, got []string, want []map[string]any) {
	t.Helper()
	var texts []string
	for _, w := range want {
		if _, ok := w["path"]; !ok {
			w["path"] = "" // a fault of the text has no path
		}
		texts = append(texts, canonical(t, w))
	}
	slices.Sort(got)
	slices.Sort(texts)
	got, texts = slices.Compact(got), slices.Compact(texts)
	if !slices.Equal(got, texts) {
		t.Errorf("%s:\n got  %s\n want %s", what, strings.Join(got, "\n      "), strings.Join(texts, "\n      "))
	}
}
