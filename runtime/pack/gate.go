package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	for _, rule := range setRules {
		rule.check(g)
	}
	return g.out, nil
}

// setRule is a rule over all packs of a host; schemas/pack/invariants.md lists
// them with the CEL expression that each is to become.
type setRule struct {
	id    string
	code  Code
	check func(*gate)
}

// setRules in the order of their diagnostics.
var setRules = []setRule{
	{"ids-unique", CodeDuplicateID, checkIDs},
	{"contract-two", CodeContractVersion, checkContracts},
	{"running-versions", CodeKernelIncompatible, checkRunning},
	{"dependencies-installed", CodeDependencyMissing, checkDependencies},
	{"dependencies-acyclic", CodeDependencyCycle, checkCycles},
	{"namespaces-unique", CodeNamespaceDuplicate, checkNamespaces},
	{"tools-unique", CodeToolDuplicate, checkTools},
	{"trust", CodeTrustAdapterUnregistered, checkTrust},
}

// gate is one run of ValidateRegistration. Packs are sorted, so that nothing
// depends on the order in which they came.
type gate struct {
	host         Host
	kernel, live semrange.Version
	packs        []*Parsed            // all
	accepted     []*Parsed            // both contracts
	v2           []*Parsed            // accepted, contract v2
	installed    map[string]*Manifest // by id; nil for a pack that was rejected
	out          Diagnostics
}

func newGate(packs []*Parsed, host Host) (*gate, error) {
	g := &gate{host: host, installed: make(map[string]*Manifest, len(packs))}
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
	for _, p := range g.packs {
		if p.manifest == nil {
			g.out = append(g.out, p.Diagnostics...)
			if !p.Diagnostics.HasErrors() {
				// A Parsed that did not come from ParseManifest, or was tampered with.
				g.out = append(g.out, Diagnostic{Code: CodeManifestUnreadable, Severity: Error, Pack: p.id, File: p.File,
					Message: "a manifest that was not accepted cannot be registered", Hint: "read it with ParseManifest"})
			}
			if _, known := g.installed[p.id]; !known && p.id != "" {
				g.installed[p.id] = nil
			}
			continue
		}
		g.accepted = append(g.accepted, p)
		if p.manifest.contract == 2 {
			g.v2 = append(g.v2, p)
		}
		// Packs of one id come lowest version first.
		if have := g.installed[p.id]; have == nil {
			g.installed[p.id] = p.manifest
		}
	}
	return g, nil
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
func (g *gate) report(p *Parsed, d Diagnostic) {
	d.Severity, d.Pack, d.File = Error, p.id, p.File
	d.Line, d.Col = p.Position(d.Path)
	g.out = append(g.out, d)
}

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
			g.report(g.packs[i], Diagnostic{Code: CodeDuplicateID, Path: "/id",
				Message: strconv.Itoa(j-i) + " packs have the id " + quote(g.packs[i].id) + ": " + some(files),
				Hint:    "install one of them"})
		}
		i = j
	}
}

func checkContracts(g *gate) {
	for _, p := range g.accepted {
		if p.manifest.contract != 2 {
			g.report(p, Diagnostic{Code: CodeContractVersion, Path: "/contract_version",
				Message: "Pack " + quote(p.id) + " declares no contract_version, so it follows contract v1; it must be the number 2",
				Hint:    upgradeHint})
		}
	}
}

func checkRunning(g *gate) {
	for _, p := range g.v2 {
		g.running(p, CodeKernelIncompatible, "kernel", p.manifest.kernel, g.kernel, g.host.Kernel)
		g.running(p, CodeHostIncompatible, "host", p.manifest.host, g.live, g.host.Host)
	}
}

func (g *gate) running(p *Parsed, code Code, what string, r semrange.Range, v semrange.Version, text string) {
	if r.Contains(v) {
		return
	}
	g.report(p, Diagnostic{Code: code, Path: "/compatibility/" + what, Data: Data{Range: r.String(), Running: text},
		Message: "Pack " + quote(p.id) + " works with " + what + " versions " + quote(r.String()) + "; " + quote(text) + " is running",
		Hint:    "install a version of the pack for this " + what + ", or widen the range if it does work"})
}

