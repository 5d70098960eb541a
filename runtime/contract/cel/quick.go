package cel

import "github.com/contractkit/contractkit/runtime/contract"

// Few is how many elements of a list quick conditions look at; longer lists are left to
// the rule's own expression, whose time does not grow with their square.
const Few = 16

// DistinctTexts is true when the array has few elements, all of them strings, or with a
// view objects with a string that v lists at i, and no two are equal. orEmpty takes
// Nowhere for an empty list.
func (c *Ctx) DistinctTexts(doc int, list contract.Node, v *View, i int, orEmpty bool) bool {
	d := c.docs[doc]
	if list < 0 {
		return orEmpty
	}
	if d.Kind(list) != contract.Array {
		return false
	}
	var texts [Few][]byte
	n := 0
	for k, end := list+1, d.Next(list); k < end; k = d.Next(k) {
		node := k
		if v != nil {
			if doc == 0 {
				node = c.Field(k, v, i)
			} else {
				node = c.Was(k, v, i)
			}
		}
		if n == Few || node < 0 || d.Kind(node) != contract.String || d.Escaped(node) {
			return false
		}
		text := d.Text(node)
		for _, other := range texts[:n] {
			if string(other) == string(text) {
				return false
			}
		}
		texts[n] = text
		n++
	}
	return true
}

// Keys are the keys of few elements.
type Keys struct {
	n    int
	keys [Few]string
}

// Add adds a key; false when it is not there, is one of them already, or one too many.
func (k *Keys) Add(key Str) bool {
	if !key.OK || k.n == Few {
		return false
	}
	for i := range k.keys[:k.n] {
		if k.keys[i] == key.S {
			return false
		}
	}
	k.keys[k.n] = key.S
	k.n++
	return true
}

// NoStrings is true when match accepts none of the strings in the value n: findStrings
// finds nothing.
func (c *Ctx) NoStrings(d *contract.Doc, n contract.Node, match func([]byte) bool) bool {
	return c.none(d, n, func(k contract.Node, name bool) bool { return !name && match(d.Text(k)) })
}

// NoKeys is true when match accepts none of the member names in the value n, written as
// words: findKeys finds nothing.
func (c *Ctx) NoKeys(d *contract.Doc, n contract.Node, match func([]byte) bool) bool {
	return c.none(d, n, func(k contract.Node, name bool) bool {
		if !name {
			return false
		}
		c.words = appendWords(c.words[:0], shared(d.Text(k)))
		return match(c.words)
	})
}

// none asks about the strings in the value n and the names of members in it.
func (c *Ctx) none(d *contract.Doc, n contract.Node, found func(k contract.Node, name bool) bool) bool {
	if n < 0 {
		return false
	}
	if d.Kind(n) == contract.String {
		return !found(n, false)
	}
	switch d.Kind(n) {
	case contract.Object:
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k + 1) {
			if found(k, true) || !c.none(d, k+1, found) {
				return false
			}
		}
	case contract.Array:
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k) {
			if !c.none(d, k, found) {
				return false
			}
		}
	}
	return true
}
