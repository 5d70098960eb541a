package cel

import (
	"strings"
	"unicode/utf8"

	"github.com/contractkit/contractkit/runtime/contract"
)

// What follows serves expressions whose types are known when they are compiled. A
// boolean expression is compiled to Go conditions: one that is true when the
// expression is true, and one that is true when it is false. When neither is, its
// evaluation failed. Values that can fail to be there carry OK.

// Nowhere is the node of a value that is not there or whose evaluation failed.
const Nowhere contract.Node = -1

// Str is a string, if OK.
type Str struct {
	S  string
	OK bool
}

// I64 is an int, if OK.
type I64 struct {
	N  int64
	OK bool
}

// F64 is a double, if OK.
type F64 struct {
	F  float64
	OK bool
}

// Inst is a timestamp, if OK.
type Inst struct {
	Sec  int64 // since 1970
	Nano int32
	OK   bool
}

// S, N and F lift a value that is there for sure.
func S(s string) Str { return Str{s, true} }

// N lifts an int.
func N(n int64) I64 { return I64{n, true} }

// F lifts a double.
func F(f float64) F64 { return F64{f, true} }

// Member is the value of the object's member, or Nowhere.
func Member(d *contract.Doc, n contract.Node, name string) contract.Node {
	if n < 0 {
		return Nowhere
	}
	if m, there := d.Member(n, name); there {
		return m
	}
	return Nowhere
}

// Has is true when the object n has the member.
func Has(d *contract.Doc, n contract.Node, name string) bool {
	if n < 0 {
		return false
	}
	_, there := d.Member(n, name)
	return there
}

// Lacks is true when n is there without the member; a list cannot be asked.
func Lacks(d *contract.Doc, n contract.Node, name string) bool {
	if n < 0 || d.Kind(n) == contract.Array {
		return false
	}
	_, there := d.Member(n, name)
	return !there
}

// HasNamed and LacksNamed look for a member whose name is computed.
func HasNamed(d *contract.Doc, n contract.Node, name Str) bool {
	return name.OK && n >= 0 && d.Kind(n) == contract.Object && Has(d, n, name.S)
}

// LacksNamed is true when n is an object without the member.
func LacksNamed(d *contract.Doc, n contract.Node, name Str) bool {
	return name.OK && n >= 0 && d.Kind(n) == contract.Object && Lacks(d, n, name.S)
}

// At is the element of the array at the index i, or Nowhere.
func At(d *contract.Doc, n contract.Node, i I64) contract.Node {
	if !i.OK || n < 0 || d.Kind(n) != contract.Array || i.N < 0 {
		return Nowhere
	}
	end := d.Next(n)
	k := n + 1
	for j := int64(0); k < end; k, j = d.Next(k), j+1 {
		if j == i.N {
			return k
		}
	}
	return Nowhere
}

// IsNull is true when n is null, NotNull when it is something else.
func IsNull(d *contract.Doc, n contract.Node) bool { return n >= 0 && d.Kind(n) == contract.Null }

// NotNull is true when n is there and not null.
func NotNull(d *contract.Doc, n contract.Node) bool { return n >= 0 && d.Kind(n) != contract.Null }

// True is true when n is true, False when it is false.
func True(d *contract.Doc, n contract.Node) bool {
	return n >= 0 && d.Kind(n) == contract.Bool && d.Raw(n)[0] == 't'
}

// False is true when n is false.
func False(d *contract.Doc, n contract.Node) bool {
	return n >= 0 && d.Kind(n) == contract.Bool && d.Raw(n)[0] == 'f'
}

// Text is the string n.
func Text(d *contract.Doc, n contract.Node) Str {
	if n < 0 || d.Kind(n) != contract.String {
		return Str{}
	}
	return Str{stringOf(d, n), true}
}

// Name is the member's name k.
func Name(d *contract.Doc, k contract.Node) string { return nameOf(d, k) }

// Int is the integer n.
func IntAt(d *contract.Doc, n contract.Node) I64 {
	if n < 0 || d.Kind(n) != contract.Num {
		return I64{}
	}
	if i, ok := plainInt(d.Number(n)); ok {
		return I64{i, true}
	}
	i, ok := number(d.Number(n), ShapeInt).AsInt()
	return I64{i, ok}
}

// Num is the number n as a double.
func Num(d *contract.Doc, n contract.Node) F64 {
	if n < 0 || d.Kind(n) != contract.Num {
		return F64{}
	}
	f, ok := parseDouble(d.Number(n)).AsDouble()
	return F64{f, ok}
}

