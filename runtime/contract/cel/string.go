package cel

import "strings"

// Contains is s.contains(part).
func (c *Ctx) Contains(s, part Val) Val {
	x, y, bad := c.strings2(s, part)
	return boolOr(strings.Contains(x, y), bad)
}

// StartsWith is s.startsWith(start).
func (c *Ctx) StartsWith(s, start Val) Val {
	x, y, bad := c.strings2(s, start)
	return boolOr(strings.HasPrefix(x, y), bad)
}

// EndsWith is s.endsWith(end).
func (c *Ctx) EndsWith(s, end Val) Val {
	x, y, bad := c.strings2(s, end)
	return boolOr(strings.HasSuffix(x, y), bad)
}
