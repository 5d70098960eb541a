package pack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack/internal/authority"
)

// Dispatch runs one call of a tool, or refuses it with a [*Refusal].
//
// In order: the tool is looked up by its exact name; the scopes of workspace,
// lane, task and tool are intersected, and each scope that the tool requires has
// to keep something; policies are asked; the input is checked; an authority is
// minted for the owner of the tool; trust is looked up anew; only then the handler
// or the isolated host runs. The authority is dead before Dispatch returns.
func (k *Kernel) Dispatch(ctx context.Context, call Call) (Output, error) {
	c := &dispatch{k: k, call: call}
	c.call.Input = slices.Clone(call.Input)
	c.call.Metadata = maps.Clone(call.Metadata)
	out, refusal := c.run(ctx)
	if refusal != nil {
		return out, refusal
	}
	return out, nil
}

// dispatch is one call on its way.
type dispatch struct {
	k       *Kernel
	call    Call
	tool    *tool
	receipt Receipt
}

func (c *dispatch) refuse(code Code, message string) *Refusal {
	r := &Refusal{Code: code, Tool: c.call.Tool, Message: message}
	if c.tool != nil {
		r.Pack = c.tool.owner.manifest.id
	}
	return r
}

func (c *dispatch) run(ctx context.Context) (out Output, refusal *Refusal) {
	if c.tool = c.k.lookup(c.call.Tool); c.tool == nil || c.tool.spec.InternalOnly && c.call.External {
		c.tool = nil // a hidden tool is refused like one that is not there
		return Output{}, c.refuse(CodeToolNotFound, "no tool has this name")
	}
	g := c.grant()
	c.open(g.Receipt)
	defer func() { c.close(out, refusal) }()
	if why := c.call.Layers.enforce(c.tool.spec.Scopes, &g); why != "" {
		return Output{}, c.refuse(CodeScopeDenied, why)
	}
	if refusal := c.policies(ctx); refusal != nil {
		return Output{}, refusal
	}
	if err := c.tool.input.Validate(c.call.Input); err != nil {
		return Output{}, c.refuse(CodeInvalidInput, "the input is not what the tool takes: "+err.Error())
	}
	auth := c.k.live.Mint(g)
	defer c.k.live.End(auth)
	out, refusal = c.invoke(ctx, auth)
	if refusal != nil {
		return Output{}, refusal
	}
	if why := out.fault(c.tool); why != "" {
		return Output{}, c.refuse(CodeInvalidOutput, why)
	}
	return out, nil
}

// grant starts the call's grant. The pack is the one that owns the tool, whatever
// the caller says.
func (c *dispatch) grant() authority.Grant {
	owner := c.tool.owner
	return authority.Grant{Epoch: owner.epoch, Pack: owner.manifest.id, Version: owner.manifest.versionText, Integrity: owner.integrity,
		Tool: c.tool.spec.Name, Receipt: "call-" + strconv.FormatUint(c.k.calls.Add(1), 10),
		Run: strings.Clone(c.call.RunID), Task: strings.Clone(c.call.TaskID), Session: strings.Clone(c.call.SessionID)}
}

func (k *Kernel) lookup(name string) *tool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.tools[name]
}

// invoke makes the per-call decision and, when it allows, runs the code.
func (c *dispatch) invoke(ctx context.Context, auth ExecutionAuthority) (Output, *Refusal) {
	t, d, e, refusal := c.k.authorize(auth, c.call.Tool)
	if refusal != nil {
		return Output{}, refusal
	}
	if d.Tier == Isolated {
		return c.isolated(ctx, t, e, auth)
	}
	return c.handler(ctx, t, auth)
}

// Authorize is the decision that Dispatch makes for every call, for host code that
// dispatches by itself: it is allowed only while auth's call lasts, for the tool
// that auth was minted for, and while the pack that owns the tool is trusted. A
// handler may run in the host's process only if the tier is [TrustedHostAdapter].
// It does not allocate unless it refuses, with a [*Refusal].
func (k *Kernel) Authorize(auth ExecutionAuthority, tool string) (Decision, error) {
	_, d, _, refusal := k.authorize(auth, tool)
	if refusal != nil {
		return d, refusal
	}
	return d, nil
}

