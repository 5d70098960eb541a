package cli

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/docs"
	"github.com/contractkit/contractkit/internal/spelling"
)

// Explanation is what explain prints with --json.
type Explanation struct {
	Code string `json:"code"`
	Page string `json:"page" jsonschema_description:"Markdown."`
}

func newExplainCmd(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain CODE",
		Short: "Tell what a diagnostic means, what causes it and what helps",
		Example: `  contracts explain graph.unresolved-ref
  contracts explain            # list all codes`,
		Args: argCount(0, 1, "CODE"),
		RunE: func(_ *cobra.Command, args []string) error {
			pages, err := diagnosticPages()
			if err != nil {
				return err
			}
			codes := slices.Sorted(maps.Keys(pages))
			if len(args) == 0 {
				if asJSON {
					return printJSON(env, struct {
						Codes []string `json:"codes"`
					}{codes})
				}
				fmt.Fprintln(env.Stdout, strings.Join(codes, "\n"))
				return nil
			}
			code := strings.Trim(args[0], "[]")
			page, found := pages[code]
			if !found {
				e := &usageError{code: "usage.unknown_code", message: fmt.Sprintf("no diagnostic has the code %.100q", code), hint: "contracts explain lists all codes"}
				if best := spelling.Closest(code, codes); best != "" {
					e.hint = fmt.Sprintf("did you mean contracts explain %s?", best)
				}
				return e
			}
			if asJSON {
				return printJSON(env, Explanation{code, page})
			}
			fmt.Fprint(env.Stdout, page)
			return nil
		},
	}
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "report as JSON")
	return cmd
}

// diagnosticPages returns the section of every code.
func diagnosticPages() (map[string]string, error) {
	entries, err := docs.Diagnostics.ReadDir("diagnostics")
	if err != nil {
		return nil, fmt.Errorf("read the built-in pages: %w", err)
	}
	pages := map[string]string{}
	for _, e := range entries {
		data, err := docs.Diagnostics.ReadFile(path.Join("diagnostics", e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the built-in pages: %w", err)
		}
		code := ""
		for line := range strings.Lines(string(data)) {
			if name, found := strings.CutPrefix(line, "## "); found {
				code = strings.TrimSpace(name)
			}
			if code != "" {
				pages[code] += line
			}
		}
	}
	for code, page := range pages {
		pages[code] = strings.TrimRight(page, "\n") + "\n"
	}
	return pages, nil
}