// Time is the string n as a timestamp.
func Time(d *contract.Doc, n contract.Node) Inst {
	if n < 0 || d.Kind(n) != contract.String {
		return Inst{}
	}
	return inst(parseLooseTime(shared(d.Text(n))))
}

// Instant is the string as a timestamp: the library function instant.
func Instant(s Str) Inst {
	if !s.OK {
		return Inst{}
	}
	sec, t, ok := instantOf(s.S)
	return Inst{sec, int32(t.nano), ok && !t.lost}
}

// Millis is the string as milliseconds since 1970: the library function instantMillis.
func Millis(s Str) I64 {
	if !s.OK {
		return I64{}
	}
	sec, t, ok := instantOf(s.S)
	return I64{sec*1000 + int64(t.nano)/1e6, ok}
}

func inst(v Val) Inst {
	if v.kind != KindTimestamp {
		return Inst{}
	}
	return Inst{seconds(v), int32(v.node), true}
}

// Count is the number of elements or members.
func Count(d *contract.Doc, n contract.Node) I64 {
	if n < 0 {
		return I64{}
	}
	switch d.Kind(n) {
	case contract.Array, contract.Object:
		return I64{int64(d.Count(n)), true}
	case contract.String:
		return I64{int64(utf8.RuneCount(d.Text(n))), true}
	}
	return I64{}
}

// Length is the number of characters.
func Length(s Str) I64 { return I64{int64(utf8.RuneCountInString(s.S)), s.OK} }

// EqStr is true when both are there and equal, NeStr when they differ.
func EqStr(a, b Str) bool { return a.OK && b.OK && a.S == b.S }

// NeStr is true when both are there and differ.
func NeStr(a, b Str) bool { return a.OK && b.OK && a.S != b.S }

// LtStr compares by code point, as CEL does.
func LtStr(a, b Str) bool { return a.OK && b.OK && a.S < b.S }

// LeStr is a <= b.
func LeStr(a, b Str) bool { return a.OK && b.OK && a.S <= b.S }

// EqInt is true when both are there and equal.
func EqInt(a, b I64) bool { return a.OK && b.OK && a.N == b.N }

// NeInt is true when both are there and differ.
func NeInt(a, b I64) bool { return a.OK && b.OK && a.N != b.N }

// LtInt is a < b.
func LtInt(a, b I64) bool { return a.OK && b.OK && a.N < b.N }

// LeInt is a <= b.
func LeInt(a, b I64) bool { return a.OK && b.OK && a.N <= b.N }

// EqNum is a == b.
func EqNum(a, b F64) bool { return a.OK && b.OK && a.F == b.F }

// NeNum is a != b.
func NeNum(a, b F64) bool { return a.OK && b.OK && a.F != b.F }

// LtNum is a < b, NotLtNum the opposite, which is not b <= a where NaN is concerned.
func LtNum(a, b F64) bool { return a.OK && b.OK && a.F < b.F }

// NotLtNum is true when both are there and a < b is false.
func NotLtNum(a, b F64) bool { return a.OK && b.OK && !(a.F < b.F) }

// LeNum is a <= b.
func LeNum(a, b F64) bool { return a.OK && b.OK && a.F <= b.F }

// NotLeNum is true when both are there and a <= b is false.
func NotLeNum(a, b F64) bool { return a.OK && b.OK && !(a.F <= b.F) }

// EqTime is a == b.
func EqTime(a, b Inst) bool { return a.OK && b.OK && a.Sec == b.Sec && a.Nano == b.Nano }

// NeTime is true when both are there and differ.
func NeTime(a, b Inst) bool { return a.OK && b.OK && (a.Sec != b.Sec || a.Nano != b.Nano) }

// LtTime is a < b.
func LtTime(a, b Inst) bool {
	return a.OK && b.OK && (a.Sec < b.Sec || a.Sec == b.Sec && a.Nano < b.Nano)
}

// LeTime is a <= b.
func LeTime(a, b Inst) bool {
	return a.OK && b.OK && (a.Sec < b.Sec || a.Sec == b.Sec && a.Nano <= b.Nano)
}

// AddInt is a + b without overflow.
func AddInt(a, b I64) I64 {
	s := a.N + b.N
	return I64{s, a.OK && b.OK && (s > a.N) == (b.N > 0)}
}

// SubInt is a - b without overflow.
func SubInt(a, b I64) I64 {
	s := a.N - b.N
	return I64{s, a.OK && b.OK && (s < a.N) == (b.N > 0)}
}

