package lib

import (
	"regexp"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

func kubernetesRegex() []cel.EnvOption {
	find := func(a ...ref.Val) ref.Val {
		re, err := regexp.Compile(str(a[1]))
		if err != nil {
			return types.WrapErr(err)
		}
		return types.String(re.FindString(str(a[0])))
	}
	findAll := func(a ...ref.Val) ref.Val {
		re, err := regexp.Compile(str(a[1]))
		if err != nil {
			return types.WrapErr(err)
		}
		limit := -1
		if len(a) == 3 {
			limit = int(num(a[2]))
		}
		return strs(re.FindAllString(str(a[0]), limit))
	}
	list := cel.ListType(cel.StringType)
	return []cel.EnvOption{
		cel.Function("find", method("string_find_string", typesOf(cel.StringType, cel.StringType), cel.StringType, find)),
		cel.Function("findAll",
			method("string_find_all_string", typesOf(cel.StringType, cel.StringType), list, findAll),
			method("string_find_all_string_int", typesOf(cel.StringType, cel.StringType, cel.IntType), list, findAll)),
	}
}
