package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Conformance is what conformance prints with --json.
type Conformance struct {
	OK      bool            `json:"ok" jsonschema_description:"Whether every fixture is as its name says."`
	Checked int             `json:"checked"`
	Failed  int             `json:"failed"`
	Results []FixtureResult `json:"results"`
}

// FixtureResult is the verdict on one fixture.
type FixtureResult struct {
	File          string  `json:"file"`
	ExpectedValid bool    `json:"expectedValid" jsonschema_description:"True for *.valid.json, false for *.invalid.json."`
	OK            bool    `json:"ok" jsonschema_description:"Whether the verdict is the expected one."`
	Schema        *string `json:"schema" jsonschema:"oneof_type=string;null"`
	Error         *string `json:"error" jsonschema:"oneof_type=string;null" jsonschema_description:"Why the fixture was rejected or could not be judged."`
}

// Bounds on what conformance walks.
const (
	maxWalked    = 200_000
	maxWalkDepth = 100
)

// pathFailure is an operational error with the path that it is about.
type pathFailure struct {
	code, path, message string
	checked             *int
	hint                string
}

func (e *pathFailure) Error() string { return e.message }

func newConformanceCmd(env *Env) *cobra.Command {
	var asJSON bool
	var config string
	cmd := &cobra.Command{
		Use:   "conformance [PATH]",
		Short: "Check that *.valid.json fixtures are accepted and *.invalid.json ones rejected",
		Long: `Check that *.valid.json fixtures are accepted and *.invalid.json ones rejected.

PATH is a fixture or a folder, by default examples; folders are searched
throughout. Each fixture names its schema.`,
		Example: `  contracts conformance schemas/orders`,
		Args:    argCount(0, 1, "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			where := "examples"
			if len(args) == 1 {
				where = args[0]
			} else if _, err := os.Stat(inDir(env, where)); errors.Is(err, fs.ErrNotExist) {
				return (&pathFailure{code: "examples_path_error", path: where, message: "PATH is missing, and there is no folder examples to look into instead",
					hint: "say where the fixtures are: contracts conformance PATH"}).show(env, asJSON)
			}
			err := runConformance(cmd.Context(), env, newLibrary(cmd.Context(), env, config), where, asJSON)
			if f, ok := errors.AsType[*pathFailure](err); ok {
				return f.show(env, asJSON)
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&config, "config", "c", "", "project file; default: the nearest contracts.yaml, if any")
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "report as JSON")
	return cmd
}

func (e *pathFailure) show(env *Env, asJSON bool) error {
	if !asJSON {
		fmt.Fprintln(env.Stderr, "contracts:", visible(e.message))
		if e.hint != "" {
			fmt.Fprintln(env.Stderr, "    hint:", e.hint)
		}
		return verdict(exitFailed)
	}
	err := printJSON(env, struct {
		OK      bool   `json:"ok"`
		Error   string `json:"error"`
		Path    string `json:"path"`
		Checked *int   `json:"checked,omitempty"`
		Code    string `json:"code"`
		Hint    string `json:"hint,omitempty"`
	}{false, e.message, e.path, e.checked, e.code, e.hint})
	if err != nil {
		return err
	}
	return verdict(exitFailed)
}

func runConformance(ctx context.Context, env *Env, lib *library, where string, asJSON bool) error {
	w := &fixtureWalk{env: env, where: where}
	if err := w.walk(where, 0, nil); err != nil {
		return err
	}
	for _, file := range w.passed {
		fmt.Fprintf(env.Stderr, "%s is no fixture: conformance reads *.valid.json and *.invalid.json\n", visible(file))
	}
	if len(w.found) == 0 {
		none := 0
		return &pathFailure{code: "no_fixtures", path: where, message: fmt.Sprintf("%s holds no *.valid.json or *.invalid.json", where), checked: &none}
	}
	report := Conformance{Results: []FixtureResult{}}
	for _, file := range w.found {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := judge(env, lib, file)
		if err != nil {
			return err
		}
		report.Checked++
		if !r.OK {
			report.Failed++
		}
		report.Results = append(report.Results, r)
	}
	report.OK = report.Failed == 0
	if asJSON {
		if err := printJSON(env, report); err != nil {
			return err
		}
	} else {
		report.print(env.Stdout)
	}
	if !report.OK {
		return verdict(exitFinding)
	}
	return nil
}

func (r *Conformance) print(w io.Writer) {
	for _, f := range r.Results {
		state, expected, schema := "ok", "valid", "unknown"
		if !f.OK {
			state = "fail"
		}
		if !f.ExpectedValid {
			expected = "invalid"
		}
		if f.Schema != nil {
			schema = *f.Schema
		}
		fmt.Fprintf(w, "%s %s %s %s\n", state, expected, schema, visible(f.File))
		if !f.OK && f.Error != nil {
			fmt.Fprintf(w, "  %s\n", visible(*f.Error))
		}
	}
}

// judge checks one fixture.
func judge(env *Env, lib *library, file string) (FixtureResult, error) {
	r := FixtureResult{File: file, ExpectedValid: strings.HasSuffix(file, ".valid.json")}
	because := func(text string) (FixtureResult, error) {
		r.Error = &text
		return r, nil
	}
	var d document
	in := &inputs{env: env, format: "json"}
	if err := in.each(file, func(read document) error { d = read; return nil }); err != nil {
		return r, err
	}
	if d.err != nil {
		return because(d.err.Error())
	}
	e, issues, err := lib.identify(d.data)
	if err == nil && e == nil && !malformed(issues) {
		e, err = lib.named(file)
	}
	switch {
	case err != nil:
		return r, err
	case malformed(issues):
		return because(malformedMessage(d, issues[0]))
	case e == nil:
		return because(issues[0].Message)
	}
	issues = e.Check(d.data)
	if malformed(issues) {
		return because(malformedMessage(d, issues[0]))
	}
	r.Schema = &e.id
	r.OK = (len(issues) == 0) == r.ExpectedValid
	switch {
	case len(issues) > 0:
		return because(joined(issues))
	case !r.OK:
		return because("the document is valid")
	}
	return r, nil
}

func joined(issues contract.Issues) string {
	parts := make([]string, len(issues))
	for i, issue := range issues {
		parts[i] = issue.String()
	}
	return strings.Join(parts, "; ")
}

// yamlFixture is a name that people may take for one of a fixture.
var yamlFixture = regexp.MustCompile(`\.(in)?valid\.ya?ml$`)

// fixtureWalk collects fixtures, names in the order of their bytes. Symbolic
// links are followed, so that cycles must be found.
type fixtureWalk struct {
	env    *Env
	where  string
	walked int
	found  []string
	passed []string // YAML files that look like fixtures; fixtures are JSON
}

func (w *fixtureWalk) walk(name string, depth int, around []fs.FileInfo) error {
	failed := func(reason string) error {
		return &pathFailure{code: "examples_path_error", path: w.where, message: fmt.Sprintf("%s: %s", name, reason)}
	}
	if w.walked++; w.walked > maxWalked || depth > maxWalkDepth {
		return failed("there are too many files and folders")
	}
	info, err := os.Stat(inDir(w.env, name))
	if err != nil {
		return failed(closure.Reason(err))
	}
	if !info.IsDir() {
		if strings.HasSuffix(name, ".valid.json") || strings.HasSuffix(name, ".invalid.json") {
			w.found = append(w.found, filepath.ToSlash(name))
		} else if yamlFixture.MatchString(name) {
			w.passed = append(w.passed, filepath.ToSlash(name))
		}
		return nil
	}
	if slices.ContainsFunc(around, func(a fs.FileInfo) bool { return os.SameFile(a, info) }) {
		return failed("a symbolic link leads back to a folder around it")
	}
	entries, err := os.ReadDir(inDir(w.env, name)) // sorted by name
	if err != nil {
		return failed(closure.Reason(err))
	}
	around = append(slices.Clip(around), info)
	for _, e := range entries {
		if err := w.walk(path.Join(filepath.ToSlash(name), e.Name()), depth+1, around); err != nil {
			return err
		}
	}
	return nil
}
