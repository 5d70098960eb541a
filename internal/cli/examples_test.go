package cli

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The examples that help shows are command lines that are understood.
func TestExamplesParse(t *testing.T) {
	env := &Env{Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv}
	var visit func(cmd *cobra.Command)
	shown := 0
	visit = func(cmd *cobra.Command) {
		if cmd.Example == "" && cmd.Name() != "help" && !strings.HasPrefix(cmd.CommandPath(), "contracts completion") {
			t.Errorf("%s shows no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(line, "#")
			if i := strings.IndexAny(line, "|>"); i >= 0 && !strings.Contains(line[:i], "'") {
				line = line[:i]
			}
			words := strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(line))
			if i := len(words); i == 0 || words[0] != "contracts" {
				continue
			}
			root := newRootCmd(env)
			found, rest, err := root.Find(words[1:])
			if err == nil && found == root && len(words) > 1 && !strings.HasPrefix(words[1], "-") {
				t.Errorf("%s: no such command", line)
			}
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			shown++
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(newRootCmd(env))
	if shown < 20 {
		t.Errorf("only %d examples", shown)
	}
}
