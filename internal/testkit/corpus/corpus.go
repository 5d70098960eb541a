// Package corpus reads the differential corpus: inputs with the verdict that a
// conforming implementation has to reach.
//
// A directory of gzip-compressed NDJSON files enters, cases with their base
// references resolved leave. The format is described in the README beside the
// files. The package serves tests only.
package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

// The tiers of a case. Only Main is binding.
const (
	Main     = "main"
	Edge     = "edge"     // follows from the runtime of the reference, not from a rule
	Disputed = "disputed" // contradicts the seed
)

// Bounds on what one file may hold; a corpus beyond them is refused.
const (
	maxLine   = 16 << 20  // bytes of one line
	maxFile   = 256 << 20 // bytes of one file, unpacked
	maxErrors = 20        // problems reported before Load gives up
)

// Case is one line of the corpus.
type Case struct {
	ID         string          `json:"id"`          // 14 hexadecimal digits
	Fn         string          `json:"fn"`          // which check to run, for example "validate"
	Schema     string          `json:"schema"`      // schema id; empty when the case names none
	Group      string          `json:"group"`       // shared by cases that vary the same place
	Mut        []string        `json:"mut"`         // kind and path of the variation, for people
	Input      json.RawMessage `json:"input"`       // base references resolved, numbers as written
	Valid      bool            `json:"valid"`       // the verdict
	Issues     []Issue         `json:"issues"`      // advisory, at most 12
	MoreIssues int             `json:"more_issues"` // issues beyond those
	Output     json.RawMessage `json:"output"`      // nil when absent, which for documents means equal to the input
	Result     json.RawMessage `json:"result"`      // advisory, invalid calls of functions only
	Canonical  json.RawMessage `json:"canonical"`   // digests to treat as current, nil when absent
	Tier       string          `json:"tier"`        // Main, Edge or Disputed
	Why        string          `json:"why"`         // reason of a tier other than Main

	File string `json:"-"` // base name of the file
	Line int    `json:"-"` // from 1
}

// Issue is a problem that the reference implementation reported.
type Issue struct {
	Path string `json:"path"` // JSON Pointer into the input
	Code string `json:"code"`
}

// Dir returns the directory of the corpus for a test and skips the test when
// there is none.
func Dir(tb testing.TB) string {
	tb.Helper()
	return filepath.Dir(shared.Path(tb, "corpus", basesFile))
}

const (
	basesFile = "bases.ndjson.gz"
	suffix    = ".ndjson.gz"
)

// Load reads every case of a corpus directory, all tiers, ordered by file name
// and line. The error joins the first problems found, each with file and line;
// cases are returned only when there is none.
func Load(dir string) ([]Case, error) {
	names, err := fileNames(dir)
	if err != nil {
		return nil, fmt.Errorf("read corpus: %w", err)
	}
	var cases []Case
	var errs []error
	bases := bases{}
	for _, name := range names {
		err := eachLine(filepath.Join(dir, name), func(line int, text []byte) error {
			if isBases(name) {
				return bases.add(text)
			}
			c, err := parseCase(text, bases)
			if err != nil {
				return err
			}
			c.File, c.Line = name, line
			c.Tier = tierOf(name)
			cases = append(cases, c)
			return nil
		}, &errs)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
		if len(errs) >= maxErrors {
			break
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return cases, nil
}

// fileNames lists the corpus files, those with bases first because the others
// refer to them.
func fileNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no %s file", dir, suffix)
	}
	rank := func(name string) int {
		switch {
		case name == basesFile:
			return 0
		case isBases(name):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names, nil
}

func isBases(name string) bool { return strings.HasPrefix(name, "bases.") }

func tierOf(name string) string {
	switch head, _, _ := strings.Cut(name, "."); head {
	case Edge, Disputed:
		return head
	}
	return Main
}

// eachLine calls f for every line that is not blank and adds what f complains
// about to errs. Its own error says that the file cannot be read further.
func eachLine(path string, f func(line int, text []byte) error, errs *[]error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	limited := &io.LimitedReader{R: unpacked, N: maxFile + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		if err := f(n, text); err != nil {
			*errs = append(*errs, fmt.Errorf("%s:%d: %w", filepath.Base(path), n, err))
			if len(*errs) >= maxErrors {
				return nil
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if limited.N <= 0 {
		return fmt.Errorf("more than %d bytes unpacked", maxFile)
	}
	return nil
}

func parseCase(text []byte, known bases) (Case, error) {
	var c Case
	if err := json.Unmarshal(text, &c); err != nil {
		return Case{}, err
	}
	switch {
	case c.ID == "":
		return Case{}, errors.New("case without an id")
	case c.Fn == "":
		return Case{}, fmt.Errorf("case %s names no fn", c.ID)
	case c.Input == nil:
		return Case{}, fmt.Errorf("case %s has no input", c.ID)
	}
	var err error
	if c.Input, err = known.expand(c.Input, nil); err != nil {
		return Case{}, fmt.Errorf("case %s: input: %w", c.ID, err)
	}
	if c.Output != nil {
		if c.Output, err = known.expand(c.Output, c.Input); err != nil {
			return Case{}, fmt.Errorf("case %s: output: %w", c.ID, err)
		}
	}
	return c, nil
}
