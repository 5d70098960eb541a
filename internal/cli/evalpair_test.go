package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/corpus"
)

// ask sends requests to eval with one engine and returns the answers.
func ask(t testing.TB, engine string, requests []string) []evalAnswer {
	t.Helper()
	env, out := testEnv(t, strings.Join(requests, "\n")+"\n")
	lib := newLibrary(t.Context(), env, "")
	if engine == "interpreter" {
		root, err := filepath.Abs("../..")
		if err != nil {
			t.Fatal(err)
		}
		env.Dir, lib.interpret = root, true
	}
	if err := runEval(t.Context(), env, lib); err != nil {
		t.Fatal(err)
	}
	var answers []evalAnswer
	for line := range strings.SplitSeq(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var a struct {
			Valid  bool
			Issues []evalIssue
			Error  string
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("answer %q: %v", line, err)
		}
		answers = append(answers, evalAnswer{Valid: a.Valid, Issues: a.Issues, Error: a.Error})
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers for %d requests", len(answers), len(requests))
	}
	return answers
}

// said is an answer in a line: ok, the error, or codes and paths in order.
func said(a evalAnswer) string {
	var out []string
	for _, i := range a.Issues {
		out = append(out, string(i.Code)+" "+i.Path)
	}
	slices.Sort(out)
	if a.Error != "" {
		out = append(out, a.Error)
	}
	if a.Valid {
		out = append(out, "ok")
	}
	return strings.Join(out, ", ")
}

// projection returns a valid projection, changed by what stands in turns.
func projection(t *testing.T, name string, turns ...string) string {
	t.Helper()
	text, err := os.ReadFile("../../schemas/catalog/fixtures/task_to_pr_projection." + name + ".valid.json")
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	for i := 0; i < len(turns); i += 2 {
		if !strings.Contains(s, turns[i]) {
			t.Fatalf("%s has no %q", name, turns[i])
		}
		s = strings.Replace(s, turns[i], turns[i+1], 1)
	}
	var compact strings.Builder
	for line := range strings.Lines(s) {
		compact.WriteString(strings.TrimSpace(line))
	}
	return compact.String()
}

func extended(t *testing.T, mode string) string {
	const digest = "ba05d26d6202bf02d51f97d65961fd984e36f8de145c845acc9dac5d58725814"
	extension := fmt.Sprintf(`"adapterExtensions": [{"mode": %q, "schema": "hasna.task_to_pr_adapter_extension.x.v1", "digest": %[2]q, "ref": {"role": "adapter_extension",
		"authority": "adapter", "id": "adapter_extension:adapter:opaque-%[3]s", "digest": %[2]q, "redaction": "full"}}], "state"`, mode, digest, digest[:32])
	return projection(t, "minimal", `"state"`, extension)
}

