package pack

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unique"
)

// Registration is a host's word that a pack may run under an adapter id.
type Registration struct {
	AdapterID string // compared byte for byte
	Tier      Tier   // TrustedHostAdapter or Isolated
	PackID    string // the one pack that is vouched for
	Handle    any    `json:"-"` // the host's own; kept and handed back, never looked into; may be nil
}

// String prints the registration without its handle.
func (r Registration) String() string {
	return fmt.Sprintf("%s (%s) vouches for %s", quote(r.AdapterID), r.Tier, quote(r.PackID))
}

// GoString is String, so that no verb of fmt reaches the handle.
func (r Registration) GoString() string { return r.String() }

// Registry holds the registrations of one host. Only host code that holds it can
// add to it: no manifest, and nothing that this package does with one, ever does.
// It is safe for concurrent use; a reader sees a registration whole or not at all.
// The zero Registry is empty and ready.
type Registry struct {
	mu   sync.RWMutex
	byID map[name]*entry
}

// entry is one registration; it is replaced, never changed.
type entry struct {
	Registration
	pack name
	tier tierNumber
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{} }

// ErrRegistration is wrapped by every error of Register.
var ErrRegistration = errors.New("invalid adapter registration")

// Register vouches for a pack. A registration of the same adapter id is replaced
// whole, at once, and for every later decision; a host that reloads may register
// again. The error, for errors.Is [ErrRegistration], names what is missing; the
// registry is then unchanged.
func (r *Registry) Register(reg Registration) error {
	switch {
	case reg.AdapterID == "":
		return fmt.Errorf("%w: the adapter id is empty", ErrRegistration)
	case reg.PackID == "":
		return fmt.Errorf("%w: the pack id is empty", ErrRegistration)
	case reg.Tier != TrustedHostAdapter && reg.Tier != Isolated:
		return fmt.Errorf("%w: no pack of the tier %s needs an adapter", ErrRegistration, quote(string(reg.Tier)))
	}
	// The caller may own the bytes behind the strings.
	reg.AdapterID, reg.PackID = strings.Clone(reg.AdapterID), strings.Clone(reg.PackID)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[name]*entry{}
	}
	r.byID[unique.Make(reg.AdapterID)] = &entry{reg, unique.Make(reg.PackID), reg.Tier.number()}
	return nil
}

// Lookup returns the registration of an adapter id.
func (r *Registry) Lookup(adapterID string) (reg Registration, found bool) {
	if e := r.entry(unique.Make(adapterID)); e != nil {
		return e.Registration, true
	}
	return Registration{}, false
}

// entry returns the registration of an adapter id; nil when there is none.
func (r *Registry) entry(adapter name) *entry {
	if r == nil {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byID[adapter]
}

// read returns all entries, which stay as they are until done is called.
func (r *Registry) read() (entries map[name]*entry, done func()) {
	if r == nil {
		return nil, func() {}
	}
	r.mu.RLock()
	return r.byID, r.mu.RUnlock
}

// List returns the registrations in order of their adapter ids, without handles.
func (r *Registry) List() []Registration {
	if r == nil {
		return nil
	}
	r.mu.RLock()
	list := make([]Registration, 0, len(r.byID))
	for _, e := range r.byID {
		reg := e.Registration
		reg.Handle = nil
		list = append(list, reg)
	}
	r.mu.RUnlock()
	slices.SortFunc(list, func(a, b Registration) int { return strings.Compare(a.AdapterID, b.AdapterID) })
	return list
}
