package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// Host is what the gate has to know about the program that asks.
type Host struct {
	Kernel   string    // running kernel version, strict SemVer
	Host     string    // running host version, strict SemVer
	Adapters *Registry // nil vouches for nothing
}

// ValidateRegistration is the gate: it looks at every pack that a host is about to
// register and returns everything that is wrong with any of them. Without errors
// all may register; with one, none may. It has no side effects, reads no files and
// touches no handle, and its result does not depend on the order of packs.
//
// packs has one entry a manifest, rejected manifests included: their diagnostics
// come first and close the gate. Then come, each by pack id: duplicate ids,
// contract versions, kernel and host ranges, dependencies and their cycles,
// namespaces and tool names, trust. Warnings of accepted manifests are not
// repeated.
//
// The error is about the host: a running version that is none, or a nil pack.
func ValidateRegistration(packs []*Parsed, host Host) (Diagnostics, error) {
	g, err := newGate(packs, host)
	if err != nil {
		return nil, err
	}
	// One pass over the packs asks all rules about each: ten thousand manifests do
	// not fit into a processor's cache.
	for i, p := range g.v2 {
		for g.rule = range setRules {
			if each := setRules[g.rule].each; each != nil {
				each(g, i, p)
			}
		}
	}
	for g.rule = range setRules {
		if all := setRules[g.rule].all; all != nil {
			all(g)
		}
		g.out = append(g.out, g.found[g.rule]...)
	}
	return g.out, nil
}

// setRule is a rule over all packs of a host; schemas/pack/invariants.md lists
// them with the CEL expression that each is to become. each is called for every
// pack of contract v2, in order; all after that, for the whole set.
type setRule struct {
	id   string
	code Code
	each func(g *gate, i int, p *Parsed) // i is the pack's index in g.v2
	all  func(*gate)
}

// setRules in the order of their diagnostics.
var setRules = [...]setRule{
	{"ids-unique", CodeDuplicateID, nil, checkIDs},
	{"contract-two", CodeContractVersion, nil, checkContracts},
	{"running-versions", CodeKernelIncompatible, checkRunning, nil},
	{"dependencies-installed", CodeDependencyMissing, checkDependencies, nil},
	{"dependencies-acyclic", CodeDependencyCycle, nil, checkCycles},
	{"namespaces-unique", CodeNamespaceDuplicate, claimNamespaces, checkNamespaces},
	{"tools-unique", CodeToolDuplicate, claimTools, checkTools},
	{"trust", CodeTrustAdapterUnregistered, checkTrust, nil},
}

// gate is one run of ValidateRegistration. Packs are sorted, so that nothing
// depends on the order in which they came.
type gate struct {
	host         Host
	kernel, live semrange.Version
	packs        []*Parsed              // all
	accepted     []*Parsed              // both contracts
	v2           []*Parsed              // accepted, contract v2
	at           map[name]int32         // by id, into packs: the lowest accepted version, else a rejected pack
	needs        [][]int32              // for each of v2 and each of its dependencies: into packs, or -1
	claimed      [claimKinds + 1]owners // the last of tools
	rule         int                    // the one at work
	found        []Diagnostics          // by rule
	out          Diagnostics
}

func newGate(packs []*Parsed, host Host) (*gate, error) {
	g := &gate{host: host, at: make(map[name]int32, len(packs))}
	var err error
	if g.kernel, err = semrange.ParseVersion(host.Kernel); err != nil {
		return nil, fmt.Errorf("running kernel version: %w", err)
	}
	if g.live, err = semrange.ParseVersion(host.Host); err != nil {
		return nil, fmt.Errorf("running host version: %w", err)
	}
	if slices.Contains(packs, nil) {
		return nil, fmt.Errorf("a pack is nil")
	}
	g.packs = slices.Clone(packs)
	slices.SortFunc(g.packs, comparePacks)
	for i, p := range g.packs {
		id := p.name()
		have, known := g.at[id]
		// Packs of one id come lowest version first.
		if p.id != "" && (!known || g.packs[have].manifest == nil) {
			g.at[id] = int32(i)
		}
		if p.manifest == nil {
			g.out = append(g.out, p.Diagnostics...)
			if !p.Diagnostics.HasErrors() {
				// A Parsed that did not come from ParseManifest, or was tampered with.
				g.out = append(g.out, Diagnostic{Code: CodeManifestUnreadable, Severity: Error, Pack: p.id, File: p.File,
					Message: "a manifest that was not accepted cannot be registered", Hint: "read it with ParseManifest"})
			}
			continue
		}
		g.accepted = append(g.accepted, p)
		if p.manifest.contract == 2 {
			g.v2 = append(g.v2, p)
		}
	}
	g.needs = make([][]int32, len(g.v2))
	g.found = make([]Diagnostics, len(setRules))
	return g, nil
}

