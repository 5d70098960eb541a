package pattern

import "github.com/contractkit/contractkit/runtime/contract"

// Plan is how a pattern is decided: [Always], [Never], [Contains], [Suffix],
// [Straight], [DFA], [Padded], [Regexp] or [Backtrack], the earlier the cheaper.
type Plan interface{ plan() }

// Always matches every string.
type Always struct{}

// Never matches no string.
type Never struct{}

// Contains matches strings that hold Text somewhere.
type Contains struct{ Text string }

// Suffix matches strings that end in Text.
type Suffix struct{ Text string }

// Straight matches from the start of the string and never looks back: the next
// code point always tells what to do. Ops match one after another; then, if End,
// the string must be used up.
type Straight struct {
	Ops []Op
	End bool
	// Min and Max bound the bytes of a match; Max is -1 when there is no bound.
	Min, Max int
}

// Op is one step of a Straight plan: [Literal], [Run], [Group] or [Choice].
type Op interface{ op() }

// Literal is exactly these bytes.
type Literal struct{ Text string }

// Run is Min to Max (-1: any number of) code points of Set. What follows a run
// whose bounds differ is never in Set, so a run takes all it can get.
type Run struct {
	Set      Set
	Min, Max int
}

// Group is Ops, Min to Max times (-1: any number). Each round begins with a byte
// of First, and what follows the group does not.
type Group struct {
	Ops      []Op
	First    ByteSet
	Min, Max int
}

// Choice is the one branch whose First holds the next byte; no two do. If
// Optional, a byte that no branch wants is left alone instead of a failure.
type Choice struct {
	Branches []Branch
	Optional bool
}

// Branch is one way to go on in a Choice.
type Branch struct {
	First ByteSet
	Ops   []Op
}

// DFA is a deterministic automaton over bytes. State 0 has failed for good and
// state 1 has matched for good. The others number up to States-1; those that
// accept at the end of the string come last, from Accept on.
type DFA struct {
	Start   int
	Accept  int
	States  int
	Classes int        // number of byte classes
	Class   [256]uint8 // byte → class
	Next    []uint16   // state*Classes + class → state
}

// Padded is a text of limited length between padding.
type Padded struct{ Search contract.Padded }

// Regexp leaves the work to Go's regexp, with the pattern's RE2 form.
type Regexp struct{}

// Backtrack tries one way after the other, in bounded time. It is the plan of
// patterns with references, and of look-around that no automaton can hold.
type Backtrack struct{ Search contract.Backtracker }

func (Always) plan()     {}
func (Never) plan()      {}
func (Contains) plan()   {}
func (Suffix) plan()     {}
func (*Straight) plan()  {}
func (*DFA) plan()       {}
func (*Padded) plan()    {}
func (Regexp) plan()     {}
func (*Backtrack) plan() {}

func (Literal) op() {}
func (Run) op()     {}
func (Group) op()   {}
func (Choice) op()  {}
