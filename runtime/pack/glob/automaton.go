package glob

// state is a place in a shape. With index -1 it is before a path segment's first
// character; else some of it was read, and index is how many parts of the pattern
// segment are done. Inside **, index is 0.
type state struct {
	shape, seg, index int32
}

// other stands for a character that no pattern at hand names.
const other rune = -1

// set is a set of places. in has an entry for every place of the pattern.
type set struct {
	list []state
	in   []bool
}

func (p *Pattern) newSet() *set { return &set{in: make([]bool, p.places)} }

// add is for places of p only.
func (s *set) add(p *Pattern, st state) {
	if i := p.shapes[st.shape][st.seg].first + st.index + 1; !s.in[i] {
		s.in[i] = true
		s.list = append(s.list, st)
	}
}

func (s *set) clear(p *Pattern) {
	for _, st := range s.list {
		s.in[p.shapes[st.shape][st.seg].first+st.index+1] = false
	}
	s.list = s.list[:0]
}

// start adds the places before the first character.
func (p *Pattern) start() *set {
	s := p.newSet()
	for i := range p.shapes {
		p.before(s, int32(i), 0)
	}
	return s
}

// before adds the places in front of pattern segment seg; ** may stand for
// nothing, so what follows it is in front as well.
func (p *Pattern) before(into *set, sh, seg int32) {
	s := p.shapes[sh]
	for ; int(seg) < len(s); seg++ {
		into.add(p, state{sh, seg, -1})
		if !s[seg].deep {
			break
		}
	}
}

// step adds the places after reading c at st.
func (p *Pattern) step(into *set, st state, c rune) {
	s := p.shapes[st.shape]
	seg := s[st.seg]
	if c == '/' {
		switch {
		case st.index < 0: // an empty segment
		case seg.deep:
			p.before(into, st.shape, st.seg)
		case seg.done(st.index):
			p.before(into, st.shape, st.seg+1)
		}
		return
	}
	i := st.index
	if i < 0 {
		if c == '.' && seg.wildFirst() {
			return
		}
		i = 0
	}
	if seg.deep {
		into.add(p, state{st.shape, st.seg, 0})
		return
	}
	for ; int(i) < len(seg.parts); i++ {
		switch part := seg.parts[i]; {
		case part.kind == run:
			into.add(p, state{st.shape, st.seg, i})
			continue // the run may be empty
		case part.kind == one || part.r == c:
			into.add(p, state{st.shape, st.seg, i + 1})
		}
		break
	}
}

// done reports whether nothing, or only a run, is left from part i on.
func (s segment) done(i int32) bool {
	n := int32(len(s.parts))
	return i == n || i == n-1 && s.parts[i].kind == run
}

// accepts reports whether a path may end in the state.
func (p *Pattern) accepts(st state) bool {
	if st.index < 0 {
		return false
	}
	s := p.shapes[st.shape]
	if !s[st.seg].deep && !s[st.seg].done(st.index) {
		return false
	}
	for _, rest := range s[st.seg+1:] {
		if !rest.deep {
			return false
		}
	}
	return true
}
