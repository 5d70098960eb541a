package wasihost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// What a module may declare. The runtime makes room for what a module says that it
// holds before it looks whether that is there, and a table is none of the linear
// memory that the meter counts: without bounds a module of twenty bytes ends the
// host's process. Compilers stay far below all of them.
const (
	maxTypes     = 1_000_000
	maxSignature = 1_000 // parameters, and results, of one type
	maxImports   = 10_000
	maxFunctions = 1_000_000
	maxTables    = 16
	maxTable     = 1 << 20 // entries of all tables when they are made
	tableRoom    = 1 << 16 // entries that a smaller table may grow to
	maxGlobals   = 100_000
	maxExports   = 100_000
	maxSegments  = 100_000 // of elements, and of data
	maxElements  = 1 << 20 // of all segments
	maxLocals    = 50_000  // of one function
)

var errShape = errors.New("its sections are malformed")

// bound returns the module as it may be compiled: custom sections are left out, for
// nothing but names of functions is ever read there, and tables cannot grow beyond
// tableRoom. contrived is whether compiling it could take minutes. The error names the bound that the module is beyond. What else may be
// wrong with it is for the runtime to say.
func bound(module []byte) (code []byte, contrived bool, err error) {
	const header = 8
	if len(module) < header {
		return nil, false, errShape
	}
	s := &scanner{rest: module[header:]}
	out := append(make([]byte, 0, len(module)+64), module[:header]...)
	b := bounds{}
	for len(s.rest) > 0 && s.err == nil {
		id := s.byte()
		body := s.take(s.count())
		in := &scanner{rest: body, err: s.err}
		switch id {
		case 0:
			continue
		case 4:
			body = b.tables(in)
		default:
			b.section(id, in)
		}
		if s.err = in.err; s.err == nil {
			out = append(out, id)
			out = binary.AppendUvarint(out, uint64(len(body)))
			out = append(out, body...)
		}
	}
	return out, b.largest > maxBlocks || b.blocks > maxBlockWork, s.err
}

// bounds adds up what sections hold together.
type bounds struct {
	tableEntries, elements uint64
	largest, blocks        uint64 // see weigh
}

// The compiler's time grows with the square of a function's blocks, and nothing
// stops it: a hundred kilobytes took it half a minute. Beyond these bounds a module
// is interpreted, which is slower to run and is prepared in no time.
const (
	maxBlocks    = 10_000      // of one function
	maxBlockWork = 500_000_000 // squares of all functions' blocks, added up
)

// weigh counts the bytes of a function that may open a block. There are more of them
// than blocks, as they stand in numbers too.
func (b *bounds) weigh(code []byte) {
	n := uint64(bytes.Count(code, []byte{2}) + bytes.Count(code, []byte{3}) + bytes.Count(code, []byte{4}))
	b.largest, b.blocks = max(b.largest, n), b.blocks+n*n
}

// section looks at everything in a section that the runtime makes room for.
func (b *bounds) section(id byte, s *scanner) {
	switch id {
	case 1:
		s.each("types", maxTypes, func() {
			if s.byte() != 0x60 {
				s.fail(errShape)
			}
			s.each("parameters", maxSignature, s.valueType)
			s.each("results", maxSignature, s.valueType)
		})
	case 2:
		s.each("imports", maxImports, func() {
			s.take(s.count())
			s.take(s.count())
			switch s.byte() {
			case 0:
				s.u32()
			case 2:
				if s.byte()&1 != 0 {
					s.u32()
				}
				s.u32()
			case 3:
				s.valueType()
				s.byte()
			default:
				s.fail(errors.New("it imports something else than functions"))
			}
		})
	case 3:
		s.each("functions", maxFunctions, func() { s.u32() })
	case 6:
		s.atMost("globals", maxGlobals)
	case 7:
		s.each("exports", maxExports, func() {
			s.take(s.count())
			s.byte()
			s.u32()
		})
	case 9:
		s.each("element segments", maxSegments, func() { b.elementSegment(s) })
	case 10:
		s.each("functions", maxFunctions, func() {
			body := &scanner{rest: s.take(s.count()), err: s.err}
			locals := uint64(0)
			for groups := body.count(); groups > 0 && body.err == nil; groups-- {
				locals += uint64(body.u32())
				body.valueType()
				if locals > maxLocals {
					body.fail(tooMany("locals", maxLocals))
				}
			}
			b.weigh(body.rest)
			s.fail(body.err)
		})
	case 11:
		s.each("data segments", maxSegments, func() {
			kind := s.u32()
			if kind == 2 {
				s.u32()
			}
			if kind != 1 {
				s.expression()
			}
			s.take(s.count())
		})
	}
}

