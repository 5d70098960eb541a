package inspect

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/contractkit/contractkit/runtime/pack/internal/canon"
)

// Limits of a pack's folder. A field that is zero stands for its default.
type Limits struct {
	Files      int   // files that count; 10,000
	Entries    int   // names looked at, also those that do not count; 100,000
	Depth      int   // folders inside one another; 32
	PathBytes  int   // length of a path below the root; 1,024
	FileBytes  int64 // of one file; 16 MiB
	TotalBytes int64 // of all files that count; 256 MiB
}

func (l Limits) orDefaults() Limits {
	for _, f := range []struct {
		value *int
		usual int
	}{{&l.Files, 10_000}, {&l.Entries, 100_000}, {&l.Depth, 32}, {&l.PathBytes, 1024}} {
		if *f.value == 0 {
			*f.value = f.usual
		}
	}
	if l.FileBytes == 0 {
		l.FileBytes = 16 << 20
	}
	if l.TotalBytes == 0 {
		l.TotalBytes = 256 << 20
	}
	return l
}

// Fault is something wrong with a file of a pack.
type Fault struct {
	Code    string // PACK_…
	File    string // slash-separated, below the pack's root; "" for all of it
	Line    int    // from 1; 0 when unknown
	Value   string // the offending value; "" when the file itself is
	Message string // one line that names file and value
}

// File is one file that counts.
type File struct {
	Path   string // slash-separated, below the root
	Size   int64
	SHA256 [sha256.Size]byte
}

// Tree is the list of a pack's files at one moment.
type Tree struct {
	Dir   string // as it was given to Read
	Files []File // in the order of the integrity hash

	faults []Fault
	limits Limits
}

// Faults returns what keeps the folder from having an integrity hash, in order of
// files: links, special files, unreadable ones, names that are not UTF-8, limits.
func (t *Tree) Faults() []Fault { return slices.Clone(t.faults) }

// excludedFolders do not count when they stand at the root.
var excludedFolders = []string{".git", "dist", "node_modules"}

const excludedFile = ".DS_Store"

// errStop ends a walk that has met a limit; the fault is noted.
var errStop = errors.New("limit")

// Read lists and hashes the files below dir. An error means that dir itself cannot
// be read, or is no folder; everything else is in [Tree.Faults].
func Read(dir string, limits Limits) (*Tree, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("read the pack's folder: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("read the pack's folder: %s is no folder", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("read the pack's folder: %w", err)
	}
	defer root.Close()
	t := &Tree{Dir: dir, limits: limits.orDefaults()}
	w := walk{tree: t, root: root}
	if err := w.folder("", 0); err != nil && !errors.Is(err, errStop) {
		return nil, err
	}
	slices.SortFunc(t.Files, func(a, b File) int { return canon.Compare(a.Path, b.Path) })
	return t, nil
}

// walk is one reading of a tree.
type walk struct {
	tree    *Tree
	root    *os.Root
	entries int
	total   int64
}

func (w *walk) fault(code, file, format string, args ...any) {
	w.tree.faults = append(w.tree.faults, Fault{Code: code, File: file, Message: fmt.Sprintf(format, args...)})
}

func (w *walk) limit(file, format string, args ...any) error {
	w.fault("PACK_INTEGRITY_LIMIT", file, format, args...)
	return errStop
}

