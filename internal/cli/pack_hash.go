package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

func newPackHashCmd(env *Env) *cobra.Command {
	var flags packFlags
	cmd := &cobra.Command{
		Use:   "hash",
		Short: "Print the integrity hash of a pack, to pin it",
		Example: `  contracts pack hash --id my-pack
  contracts pack validate --id my-pack --pin "$(contracts pack hash --id my-pack)"`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, _, err := flags.settle(cmd)
			if err != nil {
				return err
			}
			tree, err := inspect.Read(env.in(dir), inspect.Limits{})
			if err != nil {
				return err
			}
			if hash, ok := tree.Integrity(); ok {
				fmt.Fprintln(env.Stdout, hash)
				return nil
			}
			var list diag.List
			for _, f := range tree.Faults() {
				list.Add(diag.Diagnostic{Code: f.Code, Pos: diag.Pos{File: strings.TrimSuffix(dir+"/"+f.File, "/")}, Message: f.Message})
			}
			if err := printText(env.Stdout, list, env.colour()); err != nil {
				return err
			}
			return verdict(exitFinding)
		},
	}
	flags.flags(cmd, env)
	return cmd
}
