package pack

import (
	"context"
	"time"
)

// IsolatedHost runs the code of isolated packs behind a wall. The kernel hands it
// nothing but a request, and never runs such code in another way.
type IsolatedHost interface {
	// Run executes one call. It must be safe for concurrent use, keep to the
	// request's Grant, and stop when ctx ends, after the grace period at most.
	// An error refuses or fails the call; it may be a [*Refusal] with a code of its
	// own. Everything else is TOOL_EXECUTION_FAILED.
	Run(ctx context.Context, req IsolatedRequest) (IsolatedResponse, error)
}

// IsolatedRequest is one call of an isolated pack's tool.
type IsolatedRequest struct {
	Authority ExecutionAuthority // lives as long as Run
	PackID    string
	Version   string
	Integrity string // as registered by the host
	AdapterID string
	Adapter   Registration // the host's own registration, handle included
	Root      string       // folder of the pack, as registered by the host
	Module    string       // path inside Root; see Component
	Export    string       // "" when the entry names none
	Input     []byte       // JSON object
	Grant     Grant
}

// IsolatedResponse is what came of a call.
type IsolatedResponse struct {
	Output      Output
	Termination Termination
	Usage       Usage
}

// Termination says how the code ended. The zero Termination counts as trapped.
type Termination string

// The ways to end.
const (
	Completed   Termination = "completed"
	Trapped     Termination = "trapped"
	MemoryLimit Termination = "memory_limit"
	CPULimit    Termination = "cpu_limit"
	Cancelled   Termination = "cancelled"
	Killed      Termination = "killed"
)

// code returns the refusal code of a termination; "" for Completed.
func (t Termination) code() Code {
	switch t {
	case Completed:
		return ""
	case MemoryLimit:
		return CodeIsolatedMemoryLimit
	case CPULimit:
		return CodeIsolatedCPULimit
	case Cancelled:
		return CodeIsolatedCancelled
	case Killed:
		return CodeIsolatedKilled
	}
	return CodeToolExecutionFailed
}

// Usage is what a call has used.
type Usage struct {
	PeakMemory int64 // bytes
	CPU, Wall  time.Duration
	WallAsCPU  bool // the runtime cannot meter: CPU is wall time
}

// UnavailableIsolatedHost is the isolated host that stands in until a host brings
// a real one: it refuses every call and does nothing else.
type UnavailableIsolatedHost struct{}

// Run always refuses with ISOLATED_HOST_UNAVAILABLE.
func (UnavailableIsolatedHost) Run(_ context.Context, req IsolatedRequest) (IsolatedResponse, error) {
	return IsolatedResponse{}, &Refusal{Code: CodeIsolatedHostUnavailable, Pack: req.PackID, Tool: req.Authority.Tool(),
		Message: "no isolation runtime is registered; nothing was executed"}
}
