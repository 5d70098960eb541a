package contract

// splicer makes a document of another one and its patches. The tape is not scanned
// anew but copied, with what it says of places moved: most of a text is not patched.
type splicer struct {
	from    *Validator
	text    []byte
	tape    []token // as long as it may be; the first n are there
	n       int
	next    int    // the token of from that is to be copied next
	open    uint32 // the innermost token that a patch lies in; its end is its old self, its next is the one around it
	moved   uint32 // what is added to places in the text
	nesting int    // of the deepest value among the patches
}

const noToken = ^uint32(0)

// splice makes w the document v with its patches. It is false, and w of no use, when
// that could break a limit; the text is in w.own all the same.
func (v *Validator) splice(w *Validator, lim Limits) bool {
	s := splicer{from: v, text: w.own[:0], tape: w.tape[:cap(w.tape)], open: noToken}
	at := uint32(0)
	for i := range v.patches {
		p := &v.patches[i]
		s.text = append(s.text, v.data[at:p.off]...)
		s.close(p.off)
		s.copy(p.off)
		s.patch(p, lim.MaxDepth)
		s.moved = uint32(len(s.text)) - p.end
		at = p.end
	}
	s.text = append(s.text, v.data[at:]...)
	s.close(noToken)
	s.copy(noToken)
	w.own, w.data, w.tape = s.text, s.text, s.tape[:s.n]
	w.deepest = v.deepest + s.nesting
	return len(s.text) <= lim.MaxBytes && w.deepest <= lim.MaxDepth
}

// room makes room for more tokens.
func (s *splicer) room(more int) {
	for s.n+more > len(s.tape) {
		s.tape = grow(s.tape)
	}
}

// close ends the open containers that end before place of the old text.
func (s *splicer) close(place uint32) {
	for s.open != noToken {
		t := &s.tape[s.open]
		old := &s.from.tape[t.end]
		if old.end > place {
			return
		}
		s.open, t.end, t.next = t.next, old.end+s.moved, old.next+uint32(s.n-s.next)
	}
}

// copy copies the tokens that begin before place, where the next patch is.
func (s *splicer) copy(place uint32) {
	from, ahead := s.from.tape, uint32(s.n-s.next)
	s.room(len(from) - s.next)
	for ; s.next < len(from) && from[s.next].off < place; s.next++ {
		old, t := &from[s.next], &s.tape[s.n]
		t.off, t.kind, t.flags = old.off+s.moved, old.kind, old.flags
		if old.end <= place {
			t.end, t.next = old.end+s.moved, old.next+ahead
		} else {
			t.end, t.next = uint32(s.next), s.open
			s.open = uint32(s.n)
		}
		s.n++
	}
}

// patch appends what p brings, and steps over what it takes away.
func (s *splicer) patch(p *patch, maxDepth int) {
	text := s.from.news[p.from:p.to]
	switch p.form {
	case patchMember:
		if !s.empty() {
			s.text = append(s.text, ',')
		}
		at := len(s.text)
		s.text = append(s.text, text...)
		at = s.string(at)
		s.value(at+1, maxDepth)
	case patchString:
		at := len(s.text)
		s.text = AppendString(s.text, view(text))
		s.string(at)
		s.next++
	default:
		at := len(s.text)
		s.text = append(s.text, text...)
		s.value(at, maxDepth)
		s.next = int(s.from.tape[s.next].next)
	}
}

// empty reports whether the object that the text ends in has no member so far.
func (s *splicer) empty() bool {
	last := len(s.text) - 1
	for isSpace(s.text[last]) {
		last--
	}
	return s.text[last] == '{'
}

// string adds the token of the string that begins at a byte, and returns its end.
func (s *splicer) string(at int) int {
	end, flags, _ := scanString(s.text, at+1)
	s.add(token{off: uint32(at + 1), end: uint32(end), kind: String, flags: flags})
	return end + 1
}

// value adds the tokens of the value that the text ends with, which begins at a byte.
func (s *splicer) value(at, maxDepth int) {
	scalar := token{off: uint32(at), end: uint32(len(s.text))}
	switch s.text[at] {
	case '"':
		s.string(at)
		return
	case '[', '{':
		s.container(at, maxDepth)
		return
	case 't', 'f':
		scalar.kind = Bool
	case 'n':
		scalar.kind = Null
	default:
		_, flags, _ := scanNumber(s.text, at)
		scalar.kind, scalar.flags = Num, flags
	}
	s.add(scalar)
}

// container is value for arrays and objects. Most of them are empty.
func (s *splicer) container(at, maxDepth int) {
	if len(s.text) == at+2 {
		kind := Array
		if s.text[at] == '{' {
			kind = Object
		}
		s.nesting = max(s.nesting, 1)
		s.add(token{off: uint32(at), end: uint32(at + 2), kind: kind})
		return
	}
	piece := Acquire() // a document of its own, to be moved here
	defer piece.Release()
	tape, _, _ := piece.scan(s.text[at:], piece.tape[:cap(piece.tape)], maxDepth)
	piece.tape = tape
	s.nesting = max(s.nesting, piece.deepest)
	s.room(len(tape))
	for i := range tape {
		t := tape[i]
		t.off, t.end, t.next = t.off+uint32(at), t.end+uint32(at), t.next+uint32(s.n-i)
		s.tape[s.n] = t
		s.n++
	}
}

// add adds the token of a value without parts.
func (s *splicer) add(t token) {
	s.room(1)
	t.next = uint32(s.n + 1)
	s.tape[s.n] = t
	s.n++
}
