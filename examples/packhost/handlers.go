package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/contractkit/contractkit/runtime/pack"
)

// tool is code of this host. It gets files from the workspace and from nowhere else.
type tool func(files *pack.Workspace, auth pack.ExecutionAuthority, input []byte) (any, error)

// handlers is what this host keeps behind an adapter: its own code by the names of
// tools. The kernel carries it and never looks into it.
type handlers map[string]tool

// resolver gives the kernel the code behind a tool. It is asked about packs that an
// adapter vouches for, once the gate has let every pack in.
type resolver struct{ files *pack.Workspace }

func (r resolver) Tool(req pack.EntryRequest) (pack.Handler, error) {
	own, _ := req.Adapter.Handle.(handlers)
	run, found := own[req.Name]
	if !found {
		return nil, fmt.Errorf("this host has no code for the tool %q", req.Name)
	}
	return func(_ context.Context, auth pack.ExecutionAuthority, input []byte) (pack.Output, error) {
		result, err := run(r.files, auth, input)
		if err != nil {
			return pack.Output{}, err
		}
		data, err := json.Marshal(result)
		return pack.Output{Success: true, Data: data}, err
	}, nil
}

func (resolver) Factory(req pack.EntryRequest) error {
	return fmt.Errorf("this host has no factory %q", req.Entry)
}

// readNote reads a file that the call's authority covers.
func readNote(files *pack.Workspace, auth pack.ExecutionAuthority, input []byte) (any, error) {
	var in struct{ Path string }
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	text, err := files.ReadFile(auth, in.Path, 1<<20)
	if err != nil {
		return nil, err
	}
	return map[string]any{"content": string(text)}, nil
}
