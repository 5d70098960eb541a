package pack

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func needs(id string, on ...string) string {
	text := base(id, "1.0.0") + "depends_on: ["
	for _, d := range on {
		text += "{id: " + d + ", version_range: ^1.0.0}, "
	}
	return text + "]\n"
}

func TestCycles(t *testing.T) {
	tests := []struct{ name, packs, want string }{
		{"none", "a:b b:c c:", ""},
		{"two", "b:a a:b", "a -> b -> a"},
		{"three", "c:a b:c a:b", "a -> b -> c -> a"},
		{"leads in", "x:a a:b b:a", "a -> b -> a"},
		{"shortest", "a:b,c b:d c:a d:a", "a -> c -> a"},
		{"first of equals", "a:c,b b:d c:d d:a", "a -> b -> d -> a"},
		{"two groups", "a:b b:a,c c:d d:c", "a -> b -> a; c -> d -> c"},
		{"one group of two rings", "a:b b:a,c c:b", "a -> b -> a"},
		{"ring that skips its smallest", "a:b b:c c:b,d d:a", "a -> b -> c -> d -> a"},
		{"broken", "a:b b:ghost", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var packs []*Parsed
			for _, f := range strings.Fields(test.packs) {
				id, on, _ := strings.Cut(f, ":")
				packs = append(packs, accept(t, needs(id, strings.FieldsFunc(on, func(r rune) bool { return r == ',' })...)))
			}
			list, err := ValidateRegistration(packs, hostWith(nil))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range list {
				if d.Code == CodeDependencyCycle {
					got = append(got, strings.Join(d.Data.Cycle, " -> "))
					if !strings.Contains(d.Message, got[len(got)-1]) {
						t.Errorf("%q does not print the cycle", d.Message)
					}
				}
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestGateRejectedManifests: they close the gate, come first, and count as there.
func TestGateRejectedManifests(t *testing.T) {
	bad := ParseManifest("bad.yaml", []byte(strings.Replace(needs("bad"), "kernel: ^6.0.0", "kernel: x y", 1)))
	none := ParseManifest("none.yaml", []byte("- a\n"))
	good := accept(t, needs("good", "bad"))
	list, err := ValidateRegistration([]*Parsed{good, bad, none, accept(t, needs("lost", "ghost"))}, hostWith(nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := codes(list); got != "PACK_SCHEMA PACK_RANGE_INVALID PACK_DEPENDENCY_MISSING" {
		t.Errorf("%s\n%v", got, list)
	}
	if list[2].Pack != "lost" || list[2].Line == 0 {
		t.Errorf("%+v", list[2])
	}
}

func TestGateDuplicates(t *testing.T) {
	low, high := accept(t, base("a", "1.0.0")), accept(t, base("a", "2.0.0"))
	user := accept(t, needs("user", "a"))
	list, _ := ValidateRegistration([]*Parsed{high, user, low}, hostWith(nil))
	if codes(list) != "PACK_DUPLICATE_ID" {
		t.Errorf("the lowest version is not what counts: %v", list)
	}
	same, _ := ValidateRegistration([]*Parsed{low, low}, hostWith(nil))
	if codes(same) != "PACK_DUPLICATE_ID" {
		t.Errorf("%v", same)
	}
	v1 := accept(t, "id: a\nversion: 1.5.0\ntask_types: [x]\n")
	mixed, _ := ValidateRegistration([]*Parsed{v1, user, high}, hostWith(nil))
	if codes(mixed) != "PACK_DUPLICATE_ID PACK_CONTRACT_VERSION" {
		t.Errorf("%v", mixed)
	}
}

// TestGateManyPacks: ten thousand packs with everything wrong, in any order.
func TestGateManyPacks(t *testing.T) {
	if testing.Short() {
		t.Skip("reads ten thousand manifests")
	}
	const n = 10_000
	packs := make([]*Parsed, n)
	for i := range packs {
		packs[i] = accept(t, strings.Replace(trusted(fmt.Sprintf("p%05d", i)), "^6.0.0", "^5.0.0", 1)+
			fmt.Sprintf("depends_on: [{id: p%05d, version_range: ^2.0.0}, {id: ghost, version_range: '*'}]\nnamespaces: {command: [same], state: [s%d]}\n", (i+1)%n, i/2))
	}
	start := time.Now()
	list, err := ValidateRegistration(packs, hostWith(nil))
	took := time.Since(start)
	if err != nil || len(list) != n+2*n+1+1+n/2+n {
		t.Fatal(err, len(list))
	}
	if took > 200*time.Second {
		t.Errorf("took %v", took)
	}
	text := list.Error()
	rand.Shuffle(n, func(i, j int) { packs[i], packs[j] = packs[j], packs[i] })
	if again, _ := ValidateRegistration(packs, hostWith(nil)); again.Error() != text {
		t.Error("another order, other diagnostics")
	}
	t.Logf("%d diagnostics in %v", len(list), took)
}
