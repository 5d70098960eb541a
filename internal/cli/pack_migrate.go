package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/runtime/pack/migrate"
)

type packMigrateOptions struct {
	pack   packFlags
	state  string
	dryRun bool
	json   bool
}

func newPackMigrateCmd(env *Env) *cobra.Command {
	var opt packMigrateOptions
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the installed state of a pack to the version of its manifest",
		Long: `Bring the installed state of a pack to the version of its manifest, by the steps
that the manifest lists. Steps are data: no code of the pack runs. The state is
<state>/<id>.state.json; receipts are added to <id>.receipts.jsonl beside it.
A run that is killed leaves the old state or the new one; run it again.`,
		Example: `  contracts pack migrate --id my-pack --state state --dry-run
  contracts pack migrate --id my-pack --state state`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, _, err := opt.pack.settle(cmd)
			if err != nil {
				return err
			}
			if opt.state == "" {
				return &usageError{code: "usage.missing_option", message: cmd.CommandPath() + " needs --state", hint: "--state names the folder that the host keeps states in"}
			}
			return runPackMigrate(cmd.Context(), env, opt, dir)
		},
	}
	opt.pack.flags(cmd, env)
	cmd.Flags().StringVar(&opt.state, "state", "", "folder with the states of installed packs")
	cmd.Flags().BoolVar(&opt.dryRun, "dry-run", false, "tell what would happen and write nothing")
	cmd.Flags().BoolVarP(&opt.json, "json", "j", false, "print the receipt as JSON")
	folders(cmd, "state")
	return cmd
}

func runPackMigrate(ctx context.Context, env *Env, opt packMigrateOptions, dir string) error {
	parsed := readPack(env, dir)
	if !parsed.Accepted() {
		if opt.json {
			if err := printJSON(env, Report{Version: 1, Command: "pack", Diagnostics: asDiag(parsed.Diagnostics)}); err != nil {
				return err
			}
		} else if err := printText(env.Stdout, asDiag(parsed.Diagnostics), env.colour()); err != nil {
			return err
		}
		return verdict(exitFinding)
	}
	p, err := migrate.PackOf(parsed.Manifest())
	if err != nil {
		return err
	}
	store, err := migrate.OpenFileStore(env.in(opt.state))
	if err != nil {
		return err
	}
	defer store.Close()
	receipt, err := migrate.Run(ctx, store, p, migrate.Options{DryRun: opt.dryRun})
	if errors.Is(err, migrate.ErrNoState) {
		return fmt.Errorf("%w; a host writes it when it installs the pack", err)
	} else if err != nil {
		return err
	}
	if opt.json {
		err = printJSON(env, receipt)
	} else {
		_, err = fmt.Fprint(env.Stdout, receiptText(receipt))
	}
	if err == nil && receipt.Outcome == migrate.RunRefused {
		err = verdict(exitFinding)
	}
	return err
}

func receiptText(r *migrate.Receipt) string {
	var b strings.Builder
	for _, h := range r.Hops {
		fmt.Fprintf(&b, "%s -> %s\n", visible(h.From), h.To)
		for _, s := range h.Steps {
			var arguments []string
			for _, name := range slices.Sorted(maps.Keys(s.Arguments)) {
				arguments = append(arguments, name+" "+visible(s.Arguments[name]))
			}
			fmt.Fprintf(&b, "  %-8s %s: %s\n", s.Outcome, s.Kind, strings.Join(arguments, ", "))
		}
	}
	dry := ""
	if r.DryRun {
		dry = " (dry run, nothing is written)"
	}
	switch r.Outcome {
	case migrate.RunApplied:
		fmt.Fprintf(&b, "%s: %s -> %s%s\n", r.PackID, r.FromVersion, r.ToVersion, dry)
	case migrate.RunNothingToDo:
		fmt.Fprintf(&b, "%s: %s is installed, nothing to do%s\n", r.PackID, r.FromVersion, dry)
	case migrate.RunRefused:
		why := "the installed version is newer than the manifest's"
		if r.Code == migrate.CodeConflict {
			why = "the last step above met old and new side by side"
		}
		fmt.Fprintf(&b, "%s: refused, %s; %s stays as it is [%s]%s\n", r.PackID, why, r.FromVersion, r.Code, dry)
	}
	return b.String()
}
