package wasihost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/tetratelabs/wazero"

	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack"
)

// Options of a host. A number that is zero stands for its default.
type Options struct {
	// Workspace is the folder that paths in grants are relative to. It must exist.
	Workspace string

	// LookupEnv returns the host's variables; nil is os.LookupEnv. Only names in a
	// pack's allowlist are asked for.
	LookupEnv func(name string) (value string, found bool)

	MaxModule int   // bytes of a component; 32 MiB
	MaxInput  int   // bytes of a call's input; 8 MiB
	MaxOutput int   // bytes of a call's output; 8 MiB
	MaxStderr int   // bytes kept of what a component says on standard error; 64 KiB
	MaxWrite  int64 // bytes that a call may write to files, and the size of a file; 64 MiB
	MaxMade   int64 // files and folders that a call may make; 4,096
	MaxOpen   int   // files that a call may hold open; 128

	// MaxMemoryMB caps limit_mb of all packs; 1024.
	MaxMemoryMB int64

	// Dial connects packs whose grant has the posture allowlist to the addresses on
	// their list, see [NetworkDir]; (&net.Dialer{}).DialContext is one. It looks a name
	// up once for each connection. nil: there is no network for anybody.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// RefuseNetwork refuses packs that ask for posture allowlist when there is no Dial.
	// Otherwise they run without network.
	RefuseNetwork bool

	// Logf is told of faults in the runtime itself; nil drops them.
	Logf func(format string, args ...any)
}

// Host runs components. It is safe for concurrent use.
type Host struct {
	opt   Options
	cache wazero.CompilationCache
}

// New makes a host. Close gives back what it has compiled.
func New(opt Options) (*Host, error) {
	if opt.Workspace == "" {
		return nil, errors.New("wasihost: the options name no workspace")
	}
	if info, err := os.Stat(opt.Workspace); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("wasihost: the workspace %s is no folder", opt.Workspace)
	}
	if opt.LookupEnv == nil {
		opt.LookupEnv = os.LookupEnv
	}
	usual(&opt.MaxModule, 32<<20)
	usual(&opt.MaxInput, 8<<20)
	usual(&opt.MaxOutput, 8<<20)
	usual(&opt.MaxStderr, 64<<10)
	usual(&opt.MaxWrite, 64<<20)
	usual(&opt.MaxMade, 4096)
	usual(&opt.MaxOpen, 128)
	usual(&opt.MaxMemoryMB, 1024)
	return &Host{opt, wazero.NewCompilationCache()}, nil
}

func usual[T int | int64](value *T, otherwise T) {
	if *value == 0 {
		*value = otherwise
	}
}

// Close gives back what the host has compiled. No call may be under way.
func (h *Host) Close(ctx context.Context) error { return h.cache.Close(ctx) }

var _ pack.IsolatedHost = (*Host)(nil)

// Pins are the components that a host vouches for: digests, "sha256:" and lower-case
// hex, by the path of the module in the pack. As the Handle of an adapter's
// registration they are enforced; a module that is not among them does not run.
type Pins map[string]string

// Run implements [pack.IsolatedHost]. The request's module is a WASI command; its
// first argument is the entry's export. The component reads the call's input from
// standard input and answers on standard output with one JSON object:
//
//	{"success": true, "data": …, "metadata": {…}}
//	{"success": false, "error": {"code": "…", "message": "…", "details": …}}
//
// Everything but completion is a [*pack.Refusal] that names limit and usage.
func (h *Host) Run(ctx context.Context, req pack.IsolatedRequest) (pack.IsolatedResponse, error) {
	refuse := func(code pack.Code, format string, args ...any) error {
		return &pack.Refusal{Code: code, Pack: req.PackID, Tool: req.Authority.Tool(), Message: fmt.Sprintf(format, args...)}
	}
	none := pack.IsolatedResponse{Termination: pack.Trapped}
	if !req.Authority.Valid() {
		return none, refuse(pack.CodeAuthorityInvalid, "the authority was not minted for a call that lasts")
	}
	var dials func(string) bool
	if req.Grant.Posture != "off" && h.opt.Dial != nil {
		dials = req.Grant.AllowsAddress
	} else if req.Grant.Posture != "off" && h.opt.RefuseNetwork {
		return none, refuse(pack.CodeIsolatedHostUnavailable, "the pack wants the network, which this host has for nobody; nothing was executed")
	}
	module, digest, err := req.Component()
	if err != nil {
		return none, refuse(pack.CodeToolExecutionFailed, "the component cannot be read: %v", err)
	}
	if pins, pinned := req.Adapter.Handle.(Pins); pinned && pins[req.Module] != digest {
		return none, refuse(pack.CodeToolExecutionFailed, "the component %s is not the one that the host vouches for: its digest is %s", req.Module, digest)
	}
	memory := min(req.Grant.MemoryMB, h.opt.MaxMemoryMB) << 20
	o := h.run(ctx, component{
		module: module, entry: req.Export, input: req.Input,
		read:  func(name string) bool { return req.Grant.AllowsPath("read", name) },
		write: func(name string) bool { return req.Grant.AllowsPath("write", name) },
		env:   req.Grant.Env, clock: req.Grant.Clock, dials: dials,
		memory: uint64(memory), time: req.Grant.CPU, grace: req.Grant.Grace,
	})
	resp := pack.IsolatedResponse{Termination: o.termination,
		Usage: pack.Usage{PeakMemory: int64(o.peak), CPU: o.wall, Wall: o.wall, WallAsCPU: true}}
	if o.termination != pack.Completed {
		code := codes[o.termination]
		if o.tooLong {
			code = pack.CodeInvalidOutput
		}
		return resp, refuse(code, "%s; it took %v of wall time and at most %d bytes of memory", o.reason, o.wall, o.peak)
	}
	if resp.Output, err = parseOutput(o.output); err != nil {
		return resp, refuse(pack.CodeInvalidOutput, "the component's output is malformed: %v", err)
	}
	return resp, nil
}

var codes = map[pack.Termination]pack.Code{
	pack.Trapped: pack.CodeToolExecutionFailed, pack.MemoryLimit: pack.CodeIsolatedMemoryLimit, pack.CPULimit: pack.CodeIsolatedCPULimit,
	pack.Cancelled: pack.CodeIsolatedCancelled, pack.Killed: pack.CodeIsolatedKilled,
}

func parseOutput(data []byte) (pack.Output, error) {
	if _, err := contract.ParseValue(data); err != nil {
		return pack.Output{}, err
	}
	var doc struct {
		Success  *bool           `json:"success"`
		Data     json.RawMessage `json:"data"`
		Metadata json.RawMessage `json:"metadata"`
		Error    *struct {
			Code    string          `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return pack.Output{}, err
	}
	if doc.Success == nil {
		return pack.Output{}, errors.New("it has no member success")
	}
	out := pack.Output{Success: *doc.Success, Data: doc.Data, Metadata: doc.Metadata}
	if doc.Error != nil {
		out.Error = &pack.ToolError{Code: doc.Error.Code, Message: doc.Error.Message, Details: doc.Error.Details}
	}
	return out, nil
}
