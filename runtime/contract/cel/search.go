package cel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// FindStrings is findStrings(x, pattern): the paths from x to the strings in it that the
// pattern is found in. A path is a list of names and indices; paths are in the order of
// their steps, names by code point.
func (c *Ctx) FindStrings(v, p Val) Val {
	re, bad := c.searched(v, p)
	if bad.kind == KindError {
		return bad
	}
	return c.pathsTo(v, func(_, x Val) Val {
		if x.kind != KindString {
			return Bool(false)
		}
		return c.found(re, x.str)
	})
}

// FindKeys is findKeys(x, pattern): the paths from x to the members in it whose name the
// pattern is found in, once the name is written as words in small letters: runCommand and
// "Run-Command" as run_command. Small letters of all but ASCII stand for nothing, like
// other characters between words.
func (c *Ctx) FindKeys(v, p Val) Val {
	re, bad := c.searched(v, p)
	if bad.kind == KindError {
		return bad
	}
	var words []byte
	return c.pathsTo(v, func(key, _ Val) Val {
		if key.kind != KindString {
			return Bool(false)
		}
		words = appendWords(words[:0], key.str)
		return c.found(re, shared(words))
	})
}

// searched compiles the pattern of a search through v.
func (c *Ctx) searched(v, p Val) (pattern, Val) {
	if v.kind == KindError || p.kind != KindString {
		return pattern{}, failed(v, p)
	}
	return c.pattern(p.str)
}

func (c *Ctx) found(re pattern, s string) Val {
	if !c.spend((len(s) + 1) * re.cost) {
		return errLimit
	}
	return Bool(re.MatchString(s))
}

// Overflows is overflows(x): the paths from x to the numbers in it that are beyond what a
// double can hold, or infinite, or no numbers at all.
func (c *Ctx) Overflows(v Val) Val {
	return c.pathsTo(v, func(_, x Val) Val {
		f, ok := x.AsDouble()
		return Bool(ok && f-f != 0 || x.kind == KindError && x.str == beyondDouble)
	})
}

// pathsTo returns the paths to what wanted is true of, which is asked about each value and
// the name or index that it has. Values that are errors are none of its concern.
func (c *Ctx) pathsTo(v Val, wanted func(key, x Val) Val) Val {
	if v.kind == KindError {
		return v
	}
	s := searcher{c: c, wanted: wanted}
	if bad := s.walk(Null(), v); bad.kind == KindError {
		return bad
	}
	slices.SortFunc(s.found, comparePaths)
	paths := c.Items()
	for _, p := range s.found {
		paths = append(paths, c.listOf(p))
	}
	return c.Made(paths)
}

type searcher struct {
	c      *Ctx
	wanted func(key, x Val) Val
	path   []Val
	found  [][]Val
}

func (s *searcher) walk(key, v Val) Val {
	is := s.wanted(key, v)
	if is.kind == KindError {
		return is
	}
	if is.IsTrue() {
		if !s.c.spend(len(s.path)) {
			return errLimit
		}
		s.found = append(s.found, slices.Clone(s.path))
	}
	if v.kind != KindList && v.kind != KindMap {
		return Null()
	}
	it := s.c.Iter(v)
	for it.Next() {
		key := it.Key()
		if v.kind == KindMap && key.kind != KindString {
			return Err("a key of a JSON object is a string, not " + key.typeName())
		}
		s.path = append(s.path, key)
		if bad := s.walk(key, it.Val()); bad.kind == KindError {
			return bad
		}
		s.path = s.path[:len(s.path)-1]
	}
	bad, failed := it.Err()
	if !failed {
		return Null()
	}
	return bad
}

// comparePaths orders paths below one value, whose steps at one place are all names or
// all indices.
func comparePaths(a, b []Val) int {
	return slices.CompareFunc(a, b, func(x, y Val) int {
		if x.kind == KindInt {
			return cmp.Compare(x.int(), y.int())
		}
		return strings.Compare(x.str, y.str)
	})
}

// appendWords writes a name as words in small letters with _ between. A word starts where
// a capital follows on a small letter or a digit.
func appendWords(out []byte, name string) []byte {
	small := false // the last character was a small letter or digit
	for i := range len(name) {
		b := name[i]
		switch {
		case 'A' <= b && b <= 'Z':
			if small {
				out = append(out, '_')
			}
			out, small = append(out, b|0x20), false
		case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
			out, small = append(out, b), true
		default:
			if len(out) == 0 || out[len(out)-1] != '_' {
				out = append(out, '_')
			}
			small = false
		}
	}
	return out
}

// Associate is associate(keys, values): the map of each key, a string, to the value at
// its place in the other list, which is as long; a key that repeats keeps its first value.
func (c *Ctx) Associate(keys, values Val) Val {
	if bad := accepts([]Val{keys, values}, KindList, KindList); bad.kind == KindError {
		return bad
	}
	m := c.mapping()
	k, v := c.Iter(keys), c.Iter(values)
	for k.Next() {
		if !v.Next() {
			return orErr(Err("the lists differ in length"), k, v)
		}
		key, val := k.Val(), v.Val()
		if key.kind != KindString || val.kind == KindError {
			return failed(key, val)
		}
		if form, _ := keyOf(key); m.find(form) >= 0 {
			continue
		}
		if bad := m.add(key, val); bad.kind == KindError {
			return bad
		}
	}
	if v.Next() {
		return Err("the lists differ in length")
	}
	return orErr(Val{kind: KindMap, ref: m}, k, v)
}

// orErr returns v, or the error that one of the iterations ended with.
func orErr(v Val, its ...Iter) Val {
	for i := range its {
		if bad, failed := its[i].Err(); failed {
			return bad
		}
	}
	return v
}

// Sha256 is sha256(string): the hash of its UTF-8 bytes in small hexadecimal digits.
func (c *Ctx) Sha256(v Val) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	sum := sha256.Sum256([]byte(s))
	return String(hex.EncodeToString(sum[:]))
}
