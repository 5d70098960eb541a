package pack

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// base is the start of a valid manifest of contract v2.
func base(id, version string) string {
	return fmt.Sprintf("id: %s\nversion: %s\ncontract_version: 2\npublisher: {id: acme, name: Acme}\n"+
		"compatibility: {kernel: ^6.0.0, host: ^6.0.0}\ntask_types: [job]\n", id, version)
}

// trusted is a valid manifest of a trusted pack with one tool id:run.
func trusted(id string) string {
	return base(id, "1.0.0") + "trust_tier: trusted-host-adapter\nadapter_id: trusted-host-adapter:" + id + "\n" + toolText(id+":run")
}

func toolText(name string) string {
	return "tools:\n  - name: " + name + "\n    entry: tool-impl/run.ts#run\n    required_scopes:\n      - {type: path, pattern: 'data/**', access: read}\n"
}

// isolatedText is a valid manifest of an isolated pack with one tool id:run.
func isolatedText(id string) string {
	return base(id, "1.0.0") + "trust_tier: isolated\nadapter_id: isolated:" + id + "\ncapabilities:\n" +
		"  filesystem: {read: ['data/**']}\n  memory: {limit_mb: 16}\n  cpu: {time_limit_ms: 100}\n" + toolText(id+":run")
}

// accept parses a manifest that has to be accepted.
func accept(t testing.TB, text string) *Parsed {
	t.Helper()
	p := ParseManifest("manifest.yaml", []byte(text))
	if !p.Accepted() {
		t.Fatalf("rejected:\n%v\n%s", p.Diagnostics, text)
	}
	return p
}

// vouch registers the conventional adapter of each pack, for the pack's tier.
func vouch(t testing.TB, r *Registry, packs ...*Parsed) *Registry {
	t.Helper()
	for _, p := range packs {
		if m := p.Manifest(); m.Tier() != Declarative {
			if err := r.Register(Registration{AdapterID: m.AdapterID(), Tier: m.Tier(), PackID: m.ID()}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

func hostWith(r *Registry) Host { return Host{Kernel: "6.2.1", Host: "6.0.4", Adapters: r} }

// resolver hands out one handler and counts what it was asked.
type resolver struct {
	handler          Handler
	tools, factories int
	asked            []string
}

func (r *resolver) Tool(req EntryRequest) (Handler, error) {
	r.tools++
	r.asked = append(r.asked, req.Pack.ID()+" "+req.Name)
	return r.handler, nil
}

func (r *resolver) Factory(req EntryRequest) error {
	r.factories++
	r.asked = append(r.asked, req.Pack.ID()+" "+req.Field)
	return nil
}

// everything grants all that a workspace can.
func everything() Layers {
	all := []Scope{PathScope("read", "**"), PathScope("write", "**"), NetworkScope("full"),
		PathScope("read", ".lumenflow/**"), PathScope("write", ".lumenflow/**")}
	return Layers{Workspace: all, Lane: all, Task: all}
}

func done(context.Context, ExecutionAuthority, []byte) (Output, error) {
	return Output{Success: true}, nil
}

// newTestKernel registers packs that all are vouched for.
func newTestKernel(t testing.TB, h Handler, packs ...*Parsed) (*Kernel, *Registry) {
	t.Helper()
	r := vouch(t, NewRegistry(), packs...)
	k, err := NewKernel(Config{Host: hostWith(r)})
	if err != nil {
		t.Fatal(err)
	}
	mustRegister(t, k, h, packs...)
	return k, r
}

func mustRegister(t testing.TB, k *Kernel, h Handler, packs ...*Parsed) {
	t.Helper()
	if err := k.Register(installed(packs...), &resolver{handler: h}); err != nil {
		t.Fatal(err)
	}
}

func installed(packs ...*Parsed) (list []Installed) {
	for _, p := range packs {
		list = append(list, Installed{Parsed: p})
	}
	return list
}

// call is a call that every layer allows.
func call(tool string) Call {
	return Call{Tool: tool, Input: []byte("{}"), Layers: everything()}
}

// codes lists the codes of an error: those of diagnostics, or that of a refusal.
func codes(err error) string {
	if list, ok := errors.AsType[Diagnostics](err); ok {
		var all []string
		for _, d := range list {
			if d.Severity == Error {
				all = append(all, string(d.Code))
			}
		}
		return strings.Join(all, " ")
	}
	return string(CodeOf(err))
}
