package jsts

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// TestOwn runs our own cases.
func TestOwn(t *testing.T) {
	run(t, filepath.Join("testdata", "own"), filepath.Join("testdata", "own", "remotes"), nil)
}

// TestSuite runs the official suite, all drafts, required and optional.
func TestSuite(t *testing.T) {
	suite := suiteDir(t)
	skips, err := LoadSkips(filepath.Join("testdata", "skips.json"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, filepath.Join(suite, "tests"), filepath.Join(suite, "remotes"), skips)
	for _, s := range skips {
		if !s.used && os.Getenv("JSTS_ONLY") == "" {
			t.Errorf("skips.json: nothing is skipped by the entry for %s", s.File)
		}
	}
}

// suiteDir is the official suite's folder; without it the test is skipped.
func suiteDir(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the suite takes a minute; it is run without -short")
	}
	return shared.Path(t, "json-schema-test-suite")
}

// begin starts a program with the runtime of this checkout.
func begin(t *testing.T) *program {
	t.Helper()
	module := t.TempDir()
	if keep := os.Getenv("JSTS_KEEP"); keep != "" { // a folder, to look at the emitted code
		module = keep
	}
	p, err := newProgram(module, filepath.Join("..", "..", "..", "runtime", "contract"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compile emits the packages of all groups, side by side: in which folder each is,
// or what stood in the way.
func compile(t *testing.T, groups []Group, remotes string) (p *program, folders []string, models []*model.Model, problems []error) {
	t.Helper()
	p = begin(t)
	drafts := map[string]graph.Draft{}
	for _, d := range Drafts {
		drafts[d.Name] = d.Draft
	}
	folders, models, problems = make([]string, len(groups)), make([]*model.Model, len(groups)), make([]error, len(groups))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range groups {
		work.Go(func() error {
			files, m, err := generate(&groups[i], drafts[groups[i].Draft], remotes, runtimePath)
			if err == nil {
				folders[i], err = p.add(files)
			}
			models[i], problems[i] = m, err
			return nil
		})
	}
	_ = work.Wait() // the errors are in problems
	return p, folders, models, problems
}

// rootOf returns the schema that a group's instances are held to.
func rootOf(m *model.Model) model.Ref {
	for i := range m.Documents {
		if m.Documents[i].Path == "root.json" {
			return m.Documents[i].Root
		}
	}
	panic("the model has no root.json")
}

// tally counts the tests of one draft and set.
type tally struct{ tests, right, skipped, trips, same int }

// run judges all groups below dir and compares the verdicts.
func run(t *testing.T, dir, remotes string, skips []Skip) {
	start := time.Now()
	var groups []Group
	for _, d := range Drafts {
		more, err := Load(filepath.Join(dir, d.Name), d.Name)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, more...)
	}
	if len(groups) == 0 {
		t.Fatal("there are no tests in ", dir)
	}
	if only := os.Getenv("JSTS_ONLY"); only != "" { // a part of a group's name, to look into a difference
		groups = slices.DeleteFunc(groups, func(g Group) bool { return !strings.Contains(g.Name(), only) })
	}
	p, folders, models, problems := compile(t, groups, remotes)
	generated := time.Since(start)

	type key struct{ draft, set string }
	tallies := map[key]*tally{}
	of := func(g *Group) *tally {
		k := key{g.Draft, g.Set}
		if tallies[k] == nil {
			tallies[k] = &tally{}
		}
		return tallies[k]
	}
	var asks []ask
	var asked []struct{ group, test int }
	for i := range groups {
		g := &groups[i]
		run := 0
		for j := range g.Tests {
			if s := skipped(skips, g, &g.Tests[j]); s != nil {
				s.used = true
				of(g).skipped++
				continue
			}
			run++
			of(g).tests++
			if problems[i] == nil {
				asks = append(asks, ask{folders[i], string(g.Tests[j].Data)})
				asked = append(asked, struct{ group, test int }{i, j})
			}
		}
		if problems[i] != nil && run > 0 {
			t.Errorf("%s\nno code: %v\n%.600s", g.Name(), problems[i], g.Schema)
		}
	}
	verdicts, err := p.run(asks)
	if err != nil {
		t.Fatal(err)
	}
	interpreters := make([]*interp.Interp, len(groups))
	for i, v := range verdicts {
		g, at := &groups[asked[i].group], asked[i].group
		if interpreters[at] == nil {
			if interpreters[at], err = interp.New(models[at]); err != nil {
				t.Fatalf("%s: %v", g.Name(), err)
			}
		}
		if issues := interpreters[at].Validate(rootOf(models[at]), []byte(asks[i].Data)); (len(issues) == 0) != g.Tests[asked[i].test].Valid {
			t.Errorf("%s: interpreted: %v\nschema: %.600s\ndata: %.300s", g.Name(), issues, g.Schema, asks[i].Data)
		}
		test, sum := &g.Tests[asked[i].test], of(g)
		if v.Crash != "" || v.Valid != test.Valid {
			t.Errorf("%s: %s (%s)\nvalid: %v, want %v %s%s\nschema: %.600s\ndata: %.300s",
				g.Name(), test.Title, folders[asked[i].group], v.Valid, test.Valid, v.Error, v.Crash, g.Schema, test.Data)
			continue
		}
		sum.right++
		if !v.Valid {
			continue
		}
		sum.trips++
		if !equal(test.Data, []byte(v.Output)) {
			t.Errorf("%s: %s (%s)\ndecoded and marshalled: %s\nschema: %.600s\ndata: %.300s", g.Name(), test.Title, folders[asked[i].group], v.Output, g.Schema, test.Data)
			continue
		}
		sum.same++
	}
	for _, d := range Drafts {
		for _, set := range []string{Required, Optional, Format} {
			if s := tallies[key{d.Name, set}]; s != nil {
				t.Logf("%-13s %-9s %4d of %4d verdicts right, %4d of %4d values kept, %d skipped", d.Name, set, s.right, s.tests, s.same, s.trips, s.skipped)
			}
		}
	}
	t.Logf("%d groups, %d packages; generated in %.1fs, done in %.1fs", len(groups), len(p.order), generated.Seconds(), time.Since(start).Seconds())
}
