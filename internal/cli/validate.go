package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/spelling"
	"github.com/contractkit/contractkit/runtime/contract"
)

type validateOptions struct {
	config string
	schema string
	old    string // the document before
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

	Diagnostics diag.List `json:"diagnostics,omitempty" jsonschema_description:"Warnings of the schemas that were used."`

	null bool // print "schema": null
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
as the one that takes the place of another, by rules of changes too.`,
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
		if v.old, err = in.one(opt.old); err != nil {
			return err
		}
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
	}{false, r.Error, r.File, r.Line, nil, r.Code}
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
		_, err = fmt.Fprintf(env.Stderr, "contracts: %s\n", visible(r.Error))
	default:
		fmt.Fprintf(env.Stderr, "invalid %s %s\n", *r.Schema, visible(r.name()))
		for _, i := range r.Issues {
			place := ""
			if i.Line > 0 && r.Line == 0 {
				place = fmt.Sprintf(" (%d:%d)", i.Line, i.Column)
			}
			_, err = fmt.Fprintf(env.Stderr, "- %s: %s%s\n", visible(dotted(i.Path)), visible(i.Message), place)
		}
	}
	return err
}

// validator checks documents by one schema, or by the one that each names.
type validator struct {
	lib    *library
	schema string
	chosen *entry // for schema
	old    []byte // the document before; nil without

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
	e, issues, err := v.entry(d)
	switch {
	case malformed(issues):
		return failed("read_or_parse_error", malformedMessage(d, issues[0]))
	case err != nil:
		return failed("schema_error", firstLine(err))
	case e == nil && v.schema != "":
		r.Schema = &v.schema
		return failed("unknown_schema", fmt.Sprintf("no schema has the id %q, and there is no such file", v.schema)+v.meant(v.schema))
	case e == nil:
		r.null = true
		id, _ := contract.SchemaID(d.data, dispatchMember)
		return failed("unknown_schema", fmt.Sprintf("%s: %s", r.name(), issues[0].Message)+v.meant(id))
	}
	r.Schema = &e.id
	v.note(e)
	if v.old == nil || e.transition == nil { // where nothing speaks of changes, the document alone counts
		issues = e.Check(d.data)
	} else {
		issues = e.transition(v.old, d.data)
	}
	if malformed(issues) {
		return failed("read_or_parse_error", malformedMessage(d, issues[0]))
	}
	if len(issues) == 0 {
		r.OK = true
		return r
	}
	r.Issues, r.exit = reported(d, issues), exitFinding
	return r
}

// meant says which schema an unknown id was probably meant to be; "" for none.
func (v *validator) meant(id string) string {
	ids, err := v.lib.ids()
	if err != nil || id == "" {
		return ""
	}
	if hint := spelling.Ask(id, ids, ""); hint != "" {
		return "; " + hint
	}
	return ""
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
	if v.chosen, err = v.lib.find(v.schema); err != nil || v.chosen != nil {
		return v.chosen, nil, err
	}
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

// firstLine is a diagnostic list in one line.
func firstLine(err error) string {
	if list, ok := errors.AsType[diag.List](err); ok && len(list) > 1 {
		if i := slices.IndexFunc(list, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i > 0 {
			list[0], list[i] = list[i], list[0] // not a warning that came first
		}
		return fmt.Sprintf("%s (and %d more problems)", list[0].String(), len(list)-1)
	}
	return err.Error()
}
