package pack

// Decision is the answer to "may this pack register". It holds for the moment it
// was made; every call asks again.
type Decision struct {
	Allowed   bool   `json:"allowed"`
	Tier      Tier   `json:"tier"`
	Code      Code   `json:"code,omitempty"` // why not; "" when allowed
	PackID    string `json:"pack_id"`
	AdapterID string `json:"adapter_id,omitempty"`
}

// Decide says whether the host vouches for a pack, by what the registry holds now:
// the adapter has to be registered, for the pack's tier, and for this very pack.
// The first of these that fails gives the code. Being allowed lets a declarative
// pack register, never run; an isolated pack never runs in the host's process.
// It changes nothing and does not allocate.
func Decide(m *Manifest, r *Registry) Decision {
	d, _ := decide(m, r)
	return d
}

// decide also returns the one registration that it has looked at; nil for none.
func decide(m *Manifest, r *Registry) (Decision, *entry) {
	m = m.get()
	d := Decision{Tier: m.tier, PackID: m.id, AdapterID: m.adapterID}
	if m.contract != 2 {
		d.Tier, d.Code = Declarative, CodeContractVersion
		return d, nil
	}
	if m.tier == Declarative {
		d.Allowed = true
		return d, nil
	}
	code, e := denial(m.card.id, m.card.tier, r.entry(m.card.adapter))
	d.Allowed, d.Code = code == "", code
	return d, e
}

// denial says why a pack of a tier that needs an adapter is not trusted; "" when it is. e is what
// is registered for the adapter; nil for nothing.
func denial(pack name, tier tierNumber, e *entry) (Code, *entry) {
	switch {
	case e == nil:
		return CodeTrustAdapterUnregistered, nil
	case e.tier != tier:
		return CodeTrustTierMismatch, e
	case e.pack != pack:
		return CodeTrustPackMismatch, e
	}
	return "", e
}
