package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/output"
)

type generateOptions struct {
	project projectFlags
	single  singleFlags
	force   bool
}

func newGenerateCmd(env *Env) *cobra.Command {
	var opt generateOptions
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write the files that the project's schemas produce, all or none",
		Long: "Write the files that the project's schemas produce, all or none.\n\n" +
			"With --schema, write the Go package of one schema, without a project. Rules for it in an\ninvariants.yaml beside it are compiled in.",
		Example: `  contracts generate
  contracts generate --force   # overwrite files that were changed by hand
  contracts generate --schema order.json --out internal/order --root Order`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runGenerate(cmd.Context(), env, opt) },
	}
	opt.project.flags(cmd.Flags(), true)
	opt.single.flags(cmd.Flags())
	cmd.Flags().BoolVar(&opt.force, "force", false, "overwrite and remove files that were changed by hand")
	return cmd
}

func runGenerate(ctx context.Context, env *Env, opt generateOptions) error {
	format, err := opt.project.format.settle(true)
	if err != nil {
		return err
	}
	if opt.single.given() {
		return runSingle(ctx, env, &opt.single, format, opt.force)
	}
	report := &Report{Command: "generate"}
	project, err := opt.project.load(env)
	if err != nil {
		return report.failed(env, format, err)
	}
	set, err := build.Run(ctx, project)
	if err != nil {
		return report.failed(env, format, err)
	}
	report.ContractDigest, report.Diagnostics = set.ContractDigest(), set.Notes
	plan, err := output.Compare(set, project.Dir)
	if err != nil {
		return fmt.Errorf("compare with the disk: %w", err)
	}
	if plan, err = output.Apply(ctx, plan, output.Options{Force: opt.force}); err != nil {
		return report.failed(env, format, err)
	}
	report.Diagnostics = append(report.Diagnostics, plan.Left()...)
	for _, e := range plan.Entries {
		switch e.State {
		case output.Equal, output.Foreign:
		case output.Orphan:
			report.Removed = append(report.Removed, e.Path)
		default:
			report.Written = append(report.Written, e.Path)
		}
	}
	if env.StderrIsTerminal && format == "text" {
		fmt.Fprintf(env.Stderr, "%d written, %d removed, %d unchanged\n", len(report.Written), len(report.Removed), plan.Count(output.Equal))
	}
	return report.show(env, format)
}
