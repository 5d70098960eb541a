package cli

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/packauthor"
)

// PackFiles is what pack scaffold, and pack author with --skip-validate, print with
// --json.
type PackFiles struct {
	OK      bool     `json:"ok"`
	Dir     string   `json:"dir" jsonschema_description:"Folder of the pack."`
	Written []string `json:"written" jsonschema_description:"Files, below the folder."`
}

// headerFlags are what both ways to start a pack ask for.
type headerFlags struct {
	header packauthor.Header
	output string
	json   bool
}

func (f *headerFlags) flags(set *pflag.FlagSet) {
	set.StringVar(&f.header.ID, "id", "", "id of the pack: small letters, digits, hyphens")
	set.StringVar(&f.header.Version, "version", "", "version of the pack, such as 0.1.0")
	set.StringArrayVar(&f.header.TaskTypes, "task-type", nil, "kind of task that the pack serves; may be repeated")
	set.StringVar(&f.output, "output", "packs", "folder to make the pack in")
	set.StringVar(&f.header.PublisherID, "publisher-id", "", "slug of the publisher (default: the pack's id)")
	set.StringVar(&f.header.PublisherName, "publisher-name", "", "name of the publisher (default: from the pack's id)")
	set.StringVar(&f.header.KernelRange, "kernel-range", "", "kernel versions that the pack works with (default: of this program's major version)")
	set.StringVar(&f.header.HostRange, "host-range", "", "host versions, likewise")
	set.BoolVarP(&f.json, "json", "j", false, "report as JSON")
}

func newPackScaffoldCmd(env *Env) *cobra.Command {
	var opt headerFlags
	var tools []string
	cmd := &cobra.Command{
		Use:   "scaffold",
		Short: "Start a pack: manifest, a stub for each tool, README",
		Long: `Start a pack: manifest, a stub for each tool, README. The manifest is valid from
the start. A pack with tools asks for the tier trusted-host-adapter; only a host
can grant it, by registering an adapter. An existing folder is left alone.`,
		Example: `  contracts pack scaffold --id my-pack --version 0.1.0 --tool my-tool`,
		Args:    argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opt.header.ID == "" || opt.header.Version == "" {
				return &usageError{code: "usage.missing_option", message: cmd.CommandPath() + " needs --id and --version",
					hint: cmd.CommandPath() + " --id my-pack --version 0.1.0"}
			}
			return runPackScaffold(env, opt, tools)
		},
	}
	opt.flags(cmd.Flags())
	cmd.Flags().StringArrayVar(&tools, "tool", nil, "name of a tool; may be repeated")
	folders(cmd, "output")
	return cmd
}

func runPackScaffold(env *Env, opt headerFlags, tools []string) error {
	if len(opt.header.TaskTypes) == 0 {
		opt.header.TaskTypes = []string{"task"}
	}
	opt.header.Fill()
	files, faults := packauthor.Scaffold(opt.header, tools)
	if len(faults) > 0 {
		return &usageError{code: "usage.bad_option_value", message: strings.Join(faults, "\n")}
	}
	written, err := writePack(env, opt, files, false)
	if err != nil {
		return err
	}
	return showPackFiles(env, written, opt.json)
}

// writePack makes the folder; one that is in the way is a finding.
func writePack(env *Env, opt headerFlags, files []packauthor.File, replace bool) (*PackFiles, error) {
	dir := filepath.Join(opt.output, opt.header.ID)
	if _, err := packauthor.Write(env.in(opt.output), opt.header.ID, files, replace); errors.Is(err, packauthor.ErrExists) {
		hint := "choose another --id or --output, or move the folder away"
		return nil, refusePack(env, opt.json, "PACK_AUTHOR_EXISTS", filepath.ToSlash(dir), []string{"the folder exists; nothing was written"}, hint)
	} else if err != nil {
		return nil, fmt.Errorf("write the pack: %w", err)
	}
	report := &PackFiles{OK: true, Dir: filepath.ToSlash(dir), Written: []string{}}
	for _, f := range files {
		if f.Data != nil {
			report.Written = append(report.Written, f.Path)
		}
	}
	return report, nil
}

// refusePack reports why nothing is made.
func refusePack(env *Env, asJSON bool, code, file string, faults []string, hint string) error {
	var list diag.List
	for _, fault := range faults {
		list.Add(diag.Diagnostic{Code: code, Pos: diag.Pos{File: file}, Message: fault, Hint: hint})
	}
	if asJSON {
		if err := printJSON(env, Report{Version: 1, Command: "pack", Diagnostics: list}); err != nil {
			return err
		}
	} else if err := printText(env.Stdout, list, env.colour()); err != nil {
		return err
	}
	return verdict(exitFinding)
}

func showPackFiles(env *Env, written *PackFiles, asJSON bool) error {
	if asJSON {
		return printJSON(env, written)
	}
	for _, f := range written.Written {
		fmt.Fprintln(env.Stdout, path.Join(written.Dir, f))
	}
	return nil
}
