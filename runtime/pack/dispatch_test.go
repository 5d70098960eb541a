package pack

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// log is a recorder.
type log struct{ opened, closed []Receipt }

func (l *log) Open(r Receipt)  { l.opened = append(l.opened, r) }
func (l *log) Close(r Receipt) { l.closed = append(l.closed, r) }

const schemaText = "    input_schema: {type: object, properties: {path: {type: string, minLength: 1}}, required: [path]}\n" +
	"    output_schema: {properties: {size: {type: integer, minimum: 0}}, required: [size]}\n"

// TestDispatchOutcomes goes through the ways in which a call can end.
func TestDispatchOutcomes(t *testing.T) {
	boom := errors.New("disk full")
	ok := Output{Success: true, Data: []byte(`{"size": 3}`)}
	tests := []struct {
		name    string
		change  func(*Call)
		handler func(auth ExecutionAuthority, input []byte) (Output, error)
		policy  []PolicyVerdict
		code    Code
		result  string
	}{
		{name: "success", result: "success"},
		{name: "no such tool", change: func(c *Call) { c.Tool = "other" }, code: CodeToolNotFound},
		{name: "scope", change: func(c *Call) { c.Layers.Lane = nil }, code: CodeScopeDenied, result: "denied"},
		{name: "denied", policy: []PolicyVerdict{{Rule: "a", Decision: "allow"}, {Rule: "b", Decision: "approval_required"}, {Rule: "c", Decision: "deny"}}, code: CodePolicyDenied, result: "denied"},
		{name: "approval", policy: []PolicyVerdict{{Rule: "b", Decision: "approval_required", RequestID: "r1"}, {Rule: "a", Decision: "allow"}}, code: CodeApprovalRequired, result: "denied"},
		{name: "decision of no kind", policy: []PolicyVerdict{{Rule: "a", Decision: "ALLOW"}}, code: CodePolicyDenied, result: "denied"},
		{name: "input without a member", change: func(c *Call) { c.Input = []byte("{}") }, code: CodeInvalidInput, result: "failure"},
		{name: "input with one too many", change: func(c *Call) { c.Input = []byte(`{"path":"a","x":1}`) }, code: CodeInvalidInput, result: "failure"},
		{name: "input with one twice", change: func(c *Call) { c.Input = []byte(`{"path":"a","path":"b"}`) }, code: CodeInvalidInput, result: "failure"},
		{name: "no input", change: func(c *Call) { c.Input = nil }, code: CodeInvalidInput, result: "failure"},
		{name: "error", handler: func(ExecutionAuthority, []byte) (Output, error) { return ok, boom }, code: CodeToolExecutionFailed, result: "crashed"},
		{name: "panic", handler: func(ExecutionAuthority, []byte) (Output, error) { panic("x") }, code: CodeToolExecutionFailed, result: "crashed"},
		{name: "failure of its own", handler: func(ExecutionAuthority, []byte) (Output, error) {
			return Output{Error: &ToolError{Code: "NOT_THERE", Message: "no such file"}}, nil
		}, result: "failure"},
		{name: "output of another shape", handler: func(ExecutionAuthority, []byte) (Output, error) {
			return Output{Success: true, Data: []byte(`{"size":-1}`)}, nil
		}, code: CodeInvalidOutput, result: "failure"},
		{name: "output that is no JSON", handler: func(ExecutionAuthority, []byte) (Output, error) {
			return Output{Success: true, Data: []byte(`{`)}, nil
		}, code: CodeInvalidOutput, result: "failure"},
		{name: "no output", handler: func(ExecutionAuthority, []byte) (Output, error) { return Output{Success: true}, nil }, code: CodeInvalidOutput, result: "failure"},
		{name: "neither success nor error", handler: func(ExecutionAuthority, []byte) (Output, error) { return Output{}, nil }, code: CodeInvalidOutput, result: "failure"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var records log
			ran := 0
			p := accept(t, trusted("my-pack")+schemaText)
			adapters := vouch(t, NewRegistry(), p)
			k := must(NewKernel(Config{Host: hostWith(adapters), Recorder: &records, Policy: func(context.Context, PolicyRequest) []PolicyVerdict { return test.policy }}))
			mustRegister(t, k, func(_ context.Context, auth ExecutionAuthority, input []byte) (Output, error) {
				ran++
				if auth.PackID() != "my-pack" || auth.PackVersion() != "1.0.0" || auth.TaskID() != "task" || auth.ReceiptID() != records.opened[0].ID {
					t.Errorf("%v", auth)
				}
				clear(input)
				if test.handler != nil {
					return test.handler(auth, input)
				}
				return ok, nil
			}, p)
			c := call("my-pack:run")
			c.Input, c.TaskID = []byte(`{"path":"a"}`), "task"
			if test.change != nil {
				test.change(&c)
			}
			input := string(c.Input)
			out, err := k.Dispatch(t.Context(), c)
			if CodeOf(err) != test.code || (err == nil) != (test.code == "") {
				t.Fatalf("got %v, want %s", err, test.code)
			}
			if string(c.Input) != input {
				t.Error("the caller's input was changed")
			}
			early := slices.Contains([]Code{CodeToolNotFound, CodeScopeDenied, CodePolicyDenied, CodeApprovalRequired, CodeInvalidInput}, test.code)
			if (ran == 0) != early {
				t.Errorf("the handler ran %d times", ran)
			}
			if test.name == "error" && !errors.Is(err, boom) {
				t.Error("the handler's error is lost")
			}
			if r, _ := errors.AsType[*Refusal](err); test.name == "approval" && (r.Request != "r1" || r.Tool != "my-pack:run" || r.Pack != "my-pack") {
				t.Errorf("%+v", r)
			}
			if test.name == "success" && string(out.Data) != `{"size": 3}` {
				t.Errorf("%s", out.Data)
			}
			if test.result == "" {
				if records.opened != nil {
					t.Error("a receipt for no tool")
				}
				return
			}
			if len(records.closed) != 1 || records.closed[0].Result != test.result || records.closed[0].Code != test.code || records.opened[0].Result != "" {
				t.Errorf("receipts %+v, %+v", records.opened, records.closed)
			}
			if string(records.closed[0].Input) != input {
				t.Errorf("receipt has the input %q", records.closed[0].Input)
			}
			if k.live.Live() != 0 {
				t.Error("an authority lives on")
			}
		})
	}
}

