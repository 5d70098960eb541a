package pack

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// The postures of the network, from strict to lax.
const (
	postureOff       = "off"
	postureAllowlist = "allowlist"
	postureFull      = "full"
)

// CanonicalEntry reads an entry of an allowlist: host:port, [ipv6]:port, or a CIDR
// block. Hosts are DNS names or addresses, ports 1 to 65535; there are no
// wildcards. It returns the entry with the host in lower case; ok is false for
// everything else.
func CanonicalEntry(entry string) (canonical string, ok bool) {
	if strings.Contains(entry, "/") {
		p, err := netip.ParsePrefix(entry)
		if err != nil || strings.Contains(entry, "%") {
			return "", false
		}
		return strings.ToLower(entry), p.IsValid()
	}
	host, _, ok := splitEntry(entry)
	if !ok {
		return "", false
	}
	return lowerASCII(host) + entry[len(host):], true
}

// splitEntry splits host:port; an IPv6 host keeps its brackets.
func splitEntry(entry string) (host string, port int, ok bool) {
	i := strings.LastIndexByte(entry, ':')
	if i <= 0 || len(entry) > 300 {
		return "", 0, false
	}
	host, digits := entry[:i], entry[i+1:]
	port, err := strconv.Atoi(digits)
	if err != nil || port < 1 || port > 65535 || strconv.Itoa(port) != digits {
		return "", 0, false
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, closed := strings.CutSuffix(inner, "]")
		addr, err := netip.ParseAddr(inner)
		return host, port, closed && err == nil && addr.Is6() && addr.Zone() == ""
	}
	return host, port, isHost(host)
}

// isHost reports whether s is a DNS name or an IPv4 address.
func isHost(s string) bool {
	if len(s) > 253 {
		return false
	}
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			c := label[i]
			if c|0x20 < 'a' || c|0x20 > 'z' {
				if (c < '0' || c > '9') && c != '-' {
					return false
				}
			}
		}
	}
	// What looks like an address has to be one: resolvers read 010.1 and 0x7f.1 in
	// ways of their own.
	if last := labels[len(labels)-1]; last[0] >= '0' && last[0] <= '9' {
		addr, err := netip.ParseAddr(s)
		return err == nil && addr.Is4()
	}
	return true
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// layerNetwork is what the network scopes of one layer add up to: nothing, an
// allowlist, or everything. An allowlist beside "full" restricts it.
func layerNetwork(scopes []Scope) (posture string, entries map[string]bool) {
	posture = postureOff
	for _, s := range scopes {
		switch {
		case s.Type != "network":
		case s.Posture == postureAllowlist:
			posture = postureAllowlist
			if entries == nil {
				entries = map[string]bool{}
			}
			for _, e := range s.Allowlist {
				if c, ok := CanonicalEntry(e); ok {
					entries[c] = true
				}
			}
		case s.Posture == postureFull && posture == postureOff:
			posture = postureFull
		}
	}
	return posture, entries
}

// intersectNetwork returns what all layers grant: off when one grants nothing or
// no entry is in all allowlists; entries sorted.
func intersectNetwork(layers ...[]Scope) (posture string, entries []string) {
	posture = postureFull
	var common map[string]bool
	for _, layer := range layers {
		p, own := layerNetwork(layer)
		switch {
		case p == postureOff:
			return postureOff, nil
		case p == postureFull:
		case common == nil:
			posture, common = postureAllowlist, own
		default:
			for e := range common {
				if !own[e] {
					delete(common, e)
				}
			}
		}
	}
	if posture == postureFull {
		return posture, nil
	}
	for e := range common {
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return postureOff, nil
	}
	slices.Sort(entries)
	return posture, entries
}

// AllowsAddress reports whether a posture and its canonical entries let a call
// connect to host:port or [ipv6]:port. A CIDR entry allows every port of its
// addresses, but no names: what a name resolves to is for the isolated host to
// look up once and pin.
func AllowsAddress(posture string, entries []string, address string) bool {
	canonical, ok := CanonicalEntry(address)
	if !ok || strings.Contains(address, "/") {
		return false
	}
	switch posture {
	case postureFull:
		return true
	case postureAllowlist:
	default:
		return false
	}
	host, _, _ := splitEntry(canonical)
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	for _, e := range entries {
		if e == canonical {
			return true
		}
		if p, bad := netip.ParsePrefix(e); bad == nil && err == nil && p.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}
