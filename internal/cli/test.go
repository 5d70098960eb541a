package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/output"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/witness"
	"github.com/contractkit/contractkit/runtime/contract"
)

type testOptions struct {
	project projectFlags
	mutate  bool
	engine  string
	only    string
	suggest bool
}

func newTestCmd(env *Env) *cobra.Command {
	var opt testOptions
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Run the witnesses of the invariants, compiled and interpreted",
		Long: `Run the witnesses of the invariants, compiled and interpreted.

Every rule shows by documents what it does: valid ones it accepts, invalid ones
that it alone rejects. They run through the compiled Go code and through CEL's
interpreter, which have to agree. With --mutate each rule is changed in every
small way, and a change that no witness notices is a problem.`,
		Example: `  contracts test
  contracts test --mutate --only order.`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runTest(cmd.Context(), env, opt) },
	}
	opt.project.flags(cmd.Flags(), false)
	cmd.Flags().BoolVar(&opt.mutate, "mutate", false, "change each rule in small ways and report what no witness notices")
	cmd.Flags().StringVar(&opt.engine, "engine", "both", "both, compiled or interpreter")
	cmd.Flags().StringVar(&opt.only, "only", "", "only rules whose id begins so")
	cmd.Flags().BoolVar(&opt.suggest, "suggest", false, "search for witnesses that notice more, and add them to the file of witnesses")
	return cmd
}

// TestReport is what test prints with --json.
type TestReport struct {
	Version     int            `json:"version" jsonschema:"enum=1" jsonschema_description:"Version of this report's format."`
	Command     string         `json:"command" jsonschema:"enum=test"`
	OK          bool           `json:"ok" jsonschema_description:"Whether all witnesses show what they should, the engines agree and changes are noticed."`
	Rules       int            `json:"rules" jsonschema_description:"Number of rules."`
	Native      int            `json:"native" jsonschema_description:"Number of rules that are not written in CEL."`
	Witnesses   int            `json:"witnesses" jsonschema_description:"Number of witnesses."`
	Compiled    bool           `json:"compiled" jsonschema_description:"Whether compiled code was run."`
	Mutants     int            `json:"mutants,omitempty" jsonschema_description:"Number of changed rules."`
	Survivors   []rules.Mutant `json:"survivors,omitempty" jsonschema_description:"Changes that no witness notices, and why that is so where the registry says it."`
	Diagnostics diag.List      `json:"diagnostics" jsonschema_description:"All problems."`

	engines string // which ran, in words; "" when nothing did
}

func runTest(ctx context.Context, env *Env, opt testOptions) error {
	format, err := opt.project.format.settle(false)
	if err != nil {
		return err
	}
	if err := oneOf("engine", opt.engine, "both", "compiled", "interpreter"); err != nil {
		return err
	}
	report := &TestReport{Version: 1, Command: "test", Diagnostics: diag.List{}, engines: "interpreted"}
	p, err := opt.project.load(env)
	if err != nil {
		return report.failed(env, format, err)
	}
	for i := range p.Contracts {
		if err := report.contract(ctx, p, &p.Contracts[i], opt); err != nil {
			return report.failed(env, format, err)
		}
	}
	if opt.only != "" && report.Rules == 0 && !report.Diagnostics.HasErrors() {
		return &usageError{code: "usage.bad_option_value", message: fmt.Sprintf("no rule has an id that begins with %.100q", opt.only)}
	}
	return report.show(env, format)
}

// failed is show for an error of a stage: diagnostics are reported, anything else is returned.
func (t *TestReport) failed(env *Env, format string, err error) error {
	list, ok := errors.AsType[diag.List](err)
	if !ok {
		return err
	}
	t.Diagnostics, t.engines = append(t.Diagnostics, list...), ""
	return t.show(env, format)
}