// TestNothingStopsACall that should not.
func TestNothingStopsACall(t *testing.T) {
	k, _ := newTestKernel(t, done, accept(t, trusted("my-pack")))
	k.config.Recorder = bad{}
	if _, err := k.Dispatch(t.Context(), call("my-pack:run")); err != nil {
		t.Error(err)
	}
	k.config.Policy = func(context.Context, PolicyRequest) []PolicyVerdict { panic("x") }
	refused(t, k, call("my-pack:run"), CodePolicyDenied)
}

type bad struct{}

func (bad) Open(Receipt)  { panic("x") }
func (bad) Close(Receipt) { panic("x") }

// TestInternalTools are hidden from callers outside.
func TestInternalTools(t *testing.T) {
	k, _ := newTestKernel(t, done, accept(t, trusted("my-pack")+"    internal_only: true\n"))
	c := call("my-pack:run")
	if _, err := k.Dispatch(t.Context(), c); err != nil {
		t.Error(err)
	}
	c.External = true
	refused(t, k, c, CodeToolNotFound)
	_, hidden := k.Dispatch(t.Context(), c)
	c.Tool = "my-pack:rum"
	if _, absent := k.Dispatch(t.Context(), c); strings.ReplaceAll(absent.Error(), "rum", "run") != hidden.Error() {
		t.Errorf("a hidden tool can be told from one that is not there: %v, %v", hidden, absent)
	}
}

// TestPackPolicies are rules that a manifest brings along.
func TestPackPolicies(t *testing.T) {
	a, b := accept(t, trusted("a")), accept(t, trusted("b")+"policies:\n  - {id: never, trigger: on_tool_request, decision: deny}\n  - {id: later, trigger: on_claim, decision: deny}\n")
	k, _ := newTestKernel(t, done, a, b)
	refused(t, k, call("a:run"), CodePolicyDenied)
	mustRegister(t, k, done, a)
	if _, err := k.Dispatch(t.Context(), call("a:run")); err != nil {
		t.Error(err)
	}
}