// authorize returns the tool as it is registered now. A pack that was registered
// anew since the call began is another pack: scopes of the old one must not carry
// code of the new one.
func (k *Kernel) authorize(auth ExecutionAuthority, name string) (*tool, Decision, *entry, *Refusal) {
	refuse := func(code, cause Code, pack, message string) (*tool, Decision, *entry, *Refusal) {
		return nil, Decision{}, nil, &Refusal{Code: code, Cause: cause, Tool: name, Pack: pack, Message: message}
	}
	g, live := k.live.Grant(auth)
	if !live {
		return refuse(CodeAuthorityInvalid, "", "", "the authority was not minted for a call that lasts")
	}
	k.mu.RLock()
	owner, t := k.packs[g.Pack], k.tools[name]
	k.mu.RUnlock()
	switch {
	case owner == nil || owner.epoch != g.Epoch:
		return refuse(CodePackUnknown, "", g.Pack, "the pack of the authority is not registered")
	case t == nil || t.owner != owner:
		return refuse(CodePackToolMismatch, "", g.Pack, "the pack of the authority does not own the tool")
	case g.Tool != name:
		return refuse(CodePackToolMismatch, "", g.Pack, "the authority was minted for another tool")
	}
	if owner.manifest.tier == Declarative {
		return refuse(CodeTierNotExecutable, "", g.Pack, "a declarative pack has no code to run")
	}
	d, e := decide(owner.manifest, k.config.Host.Adapters)
	if !d.Allowed {
		return refuse(CodeTrustDenied, d.Code, g.Pack, "the host does not vouch for the pack")
	}
	return t, d, e, nil
}

func (c *dispatch) handler(ctx context.Context, t *tool, auth ExecutionAuthority) (out Output, refusal *Refusal) {
	if t.handler == nil || t.owner.manifest.tier != TrustedHostAdapter {
		return Output{}, c.refuse(CodeTierNotExecutable, "the tool has no handler in the host's process")
	}
	defer func() {
		if p := recover(); p != nil {
			out, refusal = Output{}, c.refuse(CodeToolExecutionFailed, "the handler panicked")
			refusal.Err = fmt.Errorf("panic: %v", p)
		}
	}()
	out, err := t.handler(ctx, auth, slices.Clone(c.call.Input))
	if err != nil {
		refusal = c.refuse(CodeToolExecutionFailed, "the handler failed: "+err.Error())
		refusal.Err = err
		return Output{}, refusal
	}
	return out, nil
}

func (c *dispatch) isolated(ctx context.Context, t *tool, e *entry, auth ExecutionAuthority) (out Output, refusal *Refusal) {
	m := t.owner.manifest
	if m.capabilities == nil {
		return Output{}, c.refuse(CodeTierNotExecutable, "the pack declares no capabilities")
	}
	module, export, _ := strings.Cut(t.spec.Entry, "#")
	defer func() {
		if p := recover(); p != nil {
			out, refusal = Output{}, c.refuse(CodeToolExecutionFailed, "the isolated host panicked")
			refusal.Err = fmt.Errorf("panic: %v", p)
		}
	}()
	resp, err := c.k.config.Isolated.Run(ctx, IsolatedRequest{Authority: auth, PackID: m.id, Version: m.versionText,
		Integrity: t.owner.integrity, AdapterID: m.adapterID, Adapter: e.Registration, Root: t.owner.root, Module: module, Export: export,
		Input: slices.Clone(c.call.Input), Grant: newGrant(*m.capabilities, auth)})
	if err != nil {
		if own, ok := errors.AsType[*Refusal](err); ok {
			refusal = c.refuse(own.Code, own.Message)
			refusal.Cause, refusal.Err = own.Cause, own.Err
			return Output{}, refusal
		}
		refusal = c.refuse(CodeToolExecutionFailed, "the isolated host failed: "+err.Error())
		refusal.Err = err
		return Output{}, refusal
	}
	if code := resp.Termination.code(); code != "" {
		return Output{}, c.refuse(code, fmt.Sprintf("the code ended as %q, after %v of processor time and at most %d bytes",
			resp.Termination, resp.Usage.CPU, resp.Usage.PeakMemory))
	}
	return resp.Output, nil
}

