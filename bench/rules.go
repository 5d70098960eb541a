package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/witness"
)

type ruleRow struct {
	id               string
	ours, typed, raw float64 // ns
	allocs           float64
}

// compiledRules compares the catalog's rules, and five telling ones, with cel-go's
// interpreter over documents as Go maps and over documents typed by their schema.
func compiledRules(w io.Writer, opt options) error {
	rows, err := ruleRows(filepath.Join(opt.root, "contracts.yaml"), opt)
	if err != nil {
		return err
	}
	telling, err := ruleRows(filepath.Join(opt.root, "bench", "telling", "contracts.yaml"), opt)
	if err != nil {
		return err
	}
	var lines [][]string
	show := func(r ruleRow) {
		lines = append(lines, []string{r.id, fmt.Sprintf("%.0f ns", r.ours), fmt.Sprintf("%.1f", r.allocs), fmt.Sprintf("%.0f ns", r.raw), fmt.Sprintf("%.0f ns", r.typed), fmt.Sprintf("%.1f×", min(r.raw, r.typed)/r.ours)})
	}
	var logs, maps, typed float64
	free := 0
	worst := math.Inf(1)
	for _, r := range rows {
		ratio := min(r.raw, r.typed) / r.ours
		logs += math.Log(ratio)
		maps += math.Log(r.raw / r.ours)
		typed += math.Log(r.typed / r.ours)
		worst = min(worst, ratio)
		if r.allocs < 0.01 {
			free++
		}
		if opt.detail {
			show(r)
		}
	}
	for _, r := range telling {
		show(r)
	}
	fmt.Fprintf(w, "## Rules: compiled against interpreted\n\n")
	table(w, []string{"rule", "compiled", "allocations", "cel-go, maps", "cel-go, typed", "faster than the better"}, lines)
	fmt.Fprintf(w, "%d rules of the catalog: geometric mean %.1f× faster than cel-go's interpreter over Go maps, %.1f× over typed values, %.1f× over the better of the two for each rule, least %.1f×; %d of them without an allocation\n\n",
		len(rows), math.Exp(maps/float64(len(rows))), math.Exp(typed/float64(len(rows))), math.Exp(logs/float64(len(rows))), worst, free)
	return nil
}

// ruleRows measures the rules of a project's first contract over their first witnesses.
func ruleRows(file string, opt options) ([]ruleRow, error) {
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
	in, err := interp.New(m)
	if err != nil {
		return nil, err
	}
	e, err := set.Evaluator(in)
	if err != nil {
		return nil, err
	}
	cases, problems := set.Cases(ctx, in, p.Dir, p.Limits)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	var refs []model.Ref
	for i := range cases {
		refs = append(refs, cases[i].Schema)
	}
	judge, err := witness.Compile(ctx, m, refs)
	if err != nil {
		return nil, err
	}
	defer judge.Close()
	seen := map[int]bool{}
	var rows []ruleRow
	for i := range cases {
		c := &cases[i]
		if !c.Valid || seen[c.Rule] {
			continue
		}
		row, ok, err := timeRule(set, e, in, judge, c, opt)
		if err != nil {
			return nil, err
		}
		if ok {
			seen[c.Rule] = true
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// timeRule takes the least of several rounds, in turns.
func timeRule(set *rules.Set, e *rules.Evaluator, in *interp.Interp, judge *witness.Program, c *rules.Case, opt options) (ruleRow, bool, error) {
	id := set.Checked[c.Rule].Rule.ID.Value
	row := ruleRow{id: id, ours: math.Inf(1), typed: math.Inf(1), raw: math.Inf(1)}
	typed, done := e.Prepared(c, false)
	if typed == nil {
		return row, false, nil
	}
	defer done()
	raw, _ := e.Prepared(c, true)
	if !typed() || !raw() {
		return row, false, nil
	}
	doc := in.Complete(c.Schema, c.Docs[0])
	var old []byte
	if c.Old != nil {
		old = in.Complete(c.Schema, c.Old)
	}
	for range opt.rounds {
		t, err := judge.Measure(id, old, doc, 20_000)
		if err != nil {
			return row, false, err
		}
		if t.NS <= 0 || t.Issues > 0 {
			return row, false, nil
		}
		row.ours, row.allocs = min(row.ours, t.NS), t.Allocs
		row.typed = min(row.typed, timed(typed, opt.batch))
		row.raw = min(row.raw, timed(raw, opt.batch))
	}
	return row, true, nil
}

// timed returns the nanoseconds of one call.
func timed(f func() bool, batch time.Duration) float64 {
	n := 0
	start := cpuTime()
	for cpuTime()-start < batch {
		for range 100 {
			f()
		}
		n += 100
	}
	return float64((cpuTime() - start).Nanoseconds()) / float64(n)
}