func TestEvalPairs(t *testing.T) {
	minimal := projection(t, "minimal")
	broken := projection(t, "minimal", `"exhausted": false`, `"exhausted": true`)
	tests := []struct{ name, request, want string }{
		{"a repeat", `"fn":"transition","input":{"previous":` + minimal + `,"current":` + minimal + `}`, "ok"},
		{"an edge that is none", `"fn":"transition","input":{"previous":` + minimal + `,"current":` + projection(t, "minimal", `"running"`, `"admitted"`) + `}`,
			"t2pr.transition.drift-needs-sequence /events/sequence, t2pr.transition.state-edge /state"},
		{"both have to be valid first", `"fn":"transition","input":{"previous":` + broken + `,"current":` + broken + `}`,
			"t2pr.snapshot.repair-exhaustion /current/repair/exhausted, t2pr.snapshot.repair-exhaustion /previous/repair/exhausted"},
		{"no object", `"fn":"transition","input":{"previous":` + minimal + `,"current":7}`, "invalid_type /current"},
		{"no argument", `"fn":"transition","input":{"previous":` + minimal + `}`, "required /current"},
		{"no arguments", `"fn":"transition","input":[]`, `the input is not an object with "previous" and "current"`},
		{"null", `"fn":"adapter_equivalence","input":null`, `the input is not an object with "first" and "second"`},
		{"local and cloud", `"fn":"adapter_equivalence","input":{"first":` + extended(t, "local") + `,"second":` + extended(t, "cloud") + `}`, "ok"},
		{"the wrong way round", `"fn":"adapter_equivalence","input":{"first":` + extended(t, "cloud") + `,"second":` + extended(t, "local") + `}`,
			"t2pr.adapter.cloud-only /second/adapterExtensions, t2pr.adapter.local-only /first/adapterExtensions"},
		{"another core", `"fn":"adapter_equivalence","input":{"first":` + extended(t, "local") + `,"second":` + strings.Replace(extended(t, "cloud"), ":00Z", ":01Z", 1) + `}`, "t2pr.adapter.core-equal /core"},
		{"one is not valid", `"fn":"adapter_equivalence","input":{"first":` + extended(t, "local") + `,"second":` + broken + `}`, "t2pr.snapshot.repair-exhaustion /second/repair/exhausted"},
	}
	var requests []string
	for i, tt := range tests {
		requests = append(requests, fmt.Sprintf(`{"id":%d,"schema":null,%s}`, i, tt.request))
	}
	for _, engine := range []string{"compiled", "interpreter"} {
		for i, a := range ask(t, engine, requests) {
			if got := said(a); got != tests[i].want {
				t.Errorf("%s, %s: %s, want %s", engine, tests[i].name, got, tests[i].want)
			}
		}
	}
}

// seedOverrides are cases that are decided otherwise than recorded, or at another place.
func seedOverrides(t *testing.T) map[string]string {
	text, err := os.ReadFile("../../schemas/catalog/testdata/seed_overrides.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct{ ID, Differs string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, c := range file.Cases {
		out[c.ID] = c.Differs
	}
	return out
}

// Both engines answer what the corpus has about projections and pairs of them as
// recorded, but for the cases in which the seed counts more, and alike in any case.
func TestEvalProjectionsOfTheCorpus(t *testing.T) {
	cases, err := corpus.Load(corpus.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	overrides := seedOverrides(t)
	cases = slices.DeleteFunc(cases, func(c corpus.Case) bool {
		about := evalFunctions[c.Fn] != nil && evalFunctions[c.Fn].schema == pairSchema
		return c.Tier == corpus.Edge || !about && (c.Fn != "validate" || c.Schema != pairSchema)
	})
	var requests []string
	for i, c := range cases {
		schema := "null"
		if c.Schema != "" {
			schema = fmt.Sprintf("%q", c.Schema)
		}
		requests = append(requests, fmt.Sprintf(`{"id":%d,"fn":%q,"schema":%s,"input":%s}`, i, c.Fn, schema, c.Input))
	}
	compiled, interpreted := ask(t, "compiled", requests), ask(t, "interpreter", requests)
	placed, elsewhere := 0, 0
	for i, c := range cases {
		a := compiled[i]
		if x, y := said(a), said(interpreted[i]); x != y {
			t.Errorf("%s %s: compiled %s, interpreted %s", c.File, c.ID, x, y)
		}
		override := overrides[c.ID]
		delete(overrides, c.ID)
		if (a.Valid != c.Valid) != (override == "verdict") {
			t.Errorf("%s %s %q: %s, recorded %v", c.File, c.ID, c.Mut, said(a), c.Valid)
		}
		if a.Valid || c.Valid || override != "" {
			continue
		}
		if slices.ContainsFunc(a.Issues, func(have evalIssue) bool {
			return slices.ContainsFunc(c.Issues, func(want corpus.Issue) bool { return have.Path == want.Path })
		}) {
			placed++
		} else {
			elsewhere++
		}
	}
	for id := range overrides {
		t.Errorf("the corpus has no case %s", id)
	}
	t.Logf("%d cases; of those refused, %d at a recorded place and %d elsewhere", len(cases), placed, elsewhere)
	if len(cases) < 1000 || elsewhere*20 > placed {
		t.Errorf("%d cases; of those refused, %d at a recorded place and %d elsewhere", len(cases), placed, elsewhere)
	}
}
