package contract

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// Equals reports whether the value n equals the JSON text want, which is known to
// be well formed: numbers by value, objects without regard to order.
func (v *Validator) Equals(n Node, want string) bool {
	o := Acquire()
	defer o.Release()
	if o.Load([]byte(want), Limits{}) != nil {
		return false
	}
	return equal(&v.Doc, n, &o.Doc, Root)
}

func equal(a *Doc, n Node, b *Doc, m Node) bool {
	if a.Kind(n) != b.Kind(m) {
		return false
	}
	if k := a.Kind(n); k == Object || k == Array { // one text is one value
		if x, y := &a.tape[n], &b.tape[m]; x.end-x.off == y.end-y.off && bytes.Equal(a.data[x.off:x.end], b.data[y.off:y.end]) {
			return true
		}
	}
	switch a.Kind(n) {
	case Null:
		return true
	case Bool:
		return a.data[a.tape[n].off] == b.data[b.tape[m].off]
	case Num:
		return EqualNumbers(a.Number(n), b.Number(m))
	case String:
		return sameText(a, n, b, m)
	case Array:
		endA, endB := a.Next(n), b.Next(m)
		for n, m = n+1, m+1; n < endA && m < endB; n, m = a.Next(n), b.Next(m) {
			if !equal(a, n, b, m) {
				return false
			}
		}
		return n == endA && m == endB
	}
	return equalObjects(a, n, b, m)
}

// sameText compares two strings, either of which may have escapes; a and b may be
// one document, whose scratch buffer holds one decoded string at a time.
func sameText(a *Doc, n Node, b *Doc, m Node) bool {
	if a.tape[n].flags&b.tape[m].flags&flagEscaped == 0 {
		return bytes.Equal(a.Text(n), b.Text(m))
	}
	a.second = append(a.second[:0], a.Text(n)...)
	return bytes.Equal(a.second, b.Text(m))
}

func equalObjects(a *Doc, n Node, b *Doc, m Node) bool {
	count := a.Count(n)
	if count != b.Count(m) {
		return false
	}
	// Members mostly stand in the same order; names are unique on both sides.
	var index map[string]Node
	end := a.Next(n)
	k, l := n+1, m+1
	for ; k < end; k, l = a.Next(k+1), b.Next(l+1) {
		at := l
		if !sameText(a, k, b, l) {
			if index == nil && count > fewNames {
				index = b.index(m, count)
			}
			if at = b.find(m, a, k, index); at == 0 {
				return false
			}
		}
		if !equal(a, k+1, b, at+1) {
			return false
		}
	}
	return true
}

// index maps the names of a large object to their nodes.
func (d *Doc) index(obj Node, count int) map[string]Node {
	index := make(map[string]Node, count)
	for j, end := obj+1, d.Next(obj); j < end; j = d.Next(j + 1) {
		index[string(d.Text(j))] = j
	}
	return index
}

// find returns the name node of obj that reads like the name k of a; 0 for none.
func (d *Doc) find(obj Node, a *Doc, k Node, index map[string]Node) Node {
	if index != nil {
		return index[string(a.Text(k))]
	}
	for j, end := obj+1, d.Next(obj); j < end; j = d.Next(j + 1) {
		if sameText(a, k, d, j) {
			return j
		}
	}
	return 0
}

// Repeated returns the first element of the array n that equals an earlier one.
func (v *Validator) Repeated(n Node) (Node, bool) {
	const few = 8
	d := &v.Doc
	count := d.Count(n)
	end := d.Next(n)
	if count <= few {
		for e := n + 1; e < end; e = d.Next(e) {
			for o := n + 1; o < e; o = d.Next(o) {
				if equal(d, o, d, e) {
					return e, true
				}
			}
		}
		return 0, false
	}
	// Equal values hash alike; the seed is not the sender's to know.
	size := 1 << bits.Len(uint(2*count))
	type slot struct {
		hash uint64
		node Node
	}
	slots := make([]slot, size)
	for e := n + 1; e < end; e = d.Next(e) {
		h := d.hash(e)
		for i := h & uint64(size-1); ; i = (i + 1) & uint64(size-1) {
			s := &slots[i]
			if s.node == 0 {
				*s = slot{h, e}
				break
			}
			if s.hash == h && equal(d, s.node, d, e) {
				return e, true
			}
		}
	}
	return 0, false
}

// hash mixes a value so that equal values hash alike.
func (d *Doc) hash(n Node) uint64 {
	kind := uint64(d.Kind(n)) + 1
	switch d.Kind(n) {
	case Bool:
		return kind*0x9E3779B97F4A7C15 ^ uint64(d.data[d.tape[n].off])
	case Num:
		return hashNumber(d.Number(n))
	case String:
		return maphash.Bytes(nameSeed, d.Text(n)) + kind
	case Array:
		h := kind
		for e, end := n+1, d.Next(n); e < end; e = d.Next(e) {
			h = bits.RotateLeft64(h, 5)*0x9E3779B97F4A7C15 ^ d.hash(e)
		}
		return h
	case Object:
		h := kind
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k + 1) { // order does not matter
			h += bits.RotateLeft64(maphash.Bytes(nameSeed, d.Text(k))*0x9E3779B97F4A7C15, 17) * (d.hash(k+1) | 1)
		}
		return h
	}
	return kind
}

// hashNumber hashes the digits that are left when the zeros at both ends are
// taken off, which equal numbers share.
func hashNumber(text []byte) uint64 {
	var buf [64]byte
	digits := buf[:0]
	neg := text[0] == '-'
	point, seenPoint, started := 0, false, false
	for _, c := range text {
		if c|0x20 == 'e' {
			break
		}
		switch {
		case c == '.':
			seenPoint = true
		case c >= '0' && c <= '9':
			if c != '0' || started {
				started = true
				digits = append(digits, c)
			}
			if seenPoint {
				point++
			}
		}
	}
	digits = bytes.TrimRight(digits, "0")
	if len(digits) == 0 {
		return 1
	}
	_ = point // the exponent is left out: collisions cost a comparison, no more
	h := maphash.Bytes(nameSeed, digits)
	if neg {
		h = ^h
	}
	return h
}

// EqualNodes compares the value n of a with the value m of b, which may be the same
// document: numbers by value, objects without regard to order, strings as text.
func EqualNodes(a *Doc, n Node, b *Doc, m Node) bool { return equal(a, n, b, m) }

// SameEntry finds, in the array list of b, the object that has the same values of
// the members keys as the object n of a: entries of a list that is a map by keys.
func SameEntry(a *Doc, n Node, b *Doc, list Node, keys []string) (Node, bool) {
	if b.Kind(list) != Array || a.Kind(n) != Object {
		return 0, false
	}
next:
	for k := list + 1; k < b.Next(list); k = b.Next(k) {
		for _, key := range keys {
			x, inA := a.Member(n, key)
			y, inB := b.Member(k, key)
			if inA != inB || inA && !equal(a, x, b, y) {
				continue next
			}
		}
		return k, true
	}
	return 0, false
}
