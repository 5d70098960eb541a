package pack

import (
	"slices"
	"strings"
)

// dependencyGraph has the ids of the packs as nodes, in byte order, and the
// dependencies on packs that are there as edges, each list in order.
type dependencyGraph struct {
	ids   []name
	edges [][]int32
}

// newDependencyGraph makes the graph of the packs of contract v2. Packs that share
// an id are one node with the dependencies of all.
func (g *gate) newDependencyGraph() *dependencyGraph {
	out := &dependencyGraph{ids: make([]name, 0, len(g.v2)), edges: make([][]int32, 0, len(g.v2))}
	node := make([]int32, len(g.packs)) // by pack; 0 is none, else one more than the node
	for _, i := range g.v2 {
		id := g.heads[i].id
		if n := len(out.ids); n == 0 || out.ids[n-1] != id {
			out.ids = append(out.ids, id)
		}
		node[i] = int32(len(out.ids))
		node[g.at[id]] = int32(len(out.ids))
	}
	// Dependencies come in order of their packs, and so in order of the nodes.
	all := make([]int32, 0, len(g.needs))
	for i := 0; len(out.edges) < len(out.ids); {
		n, start := int32(len(out.edges)), len(all)
		for ; i < len(g.needs) && node[g.needs[i].from] == n+1; i++ {
			if to := g.needs[i].to; to >= 0 && node[to] > 0 {
				all = append(all, node[to]-1)
			}
		}
		edges := all[start:len(all):len(all)]
		slices.Sort(edges)
		out.edges = append(out.edges, slices.Compact(edges))
	}
	return out
}

// checkCycles reports each group of packs that need one another, as one cycle:
// from its smallest id the shortest way back, the smallest ids first.
func checkCycles(gt *gate) {
	g := gt.newDependencyGraph()
	group := g.groups()
	size := make([]int32, len(g.ids))
	for _, c := range group {
		size[c]++
	}
	seen := make([]bool, len(g.ids))
	for n, c := range group {
		if size[c] > 1 && !seen[c] {
			seen[c] = true
			path := g.cycle(int32(n), group)
			gt.add(Diagnostic{Code: CodeDependencyCycle, Severity: Error, Data: Data{Cycle: path},
				Message: "The packs depend on one another in a cycle: " + joinCycle(path),
				Hint:    "remove one of these dependencies"})
		}
	}
}

// joinCycle prints a cycle; ids are quoted only by the arrows between them, as
// they are kebab-case.
func joinCycle(path []string) string { return strings.Join(path, " -> ") }

// groups numbers the strongly connected groups: two nodes have one number when
// each leads to the other. It is Tarjan's algorithm without recursion.
func (g *dependencyGraph) groups() []int32 {
	n := len(g.ids)
	order, low, group := make([]int32, n), make([]int32, n), make([]int32, n)
	next := make([]int, n) // the edge to look at next
	onStack := make([]bool, n)
	var stack, way []int32
	count, groups := int32(0), int32(0)
	enter := func(v int32) {
		count++
		order[v], low[v] = count, count
		stack, way = append(stack, v), append(way, v)
		onStack[v] = true
	}
	for root := range n {
		if order[root] != 0 {
			continue
		}
		enter(int32(root))
		for len(way) > 0 {
			v := way[len(way)-1]
			if next[v] < len(g.edges[v]) {
				w := g.edges[v][next[v]]
				next[v]++
				switch {
				case order[w] == 0:
					enter(w)
				case onStack[w]:
					low[v] = min(low[v], order[w])
				}
				continue
			}
			way = way[:len(way)-1]
			if len(way) > 0 {
				up := way[len(way)-1]
				low[up] = min(low[up], low[v])
			}
			if low[v] == order[v] {
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					onStack[w], group[w] = false, groups
					if w == v {
						break
					}
				}
				groups++
			}
		}
	}
	return group
}

// cycle returns the ids of the shortest way from start back to it inside its
// group, start at both ends; of several, the first in byte order.
func (g *dependencyGraph) cycle(start int32, group []int32) []string {
	back := map[int32][]int32{} // edges of the group, turned round
	members := []int32{start}
	for seen := map[int32]bool{start: true}; len(members) > 0; {
		v := members[len(members)-1]
		members = members[:len(members)-1]
		for _, w := range g.edges[v] {
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
	path, at := []string{g.ids[start].Value()}, start
	for {
		best := int32(-1)
		for _, w := range g.edges[at] { // in order of ids
			if d, in := distance[w]; in && group[w] == group[start] && (best < 0 || d < distance[best]) {
				best = w
			}
		}
		path = append(path, g.ids[best].Value())
		if best == start {
			return path
		}
		at = best
	}
}
