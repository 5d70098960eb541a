package source

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
)

// maxEntries bounds how many files and folders Discover looks at.
const maxEntries = 200_000

// Discover lists the schema files below the folder dir of root: every *.json,
// *.yaml and *.yml but fixtures (*.valid.*, *.invalid.*) and invariants.*.
// Folders named testdata or invariants, or with a dot in front, are left out whole. The paths are relative to root, slash-separated and sorted by code unit.
//
// The error is a [diag.List]: a symbolic link is reported, not followed.
func Discover(root, dir string) ([]string, error) {
	var problems diag.List
	unreadable := func(name string, err error) {
		problems.Add(diag.Diagnostic{Code: "source.unreadable", Pos: diag.Pos{File: name}, Message: "the folder cannot be read: " + reason(err)})
	}
	dir = path.Clean(dir)
	if !filepath.IsLocal(filepath.FromSlash(dir)) {
		unreadable(dir, fmt.Errorf("the path leaves the project folder"))
		return nil, problems.Err()
	}
	top, err := os.OpenRoot(root)
	if err != nil {
		unreadable(dir, err)
		return nil, problems.Err()
	}
	defer top.Close()

	if info, err := top.Lstat(filepath.FromSlash(dir)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, diag.List{symlink(dir)}
	}
	var found []string
	entries := 0
	err = fs.WalkDir(top.FS(), dir, func(name string, e fs.DirEntry, err error) error {
		if entries++; entries > maxEntries {
			problems.Add(diag.Diagnostic{Code: "source.too-large", Pos: diag.Pos{File: dir},
				Message: fmt.Sprintf("the folder holds more than %d files and folders", maxEntries)})
			return fs.SkipAll
		}
		switch {
		case err != nil:
			unreadable(name, err)
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
		case e.IsDir() && name != dir && (e.Name() == "testdata" || e.Name() == "invariants" || strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case e.Type()&fs.ModeSymlink != 0:
			// A link that cannot be a schema is none of our business.
			if info, err := top.Stat(filepath.FromSlash(name)); isSchemaFile(name) || err != nil || info.IsDir() {
				problems.Add(symlink(name))
			}
		case !e.IsDir() && isSchemaFile(name):
			found = append(found, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	slices.Sort(found)
	return found, nil
}

func isSchemaFile(name string) bool {
	base := path.Base(name)
	ext := path.Ext(base)
	switch ext {
	case ".json", ".yaml", ".yml":
	default:
		return false
	}
	stem := strings.TrimSuffix(base, ext)
	return stem != "invariants" && !strings.HasPrefix(stem, "invariants.") && !strings.HasSuffix(stem, ".invariants") && !strings.Contains(stem, ".invariants.") &&
		!strings.Contains(base, ".valid.") && !strings.Contains(base, ".invalid.")
}