// fault says what is wrong with the shape of an output; "" when nothing is.
func (o Output) fault(t *tool) string {
	switch {
	case o.Data != nil && !contract.IsJSON(o.Data), o.Metadata != nil && !contract.IsJSON(o.Metadata),
		o.Error != nil && o.Error.Details != nil && !contract.IsJSON(o.Error.Details):
		return "a part of the output is no JSON"
	case o.Success && o.Error != nil, !o.Success && o.Error == nil:
		return "an output has an error exactly when it is no success"
	case o.Success && (o.Data != nil || t.output != nil):
		if err := t.output.Validate(o.Data); err != nil {
			return "the output is not what the tool gives: " + err.Error()
		}
	}
	return ""
}

// policies asks the packs' own rules and the host's hook.
func (c *dispatch) policies(ctx context.Context) *Refusal {
	c.k.mu.RLock()
	rules := c.k.rules
	c.k.mu.RUnlock()
	var verdicts []PolicyVerdict
	for _, r := range rules {
		verdicts = append(verdicts, PolicyVerdict{Rule: r.pack + "/" + r.rule, Decision: r.decision})
	}
	verdicts = append(verdicts, c.ask(ctx)...)
	var approval *Refusal
	for _, v := range verdicts {
		switch v.Decision {
		case "allow":
		case "approval_required":
			if approval == nil {
				approval = c.refuse(CodeApprovalRequired, "the rule "+quote(v.Rule)+" wants an approval")
				approval.Request = v.RequestID
			}
		default:
			return c.refuse(CodePolicyDenied, "the rule "+quote(v.Rule)+" denies the call")
		}
	}
	return approval
}

func (c *dispatch) ask(ctx context.Context) (verdicts []PolicyVerdict) {
	if c.k.config.Policy == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			verdicts = []PolicyVerdict{{Rule: "policy hook", Decision: "deny"}}
		}
	}()
	return c.k.config.Policy(ctx, PolicyRequest{Trigger: "on_tool_request", Tool: c.tool.spec.Name, Pack: c.tool.owner.manifest.id,
		Permission: c.tool.spec.Permission, RunID: c.call.RunID, TaskID: c.call.TaskID, SessionID: c.call.SessionID,
		Metadata: maps.Clone(c.call.Metadata)})
}

func (c *dispatch) open(id string) {
	c.receipt = Receipt{ID: id, Tool: c.tool.spec.Name, Pack: c.tool.owner.manifest.id, RunID: c.call.RunID,
		TaskID: c.call.TaskID, SessionID: c.call.SessionID, Input: slices.Clone(c.call.Input), Metadata: maps.Clone(c.call.Metadata)}
	c.record(func(r Recorder) { r.Open(c.receipt) })
}

func (c *dispatch) close(out Output, refusal *Refusal) {
	switch {
	case refusal == nil && out.Success:
		c.receipt.Result = "success"
	case refusal == nil:
		c.receipt.Result = "failure"
	default:
		c.receipt.Code, c.receipt.Rule = refusal.Code, refusal.Message
		switch refusal.Code {
		case CodeInvalidInput, CodeInvalidOutput:
			c.receipt.Result = "failure"
		case CodeToolExecutionFailed, CodeIsolatedMemoryLimit, CodeIsolatedCPULimit, CodeIsolatedCancelled, CodeIsolatedKilled:
			c.receipt.Result = "crashed"
		default:
			c.receipt.Result = "denied"
		}
	}
	c.record(func(r Recorder) { r.Close(c.receipt) })
}

// record keeps the recorder's troubles away from the call.
func (c *dispatch) record(do func(Recorder)) {
	if c.k.config.Recorder == nil {
		return
	}
	defer func() { _ = recover() }()
	do(c.k.config.Recorder)
}
