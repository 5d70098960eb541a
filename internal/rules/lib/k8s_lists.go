package lib

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// ordered are the types that have an order, summable those that can be added up, each
// with the sum of nothing.
var (
	ordered  = []*cel.Type{cel.IntType, cel.UintType, cel.DoubleType, cel.BoolType, cel.DurationType, cel.TimestampType, cel.StringType, cel.BytesType}
	summable = map[*cel.Type]ref.Val{
		cel.IntType: types.Int(0), cel.UintType: types.Uint(0), cel.DoubleType: types.Double(0), cel.DurationType: types.Duration{},
	}
)

func kubernetesLists() []cel.EnvOption {
	var sorted, least, greatest, sum []cel.FunctionOpt
	for _, t := range ordered {
		name, list := "list_"+t.TypeName(), typesOf(cel.ListType(t))
		sorted = append(sorted, method(name+"_is_sorted_bool", list, cel.BoolType, isSorted))
		least = append(least, method(name+"_min_"+t.TypeName(), list, t, extreme("min", types.IntNegOne)))
		greatest = append(greatest, method(name+"_max_"+t.TypeName(), list, t, extreme("max", types.IntOne)))
		if zero := summable[t]; zero != nil {
			sum = append(sum, method(name+"_sum_"+t.TypeName(), list, t, sumFrom(zero)))
		}
	}
	t := cel.TypeParamType("T")
	return []cel.EnvOption{
		cel.Function("isSorted", sorted...),
		cel.Function("min", least...),
		cel.Function("max", greatest...),
		cel.Function("sum", sum...),
		cel.Function("indexOf", method("list_a_index_of_int", typesOf(cel.ListType(t), t), cel.IntType, indexOf(false))),
		cel.Function("lastIndexOf", method("list_a_last_index_of_int", typesOf(cel.ListType(t), t), cel.IntType, indexOf(true))),
	}
}

// elements returns what a list holds.
func elements(v ref.Val) []ref.Val {
	var all []ref.Val
	for it := v.(traits.Lister).Iterator(); it.HasNext() == types.True; {
		all = append(all, it.Next())
	}
	return all
}

func isSorted(a ...ref.Val) ref.Val {
	list := elements(a[0])
	for i := range list {
		x, ok := list[max(i-1, 0)].(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(list[i])
		}
		switch order := x.Compare(list[i]); {
		case types.IsError(order):
			return order
		case order == types.IntOne:
			return types.False
		}
	}
	return types.True
}

func extreme(name string, better types.Int) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		list := elements(a[0])
		if len(list) == 0 {
			return types.NewErr("%s called on empty list", name)
		}
		best := list[0]
		for _, x := range list {
			c, ok := x.(traits.Comparer)
			if !ok {
				return types.MaybeNoSuchOverloadErr(x)
			}
			switch order := c.Compare(best); {
			case types.IsError(order) && len(list) > 1:
				return order
			case order == better:
				best = x
			}
		}
		return best
	}
}

func sumFrom(zero ref.Val) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		var sum ref.Val
		for _, x := range elements(a[0]) {
			adder, ok := x.(traits.Adder)
			switch {
			case !ok || x.Type() == types.StringType || x.Type() == types.BytesType || x.Type() == types.ListType || x.Type() == types.TimestampType:
				return types.MaybeNoSuchOverloadErr(x)
			case sum == nil:
				sum = x
				continue
			}
			_ = adder
			if sum = sum.(traits.Adder).Add(x); types.IsError(sum) {
				return sum
			}
		}
		if sum == nil {
			return zero
		}
		return sum
	}
}

func indexOf(last bool) func(...ref.Val) ref.Val {
	return func(a ...ref.Val) ref.Val {
		found := types.Int(-1)
		for i, x := range elements(a[0]) {
			if types.Equal(x, a[1]) == types.True && (last || found < 0) {
				found = types.Int(i)
			}
		}
		return found
	}
}
