package cel

import (
	"maps"
	"slices"
)

// graph is a map from nodes to the nodes that their edges lead to. A node that is only
// led to has no edges of its own.
type graph map[string][]string

// graph reads a map(string, list(string)); a value that is null has no edges.
func (c *Ctx) graph(v Val) (graph, Val) {
	if v.kind != KindMap {
		return nil, failed(v)
	}
	g := graph{}
	it := c.Iter(v)
	for it.Next() {
		k, x := it.Key(), it.Val()
		if k.kind != KindString {
			return nil, failed(k)
		}
		to, bad := c.texts(x)
		if bad.kind == KindError {
			return nil, bad
		}
		g[k.str] = to
	}
	bad, failed := it.Err()
	if !failed {
		bad = Null()
	}
	return g, bad
}

// Acyclic is acyclic(map(string, list(string))): no node leads back to itself.
func (c *Ctx) Acyclic(v Val) Val {
	path := c.CyclePath(v)
	if path.kind == KindError {
		return path
	}
	n, bad := c.Len(path)
	return boolOr(n == 0, bad)
}

// CyclePath is cyclePath(map(string, list(string))): the nodes of the first cycle, whose
// first and last node are the same; empty if there is none. Nodes are tried in the order
// of their names, and their edges as they stand.
func (c *Ctx) CyclePath(v Val) Val {
	g, bad := c.graph(v)
	if bad.kind == KindError {
		return bad
	}
	const onPath, done = 1, 2
	state := map[string]int{}
	var path []string // the nodes of the walk, and how many of their edges were tried
	var tried []int
	for _, start := range slices.Sorted(maps.Keys(g)) {
		if state[start] == done {
			continue
		}
		path, tried = append(path[:0], start), append(tried[:0], 0)
		state[start] = onPath
		for len(path) > 0 {
			top := len(path) - 1
			node := path[top]
			if tried[top] == len(g[node]) {
				state[node] = done
				path, tried = path[:top], tried[:top]
				continue
			}
			next := g[node][tried[top]]
			tried[top]++
			switch state[next] {
			case onPath:
				return textList(append(slices.Clone(path[slices.Index(path, next):]), next))
			case done:
			default:
				state[next] = onPath
				path, tried = append(path, next), append(tried, 0)
			}
		}
	}
	return textList(nil)
}

// Closure is closure(map(string, list(string)), start): the nodes that can be reached
// from those in start, which count too, in the order of their names.
func (c *Ctx) Closure(v, start Val) Val {
	g, bad := c.graph(v)
	if bad.kind == KindError {
		return bad
	}
	todo, bad := c.texts(start)
	if bad.kind == KindError {
		return bad
	}
	reached := map[string]bool{}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[node] {
			continue
		}
		reached[node] = true
		todo = append(todo, g[node]...)
	}
	return textList(slices.Sorted(maps.Keys(reached)))
}
