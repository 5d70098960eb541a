// Command contracts turns JSON Schemas into compiled Go contracts and sealed
// artifacts, and reports drift. contracts help lists its commands.
package main

import (
	"fmt"
	"os"

	"github.com/contractkit/contractkit/internal/cli"
)

func main() {
	env, err := cli.System()
	if err != nil {
		fmt.Fprintln(os.Stderr, "contracts:", err)
		os.Exit(2)
	}
	os.Exit(cli.Main(os.Args[1:], env))
}
