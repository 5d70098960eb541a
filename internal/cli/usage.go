package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/contractkit/contractkit/internal/spelling"
)

// usageError is a command line that cannot be understood.
type usageError struct {
	code    string // usage.…
	message string
	hint    string // a corrected command, or ""
}

func (e *usageError) Error() string { return e.message }

// noSuchCommand is the Args of a command that only has subcommands.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	e := &usageError{code: "usage.unknown_command", message: fmt.Sprintf("unknown command %.100q for %s", args[0], cmd.CommandPath())}
	if best := spelling.Closest(args[0], names); best != "" {
		e.hint = fmt.Sprintf("did you mean %s %s?", cmd.CommandPath(), best)
	} else {
		e.hint = "the commands are " + strings.Join(names, ", ")
	}
	return e
}

// flagError turns what the option parser says into a usageError.
func flagError(cmd *cobra.Command, err error) error {
	e := &usageError{code: "usage.unknown_option", message: err.Error()}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if best := spelling.Closest(name, names); best != "" {
			e.hint = fmt.Sprintf("did you mean --%s?", best)
		} else {
			e.hint = fmt.Sprintf("%s --help lists the options", cmd.CommandPath())
		}
	} else if _, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		e.code = "usage.missing_option_value"
	} else if _, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		e.code = "usage.bad_option_value"
	}
	return e
}

// args accepts from least to most arguments; most < 0 is any number. what names
// the argument that may be missing.
func argCount(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return &usageError{code: "usage.missing_argument", message: fmt.Sprintf("%s needs the argument %s", cmd.CommandPath(), what), hint: "usage: " + cmd.UseLine()}
		case most >= 0 && len(args) > most:
			return &usageError{code: "usage.too_many_arguments", message: fmt.Sprintf("%s takes no argument %.100q", cmd.CommandPath(), args[most]), hint: "usage: " + cmd.UseLine()}
		}
		return nil
	}
}

// oneOf reports an option value that is none of the allowed ones.
func oneOf(option, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	e := &usageError{code: "usage.bad_option_value", message: fmt.Sprintf("--%s cannot be %.100q", option, value), hint: "use one of " + strings.Join(allowed, ", ")}
	if best := spelling.Closest(value, allowed); best != "" {
		e.hint = fmt.Sprintf("did you mean --%s %s?", option, best)
	}
	return e
}
