package lib

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

var quantityType = cel.OpaqueType("kubernetes.Quantity")

// amount is a quantity of Kubernetes: a fraction, exact, and the power of ten that it is
// counted in. small is set where Kubernetes counts in an int64.
type amount struct {
	value *big.Rat
	small bool
	scale int
}

var quantityPattern = regexp.MustCompile(`^([+-]?)(0*)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$`)

// tens returns 10^n.
func tens(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		return p.Inv(p)
	}
	return p
}

func parseAmount(s string) (amount, bool) {
	m := quantityPattern.FindStringSubmatch(s)
	if m == nil || s == "" || len(s) > 1000 {
		return amount{}, false
	}
	whole, fraction, suffix := m[3], m[4], m[5]
	if whole == "" {
		whole = "0"
	}
	unscaled, _ := new(big.Int).SetString(m[1]+whole+fraction, 10)
	value := new(big.Rat).Mul(new(big.Rat).SetInt(unscaled), tens(-len(fraction)))
	scale, binary := 0, strings.HasSuffix(suffix, "i")
	a := amount{value: value, scale: -len(fraction)}
	switch {
	case binary:
		bits := 10 * (1 + strings.Index("KMGTPE", suffix[:1]))
		value.Mul(value, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(bits))))
		// Kubernetes estimates whether the product fits.
		a.small = fraction == "" && 15-len(whole)-int(float32(bits)*3/10)-1 >= 0 && value.Num().IsInt64()
		if limit := big.NewRat(math.MaxInt64, 1); !a.small && new(big.Rat).Abs(value).Cmp(limit) > 0 {
			if value.Sign() < 0 {
				limit.Neg(limit)
			}
			a.value, a.scale = limit, 0
		}
	case len(suffix) > 1:
		e, err := strconv.ParseInt(suffix[1:], 10, 32)
		if err != nil || e < -1000 || e > 1000 {
			return amount{}, false
		}
		scale = int(e)
	case suffix != "":
		scale = map[string]int{"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}[suffix]
	}
	if !binary {
		value.Mul(value, tens(scale))
		a.scale = scale - len(fraction)
		a.small = len(whole)+len(fraction) <= 18 && a.scale >= -9
	}
	if a.value.Sign() != 0 { // a zero is not rounded, and keeps its decimals
		a.value, a.scale = roundNano(a.value), max(a.scale, -9)
	}
	return a, true
}

// roundNano rounds what is finer than 10^-9 away from zero.
func roundNano(x *big.Rat) *big.Rat {
	scaled := new(big.Rat).Mul(x, tens(9))
	if scaled.IsInt() {
		return x
	}
	q, r := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	q.Add(q, big.NewInt(int64(r.Sign())))
	return new(big.Rat).Mul(new(big.Rat).SetInt(q), tens(-9))
}

func (a amount) integer() (int64, bool) {
	if !a.small || a.scale < 0 || !a.value.IsInt() || !a.value.Num().IsInt64() {
		return 0, false
	}
	return a.value.Num().Int64(), true
}

// float gives up exactness where Kubernetes does: 0.3 is 3 times 0.1.
func (a amount) float() float64 {
	f, _ := new(big.Rat).Mul(a.value, tens(-a.scale)).Float64()
	return f * math.Pow10(a.scale)
}

// plus adds as Kubernetes does: a sum of two small amounts is small if it and both
// amounts fit an int64 at the finer scale.
func (a amount) plus(b amount, minus bool) amount {
	if minus {
		b.value = new(big.Rat).Neg(b.value)
	}
	sum := amount{value: new(big.Rat).Add(a.value, b.value), scale: min(a.scale, b.scale)}
	if !a.small || !b.small {
		return sum
	}
	switch {
	case b.value.Sign() == 0:
		return a
	case a.value.Sign() == 0:
		return b
	}
	sum.small = true
	for _, x := range []*big.Rat{a.value, b.value, sum.value} {
		at := new(big.Rat).Mul(x, tens(-sum.scale))
		sum.small = sum.small && at.IsInt() && at.Num().IsInt64()
	}
	return sum
}

func kubernetesQuantity() []cel.EnvOption {
	wrap := func(a amount) ref.Val {
		return opaque[amount]{a, quantityType, func(a, b amount) bool { return a.value.Cmp(b.value) == 0 }}
	}
	get := func(v ref.Val) amount {
		if i, ok := v.(types.Int); ok {
			return amount{value: new(big.Rat).SetInt64(int64(i)), small: true}
		}
		return v.Value().(amount)
	}
	q, two, withInt := typesOf(quantityType), typesOf(quantityType, quantityType), typesOf(quantityType, cel.IntType)
	add := func(minus bool) func(...ref.Val) ref.Val {
		return func(a ...ref.Val) ref.Val { return wrap(get(a[0]).plus(get(a[1]), minus)) }
	}
	order := func(a []ref.Val) int { return get(a[0]).value.Cmp(get(a[1]).value) }
	return []cel.EnvOption{
		cel.Types(quantityType),
		cel.Function("quantity", overload("string_to_quantity", typesOf(cel.StringType), quantityType, func(a ...ref.Val) ref.Val {
			x, ok := parseAmount(str(a[0]))
			if !ok {
				return types.NewErr("quantities must match the regular expression '%s'", quantityPattern)
			}
			return wrap(x)
		})),
		cel.Function("isQuantity", overload("is_quantity_string", typesOf(cel.StringType), cel.BoolType, func(a ...ref.Val) ref.Val {
			_, ok := parseAmount(str(a[0]))
			return types.Bool(ok)
		})),
		cel.Function("sign", method("quantity_sign", q, cel.IntType, func(a ...ref.Val) ref.Val { return types.Int(get(a[0]).value.Sign()) })),
		cel.Function("isInteger", method("quantity_is_integer", q, cel.BoolType, func(a ...ref.Val) ref.Val {
			_, ok := get(a[0]).integer()
			return types.Bool(ok)
		})),
		cel.Function("asInteger", method("quantity_get_int", q, cel.IntType, func(a ...ref.Val) ref.Val {
			i, ok := get(a[0]).integer()
			if !ok {
				return types.NewErr("cannot convert value to integer")
			}
			return types.Int(i)
		})),
		cel.Function("asApproximateFloat", method("quantity_get_float", q, cel.DoubleType, func(a ...ref.Val) ref.Val {
			return types.Double(get(a[0]).float())
		})),
		cel.Function("add", method("quantity_add", two, quantityType, add(false)), method("quantity_add_int", withInt, quantityType, add(false))),
		cel.Function("sub", method("quantity_sub", two, quantityType, add(true)), method("quantity_sub_int", withInt, quantityType, add(true))),
		cel.Function("compareTo", method("quantity_compare_to", two, cel.IntType, func(a ...ref.Val) ref.Val { return types.Int(order(a)) })),
		cel.Function("isGreaterThan", method("quantity_is_greater_than", two, cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(order(a) > 0) })),
		cel.Function("isLessThan", method("quantity_is_less_than", two, cel.BoolType, func(a ...ref.Val) ref.Val { return types.Bool(order(a) < 0) })),
	}
}
