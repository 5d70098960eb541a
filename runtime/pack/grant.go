package pack

import (
	"slices"

	"github.com/contractkit/contractkit/runtime/pack/glob"
)

// Grant is what one call of an isolated pack may use: its capabilities, and within
// them only what the call's scopes allow; the smaller of the two wins. A path has
// to be allowed by both.
type Grant struct {
	Capabilities // as declared, with the network already narrowed
	authority    ExecutionAuthority
	read, write  []glob.Pattern
}

func newGrant(c Capabilities, auth ExecutionAuthority) Grant {
	g := Grant{Capabilities: c.clone(), authority: auth}
	g.read, g.write = compilePatterns(c.Read), compilePatterns(c.Write)
	posture, entries := auth.Network()
	switch {
	case c.Posture != postureAllowlist || posture == postureOff:
		g.Posture, g.Allowlist = postureOff, nil
	default:
		var own []string
		for _, e := range c.Allowlist {
			if canonical, ok := CanonicalEntry(e); ok && (posture == postureFull || slices.Contains(entries, canonical)) {
				own = append(own, canonical)
			}
		}
		slices.Sort(own)
		if g.Allowlist = slices.Compact(own); len(g.Allowlist) == 0 {
			g.Posture = postureOff
		}
	}
	return g
}

// AllowsPath reports whether the call may open a path, "read" or "write": clean,
// relative to the workspace, symbolic links resolved. False once the call ended.
func (g Grant) AllowsPath(access, path string) bool {
	patterns := g.read
	if access == "write" {
		patterns = g.write
	}
	return slices.ContainsFunc(patterns, func(p glob.Pattern) bool { return p.Match(path) }) &&
		g.authority.AllowsPath(access, path)
}

// AllowsAddress reports whether the call may connect to host:port or [ipv6]:port.
// False once the call ended.
func (g Grant) AllowsAddress(address string) bool {
	return g.authority.Valid() && AllowsAddress(g.Posture, g.Allowlist, address)
}

// compilePatterns leaves out what is outside the subset: it matches nothing.
func compilePatterns(texts []string) []glob.Pattern {
	var out []glob.Pattern
	for _, text := range texts {
		if p, err := glob.Compile(text); err == nil {
			out = append(out, p)
		}
	}
	return out
}
