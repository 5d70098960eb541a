package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/contractkit/contractkit/internal/diag"
)

// Failure is what a command prints with --json when it could not do its work.
type Failure struct {
	OK    bool   `json:"ok" jsonschema:"enum=false"`
	Error string `json:"error" jsonschema_description:"What went wrong, for people."`
	Code  string `json:"code" jsonschema_description:"Stable: usage.* for the command line, operational_error for the rest."`
	Hint  string `json:"hint,omitempty" jsonschema_description:"What to try next."`
}

// fail prints why a command could not do its work, and returns the exit code.
func fail(env *Env, asJSON bool, err error) int {
	f := Failure{Error: err.Error(), Code: "operational_error"}
	if usage, ok := errors.AsType[*usageError](err); ok {
		f.Code, f.Hint = usage.code, usage.hint
	} else if list, ok := errors.AsType[diag.List](err); ok && len(list) > 0 {
		f.Code = list[0].Code
		if len(list) == 1 {
			f.Hint = list[0].Hint
		}
	}
	if asJSON {
		_ = printJSON(env, f)
		return exitFailed
	}
	fmt.Fprintf(env.Stderr, "contracts: %s\n", f.Error)
	if f.Hint != "" {
		fmt.Fprintf(env.Stderr, "    hint: %s\n", f.Hint)
	}
	return exitFailed
}

// printJSON prints one value on stdout, indented by two spaces.
func printJSON(env *Env, v any) error {
	enc := json.NewEncoder(env.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
