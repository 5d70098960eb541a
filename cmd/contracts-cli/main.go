// Command contracts-cli is the contracts command under the second name by which
// scripts know it.
package main

import (
	"os"

	"github.com/contractkit/contractkit/internal/cli"
)

func main() { os.Exit(cli.Process()) }
