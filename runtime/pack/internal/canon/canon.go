// Package canon writes JSON trees in one spelling: members sorted, no blanks,
// numbers as they were read. Digests of migration states are taken over it.
package canon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Parse reads one JSON document. Duplicate names, text that is not UTF-8 and what
// runtime/contract finds too large or too deep are errors. Objects become
// map[string]any, arrays []any, numbers json.Number with their text.
func Parse(data []byte) (any, error) {
	if _, err := contract.ParseValue(data); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// Append appends the one spelling of a tree that Parse returned, or of one built
// from the same types, string and bool. Any other type is a mistake of the caller
// and panics.
func Append(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return contract.AppendBool(dst, v)
	case string:
		return contract.AppendString(dst, v)
	case json.Number:
		return append(dst, v...)
	case []any:
		return contract.AppendList(dst, v, Append)
	case map[string]any:
		dst = append(dst, '{')
		for _, name := range Names(v) {
			dst = append(Append(contract.AppendName(dst, name), v[name]), ',')
		}
		return contract.CloseObject(dst)
	}
	panic(fmt.Sprintf("canon: %T is no part of a JSON tree", v))
}

// Indent is Append for people: two blanks a level, a newline at the end.
func Indent(v any) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, Append(nil, v), "", "  "); err != nil {
		panic(err) // Append writes JSON
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// Digest returns "sha256:" and the lower-case hex digest of Append's bytes.
func Digest(v any) string {
	sum := sha256.Sum256(Append(nil, v))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Names returns the names of an object as RFC 8785 orders them.
func Names(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, Compare)
	return names
}

// Compare orders strings by their UTF-16 code units, as RFC 8785 and JavaScript do.
func Compare(a, b string) int {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x != y {
			return slices.Compare(utf16.Encode([]rune{x}), utf16.Encode([]rune{y}))
		}
		if n != m { // U+FFFD beside a byte that is none
			return n - m
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}
