package source

// Limits bounds what reading may cost. A zero field means the default.
type Limits struct {
	MaxFileBytes  int64 // bytes of one file; default 16 MiB
	MaxTotalBytes int64 // bytes of all files together; default 512 MiB
	MaxDepth      int   // arrays and objects inside one another; default 256, at most 5,000
	MaxFiles      int   // files in one set; default 20,000
	MaxValues     int   // values in one document, after YAML aliases are expanded; default 1,048,576
}

// maxDepth keeps recursive readers inside any stack, whatever the caller asks for.
const maxDepth = 5000

// withDefaults fills the zero fields.
func (l Limits) withDefaults() Limits {
	if l.MaxFileBytes <= 0 {
		l.MaxFileBytes = 16 << 20
	}
	// Offsets are kept in 32 bits.
	l.MaxFileBytes = min(l.MaxFileBytes, 1<<30)
	if l.MaxTotalBytes <= 0 {
		l.MaxTotalBytes = 512 << 20
	}
	if l.MaxDepth <= 0 {
		l.MaxDepth = 256
	}
	l.MaxDepth = min(l.MaxDepth, maxDepth)
	if l.MaxFiles <= 0 {
		l.MaxFiles = 20_000
	}
	if l.MaxValues <= 0 {
		l.MaxValues = 1 << 20
	}
	return l
}
