package pack

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func registry(t testing.TB, list []vectorRegistration) *Registry {
	t.Helper()
	r := NewRegistry()
	for _, v := range list {
		if err := r.Register(Registration{AdapterID: v.AdapterID, Tier: Tier(v.Tier), PackID: v.PackID}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (c vectorContext) hostOf(t testing.TB) Host {
	return Host{Kernel: c.Kernel, Host: c.Host, Adapters: registry(t, c.Registrations)}
}

// over replaces the members that a set's own context names.
func (c vectorContext) over(own *vectorContext) vectorContext {
	if own == nil {
		return c
	}
	if own.Kernel != "" {
		c.Kernel = own.Kernel
	}
	if own.Host != "" {
		c.Host = own.Host
	}
	if own.Registrations != nil {
		c.Registrations = own.Registrations
	}
	return c
}

func compareGate(t *testing.T, packs []*Parsed, host Host, verdict string, want []map[string]any) {
	t.Helper()
	got, err := ValidateRegistration(packs, host)
	if err != nil {
		t.Fatal(err)
	}
	var gotText, wantText []string
	for _, d := range got {
		members := []string{}
		if d.Code != CodeNamespaceDuplicate && d.Code != CodeDependencyCycle && d.Code != CodeToolDuplicate {
			members = append(members, "pack")
		}
		gotText = append(gotText, flat(t, d, members...))
	}
	for _, w := range want {
		wantText = append(wantText, canonical(t, w))
	}
	if !slices.Equal(gotText, wantText) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(gotText, "\n  "), strings.Join(wantText, "\n  "))
	}
	if got.HasErrors() != (verdict == "reject") {
		t.Errorf("verdict: %v, want %s", got.HasErrors(), verdict)
	}
	text := canonical(t, got)
	for range 100 {
		rand.Shuffle(len(packs), func(i, j int) { packs[i], packs[j] = packs[j], packs[i] })
		if again, _ := ValidateRegistration(packs, host); canonical(t, again) != text {
			t.Fatalf("another order of the packs, other diagnostics:\n%s\n%s", text, canonical(t, again))
		}
	}
}

func TestGateVectors(t *testing.T) {
	index := vectors(t)
	alone, sets := 0, 0
	for _, c := range index.Cases {
		if c.GateAlone == nil {
			continue
		}
		if t.Run(c.ID, func(t *testing.T) {
			p := ParseManifest(c.File, sharedFile(t, c.File))
			compareGate(t, []*Parsed{p}, index.Context.hostOf(t), c.GateAlone.Verdict, c.GateAlone.Errors)
		}) {
			alone++
		}
	}
	for _, s := range index.Sets {
		if t.Run(s.ID, func(t *testing.T) {
			var packs []*Parsed
			for _, file := range s.Files {
				packs = append(packs, ParseManifest(file, sharedFile(t, file)))
			}
			compareGate(t, packs, index.Context.over(s.Context).hostOf(t), s.Verdict, s.Errors)
		}) {
			sets++
		}
	}
	t.Logf("%d packs alone, %d of %d sets", alone, sets, len(index.Sets))
}
