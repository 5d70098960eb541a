package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/contractkit/contractkit/internal/diag"
)

// Load reads the files at paths, which are slash-separated and relative to the
// folder root, and returns their documents ordered by path. A path that is
// given twice is read once; no file outside root is opened.
//
// The error is a [diag.List] with the problems of all files, or ctx's error. With a list
// there may be a Set all the same: of the files that are in order, for stages that look
// for more problems.
func Load(ctx context.Context, root string, paths []string, lim Limits) (*Set, error) {
	lim = lim.withDefaults()
	paths = slices.Clone(paths)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if len(paths) > lim.MaxFiles {
		return nil, diag.List{{Severity: diag.Error, Code: "source.too-large",
			Message: fmt.Sprintf("%d files are more than the %d allowed", len(paths), lim.MaxFiles),
			Hint:    "raise limits.maxFiles in contracts.yaml"}}
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, diag.List{{Severity: diag.Error, Code: "source.unreadable", Message: "the project folder cannot be opened: " + reason(err)}}
	}
	defer dir.Close()

	set := &Set{}
	var problems diag.List
	total := int64(0)
	for i, name := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := readFile(dir, name, lim)
		if err == nil {
			if total += int64(len(data)); total > lim.MaxTotalBytes {
				problems.Add(diag.Diagnostic{Code: "source.too-large", Pos: diag.Pos{File: name},
					Message: fmt.Sprintf("the files up to this one have more than %d bytes together", lim.MaxTotalBytes)})
				for _, unread := range paths[i:] {
					set.broken = append(set.broken, Broken{Path: unread, Dark: true})
				}
				break
			}
			var doc *Document
			if doc, err = Parse(name, data, lim); err == nil {
				set.docs = append(set.docs, doc)
				continue
			}
		}
		list, ok := errors.AsType[diag.List](err)
		if !ok {
			return nil, err
		}
		problems = append(problems, list...)
		set.broken = append(set.broken, salvage(name, data))
	}
	if err := problems.Err(); err != nil {
		return set, err
	}
	return set, nil
}

// written matches an "$id" and its value in text that need not be well formed.
var written = regexp.MustCompile(`\$id["']?\s*:\s*["']?([^"'\s,{}\[\]]+)`)

// maxSalvaged bounds the ids that are looked for in a broken file.
const maxSalvaged = 10_000

// salvage finds what a broken file may be called; data is nil when it cannot be read.
func salvage(name string, data []byte) Broken {
	b := Broken{Path: name, Dark: data == nil}
	for _, m := range written.FindAllSubmatch(data, maxSalvaged) {
		b.IDs = append(b.IDs, string(m[1]))
	}
	b.Dark = b.Dark || b.IDs == nil && !utf8.Valid(data) || len(b.IDs) == maxSalvaged
	return b
}

// NewSet makes a set of documents that are at hand already, for example in
// tests. It reports documents that share a path.
func NewSet(docs ...*Document) (*Set, error) {
	set := &Set{docs: slices.Clone(docs)}
	slices.SortStableFunc(set.docs, func(a, b *Document) int { return strings.Compare(a.Path, b.Path) })
	for i := 1; i < len(set.docs); i++ {
		if set.docs[i].Path == set.docs[i-1].Path {
			return nil, fmt.Errorf("two documents have the path %s", set.docs[i].Path)
		}
	}
	return set, nil
}

// readFile reads one regular file. A device or a pipe is refused before it is
// opened: reading it may never end.
func readFile(dir *os.Root, name string, lim Limits) ([]byte, error) {
	pos := diag.Pos{File: name}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, diag.List{{Severity: diag.Error, Code: "source.unreadable", Pos: pos, Message: "the path leaves the project folder"}}
	}
	unreadable := func(err error) error {
		return diag.List{{Severity: diag.Error, Code: "source.unreadable", Pos: pos, Message: "the file cannot be read: " + reason(err)}}
	}
	info, err := dir.Lstat(filepath.FromSlash(name))
	switch {
	case err != nil:
		return nil, unreadable(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, diag.List{symlink(name)}
	case !info.Mode().IsRegular():
		return nil, unreadable(errors.New("it is not a regular file"))
	case info.Size() > lim.MaxFileBytes:
		return nil, diag.List{tooLarge(name, info.Size(), lim.MaxFileBytes)}
	}
	file, err := dir.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, unreadable(err)
	}
	defer file.Close()
	// One byte more than allowed is enough to see that the file grew meanwhile.
	data, err := io.ReadAll(io.LimitReader(file, lim.MaxFileBytes+1))
	if err != nil {
		return nil, unreadable(err)
	}
	return data, nil
}

func symlink(name string) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Error, Code: "source.symlink", Pos: diag.Pos{File: name},
		Message: "this is a symbolic link, which is not followed",
		Hint:    "put the file itself here, or name its folder in contracts.yaml"}
}

// reason is the part of a file error that does not repeat a path, which would
// differ between machines.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
