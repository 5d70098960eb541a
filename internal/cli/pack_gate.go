package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/runtime/pack"
)

// PackGate is what pack gate prints with --json.
type PackGate struct {
	Version     int              `json:"version" jsonschema:"enum=1"`
	OK          bool             `json:"ok" jsonschema_description:"Whether the whole batch may register."`
	Packs       int              `json:"packs" jsonschema_description:"How many packs were judged together."`
	Diagnostics pack.Diagnostics `json:"diagnostics" jsonschema_description:"In the order of the contract."`
}

func newPackGateCmd(env *Env) *cobra.Command {
	var host hostFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gate DIR...",
		Short: "Ask the registration gate whether these packs may be installed together",
		Long: `Ask the registration gate whether these packs may be installed together. It is
the gate of runtime/pack: all packs register or none does.`,
		Example: `  contracts pack gate packs/*
  contracts pack gate packs/a packs/b --adapters host/adapters.yaml --kernel-version 6.2.1`,
		Args: argCount(1, maxBatch, "DIR"),
		RunE: func(_ *cobra.Command, dirs []string) error {
			h, err := host.settle(env, dirs)
			if err != nil {
				return err
			}
			packs := make([]*pack.Parsed, len(dirs))
			for i, dir := range dirs {
				packs[i] = readPack(env, dir)
			}
			found, err := pack.ValidateRegistration(packs, h)
			if err != nil {
				return err
			}
			report := PackGate{Version: 1, OK: !found.HasErrors(), Packs: len(packs), Diagnostics: found}
			if asJSON {
				if report.Diagnostics == nil {
					report.Diagnostics = pack.Diagnostics{}
				}
				err = printJSON(env, report)
			} else {
				err = printText(env.Stdout, asDiag(found), env.colour())
			}
			if err == nil && !report.OK {
				err = verdict(exitFinding)
			}
			return err
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	host.flags(cmd.Flags())
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "report as JSON")
	return cmd
}

// asDiag gives the diagnostics of packs the form of all others.
func asDiag(found pack.Diagnostics) diag.List {
	list := make(diag.List, len(found))
	for i, d := range found {
		list[i] = diag.Diagnostic{Severity: diag.Severity(d.Severity), Code: string(d.Code), Message: oneLine(d.Message),
			Pos: diag.Pos{File: d.File, Line: d.Line, Col: d.Col}, Pointer: d.Path, Hint: oneLine(d.Hint)}
	}
	return list
}

// printRejected reports manifests that cannot be used at all.
func printRejected(env *Env, packs []*pack.Parsed) (rejected bool, err error) {
	var found pack.Diagnostics
	for _, p := range packs {
		if !p.Accepted() {
			found = append(found, p.Diagnostics...)
		}
	}
	if len(found) == 0 {
		return false, nil
	}
	_, err = fmt.Fprint(env.Stderr, found.Error()+"\n")
	return true, err
}
