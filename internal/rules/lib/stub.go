// Package lib is a stand-in until the library comes.
package lib

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/ext"
)

// Options is the standard environment.
func Options() []cel.EnvOption {
	return []cel.EnvOption{cel.StdLib(), cel.OptionalTypes(), ext.Strings(), ext.Math(), ext.Lists(), ext.Sets(), ext.Bindings(), ext.Encoders(), ext.Regex(), ext.TwoVarComprehensions()}
}

// KubernetesOptions is Options.
func KubernetesOptions() []cel.EnvOption { return Options() }
