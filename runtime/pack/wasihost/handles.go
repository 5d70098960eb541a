package wasihost

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	xsys "github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/sys"
)

// position keeps go vet from taking the runtime's Seek for a misspelt io.Seeker.
type position = int64

// fileHandle is an open regular file.
type fileHandle struct {
	xsys.UnimplementedFile
	fs     *grantFS
	name   string
	file   *os.File
	append bool
	closed bool
}

func (f *fileHandle) Dev() (uint64, xsys.Errno)    { return 0, 0 }
func (f *fileHandle) Ino() (sys.Inode, xsys.Errno) { return inode(f.name), 0 }
func (f *fileHandle) IsDir() (bool, xsys.Errno)    { return false, 0 }
func (f *fileHandle) IsAppend() bool               { return f.append }
func (f *fileHandle) Sync() xsys.Errno             { return result(f.file.Sync()) }
func (f *fileHandle) Datasync() xsys.Errno         { return result(f.file.Sync()) }

func (f *fileHandle) SetAppend(on bool) xsys.Errno {
	f.append = on
	return 0
}

func (f *fileHandle) Stat() (sys.Stat_t, xsys.Errno) {
	info, err := f.file.Stat()
	if err != nil {
		return sys.Stat_t{}, result(err)
	}
	return f.fs.stat(f.name, info), 0
}

func (f *fileHandle) Read(buf []byte) (int, xsys.Errno) {
	n, err := f.file.Read(buf)
	return n, result(err)
}

func (f *fileHandle) Pread(buf []byte, off int64) (int, xsys.Errno) {
	if off < 0 {
		return 0, xsys.EINVAL
	}
	n, err := f.file.ReadAt(buf, off)
	return n, result(err)
}

func (f *fileHandle) Seek(offset position, whence int) (int64, xsys.Errno) {
	if whence < io.SeekStart || whence > io.SeekEnd {
		return 0, xsys.EINVAL
	}
	n, err := f.file.Seek(offset, whence)
	if err != nil {
		return 0, xsys.EINVAL
	}
	return n, 0
}

// charge counts bytes before they are written.
func (f *fileHandle) charge(n int) xsys.Errno {
	if f.fs.written.Add(int64(n)) > f.fs.maxWrite {
		return xsys.EIO
	}
	return 0
}

func (f *fileHandle) Write(buf []byte) (int, xsys.Errno) {
	if errno := f.charge(len(buf)); errno != 0 {
		return 0, errno
	}
	if f.append {
		if _, err := f.file.Seek(0, io.SeekEnd); err != nil {
			return 0, result(err)
		}
	}
	n, err := f.file.Write(buf)
	return n, result(err)
}

// Pwrite may leave a hole in front of it, which counts as written: it takes room once
// somebody copies the file.
func (f *fileHandle) Pwrite(buf []byte, off int64) (int, xsys.Errno) {
	if off < 0 || off > f.fs.maxWrite {
		return 0, xsys.EINVAL
	}
	if errno := f.charge(len(buf)); errno != 0 {
		return 0, errno
	}
	n, err := f.file.WriteAt(buf, off)
	return n, result(err)
}

func (f *fileHandle) Truncate(size int64) xsys.Errno {
	if size < 0 || size > f.fs.maxWrite {
		return xsys.EINVAL
	}
	return result(f.file.Truncate(size))
}

func (f *fileHandle) Close() xsys.Errno {
	if f.closed {
		return 0
	}
	f.closed = true
	f.fs.open.Add(-1)
	return result(f.file.Close())
}

func result(err error) xsys.Errno {
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return 0
	case errors.Is(err, fs.ErrClosed), errors.Is(err, os.ErrInvalid):
		return xsys.EBADF
	case strings.HasSuffix(err.Error(), "bad file descriptor"): // read of a file open for writing
		return xsys.EBADF
	}
	return xsys.EIO
}

// maxList bounds how many names of a folder are looked at. A component may hold many
// folders open, and each holds its list.
const maxList = 10_000

// folderHandle is an open folder. Its list holds what the grants cover.
type folderHandle struct {
	xsys.DirFile
	fs     *grantFS
	name   string
	root   *os.Root
	list   []xsys.Dirent
	listed bool
	closed bool
}

func (d *folderHandle) Dev() (uint64, xsys.Errno)    { return 0, 0 }
func (d *folderHandle) Ino() (sys.Inode, xsys.Errno) { return inode(d.name), 0 }
func (d *folderHandle) Sync() xsys.Errno             { return 0 }
func (d *folderHandle) Datasync() xsys.Errno         { return 0 }

// Utimens is not for components, as for files.
func (d *folderHandle) Utimens(int64, int64) xsys.Errno { return xsys.EPERM }

func (d *folderHandle) Stat() (sys.Stat_t, xsys.Errno) {
	info, err := d.root.Stat(".")
	if err != nil {
		return sys.Stat_t{}, result(err)
	}
	return d.fs.stat(d.name, info), 0
}

// Seek to the start begins the list anew.
func (d *folderHandle) Seek(offset position, whence int) (int64, xsys.Errno) {
	if offset != 0 || whence != io.SeekStart {
		return 0, xsys.EINVAL
	}
	d.list, d.listed = nil, false
	return 0, 0
}

func (d *folderHandle) Readdir(n int) ([]xsys.Dirent, xsys.Errno) {
	if d.closed {
		return nil, xsys.EBADF
	}
	if !d.listed {
		if errno := d.read(); errno != 0 {
			return nil, errno
		}
	}
	if n <= 0 || n > len(d.list) {
		n = len(d.list)
	}
	some := d.list[:n:n]
	d.list = d.list[n:]
	return some, 0
}

func (d *folderHandle) read() xsys.Errno {
	dir, err := d.root.Open(".")
	if err != nil {
		return result(err)
	}
	defer dir.Close()
	seen := 0
	for {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			name := path.Join(d.name, e.Name())
			if !d.fs.mayStat(name) || !e.IsDir() && !e.Type().IsRegular() {
				continue
			}
			d.list = append(d.list, xsys.Dirent{Ino: inode(name), Name: e.Name(), Type: e.Type()})
		}
		if seen += len(entries); seen > maxList {
			return xsys.EIO
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return result(err)
		}
	}
	slices.SortFunc(d.list, func(a, b xsys.Dirent) int { return strings.Compare(a.Name, b.Name) })
	d.listed = true
	return 0
}

func (d *folderHandle) Close() xsys.Errno {
	if d.closed {
		return 0
	}
	d.closed = true
	d.fs.open.Add(-1)
	return result(d.root.Close())
}
