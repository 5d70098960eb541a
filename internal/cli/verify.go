package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
)

type verifyOptions struct {
	format format
}

func newVerifyCmd(env *Env) *cobra.Command {
	var opt verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Recompute every digest of contract.json and checksums.json, offline",
		Long: `Recompute every digest of contract.json and checksums.json, offline.

DIR holds the two files; without it, it is the folder of the nearest
contracts.yaml, or else the working folder. Sources are not needed.`,
		Example: `  contracts verify
  contracts verify vendor/orders-contract`,
		Args: argCount(0, 1, "DIR"),
		RunE: func(_ *cobra.Command, args []string) error { return runVerify(env, opt, args) },
	}
	opt.format.flags(cmd.Flags(), true)
	return cmd
}

func runVerify(env *Env, opt verifyOptions, args []string) error {
	format, err := opt.format.settle(true)
	if err != nil {
		return err
	}
	name, dir := ".", env.Dir
	if len(args) == 1 {
		name, dir = args[0], inDir(env, args[0])
	} else if file, err := config.Find(dir); err == nil {
		dir = filepath.Dir(file)
	}
	if info, err := os.Stat(dir); err != nil {
		return fmt.Errorf("the folder %s cannot be opened: %s", name, closure.Reason(err))
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", name)
	}
	report := &Report{Command: "verify", Diagnostics: closure.Verify(dir)}
	return report.show(env, format)
}
