package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/generator"
)

// Schemas is what schemas prints with --json.
type Schemas struct {
	Version string   `json:"version" jsonschema_description:"Version of the program."`
	Schemas []string `json:"schemas" jsonschema_description:"Ids of the schemas: the built-in catalog, then the project's."`
}

func newSchemasCmd(env *Env) *cobra.Command {
	var asJSON bool
	var config string
	cmd := &cobra.Command{
		Use:   "schemas",
		Short: "List the ids of the schemas that validate knows here",
		Example: `  contracts schemas
  contracts schemas --json`,
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ids, err := newLibrary(cmd.Context(), env, config).ids()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(env, Schemas{generator.Version, ids})
			}
			for _, id := range ids {
				fmt.Fprintln(env.Stdout, id)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&config, "config", "c", "", "project file; default: the nearest contracts.yaml, if any")
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "report as JSON")
	return cmd
}
