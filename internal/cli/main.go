package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/generator"
)

// The exit codes.
const (
	exitFine    = 0
	exitFinding = 1 // the thing looked at is wrong
	exitFailed  = 2 // the command could not do its work
)

// verdict is an error that ends a command with a code. What there is to say has
// been printed already.
type verdict int

func (v verdict) Error() string { return fmt.Sprintf("exit status %d", int(v)) }

// Main runs the command line args and returns the exit code.
func Main(args []string, env *Env) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process, whatever it is doing
	defer stop()
	root := newRootCmd(env)
	root.SetArgs(args)
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	err := commandExists(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return exitFine
	}
	if code, ok := errors.AsType[verdict](err); ok {
		return int(code)
	}
	return fail(env, wantsJSON(args), err)
}

// commandExists reports a misspelt command before its options are looked at,
// which nobody could make sense of.
func commandExists(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "__") {
		return nil
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	if args[0] == "help" { // what is asked about must exist
		return commandExists(root, args[1:])
	}
	cmd, rest, err := root.Find(args)
	switch {
	case err != nil || cmd == root:
		return noSuchCommand(root, args)
	case cmd.HasAvailableSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-"):
		return noSuchCommand(cmd, rest)
	}
	return nil
}

func newRootCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contracts",
		Short: "Turn JSON Schemas into compiled Go contracts and sealed artifacts, and catch drift",
		Example: `  contracts init
  contracts generate
  contracts check`,
		Version:       generator.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprint(env.Stderr, cmd.UsageString())
			return verdict(exitFinding)
		},
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.Flags().BoolP("version", "V", false, "print the version")
	cmd.SetFlagErrorFunc(flagError)
	cmd.CompletionOptions.HiddenDefaultCmd = false
	cmd.AddCommand(
		newInitCmd(env), newGenerateCmd(env), newCheckCmd(env), newVerifyCmd(env), newTestCmd(env), newImportCmd(env),
		newValidateCmd(env), newSchemasCmd(env), newConformanceCmd(env), newEvalCmd(env),
		newPackCmd(env), newExplainCmd(env), newVersionCmd(env),
	)
	return cmd
}

// wantsJSON reports whether the arguments ask for JSON, also when they cannot be
// parsed: the answer to a program must be one that it can read.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	for i, a := range args {
		switch {
		case a == "--json", a == "-j", a == "--format=json", a == "--json=true":
			return true
		case a == "--format" && i+1 < len(args) && args[i+1] == "json":
			return true
		case strings.HasPrefix(a, "-j") && !strings.HasPrefix(a, "--"):
			return true
		}
	}
	return false
}