func checkDependencies(g *gate) {
	for _, p := range g.v2 {
		for i, d := range p.manifest.dependsOn {
			have, there := g.installed[d.ID]
			switch {
			case !there:
				g.report(p, Diagnostic{Code: CodeDependencyMissing, Path: index("/depends_on", i, "/id"),
					Data:    Data{Dependency: d.ID, Range: d.Range.String()},
					Message: "Pack " + quote(p.id) + " needs the pack " + quote(d.ID) + " in a version of " + quote(d.Range.String()) + ", which is not installed",
					Hint:    "install it, or remove the dependency"})
			case have != nil && !d.Range.Contains(have.version):
				g.report(p, Diagnostic{Code: CodeDependencyVersion, Path: index("/depends_on", i, "/version_range"),
					Data: Data{Dependency: d.ID, Range: d.Range.String(), Installed: have.versionText},
					Message: "Pack " + quote(p.id) + " needs the pack " + quote(d.ID) + " in a version of " + quote(d.Range.String()) +
						"; " + quote(have.versionText) + " is installed",
					Hint: "install another version of one of the two"})
			}
		}
	}
}

// owners lists the packs by what they claim.
type owners map[string][]string

// add notes a claim; packs come in order of their ids.
func (o owners) add(name, id string) {
	if have := o[name]; len(have) == 0 || have[len(have)-1] != id {
		o[name] = append(have, id)
	}
}

// shared calls report for every name with several owners, in order.
func (o owners) shared(report func(name string, ids []string)) {
	var names []string
	for name, ids := range o {
		if len(ids) > 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		report(name, o[name])
	}
}

func checkNamespaces(g *gate) {
	for kind, kindName := range claimNames {
		claimed := owners{}
		for _, p := range g.v2 {
			for _, name := range p.manifest.claims[kind] {
				claimed.add(name, p.id)
			}
		}
		claimed.shared(func(name string, ids []string) {
			g.out = append(g.out, Diagnostic{Code: CodeNamespaceDuplicate, Severity: Error,
				Data:    Data{Kind: kindName, Namespace: name, Packs: ids},
				Message: "The " + kindName + " namespace " + quote(name) + " is claimed by " + quoted(ids),
				Hint:    "keep one of the packs, or have the others claim another name"})
		})
	}
}

func checkTools(g *gate) {
	declared := owners{}
	for _, p := range g.v2 {
		for i := range p.manifest.tools {
			declared.add(p.manifest.tools[i].Name, p.id)
		}
	}
	declared.shared(func(name string, ids []string) {
		g.out = append(g.out, Diagnostic{Code: CodeToolDuplicate, Severity: Error, Data: Data{Tool: name, Packs: ids},
			Message: "The tool " + quote(name) + " is declared by " + quoted(ids),
			Hint:    "keep one of the packs, or have the others name their tools otherwise"})
	})
}

func checkTrust(g *gate) {
	for _, p := range g.v2 {
		if d, reg := decide(p.manifest, g.host.Adapters); !d.Allowed {
			g.report(p, trustDiagnostic(d, reg))
		}
	}
}

// trustDiagnostic words a denial; reg is what was registered, if anything.
func trustDiagnostic(d Decision, reg Registration) Diagnostic {
	out := Diagnostic{Code: d.Code, Path: "/adapter_id", Data: Data{AdapterID: d.AdapterID},
		Message: "Pack " + quote(d.PackID) + " declares adapter_id " + quote(d.AdapterID) + ",\n"}
	switch d.Code {
	case CodeTrustAdapterUnregistered:
		out.Message += "which is not registered with the host."
		out.Hint = "only the host's own start-up code can register it; nothing in a pack does"
	case CodeTrustTierMismatch:
		out.Message += "which is registered for the tier " + quote(string(reg.Tier)) + ", not for its tier " + quote(string(d.Tier)) + "."
		out.Hint = "register the adapter for the pack's tier, if the host is to vouch for it"
	case CodeTrustPackMismatch:
		out.Message += "which vouches for the pack " + quote(reg.PackID) + " and for no other."
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
