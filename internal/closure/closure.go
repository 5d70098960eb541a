// Package closure seals generated files with digests.
//
// Files enter; a Set leaves that holds them and two more: contract.json, which
// closes over the canonical form of every artifact that carries a contract's
// meaning, and checksums.json, which closes over the bytes of all files,
// contract.json included. Nothing points back, so there is no cycle.
// docs/artifacts.md describes both formats. Verify recomputes them from disk.
package closure

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/contractkit/contractkit/internal/diag"
)

// The names of the seals, at the root of the project.
const (
	ContractFile  = "contract.json"
	ChecksumsFile = "checksums.json"
)

// formatVersion is that of both files; a reader refuses any other.
const formatVersion = 1

// File is one generated file.
type File struct {
	Path     string // slash-separated, relative to the project root
	Data     []byte
	Contract string   // the contract whose meaning the file carries; "" for files that are only derived from it
	Pos      diag.Pos // the target that made it, for diagnostics
	Pointer  string   // likewise, in the project file
}

// Set is a closed set of files, ordered by path and read-only.
type Set struct {
	Notes   diag.List // remarks of earlier stages; no errors
	Folders []string  // where targets write, below the project root

	files   []File
	index   map[string]int
	sources map[string]bool
	digest  string
}

// Files returns all files, the seals included. The slice must not be changed.
func (s *Set) Files() []File { return s.files }

// File returns the file at path.
func (s *Set) File(path string) (File, bool) {
	i, found := s.index[path]
	if !found {
		return File{}, false
	}
	return s.files[i], true
}

// IsSource reports whether path is a source, which no one may overwrite or remove.
func (s *Set) IsSource(path string) bool { return s.sources[path] }

// ContractDigest returns the digest that stands for all contracts together.
func (s *Set) ContractDigest() string { return s.digest }

// Close seals files. contracts are the names of all contracts, also of those
// without artifacts; sources are paths that no generated file may take.
//
// The error is a [diag.List] with every path that is taken twice, that leaves
// the project, or that is a source, and every artifact that has no canonical form.
func Close(files []File, contracts, sources []string) (*Set, error) {
	c := &closer{}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	c.paths(files, sources)
	root := c.root(files, contracts)
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	files = append(files, File{Path: ContractFile, Data: root.encode()})
	files = append(files, File{Path: ChecksumsFile, Data: checksumsOf(files).encode()})
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	set := &Set{files: files, index: make(map[string]int, len(files)), digest: root.ContractDigest, sources: make(map[string]bool, len(sources))}
	for _, p := range sources {
		set.sources[p] = true
	}
	for i, f := range files {
		set.index[f.Path] = i
	}
	return set, nil
}

type closer struct{ problems diag.List }

func (c *closer) add(f File, code, hint, format string, args ...any) {
	c.problems.Add(diag.Diagnostic{Code: code, Pos: f.Pos, Pointer: f.Pointer, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// paths reports what could not stand on a disk side by side, on any system.
func (c *closer) paths(files []File, sources []string) {
	taken := map[string]string{} // folded path → what stands there
	for _, s := range append([]string{ContractFile, ChecksumsFile}, sources...) {
		taken[strings.ToLower(s)] = ""
	}
	folders := map[string]string{}
	for _, f := range files {
		if !CleanPath(f.Path) {
			c.add(f, "closure.path-escape", "keep out below the folder of contracts.yaml",
				"the generated path %q does not stay inside the project", f.Path)
			continue
		}
		fold := strings.ToLower(f.Path)
		other, found := taken[fold]
		switch {
		case found && other == "":
			c.add(f, "closure.source-path", "choose another out folder", "%s would be written over a file that is not generated", f.Path)
		case found && other == f.Path:
			c.add(f, "closure.duplicate-path", "give the targets different out folders", "two targets write %s", f.Path)
		case found:
			c.add(f, "closure.duplicate-path", "rename one of the schemas", "%s and %s differ only in case", f.Path, other)
		default:
			taken[fold] = f.Path
		}
		for dir := path.Dir(fold); dir != "."; dir = path.Dir(dir) {
			if other, found := taken[dir]; found && other == "" && folders[dir] == "" {
				c.add(f, "closure.source-path", "choose another out folder", "the folder of %s would stand where a file is that is not generated", f.Path)
			}
			folders[dir] = f.Path
		}
	}
	for _, f := range files {
		if inside, found := folders[strings.ToLower(f.Path)]; found {
			c.add(f, "closure.duplicate-path", "give the targets different out folders", "%s is a file and a folder, for %s", f.Path, inside)
		}
	}
}

// CleanPath reports whether p names a file below the project on any system:
// relative, slash-separated, without dot segments, and not in a folder of git's.
func CleanPath(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return p != "" && p != "." && len(p) <= 4096 && utf8.ValidString(p) && path.Clean(p) == p && !path.IsAbs(p) &&
		!strings.HasPrefix(p, "../") && p != ".." && filepath.IsLocal(filepath.FromSlash(p)) &&
		!strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7F || r == '\\' || r == ':' })
}

func (c *closer) root(files []File, contracts []string) *root {
	byName := map[string]*sealed{}
	r := &root{FormatVersion: formatVersion, Contracts: []*sealed{}}
	contracts = slices.Clone(contracts)
	slices.Sort(contracts)
	for _, name := range slices.Compact(contracts) {
		byName[name] = &sealed{Name: name, Artifacts: []artifact{}}
		r.Contracts = append(r.Contracts, byName[name])
	}
	for _, f := range files {
		if f.Contract == "" {
			continue
		}
		owner := byName[f.Contract]
		if owner == nil {
			panic("closure: " + f.Path + " belongs to no contract that was named")
		}
		canonical, digest, err := Canonical(f.Data)
		if number, ok := errors.AsType[*NumberError](err); ok {
			c.problems.Add(diag.Diagnostic{Code: "closure.number", Pos: f.Pos, Pointer: number.Pointer,
				Message: f.Path + ": " + number.Error(), Hint: "write the number with at most 15 significant digits, or as a string"})
			continue
		} else if err != nil {
			c.add(f, "closure.canonical", "", "%s has no canonical form: %v", f.Path, err)
			continue
		}
		owner.Artifacts = append(owner.Artifacts, artifact{Bytes: len(canonical), Path: f.Path, SHA256: digest})
	}
	r.ContractDigest = r.computed()
	return r
}
