package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/crd"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/output"
)

func newImportCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "import",
		Short:   "Make schemas and rules from definitions in other forms",
		Example: `  contracts import crd widgets.yaml --out schemas/widgets`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newImportCRDCmd(env))
	return cmd
}

type importOptions struct {
	out    string
	force  bool
	format format
}

func newImportCRDCmd(env *Env) *cobra.Command {
	var opt importOptions
	cmd := &cobra.Command{
		Use:   "crd FILE... --out DIR",
		Short: "Make schemas and rules from Kubernetes CustomResourceDefinitions",
		Long: `Make schemas and rules from Kubernetes CustomResourceDefinitions.

Each version becomes a JSON Schema in DIR, and x-kubernetes-validations become
rules in DIR/invariants.yaml, those that read oldSelf as rules of changes. With
them custom resources are judged without a cluster, one file at a time or by
code that contracts generate writes. A FILE may hold several definitions, or a
list of them; - reads standard input.`,
		Example: `  contracts import crd widgets.yaml --out schemas/widgets
  kubectl get crd -o yaml | contracts import crd - --out schemas/crds
  contracts validate --schema schemas/widgets/widgets.v1.json widget.yaml
  contracts validate --schema schemas/widgets/widgets.v1.json --old old.yaml new.yaml`,
		Args: argCount(1, -1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runImportCRD(cmd.Context(), env, opt, args) },
	}
	cmd.Flags().StringVarP(&opt.out, "out", "o", "", "folder to write to")
	cmd.Flags().BoolVarP(&opt.force, "force", "f", false, "overwrite files that differ")
	opt.format.flags(cmd.Flags(), false)
	return cmd
}

func runImportCRD(ctx context.Context, env *Env, opt importOptions, args []string) error {
	format, err := opt.format.settle(false)
	if err != nil {
		return err
	}
	if opt.out == "" {
		return &usageError{code: "usage.missing_option", message: "contracts import crd needs --out", hint: "contracts import crd " + args[0] + " --out schemas/crds"}
	}
	report := &Report{Command: "import"}
	var versions []crd.Version
	var problems diag.List
	for _, name := range args {
		data, err := readDefinitions(env, name)
		if err != nil {
			return err
		}
		if name == "-" {
			name = "stdin.yaml" // says how to read it, and where a problem is
		}
		found, err := crd.Read(name, data, limits())
		if list, ok := err.(diag.List); ok {
			problems = append(problems, list...)
			continue
		} else if err != nil {
			return err
		}
		if len(found) == 0 {
			problems.Add(diag.Diagnostic{Code: "crd.none", Pos: diag.Pos{File: name}, Message: "the file has no CustomResourceDefinition with a schema",
				Hint: "give the definition itself, not a resource of its kind; only apiextensions.k8s.io/v1 is known"})
		}
		versions = append(versions, found...)
	}
	if err := problems.Err(); err != nil {
		return report.failed(env, format, err)
	}
	files, err := crd.Import(versions)
	if err != nil {
		return report.failed(env, format, err)
	}
	_, warnings, err := crd.Load(files)
	if err != nil {
		return report.failed(env, format, err)
	}
	report.Diagnostics = warnings
	if err := writeSources(env, opt.out, files, opt.force, report); err != nil {
		return report.failed(env, format, err)
	}
	return report.show(env, format)
}

// readDefinitions reads a file, or standard input for "-", up to the size that a
// document may have.
func readDefinitions(env *Env, name string) ([]byte, error) {
	r := env.Stdin
	if name != "-" {
		f, err := os.Open(inDir(env, name))
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %s", name, closure.Reason(err))
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %s", name, closure.Reason(err))
	case len(data) > maxDocument:
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxDocument)
	}
	return data, nil
}

// writeSources writes files that people may go on to edit: one that differs is kept
// unless force is given, and then none is written.
func writeSources(env *Env, folder string, files []crd.File, force bool, report *Report) error {
	dir := inDir(env, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var problems diag.List
	var changed []crd.File
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join(dir, f.Path))
		switch {
		case err == nil && bytes.Equal(have, f.Data):
			continue
		case err == nil && !force:
			problems.Add(diag.Diagnostic{Code: "crd.exists", Pos: diag.Pos{File: path.Join(filepath.ToSlash(folder), f.Path)},
				Message: "the file is there already and differs from what the import makes", Hint: "import to another folder, or overwrite it with --force"})
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		changed = append(changed, f)
	}
	if err := problems.Err(); err != nil {
		return err
	}
	for _, f := range changed {
		if err := output.WriteFile(dir, f.Path, f.Data); err != nil {
			return err
		}
		report.Written = append(report.Written, path.Join(filepath.ToSlash(folder), f.Path))
	}
	return nil
}
