package pack

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unique"

	packschema "github.com/contractkit/contractkit/generated/go/pack"
	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// Manifest is an accepted manifest with all defaults filled in. It can only come
// from [ParseManifest] and cannot be changed: what the gate has judged is what is
// dispatched. Methods return copies. A nil or zero Manifest has contract 0 and is
// trusted by nobody.
type Manifest struct {
	card            *gateCard // in its Parsed
	id, versionText string
	version         semrange.Version
	contract        int
	tier            Tier
	adapterID       string
	dependsOn       []Dependency
	claims          [claimKinds][]string
	tools           []ToolSpec
	capabilities    *Capabilities
	doc             []byte
	file            string
	places          places
}

// name is an interned text: two names are equal when their pointers are.
type name = unique.Handle[string]

// gateCard is what the gate has to know of a manifest, close together: three times
// the 64 bytes that a processor fetches at once. Ten thousand manifests do not fit
// into its cache, and following every string of theirs would take most of the gate's
// time.
type gateCard struct {
	gateID
	gateHead
	prefix idPrefix

	more      *gateMore // nil when there is room for all in here
	needed    uint8     // how many of someNeeds and someNames there are
	named     uint8
	someNeeds [2]need
	someNames [4]hashed // claims by kind, then tools
}

// gateMore are the dependencies and names of a manifest with many.
type gateMore struct {
	needs []need
	names []hashed
}

func (c *gateCard) needs() []need {
	if c.more != nil {
		return c.more.needs
	}
	return c.someNeeds[:c.needed]
}

func (c *gateCard) names() []hashed {
	if c.more != nil {
		return c.more.names
	}
	return c.someNames[:c.named]
}

// gateID and gateHead are the parts of a gateCard that the gate takes copies of. What
// is looked at out of order is by itself, in a small array.
type gateID struct {
	id      name
	version *semrange.Version // nil for a manifest that was rejected
}

type gateHead struct {
	adapter      name
	kernel, host *semrange.Range
	hash         uint32 // of the id
	contract     uint8  // 0 for a manifest that was rejected
	tier         tierNumber
}

// touch reads something of each piece of c.
func (c *gateCard) touch() uint32 { return c.hash + c.someNeeds[0].id.hash + c.someNames[0].hash }

// idPrefix is the first 16 bytes of an id, as numbers, so that most ids can be put
// in order without looking at their text.
type idPrefix [2]uint64

func prefixOf(id string) (p idPrefix) {
	var b [16]byte
	copy(b[:], id)
	return idPrefix{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}
}

func (p idPrefix) compare(q idPrefix) int {
	return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
}

type need struct {
	id       hashed
	versions *semrange.Range
}

// fillCard is the last step of making a manifest.
func (m *Manifest) fillCard(kernel, host string) {
	c := m.card
	c.tier, c.adapter = m.tier.number(), unique.Make(m.adapterID)
	c.kernel, c.host = mustRange(kernel), mustRange(host)
	var all gateMore
	for i := range m.dependsOn {
		d := &m.dependsOn[i]
		all.needs = append(all.needs, need{hashName(d.ID, 0), mustRange(d.Range.String())})
	}
	for k := range m.claims {
		for _, n := range m.claims[k] {
			all.names = append(all.names, hashName(n, k))
		}
	}
	for i := range m.tools {
		all.names = append(all.names, hashName(m.tools[i].Name, claimKinds))
	}
	if len(all.needs) > len(c.someNeeds) || len(all.names) > len(c.someNames) {
		c.more = &all
		return
	}
	c.needed, c.named = uint8(copy(c.someNeeds[:], all.needs)), uint8(copy(c.someNames[:], all.names))
}

// places are the positions that the gate may have to show.
type places struct {
	id, contract, kernel, host, adapter tree.Pos
	needs                               []needPlace // for each dependency
}

type needPlace struct{ id, versions tree.Pos }

func placesOf(root *tree.Node) (p places) {
	p.id, p.contract, p.adapter = memberPos(root, "id"), memberPos(root, "contract_version"), memberPos(root, "adapter_id")
	c := root.Get("compatibility")
	p.kernel, p.host = memberPos(c, "kernel"), memberPos(c, "host")
	for _, d := range root.Get("depends_on").List() {
		p.needs = append(p.needs, needPlace{memberPos(d, "id"), memberPos(d, "version_range")})
	}
	return p
}

