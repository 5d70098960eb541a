package rules

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules/lib"
	"github.com/contractkit/contractkit/runtime/contract"
)

// value is a JSON value of a document as the interpreter sees it.
func (t *typer) value(d *contract.Doc, n contract.Node, term *model.Term) ref.Val {
	switch d.Kind(n) {
	case contract.Null:
		return types.NullValue
	case contract.Bool:
		return types.Bool(d.Raw(n)[0] == 't')
	case contract.Num:
		return number(string(d.Number(n)), term)
	case contract.String:
		return text(string(d.Text(n)), term)
	case contract.Array:
		elem := dyn
		if term.Kind == model.TermList {
			elem = term.Elem
		}
		var list []ref.Val
		for k := n + 1; k < d.Next(n); k = d.Next(k) {
			list = append(list, t.value(d, k, elem))
		}
		var l traits.Lister = types.NewRefValList(types.DefaultTypeAdapter, list)
		if read(elem) {
			l = &typedList{l, origin{t, d, n}, t.plainTerm(elem)}
		}
		if term.Kind == model.TermList && (term.Set || term.Keys != nil) {
			return &unordered{l, term.Keys}
		}
		return l
	}
	if term.Kind == model.TermObject {
		return &object{t: t, d: d, n: n, view: term.Object}
	}
	elem := dyn
	if term.Kind == model.TermMap {
		elem = term.Elem
	}
	m := map[ref.Val]ref.Val{}
	for k := n + 1; k < d.Next(n); k = d.Next(k + 1) {
		m[types.String(d.Text(k))] = t.value(d, k+1, elem)
	}
	if read(elem) {
		return &typedMap{types.NewRefValMap(types.DefaultTypeAdapter, m), origin{t, d, n}, t.plainTerm(elem)}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, m)
}

// read reports whether values of the term are made of what is written by more than its
// kind, so that they may be errors, or be written in other ways.
func read(term *model.Term) bool {
	switch term.Kind {
	case model.TermInt, model.TermUint, model.TermDouble, model.TermTimestamp, model.TermDuration, model.TermBytes:
		return true
	}
	return false
}

// origin is where a value stands.
type origin struct {
	t *typer
	d *contract.Doc
	n contract.Node
}

// Written is the value without its schema.
func (o origin) Written() ref.Val { return o.t.value(o.d, o.n, dyn) }

// typedList is a list of values that are read by their schema.
type typedList struct {
	traits.Lister
	origin
	plain bool // its values are equal when they are equal as JSON
}

// Equal compares two lists of documents as JSON, where that is the same.
func (l *typedList) Equal(other ref.Val) ref.Val {
	if o, ok := other.(*typedList); ok && l.plain && o.plain {
		return types.Bool(contract.EqualNodes(l.d, l.n, o.d, o.n))
	}
	return l.Lister.Equal(other)
}

// typedMap is a map to values that are read by their schema.
type typedMap struct {
	traits.Mapper
	origin
	plain bool
}

// Equal compares two maps of documents as JSON, where that is the same.
func (m *typedMap) Equal(other ref.Val) ref.Val {
	if o, ok := other.(*typedMap); ok && m.plain && o.plain {
		return types.Bool(contract.EqualNodes(m.d, m.n, o.d, o.n))
	}
	return m.Mapper.Equal(other)
}

func number(s string, term *model.Term) ref.Val {
	switch term.Kind {
	case model.TermInt, model.TermUint:
		i, ok := contract.IntegerOf(s).Int64()
		if !ok {
			if _, err := strconv.ParseFloat(s, 64); err != nil {
				return types.WrapErr(lib.ErrBeyondDouble)
			}
			return types.NewErr("the integer %.40s is out of range", s)
		}
		return types.Int(i)
	case model.TermDouble:
	default:
		if !strings.ContainsAny(s, ".eE") {
			if i, err := strconv.ParseInt(s, 10, 64); err == nil {
				return types.Int(i)
			}
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return types.WrapErr(lib.ErrBeyondDouble)
	}
	return types.Double(f)
}

func text(s string, term *model.Term) ref.Val {
	switch term.Kind {
	case model.TermTimestamp:
		if term.Date {
			if d, err := time.Parse(time.DateOnly, s); err == nil {
				return types.Timestamp{Time: d}
			}
		}
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00"} {
			if at, err := time.Parse(layout, s); err == nil {
				return types.Timestamp{Time: at}
			}
		}
		return types.NewErr("%.60q is no timestamp", s)
	case model.TermDuration:
		d, err := time.ParseDuration(s)
		if err != nil {
			return types.NewErr("%.60q is no duration", s)
		}
		return types.Duration{Duration: d}
	case model.TermBytes:
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return types.NewErr("%.60q is not base64", s)
		}
		return types.Bytes(b)
	}
	return types.String(s)
}

