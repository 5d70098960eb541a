package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// Bounds on documents.
const (
	maxDocument = 64 << 20 // bytes of a document, or of a line of NDJSON
	maxNesting  = 1000
)

// patternSigns make an argument that names no file a pattern.
const patternSigns = "*?[{"

// document is one JSON value to be checked.
type document struct {
	file  string        // as given on the command line
	line  int           // in an NDJSON file, from 1; else 0
	data  []byte        // as JSON
	place *source.Value // of a YAML document: where its values are written
	err   error         // it cannot be read or parsed
}

// inputs are the documents that arguments name.
type inputs struct {
	env    *Env
	format string // json, yaml, ndjson, or "" to go by the file's ending
}

// expand turns arguments into files. several reports whether the arguments can
// name more than one document.
func (in *inputs) expand(args []string) (files []string, several bool, err error) {
	several = len(args) > 1
	for _, arg := range args {
		if _, statErr := os.Lstat(inDir(in.env, arg)); arg == "-" || statErr == nil || !strings.ContainsAny(arg, patternSigns) {
			files = append(files, arg)
			several = several || in.formatOf(arg) == "ndjson"
			continue
		}
		several = true
		matches, err := doublestar.FilepathGlob(inDir(in.env, arg), doublestar.WithFilesOnly(), doublestar.WithFailOnPatternNotExist())
		if errors.Is(err, doublestar.ErrPatternNotExist) || err == nil && len(matches) == 0 {
			files = append(files, arg) // reading it says that there is none
			continue
		}
		if err != nil {
			return nil, false, &usageError{code: "usage.bad_argument", message: fmt.Sprintf("the pattern %.200q cannot be used: %v", arg, err)}
		}
		slices.Sort(matches)
		for _, m := range matches {
			if !filepath.IsAbs(arg) {
				if rel, err := filepath.Rel(in.env.Dir, m); err == nil {
					m = filepath.ToSlash(rel)
				}
			}
			files = append(files, m)
		}
	}
	return files, several, nil
}

func (in *inputs) formatOf(file string) string {
	if in.format != "" {
		return in.format
	}
	switch path.Ext(strings.ToLower(file)) {
	case ".yaml", ".yml":
		return "yaml"
	case ".ndjson", ".jsonl":
		return "ndjson"
	}
	return "json"
}

// one reads the only document of a file.
func (in *inputs) one(file string) (*document, error) {
	var only *document
	n := 0
	err := in.each(file, func(d document) error {
		n++
		only = &d
		return d.err
	})
	if err == nil && n != 1 {
		err = fmt.Errorf("%s has %d documents; one is needed", file, n)
	}
	return only, err
}

// each calls do with every document of a file, in order.
func (in *inputs) each(file string, do func(document) error) error {
	var r io.Reader = in.env.Stdin
	if file != "-" {
		f, err := os.Open(inDir(in.env, file))
		if err == nil {
			defer f.Close()
			if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
				err = errors.New("it is a folder")
			}
		}
		if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(file, patternSigns) {
			return do(document{file: file, err: fmt.Errorf("no file matches the pattern %s", file)})
		}
		if err != nil {
			return do(document{file: file, err: fmt.Errorf("%s cannot be read: %s", file, closure.Reason(err))})
		}
		r = f
	}
	if in.formatOf(file) == "ndjson" {
		return eachLine(file, r, do)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	d := document{file: file, data: data}
	switch {
	case err != nil:
		d.err = fmt.Errorf("%s cannot be read: %s", file, closure.Reason(err))
	case len(data) > maxDocument:
		d.err = fmt.Errorf("%s has more than %d bytes", file, maxDocument)
	case in.formatOf(file) == "yaml":
		d.fromYAML()
	}
	return do(d)
}

// fromYAML turns the document's text from YAML into JSON.
func (d *document) fromYAML() {
	doc, err := source.Parse(d.file+".yaml", d.data, limits())
	if list, ok := errors.AsType[diag.List](err); ok && len(list) > 0 {
		err = fmt.Errorf("%s:%d:%d: %s", d.file, list[0].Pos.Line, list[0].Pos.Col, list[0].Message)
	}
	if err != nil {
		d.err = err
		return
	}
	d.place, d.data = doc.Root, source.AppendJSON(nil, doc.Root)
}

func limits() source.Limits { return source.Limits{MaxFileBytes: maxDocument, MaxDepth: maxNesting} }

// eachLine reads NDJSON; empty lines are skipped.
func eachLine(file string, r io.Reader, do func(document) error) error {
	lines := newLineReader(r, maxDocument)
	for n := 1; ; n++ {
		line, err := lines.next()
		d := document{file: file, line: n}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errLongLine):
			d.err = fmt.Errorf("%s:%d: the line has more than %d bytes", file, n, maxDocument)
		case err != nil:
			d.err = fmt.Errorf("%s cannot be read: %s", file, closure.Reason(err))
			return do(d)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			d.data = bytes.Clone(line)
		}
		if err := do(d); err != nil {
			return err
		}
	}
}

var errLongLine = errors.New("the line is too long")

// lineReader reads lines of bounded length. After errLongLine the rest of that
// line is skipped.
type lineReader struct {
	r     *bufio.Reader
	limit int
	buf   []byte
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 1<<16), limit: limit}
}

// next returns the next line without its end. It is valid until the next call.
func (l *lineReader) next() ([]byte, error) {
	l.buf = l.buf[:0]
	long, any := false, false
	for {
		part, err := l.r.ReadSlice('\n')
		any = any || len(part) > 0
		if !long && len(l.buf)+len(part) > l.limit+1 {
			long, l.buf = true, nil
		}
		if !long {
			l.buf = append(l.buf, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && !any:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case long:
			return nil, errLongLine
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(l.buf, []byte{'\n'}), []byte{'\r'}), nil
	}
}
