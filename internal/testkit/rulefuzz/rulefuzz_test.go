// Package rulefuzz holds compiled rules to cel-go's interpreter over random documents.
package rulefuzz

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/witness"
	"github.com/contractkit/contractkit/runtime/contract"
)

// engines are the two ways of evaluating the rules of a project's first contract.
type engines struct {
	set   *rules.Set
	in    *interp.Interp
	e     *rules.Evaluator
	judge *witness.Program
	p     *config.Project
	roots []model.Ref
}

func load(t *testing.T, file string, oldStands bool) *engines {
	t.Helper()
	g, err := loaded(t, filepath.FromSlash(file), oldStands)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// loaded prepares the engines for a project. Where oldStands, documents before a change
// may break rules: those of the project are for random documents, none of which obeys all.
func loaded(t *testing.T, file string, oldStands bool) (*engines, error) {
	t.Helper()
	ctx := context.Background()
	p, err := config.Load(file)
	if err != nil {
		return nil, err
	}
	loaded, err := build.Load(ctx, p, &p.Contracts[0])
	if err != nil {
		return nil, err
	}
	m, _, err := loaded.Model()
	if err != nil {
		return nil, err
	}
	set, _, err := loaded.Rules(m)
	if err != nil {
		return nil, err
	}
	if oldStands {
		m.OldStands = true
	}
	in, err := interp.New(m)
	if err != nil {
		return nil, err
	}
	e, err := set.Evaluator(in)
	if err != nil {
		return nil, err
	}
	var roots []model.Ref
	for i := range m.Documents {
		if m.Documents[i].Type != 0 {
			roots = append(roots, m.Documents[i].Root)
		}
	}
	judge, err := witness.Compile(ctx, m, roots)
	if errors.Is(err, witness.ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { judge.Close() })
	return &engines{set: set, in: in, e: e, judge: judge, p: p, roots: roots}, nil
}

// mostIssues is how many issues there may be before a list of them is cut.
const mostIssues = 1000

// judged compares the verdicts on a document of the schema r, which may take the place
// of an older one. ok is false when the structure of one is broken.
func (g *engines) judged(t *testing.T, r model.Ref, doc, old []byte) (want contract.Issues, ok bool) {
	t.Helper()
	if g.in.Validate(r, doc) != nil || old != nil && g.in.Validate(r, old) != nil {
		return nil, false
	}
	if old != nil {
		want = g.e.Transition(r, g.in.Complete(r, old), g.in.Complete(r, doc))
	} else {
		want = g.e.Validate(r, g.in.Complete(r, doc))
	}
	got, err := g.judge.Judge(rules.Document, &rules.Case{Schema: r, Docs: [][]byte{doc}, Old: old})
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, doc, old)
	}
	if len(want) >= mostIssues && len(got) >= mostIssues {
		return want, true // each engine stops where it has found enough
	}
	if a, b := keys(want), keys(got); !slices.Equal(a, b) {
		t.Errorf("the engines disagree\ninterpreter alone: %s\ncompiled alone:    %s\ndocument: %s\nbefore:   %s", without(a, b), without(b, a), doc, old)
	}
	return want, true
}

// duration is how long to go on: RULES_FUZZ, or a short time.
func duration(t *testing.T, short time.Duration) time.Duration {
	t.Helper()
	s := os.Getenv("RULES_FUZZ")
	if s == "" {
		return short
	}
	limit, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return limit
}

// random starts where RULES_FUZZ_SEED says.
func random() *rand.Rand {
	seed := uint64(11)
	for _, c := range os.Getenv("RULES_FUZZ_SEED") {
		seed = seed*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(seed, 3))
}

// TestEngines compares verdicts, rules and paths on the catalog's fixtures and changes of
// them. RULES_FUZZ=10m makes it run longer, RULES_FUZZ_SEED starts it elsewhere.
func TestEngines(t *testing.T) {
	g := load(t, "../../../contracts.yaml", false)
	rnd := random()
	mut := g.set.Mutator(context.Background(), g.in, g.p.Dir, g.p.Limits)
	if mut.Len() < 40 {
		t.Fatalf("%d fixtures", mut.Len())
	}
	limit := duration(t, 5*time.Second)
	seen := map[string]bool{}
	var judged, rejected, changes, broken int
	for start := time.Now(); time.Since(start) < limit && !t.Failed(); {
		r, doc, old := mut.Next(rnd)
		want, ok := g.judged(t, r, doc, old)
		if !ok {
			broken++
			continue
		}
		judged++
		if old != nil {
			changes++
		}
		if len(want) > 0 {
			rejected++
		}
		for _, i := range want {
			seen[string(i.Code)] = true
		}
	}
	t.Logf("%d documents, %d of them changes; %d rejected by %d of %d rules; %d more were broken in structure", judged, changes, rejected, len(seen), len(g.set.Checked), broken)
	if rejected == 0 {
		t.Error("no document was rejected")
	}
}

// without lists the words of a that b has not.
func without(a, b []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) }), ", ")
}

func keys(list contract.Issues) []string {
	var out []string
	for _, i := range list {
		out = append(out, string(i.Code)+" "+i.Path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
