// Package emit is what all targets share: the files they return, their strict
// options, and how a target is declared.
package emit

import (
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// File is one file that a target wants to exist.
type File struct {
	Path string // slash-separated, relative to the target's out folder
	Data []byte

	// Sealed files carry the contract's meaning: contract.json closes over their
	// canonical form. They must be JSON.
	Sealed bool
}

// Context is what a target may know beside the model.
type Context struct {
	Runtime  string // import path of the runtime package
	Renumber bool   // identifiers that collide get numbers instead of being an error

	// Judge lists schemas that a function Judge is wanted for, which validates by their
	// numbers: for programs that run witnesses. No file of a user has it.
	Judge []model.Ref
}

// Target is one kind of output.
type Target struct {
	Name  string // as in "use:"
	Short string // one line for people

	emit func(m *model.Model, options *source.Value, ctx Context) ([]File, error)
}

// New declares a target whose options are an O: a struct of exported fields with
// json tags. Options that O does not know are an error.
func New[O any](name, short string, fn func(m *model.Model, opt O, ctx Context) ([]File, error)) Target {
	return Target{name, short, func(m *model.Model, options *source.Value, ctx Context) ([]File, error) {
		var opt O
		if options != nil {
			if err := config.DecodeOptions(options, &opt); err != nil {
				return nil, err
			}
		}
		return fn(m, opt, ctx)
	}}
}

// Emit returns the target's files ordered by path. It neither writes nor keeps m.
func (t Target) Emit(m *model.Model, options *source.Value, ctx Context) ([]File, error) {
	return t.emit(m, options, ctx)
}

// Collision is the diagnostic for two declarations that get one identifier.
func Collision(name, what string, pos, other diag.Pos) diag.Diagnostic {
	return diag.Diagnostic{
		Code: "gen.name-collision", Pos: pos,
		Message: "two " + what + " get the Go name " + name,
		Hint:    `give one of them a name of its own with "x-go-name"`,
		Related: []diag.Related{{Pos: other, Message: "the other one"}},
	}
}