// Same is true when both values are there and equal as JSON.
func Same(a *contract.Doc, n contract.Node, b *contract.Doc, m contract.Node) bool {
	return n >= 0 && m >= 0 && contract.EqualNodes(a, n, b, m)
}

// Differ is true when both values are there and are not equal.
func Differ(a *contract.Doc, n contract.Node, b *contract.Doc, m contract.Node) bool {
	return n >= 0 && m >= 0 && !contract.EqualNodes(a, n, b, m)
}

// Among is true when s is one of the list.
func Among(s Str, list ...string) bool {
	if !s.OK {
		return false
	}
	for _, x := range list {
		if s.S == x {
			return true
		}
	}
	return false
}

// NotAmong is true when s is there and none of the list.
func NotAmong(s Str, list ...string) bool { return s.OK && !Among(s, list...) }

// Within is true when the array n has the string s.
func Within(d *contract.Doc, n contract.Node, s Str) bool {
	found, ok := within(d, n, s)
	return ok && found
}

// NotWithin is true when n is an array without the string s.
func NotWithin(d *contract.Doc, n contract.Node, s Str) bool {
	found, ok := within(d, n, s)
	return ok && !found
}

func within(d *contract.Doc, n contract.Node, s Str) (found, ok bool) {
	if !s.OK || n < 0 || d.Kind(n) != contract.Array {
		return false, false
	}
	for k, end := n+1, d.Next(n); k < end; k = d.Next(k) {
		if d.Kind(k) == contract.String && string(d.Text(k)) == s.S {
			return true, true
		}
	}
	return false, true
}

// Starts is true when s begins with prefix.
func Starts(s, prefix Str) bool { return s.OK && prefix.OK && strings.HasPrefix(s.S, prefix.S) }

// NotStarts is true when both are there and s does not begin with prefix.
func NotStarts(s, prefix Str) bool { return s.OK && prefix.OK && !strings.HasPrefix(s.S, prefix.S) }

// Ends is true when s ends with suffix.
func Ends(s, suffix Str) bool { return s.OK && suffix.OK && strings.HasSuffix(s.S, suffix.S) }

// NotEnds is true when both are there and s does not end with suffix.
func NotEnds(s, suffix Str) bool { return s.OK && suffix.OK && !strings.HasSuffix(s.S, suffix.S) }

// Holds is true when part stands somewhere in s.
func Holds(s, part Str) bool { return s.OK && part.OK && strings.Contains(s.S, part.S) }

// NotHolds is true when both are there and part stands nowhere in s.
func NotHolds(s, part Str) bool { return s.OK && part.OK && !strings.Contains(s.S, part.S) }

// Val turns a string into a dynamic value.
func (s Str) Val() Val {
	if !s.OK {
		return errMissing
	}
	return String(s.S)
}

// Val turns an int into a dynamic value.
func (i I64) Val() Val {
	if !i.OK {
		return errMissing
	}
	return Int(i.N)
}

// Val turns a double into a dynamic value.
func (f F64) Val() Val {
	if !f.OK {
		return errMissing
	}
	return Double(f.F)
}

// Val turns a timestamp into a dynamic value.
func (t Inst) Val() Val {
	if !t.OK {
		return errMissing
	}
	return packTime(t.Sec, int(t.Nano), 0)
}

// View is the value n of the document with that number, or an error for Nowhere.
func (c *Ctx) View(doc int, n contract.Node, s *Shape) Val {
	if n < 0 {
		return errMissing
	}
	return c.view(uint64(doc), n, s)
}

var errMissing = Err("no such key, index or value")

// Tri is a boolean value from its two conditions.
func Tri(isTrue, isFalse bool) Val {
	switch {
	case isTrue:
		return Bool(true)
	case isFalse:
		return Bool(false)
	}
	return errMissing
}

// ToStr, ToInt, ToNum and ToTime take a dynamic value of a known type.
func ToStr(v Val) Str {
	s, ok := v.AsString()
	return Str{s, ok}
}

// ToInt takes an int.
func ToInt(v Val) I64 {
	i, ok := v.AsInt()
	return I64{i, ok}
}

// ToNum takes a double.
func ToNum(v Val) F64 {
	f, ok := v.AsDouble()
	return F64{f, ok}
}

// ToTime takes a timestamp.
func ToTime(v Val) Inst { return inst(v) }

// IsFalse reports whether v is the boolean false.
func (v Val) IsFalse() bool { return v.kind == KindBool && v.num == 0 }
