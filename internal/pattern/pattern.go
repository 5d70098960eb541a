package pattern

import (
	"errors"
	"regexp"
	"sync"
)

// Pattern is a parsed expression and the plan that decides it. It is immutable
// and safe for concurrent use.
type Pattern struct {
	source string
	root   *node
	re2    string
	plan   Plan
	regexp func() *regexp.Regexp
}

// Parse reads an ECMA-262 regular expression and chooses its plan. Time and
// memory are bounded for any input.
//
// Errors: [*SyntaxError]; [ErrUnsupported] (as [*UnsupportedError]) for
// flags and unknown properties; [ErrTooLarge].
func Parse(ecma string) (*Pattern, error) {
	root, err := parse(ecma)
	if err != nil {
		return nil, err
	}
	p := &Pattern{source: ecma, root: root}
	if p.plan = choose(root); p.plan == nil {
		if p.plan, err = compileBacktrack(root); err != nil {
			return nil, err
		}
	}
	if root.any(isRef) || root.any(isLook) {
		return p, nil // no equivalent in the syntax of Go
	}
	p.re2, err = re2(root)
	if err == nil && isRegexp(p.plan) {
		// Only here is the expression's acceptance by Go of importance.
		_, err = regexp.Compile(p.re2)
		if err != nil {
			err = errors.Join(ErrTooLarge, err)
		}
	}
	if err != nil && isRegexp(p.plan) {
		return nil, err
	}
	p.regexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(p.re2) })
	return p, nil
}

func isRegexp(p Plan) bool {
	_, ok := p.(Regexp)
	return ok
}

// String gives the pattern as it was written.
func (p *Pattern) String() string { return p.source }

// RE2 is an equivalent expression for Go's regexp, to be searched for without
// anchors of its own. It is empty when the expression has look-around or references
// or would be larger than 1 MiB; Go may refuse one with huge repeat counts.
func (p *Pattern) RE2() string { return p.re2 }

// Plan is how p is decided. It must not be changed.
func (p *Pattern) Plan() Plan { return p.plan }
