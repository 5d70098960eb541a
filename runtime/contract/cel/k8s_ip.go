package cel

import "net/netip"

// The type names of the network functions, as cel-go and Kubernetes have them.
const (
	typeIP   = "net.IP"
	typeCIDR = "net.CIDR"
)

// parseIP reads an address as strictly as Kubernetes does: no zone, and no IPv4 in the
// clothes of IPv6.
func (c *Ctx) parseIP(v Val) (netip.Addr, Val) {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return netip.Addr{}, bad
	}
	a, err := netip.ParseAddr(s)
	if err != nil || a.Zone() != "" || a.Is4In6() {
		return netip.Addr{}, Err("IP address parse error: " + clip(s))
	}
	return a, Null()
}

func (c *Ctx) parseCIDR(v Val) (netip.Prefix, Val) {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return netip.Prefix{}, bad
	}
	p, err := netip.ParsePrefix(s)
	if err != nil || p.Addr().Zone() != "" || p.Addr().Is4In6() {
		return netip.Prefix{}, Err("CIDR parse error: " + clip(s))
	}
	return p, Null()
}

// IP is ip(string) and cidr.ip().
func (c *Ctx) IP(v Val) Val {
	if p, ok := v.ref.(netip.Prefix); ok {
		return opaque(typeIP, p.Addr())
	}
	a, bad := c.parseIP(v)
	if bad.kind == KindError {
		return bad
	}
	return opaque(typeIP, a)
}

// IsIP is isIP(string).
func (c *Ctx) IsIP(v Val) Val { return c.parses(v, KindString, func() Val { return c.IP(v) }) }

// parses reports whether read has a result; an argument of another kind is an error.
func (c *Ctx) parses(v Val, k Kind, read func() Val) Val {
	if v.kind != k {
		return failed(v)
	}
	if x := read(); x.kind == KindError {
		if x.str == errLimit.str {
			return x
		}
		return Bool(false)
	}
	return Bool(true)
}

// IPIsCanonical is ip.isCanonical(string): written as RFC 5952 has it.
func (c *Ctx) IPIsCanonical(v Val) Val {
	a, bad := c.parseIP(v)
	return boolOr(a.String() == v.str, bad)
}

func testIP(v Val, f func(netip.Addr) bool) Val {
	a, ok := v.ref.(netip.Addr)
	if !ok {
		return failed(v)
	}
	return Bool(f(a))
}

// Family is ip.family(): 4 or 6.
func (c *Ctx) Family(v Val) Val {
	is4 := testIP(v, netip.Addr.Is4)
	switch {
	case is4.kind == KindError:
		return is4
	case is4.IsTrue():
		return Int(4)
	}
	return Int(6)
}

// IsUnspecified is ip.isUnspecified(), as are the following.
func (c *Ctx) IsUnspecified(v Val) Val { return testIP(v, netip.Addr.IsUnspecified) }

// IsLoopback is ip.isLoopback().
func (c *Ctx) IsLoopback(v Val) Val { return testIP(v, netip.Addr.IsLoopback) }

// IsLinkLocalMulticast is ip.isLinkLocalMulticast().
func (c *Ctx) IsLinkLocalMulticast(v Val) Val { return testIP(v, netip.Addr.IsLinkLocalMulticast) }

// IsLinkLocalUnicast is ip.isLinkLocalUnicast().
func (c *Ctx) IsLinkLocalUnicast(v Val) Val { return testIP(v, netip.Addr.IsLinkLocalUnicast) }

// IsGlobalUnicast is ip.isGlobalUnicast().
func (c *Ctx) IsGlobalUnicast(v Val) Val { return testIP(v, netip.Addr.IsGlobalUnicast) }

// CIDR is cidr(string).
func (c *Ctx) CIDR(v Val) Val {
	p, bad := c.parseCIDR(v)
	if bad.kind == KindError {
		return bad
	}
	return opaque(typeCIDR, p)
}

// IsCIDR is isCIDR(string).
func (c *Ctx) IsCIDR(v Val) Val { return c.parses(v, KindString, func() Val { return c.CIDR(v) }) }

// ContainsIP is cidr.containsIP(x), of an address or its text.
func (c *Ctx) ContainsIP(v, x Val) Val {
	p, ok := v.ref.(netip.Prefix)
	if !ok {
		return failed(v, x)
	}
	bad := Null()
	a, ok := x.ref.(netip.Addr)
	if !ok {
		a, bad = c.parseIP(x)
	}
	return boolOr(p.Contains(a), bad)
}

// ContainsCIDR is cidr.containsCIDR(x), of a range or its text.
func (c *Ctx) ContainsCIDR(v, x Val) Val {
	p, ok := v.ref.(netip.Prefix)
	if !ok {
		return failed(v, x)
	}
	bad := Null()
	q, ok := x.ref.(netip.Prefix)
	if !ok {
		q, bad = c.parseCIDR(x)
	}
	return boolOr(p.Bits() <= q.Bits() && p.Contains(q.Addr()), bad)
}

// PrefixLength is cidr.prefixLength().
func (c *Ctx) PrefixLength(v Val) Val {
	p, ok := v.ref.(netip.Prefix)
	if !ok {
		return failed(v)
	}
	return Int(int64(p.Bits()))
}

// Masked is cidr.masked(): the range with its host bits zero.
func (c *Ctx) Masked(v Val) Val {
	p, ok := v.ref.(netip.Prefix)
	if !ok {
		return failed(v)
	}
	return opaque(typeCIDR, p.Masked())
}

// IsMask is cidr.isMask(): whether the host bits are zero.
func (c *Ctx) IsMask(v Val) Val {
	p, ok := v.ref.(netip.Prefix)
	if !ok {
		return failed(v)
	}
	return Bool(p == p.Masked())
}
