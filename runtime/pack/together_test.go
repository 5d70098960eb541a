package pack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTogether holds that a set large enough for two processors is judged as the rules
// judge it one after the other, in whatever order its packs come.
func TestTogether(t *testing.T) {
	var packs []*Parsed
	for i := range sideBySide + 100 {
		id := fmt.Sprintf("pack-%05d", i)
		if i%500 == 0 {
			id = "pack-00007" // twice
		}
		text := base(id, fmt.Sprintf("1.%d.0", i))
		switch {
		case i%3 == 0:
			text = trusted(id)
			if i%333 == 0 {
				text = strings.Replace(text, id+":run", "shared:run", 1)
			}
		case i%701 == 0:
			text = "id: " + id + "\nversion: 1.0.0\ntask_types: [job]\n" // contract v1
		case i%703 == 0:
			text = "id: [\n"
		}
		if i%5 == 0 {
			text += fmt.Sprintf("namespaces: {command: [c%d], state: ['s:%d'], telemetry: [t%d]}\n", i%900, i, i%1100)
		}
		if i%2 == 0 {
			text += "depends_on:\n"
			for j := range 1 + i%6 { // more than a card has room for
				text += fmt.Sprintf("  - {id: pack-%05d, version_range: ^1.%d.0}\n", (i*7+j*131+1)%(sideBySide+110), j*900)
			}
		}
		packs = append(packs, ParseManifest(fmt.Sprintf("%d/manifest.yaml", i), []byte(text)))
	}
	var some []*Parsed
	for _, p := range packs[:sideBySide/2] {
		if p.Accepted() {
			some = append(some, p)
		}
	}
	host := hostWith(vouch(t, NewRegistry(), some...))
	host.Kernel = "6.0.0"
	rng := rand.New(rand.NewPCG(1, 2))
	var want Diagnostics
	for round := range 3 {
		g, err := newGate(packs, host)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range setRules {
			rule.check(g)
		}
		alone := g.out
		g.release()
		if g, err = newGate(packs, host); err != nil {
			t.Fatal(err)
		}
		g.together()
		if diff := cmp.Diff(alone, g.out); diff != "" {
			t.Fatalf("together the rules say something else:\n%s", diff)
		}
		if round == 0 {
			want = slices.Clone(alone)
			seen := map[Code]bool{}
			for _, d := range want {
				seen[d.Code] = true
			}
			for _, rule := range setRules {
				if rule.code != CodeKernelIncompatible && !seen[rule.code] {
					t.Errorf("no pack breaks the rule %s", rule.id)
				}
			}
		}
		g.release()
		if diff := cmp.Diff(want, alone); diff != "" {
			t.Fatalf("in another order the rules say something else:\n%s", diff)
		}
		rng.Shuffle(len(packs), func(i, j int) { packs[i], packs[j] = packs[j], packs[i] })
	}
}