// memberPos returns where a member of n stands, or n itself when there is none.
func memberPos(n *tree.Node, member string) tree.Pos {
	if m := n.Member(member); m != nil {
		return m.Pos
	}
	if n == nil {
		return tree.Pos{}
	}
	return n.Pos
}

// Dependency is a pack that another one needs.
type Dependency struct {
	ID    string
	Range semrange.Range
}

// ToolSpec is a tool as a manifest declares it.
type ToolSpec struct {
	Name         string
	Entry        string // module path, optionally # and an export
	Permission   string // read, write or admin
	Scopes       []Scope
	InternalOnly bool
	InputSchema  []byte // JSON text; nil accepts any object
	OutputSchema []byte // JSON text; nil accepts any object
}

// The kinds of namespaces that packs claim, in the order that the gate reports.
const (
	claimCommand = iota
	claimState
	claimTelemetry
	claimConfig
	claimKinds
)

var claimNames = [claimKinds]string{"command", "state", "telemetry", "config"}

// ID returns the pack's id.
func (m *Manifest) ID() string { return m.get().id }

// Version returns the pack's version as written.
func (m *Manifest) Version() string { return m.get().versionText }

// Contract returns 1 or 2.
func (m *Manifest) Contract() int { return m.get().contract }

// Tier returns the effective tier.
func (m *Manifest) Tier() Tier { return m.get().tier }

// AdapterID returns the adapter id, "" when none is declared.
func (m *Manifest) AdapterID() string { return m.get().adapterID }

// File returns the name that was given to ParseManifest.
func (m *Manifest) File() string { return m.get().file }

// DependsOn returns the needed packs in the order of the manifest.
func (m *Manifest) DependsOn() []Dependency { return slices.Clone(m.get().dependsOn) }

// Tools returns the declared tools in the order of the manifest.
func (m *Manifest) Tools() []ToolSpec {
	tools := slices.Clone(m.get().tools)
	for i := range tools {
		tools[i] = tools[i].clone()
	}
	return tools
}

func (t ToolSpec) clone() ToolSpec {
	t.Scopes = cloneScopes(t.Scopes)
	t.InputSchema = slices.Clone(t.InputSchema)
	t.OutputSchema = slices.Clone(t.OutputSchema)
	return t
}

// Capabilities returns what an isolated pack may use, all defaults explicit; ok
// is false for every other pack.
func (m *Manifest) Capabilities() (c Capabilities, ok bool) {
	if m == nil || m.capabilities == nil {
		return Capabilities{}, false
	}
	return m.capabilities.clone(), true
}

// Claims returns the namespaces of a kind (command, state, telemetry, config)
// that the pack claims, sorted, each once.
func (m *Manifest) Claims(kind string) []string {
	if i := slices.Index(claimNames[:], kind); i >= 0 {
		return slices.Clone(m.get().claims[i])
	}
	return nil
}

// Document returns a fresh copy of the whole manifest, defaults filled in; ok is
// false for a contract v1 manifest, which has another shape.
func (m *Manifest) Document() (doc packschema.Manifest, ok bool) {
	if m.get().contract != 2 {
		return doc, false
	}
	doc, err := packschema.ParseManifest(m.doc)
	return doc, err == nil
}

// JSON returns the manifest as compact JSON, as written but without defaults.
func (m *Manifest) JSON() []byte { return slices.Clone(m.get().doc) }

var noManifest Manifest

func (m *Manifest) get() *Manifest {
	if m == nil {
		return &noManifest
	}
	return m
}

