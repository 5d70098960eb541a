package gopattern

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/internal/pattern"
)

// maxCompared is the size up to which a set is tested by comparing with each
// member instead of looking it up.
const maxCompared = 2

// byteSet gives the name of a contract.ByteSet variable, declared at first use.
func (e *emitter) byteSet(set pattern.ByteSet) string {
	return e.declare(setText(set), func(name string) jen.Code {
		return jen.Comment(name + " is " + setText(set) + ".").Line().
			Var().Id(name).Op("=").Add(e.byteSetValue(set))
	})
}

func (e *emitter) byteSetValue(set pattern.ByteSet) jen.Code {
	last := 3
	for last > 0 && set[last] == 0 {
		last--
	}
	return jen.Qual(e.runtime, "ByteSet").ValuesFunc(func(g *jen.Group) {
		for _, word := range set[:last+1] {
			g.Op(fmt.Sprintf("%#x", word))
		}
	})
}

// runeSet gives the name of a contract.RuneSet variable.
func (e *emitter) runeSet(set pattern.Set) string {
	text := setText(set.Bytes)
	for i := 0; i < len(set.High); i += 2 {
		text += fmt.Sprintf(" U+%04X-%04X", set.High[i], set.High[i+1])
	}
	return e.declare(text, func(name string) jen.Code {
		return jen.Comment(name+" is "+text+".").Line().
			Var().Id(name).Op("=").Qual(e.runtime, "RuneSet").Values(
			jen.Id("ASCII").Op(":").Add(e.byteSetValue(set.Bytes)),
			jen.Id("High").Op(":").Add(runes(set.High)),
		)
	})
}

func (e *emitter) declare(key string, decl func(name string) jen.Code) string {
	if name, ok := e.sets[key]; ok {
		return name
	}
	name := fmt.Sprintf("%sSet%d", e.name, len(e.sets)+1)
	e.sets[key] = name
	e.decls = append(e.decls, decl(name))
	return name
}

// setText describes a set of bytes as a class: [0-9a-f].
func setText(set pattern.ByteSet) string {
	var b strings.Builder
	b.WriteByte('[')
	for _, r := range ranges(set) {
		b.WriteString(classByte(r[0]))
		if r[1] > r[0] {
			if r[1] > r[0]+1 {
				b.WriteByte('-')
			}
			b.WriteString(classByte(r[1]))
		}
	}
	b.WriteByte(']')
	return b.String()
}

func classByte(b byte) string {
	switch {
	case b <= ' ' || b >= 0x7F:
		return fmt.Sprintf(`\x%02x`, b)
	case strings.IndexByte(`\]-^`, b) >= 0:
		return `\` + string(rune(b))
	}
	return string(rune(b))
}

// ranges lists the runs of neighbouring bytes in set.
func ranges(set pattern.ByteSet) (out [][2]byte) {
	for b := 0; b < 256; b++ {
		if !set.Has(byte(b)) {
			continue
		}
		lo := b
		for b < 255 && set.Has(byte(b+1)) {
			b++
		}
		out = append(out, [2]byte{byte(lo), byte(b)})
	}
	return out
}

// byteLit is a byte as Go source.
func byteLit(b byte) jen.Code {
	if b >= ' ' && b < 0x7F {
		return jen.Op(fmt.Sprintf("%q", rune(b)))
	}
	return jen.Op(fmt.Sprintf("%#x", b))
}

// has is a condition: the byte at expression at is in set. Small sets and single
// ranges are compared with, so that the code says what it wants; the others are
// looked up, since branches on random bytes cost more than a load.
func (e *emitter) has(set pattern.ByteSet, at func() *jen.Statement) *jen.Statement {
	out := e.bare(set, at)
	if n := set.Len(); n > 1 && n <= maxCompared {
		out = jen.Parens(out)
	}
	return out
}

// bare is has as a condition of its own; it may hold an ||.
func (e *emitter) bare(set pattern.ByteSet, at func() *jen.Statement) *jen.Statement {
	rs := ranges(set)
	switch {
	case set.Len() <= maxCompared:
		var out *jen.Statement
		for _, r := range rs {
			for b := int(r[0]); b <= int(r[1]); b++ {
				cmp := at().Op("==").Add(byteLit(byte(b)))
				if out == nil {
					out = cmp
				} else {
					out = out.Op("||").Add(cmp)
				}
			}
		}
		return out
	case len(rs) == 1 && rs[0] == [2]byte{0x80, 0xFF}:
		return at().Op(">=").Op("0x80")
	case len(rs) == 1:
		return at().Op(">=").Add(byteLit(rs[0][0])).Op("&&").Add(at()).Op("<=").Add(byteLit(rs[0][1]))
	case 256-set.Len() <= maxCompared:
		return e.hasNot(complement(set), at)
	}
	return jen.Id(e.byteSet(set)).Dot("Has").Call(at())
}

// hasNot is the opposite of has, written without a double negation.
func (e *emitter) hasNot(set pattern.ByteSet, at func() *jen.Statement) *jen.Statement {
	rs := ranges(set)
	switch {
	case set.Len() <= maxCompared:
		var out *jen.Statement
		for _, r := range rs {
			for b := int(r[0]); b <= int(r[1]); b++ {
				cmp := at().Op("!=").Add(byteLit(byte(b)))
				if out == nil {
					out = cmp
				} else {
					out = out.Op("&&").Add(cmp)
				}
			}
		}
		return out
	case len(rs) == 1 && rs[0] == [2]byte{0x80, 0xFF}:
		return at().Op("<").Op("0x80")
	case len(rs) == 1:
		return at().Op("<").Add(byteLit(rs[0][0])).Op("||").Add(at()).Op(">").Add(byteLit(rs[0][1]))
	case 256-set.Len() <= maxCompared:
		return e.has(complement(set), at)
	}
	return jen.Op("!").Id(e.byteSet(set)).Dot("Has").Call(at())
}

// manyBytes is the length from which checking eight bytes at once pays.
const manyBytes = 16

// all is a condition: every byte of slice, n of them, is in set. Long slices of
// sets with few ranges are checked eight bytes at once.
func (e *emitter) all(set pattern.ByteSet, slice jen.Code, n int) *jen.Statement {
	rs := ranges(set)
	if n < manyBytes || len(rs) > 3 || set[2]|set[3] != 0 {
		return jen.Id(e.byteSet(set)).Dot("All").Call(slice)
	}
	name := []string{"InRange", "InRanges2", "InRanges3"}[len(rs)-1]
	args := []jen.Code{slice}
	for _, r := range rs {
		args = append(args, byteLit(r[0]), byteLit(r[1]))
	}
	return jen.Qual(e.runtime, name).Call(args...)
}

func complement(set pattern.ByteSet) pattern.ByteSet {
	for i := range set {
		set[i] = ^set[i]
	}
	return set
}
