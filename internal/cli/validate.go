package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/runtime/contract"
)

type validateOptions struct {
	config string
	schema string
	old    string // file of the document before
	format string // of the input
	json   bool
}

// Validation is what validate prints with --json for one document.
type Validation struct {
	OK     bool    `json:"ok" jsonschema_description:"Whether the document is valid."`
	Schema *string `json:"schema,omitempty" jsonschema:"oneof_type=string;null" jsonschema_description:"Id of the schema; null when the document names none that is known."`
	File   string  `json:"file" jsonschema_description:"As given on the command line; - is standard input."`
	Line   int     `json:"line,omitempty" jsonschema_description:"Line of the document in an NDJSON file, from 1."`
	Issues []Issue `json:"issues,omitempty" jsonschema_description:"What is wrong, in document order."`
	Error  string  `json:"error,omitempty" jsonschema_description:"Why there is no verdict."`
	Code   string  `json:"code,omitempty" jsonschema:"enum=read_or_parse_error,enum=unknown_schema,enum=schema_error"`
	Hint   string  `json:"hint,omitempty" jsonschema_description:"With an error: what to try next."`

	Diagnostics diag.List `json:"diagnostics,omitempty" jsonschema_description:"Warnings of the schemas that were used."`

	null bool   // print "schema": null
	old  string // file of the document before
	exit int
}

// Validations is what validate prints with --json for several documents.
type Validations struct {
	OK      bool         `json:"ok" jsonschema_description:"Whether all documents are valid."`
	Results []Validation `json:"results"`

	Diagnostics diag.List `json:"diagnostics,omitempty" jsonschema_description:"Warnings of the schemas that were used."`
}

func newValidateCmd(env *Env) *cobra.Command {
	var opt validateOptions
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check documents against their schemas",
		Long: `Check documents against their schemas.

FILE may be a pattern such as 'data/**/*.json', or - for standard input. The
schema is the one that the document names, or that of --schema: an id of the
built-in catalog or of the project, or the file of a schema. A file of schemas
obeys the rules in invariants.yaml beside it. With --old the document is judged
as the one that takes the place of another, by rules of changes too; OLD has to
be valid by itself.

With --json one FILE has its verdict as an object, {"ok", "schema", "file", …};
several, a pattern or NDJSON give {"ok", "results": [those objects]}.`,
		Example: `  contracts validate order.json
  contracts validate --schema schemas/orders/order.json 'orders/**/*.yaml'
  contracts validate --schema crds/widgets.v1.json --old old.yaml new.yaml
  curl -s example.com/o | contracts validate --json -`,
		Args: argCount(1, -1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runValidate(cmd.Context(), env, opt, args) },
	}
	cmd.Flags().StringVarP(&opt.config, "config", "c", "", "project file; default: the nearest contracts.yaml, if any")
	cmd.Flags().StringVarP(&opt.schema, "schema", "s", "", "schema id or schema file")
	cmd.Flags().StringVar(&opt.old, "old", "", "file of the document before; only with one FILE")
	cmd.Flags().StringVar(&opt.format, "input-format", "", "json, yaml or ndjson; default: by the file's ending")
	cmd.Flags().BoolVarP(&opt.json, "json", "j", false, "report as JSON")
	return cmd
}

