package wasihost

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/contractkit/contractkit/runtime/pack"
)

// component is one run: what a module gets and what came of it.
type component struct {
	module []byte
	entry  string
	input  []byte
	read   func(string) bool
	write  func(string) bool
	env    []string // names
	clock  bool
	dials  func(address string) bool // nil: no network
	memory uint64                    // bytes
	time   time.Duration
	grace  time.Duration
}

type outcome struct {
	termination pack.Termination
	output      []byte
	tooLong     bool // output beyond its bound; termination is trapped
	stderr      string
	reason      string
	peak        uint64
	wall        time.Duration
}

var (
	errTime    = errors.New("time limit")
	errGrace   = errors.New("grace period over")
	errTooLong = errors.New("output too long")
)

// run never lets the guest outlive the call: it executes on this goroutine.
func (h *Host) run(ctx context.Context, c component) (o outcome) {
	if ctx.Err() != nil {
		return outcome{termination: pack.Cancelled, reason: "the call was cancelled before the component started"}
	}
	trap := func(format string, args ...any) outcome {
		return outcome{termination: pack.Trapped, reason: fmt.Sprintf(format, args...)}
	}
	if len(c.module) > h.opt.MaxModule {
		return trap("the component has more than %d bytes", h.opt.MaxModule)
	}
	if len(c.input) > h.opt.MaxInput {
		return trap("the input has more than %d bytes", h.opt.MaxInput)
	}
	code, contrived, err := bound(c.module)
	if err != nil {
		return trap("the component is no module for WASI preview 1: %v", err)
	}
	m := &meter{limit: c.memory}
	defer func() { // wazero panics when the first memory is refused, and should it have a bug
		if p := recover(); p != nil {
			o = outcome{termination: pack.Trapped, reason: fmt.Sprint(p)}
			if m.denied.Load() {
				o.termination, o.reason = pack.MemoryLimit, "the component needs more memory to start than its limit"
			} else if h.opt.Logf != nil {
				h.opt.Logf("wasihost: panic: %v\n%s", p, debug.Stack())
			}
		}
		o.peak = m.peak.Load()
	}()

	// The guest gets a context of its own: the caller's end is not yet its end.
	guest, stop := context.WithCancelCause(experimental.WithMemoryAllocator(context.WithoutCancel(ctx), m))
	defer stop(nil)
	engine := wazero.NewRuntimeConfig()
	if contrived {
		engine = wazero.NewRuntimeConfigInterpreter()
	}
	runtime := wazero.NewRuntimeWithConfig(guest, engine.
		WithCompilationCache(h.cache).WithCloseOnContextDone(true).WithDebugInfoEnabled(false))
	defer runtime.Close(context.WithoutCancel(ctx))
	if _, err := wasi_snapshot_preview1.Instantiate(guest, runtime); err != nil {
		return trap("start WASI: %v", err)
	}
	compiled, err := runtime.CompileModule(guest, code)
	if err != nil {
		return trap("the component is no module for WASI preview 1: %v", err)
	}
	if err := checkModule(compiled); err != nil {
		return trap("%v", err)
	}
	config, files, out, stderr, err := h.config(guest, c, stop)
	if err != nil {
		return trap("%v", err)
	}
	defer files.Close()

	var cancelled atomic.Bool
	started := time.Now()
	limit := time.AfterFunc(c.time, func() { stop(errTime) })
	defer limit.Stop()
	var grace atomic.Pointer[time.Timer]
	unwatch := context.AfterFunc(ctx, func() {
		cancelled.Store(true)
		if c.grace <= 0 {
			stop(errGrace)
			return
		}
		grace.Store(time.AfterFunc(c.grace, func() { stop(errGrace) }))
	})
	_, err = runtime.InstantiateModule(guest, compiled, config) // runs _start
	wall := time.Since(started)
	unwatch()
	if t := grace.Load(); t != nil {
		t.Stop()
	}
	o = outcome{output: out.Bytes(), stderr: stderr.String(), wall: wall}
	o.termination, o.reason = h.judge(err, context.Cause(guest), cancelled.Load(), m.denied.Load(), c)
	o.tooLong = o.termination == pack.Trapped && errors.Is(context.Cause(guest), errTooLong)
	return o
}