// object is an object with declared members. As a map it has the members that are there.
type object struct {
	t    *typer
	d    *contract.Doc
	n    contract.Node
	view int
	made map[string]ref.Val // members that were looked up: a list is not built for each look
	all  traits.Mapper      // all members, once they were asked for
}

var (
	_ traits.Mapper      = (*object)(nil)
	_ traits.FieldTester = (*object)(nil)
)

func (o *object) term(name string) *model.Term {
	for _, f := range o.t.views[o.view].Fields {
		if f.Name == name {
			return f.Term
		}
	}
	return nil
}

// Find looks a member up by its name in expressions.
func (o *object) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), false
	}
	term, wire := dyn, string(name)
	if f := o.t.field(o.view, wire); f != nil {
		term, wire = f.Term, f.Name
	}
	if v, known := o.made[wire]; known {
		return v, v != nil
	}
	if o.made == nil {
		o.made = map[string]ref.Val{}
	}
	if n, there := o.d.Member(o.n, wire); there {
		o.made[wire] = o.t.value(o.d, n, term)
	} else {
		o.made[wire] = nil
	}
	v := o.made[wire]
	return v, v != nil
}

// Get is Find with an error for what is missing.
func (o *object) Get(key ref.Val) ref.Val {
	v, ok := o.Find(key)
	if !ok {
		if v != nil {
			return v
		}
		return types.NewErr("no such key: %v", key)
	}
	return v
}

// IsSet says whether the member is there.
func (o *object) IsSet(key ref.Val) ref.Val {
	_, ok := o.Find(key)
	return types.Bool(ok)
}

// Contains is IsSet, for the operator in.
func (o *object) Contains(key ref.Val) ref.Val { return o.IsSet(key) }

// Size counts the members.
func (o *object) Size() ref.Val { return types.Int(o.d.Count(o.n)) }

// Iterator goes through the members' names.
func (o *object) Iterator() traits.Iterator { return o.plain().Iterator() }

// plain is the object as a map.
func (o *object) plain() traits.Mapper {
	if o.all != nil {
		return o.all
	}
	m := map[ref.Val]ref.Val{}
	for k := o.n + 1; k < o.d.Next(o.n); k = o.d.Next(k + 1) {
		name := string(o.d.Text(k))
		term := o.term(name)
		if term == nil {
			term = dyn
		}
		m[types.String(name)] = o.t.value(o.d, k+1, term)
	}
	o.all = types.NewRefValMap(types.DefaultTypeAdapter, m)
	return o.all
}

// ConvertToNative serves libraries that want JSON-like Go values.
func (o *object) ConvertToNative(t reflect.Type) (any, error) {
	if t == reflect.TypeFor[[]byte]() {
		return o.d.Raw(o.n), nil
	}
	return o.plain().ConvertToNative(t)
}

// ConvertToType knows only the type itself.
func (o *object) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return o.t.celType[o.view]
	}
	return types.NewErr("type conversion error from %s to %s", o.Type().TypeName(), t.TypeName())
}

// Written is the object without its schema.
func (o *object) Written() ref.Val { return o.t.value(o.d, o.n, dyn) }

// Equal compares as JSON: strings as text, numbers by value.
func (o *object) Equal(other ref.Val) ref.Val {
	switch x := other.(type) {
	case *object:
		if !o.t.plain(o.view) || !o.t.plain(x.view) {
			return o.plain().Equal(x.plain())
		}
		return types.Bool(contract.EqualNodes(o.d, o.n, x.d, x.n))
	case traits.Mapper:
		return o.plain().Equal(x)
	}
	return types.False
}

// Type is the object type.
func (o *object) Type() ref.Type { return o.t.celType[o.view] }

// Value is the object itself.
func (o *object) Value() any { return o }

func (o *object) String() string {
	return fmt.Sprintf("%s at byte %d", o.t.views[o.view].Name, o.d.Offset(o.n))
}
