package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/output"
	"github.com/contractkit/contractkit/internal/rules"
)

type checkOptions struct {
	project projectFlags
}

func newCheckCmd(env *Env) *cobra.Command {
	var opt checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Report generated files that differ from their sources; write nothing",
		Example: `  contracts check
  contracts check --format sarif > contracts.sarif`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runCheck(cmd.Context(), env, opt) },
	}
	opt.project.flags(cmd.Flags(), true)
	return cmd
}

func runCheck(ctx context.Context, env *Env, opt checkOptions) error {
	format, err := opt.project.format.settle(true)
	if err != nil {
		return err
	}
	report := &Report{Command: "check"}
	project, err := opt.project.load(env)
	if err != nil {
		return report.failed(env, format, err)
	}
	set, err := build.Run(ctx, project)
	if err != nil {
		return report.failed(env, format, err)
	}
	report.ContractDigest = set.ContractDigest()
	plan, err := output.Compare(set, project.Dir)
	if err != nil {
		return fmt.Errorf("compare with the disk: %w", err)
	}
	if report.Diagnostics, err = changedSources(set, project.Dir); err != nil {
		return err
	}
	report.Diagnostics = append(report.Diagnostics, plan.Diagnostics()...)
	for _, d := range set.Notes {
		if d.Code == rules.NoWitness {
			d.Severity = diag.Error
		}
		if d.Severity != diag.Note {
			report.Diagnostics = append(report.Diagnostics, d)
		}
	}
	return report.show(env, format)
}
