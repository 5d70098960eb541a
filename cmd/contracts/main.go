// Command contracts turns JSON Schemas into compiled Go contracts and sealed
// artifacts, and reports drift. contracts help lists its commands.
package main

import (
	"os"

	"github.com/contractkit/contractkit/internal/cli"
)

func main() { os.Exit(cli.Process()) }
