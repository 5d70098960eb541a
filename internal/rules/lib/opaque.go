package lib

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// opaque is a value of a type that only functions look into.
type opaque[T any] struct {
	value T
	typ   *types.Type
	same  func(a, b T) bool
}

func (o opaque[T]) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("%s has no native form %v", o.typ.TypeName(), t)
}

func (o opaque[T]) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case o.typ:
		return o
	case types.TypeType:
		return o.typ
	}
	return types.NewErr("type conversion error from '%s' to '%s'", o.typ, t)
}

func (o opaque[T]) Equal(other ref.Val) ref.Val {
	p, ok := other.(opaque[T])
	return types.Bool(ok && o.same(o.value, p.value))
}

func (o opaque[T]) Type() ref.Type { return o.typ }

func (o opaque[T]) Value() any { return o.value }
