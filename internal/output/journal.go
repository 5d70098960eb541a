package output

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	json "github.com/go-json-experiment/json"

	"github.com/contractkit/contractkit/internal/closure"
)

// Where Apply keeps its lock and journal. The folder ignores itself for git.
const (
	stateDir    = ".contracts"
	lockFile    = stateDir + "/lock"
	journalFile = stateDir + "/journal.json"
)

// phase says what the next run has to do when it finds a journal.
type phase string

const (
	staging  phase = "staging"  // undo: new files stand beside the old ones, which are untouched
	commit   phase = "commit"   // complete: everything new is on the disk
	rollback phase = "rollback" // undo: some old files stand beside the new ones
)

// journal is a change of the tree that is under way.
type journal struct {
	FormatVersion int      `json:"formatVersion"`
	Phase         phase    `json:"phase"`
	Writes        []change `json:"writes"`
	Removes       []change `json:"removes"`
	Folders       []string `json:"folders"` // to be made, outer ones first
}

// change is a file's digest before and after; "" is no file.
type change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

func (j *journal) save(d disk, p phase) error {
	j.FormatVersion, j.Phase = 1, p
	data, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("write the journal: %w", bare(err))
	}
	if err := replace(d, journalFile, append(data, '\n')); err != nil {
		return fmt.Errorf("write the journal: %w", bare(err))
	}
	return nil
}

// loadJournal returns nil when no run was cut off.
func loadJournal(d disk) (*journal, error) {
	data, err := d.read(journalFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", bare(err))
	}
	j := &journal{}
	if err := json.Unmarshal(data, j, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("the journal %s is malformed; look at the tree, then remove the file", journalFile)
	}
	for _, c := range slices.Concat(j.Writes, j.Removes) {
		if !closure.CleanPath(c.Path) {
			return nil, fmt.Errorf("the journal %s names the path %.200q, which leaves the project", journalFile, c.Path)
		}
	}
	for _, f := range j.Folders {
		if !closure.CleanPath(f) {
			return nil, fmt.Errorf("the journal %s names the folder %.200q, which leaves the project", journalFile, f)
		}
	}
	return j, nil
}

// recoverTree completes or undoes what an earlier run left half done.
func recoverTree(d disk) error {
	j, err := loadJournal(d)
	if err != nil || j == nil {
		return err
	}
	switch j.Phase {
	case staging:
		err = j.undo(d, false)
	case rollback:
		err = j.undo(d, true)
	case commit:
		err = j.complete(d)
	default:
		err = fmt.Errorf("the journal %s has the unknown phase %q", journalFile, j.Phase)
	}
	if err != nil {
		return fmt.Errorf("recover from an interrupted run: %w", err)
	}
	return nil
}

// complete brings the tree from any point of the commit to its new state.
func (j *journal) complete(d disk) error {
	if err := j.forward(d); err != nil {
		return err
	}
	return j.clean(d)
}

// forward gives every file its new content and name. Until it has returned, the
// old files are kept and all can be undone.
func (j *journal) forward(d disk) error {
	for _, w := range j.Writes {
		fresh := sibling(w.Path, ".new")
		there, err := d.exists(fresh)
		if err != nil {
			return err
		}
		if there {
			if err := d.rename(fresh, w.Path); err != nil {
				return fmt.Errorf("replace %s: %w", w.Path, bare(err))
			}
		} else if digest, err := digestOf(d, w.Path); err != nil {
			return err
		} else if digest != w.New {
			return fmt.Errorf("%s is neither old nor new", w.Path)
		}
	}
	for _, r := range j.Removes {
		if digest, err := digestOf(d, r.Path); err != nil {
			return err
		} else if digest == r.Old && digest != "" {
			if err := d.remove(r.Path); err != nil {
				return fmt.Errorf("remove %s: %w", r.Path, bare(err))
			}
		}
	}
	return j.syncFolders(d)
}

// clean removes what a completed change leaves over.
func (j *journal) clean(d disk) error {
	for _, c := range slices.Concat(j.Writes, j.Removes) {
		if err := removeIfThere(d, sibling(c.Path, ".old")); err != nil {
			return err
		}
	}
	for _, r := range j.Removes {
		for dir := path.Dir(r.Path); dir != "."; dir = path.Dir(dir) {
			// A folder that is not empty stays; so do the ones around it.
			if d.remove(dir) != nil {
				break
			}
		}
	}
	return j.done(d)
}

// undo brings the tree back to its old state. Unless replaced, the old files
// were not touched.
func (j *journal) undo(d disk, replaced bool) error {
	for _, c := range slices.Concat(j.Writes, j.Removes) {
		old := sibling(c.Path, ".old")
		there, err := d.exists(old)
		if err != nil {
			return err
		}
		if there && replaced {
			if err := d.rename(old, c.Path); err != nil {
				return err
			}
		}
		if replaced && c.Old == "" && c.New != "" {
			digest, err := digestOf(d, c.Path)
			if err != nil {
				return err
			}
			if digest == c.New {
				if err := d.remove(c.Path); err != nil {
					return err
				}
			}
		}
		// Renaming a second name of one file onto the first leaves both.
		for _, name := range []string{old, sibling(c.Path, ".new")} {
			if err := removeIfThere(d, name); err != nil {
				return err
			}
		}
	}
	if err := j.syncFolders(d); err != nil {
		return err
	}
	for _, f := range slices.Backward(j.Folders) {
		_ = d.remove(f) // not empty: someone else uses it
	}
	return j.done(d)
}

func (j *journal) done(d disk) error {
	if err := d.remove(journalFile); err != nil {
		return err
	}
	return d.sync(stateDir)
}

func (j *journal) syncFolders(d disk) error {
	var folders []string
	for _, c := range slices.Concat(j.Writes, j.Removes) {
		folders = append(folders, path.Dir(c.Path))
	}
	slices.Sort(folders)
	for _, f := range slices.Compact(folders) {
		if there, err := d.exists(f); err != nil || !there {
			continue
		}
		if err := d.sync(f); err != nil {
			return err
		}
	}
	return nil
}

// digestOf returns "" when there is no file.
func digestOf(d disk, name string) (string, error) {
	data, err := d.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return closure.Digest(data), nil
}
