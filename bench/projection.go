package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/runtime/contract"
)

// projections measures the whole validation of task-to-PR projections, structure and
// rules, beside the scan of their text alone.
func projections(w io.Writer, opt options) error {
	files, err := filepath.Glob(filepath.Join(opt.root, "schemas/catalog/fixtures/task_to_pr_projection.*.valid.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no fixtures of projections: %v", err)
	}
	var rows [][]string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if issues := catalog.ValidateTaskToPRProjection(data); issues != nil {
			return fmt.Errorf("%s: %v", filepath.Base(file), issues.Err())
		}
		var doc contract.Doc
		scan, whole := math.Inf(1), math.Inf(1)
		for range opt.rounds {
			scan = min(scan, timed(func() bool { return doc.Parse(data, contract.Limits{}) == nil }, opt.batch))
			whole = min(whole, timed(func() bool { return catalog.ValidateTaskToPRProjection(data) == nil }, 4*opt.batch))
		}
		rows = append(rows, []string{filepath.Base(file), fmt.Sprintf("%d", len(data)), fmt.Sprintf("%.1f µs", scan/1000), fmt.Sprintf("%.1f µs", whole/1000), fmt.Sprintf("%.1f×", whole/scan)})
	}
	fmt.Fprintf(w, "## Task-to-PR projections: structure and rules\n\n")
	table(w, []string{"document", "bytes", "parsing alone", "validation", "ratio"}, rows)
	return nil
}
