package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"
	"golang.org/x/sync/errgroup"

	"github.com/contractkit/contractkit/internal/closure"
)

// Options say how far Apply may go.
type Options struct {
	Force bool // overwrite and remove files that were changed by hand
}

// Apply makes the disk equal the plan's set. It waits for other runs in the same
// folder, completes or undoes what an interrupted one left, compares once more,
// and then changes all files or none; equal files are not touched.
//
// The error is a [diag.List] when files changed by hand, or something in the
// way, forbid it; an ordinary error when the disk failed. Nothing is half
// written then: what was begun is undone, and if even that fails the journal
// makes the next run do it.
//
// The returned plan is the one that was carried out.
func Apply(ctx context.Context, p *Plan, opt Options) (*Plan, error) {
	if p.Clean() {
		return p, nil
	}
	if !p.Interrupted { // files that are half written look like edited ones
		if err := p.refusal(opt); err != nil {
			return p, err
		}
	}
	top, err := os.OpenRoot(p.dir)
	if err != nil {
		return p, fmt.Errorf("open the project folder: %w", bare(err))
	}
	defer top.Close()
	unlock, err := lock(ctx, top, p.dir)
	if err != nil {
		return p, err
	}
	defer unlock()
	return apply(ctx, rootDisk{top}, p, opt, stagers)
}

// stagers is how many files are written at once: each waits for the platter.
const stagers = 16

// apply is Apply with the lock held.
func apply(ctx context.Context, d disk, p *Plan, opt Options, stagers int) (*Plan, error) {
	if err := recoverTree(d); err != nil {
		return p, err
	}
	now, err := Compare(p.set, p.dir)
	if err != nil {
		return p, err
	}
	if err := now.refusal(opt); err != nil {
		return now, err
	}
	j, fresh, err := now.changes(d)
	if err != nil || len(j.Writes)+len(j.Removes) == 0 {
		return now, err
	}
	return now, j.run(ctx, d, fresh, stagers)
}

// refusal returns what forbids carrying the plan out.
func (p *Plan) refusal(opt Options) error {
	refused := Plan{}
	for _, e := range p.Entries {
		edited := e.State == HandEdited || e.State == Orphan && e.Edited
		if e.State == Blocked || edited && !opt.Force {
			refused.Entries = append(refused.Entries, e)
		}
	}
	return refused.Diagnostics().Err()
}

// changes turns the plan into a journal and the contents of the files to write.
func (p *Plan) changes(d disk) (*journal, map[string][]byte, error) {
	j, fresh, folders := &journal{}, map[string][]byte{}, map[string]bool{}
	for _, e := range p.Entries {
		switch e.State {
		case Equal, Foreign:
		case Orphan:
			j.Removes = append(j.Removes, change{Path: e.Path, Old: e.have})
		default:
			j.Writes = append(j.Writes, change{Path: e.Path, Old: e.have, New: closure.Digest(e.want)})
			fresh[e.Path] = e.want
			for dir := path.Dir(e.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
				there, err := d.exists(dir)
				if err != nil {
					return nil, nil, fmt.Errorf("look at %s: %w", dir, bare(err))
				}
				if there {
					break
				}
				folders[dir] = true
				j.Folders = append(j.Folders, dir)
			}
		}
	}
	slices.Sort(j.Folders) // outer folders come first
	return j, fresh, nil
}

// run carries a journal out.
func (j *journal) run(ctx context.Context, d disk, fresh map[string][]byte, stagers int) error {
	if err := j.save(d, staging); err != nil {
		return err
	}
	if err := j.stage(ctx, d, fresh, stagers); err != nil {
		return errors.Join(err, j.undo(d, false))
	}
	if err := j.save(d, commit); err != nil {
		return errors.Join(err, j.abandon(d))
	}
	if err := j.forward(d); err != nil {
		return errors.Join(fmt.Errorf("write the files: %w", err), j.abandon(d))
	}
	if err := j.clean(d); err != nil {
		return fmt.Errorf("all files are written, but what they replaced could not be cleared away: %w", err)
	}
	return nil
}

// abandon undoes a commit that failed. The phase is written first: a kill while
// undoing must not make the next run complete it.
func (j *journal) abandon(d disk) error {
	if err := j.save(d, rollback); err != nil {
		return fmt.Errorf("%w; run contracts generate again once the disk is well", err)
	}
	return j.undo(d, true)
}

// stage puts new files and second names of the old ones beside them.
func (j *journal) stage(ctx context.Context, d disk, fresh map[string][]byte, stagers int) error {
	for _, f := range j.Folders {
		if err := d.mkdir(f); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make the folder %s: %w", f, bare(err))
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(stagers)
	for _, c := range slices.Concat(j.Writes, j.Removes) {
		one := func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return stageOne(d, c, fresh[c.Path])
		}
		if stagers > 1 {
			group.Go(one)
		} else if err := one(); err != nil {
			return err
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return j.syncFolders(d)
}

// stageOne writes the new file beside the old one, which it gives a second name.
func stageOne(d disk, c change, fresh []byte) error {
	for _, name := range []string{sibling(c.Path, ".new"), sibling(c.Path, ".old")} {
		if err := removeIfThere(d, name); err != nil {
			return fmt.Errorf("write %s: %w", c.Path, bare(err))
		}
	}
	if c.New != "" {
		if err := d.create(sibling(c.Path, ".new"), fresh); err != nil {
			return fmt.Errorf("write %s: %w", c.Path, bare(err))
		}
	}
	if c.Old != "" {
		if err := keep(d, c); err != nil {
			return fmt.Errorf("keep a copy of %s: %w", c.Path, bare(err))
		}
	}
	return nil
}

// keep gives the old file a second name, or copies it where names cannot be shared.
func keep(d disk, c change) error {
	old := sibling(c.Path, ".old")
	if d.link(c.Path, old) == nil {
		return nil
	}
	data, err := d.read(c.Path)
	if err != nil {
		return err
	}
	if closure.Digest(data) != c.Old {
		return errors.New("it changed meanwhile")
	}
	return d.create(old, data)
}

// lock takes the project's lock. It waits while another run holds it.
func lock(ctx context.Context, top *os.Root, dir string) (unlock func(), err error) {
	info, err := top.Lstat(stateDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := top.Mkdir(stateDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("make the folder %s: %w", stateDir, bare(err))
		}
	case err != nil:
		return nil, fmt.Errorf("look at %s: %w", stateDir, bare(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder; remove it", stateDir)
	}
	ignore := stateDir + "/.gitignore"
	if _, err := top.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := top.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return nil, fmt.Errorf("write %s: %w", ignore, bare(err))
		}
	}
	if info, err := top.Lstat(lockFile); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file; remove it", lockFile)
	}
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(filepath.Join(dir, filepath.FromSlash(lockFile))).Lock()
		got <- result{unlock, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			return nil, fmt.Errorf("lock the project: %w", r.err)
		}
		return r.unlock, nil
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, fmt.Errorf("another contracts generate is at work in this project: %w", ctx.Err())
	}
}

// WriteFile writes one source file of a project as a whole: what was there stays
// until the new text is complete.
func WriteFile(dir, name string, data []byte) error {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer top.Close()
	d := rootDisk{top}
	temporary := name + ".new"
	if err := removeIfThere(d, temporary); err != nil {
		return err
	}
	if err := d.create(temporary, data); err != nil {
		return err
	}
	return d.rename(temporary, name)
}