func runValidate(ctx context.Context, env *Env, opt validateOptions, args []string) error {
	if opt.format != "" {
		if err := oneOf("input-format", opt.format, "json", "yaml", "ndjson"); err != nil {
			return err
		}
	}
	in := &inputs{env: env, format: opt.format}
	files, several, err := in.expand(args)
	if err != nil {
		return err
	}
	v := &validator{lib: newLibrary(ctx, env, opt.config), schema: opt.schema}
	if opt.old != "" {
		if several {
			return &usageError{code: "usage.bad_argument", message: "--old goes with one document"}
		}
		v.old, v.noOld = in.one(opt.old)
	}
	all := Validations{OK: true, Results: []Validation{}}
	exit := exitFine
	for _, file := range files {
		err := in.each(file, func(d document) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r := v.validate(d)
			exit = max(exit, r.exit)
			if opt.json {
				all.Results = append(all.Results, r)
				return nil
			}
			return r.print(env)
		})
		if err != nil {
			return err
		}
	}
	if !opt.json {
		if err := printText(env.Stderr, v.notes, env.colour()); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if opt.json {
		all.OK = exit == exitFine
		var report any = all
		if !several && len(all.Results) == 1 {
			all.Results[0].Diagnostics = v.notes
			report = all.Results[0].members()
		} else {
			list := make([]any, len(all.Results))
			for i := range all.Results {
				list[i] = all.Results[i].members()
			}
			report = struct {
				OK          bool      `json:"ok"`
				Results     []any     `json:"results"`
				Diagnostics diag.List `json:"diagnostics,omitempty"`
			}{all.OK, list, v.notes}
		}
		if err := printJSON(env, report); err != nil {
			return err
		}
	}
	if exit != exitFine {
		return verdict(exit)
	}
	return nil
}

// members is r as it is printed: the schema is null, not absent, when none is known.
func (r *Validation) members() any {
	if !r.null {
		return r
	}
	return struct {
		OK     bool   `json:"ok"`
		Error  string `json:"error"`
		File   string `json:"file"`
		Line   int    `json:"line,omitempty"`
		Schema any    `json:"schema"`
		Code   string `json:"code"`
		Hint   string `json:"hint,omitempty"`
	}{false, r.Error, r.File, r.Line, nil, r.Code, r.Hint}
}

func (r *Validation) name() string {
	if r.Line > 0 {
		return fmt.Sprintf("%s:%d", r.File, r.Line)
	}
	return r.File
}

func (r *Validation) print(env *Env) error {
	var err error
	switch {
	case r.OK:
		_, err = fmt.Fprintf(env.Stdout, "ok %s %s\n", *r.Schema, visible(r.name()))
	case r.Error != "":
		if _, err = fmt.Fprintf(env.Stderr, "contracts: %s\n", visible(r.Error)); r.Hint != "" {
			_, err = fmt.Fprintf(env.Stderr, "    hint: %s\n", visible(r.Hint))
		}
	default:
		var b strings.Builder
		fmt.Fprintf(&b, "invalid %s %s\n", *r.Schema, visible(r.name()))
		for _, i := range r.Issues {
			r.printIssue(&b, i)
		}
		_, err = io.WriteString(env.Stderr, b.String())
	}
	return err
}

// printIssue prints what is wrong, by which rule or kind of fault, and where.
func (r *Validation) printIssue(b *strings.Builder, i Issue) {
	at := diag.Pos{File: r.File, Line: i.Line, Col: i.Column}
	switch {
	case i.Old:
		at.File = r.old
	case r.Line > 0:
		at.Line = r.Line
	}
	fmt.Fprintf(b, "- %s: %s [%s]\n", visible(dotted(i.Path)), visible(i.Message), visible(cmp.Or(i.Rule, i.Code)))
	fmt.Fprintf(b, "    at %s\n", strings.TrimSuffix(visible(at.String())+" "+visible(i.Pointer), " "))
	if i.Old {
		b.WriteString("    hint: this is the document before the change: it has to be valid by itself, too\n")
	}
}

// validator checks documents by one schema, or by the one that each names.
type validator struct {
	lib    *library
	schema string
	chosen *entry    // for schema
	old    *document // the one before; nil without
	noOld  error     // why it cannot be read

	notes diag.List       // warnings of the schemas used so far
	said  map[string]bool // which those are
}

// note takes the warnings of a schema, once each.
func (v *validator) note(e *entry) {
	for _, d := range e.notes {
		if key := d.String(); !v.said[key] {
			if v.said == nil {
				v.said = map[string]bool{}
			}
			v.said[key] = true
			v.notes.Add(d)
		}
	}
}

