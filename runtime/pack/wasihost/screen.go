package wasihost

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// The runtime trusts the counts that a module states and makes room for them: a
// module of a hundred bytes may ask for gigabytes before its first instruction, or let
// a table grow without end. screen reads a module's structure first, holds every count
// against the bytes that are there, and returns a copy without custom sections, in
// which each table has a bound. Instructions are left to the runtime's own validation.

// Bounds on what a module may ask for outside of its memory.
const (
	maxTables       = 4
	maxTableEntries = 1 << 20 // of each table; 8 bytes each
	maxLocals       = 50_000  // of each function, as browsers have it
)

var errModule = errors.New("the module is malformed, or uses more than WASI preview 1 needs")

// skim is a reader that never looks beyond its bytes. After the first fault all it
// reads is zero.
type skim struct {
	data   []byte
	pos    int
	failed bool
}

func (s *skim) fail() { s.failed, s.pos = true, len(s.data) }

func (s *skim) left() int { return len(s.data) - s.pos }

func (s *skim) byte() byte {
	if s.left() < 1 {
		s.fail()
		return 0
	}
	s.pos++
	return s.data[s.pos-1]
}

// leb skips or reads a number of at most width bytes.
func (s *skim) leb(width int) (v uint64) {
	for i := range width {
		b := s.byte()
		v |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			return v
		}
	}
	s.fail()
	return 0
}

func (s *skim) u32() uint32 {
	v := s.leb(5)
	if v > 1<<32-1 {
		s.fail()
		return 0
	}
	return uint32(v)
}

// count reads the length of a list whose elements take at least one byte each.
func (s *skim) count() int {
	n := s.u32()
	if int64(n) > int64(s.left()) {
		s.fail()
		return 0
	}
	return int(n)
}

func (s *skim) bytes(n int) []byte {
	if n < 0 || n > s.left() {
		s.fail()
		return nil
	}
	s.pos += n
	return s.data[s.pos-n : s.pos]
}

func (s *skim) name() { s.bytes(s.count()) }

// each reads a list.
func (s *skim) each(element func()) {
	for range s.count() {
		if s.failed {
			return
		}
		element()
	}
}

func (s *skim) valueType() {
	switch s.byte() {
	case 0x7F, 0x7E, 0x7D, 0x7C, 0x7B, 0x70, 0x6F: // numbers, vectors, references to functions and the host
	default:
		s.fail()
	}
}

func (s *skim) refType() byte {
	t := s.byte()
	if t != 0x70 && t != 0x6F {
		s.fail()
	}
	return t
}

func (s *skim) limits() (flags byte, least, most uint32) {
	flags = s.byte()
	if flags > 1 { // shared, or of 64 bits
		s.fail()
	}
	least = s.u32()
	if flags == 1 {
		most = s.u32()
	}
	return flags, least, most
}

// expression skips a constant expression.
func (s *skim) expression() {
	for !s.failed {
		switch s.byte() {
		case 0x0B:
			return
		case 0x41:
			s.leb(5)
		case 0x42:
			s.leb(10)
		case 0x43:
			s.bytes(4)
		case 0x44:
			s.bytes(8)
		case 0x23, 0xD2:
			s.u32()
		case 0xD0:
			s.refType()
		case 0xFD:
			if s.u32() != 0x0C {
				s.fail()
			}
			s.bytes(16)
		default:
			s.fail()
		}
	}
}

// screen returns what the runtime may see of a module.
func screen(module []byte) ([]byte, error) {
	header := []byte("\x00asm\x01\x00\x00\x00")
	if !bytes.HasPrefix(module, header) {
		return nil, errModule
	}
	out := append(make([]byte, 0, len(module)+64), header...)
	s := &skim{data: module, pos: len(header)}
	for s.left() > 0 {
		id := s.byte()
		content := s.bytes(s.count())
		if s.failed {
			return nil, errModule
		}
		if id == 0 {
			continue
		}
		checked, err := screenSection(id, content)
		if err != nil {
			return nil, err
		}
		out = binary.AppendUvarint(append(out, id), uint64(len(checked)))
		out = append(out, checked...)
	}
	return out, nil
}

func screenSection(id byte, content []byte) ([]byte, error) {
	s := &skim{data: content}
	var err error
	switch id {
	case 1:
		s.each(func() {
			if s.byte() != 0x60 {
				s.fail()
			}
			s.each(s.valueType)
			s.each(s.valueType)
		})
	case 2:
		s.each(func() {
			s.name()
			s.name()
			if s.byte() != 0 { // only functions are there to be imported
				s.fail()
			}
			s.u32()
		})
	case 3:
		s.each(func() { s.u32() })
	case 4:
		return screenTables(s)
	case 5:
		s.each(func() { s.limits() })
	case 6:
		s.each(func() {
			s.valueType()
			s.byte()
			s.expression()
		})
	case 7:
		s.each(func() {
			s.name()
			s.byte()
			s.u32()
		})
	case 8, 12:
		s.u32()
	case 9:
		s.each(s.element)
	case 10:
		s.each(func() { err = errors.Join(err, s.code()) })
	case 11:
		s.each(s.segment)
	default:
		s.fail()
	}
	if err == nil && (s.failed || s.left() > 0) {
		err = fmt.Errorf("section %d: %w", id, errModule)
	}
	return content, err
}

// screenTables writes the tables anew, each with a bound.
func screenTables(s *skim) ([]byte, error) {
	n := s.count()
	if n > maxTables {
		return nil, fmt.Errorf("the module has %d tables; at most %d are allowed", n, maxTables)
	}
	out := binary.AppendUvarint(nil, uint64(n))
	for range n {
		kind := s.refType()
		flags, least, most := s.limits()
		if flags == 0 || most > maxTableEntries {
			most = maxTableEntries
		}
		if least > maxTableEntries {
			return nil, fmt.Errorf("the module has a table of %d entries; at most %d are allowed", least, maxTableEntries)
		}
		out = append(out, kind, 1)
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(least)), uint64(most))
	}
	if s.failed || s.left() > 0 {
		return nil, fmt.Errorf("section 4: %w", errModule)
	}
	return out, nil
}

// element skips one of the eight forms of an element segment.
func (s *skim) element() {
	flags := s.u32()
	if flags > 7 {
		s.fail()
		return
	}
	if flags&1 == 0 { // it is copied into a table, which bit 1 says is named
		if flags&2 != 0 {
			s.u32()
		}
		s.expression()
	}
	switch {
	case flags&4 == 0 && flags&3 != 0:
		s.byte() // kind
	case flags&4 != 0 && flags&3 != 0:
		s.refType()
	}
	if flags&4 != 0 {
		s.each(s.expression)
	} else {
		s.each(func() { s.u32() })
	}
}

// segment skips a data segment.
func (s *skim) segment() {
	switch s.u32() {
	case 0:
		s.expression()
	case 1:
	case 2:
		s.u32()
		s.expression()
	default:
		s.fail()
	}
	s.name() // bytes with their count in front, like a name
}

// code skips a function's body and counts its locals.
func (s *skim) code() error {
	body := &skim{data: s.bytes(s.count())}
	locals := uint64(0)
	body.each(func() {
		locals += uint64(body.u32())
		body.valueType()
	})
	if body.failed {
		s.fail()
	}
	if locals > maxLocals {
		return fmt.Errorf("the module has a function with %d locals; at most %d are allowed", locals, maxLocals)
	}
	return nil
}
