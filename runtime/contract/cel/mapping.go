package cel

import (
	"math"
	"slices"
	"strconv"

	"github.com/contractkit/contractkit/runtime/contract"
)

// mapping is a map that a rule has built, in the order of insertion. As with list, the
// first map that is made by inserting into it shares its memory, if there is room; MapOf
// leaves none, and what it returns is never written to.
type mapping struct {
	keys, vals []Val
	index      map[mapKey]int // nil while the map is small; may hold keys of the map grown from this one
	spare      map[mapKey]int // an empty map to use as index
	grown      bool
	lazy       bool // the index of a map that is not small is made when it is first searched
}

// smallMap is how many keys are searched one by one.
const smallMap = 8

// mapKey is a key in a form that equal keys share: 1, 1u and 1.0 are the same key.
type mapKey struct {
	kind Kind
	num  uint64
	str  string
}

// mapping returns an empty map to add to, whose memory lives until the next rule.
func (c *Ctx) mapping() *mapping {
	a := &c.lists
	if a.lent = true; a.nextMap == mostLent {
		return new(mapping)
	}
	if a.nextMap == len(a.maps) {
		a.maps = append(a.maps, new(mapping))
	}
	m := a.maps[a.nextMap]
	a.nextMap++
	return m
}

// MapWith is MapOf of keys and values in turn. The map lives until the next rule.
func (c *Ctx) MapWith(entries ...Val) Val {
	m := c.mapping()
	for i := 0; i < len(entries); i += 2 {
		if bad := m.add(entries[i], entries[i+1]); bad.kind == KindError {
			return bad
		}
	}
	m.grown = true // what is made from it has memory of its own
	return Val{kind: KindMap, ref: m}
}

// keepEntries bounds the maps whose memory is kept.
const keepEntries = 32

// clear makes an empty map of m, and keeps its memory if that is not too much.
func (m *mapping) clear() {
	if cap(m.keys) > keepEntries {
		*m = mapping{}
		return
	}
	clear(m.keys)
	clear(m.vals)
	if m.index != nil {
		clear(m.index)
		m.spare = m.index
	}
	*m = mapping{keys: m.keys[:0], vals: m.vals[:0], spare: m.spare}
}

// keyOf returns the form of a key; false for what is never equal to a key.
func keyOf(v Val) (mapKey, bool) {
	switch v.kind {
	case KindBool, KindInt:
		return mapKey{kind: v.kind, num: v.num}, true
	case KindString:
		return mapKey{kind: KindString, str: v.str}, true
	case KindUint:
		if v.num <= math.MaxInt64 {
			return mapKey{kind: KindInt, num: v.num}, true
		}
		return mapKey{kind: KindUint, num: v.num}, true
	case KindDouble:
		f := v.double()
		if i, ok := wholeDouble(f); ok {
			return mapKey{kind: KindInt, num: uint64(i)}, true
		}
		if f >= math.MaxInt64 && f < 1<<64 && f == math.Trunc(f) {
			return mapKey{kind: KindUint, num: uint64(f)}, true
		}
	}
	return mapKey{}, false
}

// wholeDouble returns the double as an int when it is one.
func wholeDouble(f float64) (int64, bool) {
	if f != math.Trunc(f) || f < math.MinInt64 || f >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}

// MapOf returns the map of keys[i] to vals[i]; the slices have one length. It is an
// error when an argument is one, when a key repeats, or when it is not a bool, int, uint
// or string.
func MapOf(keys, vals []Val) Val {
	m := &mapping{keys: make([]Val, 0, len(keys)), vals: make([]Val, 0, len(keys))}
	for i := range keys {
		if bad := m.add(keys[i], vals[i]); bad.kind == KindError {
			return bad
		}
	}
	m.keys, m.vals = slices.Clip(m.keys), slices.Clip(m.vals)
	return Val{kind: KindMap, ref: m}
}

func (m *mapping) add(k, v Val) Val {
	if k.kind == KindError || v.kind == KindError {
		return failed(k, v)
	}
	key, ok := keyOf(k)
	if !ok || k.kind == KindDouble {
		return Err("unsupported key type: " + k.typeName())
	}
	if m.find(key) >= 0 {
		return errRepeated
	}
	m.keys, m.vals = append(m.keys, k), append(m.vals, v)
	if m.index != nil {
		m.index[key] = len(m.keys) - 1
	} else if len(m.keys) > smallMap {
		m.reindex()
	}
	return Null()
}

func (m *mapping) reindex() {
	if m.index, m.spare = m.spare, nil; m.index == nil {
		m.index = make(map[mapKey]int, 2*len(m.keys))
	}
	for i := range m.keys {
		key, _ := keyOf(m.keys[i])
		m.index[key] = i
	}
}

