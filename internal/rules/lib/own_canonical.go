package lib

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"math/big"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"github.com/go-json-experiment/json/jsontext"
)

func canonical(a ...ref.Val) ref.Val {
	text, err := canonicalText(a[0])
	if err != nil {
		return types.WrapErr(err)
	}
	return types.String(text)
}

func digest(a ...ref.Val) ref.Val {
	text, err := canonicalText(a[0])
	if err != nil {
		return types.WrapErr(err)
	}
	return types.String(fmt.Sprintf("sha256:%x", sha256.Sum256(text)))
}

// canonicalText writes a value as JSON and lets the JSON library canonicalize that.
func canonicalText(v ref.Val) ([]byte, error) {
	text, err := appendJSON(nil, v)
	if err != nil {
		return nil, err
	}
	out := jsontext.Value(text)
	return out, out.Canonicalize()
}

// Written is a value of a document, which has numbers, times and bytes of its schema's
// types: Written gives it as any JSON is seen. Its canonical form is what is written.
type Written interface{ Written() ref.Val }

func appendJSON(out []byte, v ref.Val) ([]byte, error) {
	if w, ok := v.(Written); ok {
		v = w.Written()
	}
	switch v := v.(type) {
	case types.Null:
		return append(out, "null"...), nil
	case types.Bool:
		return fmt.Append(out, bool(v)), nil
	case types.Int:
		return appendInteger(out, big.NewInt(int64(v)))
	case types.Uint:
		return appendInteger(out, new(big.Int).SetUint64(uint64(v)))
	case types.Double:
		f := float64(v)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("JSON has no %v", f)
		}
		return fmt.Append(out, f), nil
	case types.String:
		return jsontext.AppendQuote(out, string(v))
	case types.Bytes:
		return jsontext.AppendQuote(out, base64.StdEncoding.EncodeToString([]byte(v)))
	case types.Timestamp, types.Duration:
		return jsontext.AppendQuote(out, str(v.ConvertToType(types.StringType)))
	case traits.Lister:
		out = append(out, '[')
		for i, x := range elements(v) {
			if i > 0 {
				out = append(out, ',')
			}
			var err error
			if out, err = appendJSON(out, x); err != nil {
				return nil, err
			}
		}
		return append(out, ']'), nil
	case traits.Mapper:
		return appendObject(out, v)
	}
	return nil, fmt.Errorf("no JSON form of %s", v.Type().TypeName())
}

func appendInteger(out []byte, i *big.Int) ([]byte, error) {
	text := jsontext.Value(i.String())
	if err := text.Canonicalize(); err != nil {
		return nil, err
	}
	if exact, _ := new(big.Rat).SetString(string(text)); exact == nil || exact.Cmp(new(big.Rat).SetInt(i)) != 0 {
		return nil, fmt.Errorf("the number %s is not exact as a double, so canonical JSON would change it", i)
	}
	return append(out, text...), nil
}

func appendObject(out []byte, m traits.Mapper) ([]byte, error) {
	out = append(out, '{')
	first := true
	for it := m.Iterator(); it.HasNext() == types.True; first = false {
		k := it.Next()
		name, ok := k.(types.String)
		if !ok {
			return nil, fmt.Errorf("a key of a JSON object is a string, not %s", k.Type().TypeName())
		}
		if !first {
			out = append(out, ',')
		}
		var err error
		if out, err = jsontext.AppendQuote(out, string(name)); err != nil {
			return nil, err
		}
		if out, err = appendJSON(append(out, ':'), m.Get(k)); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}
