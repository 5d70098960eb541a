// Command regen generates this repository's own files. It does what contracts
// generate does, but imports nothing generated, so it also works when generated/
// is deleted or does not compile.
package main

//go:generate go run .

import (
	"context"
	"fmt"
	"os"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/output"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	force := len(args) == 1 && args[0] == "--force"
	if len(args) > 0 && !force {
		return fmt.Errorf("usage: regen [--force]")
	}
	file, err := config.Find(".")
	if err != nil {
		return err
	}
	project, err := config.Load(file)
	if err != nil {
		return err
	}
	set, err := build.Run(ctx, project)
	if err != nil {
		return err
	}
	plan, err := output.Compare(set, project.Dir)
	if err != nil {
		return fmt.Errorf("compare with the disk: %w", err)
	}
	_, err = output.Apply(ctx, plan, output.Options{Force: force})
	return err
}