func (v *validator) validate(d document) Validation {
	r := Validation{File: d.file, Line: d.line}
	failed := func(code, message string) Validation {
		r.Code, r.Error, r.exit = code, message, exitFailed
		return r
	}
	if d.err != nil {
		return failed("read_or_parse_error", d.err.Error())
	}
	if v.noOld != nil {
		return failed("read_or_parse_error", v.noOld.Error())
	}
	e, issues, err := v.entry(d)
	switch {
	case malformed(issues):
		return failed("read_or_parse_error", malformedMessage(d, issues[0]))
	case err != nil:
		r.Hint = hintOf(err)
		return failed("schema_error", firstLine(err))
	case e == nil && v.schema != "":
		r.Schema = &v.schema
		meant := ""
		if best := v.lib.closest(v.schema); best != "" {
			meant = fmt.Sprintf("; did you mean %q?", best)
		}
		return failed("unknown_schema", fmt.Sprintf("no schema has the id %q, and there is no such file%s", v.schema, meant))
	case e == nil:
		r.null = true
		return failed("unknown_schema", fmt.Sprintf("%s: %s", r.name(), issues[0].Message))
	}
	r.Schema = &e.id
	v.note(e)
	if v.old == nil {
		issues = e.Check(d.data)
	} else {
		var before, between contract.Issues
		if before, issues, between = e.change(v.old.data, d.data); malformed(before) {
			return failed("read_or_parse_error", malformedMessage(*v.old, before[0]))
		}
		issues = append(issues, between...)
		r.old, r.Issues = v.old.file, reported(*v.old, before)
		for i := range r.Issues {
			r.Issues[i].Old = true
		}
	}
	if malformed(issues) {
		return failed("read_or_parse_error", malformedMessage(d, issues[0]))
	}
	if r.Issues = append(r.Issues, reported(d, issues)...); len(r.Issues) > 0 {
		r.exit = exitFinding
	} else {
		r.OK = true
	}
	return r
}

// entry returns the schema for a document; nil when there is none.
func (v *validator) entry(d document) (*entry, contract.Issues, error) {
	if v.schema == "" {
		return v.lib.identify(d.data)
	}
	// The document is looked at first: a malformed one is that under any schema.
	if _, issues := contract.SchemaID(d.data, dispatchMember); malformed(issues) {
		return nil, issues, nil
	}
	if v.chosen != nil {
		return v.chosen, nil, nil
	}
	var err error
	if v.chosen, err = v.lib.find(v.schema); v.chosen != nil {
		return v.chosen, nil, err
	}
	// Faults of the project keep an id from being known, not a file from being read.
	if info, statErr := os.Stat(inDir(v.lib.env, v.schema)); statErr == nil && !info.IsDir() {
		v.chosen, err = v.lib.file(v.schema)
	}
	return v.chosen, nil, err
}

func malformedMessage(d document, i contract.Issue) string {
	line, column := lineOf(d.data, i.Offset)
	if d.line > 0 {
		line = d.line
	}
	return fmt.Sprintf("%s:%d:%d: %s", d.file, line, column, i.Message)
}

// firstLine is a diagnostic list in one line: its first error.
func firstLine(err error) string {
	list, ok := errors.AsType[diag.List](err)
	if !ok || len(list) == 0 {
		return err.Error()
	}
	errs := slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	switch len(errs) {
	case 0:
		return list[0].String()
	case 1:
		return errs[0].String()
	case 2:
		return errs[0].String() + " (and one more error)"
	}
	return fmt.Sprintf("%s (and %d more errors)", errs[0].String(), len(errs)-1)
}

// hintOf is the hint of the diagnostic that firstLine prints, if any.
func hintOf(err error) string {
	list, _ := errors.AsType[diag.List](err)
	for _, d := range list {
		if d.Severity == diag.Error {
			return d.Hint
		}
	}
	return ""
}

// inOneLine is firstLine with the hint.
func inOneLine(err error) string {
	if hint := hintOf(err); hint != "" {
		return firstLine(err) + "; hint: " + hint
	}
	return firstLine(err)
}
