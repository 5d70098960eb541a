package source

import (
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
)

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapeToken writes a member name as one token of a JSON Pointer (RFC 6901).
func EscapeToken(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return escaper.Replace(name)
}

// UnescapeToken reads one token of a JSON Pointer back into a member name. It
// reports false when a tilde is not followed by 0 or 1.
func UnescapeToken(token string) (string, bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	for i := 0; i < len(token); i++ {
		if token[i] == '~' && (i+1 == len(token) || token[i+1] != '0' && token[i+1] != '1') {
			return "", false
		}
	}
	return unescaper.Replace(token), true
}

// Lookup returns the value at a JSON Pointer, counted from v, or nil when there
// is none. The empty pointer is v itself.
func (v *Value) Lookup(pointer string) *Value {
	found, rest := v.walk(pointer)
	if rest != "" {
		return nil
	}
	return found
}

// walk follows pointer as far as it leads; rest is what could not be followed.
func (v *Value) walk(pointer string) (last *Value, rest string) {
	for v != nil && pointer != "" {
		if pointer[0] != '/' {
			return v, pointer
		}
		token, after := pointer[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, after = token[:i], token[i:]
		}
		name, ok := UnescapeToken(token)
		if !ok {
			return v, pointer
		}
		next := v.step(name)
		if next == nil {
			return v, pointer
		}
		v, pointer = next, after
	}
	return v, pointer
}

func (v *Value) step(token string) *Value {
	switch v.Kind {
	case Object:
		return v.Get(token)
	case Array:
		i, ok := arrayIndex(token)
		if ok && i < len(v.Items) {
			return v.Items[i]
		}
	}
	return nil
}

// arrayIndex reads the only form of an index that RFC 6901 knows: digits
// without leading zeros.
func arrayIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 || len(token) > 1 && token[0] == '0' {
		return 0, false
	}
	for i := 0; i < len(token); i++ {
		if token[i] < '0' || token[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(token)
	return n, err == nil
}

// At returns the position of the value at a JSON Pointer. When nothing is
// there, it is the position of the nearest ancestor that exists.
func (d *Document) At(pointer string) diag.Pos {
	v, _ := d.Root.walk(pointer)
	if v == nil {
		return diag.Pos{File: d.Path}
	}
	return v.Pos
}
