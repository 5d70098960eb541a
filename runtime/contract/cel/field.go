package cel

import (
	"slices"

	"github.com/contractkit/contractkit/runtime/contract"
)

// View is what a contract's rules read of an object: its members' names. The places
// of the members are found once for an object, at the first read, and kept.
type View struct {
	ID    contract.Node // from 1; no other view of the package has it
	Names []string
}

// table has the places of members of one document.
type table struct {
	at    []uint32        // by node and one: where its newest entry in slots begins; 0 for none
	slots []contract.Node // an entry: the view's id, where the next entry of the node begins, a node for each name
}

const entryHead = 2

func (t *table) reset(tokens int) {
	tokens++
	if cap(t.at) < tokens {
		t.at = make([]uint32, tokens)
	}
	t.at = t.at[:tokens]
	clear(t.at)
	t.slots = append(t.slots[:0], 0) // so that no entry begins at 0
}

// keep bounds the memory that is held on to.
func (t *table) keep(most int) {
	if cap(t.at) > most || cap(t.slots) > most {
		*t = table{}
	}
}

// Field is the member of the document's object n that v lists at i, or Nowhere.
func (c *Ctx) Field(n contract.Node, v *View, i int) contract.Node {
	if b := c.now.at[n+1]; c.now.slots[b] == v.ID { // slots[0] is nobody's, and at[0], which is that of Nowhere, leads there
		return c.now.slots[int(b)+entryHead+i]
	}
	return c.see(&c.now, 0, n, v, i)
}

// Was is Field of the document before.
func (c *Ctx) Was(n contract.Node, v *View, i int) contract.Node {
	if b := c.was.at[n+1]; c.was.slots[b] == v.ID {
		return c.was.slots[int(b)+entryHead+i]
	}
	return c.see(&c.was, 1, n, v, i)
}

// Fields is the places of the members of n, in the order of v's names, Nowhere for each
// that is not there. It is not to be changed.
func (c *Ctx) Fields(n contract.Node, v *View) []contract.Node {
	if b := c.now.at[n+1]; c.now.slots[b] == v.ID {
		b += entryHead
		return c.now.slots[b : int(b)+len(v.Names)]
	}
	return c.all(&c.now, 0, n, v)
}

// OldFields is Fields of the document before.
func (c *Ctx) OldFields(n contract.Node, v *View) []contract.Node {
	if b := c.was.at[n+1]; c.was.slots[b] == v.ID {
		b += entryHead
		return c.was.slots[b : int(b)+len(v.Names)]
	}
	return c.all(&c.was, 1, n, v)
}

// all is Fields where another view was read last, or none.
func (c *Ctx) all(t *table, doc int, n contract.Node, v *View) []contract.Node {
	if n < 0 {
		for len(c.nothing) < len(v.Names) {
			c.nothing = append(c.nothing, Nowhere)
		}
		return c.nothing[:len(v.Names)]
	}
	b := c.entry(t, doc, n, v) + entryHead
	return t.slots[b : b+len(v.Names)]
}

// Without is true when the object n is there and its member is not.
func Without(n, member contract.Node) bool { return n >= 0 && member < 0 }

// HasField is true when the object n has the member, LacksField when n is there
// without it; HadField and LackedField are about the document before.
func (c *Ctx) HasField(n contract.Node, v *View, i int) bool { return c.Field(n, v, i) >= 0 }

// LacksField is true when n is there without the member.
func (c *Ctx) LacksField(n contract.Node, v *View, i int) bool { return n >= 0 && c.Field(n, v, i) < 0 }

// HadField is HasField of the document before.
func (c *Ctx) HadField(n contract.Node, v *View, i int) bool { return c.Was(n, v, i) >= 0 }

// LackedField is LacksField of the document before.
func (c *Ctx) LackedField(n contract.Node, v *View, i int) bool { return n >= 0 && c.Was(n, v, i) < 0 }

// see is Field where another view was read last, or none.
func (c *Ctx) see(t *table, doc int, n contract.Node, v *View, i int) contract.Node {
	if n < 0 {
		return Nowhere
	}
	return t.slots[c.entry(t, doc, n, v)+entryHead+i]
}

// entry returns where the entry of v for the node n stands in the slots. It finds the
// members of n that v names, if that has not been done before.
func (c *Ctx) entry(t *table, doc int, n contract.Node, v *View) int {
	d := c.docs[doc]
	for b := t.at[n+1]; b != 0; b = uint32(t.slots[b+1]) { // under another view before
		if t.slots[b] == v.ID {
			return int(b)
		}
	}
	b := len(t.slots)
	t.slots = append(t.slots, v.ID, contract.Node(t.at[n+1]))
	for range v.Names {
		t.slots = append(t.slots, Nowhere)
	}
	t.at[n+1] = uint32(b)
	if d.Kind(n) == contract.Object {
		left := len(v.Names)
		for k, end := n+1, d.Next(n); k < end && left > 0; k = d.Next(k + 1) {
			name := d.Text(k)
			for j, w := range v.Names {
				if string(name) == w {
					t.slots[b+entryHead+j] = k + 1
					left--
					break
				}
			}
		}
	}
	return b
}

