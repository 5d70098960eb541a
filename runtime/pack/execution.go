package pack

import (
	"context"
	"errors"
	"fmt"

	"github.com/contractkit/contractkit/runtime/pack/internal/authority"
)

// ExecutionAuthority is a call's permission to act. Only a [Kernel] makes one, for
// one call, and it is dead when the call ends; see its methods for what it allows.
//
// A handler must keep its effects on files, the network, processes and version
// control within what the authority allows. It has no working directory,
// environment or credentials from this package; [Workspace] reads and writes
// files under an authority.
type ExecutionAuthority = authority.Authority

// Handler is the code of a tool of a trusted pack. input is a JSON object of the
// handler's own. An error or a panic is reported as TOOL_EXECUTION_FAILED.
type Handler func(ctx context.Context, auth ExecutionAuthority, input []byte) (Output, error)

// Output is what a tool returns.
type Output struct {
	Success  bool
	Data     []byte     // JSON text; nil for none
	Error    *ToolError // why Success is false; nil when it is true
	Metadata []byte     // JSON object; nil for none
}

// ToolError is a failure that the tool itself reports.
type ToolError struct {
	Code, Message string
	Details       []byte // JSON text; nil for none
}

// Call is a request to run a tool.
type Call struct {
	Tool      string // exact name
	Input     []byte // JSON object
	Layers    Layers
	RunID     string
	TaskID    string
	SessionID string
	// External says that the caller is outside the kernel: it does not see tools that
	// are declared internal_only.
	External bool
	// Metadata is passed on to the policy hook and the recorder. Nothing that
	// decides about trust, packs or scopes reads it.
	Metadata map[string]string
}

// Refusal is why a call was refused or failed; the handler of a refused call was
// not run.
type Refusal struct {
	Code    Code
	Tool    string
	Pack    string // id of the pack that owns the tool, when that is known
	Cause   Code   // of DISPATCH_TRUST_DENIED: the trust decision's code
	Message string // what decided, for people
	Request string // of APPROVAL_REQUIRED: id of the request for approval
	Err     error  // of TOOL_EXECUTION_FAILED: what the handler returned
}

// Error prints what was refused and why.
func (r *Refusal) Error() string {
	cause := ""
	if r.Cause != "" {
		cause = " (" + string(r.Cause) + ")"
	}
	return fmt.Sprintf("tool %s of pack %s: %s [%s]%s", quote(r.Tool), quote(r.Pack), r.Message, r.Code, cause)
}

// Unwrap returns what the handler returned.
func (r *Refusal) Unwrap() error { return r.Err }

// CodeOf returns the code of a refusal; "" when err is none.
func CodeOf(err error) Code {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Code
	}
	return ""
}

// PolicyRequest is what a policy hook is asked about a call.
type PolicyRequest struct {
	Trigger                  string // on_tool_request
	Tool, Pack, Permission   string
	RunID, TaskID, SessionID string
	Metadata                 map[string]string
}

// PolicyVerdict is the word of one rule. A decision other than these three denies.
type PolicyVerdict struct {
	Rule      string // names the rule in the refusal
	Decision  string // allow, deny or approval_required
	RequestID string // of approval_required
}

// Policy is the host's hook; no verdicts allow. One denial refuses, whatever the
// others say. A hook that panics denies.
type Policy func(ctx context.Context, req PolicyRequest) []PolicyVerdict

// Receipt is the record of one call.
type Receipt struct {
	ID, Tool, Pack           string
	RunID, TaskID, SessionID string
	Input                    []byte
	Metadata                 map[string]string
	Result                   string // "" when opened; then success, failure, denied or crashed
	Code                     Code   // why it is not a success
	Rule                     string // what decided
}

// Recorder keeps receipts. Neither an error of its own nor a panic stops a call.
type Recorder interface {
	Open(Receipt)
	Close(Receipt)
}
