package cel

import (
	"strings"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Strings that a rule joins only to compare the result are compared part by part.

// EqJoin is true when the parts of both are there and join to the same string, NeJoin
// when they join to different ones.
func EqJoin(a, b []Str) bool {
	same, ok := joined(a, b)
	return ok && same
}

// NeJoin is the opposite of EqJoin, for parts that are all there.
func NeJoin(a, b []Str) bool {
	same, ok := joined(a, b)
	return ok && !same
}

func joined(a, b []Str) (same, ok bool) {
	size := 0
	for _, s := range a {
		if !s.OK {
			return false, false
		}
		size += len(s.S)
	}
	for _, s := range b {
		if !s.OK {
			return false, false
		}
		size -= len(s.S)
	}
	if size != 0 {
		return false, true
	}
	rest, next := "", 0
	for _, s := range a {
		for left := s.S; left != ""; {
			for rest == "" {
				rest, next = b[next].S, next+1
			}
			n := min(len(left), len(rest))
			if left[:n] != rest[:n] {
				return false, true
			}
			left, rest = left[n:], rest[n:]
		}
	}
	return true, true
}

// StartsJoin is true when s begins with the parts joined, NotStartsJoin when all are
// there and it does not.
func StartsJoin(s Str, parts []Str) bool {
	starts, ok := startsJoin(s, parts)
	return ok && starts
}

// NotStartsJoin is the opposite of StartsJoin, for strings that are all there.
func NotStartsJoin(s Str, parts []Str) bool {
	starts, ok := startsJoin(s, parts)
	return ok && !starts
}

func startsJoin(s Str, parts []Str) (starts, ok bool) {
	starts, ok = true, s.OK
	for _, p := range parts {
		if !p.OK {
			return false, false
		}
		rest, begins := strings.CutPrefix(s.S, p.S)
		s.S, starts = rest, starts && begins
	}
	return starts, ok
}

// WithinJoin is true when the array n has the string that the parts join to.
func WithinJoin(d *contract.Doc, n contract.Node, parts []Str) bool {
	found, ok := withinJoin(d, n, parts)
	return ok && found
}

// NotWithinJoin is true when n is an array without the string that the parts join to.
func NotWithinJoin(d *contract.Doc, n contract.Node, parts []Str) bool {
	found, ok := withinJoin(d, n, parts)
	return ok && !found
}

func withinJoin(d *contract.Doc, n contract.Node, parts []Str) (found, ok bool) {
	if n < 0 || d.Kind(n) != contract.Array {
		return false, false
	}
	for _, p := range parts {
		if !p.OK {
			return false, false
		}
	}
	for k, end := n+1, d.Next(n); k < end; k = d.Next(k) {
		if d.Kind(k) != contract.String {
			continue
		}
		rest, is := shared(d.Text(k)), true
		for _, p := range parts {
			if rest, is = strings.CutPrefix(rest, p.S); !is {
				break
			}
		}
		if is && rest == "" {
			return true, true
		}
	}
	return false, true
}

// WalkWithinJoin is WithinJoin.
func (c *Ctx) WalkWithinJoin(d *contract.Doc, n contract.Node, parts []Str) bool {
	return c.walk(d, n, 1) && WithinJoin(d, n, parts)
}

// WalkNotWithinJoin is NotWithinJoin.
func (c *Ctx) WalkNotWithinJoin(d *contract.Doc, n contract.Node, parts []Str) bool {
	return c.walk(d, n, 1) && NotWithinJoin(d, n, parts)
}