// TestResolverIsAskedLast: nothing is resolved before the gate has let all in, and
// then only trusted code.
func TestResolverIsAskedLast(t *testing.T) {
	good := accept(t, trusted("good")+"capability_factory: c.ts\npolicy_factory: p.ts\n")
	boxed, plain, old := accept(t, isolatedText("box")), accept(t, base("plain", "1.0.0")), accept(t, "id: old\nversion: 1.0.0\ntask_types: [a]\n")
	adapters := vouch(t, NewRegistry(), good, boxed)
	k := must(NewKernel(Config{Host: hostWith(adapters)}))
	r := &resolver{handler: done}
	if err := k.Register(installed(old, good, boxed, plain), r); codes(err) != "PACK_CONTRACT_VERSION" || len(r.asked) != 0 {
		t.Errorf("%v, asked %v", err, r.asked)
	}
	if err := k.Register(installed(boxed, plain, good), r); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.asked, ", "); got != "good capability_factory, good policy_factory, good good:run" {
		t.Errorf("asked %s", got)
	}
	if got := strings.Join(k.Packs(), " "); got != "box good plain" {
		t.Errorf("packs %s", got)
	}
	if err := k.Register(installed(good), nil); err == nil || len(k.Packs()) != 3 {
		t.Errorf("registered without code: %v", err)
	}
	if err := k.Register(installed(nil), r); err == nil {
		t.Error("a nil pack was registered")
	}
	odd := accept(t, trusted("good")+"    input_schema: {type: object, allOf: []}\n")
	if err := k.Register(installed(odd), r); err == nil || !strings.Contains(err.Error(), "allOf") {
		t.Errorf("a schema outside the subset: %v", err)
	}
	for _, h := range []Host{{}, {Kernel: "6", Host: "6.0.0"}, {Kernel: "6.0.0", Host: "v6.0.0"}} {
		if _, err := NewKernel(Config{Host: h}); err == nil {
			t.Errorf("%+v is a host", h)
		}
		if _, err := ValidateRegistration(nil, h); err == nil {
			t.Errorf("%+v is a host", h)
		}
	}
}

// hostFunc is an isolated host.
type hostFunc func(context.Context, IsolatedRequest) (IsolatedResponse, error)

func (f hostFunc) Run(ctx context.Context, r IsolatedRequest) (IsolatedResponse, error) {
	return f(ctx, r)
}

func TestIsolatedHost(t *testing.T) {
	text := strings.Replace(isolatedText("box"), "  memory", "  network: {posture: allowlist, allowlist_entries: ['A.example:443', 'b.example:443']}\n  memory", 1) +
		"      - {type: network, posture: full}\n"
	p := accept(t, text)
	var next func(IsolatedRequest) (IsolatedResponse, error)
	adapters := NewRegistry()
	handle := func() { t.Error("the handle was called") }
	if err := adapters.Register(Registration{"isolated:box", Isolated, "box", handle}); err != nil {
		t.Fatal(err)
	}
	k := must(NewKernel(Config{Host: hostWith(adapters), Isolated: hostFunc(func(_ context.Context, r IsolatedRequest) (IsolatedResponse, error) { return next(r) })}))
	res := &resolver{handler: done}
	if err := k.Register([]Installed{{Parsed: p, Root: "/packs/box", Integrity: "sha256:00"}}, res); err != nil || len(res.asked) != 0 {
		t.Fatal(err, res.asked)
	}
	c := call("box:run")
	c.Layers.Lane = []Scope{PathScope("read", "data/in/**"), NetworkScope("allowlist", "a.example:443", "c.example:443")}
	var kept Grant
	next = func(r IsolatedRequest) (IsolatedResponse, error) {
		kept = r.Grant
		if r.PackID != "box" || r.Version != "1.0.0" || r.Integrity != "sha256:00" || r.AdapterID != "isolated:box" || r.Root != "/packs/box" ||
			r.Module != "tool-impl/run.ts" || r.Export != "run" || string(r.Input) != "{}" || !r.Authority.Valid() || r.Grant.MemoryMB != 16 {
			t.Errorf("%+v", r)
		}
		for path, want := range map[string]bool{"data/in/x": true, "data/x": false, "other": false, "data/in/.x": false} {
			if r.Grant.AllowsPath("read", path) != want || r.Grant.AllowsPath("write", path) {
				t.Errorf("%s", path)
			}
		}
		for address, want := range map[string]bool{"a.example:443": true, "A.EXAMPLE:443": true, "b.example:443": false, "c.example:443": false} {
			if r.Grant.AllowsAddress(address) != want {
				t.Errorf("%s", address)
			}
		}
		return IsolatedResponse{Output: Output{Success: true, Data: []byte(`{}`)}, Termination: Completed}, nil
	}
	if out, err := k.Dispatch(t.Context(), c); err != nil || !out.Success {
		t.Error(err)
	}
	if kept.AllowsPath("read", "data/in/x") || kept.AllowsAddress("a.example:443") {
		t.Error("the grant outlived its call")
	}
	for termination, want := range map[Termination]Code{"": CodeToolExecutionFailed, Trapped: CodeToolExecutionFailed, MemoryLimit: CodeIsolatedMemoryLimit,
		CPULimit: CodeIsolatedCPULimit, Cancelled: CodeIsolatedCancelled, Killed: CodeIsolatedKilled} {
		next = func(IsolatedRequest) (IsolatedResponse, error) {
			return IsolatedResponse{Output: Output{Success: true}, Termination: termination}, nil
		}
		refused(t, k, c, want)
	}
	next = func(IsolatedRequest) (IsolatedResponse, error) { panic("x") }
	refused(t, k, c, CodeToolExecutionFailed)
	next = func(IsolatedRequest) (IsolatedResponse, error) { return IsolatedResponse{}, errors.New("x") }
	refused(t, k, c, CodeToolExecutionFailed)
	next = UnavailableIsolatedHost{}.runAny
	refused(t, k, c, CodeIsolatedHostUnavailable)
}

