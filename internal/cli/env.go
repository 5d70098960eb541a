// Package cli is the contracts command: one file per subcommand, each with an
// options struct and a run function that is handed all it touches.
package cli

import (
	"io"
	"os"
)

// Env is all that a command touches besides files.
type Env struct {
	Dir    string // working folder; paths in arguments are relative to it
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(name string) string

	StdinIsTerminal  bool
	StdoutIsTerminal bool
	StderrIsTerminal bool
}

// System is the Env of the running process.
func System() (*Env, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &Env{
		Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		StdinIsTerminal: isTerminal(os.Stdin), StdoutIsTerminal: isTerminal(os.Stdout), StderrIsTerminal: isTerminal(os.Stderr),
	}, nil
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// colour reports whether stdout may be coloured.
func (e *Env) colour() bool { return e.StdoutIsTerminal && e.Getenv("NO_COLOR") == "" }
