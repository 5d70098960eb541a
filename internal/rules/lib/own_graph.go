package lib

import (
	"maps"
	"slices"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// readGraph reads a map(string, list(string)).
func readGraph(v ref.Val) (map[string][]string, ref.Val) {
	m := v.(traits.Mapper)
	edges := map[string][]string{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		k := it.Next()
		name, ok := k.(types.String)
		list, okList := m.Get(k).(traits.Lister)
		if !ok || !okList {
			return nil, types.NewErr("no such overload")
		}
		to, bad := readStrings(list)
		if bad != nil {
			return nil, bad
		}
		edges[string(name)] = to
	}
	return edges, nil
}

func readStrings(v ref.Val) ([]string, ref.Val) {
	list := []string{}
	for _, x := range elements(v) {
		s, ok := x.(types.String)
		if !ok {
			return nil, types.NewErr("no such overload")
		}
		list = append(list, string(s))
	}
	return list, nil
}

// findCycle walks depth first, nodes in the order of their names, edges as they stand.
func findCycle(edges map[string][]string) []string {
	finished := map[string]bool{}
	var path []string
	on := map[string]int{} // place on the path, from 1
	var walk func(node string) []string
	walk = func(node string) []string {
		if i := on[node]; i > 0 {
			return append(slices.Clone(path[i-1:]), node)
		}
		if finished[node] {
			return nil
		}
		path = append(path, node)
		on[node] = len(path)
		for _, next := range edges[node] {
			if cycle := walk(next); cycle != nil {
				return cycle
			}
		}
		path = path[:len(path)-1]
		delete(on, node)
		finished[node] = true
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(edges)) {
		if cycle := walk(node); cycle != nil {
			return cycle
		}
	}
	return nil
}

func cyclePath(a ...ref.Val) ref.Val {
	edges, bad := readGraph(a[0])
	if bad != nil {
		return bad
	}
	return strs(findCycle(edges))
}

func acyclic(a ...ref.Val) ref.Val {
	edges, bad := readGraph(a[0])
	if bad != nil {
		return bad
	}
	return types.Bool(findCycle(edges) == nil)
}

func closure(a ...ref.Val) ref.Val {
	edges, bad := readGraph(a[0])
	if bad != nil {
		return bad
	}
	frontier, bad := readStrings(a[1])
	if bad != nil {
		return bad
	}
	reached := map[string]bool{}
	for len(frontier) > 0 {
		var next []string
		for _, node := range frontier {
			if !reached[node] {
				reached[node] = true
				next = append(next, edges[node]...)
			}
		}
		frontier = next
	}
	return strs(slices.Sorted(maps.Keys(reached)))
}
