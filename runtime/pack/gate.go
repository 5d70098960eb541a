package pack

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"runtime"
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
	defer g.release()
	if len(g.packs) >= sideBySide && runtime.GOMAXPROCS(0) > 1 {
		g.together()
		return g.out, nil
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
var setRules = [...]setRule{
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
	*scratch
	host         Host
	kernel, live semrange.Version
	out          Diagnostics
}

// edge is one dependency. The rule on dependencies fills to in.
type edge struct {
	id           name
	versions     *semrange.Range
	hash         uint32 // of id
	from, number int32  // the pack, and which of its dependencies
	to           int32  // a pack, or -1
}

type claim struct {
	name name
	hash uint32
	pack int32
}

func newGate(packs []*Parsed, host Host) (*gate, error) {
	g := &gate{host: host}
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
	g.scratch = scratches.Get().(*scratch)
	g.packs = append(g.packs, packs...)
	if !g.gather() { // hosts that list folders have them in order
		g.empty()
		g.sort(packs)
		g.gather()
	}
	g.index()
	for i := range g.heads {
		switch g.heads[i].contract {
		case 0:
			g.reject(g.packs[i])
		case 2:
			g.v2 = append(g.v2, int32(i))
		}
	}
	return g, nil
}

// fetched is how many manifests gather has the processor fetch at once.
const fetched = 16

// gather copies what the rules read into a few arrays; the rules then run along
// these. Ten thousand manifests are in no near cache, so that most of the time would
// go by waiting for one after the other. A look at several in advance, of which none
// depends on another, waits for all of them together.
//
// It stops and returns false when it meets packs that are not in order.
func (g *gate) gather() bool {
	g.heads = slices.Grow(g.heads, len(g.packs))[:len(g.packs)]
	g.who = slices.Grow(g.who, len(g.packs))[:len(g.packs)]
	for i, p := range g.packs {
		if i%fetched == 0 {
			for _, q := range g.packs[i:min(i+fetched, len(g.packs))] {
				g.looked += q.card.touch()
			}
		}
		if i > 0 && !inOrder(g.packs[i-1], p) {
			return false
		}
		c := &p.card
		g.who[i], g.heads[i] = c.gateID, c.gateHead
		if c.contract == 0 {
			g.who[i].id, g.heads[i].hash = unique.Make(p.id), hashOf(p.id)
			continue
		}
		for n, d := range c.needs() {
			g.needs = append(g.needs, edge{d.id.name, d.versions, d.id.hash, int32(i), int32(n), -1})
		}
		for _, n := range c.names() {
			g.claims[n.kind] = append(g.claims[n.kind], claim{n.name, n.hash, int32(i)})
		}
	}
	return true
}

// inOrder reports whether a does not come after b.
func inOrder(a, b *Parsed) bool {
	if a.card.prefix != b.card.prefix {
		return a.card.prefix.compare(b.card.prefix) < 0
	}
	return comparePacks(a, b) <= 0
}

// index fills g.best and the table over it. Packs of one id stand together, the
// lowest version first.
func (g *gate) index() {
	nameless := unique.Make("") // packs whose id cannot be read
	g.best = slices.Grow(g.best, len(g.heads))[:len(g.heads)]
	g.ids.reset(len(g.heads))
	for i := 0; i < len(g.heads); {
		id, best, j := g.who[i].id, i, i+1
		for ; j < len(g.heads) && g.who[j].id == id; j++ {
			if g.who[best].version == nil {
				best = j
			}
		}
		for k := i; k < j; k++ {
			g.best[k] = int32(best)
		}
		if id != nameless {
			g.ids.add(g.heads[i].hash, int32(best))
		}
		i = j
	}
}

// reject passes on why a manifest was rejected.
func (g *gate) reject(p *Parsed) {
	g.out = append(g.out, p.Diagnostics...)
	if !p.Diagnostics.HasErrors() {
		// A Parsed that did not come from ParseManifest, or was tampered with.
		g.out = append(g.out, Diagnostic{Code: CodeManifestUnreadable, Severity: Error, Pack: p.id, File: p.File,
			Message: "a manifest that was not accepted cannot be registered", Hint: "read it with ParseManifest"})
	}
}

// sortKey is what puts most packs in order without a look at them.
type sortKey struct {
	prefix idPrefix
	pack   *Parsed
}

// sort fills g.packs.
func (g *gate) sort(packs []*Parsed) {
	for _, p := range packs {
		g.keys = append(g.keys, sortKey{p.card.prefix, p})
	}
	slices.SortFunc(g.keys, func(a, b sortKey) int {
		if a.prefix != b.prefix {
			return a.prefix.compare(b.prefix)
		}
		return comparePacks(a.pack, b.pack)
	})
	for i := range g.keys {
		g.packs = append(g.packs, g.keys[i].pack)
	}
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

func (g *gate) add(d Diagnostic) { g.out = append(g.out, d) }

func checkIDs(g *gate) {
	nameless := unique.Make("")
	for i := 0; i < len(g.heads); {
		id, j := g.who[i].id, i+1
		for j < len(g.heads) && g.who[j].id == id {
			j++
		}
		if j-i > 1 && id != nameless {
			var files []string
			for _, p := range g.packs[i:j] {
				files = append(files, quote(p.File))
			}
			p := g.packs[i]
			g.report(p, p.manifest.get().places.id, Diagnostic{Code: CodeDuplicateID, Path: "/id",
				Message: strconv.Itoa(j-i) + " packs have the id " + quote(p.id) + ": " + some(files),
				Hint:    "install one of them"})
		}
		i = j
	}
}

func checkContracts(g *gate) {
	for i := range g.heads {
		if g.heads[i].contract == 1 {
			p := g.packs[i]
			g.report(p, p.manifest.places.contract, Diagnostic{Code: CodeContractVersion, Path: "/contract_version",
				Message: "Pack " + quote(p.id) + " declares no contract_version, so it follows contract v1; it must be the number 2",
				Hint:    upgradeHint})
		}
	}
}

// verdict remembers what a range said of the running version: packs of one host
// name the same few, and share them.
type verdict struct {
	of *semrange.Range
	in bool
}

func (last *verdict) contains(r *semrange.Range, running semrange.Version) bool {
	if r != last.of {
		*last = verdict{r, r.Contains(running)}
	}
	return last.in
}

func checkRunning(g *gate) {
	var kernel, host verdict
	for _, i := range g.v2 {
		c := &g.heads[i]
		if !kernel.contains(c.kernel, g.kernel) {
			p := g.packs[i]
			g.incompatible(p, p.manifest.places.kernel, CodeKernelIncompatible, "kernel", c.kernel, g.host.Kernel)
		}
		if !host.contains(c.host, g.live) {
			p := g.packs[i]
			g.incompatible(p, p.manifest.places.host, CodeHostIncompatible, "host", c.host, g.host.Host)
		}
	}
}

func (g *gate) incompatible(p *Parsed, at tree.Pos, code Code, what string, r *semrange.Range, running string) {
	g.report(p, at, Diagnostic{Code: code, Path: "/compatibility/" + what, Data: Data{Range: r.String(), Running: running},
		Message: "Pack " + quote(p.id) + " works with " + what + " versions " + quote(r.String()) + "; " + quote(running) + " is running",
		Hint:    "install a version of the pack for this " + what + ", or widen the range if it does work"})
}

func checkDependencies(g *gate) { g.dependencies(g.needs) }

// dependencies looks at some of g.needs.
func (g *gate) dependencies(needs []edge) {
	for i := range needs { // nothing else, for the reason that gather gives
		d := &needs[i]
		d.to, _ = g.ids.find(d.hash, func(i int32) bool { return g.who[i].id == d.id })
	}
	for i := range needs {
		d := &needs[i]
		to := d.to
		switch {
		case to < 0:
			p, id, versions := g.packs[d.from], d.id.Value(), d.versions.String()
			g.report(p, p.manifest.places.needs[d.number].id, Diagnostic{Code: CodeDependencyMissing, Path: index("/depends_on", int(d.number), "/id"),
				Data:    Data{Dependency: id, Range: versions},
				Message: "Pack " + quote(p.id) + " needs the pack " + quote(id) + " in a version of " + quote(versions) + ", which is not installed",
				Hint:    "install it, or remove the dependency"})
		case g.who[to].version != nil && !d.versions.Contains(*g.who[to].version):
			p, id, versions, have := g.packs[d.from], d.id.Value(), d.versions.String(), g.packs[to].manifest.versionText
			g.report(p, p.manifest.places.needs[d.number].versions, Diagnostic{Code: CodeDependencyVersion, Path: index("/depends_on", int(d.number), "/version_range"),
				Data: Data{Dependency: id, Range: versions, Installed: have},
				Message: "Pack " + quote(p.id) + " needs the pack " + quote(id) + " in a version of " + quote(versions) +
					"; " + quote(have) + " is installed",
				Hint: "install another version of one of the two"})
		}
	}
}

// eachShared calls report for every name of a kind that several packs claim, in
// order, with the ids of the packs.
func (g *gate) eachShared(kind int, report func(text string, ids []string)) {
	claims := g.claims[kind]
	seen := &g.seen[kind/claimKinds]
	seen.reset(len(claims))
	var shared map[string][]string
	for i, c := range claims {
		first, at := seen.find(c.hash, func(i int32) bool { return claims[i].name == c.name })
		if first < 0 {
			*at = slot{c.hash, int32(i) + 1}
			continue
		}
		pack := claims[first].pack
		if g.who[pack].id == g.who[c.pack].id {
			continue
		}
		if shared == nil {
			shared = map[string][]string{}
		}
		text := c.name.Value()
		if shared[text] == nil {
			shared[text] = []string{g.packs[pack].id}
		}
		shared[text] = append(shared[text], g.packs[c.pack].id)
	}
	for _, text := range slices.Sorted(maps.Keys(shared)) {
		report(text, slices.Compact(shared[text]))
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

func checkTools(g *gate) {
	g.eachShared(claimKinds, func(text string, ids []string) {
		g.add(Diagnostic{Code: CodeToolDuplicate, Severity: Error, Data: Data{Tool: text, Packs: ids},
			Message: "The tool " + quote(text) + " is declared by " + quoted(ids),
			Hint:    "keep one of the packs, or have the others name their tools otherwise"})
	})
}

func checkTrust(g *gate) {
	declarative := Declarative.number()
	entries, done := g.host.Adapters.read()
	defer done()
	for _, i := range g.v2 {
		c := &g.heads[i]
		if c.tier == declarative {
			continue
		}
		if code, e := denial(g.who[i].id, c.tier, entries[c.adapter]); code != "" {
			p := g.packs[i]
			g.report(p, p.manifest.places.adapter, trustDiagnostic(Decision{Tier: c.tier.tier(), Code: code, PackID: p.id, AdapterID: p.manifest.adapterID}, e))
		}
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
