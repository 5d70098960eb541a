package source

import (
	"bytes"
	"sort"

	"github.com/contractkit/contractkit/internal/diag"
)

// lines turns byte offsets into positions. A line ends with a line feed.
type lines struct {
	path   string
	starts []int32 // offset of each line's first byte
	size   int
}

func newLines(path string, data []byte) *lines {
	x := &lines{path: path, size: len(data), starts: make([]int32, 1, 1+bytes.Count(data, []byte{'\n'}))}
	for i, c := range data {
		if c == '\n' {
			x.starts = append(x.starts, int32(i+1))
		}
	}
	return x
}

// pos returns the place of offset; one that lies outside the file is moved to
// the nearest end.
func (x *lines) pos(offset int) diag.Pos {
	offset = min(max(offset, 0), x.size)
	line := sort.Search(len(x.starts), func(i int) bool { return int(x.starts[i]) > offset })
	return diag.Pos{File: x.path, Line: line, Col: offset - int(x.starts[line-1]) + 1}
}