// name returns the interned id of a pack.
func (p *Parsed) name() name {
	if p.manifest != nil {
		return p.manifest.card.id
	}
	return unique.Make(p.id)
}

// comparePacks orders by id, version, and then by what is left, so that two packs
// compare equal only when they are the same.
func comparePacks(a, b *Parsed) int {
	if c := strings.Compare(a.id, b.id); c != 0 {
		return c
	}
	m, n := a.manifest.get(), b.manifest.get()
	if c := cmp.Or(m.version.Compare(n.version), strings.Compare(m.versionText, n.versionText),
		strings.Compare(a.File, b.File), bytes.Compare(m.doc, n.doc)); c != 0 {
		return c
	}
	return strings.Compare(a.Diagnostics.Error(), b.Diagnostics.Error())
}

// report adds an error about one pack, at a place of its manifest.
func (g *gate) report(p *Parsed, at tree.Pos, d Diagnostic) {
	d.Severity, d.Pack, d.File = Error, p.id, p.File
	d.Line, d.Col = at.Line, at.Col
	g.add(d)
}

func (g *gate) add(d Diagnostic) { g.found[g.rule] = append(g.found[g.rule], d) }

func checkIDs(g *gate) {
	for i := 0; i < len(g.packs); {
		j := i + 1
		for j < len(g.packs) && g.packs[j].id == g.packs[i].id {
			j++
		}
		if j-i > 1 && g.packs[i].id != "" {
			var files []string
			for _, p := range g.packs[i:j] {
				files = append(files, quote(p.File))
			}
			g.report(g.packs[i], g.packs[i].manifest.get().places.id, Diagnostic{Code: CodeDuplicateID, Path: "/id",
				Message: strconv.Itoa(j-i) + " packs have the id " + quote(g.packs[i].id) + ": " + some(files),
				Hint:    "install one of them"})
		}
		i = j
	}
}

func checkContracts(g *gate) {
	for _, p := range g.accepted {
		if p.manifest.contract != 2 {
			g.report(p, p.manifest.places.contract, Diagnostic{Code: CodeContractVersion, Path: "/contract_version",
				Message: "Pack " + quote(p.id) + " declares no contract_version, so it follows contract v1; it must be the number 2",
				Hint:    upgradeHint})
		}
	}
}

func checkRunning(g *gate, _ int, p *Parsed) {
	m := p.manifest
	g.running(p, m.places.kernel, CodeKernelIncompatible, "kernel", m.card.kernel, g.kernel, g.host.Kernel)
	g.running(p, m.places.host, CodeHostIncompatible, "host", m.card.host, g.live, g.host.Host)
}

func (g *gate) running(p *Parsed, at tree.Pos, code Code, what string, r *semrange.Range, v semrange.Version, text string) {
	if r.Contains(v) {
		return
	}
	g.report(p, at, Diagnostic{Code: code, Path: "/compatibility/" + what, Data: Data{Range: r.String(), Running: text},
		Message: "Pack " + quote(p.id) + " works with " + what + " versions " + quote(r.String()) + "; " + quote(text) + " is running",
		Hint:    "install a version of the pack for this " + what + ", or widen the range if it does work"})
}

func checkDependencies(g *gate, n int, p *Parsed) {
	m := p.manifest
	if len(m.card.needs) == 0 {
		return
	}
	g.needs[n] = make([]int32, len(m.card.needs))
	for i := range m.card.needs {
		d := &m.card.needs[i]
		to, there := g.at[d.id]
		if !there {
			g.needs[n][i] = -1
			g.report(p, m.places.needs[i].id, Diagnostic{Code: CodeDependencyMissing, Path: index("/depends_on", i, "/id"),
				Data:    Data{Dependency: d.id.Value(), Range: d.versions.String()},
				Message: "Pack " + quote(p.id) + " needs the pack " + quote(d.id.Value()) + " in a version of " + quote(d.versions.String()) + ", which is not installed",
				Hint:    "install it, or remove the dependency"})
			continue
		}
		g.needs[n][i] = to
		if have := g.packs[to].manifest; have != nil && !d.versions.Contains(have.version) {
			g.report(p, m.places.needs[i].versions, Diagnostic{Code: CodeDependencyVersion, Path: index("/depends_on", i, "/version_range"),
				Data: Data{Dependency: d.id.Value(), Range: d.versions.String(), Installed: have.versionText},
				Message: "Pack " + quote(p.id) + " needs the pack " + quote(d.id.Value()) + " in a version of " + quote(d.versions.String()) +
					"; " + quote(have.versionText) + " is installed",
				Hint: "install another version of one of the two"})
		}
	}
}

