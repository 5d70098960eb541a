package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/generator"
)

// VersionReport is what version prints with --json.
type VersionReport struct {
	Name    string `json:"name"`
	Version string `json:"version" jsonschema_description:"Semantic version."`
}

func newVersionCmd(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  contracts version`,
		Args:    argCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(env, VersionReport{generator.Name, generator.Version})
			}
			fmt.Fprintln(env.Stdout, generator.Version)
			return nil
		},
	}
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "report as JSON")
	return cmd
}
