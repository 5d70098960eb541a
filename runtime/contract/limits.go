package contract

// Limits bound what a document may cost before its contract is looked at.
// A zero field takes the default.
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

func (l Limits) fill() Limits {
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
