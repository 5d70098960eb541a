package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/packauthor"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

type packAuthorOptions struct {
	headerFlags
	specFile     string
	read, write  []string // TOOL=PATTERN
	get          []string // TOOL=URL,URL…
	force        bool
	skipValidate bool
}

func newPackAuthorCmd(env *Env) *cobra.Command {
	var opt packAuthorOptions
	cmd := &cobra.Command{
		Use:   "author",
		Short: "Make a pack with working tools from templates, and check it",
		Long: `Make a pack with working tools from templates, and check it. What the tools are
comes from --spec-file (YAML or JSON), from --read, --write and --get, or, on a
terminal, from questions. The pack is written before it is checked and stays for
inspection; that no host vouches for it yet is reported and is no failure.`,
		Example: `  contracts pack author --id notes --version 0.1.0 --read 'notes:read=notes/**/*.md'
  contracts pack author --spec-file notes.yaml --force`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPackAuthor(env, opt, cmd) },
	}
	opt.flags(cmd.Flags())
	set := cmd.Flags()
	set.StringVar(&opt.specFile, "spec-file", "", "what to make: pack_id, version, task_types, templates")
	set.StringArrayVar(&opt.read, "read", nil, "TOOL=PATTERN: a tool that reads text files; may be repeated")
	set.StringArrayVar(&opt.write, "write", nil, "TOOL=PATTERN: a tool that writes text files; may be repeated")
	set.StringArrayVar(&opt.get, "get", nil, "TOOL=URL[,URL]: a tool that gets JSON from listed places; may be repeated")
	set.BoolVarP(&opt.force, "force", "f", false, "replace an existing pack")
	set.BoolVar(&opt.skipValidate, "skip-validate", false, "do not check the result")
	folders(cmd, "output")
	if err := cmd.MarkFlagFilename("spec-file", "yaml", "yml", "json"); err != nil {
		panic(err)
	}
	return cmd
}

func runPackAuthor(env *Env, opt packAuthorOptions, cmd *cobra.Command) error {
	spec, source, err := opt.spec(env, cmd)
	if err != nil {
		return err
	}
	opt.header.ID, opt.header.Version, opt.header.TaskTypes = spec.PackID, spec.Version, spec.TaskTypes
	opt.header.Fill()
	files, faults := packauthor.Author(opt.header, spec)
	if len(faults) > 0 {
		if source == "" {
			return &usageError{code: "usage.bad_option_value", message: strings.Join(faults, "\n")}
		}
		return refusePack(env, opt.json, "PACK_AUTHOR_SPEC", source, faults, "")
	}
	written, err := writePack(env, opt.headerFlags, files, opt.force)
	if err != nil {
		return err
	}
	if opt.skipValidate {
		return showPackFiles(env, written, opt.json)
	}
	host := hostFlags{kernel: packauthor.KernelVersion, host: packauthor.HostVersion}
	report, err := inspectPack(env, host, filepath.Join(opt.output, opt.header.ID), opt.output, inspect.Options{})
	if err != nil {
		return err
	}
	if err := showPackReport(env, report, opt.json); err != nil {
		return err
	}
	if report.Blocked() {
		return verdict(exitFinding)
	}
	return nil
}

// spec comes from a file, which source names, or from the options and the answers
// to what they leave open.
func (opt *packAuthorOptions) spec(env *Env, cmd *cobra.Command) (spec packauthor.Spec, source string, err error) {
	if opt.specFile != "" {
		for _, name := range []string{"id", "version", "task-type", "read", "write", "get"} {
			if cmd.Flags().Changed(name) {
				return spec, "", &usageError{code: "usage.conflicting_options", message: "--spec-file says it all; leave --" + name + " out"}
			}
		}
		data, err := readFileAtMost(env.in(opt.specFile), 1<<20)
		if err != nil {
			return spec, "", fmt.Errorf("read the spec: %w", err)
		}
		source = filepath.ToSlash(opt.specFile)
		if spec, err = packauthor.ParseSpec(data); err != nil {
			return spec, source, refusePack(env, opt.json, "PACK_AUTHOR_SPEC", source, []string{oneLine(err.Error())}, "")
		}
		return spec, source, nil
	}
	spec = packauthor.Spec{PackID: opt.header.ID, Version: opt.header.Version, TaskTypes: opt.header.TaskTypes}
	for _, group := range []struct {
		option, template string
		values           []string
	}{{"read", packauthor.ReadText, opt.read}, {"write", packauthor.WriteText, opt.write}, {"get", packauthor.GetJSON, opt.get}} {
		for _, v := range group.values {
			name, what, found := strings.Cut(v, "=")
			if !found {
				return spec, "", badOption(group.option, fmt.Sprintf("%.100q is not TOOL=…", v))
			}
			spec.Templates = append(spec.Templates, template(group.template, name, what))
		}
	}
	if spec.PackID == "" || spec.Version == "" || len(spec.Templates) == 0 {
		if !env.StdinIsTerminal {
			return spec, "", &usageError{code: "usage.missing_option", message: cmd.CommandPath() + " needs --spec-file, or --id, --version and a tool",
				hint: cmd.CommandPath() + " --id notes --version 0.1.0 --read 'notes:read=notes/**'"}
		}
		if err := newQuestions(env).complete(&spec); err != nil {
			return spec, "", err
		}
	}
	if len(spec.TaskTypes) == 0 {
		spec.TaskTypes = []string{"task"}
	}
	return spec, "", nil
}

func template(id, tool, what string) packauthor.Template {
	t := packauthor.Template{TemplateID: id, ToolName: tool}
	if id == packauthor.GetJSON {
		t.AllowedURLs = strings.Split(what, ",")
	} else {
		t.ScopePattern = what
	}
	return t
}

// oneLine makes a library's error fit the form of a diagnostic.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
