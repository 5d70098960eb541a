package main

import (
	"fmt"
	"io"
	"math"
	"os"
)

// verdicts measures bytes → verdict over the valid fixtures of the catalog.
func verdicts(w io.Writer, opt options) error {
	sources, docs, err := readCatalog(opt.root)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(engines)+1)
	figures := map[string][]*figure{} // engine → figure of each document, nil where there is none
	var tasks []*task
	var notes []string
	for _, e := range engines {
		names = append(names, e.name)
		validators := map[string]func([]byte) bool{}
		figures[e.name] = make([]*figure, len(docs))
		for i, d := range docs {
			validate, made := validators[d.schema]
			if !made {
				if validate, err = e.make(sources, d.schema); err != nil {
					notes = append(notes, fmt.Sprintf("%s cannot compile %s: %.120s", e.name, d.schema, err))
				}
				validators[d.schema] = validate
			}
			switch {
			case validate == nil:
				continue
			case !validate(d.data):
				notes = append(notes, fmt.Sprintf("%s rejects %s, which is valid", e.name, d.name))
				continue
			}
			t := newTask(func() { validate(d.data) })
			figures[e.name][i] = t.figure
			tasks = append(tasks, t)
		}
	}
	for _, t := range tasks {
		t.warm(opt.batch)
	}
	ajv, why := startAJV(opt, len(docs))
	if ajv != nil {
		defer ajv.stop()
		names = append(names, "ajv")
		figures["ajv"] = ajv.figures
	} else {
		notes = append(notes, "ajv is left out: "+why)
	}
	for i := range opt.rounds {
		round(tasks)
		if ajv != nil {
			if err := ajv.round(docs); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "verdict: round %d of %d\n", i+1, opt.rounds)
	}
	if ajv != nil {
		notes = append(notes, ajv.notes...)
	}
	fmt.Fprintf(w, "## Bytes to verdict: %d valid fixtures of the catalog\n\n", len(docs))
	summary(w, names, figures, docs)
	if opt.detail {
		perDocument(w, names, figures, docs)
	}
	for _, n := range notes {
		fmt.Fprintln(w, "- "+n)
	}
	fmt.Fprintln(w)
	return nil
}

// summary compares every engine with the first: how many times the first's time
// it takes, over the documents that both measured.
func summary(w io.Writer, names []string, figures map[string][]*figure, docs []document) {
	ours := figures[names[0]]
	var rows [][]string
	for _, name := range names {
		var least, median []float64
		worst, at, count := math.Inf(1), "", 0
		allocs, most := 0.0, 0.0
		for i, f := range figures[name] {
			ratio := f.least() / ours[i].least()
			if math.IsNaN(ratio) {
				continue
			}
			count++
			least = append(least, ratio)
			median = append(median, f.median()/ours[i].median())
			allocs += f.allocs
			most = max(most, f.allocs)
			if ratio < worst {
				worst, at = ratio, docs[i].name
			}
		}
		if count == 0 {
			rows = append(rows, []string{name, "0", "–", "–", "–", "–", "–", "–"})
			continue
		}
		mean, top := fmt.Sprintf("%.1f", allocs/float64(count)), fmt.Sprintf("%.0f", most)
		if name == "ajv" {
			mean, top = "–", "–" // not known of another process
		}
		rows = append(rows, []string{name, fmt.Sprint(count), times(geomean(least)), times(geomean(median)), times(worst), at, mean, top})
	}
	fmt.Fprintln(w, "Time of each engine as a multiple of contractkit's; the worst document is the one where contractkit gains least.")
	fmt.Fprintln(w)
	table(w, []string{"engine", "documents", "geometric mean (least)", "(median)", "worst document", "which", "allocations per document", "most"}, rows)
}

func perDocument(w io.Writer, names []string, figures map[string][]*figure, docs []document) {
	head := []string{"document", "bytes"}
	for _, n := range names {
		head = append(head, n+" µs")
	}
	var rows [][]string
	for i, d := range docs {
		row := []string{d.name, fmt.Sprint(len(d.data))}
		for _, n := range names {
			row = append(row, micros(figures[n][i].least()))
		}
		rows = append(rows, row)
	}
	table(w, head, rows)
}
