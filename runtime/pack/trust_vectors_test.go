package pack

import (
	"context"
	"testing"
)

func TestTrustVectors(t *testing.T) {
	index := vectors(t)
	passed, dispatched := 0, 0
	for _, row := range index.Trust {
		if !t.Run(row.ID, func(t *testing.T) {
			p := ParseManifest(row.File, sharedFile(t, row.File))
			list := index.Context.Registrations
			if row.Registrations != nil {
				list = row.Registrations
			}
			adapters := registry(t, list)
			d := Decide(p.Manifest(), adapters)
			if d.Allowed != row.Decision.Allowed || string(d.Tier) != row.Decision.Tier || string(d.Code) != row.Decision.Code {
				t.Errorf("decision %+v, want %+v", d, row.Decision)
			}
			if row.Dispatch == nil {
				return
			}
			dispatched++
			// The gate has let the pack in some time ago, and now the row's registry rules.
			invoked := false
			k, _ := newTestKernel(t, func(context.Context, ExecutionAuthority, []byte) (Output, error) {
				invoked = true
				return Output{Success: true}, nil
			}, p)
			k.config.Host.Adapters = adapters
			tool := "host:tool"
			if tools := p.Manifest().Tools(); len(tools) > 0 {
				tool = tools[0].Name
			} else if err := k.AddTool(p.ID, ToolSpec{Name: tool, Scopes: []Scope{NetworkScope("off")}}, func(context.Context, ExecutionAuthority, []byte) (Output, error) {
				invoked = true
				return Output{Success: true}, nil
			}); err != nil {
				t.Fatal(err)
			}
			c := &dispatch{k: k, call: call(tool), tool: k.lookup(tool)}
			g := c.grant()
			g.Pack = row.Dispatch.AuthorityPack
			auth := k.live.Mint(g)
			switch row.Dispatch.Authority {
			case "minted":
			case "zero":
				auth = ExecutionAuthority{}
			case "stale":
				k.live.End(auth)
			case "forged":
				other, _ := newTestKernel(t, done, p)
				auth = other.live.Mint(g)
			default:
				t.Fatalf("authority %q", row.Dispatch.Authority)
			}
			_, refusal := c.invoke(t.Context(), auth)
			code := ""
			if refusal != nil {
				code = string(refusal.Code)
			}
			if code != row.Dispatch.Code || invoked != row.Dispatch.Invoked {
				t.Errorf("code %q, invoked %v; want %+v", code, invoked, row.Dispatch)
			}
			if refusal != nil && refusal.Code == CodeTrustDenied && string(refusal.Cause) != row.Decision.Code {
				t.Errorf("the refusal names %q", refusal.Cause)
			}
		}) {
			continue
		}
		passed++
	}
	t.Logf("%d of %d rows, %d of them dispatched", passed, len(index.Trust), dispatched)
}
