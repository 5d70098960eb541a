package glob

// state is a place in a shape. With index -1 it is before a path segment's first
// character; else some of it was read, and index is how many parts of the pattern
// segment are done. Inside **, index is 0.
type state struct {
	shape, seg, index int32
}

// other stands for a character that no pattern at hand names.
const other rune = -1

// start returns the states before the first character.
func (p *Pattern) start() []state {
	var set []state
	for i := range p.shapes {
		set = p.before(set, int32(i), 0)
	}
	return set
}

// before adds the states in front of pattern segment seg; ** may stand for
// nothing, so what follows it is in front as well.
func (p *Pattern) before(set []state, sh, seg int32) []state {
	s := p.shapes[sh]
	for ; int(seg) < len(s); seg++ {
		set = add(set, state{sh, seg, -1})
		if !s[seg].deep {
			break
		}
	}
	return set
}

func add(set []state, st state) []state {
	for _, have := range set {
		if have == st {
			return set
		}
	}
	return append(set, st)
}

// step adds to set the states after reading c in state st.
func (p *Pattern) step(set []state, st state, c rune) []state {
	s := p.shapes[st.shape]
	seg := s[st.seg]
	if c == '/' {
		switch {
		case st.index < 0: // an empty segment
		case seg.deep:
			set = p.before(set, st.shape, st.seg)
		case seg.done(st.index):
			set = p.before(set, st.shape, st.seg+1)
		}
		return set
	}
	i := st.index
	if i < 0 {
		if c == '.' && seg.wildFirst() {
			return set
		}
		i = 0
	}
	if seg.deep {
		return add(set, state{st.shape, st.seg, 0})
	}
	for ; int(i) < len(seg.parts); i++ {
		switch part := seg.parts[i]; {
		case part.kind == run:
			set = add(set, state{st.shape, st.seg, i})
			continue // the run may be empty
		case part.kind == one || part.r == c:
			set = add(set, state{st.shape, st.seg, i + 1})
		}
		break
	}
	return set
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