// find returns the place of a key, or -1.
func (m *mapping) find(key mapKey) int {
	if m.lazy {
		m.lazy = false
		m.reindex()
	}
	if m.index != nil {
		if i, ok := m.index[key]; ok && i < len(m.keys) {
			return i
		}
		return -1
	}
	for i := range m.keys {
		if k, _ := keyOf(m.keys[i]); k == key {
			return i
		}
	}
	return -1
}

// grow returns a map that has what m has and may be added to.
func (m *mapping) grow() *mapping {
	if !m.grown && cap(m.keys) > len(m.keys) {
		m.grown = true
		return &mapping{keys: m.keys, vals: m.vals, index: m.index}
	}
	n := len(m.keys)
	g := &mapping{keys: m.keys[:n:n], vals: m.vals[:n:n]}
	if n > smallMap {
		g.reindex()
	}
	return g
}

// builtMap returns the content of a map that a rule has built.
func (v Val) builtMap() *mapping {
	m, _ := v.ref.(*mapping)
	return m
}

// lookup returns the value under key; found is false when there is none. The value is
// an error when a declared member is asked for by a name that is not declared.
func (c *Ctx) lookup(v, key Val) (x Val, found bool) {
	if m := v.builtMap(); m != nil {
		k, ok := keyOf(key)
		if !ok {
			return Val{}, false
		}
		i := m.find(k)
		if i < 0 {
			return Val{}, false
		}
		return m.vals[i], true
	}
	if key.kind != KindString {
		return Val{}, false
	}
	s, declared := v.view().member(key.str)
	if !declared {
		return Val{}, false
	}
	n, found := c.member(v.num, v.node, key.str)
	if !found {
		return Val{}, false
	}
	return c.view(v.num, n, s), true
}

// manyNames is from how many members on an object's names are looked up in a table.
const manyNames = 32

// member finds a member of an object of a document. Objects with many members are
// indexed when they are first searched that far.
func (c *Ctx) member(doc uint64, obj contract.Node, name string) (contract.Node, bool) {
	d := c.docs[doc]
	if len(c.names) > 0 {
		if index, ok := c.names[at{doc, obj}]; ok {
			n, found := index[name]
			return n, found
		}
	}
	k, end := obj+1, d.Next(obj)
	for i := 0; k < end; i++ {
		if string(d.Text(k)) == name {
			return k + 1, true
		}
		k = d.Next(k + 1)
		if i == manyNames {
			return c.indexNames(doc, obj, name)
		}
	}
	return 0, false
}

func (c *Ctx) indexNames(doc uint64, obj contract.Node, name string) (contract.Node, bool) {
	d := c.docs[doc]
	index := nameIndex{}
	for k, end := obj+1, d.Next(obj); k < end; k = d.Next(k + 1) {
		c.Step()
		index[nameOf(d, k)] = k + 1
	}
	if c.names == nil {
		c.names = map[at]nameIndex{}
	}
	c.names[at{doc, obj}] = index
	n, found := index[name]
	return n, found
}

// MapInsert is the function behind two-variable comprehensions: the map with one more
// key, or with the entries of a second map. A key that is there already is an error.
func (c *Ctx) MapInsert(args ...Val) Val {
	if len(args) < 2 || args[0].kind != KindMap {
		return failed(args...)
	}
	if !c.Step() {
		return errLimit
	}
	m, bad := c.ownMap(args[0])
	if bad.kind == KindError {
		return bad
	}
	m = m.grow()
	if len(args) == 3 {
		if bad := m.add(args[1], args[2]); bad.kind == KindError {
			return badKey(bad, args[1])
		}
		return Val{kind: KindMap, ref: m}
	}
	if args[1].kind != KindMap {
		return failed(args[1])
	}
	it := c.Iter(args[1])
	for it.Next() {
		if bad := m.add(it.Key(), it.Val()); bad.kind == KindError {
			return badKey(bad, it.Key())
		}
	}
	if bad, failed := it.Err(); failed {
		return bad
	}
	return Val{kind: KindMap, ref: m}
}

func badKey(bad, key Val) Val {
	if bad.str == errRepeated.str {
		return Err("insert failed: key " + display(key) + " already exists")
	}
	return bad
}

// display writes a key for a message.
func display(key Val) string {
	switch key.kind {
	case KindString:
		return key.str
	case KindInt:
		return strconv.FormatInt(key.int(), 10)
	case KindUint:
		return strconv.FormatUint(key.num, 10)
	case KindDouble:
		return formatDouble(key.double())
	case KindBool:
		return strconv.FormatBool(key.num != 0)
	}
	return key.typeName()
}

// ownMap returns a map as one that a rule has built.
func (c *Ctx) ownMap(v Val) (*mapping, Val) {
	if m := v.builtMap(); m != nil {
		return m, Null()
	}
	m := &mapping{}
	it := c.Iter(v)
	for it.Next() {
		if bad := m.add(it.Key(), it.Val()); bad.kind == KindError {
			return nil, bad
		}
	}
	if bad, failed := it.Err(); failed {
		return nil, bad
	}
	return m, Null()
}