// judge tells how the run ended.
func (h *Host) judge(err, cause error, cancelled, denied bool, c component) (termination pack.Termination, reason string) {
	exit, isExit := errors.AsType[*sys.ExitError](err)
	ended := err == nil || isExit && exit.ExitCode() == 0
	switch {
	case errors.Is(cause, errTime):
		return pack.CPULimit, fmt.Sprintf("the component ran longer than %v", c.time)
	case errors.Is(cause, errGrace):
		return pack.Killed, fmt.Sprintf("the component was stopped %v after the call was cancelled", c.grace)
	case errors.Is(cause, errTooLong):
		return pack.Trapped, fmt.Sprintf("the output has more than %d bytes", h.opt.MaxOutput)
	case cancelled:
		return pack.Cancelled, "the call was cancelled while the component ran"
	case ended:
		return pack.Completed, ""
	case denied:
		return pack.MemoryLimit, fmt.Sprintf("the component wanted more than its %d bytes of memory", c.memory)
	case isExit:
		return pack.Trapped, fmt.Sprintf("the component ended with exit status %d", exit.ExitCode())
	}
	return pack.Trapped, err.Error()
}

// checkModule refuses whatever would need more than WASI preview 1.
func checkModule(m wazero.CompiledModule) error {
	for _, f := range m.ImportedFunctions() {
		if module, name, _ := f.Import(); module != wasi_snapshot_preview1.ModuleName {
			return fmt.Errorf("the component imports %q of %q; only %s is there", name, module, wasi_snapshot_preview1.ModuleName)
		}
	}
	if len(m.ImportedMemories()) > 0 {
		return errors.New("the component imports a memory")
	}
	if m.ExportedFunctions()["_start"] == nil {
		return errors.New("the component is no command: it exports no _start")
	}
	return nil
}

// config is all that the guest can reach.
func (h *Host) config(guest context.Context, c component, stop context.CancelCauseFunc) (wazero.ModuleConfig, *os.Root, *bounded, *bounded, error) {
	root, err := os.OpenRoot(h.opt.Workspace)
	if err != nil {
		return nil, nil, nil, nil, fmt.Errorf("open the workspace: %w", err)
	}
	out := &bounded{most: h.opt.MaxOutput, full: func() { stop(errTooLong) }}
	stderr := &bounded{most: h.opt.MaxStderr}
	files := &grantFS{root: root, read: c.read, write: c.write, clock: c.clock, maxWrite: h.opt.MaxWrite, maxOpen: int64(h.opt.MaxOpen), maxMade: h.opt.MaxMade}
	mounts := wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(files, "/")
	if c.dials != nil {
		network := &netFS{ctx: guest, allowed: c.dials, dial: h.opt.Dial, most: h.opt.MaxOpen, open: map[net.Conn]bool{}}
		context.AfterFunc(guest, network.closeAll)
		mounts = mounts.(sysfs.FSConfig).WithSysFSMount(network, NetworkDir)
	}
	config := wazero.NewModuleConfig().
		WithName("").
		WithArgs(c.entry).
		WithStdin(bytes.NewReader(c.input)).WithStdout(out).WithStderr(stderr).
		WithRandSource(rand.Reader).
		WithFSConfig(mounts)
	names := slices.Clone(c.env)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if value, found := h.opt.LookupEnv(name); found {
			config = config.WithEnv(name, value)
		}
	}
	if c.clock {
		config = config.WithSysWalltime().WithSysNanotime().WithNanosleep(func(ns int64) {
			select {
			case <-guest.Done():
			case <-time.After(time.Duration(ns)):
			}
		})
	} else {
		// Not zero: to some languages' runtimes that is no time at all.
		config = config.WithWalltime(func() (int64, int32) { return 1, 0 }, sys.ClockResolution(time.Millisecond)).
			WithNanotime(func() int64 { return 1 }, sys.ClockResolution(time.Millisecond)).
			WithNanosleep(func(int64) {})
	}
	return config, root, out, stderr, nil
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	bytes.Buffer
	most int
	full func() // nil: what is too much is dropped
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - b.Len()
	if len(p) <= room {
		return b.Buffer.Write(p)
	}
	if b.full != nil {
		b.full()
		return 0, errTooLong
	}
	b.Buffer.Write(p[:room])
	return len(p), nil
}
