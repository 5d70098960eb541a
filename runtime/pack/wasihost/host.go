package wasihost

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
)

// Options of a host. A number that is zero stands for its default.
type Options struct {
	// Workspace is the folder that paths in grants are relative to. It must exist.
	Workspace string

	// LookupEnv returns the host's variables; nil is os.LookupEnv. Only names in a
	// pack's allowlist are asked for.
	LookupEnv func(name string) (value string, found bool)

	MaxModule int   // bytes of a component; 64 MiB
	MaxInput  int   // bytes of a call's input; 8 MiB
	MaxOutput int   // bytes of a call's output; 8 MiB
	MaxStderr int   // bytes kept of what a component says on standard error; 64 KiB
	MaxWrite  int64 // bytes that a call may write to files, and the size of a file; 64 MiB
	MaxOpen   int   // files that a call may hold open; 128

	// MaxMemoryMB caps limit_mb of all packs; 1024.
	MaxMemoryMB int64

	// RefuseNetwork refuses packs that ask for posture allowlist, which this host
	// cannot give them. Otherwise they run without network.
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
	usual(&opt.MaxModule, 64<<20)
	usual(&opt.MaxInput, 8<<20)
	usual(&opt.MaxOutput, 8<<20)
	usual(&opt.MaxStderr, 64<<10)
	usual(&opt.MaxWrite, 64<<20)
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
