package pack

import (
	"math"
	"slices"
	"time"

	packschema "github.com/contractkit/contractkit/generated/go/pack"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Capabilities is what an isolated pack may use: the manifest's grant with every
// default filled in. What is not named here is refused.
type Capabilities struct {
	Read, Write []string      // globs below the workspace; none of them implies the other
	Posture     string        // off or allowlist
	Allowlist   []string      // host:port or CIDR block
	Env         []string      // names of variables
	Clock       bool          // whether clocks tell the time
	MemoryMB    int64         // MiB of 1,048,576 bytes; at least 1
	CPU         time.Duration // processor time of one call; at least 1 ms
	Grace       time.Duration // time between the signal to stop and the end; 0 is at once
}

func (c Capabilities) clone() Capabilities {
	c.Read, c.Write = slices.Clone(c.Read), slices.Clone(c.Write)
	c.Allowlist, c.Env = slices.Clone(c.Allowlist), slices.Clone(c.Env)
	return c
}

// noCapabilities stands for a member that the closure has made sure is there.
var noCapabilities contract.Value

func newCapabilities(text string) *Capabilities {
	d, err := packschema.ParseCapabilities([]byte(text))
	if err != nil {
		panic("pack: the capabilities were valid a moment ago: " + err.Error())
	}
	fs, net := d.Filesystem.Or(packschema.CapabilitiesFilesystem{}), d.Network.Or(packschema.CapabilitiesNetwork{})
	c := &Capabilities{
		Read: fs.Read, Write: fs.Write,
		Posture:  string(net.Posture.Or(packschema.CapabilitiesNetworkPostureOff)),
		Env:      d.Env,
		Clock:    d.Clock.Or(packschema.CapabilitiesClock{}).Readable.Or(false),
		MemoryMB: atMost(d.Memory.LimitMB, math.MaxInt64>>20),
		CPU:      milliseconds(d.CPU.TimeLimitMS),
		Grace:    2 * time.Second,
	}
	if c.Posture == string(packschema.CapabilitiesNetworkPostureAllowlist) {
		c.Allowlist = net.AllowlistEntries
	}
	if grace, ok := d.Cancellation.Or(packschema.CapabilitiesCancellation{}).GracePeriodMS.Get(); ok {
		c.Grace = milliseconds(grace)
	}
	return c
}

// atMost returns i, or most when i is beyond it.
func atMost(i contract.Integer, most int64) int64 {
	if n, ok := i.Int64(); ok && n <= most {
		return n
	}
	return most
}

func milliseconds(i contract.Integer) time.Duration {
	return time.Duration(atMost(i, int64(math.MaxInt64/time.Millisecond))) * time.Millisecond
}
