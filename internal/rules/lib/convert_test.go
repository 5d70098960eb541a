package lib

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"

	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// toVal turns a value of cel-go into one of the runtime library.
func toVal(v ref.Val) rt.Val {
	switch v := v.(type) {
	case types.Null:
		return rt.Null()
	case types.Bool:
		return rt.Bool(bool(v))
	case types.Int:
		return rt.Int(int64(v))
	case types.Uint:
		return rt.Uint(uint64(v))
	case types.Double:
		return rt.Double(float64(v))
	case types.String:
		return rt.String(string(v))
	case types.Bytes:
		return rt.Bytes(string(v))
	case types.Timestamp:
		return rt.Timestamp(v.Time)
	case types.Duration:
		return rt.Duration(v.Duration)
	case *types.Type:
		return rt.TypeNamed(v.TypeName())
	case *types.Optional:
		if !v.HasValue() {
			return rt.None()
		}
		return rt.Some(toVal(v.GetValue()))
	case *types.Err:
		return rt.Err(v.Error())
	case ext.IP:
		return new(rt.Ctx).IP(rt.String(v.String()))
	case ext.CIDR:
		return new(rt.Ctx).CIDR(rt.String(v.String()))
	case traits.Lister:
		items := []rt.Val{}
		for _, x := range elements(v) {
			items = append(items, toVal(x))
		}
		return rt.List(items)
	case traits.Mapper:
		var keys, vals []rt.Val
		for it := v.Iterator(); it.HasNext() == types.True; {
			k := it.Next()
			keys, vals = append(keys, toVal(k)), append(vals, toVal(v.Get(k)))
		}
		return rt.MapOf(keys, vals)
	}
	panic(fmt.Sprintf("no runtime value of %T", v))
}

// show writes a runtime value with its types, maps in the order of their keys, so that
// two values are the same if their texts are.
func show(c *rt.Ctx, v rt.Val) string {
	switch v.Kind() {
	case rt.KindError:
		return "error"
	case rt.KindDouble:
		f, _ := v.AsDouble()
		return fmt.Sprintf("double %s", strconv.FormatFloat(f, 'g', -1, 64))
	case rt.KindBytes:
		s, _ := v.AsBytes()
		return fmt.Sprintf("bytes %q", s)
	case rt.KindString:
		s, _ := v.AsString()
		return fmt.Sprintf("string %q", s)
	case rt.KindTimestamp:
		t, _ := v.AsTimestamp()
		return "timestamp " + t.UTC().Format(time.RFC3339Nano)
	case rt.KindType:
		name, _ := v.AsType()
		return "type " + name
	case rt.KindOptional:
		x, some, _ := v.AsOptional()
		if !some {
			return "none"
		}
		return "some(" + show(c, x) + ")"
	case rt.KindList, rt.KindMap:
		var parts []string
		it := c.Iter(v)
		for it.Next() {
			if v.Kind() == rt.KindMap {
				parts = append(parts, show(c, it.Key())+": "+show(c, it.Val()))
				continue
			}
			parts = append(parts, show(c, it.Val()))
		}
		return bracket(v.Kind() == rt.KindMap, parts)
	case rt.KindOpaque:
		name, _ := c.TypeOf(v).AsType()
		if s, ok := c.ToString(v).AsString(); ok && strings.HasPrefix(name, "net.") {
			return name + " " + s
		}
		return name
	}
	s, _ := c.Format(rt.String("%s"), rt.List([]rt.Val{v})).AsString()
	return v.Kind().String() + " " + s
}

// showRef writes a value of cel-go in the same way.
func showRef(v ref.Val) string {
	switch v := v.(type) {
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "some(" + showRef(v.GetValue()) + ")"
	case ext.IP:
		return "net.IP " + v.String()
	case ext.CIDR:
		return "net.CIDR " + v.String()
	case traits.Lister:
		var parts []string
		for _, x := range elements(v) {
			parts = append(parts, showRef(x))
		}
		return bracket(false, parts)
	case traits.Mapper:
		var parts []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			k := it.Next()
			parts = append(parts, showRef(k)+": "+showRef(v.Get(k)))
		}
		return bracket(true, parts)
	}
	switch v.Type() {
	case urlType, quantityType, semverType, formatType:
		return v.Type().TypeName()
	}
	return show(new(rt.Ctx), toVal(v))
}

func bracket(sorted bool, parts []string) string {
	if !sorted {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	for i := range parts { // insertion sort: maps in tests are small
		for j := i; j > 0 && parts[j] < parts[j-1]; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// untag reads a tagged value of the conformance tests.
func untag(t *testing.T, raw json.RawMessage) ref.Val {
	t.Helper()
	var tagged map[string]json.RawMessage
	if err := json.Unmarshal(raw, &tagged); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	for tag, data := range tagged {
		var text string
		_ = json.Unmarshal(data, &text) // the tags that hold a text
		switch tag {
		case "null":
			return types.NullValue
		case "bool":
			return types.Bool(string(data) == "true")
		case "int":
			i, _ := strconv.ParseInt(text, 10, 64)
			return types.Int(i)
		case "uint":
			u, _ := strconv.ParseUint(text, 10, 64)
			return types.Uint(u)
		case "double":
			if text == "" {
				text = string(data)
			}
			f, err := strconv.ParseFloat(text, 64)
			if err != nil && !math.IsInf(f, 0) {
				t.Fatal(err)
			}
			return types.Double(f)
		case "string":
			return types.String(text)
		case "bytes":
			b, _ := base64.StdEncoding.DecodeString(text)
			return types.Bytes(b)
		case "type":
			return cel.ObjectType(text)
		case "timestamp":
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return types.Timestamp{Time: at}
		case "duration":
			d, err := time.ParseDuration(text)
			if err != nil {
				t.Fatal(err)
			}
			return types.Duration{Duration: d}
		case "list":
			var items []json.RawMessage
			_ = json.Unmarshal(data, &items)
			list := []ref.Val{}
			for _, x := range items {
				list = append(list, untag(t, x))
			}
			return types.NewRefValList(types.DefaultTypeAdapter, list)
		case "map":
			var entries [][2]json.RawMessage
			_ = json.Unmarshal(data, &entries)
			m := map[ref.Val]ref.Val{}
			for _, e := range entries {
				m[untag(t, e[0])] = untag(t, e[1])
			}
			return types.NewRefValMap(types.DefaultTypeAdapter, m)
		case "ip":
			return ext.IP{Addr: netip.MustParseAddr(text)}
		}
		t.Fatalf("unknown tag %s", raw)
	}
	return nil
}

// parseType reads the notation of the conformance tests' variables.
func parseType(s string) *cel.Type {
	name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	switch name {
	case "list":
		return cel.ListType(parseType(args))
	case "optional_type":
		return cel.OptionalType(parseType(args))
	case "map":
		k, v, _ := strings.Cut(args, ", ")
		return cel.MapType(parseType(k), parseType(v))
	}
	simple := map[string]*cel.Type{
		"bool": cel.BoolType, "int": cel.IntType, "uint": cel.UintType, "double": cel.DoubleType, "string": cel.StringType,
		"bytes": cel.BytesType, "dyn": cel.DynType, "null": cel.NullType, "null_type": cel.NullType,
		"timestamp": cel.TimestampType, "duration": cel.DurationType, "type": cel.TypeType,
	}
	if t := simple[s]; t != nil {
		return t
	}
	panic("unknown type " + s)
}
