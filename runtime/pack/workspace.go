package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack/glob"
)

// Workspace is a folder whose files are read and written under an authority. All
// paths are relative to it, clean, with / between segments. Symbolic links are
// resolved before scopes are asked, and nothing outside the folder can be reached.
type Workspace struct{ root *os.Root }

// OpenWorkspace opens a folder. The caller closes the workspace.
func OpenWorkspace(dir string) (*Workspace, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	return &Workspace{root}, nil
}

// Close releases the folder.
func (w *Workspace) Close() error { return w.root.Close() }

// ErrNotAllowed is wrapped by errors about paths that an authority does not allow.
var ErrNotAllowed = errors.New("not allowed by the authority")

// maxLinks bounds how many symbolic links one path may go through.
const maxLinks = 32

// Resolve follows the symbolic links of a path and returns the path it means. What
// does not exist below an existing folder stays as it is. The error wraps
// [ErrNotAllowed] when the path is not clean or leaves the workspace.
func (w *Workspace) Resolve(name string) (string, error) {
	if !glob.IsClean(name) {
		return "", fmt.Errorf("%w: %s is no clean relative path", ErrNotAllowed, quote(name))
	}
	done, rest, links := "", name, 0
	for rest != "" {
		segment, after, _ := strings.Cut(rest, "/")
		at := path.Join(done, segment)
		info, err := w.root.Lstat(filepath.FromSlash(at))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path.Join(at, after), nil
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			done, rest = at, after
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("%w: %s goes through too many symbolic links", ErrNotAllowed, quote(name))
		}
		target, err := w.root.Readlink(filepath.FromSlash(at))
		if err != nil {
			return "", err
		}
		slashed := path.Join(done, filepath.ToSlash(target))
		if filepath.IsAbs(target) || path.IsAbs(target) || strings.ContainsRune(slashed, '\\') || !filepath.IsLocal(filepath.FromSlash(slashed)) {
			return "", fmt.Errorf("%w: %s leads out of the workspace", ErrNotAllowed, quote(name))
		}
		done, rest = "", path.Join(slashed, after)
		if rest == "." {
			rest = ""
		}
	}
	if done == "" {
		return "", fmt.Errorf("%w: %s is the workspace itself", ErrNotAllowed, quote(name))
	}
	return done, nil
}

// allowed resolves a path and asks the authority about what it means.
func (w *Workspace) allowed(auth ExecutionAuthority, access, name string) (string, error) {
	real, err := w.Resolve(name)
	if err != nil {
		return "", err
	}
	if !auth.AllowsPath(access, real) {
		return "", fmt.Errorf("%w: to %s %s", ErrNotAllowed, access, quote(real))
	}
	return real, nil
}

// ReadFile reads at most limit bytes of a regular file that auth allows to read.
func (w *Workspace) ReadFile(auth ExecutionAuthority, name string, limit int64) ([]byte, error) {
	real, err := w.allowed(auth, "read", name)
	if err != nil {
		return nil, err
	}
	return w.read(real, limit)
}

func (w *Workspace) read(real string, limit int64) ([]byte, error) {
	f, err := w.open(real, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is longer than %d bytes", quote(real), limit)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// WriteFile writes a regular file that auth allows to write, replacing what it
// held. Its folder has to exist.
func (w *Workspace) WriteFile(auth ExecutionAuthority, name string, data []byte, perm fs.FileMode) error {
	real, err := w.allowed(auth, "write", name)
	if err != nil {
		return err
	}
	f, err := w.open(real, os.O_WRONLY|os.O_CREATE, perm)
	if err != nil {
		return err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.Write(data)
	}
	return errors.Join(err, f.Close())
}

// open opens a resolved path, and makes sure that what it opened is the regular
// file at that path and not behind a link that was put there meanwhile. Nothing
// of a file has been read or changed by then.
func (w *Workspace) open(real string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := w.root.OpenFile(filepath.FromSlash(real), flag|openNonblock, perm)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil {
		var again string
		var there fs.FileInfo
		if again, err = w.Resolve(real); err == nil {
			there, err = w.root.Lstat(filepath.FromSlash(real))
		}
		if err == nil && (again != real || !opened.Mode().IsRegular() || !os.SameFile(opened, there)) {
			err = fmt.Errorf("%w: %s is no regular file, or changed while it was opened", ErrNotAllowed, quote(real))
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
