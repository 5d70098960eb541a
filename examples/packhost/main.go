// Command packhost is a small host of packs: it vouches for one pack, looks at all
// that it finds, lets them in together or not at all, and calls a tool.
//
//	packhost -packs packs -workspace . -call my-tool -input '{"path": "notes/hello.md"}'
//	packhost -adapters          # print what it vouches for, for contracts pack validate
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

// The versions that packs meet here.
const (
	kernelVersion = "6.2.1"
	hostVersion   = "6.0.4"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "packhost:", err)
		os.Exit(1)
	}
}

// vouch is the host's decision, and the only place where trust comes from. Nothing
// that a pack says leads here.
func vouch() (*pack.Registry, error) {
	adapters := pack.NewRegistry()
	err := adapters.Register(pack.Registration{
		AdapterID: pack.TrustedHostAdapterID("my-pack"),
		Tier:      pack.TrustedHostAdapter,
		PackID:    "my-pack", // for this pack and for no other
		Handle:    handlers{"my-tool": readNote},
	})
	return adapters, err
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("packhost", flag.ContinueOnError)
	packs := flags.String("packs", "packs", "folder of the packs")
	workspace := flags.String("workspace", ".", "folder that tools may work in")
	call := flags.String("call", "", "tool to call")
	input := flags.String("input", "{}", "its input, a JSON object")
	list := flags.Bool("adapters", false, "print the adapters and end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	adapters, err := vouch()
	if err != nil {
		return err
	}
	if *list {
		for _, a := range adapters.List() {
			fmt.Fprintf(out, "- {adapter_id: %q, tier: %s, pack_id: %q}\n", a.AdapterID, a.Tier, a.PackID)
		}
		return nil
	}
	host := pack.Host{Kernel: kernelVersion, Host: hostVersion, Adapters: adapters}
	installed, err := look(*packs, host, out)
	if err != nil {
		return err
	}
	files, err := pack.OpenWorkspace(*workspace)
	if err != nil {
		return err
	}
	defer files.Close()
	kernel, err := pack.NewKernel(pack.Config{Host: host})
	if err != nil {
		return err
	}
	if err := kernel.Register(installed, resolver{files}); err != nil {
		return fmt.Errorf("the gate is closed, nothing was registered:\n%w", err)
	}
	fmt.Fprintf(out, "registered: %v\n", kernel.Packs())
	if *call == "" {
		return nil
	}
	notes := []pack.Scope{pack.PathScope("read", "notes/**")}
	result, err := kernel.Dispatch(ctx, pack.Call{Tool: *call, Input: []byte(*input),
		Layers: pack.Layers{Workspace: notes, Lane: notes, Task: notes}})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n", result.Data)
	return nil
}

// look checks every pack before any of them is let in.
func look(folder string, host pack.Host, out io.Writer) ([]pack.Installed, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var installed []pack.Installed
	var others []*pack.Parsed
	for _, e := range entries {
		dir := filepath.Join(folder, e.Name())
		parsed := inspect.ReadManifest(dir, "")
		installed = append(installed, pack.Installed{Parsed: parsed, Root: dir})
		others = append(others, parsed)
	}
	for i, p := range installed {
		report, err := inspect.Pack(p.Root, inspect.Options{Host: host, Others: without(others, i)})
		if err != nil {
			return nil, err
		}
		if report.Blocked() {
			return nil, errors.New(report.Text())
		}
		installed[i].Integrity = report.Integrity
		fmt.Fprintf(out, "%s %s: %s\n", report.Pack.ID, report.Pack.Version, report.Result)
	}
	return installed, nil
}

func without(all []*pack.Parsed, i int) []*pack.Parsed {
	return append(append([]*pack.Parsed(nil), all[:i]...), all[i+1:]...)
}
