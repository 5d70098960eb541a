package contract

import "sync/atomic"

// Limits bound what a document may cost before its contract is looked at.
// A zero field takes the default, which SetLimits may change.
type Limits struct {
	MaxBytes  int // length of the text; default 64 MiB, at most 2 GiB
	MaxDepth  int // nesting of arrays and objects; default 1000
	MaxIssues int // issues collected before validation stops; default 100
}

const (
	defaultMaxBytes  = 64 << 20
	defaultMaxDepth  = 1000
	defaultMaxIssues = 100
	hardMaxBytes     = 1<<31 - 1 // token offsets are 32 bits
)

// limits is what SetLimits was given; nil for nothing.
var limits atomic.Pointer[Limits]

// SetLimits changes the defaults for all documents of this process, those of
// generated functions included; a zero field goes back to what it was at the start.
// It is for the beginning of main; calls under way may see either.
func SetLimits(l Limits) { limits.Store(&l) }

func (l Limits) fill() Limits {
	if own := limits.Load(); own != nil {
		l.MaxBytes, l.MaxDepth, l.MaxIssues = or(l.MaxBytes, own.MaxBytes), or(l.MaxDepth, own.MaxDepth), or(l.MaxIssues, own.MaxIssues)
	}
	if l.MaxBytes <= 0 {
		l.MaxBytes = defaultMaxBytes
	}
	l.MaxBytes = min(l.MaxBytes, hardMaxBytes)
	if l.MaxDepth <= 0 {
		l.MaxDepth = defaultMaxDepth
	}
	if l.MaxIssues <= 0 {
		l.MaxIssues = defaultMaxIssues
	}
	return l
}

// or returns n, or otherwise when n says nothing.
func or(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}
