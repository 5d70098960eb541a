package pattern

import (
	"errors"
	"fmt"
)

// Sentinels for errors.Is.
var (
	// ErrUnsupported means that the expression is well formed, but uses a
	// construct that no linear-time search can decide or that Go has no table for.
	ErrUnsupported = errors.New("unsupported regular expression")
	// ErrTooLarge means that the expression, once its counted repetitions are
	// written out, is beyond the limits of this package.
	ErrTooLarge = errors.New("regular expression too large")
)

// SyntaxError says where an expression is malformed.
type SyntaxError struct {
	Offset int    // byte offset in the pattern
	Msg    string // what is wrong, in lower case
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at offset %d", e.Msg, e.Offset)
}

// UnsupportedError names the construct that is not supported. It is
// [ErrUnsupported] for errors.Is.
type UnsupportedError struct {
	Offset    int    // byte offset in the pattern
	Construct string // for example "look-ahead (?="
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s at offset %d is not supported", e.Construct, e.Offset)
}

// Unwrap gives ErrUnsupported.
func (e *UnsupportedError) Unwrap() error { return ErrUnsupported }
