package graph

import (
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// loops reports schemas that apply themselves to the very value they are
// applied to. The schemas are nodes; an edge leads to each schema that is
// applied to the same value. A redirectable reference leads to a hub for its
// name, and the hub to every schema that could be chosen, so that any choice
// made at run time is covered at the cost of one edge each.
func (b *builder) loops() {
	n := newNet(b.g)
	for _, group := range n.cycles() {
		steps := n.shortest(group)
		b.reportLoop(n, steps)
	}
}

// net is the graph of in-place application.
type net struct {
	schemas []*Schema // nodes; the hubs follow
	edges   [][]int32
}

func newNet(g *Graph) *net {
	n := &net{schemas: g.schemas}
	index := make(map[*Schema]int32, len(g.schemas))
	for i, s := range g.schemas {
		index[s] = int32(i)
	}
	n.edges = make([][]int32, len(g.schemas))
	hubs := map[string]int32{}
	hub := func(name string, targets []*Schema) int32 {
		at, ok := hubs[name]
		if !ok {
			at = int32(len(n.edges))
			hubs[name] = at
			to := make([]int32, len(targets))
			for i, t := range targets {
				to[i] = index[t]
			}
			n.edges = append(n.edges, to)
		}
		return at
	}
	for i, s := range g.schemas {
		var to []int32
		if s.Ref != nil {
			to = append(to, index[s.Ref])
		}
		if d := s.DynamicRef; d != nil {
			to = append(to, index[d.Target])
			if d.Dynamic {
				to = append(to, hub("#"+d.Anchor, g.dynamic[d.Anchor]))
			}
		}
		if d := s.RecursiveRef; d != nil {
			to = append(to, index[d.Target])
			if d.Dynamic {
				to = append(to, hub("", g.recurse))
			}
		}
		for _, c := range s.inPlace {
			to = append(to, index[c])
		}
		n.edges[i] = to
	}
	return n
}

// cycles returns the strongly connected groups that hold a cycle, by Tarjan's
// algorithm without recursion: chains of references may be as long as the
// contract has schemas. Each group is ordered and starts with its first schema.
func (n *net) cycles() [][]int32 {
	const unseen = -1
	low := make([]int32, len(n.edges))
	number := make([]int32, len(n.edges))
	onStack := make([]bool, len(n.edges))
	next := make([]int, len(n.edges)) // the edge to look at next
	for i := range number {
		number[i] = unseen
	}
	var stack, path []int32
	var groups [][]int32
	count := int32(0)
	for start := range n.edges {
		if number[start] != unseen {
			continue
		}
		path = append(path[:0], int32(start))
		for len(path) > 0 {
			v := path[len(path)-1]
			if number[v] == unseen {
				number[v], low[v] = count, count
				count++
				stack = append(stack, v)
				onStack[v] = true
			}
			if next[v] < len(n.edges[v]) {
				w := n.edges[v][next[v]]
				switch {
				case number[w] == unseen:
					path = append(path, w) // the edge is looked at again on return
					continue
				case onStack[w]:
					low[v] = min(low[v], low[w])
				}
				next[v]++
				continue
			}
			path = path[:len(path)-1]
			if low[v] != number[v] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != v {
				at--
			}
			for _, w := range stack[at:] {
				onStack[w] = false
			}
			if group := stack[at:]; len(group) > 1 || n.leads(v, v) {
				groups = append(groups, append([]int32(nil), group...))
			}
			stack = stack[:at]
		}
	}
	return groups
}

func (n *net) leads(from, to int32) bool {
	for _, w := range n.edges[from] {
		if w == to {
			return true
		}
	}
	return false
}

// shortest returns the shortest cycle through the first schema of a group,
// without the hubs.
func (n *net) shortest(group []int32) []*Schema {
	in := make(map[int32]bool, len(group))
	start := group[0]
	for _, v := range group {
		in[v] = true
		start = min(start, v)
	}
	from := map[int32]int32{}
	queue := []int32{start}
	last := start
search:
	for i := 0; i < len(queue); i++ {
		for _, w := range n.edges[queue[i]] {
			if w == start {
				last = queue[i]
				break search
			}
			if _, seen := from[w]; !seen && in[w] {
				from[w] = queue[i]
				queue = append(queue, w)
			}
		}
	}
	var back []*Schema
	for v := last; ; v = from[v] {
		if int(v) < len(n.schemas) {
			back = append(back, n.schemas[v])
		}
		if v == start {
			break
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

func (b *builder) reportLoop(n *net, steps []*Schema) {
	const shown = 6
	at := steps[0]
	// The reference is what one can change; a loop has at least one.
	for _, s := range steps {
		if s.Ref != nil || s.DynamicRef != nil || s.RecursiveRef != nil {
			at = s
			break
		}
	}
	d := diag.Diagnostic{Code: "graph.ref-loop", Pos: at.Value.Pos, Pointer: at.Pointer,
		Hint: "put a keyword that goes deeper, such as properties or items, between the two, or remove one reference"}
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if v := at.Value.Get(keyword); v != nil && v.Kind == source.String {
			d.Pos, d.Pointer = v.Pos, at.Pointer+"/"+keyword
			break
		}
	}
	var names []string
	for i, s := range steps {
		if i == shown {
			names = append(names, "…")
			break
		}
		names = append(names, shorten(s.Location))
		if s != at {
			d.Related = append(d.Related, diag.Related{Pos: s.Value.Pos, Message: "on the way"})
		}
	}
	names = append(names, shorten(steps[0].Location))
	d.Message = "this schema applies itself to the same value without end: " + strings.Join(names, " → ")
	b.add(d)
}
