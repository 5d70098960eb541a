package closure

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/contractkit/contractkit/internal/diag"
)

// Bounds on what Verify reads from a folder that anyone may have written.
const (
	maxSeal     = 64 << 20  // bytes of contract.json or checksums.json
	maxFile     = 256 << 20 // bytes of one listed file
	maxProblems = 1000
)

// Verify recomputes every digest of the folder dir, offline, in the order of the
// chain: checksums.json, the bytes of each listed file, contract.json, the
// canonical form of each artifact, contractDigest. The first diagnostic is the
// first broken link; all others follow. The result is empty when all hold.
//
// Nothing outside dir is read and no symbolic link is followed.
func Verify(dir string) diag.List {
	v := &verifier{}
	top, err := os.OpenRoot(dir)
	if err != nil {
		v.report("closure.missing", "", "name the folder that holds "+ContractFile, "the folder cannot be opened: %s", Reason(err))
		return v.list
	}
	defer top.Close()
	v.top = top
	checksums := v.checksums()
	v.contract(checksums)
	return v.list
}

type verifier struct {
	top     *os.Root
	list    diag.List
	dropped bool
	bad     map[string]bool // files with a broken link already
}

func (v *verifier) report(code, file, hint, format string, args ...any) {
	if len(v.list) >= maxProblems {
		if !v.dropped {
			v.dropped = true
			v.list.Add(diag.Diagnostic{Severity: diag.Note, Code: "closure.more", Message: fmt.Sprintf("only the first %d problems are shown", maxProblems)})
		}
		return
	}
	v.list.Add(diag.Diagnostic{Code: code, Pos: diag.Pos{File: file}, Message: fmt.Sprintf(format, args...), Hint: hint})
}

const regenerate = "run contracts generate, or restore the file"

// read returns a file's bytes, or reports why there are none.
func (v *verifier) read(name string, limit int64) ([]byte, bool) {
	data, err := ReadFile(v.top, name, limit)
	switch {
	case err == nil:
		return data, true
	case errors.Is(err, fs.ErrNotExist):
		v.report("closure.missing", name, regenerate, "the file is missing")
	case errors.Is(err, ErrSymlink):
		v.report("closure.symlink", name, "put the file itself here", "a symbolic link stands in the way, which is not followed")
	default:
		v.report("closure.unreadable", name, "", "the file cannot be read: %s", Reason(err))
	}
	return nil, false
}

func (v *verifier) checksums() *Checksums {
	v.bad = map[string]bool{}
	data, ok := v.read(ChecksumsFile, maxSeal)
	if !ok {
		return nil
	}
	c, err := ParseChecksums(data)
	if err != nil {
		v.report("closure.format", ChecksumsFile, regenerate, "the file is malformed: %v", err)
		return nil
	}
	if _, listed := c.Files[ContractFile]; !listed {
		v.report("closure.unlisted", ChecksumsFile, regenerate, "%s is not listed", ContractFile)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		data, ok := v.read(name, maxFile)
		if !ok {
			v.bad[name] = true
			continue
		}
		if got := Digest(data); got != c.Files[name] {
			v.bad[name] = true
			v.report("closure.digest", name, regenerate, "the bytes have the digest %s, but %s says %s", got, ChecksumsFile, c.Files[name])
		}
	}
	return c
}

func (v *verifier) contract(checksums *Checksums) {
	if v.bad[ContractFile] {
		// Its own broken link is reported; what it says may still help.
		if _, err := v.top.Lstat(ContractFile); err != nil {
			return
		}
	}
	data, ok := v.read(ContractFile, maxSeal)
	if !ok {
		return
	}
	r, err := parseRoot(data)
	if err != nil {
		v.report("closure.format", ContractFile, regenerate, "the file is malformed: %v", err)
		return
	}
	for _, c := range r.Contracts {
		for _, a := range c.Artifacts {
			v.artifact(a, checksums)
		}
	}
	if got := r.computed(); got != r.ContractDigest {
		v.report("closure.digest", ContractFile, regenerate, "the contracts have the digest %s, but contractDigest says %s", got, r.ContractDigest)
	}
}

func (v *verifier) artifact(a artifact, checksums *Checksums) {
	if checksums != nil {
		if _, listed := checksums.Files[a.Path]; !listed {
			v.report("closure.unlisted", a.Path, regenerate, "the artifact is not listed in %s", ChecksumsFile)
		}
	}
	if v.bad[a.Path] {
		return // missing or changed, as reported
	}
	data, ok := v.read(a.Path, maxFile)
	if !ok {
		return
	}
	canonical, digest, err := Canonical(data)
	switch {
	case err != nil:
		v.report("closure.format", a.Path, regenerate, "the artifact has no canonical form: %v", err)
	case digest != a.SHA256:
		v.report("closure.digest", a.Path, regenerate, "the canonical form has the digest %s, but %s says %s", digest, ContractFile, a.SHA256)
	case len(canonical) != a.Bytes:
		v.report("closure.digest", a.Path, regenerate, "the canonical form has %d bytes, but %s says %d", len(canonical), ContractFile, a.Bytes)
	}
}

// ErrSymlink says that a path leads over a symbolic link.
var ErrSymlink = errors.New("a symbolic link is not followed")

// ReadFile reads a regular file below top that has at most limit bytes. name is
// slash-separated. A symbolic link anywhere on the way is ErrSymlink; a device
// or pipe is refused unopened, since reading it may never end.
func ReadFile(top *os.Root, name string, limit int64) ([]byte, error) {
	for i := 0; i < len(name); i++ {
		if name[i] != '/' {
			continue
		}
		info, err := top.Lstat(filepath.FromSlash(name[:i]))
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, ErrSymlink
		}
	}
	info, err := top.Lstat(filepath.FromSlash(name))
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, ErrSymlink
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	f, err := top.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 0, info.Size()+512)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, fmt.Errorf("it has more than %d bytes", limit)
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = slices.Grow(data, len(data))
		}
	}
}

// Reason is the part of a file error that does not repeat a path, which would
// differ between machines.
func Reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err.Error()
	}
	return err.Error()
}
