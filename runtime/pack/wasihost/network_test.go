package wasihost

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/pack"
)

// server answers each line with its own; one that says nothing is never answered.
func server(t *testing.T) (address string, reached *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	reached = new(atomic.Int64)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			go func() {
				defer c.Close()
				if line, err := bufio.NewReader(c).ReadString('\n'); err == nil {
					fmt.Fprint(c, "pong to "+line)
				}
			}()
		}
	}()
	return l.Addr().String(), reached
}

func networker(t *testing.T, target string, files ...string) (component, Options) {
	t.Helper()
	data, err := network()
	if err != nil {
		t.Skipf("go cannot build for wasip1 here: %v", err)
	}
	c := ask(t)
	c.module, c.env, c.clock = data, []string{"TARGET", "FILES"}, true
	return c, Options{LookupEnv: func(name string) (string, bool) {
		return map[string]string{"TARGET": target, "FILES": strings.Join(files, " ")}[name], true
	}}
}

// There is no way to the network, though the server that the component looks for is
// there.
func TestNoNetwork(t *testing.T) {
	address, reached := server(t)
	c, opt := networker(t, address, address)
	opt.Dial = (&net.Dialer{}).DialContext // for others: this component's posture is off
	for i, answer := range answers(t, hostAt(t, opt), c) {
		if !refused(answer) {
			t.Errorf("way %d: %s", i, answer)
		}
	}
	if reached.Load() > 0 {
		t.Error("the server was reached")
	}
}

// A component reaches what is on its list, by name of the file, and nothing else.
func TestAllowlist(t *testing.T) {
	address, reached := server(t)
	other, otherReached := server(t)
	_, port, _ := net.SplitHostPort(address)
	c, opt := networker(t, other, address, other, "localhost:"+port, "../../"+other, address+"/", "127.0.0.1:"+port+"/x", "127.0.0.1", ":"+port)
	c.dials = func(a string) bool { return a == address }
	opt.Dial = (&net.Dialer{}).DialContext
	got := answers(t, hostAt(t, opt), c)[4:]
	for i, answer := range got {
		if i == 0 && answer != "pong to ping\n" || i > 0 && !refused(answer) && !(i == 4 && answer == "pong to ping\n") {
			t.Errorf("file %d: %q", i, answer)
		}
	}
	if reached.Load() == 0 || otherReached.Load() > 0 {
		t.Errorf("%d and %d connections", reached.Load(), otherReached.Load())
	}
}

// A component that waits for the network ends when its time does.
func TestNetworkEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	for name, dial := range map[string]func(context.Context, string, string) (net.Conn, error){
		"no answer":     (&net.Dialer{}).DialContext,
		"no connection": func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() },
	} {
		c, opt := networker(t, "127.0.0.1:1", l.Addr().String())
		c.dials, c.time = func(string) bool { return true }, 3*time.Second
		opt.Dial = dial
		start := time.Now()
		if o := hostAt(t, opt).run(t.Context(), c); o.termination != pack.CPULimit || time.Since(start) > 300*time.Second {
			t.Errorf("%s: %s after %v: %s", name, o.termination, time.Since(start), o.reason)
		}
	}
}

// The kernel's grant decides: capabilities and scopes must both list the address.
func TestGrantedNetwork(t *testing.T) {
	address, _ := server(t)
	for allowed, want := range map[string]bool{address: true, "127.0.0.1:1": false} {
		_, opt := networker(t, address, address)
		opt.Dial = (&net.Dialer{}).DialContext
		k := kernelOf(t, hostAt(t, opt), networkManifest(address, allowed), map[string][]byte{"net.wasm": must(network())}, nil)
		layer := []pack.Scope{pack.NetworkScope("full")}
		out, err := k.Dispatch(t.Context(), pack.Call{Tool: "box:net", Input: []byte("{}"), Layers: pack.Layers{Workspace: layer, Lane: layer, Task: layer}})
		if err != nil {
			if want {
				t.Errorf("%s: %v", allowed, err)
			}
			continue
		}
		if got := strings.Contains(string(out.Data), "pong"); got != want {
			t.Errorf("%s: %s", allowed, out.Data)
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func networkManifest(capability, scope string) string {
	return `id: box
version: 1.0.0
contract_version: 2
publisher: {id: acme, name: Acme}
compatibility: {kernel: ^6.0.0, host: ^6.0.0}
trust_tier: isolated
adapter_id: isolated:box
capabilities:
  network: {posture: allowlist, allowlist_entries: ['` + capability + `']}
  env: [TARGET, FILES]
  clock: {readable: true}
  memory: {limit_mb: 64}
  cpu: {time_limit_ms: 20000}
task_types: [t]
tools:
  - name: box:net
    entry: net.wasm
    required_scopes: [{type: network, posture: allowlist, allowlist_entries: ['` + scope + `']}]
`
}
