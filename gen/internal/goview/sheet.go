package goview

import (
	"bytes"
	"fmt"
	"go/format"

	"github.com/dave/jennifer/jen"
)

// Sheet is a Go file that is written in turns with others. A declaration's tree is many
// times its text, so what is finished is kept as text: Settle it before turning away.
type Sheet struct {
	*jen.File // takes the next declarations

	blank jen.Group // without items
	head  []byte    // all before the first declaration
	body  []byte    // the settled declarations, not yet formatted
}

// NewSheet begins a Go file made from the given source.
func (v *View) NewSheet(source string) *Sheet {
	s := &Sheet{File: v.NewFile(source)}
	s.NoFormat = true
	s.blank = *s.Group
	return s
}

// Settle turns the declarations since the last call into text.
func (s *Sheet) Settle() error {
	var text bytes.Buffer
	if err := s.Render(&text); err != nil {
		return err
	}
	*s.Group = s.blank
	// A declaration begins with a line break. Something else after the head is an
	// import that is new.
	rest, known := bytes.CutPrefix(text.Bytes(), s.head)
	if len(s.head) == 0 || !known || len(rest) > 0 && rest[0] != '\n' {
		var head bytes.Buffer
		if err := s.Render(&head); err != nil {
			return err
		}
		s.head = head.Bytes()
		rest = text.Bytes()[len(s.head):]
	}
	s.body = append(s.body, rest...)
	return nil
}

// Format settles what is left and returns the file.
func (s *Sheet) Format() ([]byte, error) {
	if err := s.Settle(); err != nil {
		return nil, err
	}
	text := append(s.head, s.body...)
	s.body = nil
	data, err := format.Source(text)
	if err != nil {
		return nil, fmt.Errorf("%w in the source\n%s", err, text)
	}
	return data, nil
}