// Is is true when n is the string s, Isnt when it is another string.
func Is(d *contract.Doc, n contract.Node, s string) bool {
	return n >= 0 && d.Kind(n) == contract.String && string(d.Text(n)) == s
}

// Isnt is true when n is a string other than s.
func Isnt(d *contract.Doc, n contract.Node, s string) bool {
	return n >= 0 && d.Kind(n) == contract.String && string(d.Text(n)) != s
}

// OneOf is true when n is a string of the list, NoneOf when it is one that is not.
func OneOf(d *contract.Doc, n contract.Node, list []string) bool {
	if n < 0 || d.Kind(n) != contract.String {
		return false
	}
	text := d.Text(n)
	for _, s := range list {
		if string(text) == s {
			return true
		}
	}
	return false
}

// NoneOf is true when n is a string that is not in the list.
func NoneOf(d *contract.Doc, n contract.Node, list []string) bool {
	return n >= 0 && d.Kind(n) == contract.String && !OneOf(d, n, list)
}

// HoldsAll is true when the array n has all the strings, LacksSome when it is an array
// without one of them.
func HoldsAll(d *contract.Doc, n contract.Node, list []string) bool {
	for _, s := range list {
		if !Within(d, n, Str{s, true}) {
			return false
		}
	}
	return n >= 0
}

// LacksSome is true when the array n lacks one of the strings.
func LacksSome(d *contract.Doc, n contract.Node, list []string) bool {
	for _, s := range list {
		if NotWithin(d, n, Str{s, true}) {
			return true
		}
	}
	return false
}

// HoldsAny is true when the array n has one of the strings, HoldsNone when it is an
// array without any.
func HoldsAny(d *contract.Doc, n contract.Node, list []string) bool {
	for _, s := range list {
		if Within(d, n, Str{s, true}) {
			return true
		}
	}
	return false
}

// HoldsNone is true when the array n has none of the strings.
func HoldsNone(d *contract.Doc, n contract.Node, list []string) bool {
	for _, s := range list {
		if !NotWithin(d, n, Str{s, true}) {
			return false
		}
	}
	return n >= 0
}

// SameOpt is true when both optional values are none or both are there and equal as
// JSON; DifferOpt is its opposite, for they cannot fail.
func SameOpt(a *contract.Doc, n contract.Node, b *contract.Doc, m contract.Node) bool {
	if n < 0 || m < 0 {
		return n < 0 && m < 0
	}
	return contract.EqualNodes(a, n, b, m)
}

// DifferOpt is the opposite of SameOpt.
func DifferOpt(a *contract.Doc, n contract.Node, b *contract.Doc, m contract.Node) bool {
	return !SameOpt(a, n, b, m)
}

// TextOr is the string n, or another one where there is none.
func TextOr(d *contract.Doc, n contract.Node, otherwise Str) Str {
	if n < 0 {
		return otherwise
	}
	return Text(d, n)
}

// OptView is an optional with the value n, or none for Nowhere.
func (c *Ctx) OptView(doc int, n contract.Node, s *Shape) Val {
	if n < 0 {
		return None()
	}
	return c.some(c.view(uint64(doc), n, s))
}

// RepeatsOf is repeats over an array of strings, or with a view over an array of
// objects with the string that v lists at i. orEmpty takes Nowhere for an empty list.
func (c *Ctx) RepeatsOf(doc int, list contract.Node, v *View, i int, orEmpty bool) Val {
	var again []Val
	bad := c.repeats(doc, list, v, i, orEmpty, func(at int64) bool {
		again = append(again, Int(at))
		return true
	})
	if bad.kind == KindError {
		return bad
	}
	return c.listOf(again)
}

// UniqueOf is unique, likewise.
func (c *Ctx) UniqueOf(doc int, list contract.Node, v *View, i int, orEmpty bool) Val {
	unique := true
	bad := c.repeats(doc, list, v, i, orEmpty, func(int64) bool {
		unique = false
		return false
	})
	if bad.kind == KindError {
		return bad
	}
	return Bool(unique)
}

