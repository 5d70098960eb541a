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

// TestEngines compares verdicts, rules and paths. RULES_FUZZ=10m makes it run longer,
// RULES_FUZZ_SEED starts it elsewhere.
func TestEngines(t *testing.T) {
	ctx := context.Background()
	p, err := config.Load(filepath.FromSlash("../../../contracts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := build.Load(ctx, p, &p.Contracts[0])
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := loaded.Model()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := loaded.Rules(m)
	if err != nil {
		t.Fatal(err)
	}
	in, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	e, err := set.Evaluator(in)
	if err != nil {
		t.Fatal(err)
	}
	var refs []model.Ref
	for i := range m.Documents {
		if m.Documents[i].Type != 0 {
			refs = append(refs, m.Documents[i].Root)
		}
	}
	judge, err := witness.Compile(ctx, m, refs)
	if errors.Is(err, witness.ErrNoGo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer judge.Close()
	limit := 5 * time.Second
	if s := os.Getenv("RULES_FUZZ"); s != "" {
		if limit, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(11)
	for _, c := range os.Getenv("RULES_FUZZ_SEED") {
		seed = seed*31 + uint64(c)
	}
	rnd := rand.New(rand.NewPCG(seed, 3))
	mut := set.Mutator(ctx, in, p.Dir, p.Limits)
	if mut.Len() < 40 {
		t.Fatalf("%d fixtures", mut.Len())
	}
	seen := map[string]bool{}
	var judged, rejected, changes, broken int
	for start := time.Now(); time.Since(start) < limit; {
		r, doc, old := mut.Next(rnd)
		if in.Validate(r, doc) != nil || old != nil && in.Validate(r, old) != nil {
			broken++
			continue
		}
		var want contract.Issues
		if old != nil {
			want = e.Transition(r, in.Complete(r, old), in.Complete(r, doc))
			changes++
		} else {
			want = e.Validate(r, in.Complete(r, doc))
		}
		got, err := judge.Judge(rules.Document, &rules.Case{Schema: r, Docs: [][]byte{doc}, Old: old})
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, doc, old)
		}
		judged++
		if len(want) > 0 {
			rejected++
		}
		for _, i := range want {
			seen[string(i.Code)] = true
		}
		if a, b := keys(want), keys(got); !slices.Equal(a, b) {
			t.Errorf("the engines disagree\ninterpreter: %s\ncompiled:    %s\ndocument: %s\nbefore:   %s", strings.Join(a, ", "), strings.Join(b, ", "), doc, old)
			if t.Failed() && judged-rejected > 200 {
				return
			}
		}
	}
	t.Logf("%d documents, %d of them changes; %d rejected by %d of %d rules; %d more were broken in structure", judged, changes, rejected, len(seen), len(set.Checked), broken)
	if rejected == 0 {
		t.Error("no document was rejected")
	}
}

func keys(list contract.Issues) []string {
	var out []string
	for _, i := range list {
		out = append(out, string(i.Code)+" "+i.Path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
