package cel

import (
	"maps"
	"net/url"
	"slices"
)

const typeURL = "kubernetes.URL"

// link is a URL; equal ones print alike.
type link struct{ *url.URL }

func (l link) equal(other any) bool {
	o, ok := other.(link)
	return ok && l.String() == o.String()
}

// URL is url(string): an absolute URI or an absolute path.
func (c *Ctx) URL(v Val) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	// The first parser demands what is absolute, but knows no fragments; the second does.
	if _, err := url.ParseRequestURI(s); err != nil {
		return Err("URL parse error during conversion from string")
	}
	u, err := url.Parse(s)
	if err != nil {
		return Err("URL parse error during conversion from string")
	}
	return opaque(typeURL, link{u})
}

// IsURL is isURL(string).
func (c *Ctx) IsURL(v Val) Val { return c.parses(v, KindString, func() Val { return c.URL(v) }) }

func urlPart(v Val, f func(*url.URL) string) Val {
	l, ok := v.ref.(link)
	if !ok {
		return failed(v)
	}
	return String(f(l.URL))
}

// GetScheme is url.getScheme(), as are the following; what is absent is "".
func (c *Ctx) GetScheme(v Val) Val {
	return urlPart(v, func(u *url.URL) string { return u.Scheme })
}

// GetHost is the host with its port.
func (c *Ctx) GetHost(v Val) Val { return urlPart(v, func(u *url.URL) string { return u.Host }) }

// GetHostname is the host without port, and without brackets.
func (c *Ctx) GetHostname(v Val) Val { return urlPart(v, (*url.URL).Hostname) }

// GetPort is the port.
func (c *Ctx) GetPort(v Val) Val { return urlPart(v, (*url.URL).Port) }

// GetEscapedPath is the path with its escapes.
func (c *Ctx) GetEscapedPath(v Val) Val { return urlPart(v, (*url.URL).EscapedPath) }

// GetQuery is the query's parameters, each with its list of values, in the order of
// their names.
func (c *Ctx) GetQuery(v Val) Val {
	l, ok := v.ref.(link)
	if !ok {
		return failed(v)
	}
	query := l.Query()
	var keys, vals []Val
	for _, name := range slices.Sorted(maps.Keys(query)) {
		keys, vals = append(keys, String(name)), append(vals, textList(query[name]))
	}
	return MapOf(keys, vals)
}
