package wasihost

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync/atomic"

	xsys "github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/sys"
)

// grantFS is the workspace as a component sees it: a path is there when a grant
// covers it, and can be opened in the granted mode. All else is absent.
//
// Every folder on the way to a file is opened one by one and compared with what
// Lstat saw, so that no symbolic link is ever followed, not even one that another
// process puts in place meanwhile.
type grantFS struct {
	xsys.UnimplementedFS
	root     *os.Root
	read     func(path string) bool // path: clean, slash-separated, below the workspace
	write    func(path string) bool
	clock    bool         // false: times are left out, for they would tell the time
	maxWrite int64        // bytes that may be written in all
	maxOpen  int64        // files that may be open
	maxMade  int64        // files and folders that may be made
	written  atomic.Int64 // bytes written
	open     atomic.Int64
	made     atomic.Int64
}

var _ xsys.FS = (*grantFS)(nil)

// clean returns the path as grants are matched against it. wazero has resolved its
// dots; whatever is left of them is refused.
func clean(name string) (string, xsys.Errno) {
	name = strings.Trim(name, "/")
	if name == "" {
		name = "."
	}
	name = path.Clean(name)
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\x00\\") || len(name) > 4096 {
		return "", xsys.EPERM
	}
	return name, 0
}

func (g *grantFS) mayRead(name string) bool { return name == "." || g.read(name) }

// mayWrite never grants the kernel's own folder.
func (g *grantFS) mayWrite(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return name != "." && !strings.EqualFold(top, ".lumenflow") && g.write(name)
}

func (g *grantFS) mayStat(name string) bool { return g.mayRead(name) || g.mayWrite(name) }

// parent opens the folder that holds name. The caller closes it.
func (g *grantFS) parent(name string) (dir *os.Root, base string, errno xsys.Errno) {
	dir, err := g.root.OpenRoot(".")
	if err != nil {
		return nil, "", xsys.EIO
	}
	for {
		first, rest, more := strings.Cut(name, "/")
		if !more {
			return dir, name, 0
		}
		next, errno := openFolder(dir, first)
		_ = dir.Close()
		if errno != 0 {
			return nil, "", errno
		}
		dir, name = next, rest
	}
}

func openFolder(dir *os.Root, name string) (*os.Root, xsys.Errno) {
	seen, err := dir.Lstat(name)
	if err != nil {
		return nil, errnoOf(err)
	}
	if !seen.IsDir() { // a link is none
		return nil, xsys.ENOTDIR
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, errnoOf(err)
	}
	if got, err := next.Stat("."); err != nil || !os.SameFile(seen, got) {
		_ = next.Close()
		return nil, xsys.EPERM
	}
	return next, 0
}

// errnoOf leaves out all that would tell more than a component may know.
func errnoOf(err error) xsys.Errno {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return xsys.ENOENT
	case errors.Is(err, fs.ErrExist):
		return xsys.EEXIST
	case errors.Is(err, fs.ErrPermission):
		return xsys.EPERM
	}
	return xsys.EIO
}

// lstat looks at what is there, links left out.
func (g *grantFS) lstat(name string) (fs.FileInfo, xsys.Errno) {
	dir, base, errno := g.parent(name)
	if errno != 0 {
		return nil, errno
	}
	defer dir.Close()
	info, err := dir.Lstat(base)
	switch {
	case err != nil:
		return nil, errnoOf(err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, xsys.EPERM
	}
	return info, 0
}

func (g *grantFS) Lstat(name string) (sys.Stat_t, xsys.Errno) { return g.Stat(name) }

func (g *grantFS) Stat(name string) (sys.Stat_t, xsys.Errno) {
	name, errno := clean(name)
	if errno != 0 {
		return sys.Stat_t{}, errno
	}
	if !g.mayStat(name) {
		return sys.Stat_t{}, xsys.ENOENT
	}
	info, errno := g.lstat(name)
	if errno != 0 {
		return sys.Stat_t{}, errno
	}
	return g.stat(name, info), 0
}

// stat is what a component learns of a file: kind, size and a number that stands
// for its name. Owner, mode, device and, without a clock, times are not its business.
func (g *grantFS) stat(name string, info fs.FileInfo) sys.Stat_t {
	st := sys.Stat_t{Ino: inode(name), Nlink: 1, Mode: 0o600, Size: info.Size()}
	if info.IsDir() {
		st.Mode, st.Size = fs.ModeDir|0o700, 0
	}
	if g.clock {
		st.Mtim = info.ModTime().UnixNano()
		st.Atim, st.Ctim = st.Mtim, st.Mtim
	}
	return st
}

func inode(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64() | 1
}

const accessMode = xsys.O_RDONLY | xsys.O_RDWR | xsys.O_WRONLY

func (g *grantFS) OpenFile(name string, flag xsys.Oflag, _ fs.FileMode) (xsys.File, xsys.Errno) {
	mustBeFolder := flag&xsys.O_DIRECTORY != 0 || strings.HasSuffix(name, "/")
	name, errno := clean(name)
	if errno != 0 {
		return nil, errno
	}
	access := flag & accessMode
	reads := access == xsys.O_RDONLY || access == xsys.O_RDWR
	writes := access != xsys.O_RDONLY || flag&(xsys.O_CREAT|xsys.O_TRUNC|xsys.O_APPEND) != 0
	switch {
	case reads && !g.mayRead(name):
		if g.mayWrite(name) {
			return nil, xsys.EPERM
		}
		return nil, xsys.ENOENT
	case writes && !g.mayWrite(name):
		return nil, xsys.EPERM
	}
	if g.open.Add(1) > g.maxOpen {
		g.open.Add(-1)
		return nil, xsys.EAGAIN
	}
	f, errno := g.openReal(name, flag, writes, mustBeFolder)
	if errno != 0 {
		g.open.Add(-1)
		return nil, errno
	}
	return f, 0
}

func (g *grantFS) openReal(name string, flag xsys.Oflag, writes, mustBeFolder bool) (xsys.File, xsys.Errno) {
	dir, base, errno := g.parent(name)
	if errno != 0 {
		return nil, errno
	}
	defer dir.Close()
	seen, err := dir.Lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag&xsys.O_CREAT != 0 && !mustBeFolder:
		return g.create(dir, name, base, flag)
	case err != nil:
		return nil, errnoOf(err)
	case flag&xsys.O_CREAT != 0 && flag&xsys.O_EXCL != 0:
		return nil, xsys.EEXIST
	case seen.IsDir():
		if writes {
			return nil, xsys.EISDIR
		}
		folder, errno := openFolder(dir, base)
		if errno != 0 {
			return nil, errno
		}
		return &folderHandle{fs: g, name: name, root: folder}, 0
	case mustBeFolder:
		return nil, xsys.ENOTDIR
	case !seen.Mode().IsRegular():
		return nil, xsys.EPERM
	}
	f, err := dir.OpenFile(base, osFlags(flag)|nonBlock, 0)
	if err != nil {
		return nil, errnoOf(err)
	}
	if got, err := f.Stat(); err != nil || !os.SameFile(seen, got) {
		_ = f.Close()
		return nil, xsys.EPERM
	}
	if flag&xsys.O_TRUNC != 0 { // only now is it known to be the right file
		if err := f.Truncate(0); err != nil {
			_ = f.Close()
			return nil, errnoOf(err)
		}
	}
	return &fileHandle{fs: g, name: name, file: f, append: flag&xsys.O_APPEND != 0}, 0
}