// repeats calls found with the index of each element that an earlier one equals, until
// it returns false.
func (c *Ctx) repeats(doc int, list contract.Node, v *View, i int, orEmpty bool, found func(int64) bool) Val {
	d := c.docs[doc]
	switch {
	case list < 0 && orEmpty:
		return Null()
	case list < 0 || d.Kind(list) != contract.Array:
		return errMissing
	}
	var few [fewValues]string
	var seen map[string]bool
	n, at := 0, int64(0)
	for k, end := list+1, d.Next(list); k < end; k, at = d.Next(k), at+1 {
		if !c.Step() {
			return errLimit
		}
		node := k
		if v != nil {
			if doc == 0 {
				node = c.Field(k, v, i)
			} else {
				node = c.Was(k, v, i)
			}
		}
		if node < 0 || d.Kind(node) != contract.String {
			return errMissing
		}
		text := stringOf(d, node)
		again := false
		if seen != nil {
			again = seen[text]
			seen[text] = true
		} else {
			for _, s := range few[:n] {
				if s == text {
					again = true
					break
				}
			}
			switch {
			case again:
			case n < len(few):
				few[n] = text
				n++
			default:
				seen = make(map[string]bool, 4*len(few))
				for _, s := range few {
					seen[s] = true
				}
				seen[text] = true
			}
		}
		if again && !found(at) {
			break
		}
	}
	return Null()
}

// OptIs is true when there is a string n, and it is s; OptIsnt when there is none or
// another one.
func OptIs(d *contract.Doc, n contract.Node, s string) bool { return n >= 0 && Is(d, n, s) }

// OptIsnt is the opposite of OptIs.
func OptIsnt(d *contract.Doc, n contract.Node, s string) bool { return !OptIs(d, n, s) }

// HasSame is true when the array n has a value equal to m, LacksSame when it is an
// array without one. Values are compared as JSON.
func HasSame(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	if n < 0 || m < 0 || d.Kind(n) != contract.Array {
		return false
	}
	for k, end := n+1, d.Next(n); k < end; k = d.Next(k) {
		if contract.EqualNodes(d, k, e, m) {
			return true
		}
	}
	return false
}

// LacksSame is true when the array n has no value equal to m.
func LacksSame(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return n >= 0 && m >= 0 && d.Kind(n) == contract.Array && !HasSame(d, n, e, m)
}

// Begins is true when the array m begins with the elements of the array n, BeginsNot
// when both are arrays and it does not. Values are compared as JSON.
func Begins(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	if n < 0 || m < 0 || d.Kind(n) != contract.Array || e.Kind(m) != contract.Array {
		return false
	}
	end, other := d.Next(n), e.Next(m)
	l := m + 1
	for k := n + 1; k < end; k, l = d.Next(k), e.Next(l) {
		if l >= other || !contract.EqualNodes(d, k, e, l) {
			return false
		}
	}
	return true
}

// BeginsNot is true when m is an array that does not begin with the array n.
func BeginsNot(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return n >= 0 && m >= 0 && d.Kind(n) == contract.Array && e.Kind(m) == contract.Array && !Begins(d, n, e, m)
}

// SameBut is true when two objects are equal as JSON but for members of these names,
// DifferBut when both are objects and they are not.
func SameBut(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node, names []string) bool {
	return areObjects(d, n, e, m) && sameBut(d, n, e, m, names)
}

// DifferBut is the opposite of SameBut, for objects.
func DifferBut(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node, names []string) bool {
	return areObjects(d, n, e, m) && !sameBut(d, n, e, m, names)
}

func areObjects(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node) bool {
	return n >= 0 && m >= 0 && d.Kind(n) == contract.Object && e.Kind(m) == contract.Object
}

func sameBut(d *contract.Doc, n contract.Node, e *contract.Doc, m contract.Node, names []string) bool {
	left := 0
	for l, end := m+1, e.Next(m); l < end; l = e.Next(l + 1) {
		if !slices.Contains(names, shared(e.Text(l))) {
			left++
		}
	}
	l, stop := m+1, e.Next(m)
	for k, end := n+1, d.Next(n); k < end; k = d.Next(k + 1) {
		name := nameOf(d, k)
		if slices.Contains(names, name) {
			continue
		}
		for l < stop && slices.Contains(names, shared(e.Text(l))) {
			l = e.Next(l + 1)
		}
		at := Nowhere
		if l < stop && string(e.Text(l)) == name { // members mostly stand in one order
			at, l = l+1, e.Next(l+1)
		} else {
			at = Member(e, m, name)
		}
		if at < 0 || !contract.EqualNodes(d, k+1, e, at) {
			return false
		}
		left--
	}
	return left == 0
}

// HoldsOpt is true when there is an array n and it has the string, LacksOpt when there is
// none or it has not.
func HoldsOpt(d *contract.Doc, n contract.Node, s Str) bool { return n >= 0 && Within(d, n, s) }

// LacksOpt is the opposite of HoldsOpt, for strings that are there.
func LacksOpt(d *contract.Doc, n contract.Node, s Str) bool {
	return s.OK && (n < 0 || NotWithin(d, n, s))
}
