package pack

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file plays the pack author, the caller and the careless host that try to
// come by authority. Every attempt is refused, with its code.

// TestManifestsGainNothing are attempts by what a manifest says, judged alone or
// by the gate of a host that vouches for the pack "victim" and for "box".
func TestManifestsGainNothing(t *testing.T) {
	adapters := NewRegistry()
	for _, r := range []Registration{
		{AdapterID: "trusted-host-adapter:victim", Tier: TrustedHostAdapter, PackID: "victim"},
		{AdapterID: "isolated:box", Tier: Isolated, PackID: "box"},
	} {
		if err := adapters.Register(r); err != nil {
			t.Fatal(err)
		}
	}
	with := func(id, rest string) string { return base(id, "1.0.0") + rest }
	claim := func(id, tier, adapter string) string {
		return with(id, "trust_tier: "+tier+"\nadapter_id: "+adapter+"\n"+toolText("x:run"))
	}
	const forbidden = "PACK_CLOSURE_EXECUTABLE_FORBIDDEN"
	const both = forbidden + " PACK_CLOSURE_ADAPTER_FORBIDDEN"
	attempts := []struct{ name, text, want string }{
		// Adapter ids.
		{"copied adapter id", claim("thief", "trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_TRUST_PACK_MISMATCH"},
		{"adapter id by convention only", claim("thief", "trusted-host-adapter", "trusted-host-adapter:thief"), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id in other case", claim("victim", "trusted-host-adapter", "Trusted-Host-Adapter:victim"), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id with a blank", claim("victim", "trusted-host-adapter", "'trusted-host-adapter:victim '"), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id with a line break", claim("victim", "trusted-host-adapter", `"trusted-host-adapter:victim\n"`), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id with a NUL", claim("victim", "trusted-host-adapter", `"trusted-host-adapter:victim\0x"`), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id with a Cyrillic letter", claim("victim", "trusted-host-adapter", "trusted-host-аdapter:victim"), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id with an invisible letter", claim("victim", "trusted-host-adapter", `"trusted-host-adapter:vic\u200Btim"`), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"adapter id with a decomposed letter", claim("victim", "trusted-host-adapter", `"trusted-host-adapter:victi\u0301m"`), "PACK_TRUST_ADAPTER_UNREGISTERED"},
		{"empty adapter id", claim("victim", "trusted-host-adapter", `""`), "PACK_SCHEMA"},
		{"null adapter id", claim("victim", "trusted-host-adapter", `null`), "PACK_SCHEMA"},
		{"list of adapter ids", claim("victim", "trusted-host-adapter", `['trusted-host-adapter:victim']`), "PACK_SCHEMA"},
		// Ids of packs that look like the trusted one.
		{"id in other case", claim("Victim", "trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_SCHEMA"},
		{"id with a Cyrillic letter", claim("viсtim", "trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_SCHEMA"},
		{"id with a blank", claim("'victim '", "trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_SCHEMA"},
		{"id that leads out", claim("'../victim'", "trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_SCHEMA"},
		{"id with the trusted one in front", claim("victim-2", "trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_TRUST_PACK_MISMATCH"},
		{"id given twice", with("victim", "trust_tier: trusted-host-adapter\nadapter_id: trusted-host-adapter:victim\nid: thief\n"), "PACK_YAML_INVALID"},
		{"id as an alias of a number", "v: &v 7\n" + strings.Replace(with("x", ""), "id: x", "id: *v", 1), "PACK_SCHEMA"},
		// Tiers.
		{"isolated adapter for trusted code", claim("box", "trusted-host-adapter", "isolated:box"), "PACK_TRUST_TIER_MISMATCH"},
		{"trusted adapter for isolated code", strings.Replace(isolatedText("victim"), "isolated:victim", "trusted-host-adapter:victim", 1), "PACK_TRUST_TIER_MISMATCH"},
		{"tier in other case", claim("victim", "Trusted-Host-Adapter", "trusted-host-adapter:victim"), both},
		{"tier with a blank", claim("victim", "'trusted-host-adapter '", "trusted-host-adapter:victim"), both},
		{"tier with underscores", claim("victim", "trusted_host_adapter", "trusted-host-adapter:victim"), both},
		{"tier with another hyphen", claim("victim", "trusted‐host‐adapter", "trusted-host-adapter:victim"), both},
		{"invented tier", claim("victim", "root", "trusted-host-adapter:victim"), both},
		{"tier as a list", claim("victim", "[trusted-host-adapter]", "trusted-host-adapter:victim"), both},
		{"tier as a mapping", claim("victim", "{trusted-host-adapter: true}", "trusted-host-adapter:victim"), both},
		{"tier as a boolean", claim("victim", "true", "trusted-host-adapter:victim"), both},
		{"tier given twice", claim("victim", "declarative\ntrust_tier: trusted-host-adapter", "trusted-host-adapter:victim"), "PACK_YAML_INVALID"},
		{"tier by a merge key", "d: &d {trust_tier: trusted-host-adapter}\n" + with("victim", "<<: *d\nadapter_id: trusted-host-adapter:victim\n"), "PACK_YAML_INVALID"},
		{"tier under a tag", claim("victim", "!!binary dHJ1c3RlZC1ob3N0LWFkYXB0ZXI=", "trusted-host-adapter:victim"), "PACK_YAML_INVALID"},
		{"tier in a second document", with("victim", "---\n"+claim("victim", "trusted-host-adapter", "trusted-host-adapter:victim")), "PACK_YAML_INVALID"},
		{"executables without a tier", with("victim", toolText("victim:run")), forbidden},
		{"a factory alone", with("victim", "policy_factory: evil.ts\n"), forbidden},
		{"a command alone", with("victim", "cli_commands: [evil]\n"), forbidden},
		{"policies of a declarative pack", with("victim", "policies: [{id: a, trigger: on_tool_request, decision: allow}]\n"), "PACK_CLOSURE_POLICIES_FORBIDDEN"},
		// Capabilities.
		{"whole network", strings.Replace(isolatedText("box"), "  memory", "  network: {posture: full}\n  memory", 1), "PACK_SCHEMA"},
		{"capability that leads out", strings.Replace(isolatedText("box"), "data/**", "data/../../**", 1), "PACK_CAPABILITY_GLOB_UNSAFE PACK_SCHEMA"},
		{"absolute capability", strings.Replace(isolatedText("box"), "data/**", "/etc/**", 1), "PACK_CAPABILITY_GLOB_UNSAFE"},
		{"capability with a brace that leads out", strings.Replace(isolatedText("box"), "data/**", "{data,..}/**", 1), "PACK_CAPABILITY_GLOB_UNSAFE"},
		{"no memory limit", strings.Replace(isolatedText("box"), "  memory: {limit_mb: 16}\n", "", 1), "PACK_SCHEMA"},
		{"unknown capability", strings.Replace(isolatedText("box"), "  memory", "  process: {spawn: true}\n  memory", 1), "PACK_SCHEMA"},
		{"environment by wildcard", strings.Replace(isolatedText("box"), "  memory", "  env: ['*']\n  memory", 1), "PACK_SCHEMA"},
		{"capabilities of a trusted pack", claim("victim", "trusted-host-adapter", "trusted-host-adapter:victim") + "capabilities: {}\n", "PACK_CLOSURE_CAPABILITIES_FORBIDDEN"},
		// Versions and migrations.
		{"contract version as text", strings.Replace(claim("victim", "trusted-host-adapter", "trusted-host-adapter:victim"), "contract_version: 2", "contract_version: '2'", 1), "PACK_CONTRACT_VERSION"},
		{"contract version left out", strings.Replace(claim("victim", "trusted-host-adapter", "trusted-host-adapter:victim"), "contract_version: 2\n", "", 1), "PACK_CONTRACT_VERSION"},
		{"migration to a version beyond", with("victim", "migrations: [{from: '*', to: 1.0.1, steps: [{kind: rename_event_kind, from: a, to: b}]}]\n"), "PACK_MIGRATION_TO_EXCEEDS_VERSION"},
		{"migration beyond a prerelease", strings.Replace(with("victim", "migrations: [{from: '*', to: 1.0.0, steps: [{kind: rename_event_kind, from: a, to: b}]}]\n"), "version: 1.0.0", "version: 1.0.0-rc.1", 1), "PACK_MIGRATION_TO_EXCEEDS_VERSION"},
		{"migration with code", with("victim", "migrations: [{from: '*', to: 1.0.0, steps: [{kind: run_script, entry: evil.ts}]}]\n"), "PACK_MIGRATION_STEP_KIND"},
		{"migration step with an entry", with("victim", "migrations: [{from: '*', to: 1.0.0, steps: [{kind: deprecate_tool, name: a, entry: evil.ts}]}]\n"), "PACK_SCHEMA"},
		{"any kernel by an empty range", strings.Replace(with("victim", ""), "kernel: ^6.0.0", "kernel: ''", 1), "PACK_RANGE_INVALID"},
		{"any kernel by an empty alternative", strings.Replace(with("victim", ""), "kernel: ^6.0.0", "kernel: '^5 ||'", 1), "PACK_RANGE_INVALID"},
		{"dependency on itself", with("victim", "depends_on: [{id: victim, version_range: '*'}]\n"), "PACK_DEPENDS_ON_SELF"},
		// Text.
		{"alias bomb", bomb(), "PACK_YAML_INVALID"},
		{"deep nesting", "id: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n", "PACK_YAML_INVALID"},
		{"two mebibytes", with("victim", "x: "+strings.Repeat("y", 2<<20)+"\n"), "PACK_YAML_INVALID"},
		{"other encoding", "\xFF\xFEi\x00d\x00", "PACK_YAML_INVALID"},
	}
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			start := time.Now()
			p := ParseManifest("manifest.yaml", []byte(a.text))
			found, err := ValidateRegistration([]*Parsed{p}, hostWith(adapters))
			if err != nil {
				t.Fatal(err)
			}
			if got := codes(found); !within(got, a.want) {
				t.Errorf("codes %q, want %q\n%v", got, a.want, found)
			}
			k, err := NewKernel(Config{Host: hostWith(adapters)})
			if err != nil {
				t.Fatal(err)
			}
			r := &resolver{handler: done}
			if err := k.Register(installed(p), r); err == nil || r.tools+r.factories > 0 || len(k.Packs()) > 0 {
				t.Errorf("registered: %v, %v", err, r.asked)
			}
			if took := time.Since(start); took > 50*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	t.Logf("%d attempts", len(attempts))
	if reg, _ := adapters.Lookup("trusted-host-adapter:victim"); reg.PackID != "victim" || len(adapters.List()) != 2 {
		t.Error("a manifest has changed the registry")
	}
}

// within reports whether all the codes that were found were wanted, and one was.
func within(got, want string) bool {
	if got == "" {
		return false
	}
	for _, g := range strings.Fields(got) {
		if !strings.Contains(" "+want+" ", " "+g+" ") {
			return false
		}
	}
	return true
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

// TestManifestCannotRegister is a manifest that names a registration in itself.
func TestManifestCannotRegister(t *testing.T) {
	p := accept(t, base("thief", "1.0.0")+"register: {adapter_id: x, pack_id: thief, tier: trusted-host-adapter}\nhandle: x\nregistrations: []\n")
	r := NewRegistry()
	if _, err := ValidateRegistration([]*Parsed{p}, hostWith(r)); err != nil || len(r.List()) != 0 {
		t.Errorf("%v, %v", err, r.List())
	}
	if len(p.Diagnostics) != 3 || p.Diagnostics[0].Code != CodeUnknownKey {
		t.Errorf("diagnostics %v", p.Diagnostics)
	}
}

// TestRegistryRefuses are registrations that make no sense.
func TestRegistryRefuses(t *testing.T) {
	r := NewRegistry()
	for _, reg := range []Registration{
		{AdapterID: "a", Tier: Declarative, PackID: "p"}, {AdapterID: "a", Tier: "", PackID: "p"},
		{AdapterID: "a", Tier: "Isolated", PackID: "p"}, {AdapterID: "", Tier: Isolated, PackID: "p"},
		{AdapterID: "a", Tier: Isolated, PackID: ""},
	} {
		if err := r.Register(reg); !errors.Is(err, ErrRegistration) || len(r.List()) != 0 {
			t.Errorf("%v: %v", reg, err)
		}
	}
}

// explosive is a handle that must not be touched.
type explosive struct{}

func (explosive) String() string               { panic("touched") }
func (explosive) GoString() string             { panic("touched") }
func (explosive) Error() string                { panic("touched") }
func (explosive) MarshalJSON() ([]byte, error) { panic("touched") }

func TestHandleIsOpaque(t *testing.T) {
	p := accept(t, trusted("my-pack"))
	r := NewRegistry()
	first, second := &explosive{}, func() { panic("called") }
	for _, h := range []any{first, second} {
		if err := r.Register(Registration{AdapterID: "trusted-host-adapter:my-pack", Tier: TrustedHostAdapter, PackID: "my-pack", Handle: h}); err != nil {
			t.Fatal(err)
		}
		if found, err := ValidateRegistration([]*Parsed{p}, hostWith(r)); err != nil || found != nil {
			t.Error(err, found)
		}
		if !Decide(p.Manifest(), r).Allowed {
			t.Error("denied")
		}
		reg, _ := r.Lookup("trusted-host-adapter:my-pack")
		_ = fmt.Sprintf("%v %+v %#v %s", reg, reg, reg, r.List())
		if _, err := json.Marshal(reg); err != nil {
			t.Error(err)
		}
		if reflect.ValueOf(reg.Handle).Pointer() != reflect.ValueOf(h).Pointer() {
			t.Error("another handle came back")
		}
	}
	if len(r.List()) != 1 {
		t.Errorf("%d records", len(r.List()))
	}
}

// refused wants a call to be refused with a code, and its handler not to run.
func refused(t *testing.T, k *Kernel, c Call, want Code) {
	t.Helper()
	if _, err := k.Dispatch(t.Context(), c); CodeOf(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestCallsGainNothing are attempts by callers and handlers.
func TestCallsGainNothing(t *testing.T) {
	victim, plain, boxed := accept(t, trusted("victim")), accept(t, base("plain", "1.0.0")), accept(t, isolatedText("box"))
	other := accept(t, trusted("other"))
	setup := func(t *testing.T) (*Kernel, *Registry, *atomic.Int32) {
		var ran atomic.Int32
		k, r := newTestKernel(t, func(context.Context, ExecutionAuthority, []byte) (Output, error) {
			ran.Add(1)
			return Output{Success: true}, nil
		}, victim, plain, boxed, other)
		return k, r, &ran
	}
	mint := func(k *Kernel, tool string) ExecutionAuthority {
		return k.live.Mint((&dispatch{k: k, tool: k.lookup(tool)}).grant())
	}
	authorized := func(t *testing.T, k *Kernel, auth ExecutionAuthority, tool string, want Code) {
		t.Helper()
		if d, err := k.Authorize(auth, tool); CodeOf(err) != want || d.Allowed && want != "" {
			t.Errorf("%+v, %v; want %s", d, err, want)
		}
	}
	attempts := []struct {
		name string
		try  func(t *testing.T, k *Kernel, r *Registry)
	}{
		{"zero authority", func(t *testing.T, k *Kernel, _ *Registry) {
			authorized(t, k, ExecutionAuthority{}, "victim:run", CodeAuthorityInvalid)
		}},
		{"authority of another kernel", func(t *testing.T, k *Kernel, _ *Registry) {
			k2, _ := newTestKernel(t, done, victim)
			authorized(t, k, mint(k2, "victim:run"), "victim:run", CodeAuthorityInvalid)
		}},
		{"authority decoded from JSON", func(t *testing.T, k *Kernel, _ *Registry) {
			var auth ExecutionAuthority
			//lint:ignore SA9005 that nothing comes out is what is tested
			text, err := json.Marshal(mint(k, "victim:run"))
			if err != nil || string(text) != "{}" {
				t.Errorf("%s, %v", text, err)
			}
			//lint:ignore SA9005 that nothing goes in is what is tested
			if err := json.Unmarshal([]byte(`{"rec":{"grant":{"Pack":"victim"}},"Pack":"victim"}`), &auth); err != nil {
				t.Error(err)
			}
			authorized(t, k, auth, "victim:run", CodeAuthorityInvalid)
		}},
		{"authority decoded by gob", func(t *testing.T, k *Kernel, _ *Registry) {
			var b bytes.Buffer
			if err := gob.NewEncoder(&b).Encode(mint(k, "victim:run")); err == nil {
				t.Error("an authority was encoded")
			}
		}},
		{"authority set by reflection", func(t *testing.T, k *Kernel, _ *Registry) {
			auth := mint(k, "victim:run")
			v := reflect.ValueOf(&auth).Elem()
			for i := range v.NumField() {
				if v.Field(i).CanSet() || v.Type().Field(i).IsExported() {
					t.Error("a field can be set")
				}
			}
		}},
		{"authority of a pack that is not registered", func(t *testing.T, k *Kernel, _ *Registry) {
			auth := mint(k, "victim:run")
			mustRegister(t, k, done, plain)
			authorized(t, k, auth, "victim:run", CodePackUnknown)
		}},
		{"authority from before the pack was registered anew", func(t *testing.T, k *Kernel, _ *Registry) {
			auth := mint(k, "victim:run")
			mustRegister(t, k, done, victim)
			authorized(t, k, auth, "victim:run", CodePackUnknown)
		}},
		{"authority of one pack for a tool of another", func(t *testing.T, k *Kernel, _ *Registry) {
			authorized(t, k, mint(k, "victim:run"), "other:run", CodePackToolMismatch)
		}},
		{"authority of one tool for another of the same pack", func(t *testing.T, k *Kernel, _ *Registry) {
			if err := k.AddTool("victim", ToolSpec{Name: "victim:more", Scopes: []Scope{NetworkScope("off")}}, done); err != nil {
				t.Fatal(err)
			}
			authorized(t, k, mint(k, "victim:run"), "victim:more", CodePackToolMismatch)
		}},
		{"authority for a tool that is not there", func(t *testing.T, k *Kernel, _ *Registry) {
			authorized(t, k, mint(k, "victim:run"), "victim:none", CodePackToolMismatch)
		}},
		{"authority kept after the call", func(t *testing.T, k *Kernel, _ *Registry) {
			var kept ExecutionAuthority
			if err := k.AddTool("victim", ToolSpec{Name: "keep", Scopes: []Scope{PathScope("read", "data/**")}}, func(_ context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
				kept = auth
				if !auth.AllowsPath("read", "data/x") || auth.PackID() != "victim" || auth.Tool() != "keep" {
					t.Error("not alive during the call")
				}
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Dispatch(t.Context(), call("keep")); err != nil {
				t.Fatal(err)
			}
			if kept.Valid() || kept.AllowsPath("read", "data/x") || kept.PackID() != "" || kept.Patterns("read") != nil || k.live.Live() != 0 {
				t.Error("alive after the call")
			}
			authorized(t, k, kept, "keep", CodeAuthorityInvalid)
		}},
		{"authority kept after a panic", func(t *testing.T, k *Kernel, _ *Registry) {
			var kept ExecutionAuthority
			if err := k.AddTool("victim", ToolSpec{Name: "boom", Scopes: []Scope{PathScope("read", "data/**")}}, func(_ context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
				kept = auth
				panic(explosive{})
			}); err != nil {
				t.Fatal(err)
			}
			refused(t, k, call("boom"), CodeToolExecutionFailed)
			authorized(t, k, kept, "boom", CodeAuthorityInvalid)
		}},
		{"authority used from a goroutine while the call ends", func(t *testing.T, k *Kernel, _ *Registry) {
			var wg sync.WaitGroup
			if err := k.AddTool("victim", ToolSpec{Name: "leak", Scopes: []Scope{PathScope("read", "data/**")}}, func(_ context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
				for range 4 {
					wg.Go(func() {
						for auth.AllowsPath("read", "data/x") {
						}
						if auth.Valid() {
							t.Error("came back to life")
						}
					})
				}
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Dispatch(t.Context(), call("leak")); err != nil {
				t.Error(err)
			}
			wg.Wait()
		}},
		{"scope lists changed by the handler", func(t *testing.T, k *Kernel, _ *Registry) {
			if err := k.AddTool("victim", ToolSpec{Name: "widen", Scopes: []Scope{PathScope("read", "data/**"), NetworkScope("allowlist", "a.example:443")}}, func(_ context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
				list := auth.Patterns("read")
				list[0] = "**"
				_ = append(list, "**")
				_, entries := auth.Network()
				entries[0] = "evil.example:443"
				if auth.AllowsPath("read", "secret") || auth.Patterns("read")[0] != "data/**" {
					t.Error("widened")
				}
				if _, entries := auth.Network(); entries[0] != "a.example:443" {
					t.Error("widened")
				}
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Dispatch(t.Context(), call("widen")); err != nil {
				t.Error(err)
			}
		}},
		{"trust withdrawn between gate and call", func(t *testing.T, k *Kernel, r *Registry) {
			if _, err := k.Dispatch(t.Context(), call("victim:run")); err != nil {
				t.Error(err)
			}
			if err := r.Register(Registration{AdapterID: "trusted-host-adapter:victim", Tier: TrustedHostAdapter, PackID: "elsewhere"}); err != nil {
				t.Fatal(err)
			}
			_, err := k.Dispatch(t.Context(), call("victim:run"))
			if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != CodeTrustDenied || refusal.Cause != CodeTrustPackMismatch {
				t.Errorf("got %v", err)
			}
		}},
		{"trust withdrawn while policies are asked", func(t *testing.T, k *Kernel, r *Registry) {
			k.config.Policy = func(context.Context, PolicyRequest) []PolicyVerdict {
				_ = r.Register(Registration{AdapterID: "trusted-host-adapter:victim", Tier: Isolated, PackID: "victim"})
				return nil
			}
			refused(t, k, call("victim:run"), CodeTrustDenied)
		}},
		{"pack replaced while policies are asked", func(t *testing.T, k *Kernel, r *Registry) {
			again := accept(t, strings.Replace(trusted("victim"), "data/**", "more/**", 1))
			k.config.Policy = func(context.Context, PolicyRequest) []PolicyVerdict {
				if err := k.Register(installed(again), &resolver{handler: done}); err != nil {
					t.Error(err)
				}
				return nil
			}
			refused(t, k, call("victim:run"), CodePackUnknown)
		}},
		{"handler under a declarative pack", func(t *testing.T, k *Kernel, _ *Registry) {
			if err := k.AddTool("plain", ToolSpec{Name: "plain:run", Scopes: []Scope{NetworkScope("off")}}, func(context.Context, ExecutionAuthority, []byte) (Output, error) {
				t.Error("ran")
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			refused(t, k, call("plain:run"), CodeTierNotExecutable)
		}},
		{"handler under an isolated pack", func(t *testing.T, k *Kernel, _ *Registry) {
			if err := k.AddTool("box", ToolSpec{Name: "box:more", Scopes: []Scope{NetworkScope("off")}}, func(context.Context, ExecutionAuthority, []byte) (Output, error) {
				t.Error("ran")
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			refused(t, k, call("box:more"), CodeIsolatedHostUnavailable)
		}},
		{"isolated pack without a host", func(t *testing.T, k *Kernel, _ *Registry) {
			refused(t, k, call("box:run"), CodeIsolatedHostUnavailable)
		}},
		{"isolated pack on a cancelled call", func(t *testing.T, k *Kernel, _ *Registry) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := k.Dispatch(ctx, call("box:run")); CodeOf(err) != CodeIsolatedHostUnavailable {
				t.Error(err)
			}
		}},
		{"tool of a pack that is not registered", func(t *testing.T, k *Kernel, _ *Registry) {
			if err := k.AddTool("ghost", ToolSpec{Name: "ghost:run", Scopes: []Scope{NetworkScope("off")}}, done); err == nil {
				t.Error("added")
			}
			refused(t, k, call("ghost:run"), CodeToolNotFound)
		}},
		{"tool that takes the name of another", func(t *testing.T, k *Kernel, _ *Registry) {
			if err := k.AddTool("other", ToolSpec{Name: "victim:run", Scopes: []Scope{NetworkScope("off")}}, done); err == nil {
				t.Error("added")
			}
		}},
		{"tool name in other case", func(t *testing.T, k *Kernel, _ *Registry) { refused(t, k, call("Victim:run"), CodeToolNotFound) }},
		{"tool name with a look-alike", func(t *testing.T, k *Kernel, _ *Registry) { refused(t, k, call("viсtim:run"), CodeToolNotFound) }},
		{"pack named in the metadata", func(t *testing.T, k *Kernel, r *Registry) {
			if err := r.Register(Registration{AdapterID: "trusted-host-adapter:other", Tier: TrustedHostAdapter, PackID: "elsewhere"}); err != nil {
				t.Fatal(err)
			}
			c := call("other:run")
			c.Metadata = map[string]string{"pack_id": "victim", "adapter_id": "trusted-host-adapter:victim", "trust_tier": "trusted-host-adapter"}
			refused(t, k, c, CodeTrustDenied)
		}},
		{"second registration of all packs with a denied one", func(t *testing.T, k *Kernel, _ *Registry) {
			thief := accept(t, strings.Replace(trusted("thief"), "trusted-host-adapter:thief", "trusted-host-adapter:victim", 1))
			before := k.lookup("victim:run")
			res := &resolver{handler: done}
			err := k.Register(installed(victim, thief), res)
			if codes(err) != "PACK_TRUST_PACK_MISMATCH" || res.tools+res.factories != 0 || k.lookup("victim:run") != before || k.lookup("thief:run") != nil {
				t.Errorf("%v, asked %v", err, res.asked)
			}
		}},
		{"resolver that withdraws trust", func(t *testing.T, k *Kernel, r *Registry) {
			err := k.Register(installed(other, victim), resolverFunc(func(EntryRequest) (Handler, error) {
				return done, r.Register(Registration{AdapterID: "trusted-host-adapter:victim", Tier: Isolated, PackID: "victim"})
			}))
			if codes(err) != "PACK_TRUST_TIER_MISMATCH" {
				t.Error(err)
			}
		}},
		{"manifest overwritten after the verdict", func(t *testing.T, k *Kernel, r *Registry) {
			thief := accept(t, strings.Replace(trusted("thief"), "trusted-host-adapter:thief", "trusted-host-adapter:victim", 1))
			thief.ID, thief.Tier, thief.Diagnostics = "victim", TrustedHostAdapter, nil
			tools := thief.Manifest().Tools()
			tools[0].Scopes[0].Pattern = "**"
			if found, _ := ValidateRegistration([]*Parsed{thief}, hostWith(r)); codes(found) != "PACK_TRUST_PACK_MISMATCH" {
				t.Error(found)
			}
			if thief.Manifest().Tools()[0].Scopes[0].Pattern != "data/**" {
				t.Error("the manifest was changed")
			}
		}},
		{"verdict made by hand", func(t *testing.T, k *Kernel, r *Registry) {
			if found, _ := ValidateRegistration([]*Parsed{{ID: "victim", Contract: 2, Tier: TrustedHostAdapter}}, hostWith(r)); !found.HasErrors() {
				t.Error("let in")
			}
			if Decide(&Manifest{}, r).Allowed || Decide(nil, r).Allowed {
				t.Error("trusted")
			}
		}},
	}
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			k, r, ran := setup(t)
			before := ran.Load()
			a.try(t, k, r)
			if allowed := map[string]int32{"trust withdrawn between gate and call": 1}[a.name]; ran.Load()-before != allowed {
				t.Errorf("the handler ran %d times", ran.Load()-before)
			}
		})
	}
	t.Logf("%d attempts", len(attempts))
}

type resolverFunc func(EntryRequest) (Handler, error)

func (f resolverFunc) Tool(r EntryRequest) (Handler, error) { return f(r) }
func (f resolverFunc) Factory(EntryRequest) error           { return nil }

// TestScopesAreNotWidened are attempts by scopes, judged before any handler runs.
func TestScopesAreNotWidened(t *testing.T) {
	read := func(p ...string) (l []Scope) {
		for _, x := range p {
			l = append(l, PathScope("read", x))
		}
		return l
	}
	all := everything().Workspace
	attempts := []struct {
		name                  string
		tool, ws, lane, task  []Scope
		access, path, address string // what must be refused when the call itself is not
		want                  Code
	}{
		{name: "layer without scopes", tool: read("a/**"), ws: all, lane: nil, task: all, want: CodeScopeDenied},
		{name: "tool without scopes", tool: nil, ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "wider than the lane", tool: read("**"), ws: all, lane: read("a/**"), task: all, access: "read", path: "b/x"},
		{name: "sideways of the lane", tool: read("b/**"), ws: all, lane: read("a/**"), task: all, want: CodeScopeDenied},
		{name: "reading taken for writing", tool: read("a/**"), ws: all, lane: all, task: all, access: "write", path: "a/x"},
		{name: "writing taken for reading", tool: []Scope{PathScope("write", "a/**")}, ws: all, lane: all, task: all, access: "read", path: "a/x"},
		{name: "one of two scopes denied", tool: append(read("a/**"), PathScope("write", "b/**")), ws: all, lane: read("**"), task: all, want: CodeScopeDenied},
		{name: "braces wider than the lane", tool: read("{src,lib}/**"), ws: all, lane: read("src/**"), task: all, access: "read", path: "lib/x"},
		{name: "wildcards that only look narrower", tool: read("src/**"), ws: all, lane: read("src/*/*/*.ts"), task: all, access: "read", path: "src/x"},
		{name: "pattern that leads out", tool: read("a/../**"), ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "absolute pattern", tool: read("/etc/**"), ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "brackets", tool: read("[a-z]*/**"), ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "negation", tool: read("!a/**"), ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "backslash", tool: read(`a\..\**`), ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "dot file by a wildcard", tool: read("src/**"), ws: all, lane: all, task: all, access: "read", path: "src/.git/config"},
		{name: "dot folder by everything", tool: read("**"), ws: all, lane: all, task: all, access: "read", path: ".git/config"},
		{name: "path that leads out", tool: read("src/**"), ws: all, lane: all, task: all, access: "read", path: "src/../secret"},
		{name: "absolute path", tool: read("**"), ws: all, lane: all, task: all, access: "read", path: "/etc/passwd"},
		{name: "path in other case", tool: read("src/**"), ws: all, lane: all, task: all, access: "read", path: "SRC/x"},
		{name: "path with a NUL", tool: read("src/**"), ws: all, lane: all, task: all, access: "read", path: "src/x\x00"},
		{name: "unknown access", tool: read("src/**"), ws: all, lane: all, task: all, access: "execute", path: "src/x"},
		{name: "kernel's folder", tool: []Scope{PathScope("write", ".lumenflow/**")}, ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "kernel's folder in other case", tool: []Scope{PathScope("write", ".LumenFlow/x")}, ws: append(all, PathScope("write", ".LumenFlow/**")), lane: append(all, PathScope("write", ".LumenFlow/**")), task: append(all, PathScope("write", ".LumenFlow/**")), want: CodeScopeDenied},
		{name: "kernel's folder by a wildcard", tool: []Scope{PathScope("write", "**/.l*/x")}, ws: append(all, PathScope("write", "**/.l*/x")), lane: append(all, PathScope("write", "**/.l*/x")), task: append(all, PathScope("write", "**/.l*/x")), want: CodeScopeDenied},
		{name: "network where the workspace is off", tool: []Scope{NetworkScope("full")}, ws: []Scope{NetworkScope("off")}, lane: all, task: all, want: CodeScopeDenied},
		{name: "network where a layer says nothing", tool: []Scope{NetworkScope("full")}, ws: all, lane: read("**"), task: all, want: CodeScopeDenied},
		{name: "allowlists without a common entry", tool: []Scope{NetworkScope("allowlist", "a.example:443")}, ws: all, lane: []Scope{NetworkScope("allowlist", "b.example:443")}, task: all, want: CodeScopeDenied},
		{name: "everything where the lane has a list", tool: []Scope{NetworkScope("full")}, ws: all, lane: []Scope{NetworkScope("allowlist", "a.example:443", "b.example:443")}, task: []Scope{NetworkScope("allowlist", "b.example:443")}, address: "a.example:443"},
		{name: "list with a wildcard", tool: []Scope{NetworkScope("allowlist", "*.example:443")}, ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "list with a shell command", tool: []Scope{NetworkScope("allowlist", "a;reboot:443")}, ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "another port", tool: []Scope{NetworkScope("allowlist", "a.example:443")}, ws: all, lane: all, task: all, address: "a.example:22"},
		{name: "a name below", tool: []Scope{NetworkScope("allowlist", "a.example:443")}, ws: all, lane: all, task: all, address: "x.a.example:443"},
		{name: "an octal address", tool: []Scope{NetworkScope("allowlist", "10.0.0.0/8")}, ws: all, lane: all, task: all, address: "012.1.1.1:80"},
		{name: "an unknown kind of scope", tool: []Scope{{Type: "process", Pattern: "**"}}, ws: all, lane: all, task: all, want: CodeScopeDenied},
		{name: "an unknown posture", tool: []Scope{NetworkScope("FULL")}, ws: all, lane: all, task: all, want: CodeScopeDenied},
	}
	for _, a := range attempts {
		t.Run(a.name, func(t *testing.T) {
			k, _ := newTestKernel(t, done, accept(t, trusted("victim")))
			ran := false
			if err := k.AddTool("victim", ToolSpec{Name: "try", Scopes: a.tool}, func(_ context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
				ran = true
				if a.path != "" && auth.AllowsPath(a.access, a.path) {
					t.Errorf("%s of %q is allowed by %v", a.access, a.path, auth.Patterns(a.access))
				}
				if posture, entries := auth.Network(); a.address != "" && AllowsAddress(posture, entries, a.address) {
					t.Errorf("%q is allowed by %s %v", a.address, posture, entries)
				}
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			_, err := k.Dispatch(t.Context(), Call{Tool: "try", Input: []byte("{}"), Layers: Layers{a.ws, a.lane, a.task}})
			switch {
			case a.want != "":
				if CodeOf(err) != a.want || ran {
					t.Errorf("got %v, ran %v", err, ran)
				}
			case err == nil:
			case CodeOf(err) != CodeScopeDenied || ran:
				t.Errorf("got %v", err)
			}
		})
	}
	t.Logf("%d attempts", len(attempts))
}

// TestWorkspaceHolds are attempts by links and by what happens between looking
// and opening.
func TestWorkspaceHolds(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(at, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, at string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, at)); err != nil {
			t.Skip(err)
		}
	}
	write(filepath.Join(outside, "secret"), "secret")
	write(filepath.Join(dir, "src", "a"), "a")
	write(filepath.Join(dir, "secret"), "inside but not in the scope")
	write(filepath.Join(dir, "src", ".env"), "secret")
	link(outside, "src/out")
	link("../secret", "src/up")
	link("a", "src/same")
	link("loop", "src/loop")
	link("../../../../../../etc", "src/far")
	link(filepath.Join(dir, "src", "a"), "src/absolute")
	w, err := OpenWorkspace(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	k, _ := newTestKernel(t, done, accept(t, trusted("victim")))
	try := func(auth ExecutionAuthority, _ context.Context) {
		for _, name := range []string{"src/a", "src/same"} {
			if data, err := w.ReadFile(auth, name, 100); err != nil || string(data) != "a" {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
		for _, name := range []string{"src/out/secret", "src/up", "src/loop", "src/far/passwd", "src/absolute", "src/.env", "secret",
			"../x", "src/../secret", "/etc/passwd", "", "src//a", "src/a/", `src\a`} {
			if data, err := w.ReadFile(auth, name, 100); !errors.Is(err, ErrNotAllowed) {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
		for _, name := range []string{"src/a", "src/up", "src/new"} {
			if err := w.WriteFile(auth, name, []byte("x"), 0o644); !errors.Is(err, ErrNotAllowed) {
				t.Errorf("write %s: %v", name, err)
			}
		}
		if _, err := w.ReadFile(auth, "src", 100); err == nil {
			t.Error("a folder was read")
		}
	}
	var kept ExecutionAuthority
	if err := k.AddTool("victim", ToolSpec{Name: "files", Scopes: []Scope{PathScope("read", "src/**"), PathScope("write", "out/**")}}, func(ctx context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
		kept = auth
		try(auth, ctx)
		write(filepath.Join(dir, "out", "x"), "old text")
		if err := w.WriteFile(auth, "out/x", []byte("new"), 0o644); err != nil {
			t.Error(err)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, "out", "x")); string(data) != "new" {
			t.Errorf("wrote %q", data)
		}
		return Output{Success: true}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Dispatch(t.Context(), call("files")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ReadFile(kept, "src/a", 100); !errors.Is(err, ErrNotAllowed) {
		t.Errorf("read with a dead authority: %v", err)
	}
	for _, module := range []string{"src/same", "src/out/secret", "../secret", "src/absolute", "/etc/passwd", "src"} {
		if _, _, err := (IsolatedRequest{Root: dir, Module: module}).Component(); err == nil {
			t.Errorf("the component %s was read", module)
		}
	}
	if data, digest, err := (IsolatedRequest{Root: dir, Module: "./src/a"}).Component(); err != nil || string(data) != "a" || len(digest) != 71 {
		t.Errorf("%q %s %v", data, digest, err)
	}
}

// TestRaces lets goroutines register, withdraw, decide, register packs and call.
// Every decision goes by one whole registration, and none runs code that was not
// vouched for at that time.
func TestRaces(t *testing.T) {
	p := accept(t, trusted("victim"))
	k, r := newTestKernel(t, done, p)
	states := []Registration{
		{AdapterID: "trusted-host-adapter:victim", Tier: TrustedHostAdapter, PackID: "victim"},
		{AdapterID: "trusted-host-adapter:victim", Tier: Isolated, PackID: "elsewhere"},
		{AdapterID: "trusted-host-adapter:victim", Tier: TrustedHostAdapter, PackID: "elsewhere"},
	}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			for j := range 30 {
				switch (i + j) % 4 {
				case 0:
					if err := r.Register(states[(i+j/4)%len(states)]); err != nil {
						t.Error(err)
					}
				case 1:
					// A tier of one registration with the pack of another would read as one of these two.
					switch d := Decide(p.Manifest(), r); {
					case d.Allowed, d.Code == CodeTrustTierMismatch, d.Code == CodeTrustPackMismatch:
					default:
						t.Errorf("%+v", d)
					}
				case 2:
					_, err := k.Dispatch(t.Context(), call("victim:run"))
					switch CodeOf(err) {
					case "", CodeTrustDenied, CodePackUnknown, CodeToolNotFound:
					default:
						t.Error(err)
					}
				case 3:
					if err := k.Register(installed(p), &resolver{handler: done}); err != nil && !strings.HasPrefix(codes(err), "PACK_TRUST_") {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if n := k.live.Live(); n != 0 {
		t.Errorf("%d authorities outlived their calls", n)
	}
}
