package config

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ImportPath returns the module path of the nearest go.mod at or above dir, with
// the way from its folder to dir appended: the import path of dir. It is empty
// when there is none.
func ImportPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find go.mod: %w", err)
	}
	for at := abs; ; at = filepath.Dir(at) {
		file, err := os.Open(filepath.Join(at, "go.mod"))
		if errors.Is(err, fs.ErrNotExist) {
			if at == filepath.Dir(at) {
				return "", nil
			}
			continue
		}
		if err != nil {
			return "", fmt.Errorf("find go.mod: %w", err)
		}
		defer file.Close()
		module := moduleLine(io.LimitReader(file, maxBytes))
		below, err := filepath.Rel(at, abs)
		if err != nil || below == "." || module == "" {
			return module, nil
		}
		return module + "/" + filepath.ToSlash(below), nil
	}
}

// moduleLine reads the module path out of a go.mod.
func moduleLine(r io.Reader) string {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "//")
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module")
		if !ok || rest == "" || !strings.ContainsAny(rest[:1], " \t\"`") {
			continue
		}
		name := strings.TrimSpace(rest)
		if plain, err := strconv.Unquote(name); err == nil {
			return plain
		}
		return name
	}
	return ""
}
