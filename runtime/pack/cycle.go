package pack

import (
	"slices"
	"strings"
)

// dependencyGraph has the ids of the packs as nodes, in byte order, and the
// dependencies on packs that are there as edges, those of each node in order.
type dependencyGraph struct {
	packs []int32 // by node: a pack with the id
	start []int32 // by node, and one more: where its edges begin
	all   []int32 // the edges of all nodes

	// What the search for groups keeps, by node.
	order, low, group, next []int32
	onStack                 []bool
	stack, way              []int32
}

func (g *dependencyGraph) edges(n int32) []int32 { return g.all[g.start[n]:g.start[n+1]] }

// fill makes the graph of the packs of contract v2. Packs that share an id are one
// node with the dependencies of all.
func (out *dependencyGraph) fill(g *gate) {
	out.packs, out.start, out.all = out.packs[:0], out.start[:0], out.all[:0]
	g.nodes = zeroed(g.nodes, len(g.packs))
	for _, i := range g.v2 {
		if n := len(out.packs); n == 0 || g.best[out.packs[n-1]] != g.best[i] {
			out.packs = append(out.packs, i)
		}
		g.nodes[i] = int32(len(out.packs))
		g.nodes[g.best[i]] = int32(len(out.packs))
	}
	// Dependencies come in order of their packs, and so in order of the nodes.
	i := 0
	for n := range int32(len(out.packs)) {
		start := len(out.all)
		out.start = append(out.start, int32(start))
		for ; i < len(g.needs) && g.nodes[g.needs[i].from] == n+1; i++ {
			if to := g.needs[i].to; to >= 0 && g.nodes[to] > 0 {
				out.all = append(out.all, g.nodes[to]-1)
			}
		}
		slices.Sort(out.all[start:])
		out.all = out.all[:start+len(slices.Compact(out.all[start:]))]
	}
	out.start = append(out.start, int32(len(out.all)))
}

// checkCycles reports each group of packs that need one another, as one cycle:
// from its smallest id the shortest way back, the smallest ids first.
func checkCycles(gt *gate) {
	g := &gt.graph
	g.fill(gt)
	if g.groups() == len(g.packs) {
		return // each pack is a group of its own
	}
	size := make([]int32, len(g.packs))
	for _, c := range g.group {
		size[c]++
	}
	seen := make([]bool, len(g.packs))
	for n, c := range g.group {
		if size[c] > 1 && !seen[c] {
			seen[c] = true
			path := g.cycle(int32(n), gt.packs)
			gt.add(Diagnostic{Code: CodeDependencyCycle, Severity: Error, Data: Data{Cycle: path},
				Message: "The packs depend on one another in a cycle: " + joinCycle(path),
				Hint:    "remove one of these dependencies"})
		}
	}
}

// joinCycle prints a cycle; ids are quoted only by the arrows between them, as
// they are kebab-case.
func joinCycle(path []string) string { return strings.Join(path, " -> ") }

// groups numbers the strongly connected groups: two nodes have one number in g.group
// when each leads to the other. It is Tarjan's algorithm without recursion, and
// returns how many there are.
func (g *dependencyGraph) groups() int {
	n := len(g.packs)
	g.order, g.low, g.group, g.next, g.onStack = zeroed(g.order, n), zeroed(g.low, n), zeroed(g.group, n), zeroed(g.next, n), zeroed(g.onStack, n)
	g.stack, g.way = g.stack[:0], g.way[:0]
	count, groups := int32(0), int32(0)
	enter := func(v int32) {
		count++
		g.order[v], g.low[v] = count, count
		g.stack, g.way = append(g.stack, v), append(g.way, v)
		g.onStack[v] = true
	}
	for root := range int32(n) {
		if g.order[root] != 0 {
			continue
		}
		enter(root)
		for len(g.way) > 0 {
			v := g.way[len(g.way)-1]
			if edges := g.edges(v); int(g.next[v]) < len(edges) { // the edge to look at next
				w := edges[g.next[v]]
				g.next[v]++
				switch {
				case g.order[w] == 0:
					enter(w)
				case g.onStack[w]:
					g.low[v] = min(g.low[v], g.order[w])
				}
				continue
			}
			g.way = g.way[:len(g.way)-1]
			if len(g.way) > 0 {
				up := g.way[len(g.way)-1]
				g.low[up] = min(g.low[up], g.low[v])
			}
			if g.low[v] == g.order[v] {
				for {
					w := g.stack[len(g.stack)-1]
					g.stack = g.stack[:len(g.stack)-1]
					g.onStack[w], g.group[w] = false, groups
					if w == v {
						break
					}
				}
				groups++
			}
		}
	}
	return int(groups)
}

// cycle returns the ids of the shortest way from start back to it inside its
// group, start at both ends; of several, the first in byte order.
func (g *dependencyGraph) cycle(start int32, packs []*Parsed) []string {
	id := func(n int32) string { return packs[g.packs[n]].id }
	group := g.group
	back := map[int32][]int32{} // edges of the group, turned round
	members := []int32{start}
	for seen := map[int32]bool{start: true}; len(members) > 0; {
		v := members[len(members)-1]
		members = members[:len(members)-1]
		for _, w := range g.edges(v) {
			if group[w] != group[start] {
				continue
			}
			back[w] = append(back[w], v)
			if !seen[w] {
				seen[w] = true
				members = append(members, w)
			}
		}
	}
	distance := map[int32]int{start: 0} // to start
	for queue := []int32{start}; len(queue) > 0; queue = queue[1:] {
		for _, v := range back[queue[0]] {
			if _, seen := distance[v]; !seen {
				distance[v] = distance[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	path, at := []string{id(start)}, start
	for {
		best := int32(-1)
		for _, w := range g.edges(at) { // in order of ids
			if d, in := distance[w]; in && group[w] == group[start] && (best < 0 || d < distance[best]) {
				best = w
			}
		}
		path = append(path, id(best))
		if best == start {
			return path
		}
		at = best
	}
}
