// Command contracts turns JSON Schemas into compiled Go contracts and sealed
// artifacts, and reports drift. contracts help lists its commands.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/contractkit/contractkit/internal/cli"
)

// memory is where the collector begins to work harder. Large projects allocate
// fast; without this the heap of 5,000 schemas would grow to twice what is in use.
const memory = 1600 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	env, err := cli.System()
	if err != nil {
		fmt.Fprintln(os.Stderr, "contracts:", err)
		os.Exit(2)
	}
	os.Exit(cli.Main(os.Args[1:], env))
}
