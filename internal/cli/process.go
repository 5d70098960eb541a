package cli

import (
	"fmt"
	"os"
	"runtime/debug"
)

// memory is where the collector begins to work harder. Large projects allocate
// fast; without this the heap of 5,000 schemas would grow to twice what is in use.
const memory = 1880 << 20

// Process runs the command of the running process and returns its exit code.
func Process() int {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	env, err := System()
	if err != nil {
		fmt.Fprintln(os.Stderr, "contracts:", err)
		return 2
	}
	return Main(os.Args[1:], env)
}
