package pack

import (
	"fmt"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/testkit/race"
)

// bench packs: a chain of dependencies, half of them trusted with a tool, each
// with namespaces.
func manyPacks(tb testing.TB, n int) ([]*Parsed, *Registry) {
	tb.Helper()
	var packs []*Parsed
	for i := range n {
		id := fmt.Sprintf("pack-%05d", i)
		text := base(id, "1.2.3")
		if i%2 == 0 {
			text = trusted(id)
		}
		text += fmt.Sprintf("namespaces: {command: [c%d], state: ['s:%d'], telemetry: [t%d]}\n", i, i, i)
		if i > 0 {
			text += fmt.Sprintf("depends_on:\n  - {id: pack-%05d, version_range: ^1.0.0}\n  - {id: pack-%05d, version_range: '>=1 <3'}\n", i-1, i/2+n)
		}
		packs = append(packs, accept(tb, text))
	}
	for i := n; i < n+n/2+1; i++ {
		packs = append(packs, accept(tb, base(fmt.Sprintf("pack-%05d", i), "2.0.0")))
	}
	return packs, vouch(tb, NewRegistry(), packs...)
}

func BenchmarkGate(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		packs, adapters := manyPacks(b, n*2/3)
		packs = packs[:n:n]
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				found, err := ValidateRegistration(packs, hostWith(adapters))
				if err != nil || len(found) > 0 {
					b.Fatal(err, found)
				}
			}
		})
	}
}

// BenchmarkGateRatio reports how much longer ten times as many packs take, each
// side by its fastest run, so that what else the machine does counts little.
func BenchmarkGateRatio(b *testing.B) {
	small, adaptersSmall := manyPacks(b, 666)
	large, adaptersLarge := manyPacks(b, 6_666)
	run := func(packs []*Parsed, adapters *Registry) time.Duration {
		start := time.Now()
		if found, err := ValidateRegistration(packs, hostWith(adapters)); err != nil || len(found) > 0 {
			b.Fatal(err, found)
		}
		return time.Since(start)
	}
	few, many := time.Hour, time.Hour
	for b.Loop() {
		for range 10 {
			few = min(few, run(small, adaptersSmall))
		}
		many = min(many, run(large, adaptersLarge))
	}
	b.ReportMetric(float64(many)/float64(few), "ratio")
	b.ReportMetric(float64(few)/1e6, "ms/1000")
	b.ReportMetric(float64(many)/1e6, "ms/10000")
}

// BenchmarkGateCycle is the gate over one cycle through all packs, and every pack
// denied.
func BenchmarkGateCycle(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		var packs []*Parsed
		for i := range n {
			text := trusted(fmt.Sprintf("pack-%05d", i)) + fmt.Sprintf("depends_on: [{id: pack-%05d, version_range: ^1.0.0}]\n", (i+1)%n)
			packs = append(packs, accept(b, text))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				found, err := ValidateRegistration(packs, hostWith(nil))
				if err != nil || len(found) != n+1 {
					b.Fatal(err, len(found))
				}
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	p := accept(b, trusted("my-pack"))
	m, adapters := p.Manifest(), vouch(b, NewRegistry(), p)
	b.ReportAllocs()
	for b.Loop() {
		if d := Decide(m, adapters); !d.Allowed {
			b.Fatal(d)
		}
	}
}

func BenchmarkAuthorize(b *testing.B) {
	p := accept(b, trusted("my-pack"))
	k, _ := newTestKernel(b, done, p)
	auth := k.live.Mint((&dispatch{k: k, tool: k.lookup("my-pack:run")}).grant())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Authorize(auth, "my-pack:run"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDispatch(b *testing.B) {
	k, _ := newTestKernel(b, done, accept(b, trusted("my-pack")))
	c := call("my-pack:run")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Dispatch(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseManifest(b *testing.B) {
	text := []byte(trusted("my-pack"))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if !ParseManifest("manifest.yaml", text).Accepted() {
			b.Fatal()
		}
	}
}

// TestNoAllocations holds what runs for every call to no garbage.
func TestNoAllocations(t *testing.T) {
	race.SkipAllocations(t)
	p := accept(t, trusted("my-pack"))
	k, adapters := newTestKernel(t, done, p)
	auth := k.live.Mint((&dispatch{k: k, tool: k.lookup("my-pack:run")}).grant())
	m := p.Manifest()
	if n := testing.AllocsPerRun(100, func() { Decide(m, adapters) }); n != 0 {
		t.Errorf("a trust decision allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = k.Authorize(auth, "my-pack:run") }); n != 0 {
		t.Errorf("the per-call check allocates %v times", n)
	}
}
