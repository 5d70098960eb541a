package packauthor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/contractkit/contractkit/runtime/pack"
)

// ErrExists means that the pack's folder exists.
var ErrExists = errors.New("the folder exists")

// Write makes the folder of a pack in output, which is made when it is missing. The
// pack appears as a whole or not at all. replace takes the place of an older pack; a
// folder without a manifest is left alone, and a link as well.
func Write(output, packID string, files []File, replace bool) (dir string, err error) {
	if err := os.MkdirAll(output, 0o755); err != nil {
		return "", fmt.Errorf("make the output folder: %w", err)
	}
	dir = filepath.Join(output, packID)
	old, err := os.Lstat(dir)
	switch {
	case err == nil && !replace:
		return dir, fmt.Errorf("%s: %w", dir, ErrExists)
	case err == nil:
		if _, err := os.Lstat(filepath.Join(dir, pack.ManifestFile)); err != nil || !old.IsDir() {
			return dir, fmt.Errorf("%s is no pack; move it away: %w", dir, ErrExists)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return dir, err
	}
	temp, err := os.MkdirTemp(output, ".new-pack-")
	if err != nil {
		return dir, err
	}
	defer os.RemoveAll(temp) // after the rename there is only the old pack left in it
	fresh := filepath.Join(temp, "new")
	if err := fill(fresh, files); err != nil {
		return dir, err
	}
	if old != nil {
		if err := os.Rename(dir, filepath.Join(temp, "old")); err != nil {
			return dir, err
		}
	}
	if err := os.Rename(fresh, dir); err != nil {
		if old != nil {
			_ = os.Rename(filepath.Join(temp, "old"), dir)
		}
		return dir, err
	}
	return dir, nil
}

func fill(dir string, files []File) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		name, folder := filepath.FromSlash(f.Path), path.Dir(f.Path)
		if f.Data == nil {
			folder = f.Path
		}
		if folder != "." {
			if err := root.MkdirAll(filepath.FromSlash(folder), 0o755); err != nil {
				return err
			}
		}
		if f.Data != nil {
			if err := root.WriteFile(name, f.Data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