// contract tests the rules of one contract.
func (t *TestReport) contract(ctx context.Context, p *config.Project, c *config.Contract, opt testOptions) error {
	loaded, err := build.Load(ctx, p, c)
	if err != nil || loaded.Invariants == nil {
		return err
	}
	m, notes, err := loaded.Model()
	if err != nil {
		return err
	}
	t.Diagnostics = append(t.Diagnostics, notes.Warnings()...)
	set, warnings, err := loaded.Rules(m)
	if err != nil {
		return err
	}
	t.Diagnostics = append(t.Diagnostics, warnings...)
	// A witness shows one rule. Some rules of changes follow from those of documents, and
	// would never be asked if both documents had to obey these.
	m.OldStands = true
	in, err := interp.New(m)
	if err != nil {
		return err
	}
	cases, problems := set.Cases(ctx, in, p.Dir, p.Limits)
	t.Diagnostics = append(t.Diagnostics, problems...)
	cases = slices.DeleteFunc(cases, func(c rules.Case) bool {
		return !strings.HasPrefix(set.Checked[c.Rule].Rule.ID.Value, opt.only)
	})
	for i := range set.Checked {
		if strings.HasPrefix(set.Checked[i].Rule.ID.Value, opt.only) {
			t.Rules++
			if set.Checked[i].Rule.Native != "" {
				t.Native++
			}
		}
	}
	t.Witnesses += len(cases)
	e, err := set.Evaluator(in)
	if err != nil {
		return err
	}
	var program *witness.Program
	if opt.engine != "interpreter" && (len(cases) > 0 || opt.suggest && t.Rules > 0) {
		var refs []model.Ref
		for i := range set.Checked {
			if opt.suggest && strings.HasPrefix(set.Checked[i].Rule.ID.Value, opt.only) {
				refs = append(refs, set.Checked[i].Schemas[0])
			}
		}
		for i := range cases {
			refs = append(refs, cases[i].Schema)
		}
		program, err = witness.Compile(ctx, m, refs)
		switch {
		case errors.Is(err, witness.ErrNoGo) && opt.engine == "both":
			t.Diagnostics.Add(diag.Diagnostic{Severity: diag.Warning, Code: "rules.not-compiled", Message: "there is no go command, so only the interpreter ran", Hint: "install Go to compare the two"})
		case err != nil:
			return err
		default:
			t.Compiled, t.engines = true, "compiled and interpreted"
			if opt.engine == "compiled" {
				t.engines = "compiled"
			}
			defer program.Close()
		}
	}
	for i := range cases {
		if err := t.run(set, e, program, &cases[i], opt); err != nil {
			return err
		}
	}
	if opt.suggest {
		found, err := set.Suggest(ctx, in, cases, p.Dir, opt.only, p.Limits)
		if err != nil {
			return err
		}
		if program != nil {
			if found, err = t.agreed(set, e, program, found); err != nil {
				return err
			}
		}
		return t.suggested(p, set, loaded.Invariants.Witnesses, found)
	}
	if !opt.mutate {
		return nil
	}
	survivors, total, err := set.Survivors(in, cases, opt.only)
	if err != nil {
		return err
	}
	t.Mutants += total
	t.Survivors = append(t.Survivors, survivors...)
	return nil
}

// agreed leaves out suggestions about which the engines disagree, and reports them.
func (t *TestReport) agreed(set *rules.Set, e *rules.Evaluator, program *witness.Program, found []rules.Suggestion) (kept []rules.Suggestion, err error) {
	for i := range found {
		s := &found[i]
		issues, err := program.Judge(set.Checked[s.Case.Rule].Rule.Scope, &s.Case)
		if err != nil {
			return nil, err
		}
		if t.compare(set, &s.Case, e.Judge(&s.Case), issues) {
			kept = append(kept, *s)
		}
	}
	return kept, nil
}

// suggested adds witnesses to the files beside those of the rules.
func (t *TestReport) suggested(p *config.Project, set *rules.Set, have []*source.Document, found []rules.Suggestion) error {
	byFile := map[string][]rules.Suggestion{}
	var files []string
	for _, s := range found {
		name := rules.WitnessFile(set.FileOf(s.Rule))
		if byFile[name] == nil {
			files = append(files, name)
		}
		byFile[name] = append(byFile[name], s)
	}
	for _, name := range files {
		var old *source.Document
		for _, doc := range have {
			if doc.Path == name {
				old = doc
			}
		}
		text, err := rules.AddWitnesses(old, byFile[name])
		if err != nil {
			return err
		}
		if err := output.WriteFile(p.Dir, name, text); err != nil {
			return err
		}
		t.Diagnostics.Add(diag.Diagnostic{Severity: diag.Note, Code: "rules.suggested", Pos: diag.Pos{File: name}, Message: fmt.Sprintf("%d witnesses were added; look at each before it is kept", len(byFile[name]))})
	}
	return nil
}

