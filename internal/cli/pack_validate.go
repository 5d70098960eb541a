package cli

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

type packValidateOptions struct {
	pack    packFlags
	host    hostFlags
	publish bool
	pin     string
	json    bool
}

func newPackValidateCmd(env *Env) *cobra.Command {
	var opt packValidateOptions
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Say everything that keeps a pack from being installed",
		Long: `Say everything that keeps a pack from being installed: manifest, imports, tool
entries, security lint, integrity, and the registration gate that a host runs.
Nothing of the pack is executed. A pack that no host vouches for fails the last
check; --adapters shows what a host would say.`,
		Example: `  contracts pack validate --id my-pack
  contracts pack validate --pack-root vendor/my-pack --adapters host/adapters.yaml --json`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, others, err := opt.pack.settle(cmd)
			if err != nil {
				return err
			}
			return runPackValidate(env, opt, dir, others)
		},
	}
	opt.pack.flags(cmd, env)
	opt.host.flags(cmd.Flags())
	cmd.Flags().BoolVar(&opt.publish, "publish", false, "also check what a registry will want")
	cmd.Flags().StringVar(&opt.pin, "pin", "", "integrity that the pack must have: sha256:<hex>")
	cmd.Flags().BoolVarP(&opt.json, "json", "j", false, "report as JSON")
	return cmd
}

var pinPattern = regexp.MustCompile(`^(?:|dev|sha256:[0-9a-f]{64})$`)

func runPackValidate(env *Env, opt packValidateOptions, dir, others string) error {
	if !pinPattern.MatchString(opt.pin) {
		return badOption("pin", fmt.Sprintf("%.100q is no sha256: and 64 hex digits", opt.pin))
	}
	report, err := inspectPack(env, opt.host, dir, others, inspect.Options{Publish: opt.publish, Pin: opt.pin})
	if err != nil {
		return err
	}
	if err := showPackReport(env, report, opt.json); err != nil {
		return err
	}
	if !report.Passed() {
		return verdict(exitFinding)
	}
	return nil
}

// inspectPack runs all checks over a pack and the packs that it needs.
func inspectPack(env *Env, flags hostFlags, dir, others string, opt inspect.Options) (*inspect.Report, error) {
	parsed := readPack(env, dir)
	packs, dirs := withDependencies(env, parsed, others)
	host, err := flags.settle(env, append(dirs, dir))
	if err != nil {
		return nil, err
	}
	opt.Host, opt.Others, opt.File = host, packs, inspect.ManifestName(dir)
	return inspect.Pack(env.in(dir), opt)
}

func showPackReport(env *Env, report *inspect.Report, asJSON bool) error {
	if asJSON {
		return printJSON(env, report)
	}
	if _, err := fmt.Fprint(env.Stdout, report.Text()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	var all pack.Diagnostics
	for _, c := range report.Checks {
		all = append(all, c.Diagnostics...)
	}
	explainCodes(env, all)
	return nil
}
