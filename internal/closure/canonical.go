package closure

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Digest is what every digest of a file is made by: "sha256:<hex>" of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Canonical returns the RFC 8785 form of a JSON text and its digest. It is the
// only place where canonical bytes are made.
//
// RFC 8785 writes numbers as IEEE 754 doubles. A number that would change its
// value on the way, such as 9007199254740993, is a *NumberError, since a digest
// must not stand for another value than the file holds.
func Canonical(data []byte) (canonical []byte, digest string, err error) {
	v := jsontext.Value(bytes.Clone(data))
	if !v.IsValid() { // duplicate names and lone surrogates are invalid, too
		return nil, "", fmt.Errorf("not a JSON text")
	}
	if err := exactNumbers(v); err != nil {
		return nil, "", err
	}
	if err := v.Canonicalize(); err != nil {
		return nil, "", fmt.Errorf("canonical form: %w", err)
	}
	return v, Digest(v), nil
}

// NumberError is a number that has no exact canonical form.
type NumberError struct {
	Text    string // as written
	Pointer string // JSON Pointer to it
	Offset  int64  // of its first byte
}

// Error names the number and its place.
func (e *NumberError) Error() string {
	text := e.Text
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return fmt.Sprintf("the number %s at %q is not exact as a double, so canonical JSON would change it", text, e.Pointer)
}

func exactNumbers(v jsontext.Value) error {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			return nil // the end: the text is valid
		}
		if tok.Kind() != '0' {
			continue
		}
		text := tok.String()
		if Exact(text) {
			continue
		}
		return &NumberError{Text: text, Pointer: string(dec.StackPointer()), Offset: dec.InputOffset() - int64(len(text))}
	}
}

// Exact reports whether the canonical text of the JSON number text has the same value.
func Exact(text string) bool {
	if len(text) <= 15 && strings.Trim(text, "0123456789") == "" {
		return true // the ordinary case, without conversion
	}
	canonical := jsontext.Value(text)
	if canonical.Canonicalize() != nil {
		return false
	}
	return sameDecimal(text, string(canonical))
}

// sameDecimal compares two JSON numbers by value, digit by digit.
func sameDecimal(a, b string) bool {
	na, da, ea := decimal(a)
	nb, db, eb := decimal(b)
	return da == db && (da == "" || na == nb && ea == eb)
}

// decimal splits a number into sign, digits without zeros at either end, and the
// power of ten that the digits, read as a fraction 0.d, are multiplied with.
func decimal(s string) (negative bool, digits string, exponent int) {
	s, negative = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exponent = boundedInt(s[i+1:])
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	exponent += len(whole)
	digits = whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	exponent -= len(digits) - len(trimmed)
	return negative, strings.TrimRight(trimmed, "0"), exponent
}

// boundedInt reads an exponent; beyond any double it stops counting.
func boundedInt(s string) int {
	s, negative := strings.CutPrefix(s, "-")
	n := 0
	for _, c := range strings.TrimPrefix(s, "+") {
		if n = n*10 + int(c-'0'); n > 1<<40 {
			n = 1 << 40
		}
	}
	if negative {
		return -n
	}
	return n
}
