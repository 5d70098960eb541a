package output

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/contractkit/contractkit/internal/closure"
)

// disk is what Apply does to a folder. Names are slash-separated and relative to
// it. Tests put a disk in between that fails or dies at a chosen step.
type disk interface {
	exists(name string) (bool, error)
	read(name string) ([]byte, error)
	create(name string, data []byte) error // a new file, on the platter when it returns
	rename(from, to string) error
	link(from, to string) error
	remove(name string) error // a file or an empty folder
	mkdir(name string) error
	sync(folder string) error // makes renames and removals in it last
}

// rootDisk is the disk of a folder. os.Root keeps every step inside it, also
// when somebody swaps a folder for a link meanwhile.
type rootDisk struct{ top *os.Root }

func (d rootDisk) exists(name string) (bool, error) {
	_, err := d.top.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d rootDisk) read(name string) ([]byte, error) {
	return closure.ReadFile(d.top, name, maxRead)
}

func (d rootDisk) create(name string, data []byte) error {
	f, err := d.top.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (d rootDisk) rename(from, to string) error {
	return d.top.Rename(filepath.FromSlash(from), filepath.FromSlash(to))
}

func (d rootDisk) link(from, to string) error {
	return d.top.Link(filepath.FromSlash(from), filepath.FromSlash(to))
}

func (d rootDisk) remove(name string) error { return d.top.Remove(filepath.FromSlash(name)) }

func (d rootDisk) mkdir(name string) error { return d.top.Mkdir(filepath.FromSlash(name), 0o755) }

func (d rootDisk) sync(folder string) error {
	f, err := d.top.Open(filepath.FromSlash(folder))
	if err != nil {
		return err
	}
	defer f.Close()
	// Some systems cannot sync a folder; the rename is as safe there as it gets.
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// bare is err without the path of a temporary file, which would mean nothing to people.
func bare(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}

// removeIfThere removes name, which need not exist.
func removeIfThere(d disk, name string) error {
	there, err := d.exists(name)
	if err != nil || !there {
		return err
	}
	return d.remove(name)
}

// replace writes a file through a sibling, so that it is never half there.
func replace(d disk, name string, data []byte) error {
	tmp := sibling(name, ".new")
	if err := removeIfThere(d, tmp); err != nil {
		return err
	}
	if err := d.create(tmp, data); err != nil {
		_ = removeIfThere(d, tmp)
		return err
	}
	if err := d.rename(tmp, name); err != nil {
		_ = removeIfThere(d, tmp)
		return err
	}
	return d.sync(path.Dir(name))
}

// sibling is the name of a temporary file beside name. It is short, whatever
// the length of name, and the same in the next run.
func sibling(name, suffix string) string {
	hash := closure.Digest([]byte(name))
	return path.Join(path.Dir(name), ".contracts-"+hash[len("sha256:"):][:16]+suffix)
}
