package contract

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Completer is the form of generated functions that note what has to change in the
// valid value n for it to have its defaults and normalised strings.
type Completer = func(v *Validator, n Node)

// patch is such a change: a text that takes the place of bytes of the document. It holds
// no pointer, for there may be many and they are short-lived.
type patch struct {
	off, end uint32 // byte range in the document
	from, to uint32 // byte range in the validator's news, where the text is
	form     patchForm
}

type patchForm uint8

const (
	patchValue  patchForm = iota // text is JSON
	patchString                  // text is what the string decodes to
	patchMember                  // text is a member, of an object that ends at off
)

// Complete returns the valid document as complete leaves it: v itself when nothing has
// to change, and else another validator from the pool, which the caller releases.
// A document that its defaults make break a limit has issues.
func (v *Validator) Complete(complete Completer) (w *Validator, issues Issues) {
	if complete == nil {
		return v, nil
	}
	lim := Limits{}.fill()
	v.patches, v.news, v.maxNews = v.patches[:0], v.news[:0], lim.MaxBytes
	if err := v.notePatches(complete); err != nil {
		return v, err.(*Error).Issues
	}
	switch {
	case len(v.patches) == 0:
		return v, nil
	case len(v.news) > v.maxNews:
		return v, tooLarge(lim)
	}
	w = Acquire()
	if v.splice(w, lim) {
		w.begin(lim)
		return w, nil
	}
	if issues := w.Load(w.own, lim); issues != nil {
		w.Release()
		return v, issues
	}
	return w, nil
}

// notePatches calls complete, which may tell alternatives apart by checks.
func (v *Validator) notePatches(complete Completer) (err error) {
	defer v.endCostlyDecode(&err)
	complete(v, Root)
	return nil
}

// note adds a patch of the bytes from off to end. Small values may have large defaults:
// when what is new is too much by itself, there is no need for all of it.
func (v *Validator) note(off, end uint32, form patchForm, text string) {
	if len(v.news) > v.maxNews {
		return
	}
	from := uint32(len(v.news))
	v.news = append(v.news, text...)
	v.patches = append(v.patches, patch{off, end, from, uint32(len(v.news)), form})
}

// FillIn notes the members that the value n lacks when it is an object: the i-th,
// written as JSON, unless bit i is set in seen. It is called after the walk over the
// members of n.
func (v *Validator) FillIn(n Node, seen uint64, members ...string) {
	if v.tape[n].kind != Object {
		return
	}
	at := v.tape[n].end - 1
	for i, member := range members {
		if seen>>i&1 == 0 {
			v.note(at, at, patchMember, member)
		}
	}
}

// Normalize notes what the steps make of the value n when it is a string.
func (v *Validator) Normalize(n Node, steps ...func(string) string) {
	t := &v.tape[n]
	if t.kind != String {
		return
	}
	was := view(v.Text(n))
	now := after(was, steps)
	if now != was {
		v.note(t.off-1, t.end+1, patchString, now)
	}
}

func after(s string, steps []func(string) string) string {
	for _, step := range steps {
		s = step(s)
	}
	return s
}

// view is the string of the bytes b, for as long as they do not change.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// NormalizeEach is Normalize for the elements of the array n, if it is one.
func (v *Validator) NormalizeEach(n Node, steps ...func(string) string) {
	if v.tape[n].kind == Array {
		for k, end := n+1, v.Next(n); k < end; k = v.Next(k) {
			v.Normalize(k, steps...)
		}
	}
}

// NormalizeSet notes what TextSet makes of the array of strings n after the steps, if
// n is one.
func (v *Validator) NormalizeSet(n Node, steps ...func(string) string) {
	if v.tape[n].kind != Array || v.isTextSet(n, steps) {
		return
	}
	var was, now []string
	for k, end := n+1, v.Next(n); k < end; k = v.Next(k) {
		text := string(v.Text(k))
		was, now = append(was, text), append(now, after(text, steps))
	}
	if now = TextSet(now); slices.Equal(was, now) {
		return
	}
	t := &v.tape[n]
	v.note(t.off, t.end, patchValue, string(AppendList(nil, now, AppendString)))
}

// isTextSet reports whether it is plain that NormalizeSet leaves n alone.
func (v *Validator) isTextSet(n Node, steps []func(string) string) bool {
	last := ""
	for k, end := n+1, v.Next(n); k < end; k = v.Next(k) {
		t := &v.tape[k]
		text := view(v.data[t.off:t.end])
		if t.flags&flagEscaped != 0 || after(text, steps) != text || !lessUTF16(last, text) {
			return false
		}
		last = text
	}
	return true
}

// lessUTF16 reports whether a comes before b in the order of UTF-16 code units.
func lessUTF16(a, b string) bool {
	for {
		x, m := utf8.DecodeRuneInString(a)
		y, n := utf8.DecodeRuneInString(b)
		if m == 0 || n == 0 {
			return m == 0 && n > 0
		}
		if x != y {
			return firstUnit(x) < firstUnit(y) || firstUnit(x) == firstUnit(y) && x < y
		}
		a, b = a[m:], b[n:]
	}
}

// firstUnit is the code unit that r begins with.
func firstUnit(r rune) rune {
	if r > 0xFFFF {
		r, _ = utf16.EncodeRune(r)
	}
	return r
}

// CompleteEach calls complete for the elements of the array n, if it is one.
func (v *Validator) CompleteEach(n Node, complete Completer) {
	if v.tape[n].kind == Array {
		for k, end := n+1, v.Next(n); k < end; k = v.Next(k) {
			complete(v, k)
		}
	}
}

// CompleteMembers calls complete for the values in the object n, if it is one.
func (v *Validator) CompleteMembers(n Node, complete Completer) {
	if v.tape[n].kind == Object {
		for k, end := n+1, v.Next(n); k < end; k = v.Next(k + 1) {
			complete(v, k+1)
		}
	}
}
