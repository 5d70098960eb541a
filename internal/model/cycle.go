package model

// nameCycles gives a name to every type that is made of nothing but itself: a list
// of such lists, a map of such maps. No expression can spell an endless type, so the
// way back to its beginning leads through a declared one.
func (b *builder) nameCycles() {
	open := make([]bool, len(b.m.Types))
	done := make([]bool, len(b.m.Types))
	declared := map[Ref]Ref{}
	for r := 1; r < len(done); r++ {
		var way []Ref
		at := Ref(r)
		for at != 0 && !done[at] && b.nameless(at) {
			open[at] = true
			way = append(way, at)
			next := b.m.Types[at].Elem.Type
			if next != 0 && open[next] {
				if declared[next] == 0 {
					t := b.m.Types[next]
					declared[next] = b.declare(b.m.Schema(t.Schema), Type{Kind: Wrapper, Elem: Use{Type: next}, ElemSchema: t.Schema})
				}
				b.m.Types[at].Elem.Type = declared[next]
				break
			}
			at = next
		}
		for _, w := range way {
			open[w], done[w] = false, true
		}
	}
	b.rewraps = declared
}

// nameless reports whether type r is written out where it is used.
func (b *builder) nameless(r Ref) bool {
	k := b.m.Types[r].Kind
	return k == List || k == Map
}