// run runs one witness through the engines.
func (t *TestReport) run(set *rules.Set, e *rules.Evaluator, program *witness.Program, c *rules.Case, opt testOptions) error {
	outcome := e.Judge(c)
	if opt.engine != "compiled" {
		t.Diagnostics = append(t.Diagnostics, set.Verify(c, outcome)...)
	}
	if program == nil {
		return nil
	}
	issues, err := program.Judge(set.Checked[c.Rule].Rule.Scope, c)
	if err != nil {
		return err
	}
	if opt.engine == "compiled" {
		t.Diagnostics = append(t.Diagnostics, set.Verify(c, rules.Outcome{Issues: issues})...)
		return nil
	}
	t.compare(set, c, outcome, issues)
	return nil
}

// compare reports whether the engines agree about a case, and where they do not adds what
// they say.
func (t *TestReport) compare(set *rules.Set, c *rules.Case, outcome rules.Outcome, issues contract.Issues) bool {
	if len(outcome.Structure) > 0 || sameIssues(outcome.Issues, issues) {
		return true
	}
	rule := set.Checked[c.Rule].Rule
	d := diag.Diagnostic{Code: "rules.disagree", Pos: c.Pos, Pointer: c.Pointer,
		Message: fmt.Sprintf("%s: compiled code and the interpreter disagree about the witness", rule.ID.Value),
		Hint:    "this is a fault of contracts; please report it",
		Detail:  "interpreter: " + listed(outcome.Issues) + "\ncompiled: " + listed(issues)}
	if d.Pos == (diag.Pos{}) { // a suggestion
		d.Pos, d.Detail = rule.ID.Pos, d.Detail+fmt.Sprintf("\ndocument: %.2000s", bytes.Join(c.Docs, []byte("\n")))
	}
	t.Diagnostics.Add(d)
	return false
}

// sameIssues compares by rule and path, in any order.
func sameIssues(a, b contract.Issues) bool {
	key := func(list contract.Issues) []string {
		var out []string
		for _, i := range list {
			out = append(out, string(i.Code)+" "+i.Path)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(key(a), key(b))
}

func listed(list contract.Issues) string {
	if len(list) == 0 {
		return "valid"
	}
	var out []string
	for _, i := range list {
		out = append(out, fmt.Sprintf("%s at %q", i.Code, i.Path))
	}
	return strings.Join(out, ", ")
}

func (t *TestReport) show(env *Env, format string) error {
	for _, s := range t.Survivors {
		if s.By == "" {
			t.Diagnostics.Add(diag.Diagnostic{Code: "rules.mutant", Pos: s.Pos, Message: fmt.Sprintf("%s: no witness notices when %s", s.Rule, s.Words()),
				Detail: "was: " + s.Was + "\nnow: " + s.Now,
				Hint:   fmt.Sprintf("add a witness that tells the two apart, or say at the rule why none can: equivalent: [{mutant: %q, reason: …}]", s.What)})
		}
	}
	t.Diagnostics.Sort()
	t.OK = !t.Diagnostics.HasErrors()
	if format == "json" {
		if err := printJSON(env, t); err != nil {
			return err
		}
	} else {
		if err := printText(env.Stdout, t.Diagnostics, env.colour()); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		if t.engines == "" {
			return verdict(exitCode(t.Diagnostics))
		}
		line := fmt.Sprintf("%s, %s, %s", counted(t.Rules, "rule", "rules"), counted(t.Witnesses, "witness", "witnesses"), t.engines)
		if t.Mutants > 0 {
			line += fmt.Sprintf("; %d of %d mutants noticed", t.Mutants-len(t.Survivors), t.Mutants)
		}
		if _, err := fmt.Fprintln(env.Stdout, line); err != nil {
			return err
		}
	}
	if t.OK {
		return nil
	}
	return verdict(exitCode(t.Diagnostics))
}

// counted is a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
