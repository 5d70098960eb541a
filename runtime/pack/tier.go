package pack

import (
	"slices"

	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
)

// Tier is how much authority a pack asks for. The zero Tier is none.
type Tier string

// The tiers, the least privileged first.
const (
	Declarative        Tier = "declarative"          // data only
	TrustedHostAdapter Tier = "trusted-host-adapter" // code in the host's process, vouched for by the host
	Isolated           Tier = "isolated"             // code behind a capability-confined host
)

// TrustedHostAdapterID returns the adapter id that a trusted pack has by
// convention. The convention is not enforced.
func TrustedHostAdapterID(packID string) string { return string(TrustedHostAdapter) + ":" + packID }

// tierOrigin says why a pack has its tier, for messages.
type tierOrigin uint8

const (
	tierDefault tierOrigin = iota // nothing was declared
	tierChosen
	tierMalformed
)

// effectiveTier is total: whatever the manifest says, the result is one of the
// three tiers, and only an exact name is more than the least.
func effectiveTier(declared *tree.Node) (Tier, tierOrigin) {
	if declared == nil {
		return Declarative, tierDefault
	}
	if declared.Kind == tree.String {
		switch t := Tier(declared.Text); t {
		case Declarative, TrustedHostAdapter, Isolated:
			return t, tierChosen
		}
	}
	return Declarative, tierMalformed
}

// tierNumber is a Tier in one byte.
type tierNumber uint8

var tiers = [...]Tier{"", Declarative, TrustedHostAdapter, Isolated}

func (t Tier) number() tierNumber { return tierNumber(slices.Index(tiers[:], t)) }

func (n tierNumber) tier() Tier { return tiers[n] }
