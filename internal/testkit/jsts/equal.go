package jsts

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
)

// equal reports whether two JSON texts are the same value; numbers are compared
// exactly, however they are written.
func equal(a, b []byte) bool {
	x, ok1 := value(a)
	y, ok2 := value(b)
	return ok1 && ok2 && same(x, y)
}

func value(text []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return nil, false
	}
	_, err := d.Token()
	return x, err == io.EOF
}

func same(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, v := range x {
			w, found := y[name]
			if !found || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := y.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := y.(json.Number)
		if !ok || x == y {
			return ok
		}
		r, ok1 := new(big.Rat).SetString(string(x))
		s, ok2 := new(big.Rat).SetString(string(y))
		return ok1 && ok2 && r.Cmp(s) == 0
	}
	return x == y
}
