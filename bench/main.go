// Command bench measures contractkit beside its peers and prints Markdown tables
// of ratios. Everything in one table is measured in one run, in interleaved
// rounds, in CPU time; see README.md for how to read the figures.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// options are the flags, as every part sees them.
type options struct {
	root   string        // the repository
	rounds int           // rounds of measuring
	batch  time.Duration // CPU time of one batch
	sizes  []int         // schemas in the synthetic projects
	detail bool          // print every document
}

// parts are what can be measured, in the order in which it is printed.
var parts = []struct {
	name string
	run  func(w io.Writer, opt options) error
}{
	{"verdict", verdicts},
	{"decode", decodes},
	{"generate", generates},
	{"rules", compiledRules},
	{"projection", projections},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var opt options
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	flags.StringVar(&opt.root, "root", "..", "the repository's `folder`")
	flags.IntVar(&opt.rounds, "rounds", 7, "rounds; a figure is the least and the median of them")
	flags.DurationVar(&opt.batch, "batch", 3*time.Millisecond, "CPU `time` of one batch")
	flags.BoolVar(&opt.detail, "detail", false, "print every document")
	only := flags.String("only", "", "comma-separated `parts`: verdict, decode, generate, rules, projection")
	sizes := flags.String("sizes", "100,1000,5000", "comma-separated `counts` of schemas in synthetic projects")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for s := range strings.SplitSeq(*sizes, ",") {
		var n int
		if _, err := fmt.Sscan(s, &n); err != nil || n < 1 {
			return fmt.Errorf("-sizes: %q is no count", s)
		}
		opt.sizes = append(opt.sizes, n)
	}
	known := map[string]bool{"": true}
	for _, p := range parts {
		known[p.name] = true
	}
	wanted := map[string]bool{}
	for p := range strings.SplitSeq(*only, ",") {
		if !known[p] {
			return fmt.Errorf("-only: there is no part %q", p)
		}
		wanted[p] = true
	}
	for _, p := range parts {
		if *only != "" && !wanted[p.name] {
			continue
		}
		if err := p.run(os.Stdout, opt); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}
