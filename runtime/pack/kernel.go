package pack

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	packschema "github.com/contractkit/contractkit/generated/go/pack"
	"github.com/contractkit/contractkit/runtime/pack/internal/authority"
	"github.com/contractkit/contractkit/runtime/pack/internal/shape"
	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// Config is what a kernel is made of.
type Config struct {
	Host     Host
	Isolated IsolatedHost // nil refuses every isolated call
	Policy   Policy       // nil has no rules
	Recorder Recorder     // nil keeps no receipts
}

// Kernel holds the registered packs of one host and dispatches calls of their
// tools. It is safe for concurrent use.
type Kernel struct {
	config Config
	live   authority.Table
	calls  atomic.Uint64

	registering sync.Mutex // held by Register throughout; of epoch
	epoch       uint64
	mu          sync.RWMutex // of what follows
	packs       map[string]*registered
	tools       map[string]*tool
	rules       []packRule
}

type registered struct {
	manifest        *Manifest
	root, integrity string
	epoch           uint64 // counts calls of Register
}

type tool struct {
	spec          ToolSpec
	owner         *registered
	handler       Handler // nil for isolated and declarative packs
	input, output *shape.Schema
}

type packRule struct{ pack, rule, decision string }

// NewKernel returns a kernel without packs. The error is about the running
// versions.
func NewKernel(c Config) (*Kernel, error) {
	if _, err := semrange.ParseVersion(c.Host.Kernel); err != nil {
		return nil, fmt.Errorf("running kernel version: %w", err)
	}
	if _, err := semrange.ParseVersion(c.Host.Host); err != nil {
		return nil, fmt.Errorf("running host version: %w", err)
	}
	if c.Isolated == nil {
		c.Isolated = UnavailableIsolatedHost{}
	}
	return &Kernel{config: c}, nil
}

// Installed is a pack as a host found it.
type Installed struct {
	*Parsed
	Root      string // folder of the pack; only isolated hosts use it
	Integrity string // "sha256:<hex>", or ""; goes into authorities and receipts
}

// EntryRequest asks a host for the code behind an entry of a trusted pack.
type EntryRequest struct {
	Pack    *Manifest
	Field   string       // tools, capability_factory or policy_factory
	Name    string       // of a tool; "" for a factory
	Entry   string       // module path, optionally # and an export
	Adapter Registration // the registration that vouches for the pack, handle included
	Root    string
}

// Resolver finds code. It is asked only after the gate has let every pack in, and
// only about packs that an adapter vouches for in the host's process.
type Resolver interface {
	Tool(EntryRequest) (Handler, error)
	Factory(EntryRequest) error
}

