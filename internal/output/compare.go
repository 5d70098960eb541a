package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/contractkit/contractkit/internal/closure"
)

// maxRead bounds one file on the disk.
const maxRead = 256 << 20

// Compare reads the folder dir and returns how it differs from set. It writes
// nothing. The error is an ordinary one: the disk could not be read.
func Compare(set *closure.Set, dir string) (*Plan, error) {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the project folder: %w", bare(err))
	}
	defer top.Close()
	c := &comparer{set: set, top: top, plan: &Plan{set: set, dir: dir}, equal: map[string]bool{}}
	if _, err := top.Lstat(journalFile); err == nil {
		c.plan.Interrupted = true
	}
	c.readRecord()
	for _, f := range set.Files() {
		if err := c.file(f); err != nil {
			return nil, err
		}
	}
	if err := c.orphans(); err != nil {
		return nil, err
	}
	slices.SortFunc(c.plan.Entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	for i := range c.plan.Entries {
		c.seal(&c.plan.Entries[i])
	}
	return c.plan, nil
}

type comparer struct {
	set    *closure.Set
	top    *os.Root
	plan   *Plan
	record map[string]string // what the last run wrote; empty when unknown
	broken error             // why there is no record although there is a file
	equal  map[string]bool   // paths that are as they should be
	seals  [2][]byte         // contract.json and checksums.json on the disk
}

func (c *comparer) readRecord() {
	data, err := closure.ReadFile(c.top, closure.ChecksumsFile, maxRead)
	if err != nil {
		return // missing, or reported with the file itself
	}
	sums, err := closure.ParseChecksums(data)
	if err != nil {
		c.broken = err
		return
	}
	c.record = sums.Files
}

func (c *comparer) add(e Entry) { c.plan.Entries = append(c.plan.Entries, e) }

// read returns the file's bytes. ok is false when there is none, or when an
// entry says why it cannot be looked at.
func (c *comparer) read(path string) (data []byte, exists, ok bool, err error) {
	data, err = closure.ReadFile(c.top, path, maxRead)
	blocked := func(code, reason string) {
		c.add(Entry{Path: path, State: Blocked, code: code, Reason: reason})
	}
	switch {
	case err == nil:
		return data, true, true, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, true, nil
	case errors.Is(err, closure.ErrSymlink):
		blocked("output.symlink", "a symbolic link stands in the way of this file; it is not followed")
	case errors.Is(err, syscall.ENOTDIR):
		blocked("output.not-a-folder", "a file stands where this file's folder belongs")
	default:
		if info, e := c.top.Lstat(path); e == nil && !info.Mode().IsRegular() {
			blocked("output.not-a-file", "something that is not a regular file stands in the place of this file")
			break
		}
		return nil, false, false, fmt.Errorf("read %s: %w", path, bare(err))
	}
	return nil, false, false, nil
}

func (c *comparer) file(f closure.File) error {
	data, exists, ok, err := c.read(f.Path)
	if err != nil || !ok {
		return err
	}
	e := Entry{Path: f.Path, want: f.Data}
	switch f.Path {
	case closure.ContractFile:
		c.seals[0] = data
	case closure.ChecksumsFile:
		c.seals[1] = data
	}
	if !exists {
		e.State = Missing
		c.add(e)
		return nil
	}
	e.have = closure.Digest(data)
	recorded, known := c.record[f.Path]
	switch {
	case bytes.Equal(data, f.Data):
		e.State = Equal
		c.equal[f.Path] = true
	case recorded == e.have:
		e.State = Stale
	default:
		e.State = HandEdited
		if !known {
			e.Reason = "the file differs, and no record says that contracts generate wrote it"
		}
	}
	if e.State != Equal {
		e.Diff, e.Line = unified(f.Path, data, f.Data)
	}
	c.add(e)
	return nil
}

// orphans finds what the record lists and no source produces.
func (c *comparer) orphans() error {
	for _, path := range slices.Sorted(maps.Keys(c.record)) {
		if _, produced := c.set.File(path); produced || c.set.IsSource(path) {
			continue
		}
		data, exists, ok, err := c.read(path)
		if err != nil {
			return err
		}
		if ok && exists {
			have := closure.Digest(data)
			c.add(Entry{Path: path, State: Orphan, Edited: have != c.record[path], have: have})
		}
	}
	return nil
}

// seal decides what a difference in one of the two seals means: they are derived
// from the other files, so they are stale with them, or else somebody changed them.
func (c *comparer) seal(e *Entry) {
	if e.State != Stale && e.State != HandEdited {
		return
	}
	var lies []string
	var broken error
	switch e.Path {
	default:
		return
	case closure.ChecksumsFile:
		if broken = c.broken; broken == nil {
			want := c.wanted(e.want)
			for path := range c.equal {
				if w, listed := want[path]; listed && c.record[path] != w {
					lies = append(lies, path)
				}
			}
			for path := range c.record {
				if c.set.IsSource(path) {
					lies = append(lies, path)
				}
			}
		}
	case closure.ContractFile:
		var claims, want map[string]string
		if claims, broken = closure.Claims(c.seals[0]); broken == nil {
			want, _ = closure.Claims(e.want)
			for path, digest := range claims {
				if w, listed := want[path]; listed && w != digest && c.equal[path] {
					lies = append(lies, path)
				}
			}
			if len(lies) == 0 && e.State == HandEdited {
				broken = errors.New("it is not as it was written")
			}
		}
	}
	switch {
	case broken != nil:
		e.State, e.Reason = Tampered, fmt.Sprintf("the seal is broken: %v", broken)
	case len(lies) > 0:
		slices.Sort(lies)
		more := ""
		if n := len(lies) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		e.State, e.Reason = Tampered, fmt.Sprintf("the seal states another digest than %s%s has, which is as it should be", lies[0], more)
	default:
		e.State, e.Reason = Stale, ""
	}
}

func (c *comparer) wanted(checksums []byte) map[string]string {
	sums, err := closure.ParseChecksums(checksums)
	if err != nil {
		panic("output: the set's own checksums are malformed: " + err.Error())
	}
	return sums.Files
}
