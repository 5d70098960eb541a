// Package lib is the CEL environment that rules are checked in: the standard library, the
// extension libraries of cel-go at their newest versions, Kubernetes' libraries and our
// own functions, written against cel-go so that its interpreter can run them.
//
// runtime/contract/cel has the same functions for compiled rules. The two are written
// apart from each other and tested against each other; neither uses the other.
package lib

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"
)

// Options returns all libraries. The network functions ip, cidr and theirs are those of
// cel-go's extension, which took over Kubernetes' names, types and strictness, and adds
// isMask; so one environment serves both. json and yaml of the encoders are left out.
func Options() []cel.EnvOption {
	return append(Extensions(), Own()...)
}

// Extensions returns the libraries of cel-go, and those of Kubernetes.
func Extensions() []cel.EnvOption {
	opts := []cel.EnvOption{
		cel.OptionalTypes(),
		ext.Strings(), ext.Math(), ext.Lists(), ext.Sets(), ext.Regex(), ext.Bindings(),
		ext.TwoVarComprehensions(), ext.Network(), ext.Encoders(ext.EncodersVersion(0)), urlEncoders(),
	}
	for _, library := range [][]cel.EnvOption{
		kubernetesRegex(), kubernetesLists(), kubernetesURL(), kubernetesQuantity(), kubernetesSemver(), kubernetesFormat(),
	} {
		opts = append(opts, library...)
	}
	return opts
}

// Base returns an environment with all libraries, to be extended with variables.
func Base() (*cel.Env, error) { return cel.NewEnv(Options()...) }

// overload and method declare a function over fully evaluated arguments.
func overload(id string, args []*cel.Type, result *cel.Type, f func(args ...ref.Val) ref.Val) cel.FunctionOpt {
	return cel.Overload(id, args, result, cel.FunctionBinding(f))
}

func method(id string, args []*cel.Type, result *cel.Type, f func(args ...ref.Val) ref.Val) cel.FunctionOpt {
	return cel.MemberOverload(id, args, result, cel.FunctionBinding(f))
}

func typesOf(t ...*cel.Type) []*cel.Type { return t }

// str and num read an argument whose type the checker, and at run time the overload's
// guard, has made sure of.
func str(v ref.Val) string { return string(v.(types.String)) }

func num(v ref.Val) int64 { return int64(v.(types.Int)) }

func strs(list []string) ref.Val { return types.NewStringList(types.DefaultTypeAdapter, list) }
