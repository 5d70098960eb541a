package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"unicode/utf8"

	"github.com/contractkit/contractkit/internal/diag"
)

// Parse reads one document. The extension of name decides how: .yaml and .yml
// are YAML, all else is JSON. data is kept and must not be changed.
//
// The error is a [diag.List] whose positions lie inside data.
func Parse(name string, data []byte, lim Limits) (*Document, error) {
	lim = lim.withDefaults()
	if int64(len(data)) > lim.MaxFileBytes {
		return nil, diag.List{tooLarge(name, int64(len(data)), lim.MaxFileBytes)}
	}
	rep := &report{lines: newLines(name, data)}
	if !checkText(rep, data) {
		return nil, rep.err()
	}
	var root *Value
	switch path.Ext(name) {
	case ".yaml", ".yml":
		root = parseYAML(rep, data, lim)
	default:
		root = parseJSON(rep, data, lim)
	}
	if err := rep.err(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return &Document{Path: name, Bytes: data, Digest: "sha256:" + hex.EncodeToString(sum[:]), Root: root}, nil
}

func tooLarge(name string, size, limit int64) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Error, Code: "source.too-large", Pos: diag.Pos{File: name, Line: 1, Col: 1},
		Message: fmt.Sprintf("the file has %d bytes, more than the %d allowed", size, limit),
		Hint:    "split the file, or raise limits.maxFileBytes in contracts.yaml"}
}

// checkText reports what no reader could make sense of: another encoding than
// UTF-8, or a byte order mark.
func checkText(rep *report, data []byte) bool {
	for _, bom := range []string{"\xEF\xBB\xBF", "\xFE\xFF", "\xFF\xFE"} {
		if bytes.HasPrefix(data, []byte(bom)) {
			rep.add(diag.Diagnostic{Code: "source.bom", Pos: rep.lines.pos(0),
				Message: "the file starts with a byte order mark",
				Hint:    "save the file as UTF-8 without a byte order mark"})
			return false
		}
	}
	if utf8.Valid(data) {
		return true
	}
	for i := 0; i < len(data) && !rep.capped; {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			rep.add(diag.Diagnostic{Code: "source.utf8", Pos: rep.lines.pos(i),
				Message: fmt.Sprintf("the byte 0x%02X is not UTF-8", data[i]),
				Hint:    "save the file as UTF-8"})
			// One report a run of bad bytes is enough.
			for i < len(data) && data[i] >= utf8.RuneSelf {
				i++
			}
			continue
		}
		i += size
	}
	return false
}