func (w *walk) folder(name string, depth int) error {
	lim := w.tree.limits
	if depth > lim.Depth {
		return w.limit(name, "the folder %q is more than %d folders deep", name, lim.Depth)
	}
	dir, err := w.root.Open(orDot(name))
	if err != nil {
		w.fault("PACK_INTEGRITY_UNREADABLE", name, "the folder %q cannot be read", orDot(name))
		return nil
	}
	defer dir.Close()
	var names []string
	for {
		// In portions: a folder of a million names must not fill the memory first.
		some, err := dir.ReadDir(1024)
		for _, e := range some {
			names = append(names, e.Name())
		}
		if w.entries += len(some); w.entries > lim.Entries {
			return w.limit(name, "the pack has more than %d names", lim.Entries)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			w.fault("PACK_INTEGRITY_UNREADABLE", name, "the folder %q cannot be read", orDot(name))
			return nil
		}
	}
	slices.Sort(names)
	for _, n := range names {
		if err := w.entry(path.Join(name, n), depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) entry(name string, depth int) error {
	lim := w.tree.limits
	switch {
	case !utf8.ValidString(name):
		w.fault("PACK_INTEGRITY_FILE_NAME", strings.ToValidUTF8(name, "\uFFFD"), "the name %q is not UTF-8", name)
		return nil
	case len(name) > lim.PathBytes:
		return w.limit(name[:64]+"…", "a path has more than %d bytes: %.64q…", lim.PathBytes, name)
	}
	info, err := w.root.Lstat(name)
	if err != nil {
		w.fault("PACK_INTEGRITY_UNREADABLE", name, "%q cannot be read", name)
		return nil
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		if slices.Contains(excludedFolders, name) {
			return nil
		}
		return w.folder(name, depth+1)
	case path.Base(name) == excludedFile && mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		w.fault("PACK_INTEGRITY_FILE_KIND", name, "%q is a symbolic link; a pack holds regular files only", name)
		return nil
	case !mode.IsRegular():
		w.fault("PACK_INTEGRITY_FILE_KIND", name, "%q is a special file; a pack holds regular files only", name)
		return nil
	}
	return w.file(name, info)
}

func (w *walk) file(name string, info fs.FileInfo) error {
	lim := w.tree.limits
	if len(w.tree.Files) >= lim.Files {
		return w.limit(name, "the pack has more than %d files", lim.Files)
	}
	if info.Size() > lim.FileBytes {
		return w.limit(name, "%q has more than %d bytes", name, lim.FileBytes)
	}
	f, err := open(w.root, name)
	if err != nil {
		w.fault("PACK_INTEGRITY_UNREADABLE", name, "%q cannot be read", name)
		return nil
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, lim.FileBytes+1)) // it may grow while it is read
	switch {
	case err != nil:
		w.fault("PACK_INTEGRITY_UNREADABLE", name, "%q cannot be read", name)
		return nil
	case n > lim.FileBytes:
		return w.limit(name, "%q has more than %d bytes", name, lim.FileBytes)
	}
	if w.total += n; w.total > lim.TotalBytes {
		return w.limit(name, "the pack has more than %d bytes", lim.TotalBytes)
	}
	w.tree.Files = append(w.tree.Files, File{name, n, [sha256.Size]byte(sum.Sum(nil))})
	return nil
}

// open opens a regular file. What was one when it was looked at may be something
// else by now; a pipe would block for ever.
func open(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return f, nil
}

func orDot(name string) string {
	if name == "" {
		return "."
	}
	return name
}

// Integrity returns "sha256:" and the hash of the tree in lower-case hex, or false
// when it has faults. Of each file, in order, path, NUL, hex digest, NUL are hashed.
func (t *Tree) Integrity() (string, bool) {
	if len(t.faults) > 0 {
		return "", false
	}
	sum := sha256.New()
	for _, f := range t.Files {
		fmt.Fprintf(sum, "%s\x00%x\x00", f.Path, f.SHA256)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), true
}

// Has reports whether the file counts.
func (t *Tree) Has(name string) bool {
	_, found := slices.BinarySearchFunc(t.Files, name, func(f File, name string) int { return canon.Compare(f.Path, name) })
	return found
}

// read returns the bytes of a file that counts. They are the ones that were hashed,
// or it is an error.
func (t *Tree) read(root *os.Root, f File) ([]byte, error) {
	file, err := open(root, f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, f.Size+1))
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(data) != f.SHA256 {
		return nil, errors.New("it changed while it was looked at")
	}
	return data, nil
}

// ReadFile returns the bytes of a file that counts, as they were hashed.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	i, found := slices.BinarySearchFunc(t.Files, name, func(f File, name string) int { return canon.Compare(f.Path, name) })
	if !found {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return t.read(root, t.Files[i])
}