func (h UnavailableIsolatedHost) runAny(r IsolatedRequest) (IsolatedResponse, error) {
	return h.Run(context.Background(), r)
}

func TestNetworkScopes(t *testing.T) {
	for entry, want := range map[string]string{"Api.Example:443": "api.example:443", "[::1]:80": "[::1]:80", "[FE80::1]:80": "[fe80::1]:80", "10.0.0.0/8": "10.0.0.0/8",
		"2001:DB8::/32": "2001:db8::/32", "1.2.3.4:65535": "1.2.3.4:65535", "localhost:1": "localhost:1"} {
		if got, ok := CanonicalEntry(entry); !ok || got != want {
			t.Errorf("%q: %q, %v", entry, got, ok)
		}
	}
	for _, entry := range []string{"", "a", "a:", ":80", "a:0", "a:65536", "a:080", "a:+80", "a:80x", "*.a:80", "*:80", "a b:80", "a;reboot:443", "$(x):1", "a/b:80", "http://a:80",
		"::1:80", "[::1]", "[::1%eth0]:80", "[1.2.3.4]:80", "10.0.0.0/33", "10.0.0/8", "a_b:80", "-a:80", "a-:80", "a..b:80", ".a:80", "a.:80", "010.0.0.1:80", "1.2.3:80", "0x7f.1:80", "ä:80", "a:８0", strings.Repeat("a", 64) + ":80"} {
		if got, ok := CanonicalEntry(entry); ok {
			t.Errorf("%q is %q", entry, got)
		}
	}
	off, full := []Scope{NetworkScope("off")}, []Scope{NetworkScope("full")}
	list := func(e ...string) []Scope { return []Scope{NetworkScope("allowlist", e...)} }
	for _, test := range []struct {
		layers  [4][]Scope
		posture string
		entries string
	}{
		{[4][]Scope{full, full, full, full}, "full", ""},
		{[4][]Scope{full, full, off, full}, "off", ""},
		{[4][]Scope{full, nil, full, full}, "off", ""},
		{[4][]Scope{full, list("a:1", "b:1"), list("b:1"), full}, "allowlist", "b:1"},
		{[4][]Scope{full, list("B:1", "a:1"), full, full}, "allowlist", "a:1 b:1"},
		{[4][]Scope{full, list("a:1"), list("b:1"), full}, "off", ""},
		{[4][]Scope{full, list("*:1"), full, full}, "off", ""},
		{[4][]Scope{full, append(list("a:1"), full...), full, full}, "allowlist", "a:1"},
		{[4][]Scope{full, append(off, list("a:1")...), full, full}, "allowlist", "a:1"},
	} {
		posture, entries := intersectNetwork(test.layers[:]...)
		if posture != test.posture || strings.Join(entries, " ") != test.entries {
			t.Errorf("%v: %s %v", test.layers, posture, entries)
		}
	}
	for _, test := range []struct {
		posture, entries, address string
		want                      bool
	}{
		{"full", "", "a:1", true}, {"full", "", "a", false}, {"off", "a:1", "a:1", false}, {"", "a:1", "a:1", false}, {"allowlist", "a:1", "A:1", true},
		{"allowlist", "10.0.0.0/8", "10.1.2.3:99", true}, {"allowlist", "10.0.0.0/8", "11.1.2.3:99", false}, {"allowlist", "10.0.0.0/8", "[::ffff:10.1.2.3]:99", true},
		{"allowlist", "10.0.0.0/8", "a:99", false}, {"allowlist", "2001:db8::/32", "[2001:db8::5]:1", true}, {"allowlist", "10.0.0.0/8", "10.0.0.0/8", false},
	} {
		if got := AllowsAddress(test.posture, strings.Fields(test.entries), test.address); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
	// A tool that asks for no network keeps that, whatever the layers say.
	k, _ := newTestKernel(t, done, accept(t, trusted("a")))
	if err := k.AddTool("a", ToolSpec{Name: "off", Scopes: off}, done); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Dispatch(t.Context(), Call{Tool: "off", Input: []byte("{}")}); err != nil {
		t.Error(err)
	}
}