func (g *grantFS) create(dir *os.Root, name, base string, flag xsys.Oflag) (xsys.File, xsys.Errno) {
	if g.made.Add(1) > g.maxMade {
		return nil, xsys.EIO
	}
	f, err := dir.OpenFile(base, osFlags(flag)|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, errnoOf(err)
	}
	return &fileHandle{fs: g, name: name, file: f, append: flag&xsys.O_APPEND != 0}, 0
}

func osFlags(flag xsys.Oflag) int {
	switch flag & accessMode {
	case xsys.O_RDWR:
		return os.O_RDWR
	case xsys.O_WRONLY:
		return os.O_WRONLY
	}
	return os.O_RDONLY
}

// change runs do in the folder that holds name, when the grant lets name be changed.
func (g *grantFS) change(name string, do func(dir *os.Root, base string) error) xsys.Errno {
	name, errno := clean(name)
	if errno != 0 {
		return errno
	}
	if !g.mayWrite(name) {
		return xsys.EPERM
	}
	dir, base, errno := g.parent(name)
	if errno != 0 {
		return errno
	}
	defer dir.Close()
	if err := do(dir, base); err != nil {
		if e, isErrno := errors.AsType[xsys.Errno](err); isErrno {
			return e
		}
		return errnoOf(err)
	}
	return 0
}

func (g *grantFS) Mkdir(name string, _ fs.FileMode) xsys.Errno {
	return g.change(name, func(dir *os.Root, base string) error {
		if g.made.Add(1) > g.maxMade {
			return xsys.EIO
		}
		return dir.Mkdir(base, 0o700)
	})
}

func (g *grantFS) Unlink(name string) xsys.Errno {
	return g.change(name, func(dir *os.Root, base string) error {
		info, err := dir.Lstat(base)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return xsys.EISDIR
		}
		if !info.Mode().IsRegular() {
			return xsys.EPERM
		}
		return dir.Remove(base)
	})
}

func (g *grantFS) Rmdir(name string) xsys.Errno {
	return g.change(name, func(dir *os.Root, base string) error {
		info, err := dir.Lstat(base)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return xsys.ENOTDIR
		}
		if err := dir.Remove(base); err != nil {
			return xsys.ENOTEMPTY
		}
		return nil
	})
}

// Rename moves files only: what lies in a folder may be covered by other grants than
// the folder. A component cannot make links, so that between look and move only
// another process with access to the workspace could change the way there, and the
// workspace is left in no case.
func (g *grantFS) Rename(from, to string) xsys.Errno {
	from, errno := clean(from)
	if errno != 0 {
		return errno
	}
	return g.change(to, func(_ *os.Root, _ string) error {
		if !g.mayWrite(from) {
			return xsys.EPERM
		}
		target, _ := clean(to)
		for _, name := range []string{from, target} {
			info, errno := g.lstat(name)
			switch {
			case errno == xsys.ENOENT && name == target:
			case errno != 0:
				return errno
			case !info.Mode().IsRegular():
				return xsys.EPERM
			}
		}
		return g.root.Rename(from, target)
	})
}