// Register puts the whole set of packs through the gate and, when every one
// passes, makes it the kernel's set in place of the one before. On an error
// nothing has changed. The error is [Diagnostics] when the gate is closed, else
// what a resolver or a tool's schema has failed with.
func (k *Kernel) Register(packs []Installed, resolver Resolver) error {
	k.registering.Lock()
	defer k.registering.Unlock()
	packs = snapshot(packs)
	parsed := make([]*Parsed, len(packs))
	for i, p := range packs {
		parsed[i] = p.Parsed
	}
	found, err := ValidateRegistration(parsed, k.config.Host)
	if err != nil {
		return err
	}
	if err := found.Err(); err != nil {
		return err
	}
	slices.SortFunc(packs, func(a, b Installed) int { return strings.Compare(a.id, b.id) })
	k.epoch++
	next := &Kernel{epoch: k.epoch, packs: map[string]*registered{}, tools: map[string]*tool{}}
	for _, p := range packs {
		if err := next.add(p, k.config.Host.Adapters, resolver); err != nil {
			return err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.packs, k.tools, k.rules = next.packs, next.tools, next.rules
	return nil
}

// snapshot copies what the gate will judge. Whoever holds a pointer to a Parsed or a
// Manifest can put another one in its place, also from a resolver; the kernel goes
// by its own.
func snapshot(packs []Installed) []Installed {
	packs = slices.Clone(packs)
	for i := range packs {
		if packs[i].Parsed == nil {
			continue // the gate refuses it
		}
		parsed := *packs[i].Parsed
		if parsed.manifest != nil {
			parsed.manifest = parsed.manifest.copy()
		}
		packs[i].Parsed = &parsed
	}
	return packs
}

// copy returns another Manifest of the same content, which never changes.
func (m *Manifest) copy() *Manifest {
	own := *m
	return &own
}

// add resolves one pack. The registration that it goes by is the one that the
// decision was made with.
func (k *Kernel) add(p Installed, adapters *Registry, resolver Resolver) error {
	m := p.manifest
	r := &registered{manifest: m, root: p.Root, integrity: p.Integrity, epoch: k.epoch}
	k.packs[m.id] = r
	decision, e := decide(m, adapters)
	if !decision.Allowed {
		d := trustDiagnostic(decision, e)
		d.Severity, d.Pack, d.File = Error, m.id, m.file
		return Diagnostics{d}
	}
	if m.tier == Declarative {
		return nil
	}
	doc, ok := m.Document()
	if !ok {
		return fmt.Errorf("pack %s: the manifest cannot be read again", quote(m.id))
	}
	k.addRules(m.id, &doc)
	request := EntryRequest{Pack: m.copy(), Adapter: e.Registration, Root: p.Root}
	if m.tier == TrustedHostAdapter && resolver == nil {
		resolver = noResolver{}
	}
	if m.tier == TrustedHostAdapter {
		for _, f := range []struct{ field, entry string }{
			{"capability_factory", doc.CapabilityFactory.Or("")}, {"policy_factory", doc.PolicyFactory.Or("")},
		} {
			if f.entry == "" {
				continue
			}
			request.Field, request.Name, request.Entry = f.field, "", f.entry
			if err := resolver.Factory(request); err != nil {
				return fmt.Errorf("pack %s: %s: %w", quote(m.id), f.field, err)
			}
		}
	}
	for _, spec := range m.tools {
		t, err := newTool(spec.clone(), r)
		if err != nil {
			return err
		}
		if m.tier == TrustedHostAdapter {
			request.Field, request.Name, request.Entry = "tools", spec.Name, spec.Entry
			if t.handler, err = resolver.Tool(request); err == nil && t.handler == nil {
				err = errors.New("no handler was found")
			}
			if err != nil {
				return fmt.Errorf("pack %s: tool %s: %w", quote(m.id), quote(spec.Name), err)
			}
		}
		k.tools[spec.Name] = t
	}
	return nil
}

// addRules takes the policies of a pack that bear on calls.
func (k *Kernel) addRules(id string, doc *packschema.Manifest) {
	for _, p := range doc.Policies {
		if p.Trigger == packschema.PolicyTriggerOnToolRequest {
			k.rules = append(k.rules, packRule{id, p.ID, string(p.Decision)})
		}
	}
}

func newTool(spec ToolSpec, owner *registered) (*tool, error) {
	t := &tool{spec: spec, owner: owner}
	var err error
	if t.input, err = shape.Compile(spec.InputSchema); err != nil {
		return nil, fmt.Errorf("pack %s: tool %s: input_schema: %w", quote(owner.manifest.id), quote(spec.Name), err)
	}
	if t.output, err = shape.Compile(spec.OutputSchema); err != nil {
		return nil, fmt.Errorf("pack %s: tool %s: output_schema: %w", quote(owner.manifest.id), quote(spec.Name), err)
	}
	return t, nil
}

// CheckToolSchema reports why an input_schema or output_schema is outside the
// subset that tools may use; nil when it is inside.
func CheckToolSchema(text []byte) error {
	_, err := shape.Compile(text)
	return err
}

// noResolver is a host that brings no code.
type noResolver struct{}

func (noResolver) Tool(EntryRequest) (Handler, error) {
	return nil, errors.New("the host has no resolver")
}
func (noResolver) Factory(EntryRequest) error { return errors.New("the host has no resolver") }

// AddTool gives a registered pack one more tool, by the host's own code. Whether
// it may run is decided for every call by the tier and trust of that pack: under a
// declarative or isolated pack the handler never runs. The next Register forgets
// the tool.
func (k *Kernel) AddTool(packID string, spec ToolSpec, handler Handler) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	owner := k.packs[packID]
	switch {
	case owner == nil:
		return fmt.Errorf("no pack with the id %s is registered", quote(packID))
	case spec.Name == "" || handler == nil:
		return errors.New("a tool needs a name and a handler")
	case k.tools[spec.Name] != nil:
		return fmt.Errorf("the tool %s is registered already", quote(spec.Name))
	}
	t, err := newTool(spec.clone(), owner)
	if err != nil {
		return err
	}
	t.handler = handler
	k.tools[spec.Name] = t
	return nil
}

// Packs returns the ids of the registered packs in byte order.
func (k *Kernel) Packs() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	ids := make([]string, 0, len(k.packs))
	for id := range k.packs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