// newManifest fills a Manifest from a text that has no errors.
func newManifest(r *reader, doc []byte) *Manifest {
	m := &Manifest{id: r.out.id, contract: r.out.Contract, tier: r.out.Tier, doc: doc, file: r.out.File, places: placesOf(r.root)}
	m.versionText, _ = r.root.Get("version").Str()
	m.version, _ = semrange.ParseVersion(m.versionText)
	m.card = &r.out.card
	*m.card = gateCard{
		gateID:   gateID{unique.Make(m.id), sharedVersion(m.versionText)},
		gateHead: gateHead{contract: uint8(m.contract), hash: hashOf(m.id)},
		prefix:   r.out.card.prefix,
	}
	if m.contract != 2 {
		return m
	}
	d, err := packschema.ParseManifest(doc)
	if err != nil {
		panic("pack: the manifest was valid a moment ago: " + err.Error())
	}
	m.adapterID = d.AdapterID.Or("")
	for _, dep := range d.DependsOn {
		m.dependsOn = append(m.dependsOn, Dependency{dep.ID, *mustRange(dep.VersionRange)})
	}
	for i := range d.Tools {
		m.tools = append(m.tools, newToolSpec(&d.Tools[i]))
	}
	if m.tier == Isolated {
		m.capabilities = newCapabilities(d.Capabilities.Or(noCapabilities).JSON())
	}
	m.claims = claimsOf(&d)
	m.fillCard(d.Compatibility.Kernel, d.Compatibility.Host)
	return m
}

// mustRange reads a range that the rules have accepted. Packs of one host name the
// same few ranges and have the same few versions; they share them.
func mustRange(text string) *semrange.Range {
	if r, known := commonRanges.Load(text); known {
		return r.(*semrange.Range)
	}
	r, err := semrange.ParseRange(strings.Clone(text))
	if err != nil {
		panic("pack: the range was valid a moment ago: " + err.Error())
	}
	if len(text) <= 40 && commonCount.Add(1) <= maxCommon {
		commonRanges.Store(r.String(), &r)
	}
	return &r
}

// sharedVersion reads a version that the rules have accepted; of another one it
// returns 0.0.0.
func sharedVersion(text string) *semrange.Version {
	if v, known := commonVersions.Load(text); known {
		return v.(*semrange.Version)
	}
	text = strings.Clone(text)
	v, _ := semrange.ParseVersion(text)
	if len(text) <= 40 && versionCount.Add(1) <= maxCommon {
		commonVersions.Store(text, &v)
	}
	return &v
}

const maxCommon = 1000

var (
	commonRanges   sync.Map // text → *semrange.Range
	commonCount    atomic.Int32
	commonVersions sync.Map // text → *semrange.Version
	versionCount   atomic.Int32
)

func newToolSpec(t *packschema.Tool) ToolSpec {
	spec := ToolSpec{Name: t.Name, Entry: t.Entry, Permission: string(t.Permission.Or(packschema.ToolPermissionRead)),
		InternalOnly: t.InternalOnly.Or(false)}
	for _, s := range t.RequiredScopes {
		switch {
		case s.Path != nil:
			spec.Scopes = append(spec.Scopes, PathScope(string(s.Path.Access), s.Path.Pattern))
		case s.Network != nil:
			spec.Scopes = append(spec.Scopes, NetworkScope(string(s.Network.Posture), s.Network.AllowlistEntries...))
		}
	}
	spec.InputSchema = objectText(t.InputSchema)
	spec.OutputSchema = objectText(t.OutputSchema)
	return spec
}

// claimsOf collects the namespaces of each kind, sorted, each once.
func claimsOf(d *packschema.Manifest) (claims [claimKinds][]string) {
	n := d.Namespaces.Or(packschema.Namespaces{})
	claims[claimCommand] = slices.Clone(n.Command)
	for _, c := range d.CLICommands {
		name := c.Text.Or("")
		if c.NamedEntry != nil {
			name = c.NamedEntry.Name
		}
		group, _, _ := strings.Cut(name, ":")
		claims[claimCommand] = append(claims[claimCommand], group)
	}
	claims[claimState] = slices.Clone(n.State)
	claims[claimTelemetry] = slices.Clone(n.Telemetry)
	if key, ok := d.ConfigKey.Get(); ok {
		claims[claimConfig] = []string{key}
	}
	for i := range claims {
		slices.Sort(claims[i])
		claims[i] = slices.Compact(claims[i])
	}
	return claims
}

// objectText returns the JSON text of an optional object.
func objectText(m map[string]contract.Value) []byte {
	if m == nil {
		return nil
	}
	return contract.AppendMap(nil, m, contract.AppendValue)
}