// owners finds the names that several packs claim.
type owners struct {
	first  map[name]int32     // the first pack, by index into v2
	shared map[string][]int32 // all packs, where there are several
}

// claim notes the names that the pack i has; packs come in order of their ids.
func (g *gate) claim(kind, i int, p *Parsed) {
	names := p.manifest.card.kind(kind)
	if len(names) == 0 {
		return
	}
	o := &g.claimed[kind]
	if o.first == nil {
		o.first = make(map[name]int32, len(g.v2)-i)
	}
	for _, n := range names {
		first, claimed := o.first[n]
		switch {
		case !claimed:
			o.first[n] = int32(i)
		case g.v2[first].id != p.id:
			o.share(n.Value(), first, int32(i))
		}
	}
}

func (o *owners) share(text string, first, i int32) {
	if o.shared == nil {
		o.shared = map[string][]int32{}
	}
	if o.shared[text] == nil {
		o.shared[text] = []int32{first}
	}
	o.shared[text] = append(o.shared[text], i)
}

// eachShared calls report for every shared name in order, with the ids of its packs.
func (g *gate) eachShared(kind int, report func(text string, ids []string)) {
	shared := g.claimed[kind].shared
	for _, text := range slices.Sorted(maps.Keys(shared)) {
		var ids []string
		for _, i := range shared[text] {
			ids = append(ids, g.v2[i].id)
		}
		report(text, slices.Compact(ids))
	}
}

func claimNamespaces(g *gate, i int, p *Parsed) {
	for kind := range claimKinds {
		g.claim(kind, i, p)
	}
}

func checkNamespaces(g *gate) {
	for kind, what := range claimNames {
		g.eachShared(kind, func(text string, ids []string) {
			g.add(Diagnostic{Code: CodeNamespaceDuplicate, Severity: Error,
				Data:    Data{Kind: what, Namespace: text, Packs: ids},
				Message: "The " + what + " namespace " + quote(text) + " is claimed by " + quoted(ids),
				Hint:    "keep one of the packs, or have the others claim another name"})
		})
	}
}

func claimTools(g *gate, i int, p *Parsed) { g.claim(claimKinds, i, p) }

func checkTools(g *gate) {
	g.eachShared(claimKinds, func(text string, ids []string) {
		g.add(Diagnostic{Code: CodeToolDuplicate, Severity: Error, Data: Data{Tool: text, Packs: ids},
			Message: "The tool " + quote(text) + " is declared by " + quoted(ids),
			Hint:    "keep one of the packs, or have the others name their tools otherwise"})
	})
}

func checkTrust(g *gate, _ int, p *Parsed) {
	if p.manifest.tier == Declarative {
		return
	}
	if d, e := decide(p.manifest, g.host.Adapters); !d.Allowed {
		g.report(p, p.manifest.places.adapter, trustDiagnostic(d, e))
	}
}

// trustDiagnostic words a denial; e is what was registered, nil for nothing.
func trustDiagnostic(d Decision, e *entry) Diagnostic {
	out := Diagnostic{Code: d.Code, Path: "/adapter_id", Data: Data{AdapterID: d.AdapterID},
		Message: "Pack " + quote(d.PackID) + " declares adapter_id " + quote(d.AdapterID) + ",\n"}
	switch d.Code {
	case CodeTrustAdapterUnregistered:
		out.Message += "which is not registered with the host."
		out.Hint = "only the host's own start-up code can register it; nothing in a pack does"
	case CodeTrustTierMismatch:
		out.Message += "which is registered for the tier " + quote(string(e.Tier)) + ", not for its tier " + quote(string(d.Tier)) + "."
		out.Hint = "register the adapter for the pack's tier, if the host is to vouch for it"
	case CodeTrustPackMismatch:
		out.Message += "which vouches for the pack " + quote(e.PackID) + " and for no other."
		out.Hint = "an adapter vouches for one pack; the host has to register one for this pack, if it trusts it"
	}
	return out
}

// quoted lists ids for people.
func quoted(ids []string) string {
	var list []string
	for _, id := range ids[:min(len(ids), maxListed+1)] {
		list = append(list, quote(id))
	}
	if n := len(ids) - maxListed; n > 0 {
		return strings.Join(list[:maxListed], ", ") + " and " + strconv.Itoa(n) + " more"
	}
	return strings.Join(list, ", ")
}

const maxListed = 10

// some joins texts, leaving the later ones of a long list out.
func some(list []string) string {
	if n := len(list) - maxListed; n > 0 {
		return strings.Join(list[:maxListed], ", ") + " and " + strconv.Itoa(n) + " more"
	}
	return strings.Join(list, ", ")
}
