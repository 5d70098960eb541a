// Package gen is the list of targets: what a model can be turned into.
//
// A new target is a folder beside this file and a line in Targets.
package gen

import (
	"github.com/contractkit/contractkit/gen/bundle"
	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/gotypes"
	"github.com/contractkit/contractkit/gen/govalidate"
	"github.com/contractkit/contractkit/gen/modeljson"
)

// Targets returns all targets, in the order in which help lists them.
func Targets() []emit.Target {
	return []emit.Target{
		gotypes.Target,
		govalidate.Target,
		bundle.Target,
		modeljson.Target,
	}
}