// tables returns the section with a maximum for every table.
func (b *bounds) tables(s *scanner) []byte {
	n := s.atMost("tables", maxTables)
	out := binary.AppendUvarint(nil, uint64(n))
	for ; n > 0 && s.err == nil; n-- {
		kind, flags := s.byte(), s.byte()
		if kind != 0x70 && kind != 0x6f || flags > 1 {
			s.fail(errors.New("it has a table of another kind than WASI preview 1 needs"))
		}
		least := s.u32()
		most := uint32(tableRoom)
		if flags == 1 {
			most = min(most, s.u32())
		}
		if b.tableEntries += uint64(least); b.tableEntries > maxTable {
			s.fail(tooMany("entries of tables", maxTable))
		}
		out = append(out, kind, 1)
		out = binary.AppendUvarint(out, uint64(least))
		out = binary.AppendUvarint(out, uint64(max(least, most)))
	}
	if len(s.rest) > 0 {
		s.fail(errShape)
	}
	return out
}

func (b *bounds) elementSegment(s *scanner) {
	kind := s.u32()
	if kind > 7 {
		s.fail(errShape)
	}
	passive, explicit, expressions := kind&1 != 0, kind&2 != 0, kind&4 != 0
	if !passive {
		if explicit {
			s.u32()
		}
		s.expression()
	}
	if kind&3 != 0 { // a kind of element, or a type
		s.valueType()
	}
	n := s.count()
	if b.elements += uint64(n); b.elements > maxElements {
		s.fail(tooMany("elements", maxElements))
	}
	for ; n > 0 && s.err == nil; n-- {
		if expressions {
			s.expression()
		} else {
			s.u32()
		}
	}
}

func tooMany(what string, most int) error {
	return fmt.Errorf("it has more than %d %s", most, what)
}

// scanner reads the binary format. After an error it reads zeros.
type scanner struct {
	rest []byte
	err  error
}

// fail keeps the first error; nil is none.
func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *scanner) take(n uint32) []byte {
	if s.err != nil || uint64(n) > uint64(len(s.rest)) {
		s.fail(errShape)
		return nil
	}
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

func (s *scanner) byte() byte {
	if b := s.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// u32 reads a number the way the runtime does: five bytes at most.
func (s *scanner) u32() uint32 {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := s.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if n > 1<<32-1 {
				break
			}
			return uint32(n)
		}
	}
	s.fail(errShape)
	return 0
}

// count reads how many things follow, none of which is shorter than a byte.
func (s *scanner) count() uint32 {
	n := s.u32()
	if uint64(n) > uint64(len(s.rest)) {
		s.fail(errShape)
		return 0
	}
	return n
}

func (s *scanner) atMost(what string, most int) uint32 {
	n := s.count()
	if uint64(n) > uint64(most) {
		s.fail(tooMany(what, most))
	}
	return n
}

func (s *scanner) each(what string, most int, read func()) {
	for n := s.atMost(what, most); n > 0 && s.err == nil; n-- {
		read()
	}
}

// skipNumber reads over a signed number.
func (s *scanner) skipNumber() {
	for range 10 {
		if s.byte() < 0x80 {
			return
		}
	}
	s.fail(errShape)
}

// valueType also reads an element kind, which is one byte.
func (s *scanner) valueType() {
	if b := s.byte(); b == 0x63 || b == 0x64 { // a reference to a type that follows
		s.skipNumber()
	}
}

// expression reads over a constant expression.
func (s *scanner) expression() {
	for s.err == nil {
		switch s.byte() {
		case 0x0b: // end
			return
		case 0x41, 0x42, 0x23, 0xd0, 0xd2: // i32, i64, global, null, function
			s.skipNumber()
		case 0x43:
			s.take(4)
		case 0x44:
			s.take(8)
		case 0xfd:
			s.u32()
			s.take(16)
		default:
			s.fail(errShape)
		}
	}
}
