package cel

import (
	"math"
	"time"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Kind is the run-time kind of a value.
type Kind uint8

// The kinds of CEL values.
const (
	KindError Kind = iota // the zero Val is an error, so that a forgotten value never passes
	KindNull
	KindBool
	KindInt
	KindUint
	KindDouble
	KindString
	KindBytes
	KindTimestamp
	KindDuration
	KindList
	KindMap
	KindType
	KindOptional
	KindOpaque // IP addresses, URLs, quantities and the like
)

var kindNames = [...]string{
	"error", "null_type", "bool", "int", "uint", "double", "string", "bytes",
	"google.protobuf.Timestamp", "google.protobuf.Duration", "list", "map", "type", "optional_type", "opaque",
}

// String returns the name that CEL's type function gives.
func (k Kind) String() string { return kindNames[k] }

// Val is a CEL value. It is passed by value; scalars never allocate. The zero Val is an
// error.
//
// Which fields mean what:
//
//	Error, String, Bytes, Type   str
//	Bool, Int, Uint, Duration    num
//	Double                       num, as IEEE 754 bits
//	Timestamp                    num, as packed by packTime; node holds the nanoseconds
//	List, Map of a document      ref is its *Shape, num the document's number, node its place
//	List, Map built by a rule    ref is a *list or *mapping
//	Optional                     ref is a *Val, nil for none
//	Opaque                       ref is the Go value, str the name of the type
type Val struct {
	kind Kind
	node contract.Node
	num  uint64
	str  string
	ref  any
}

// Null returns null.
func Null() Val { return Val{kind: KindNull} }

// Bool returns true or false.
func Bool(b bool) Val {
	if b {
		return Val{kind: KindBool, num: 1}
	}
	return Val{kind: KindBool}
}

// Int returns an int.
func Int(i int64) Val { return Val{kind: KindInt, num: uint64(i)} }

// Uint returns a uint.
func Uint(u uint64) Val { return Val{kind: KindUint, num: u} }

// Double returns a double.
func Double(f float64) Val { return Val{kind: KindDouble, num: math.Float64bits(f)} }

// String returns a string.
func String(s string) Val { return Val{kind: KindString, str: s} }

// Bytes returns bytes, which are held as a string because they do not change.
func Bytes(s string) Val { return Val{kind: KindBytes, str: s} }

// Duration returns a duration.
func Duration(d time.Duration) Val { return Val{kind: KindDuration, num: uint64(d)} }

// TypeNamed returns a type by its CEL name: "int", "list", "google.protobuf.Timestamp".
func TypeNamed(name string) Val { return Val{kind: KindType, str: name} }

// Err returns an error with a message.
func Err(msg string) Val { return Val{kind: KindError, str: msg} }

// None returns an optional without a value.
func None() Val { return Val{kind: KindOptional} }

// Some returns an optional that holds v; an error stays one.
func Some(v Val) Val {
	if v.kind == KindError {
		return v
	}
	return Val{kind: KindOptional, ref: &v}
}

func opaque(name string, x any) Val { return Val{kind: KindOpaque, str: name, ref: x} }

// Kind returns the kind.
func (v Val) Kind() Kind { return v.kind }

// IsErr reports whether v is an error.
func (v Val) IsErr() bool { return v.kind == KindError }

// IsNull reports whether v is null.
func (v Val) IsNull() bool { return v.kind == KindNull }

// IsTrue reports whether v is the boolean true; false and everything else are not.
func (v Val) IsTrue() bool { return v.kind == KindBool && v.num != 0 }

// ErrText returns the message of an error; "" when v is none.
func (v Val) ErrText() string {
	switch {
	case v.kind != KindError:
		return ""
	case v.str == "":
		return "no value"
	}
	return v.str
}

// AsBool returns the boolean; ok is false when v is none.
func (v Val) AsBool() (b, ok bool) { return v.num != 0, v.kind == KindBool }

// AsInt returns the int; ok is false when v is none.
func (v Val) AsInt() (i int64, ok bool) { return int64(v.num), v.kind == KindInt }

// AsUint returns the uint; ok is false when v is none.
func (v Val) AsUint() (u uint64, ok bool) { return v.num, v.kind == KindUint }

// AsDouble returns the double; ok is false when v is none.
func (v Val) AsDouble() (f float64, ok bool) { return v.double(), v.kind == KindDouble }

// AsString returns the string; ok is false when v is none. A string without escapes
// shares the bytes of the document: clone what outlives it.
func (v Val) AsString() (s string, ok bool) { return v.str, v.kind == KindString }

// AsBytes returns the bytes; ok is false when v is none.
func (v Val) AsBytes() (s string, ok bool) { return v.str, v.kind == KindBytes }

// AsDuration returns the duration; ok is false when v is none.
func (v Val) AsDuration() (d time.Duration, ok bool) {
	return time.Duration(v.num), v.kind == KindDuration
}

// AsType returns the name of the type that v is; ok is false when it is none.
func (v Val) AsType() (name string, ok bool) { return v.str, v.kind == KindType }

// AsOptional returns what an optional holds; some is false when that is nothing, and ok
// when v is no optional.
func (v Val) AsOptional() (x Val, some, ok bool) {
	if v.kind != KindOptional {
		return Val{}, false, false
	}
	if p, some := v.ref.(*Val); some {
		return *p, true, true
	}
	return Val{}, false, true
}

func (v Val) int() int64      { return int64(v.num) }
func (v Val) double() float64 { return math.Float64frombits(v.num) }

// typeName returns the name of v's type.
func (v Val) typeName() string {
	if v.kind == KindOpaque {
		return v.str
	}
	return v.kind.String()
}
