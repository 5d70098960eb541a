package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
)

// MaxReceipts is how large a file of receipts may be, in bytes.
const MaxReceipts = 64 << 20

// FileStore keeps, for each pack, in one folder:
//
//	<pack-id>.state.json      the state document
//	<pack-id>.receipts.jsonl  one receipt a line
//	<pack-id>.pending.json    the receipt of a commit under way
//	<pack-id>.lock            held while one of the above is written
//
// Nothing outside the folder is touched: a symlink that leads out of it is an error,
// and so is one in the place of a file. The folder must be writable by the host only.
type FileStore struct{ root *os.Root }

// OpenFileStore opens a folder that exists. Close gives it back.
func OpenFileStore(dir string) (*FileStore, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of states: %w", err)
	}
	return &FileStore{root}, nil
}

// Close gives the folder back.
func (f *FileStore) Close() error { return f.root.Close() }

var idPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)

// checkpoint is where tests kill the process.
var checkpoint = func(string) {}

// files names the files of one pack.
type files struct{ state, receipts, pending, lock string }

func filesOf(packID string) (files, error) {
	if len(packID) > 200 || !idPattern.MatchString(packID) {
		return files{}, fmt.Errorf("%.200q cannot be a pack's id", packID)
	}
	return files{packID + ".state.json", packID + ".receipts.jsonl", packID + ".pending.json", packID + ".lock"}, nil
}

// Load implements [Store].
func (f *FileStore) Load(ctx context.Context, packID string) (*State, error) {
	names, err := filesOf(packID)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.load(names)
}

func (f *FileStore) load(names files) (*State, error) {
	data, err := f.read(names.state, MaxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", names.state, ErrNoState)
	} else if err != nil {
		return nil, err
	}
	s, err := ParseState(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", names.state, err)
	}
	return s, nil
}

// Install writes the first state of a pack; one that exists is an error.
func (f *FileStore) Install(ctx context.Context, s *State) error {
	if _, err := s.clone(); err != nil {
		return err
	}
	return f.locked(ctx, s.PackID, func(names files) error {
		if _, err := f.root.Lstat(names.state); err == nil {
			return fmt.Errorf("%s exists", names.state)
		}
		return f.replace(names.state, s.JSON())
	})
}

// Recover implements [Store].
func (f *FileStore) Recover(ctx context.Context, packID string) error {
	return f.locked(ctx, packID, func(names files) error { return f.recover(names) })
}

// recover looks at the state to learn how far a commit came. The state was replaced:
// its receipt follows. It was not: the commit never happened.
func (f *FileStore) recover(names files) error {
	data, err := f.read(names.pending, MaxReceipts)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	r, err := parseReceipt(bytes.TrimSpace(data))
	if err != nil {
		return fmt.Errorf("%s: %w", names.pending, err)
	}
	s, err := f.load(names)
	if err != nil && !errors.Is(err, ErrNoState) {
		return err
	}
	if err == nil && s.Digest() == r.StateAfter {
		if err := f.record(names, r); err != nil {
			return err
		}
	}
	return f.remove(names.pending)
}

// Commit implements [Store].
func (f *FileStore) Commit(ctx context.Context, next *State, r *Receipt) error {
	return f.locked(ctx, r.PackID, func(names files) error {
		if err := f.recover(names); err != nil {
			return err
		}
		s, err := f.load(names)
		if err != nil {
			return err
		}
		if s.Digest() != r.StateBefore {
			return ErrChanged
		}
		if next.PackID != r.PackID || next.Digest() != r.StateAfter {
			return errors.New("the receipt is not of that state")
		}
		line, err := r.line()
		if err != nil {
			return err
		}
		checkpoint("begin")
		if err := f.replace(names.pending, line); err != nil {
			return err
		}
		checkpoint("pending")
		if err := f.replace(names.state, next.JSON()); err != nil {
			return err
		}
		checkpoint("state")
		if err := f.record(names, r); err != nil {
			return err
		}
		checkpoint("receipt")
		return f.remove(names.pending)
	})
}

// Record implements [Store].
func (f *FileStore) Record(ctx context.Context, r *Receipt) error {
	return f.locked(ctx, r.PackID, func(names files) error {
		if err := f.recover(names); err != nil {
			return err
		}
		return f.record(names, r)
	})
}

// Receipts implements [Store].
func (f *FileStore) Receipts(ctx context.Context, packID string) ([]*Receipt, error) {
	names, err := filesOf(packID)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	receipts, _, err := f.receipts(names)
	return receipts, err
}

// receipts also returns how many bytes the whole lines take. What a kill has cut
// short behind them does not count; the pending file has it in full.
func (f *FileStore) receipts(names files) ([]*Receipt, int64, error) {
	data, err := f.read(names.receipts, MaxReceipts)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	var out []*Receipt
	for line := range bytes.Lines(whole) {
		r, err := parseReceipt(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return nil, 0, fmt.Errorf("%s: line %d: %w", names.receipts, len(out)+1, err)
		}
		out = append(out, r)
	}
	return out, int64(len(whole)), nil
}

func (f *FileStore) record(names files, r *Receipt) error {
	receipts, end, err := f.receipts(names)
	if err != nil {
		return err
	}
	for _, o := range receipts {
		if o.same(r) {
			return nil
		}
	}
	line, err := r.line()
	if err != nil {
		return err
	}
	if end+int64(len(line)) > MaxReceipts {
		return fmt.Errorf("%s is full; move it away", names.receipts)
	}
	file, err := f.root.OpenFile(names.receipts, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	err = file.Truncate(end)
	if err == nil {
		_, err = file.WriteAt(line[:len(line)/2], end)
		checkpoint("half a receipt")
	}
	if err == nil {
		_, err = file.WriteAt(line, end)
	}
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

func (r *Receipt) line() ([]byte, error) {
	data, err := json.Marshal(r)
	return append(data, '\n'), err
}

// locked runs do while no other process writes files of the pack.
func (f *FileStore) locked(ctx context.Context, packID string, do func(files) error) error {
	names, err := filesOf(packID)
	if err != nil {
		return err
	}
	unlock, err := lock(ctx, f.root, names.lock)
	if err != nil {
		return fmt.Errorf("lock %s: %w", names.lock, err)
	}
	defer unlock()
	return do(names)
}

func (f *FileStore) read(name string, most int64) ([]byte, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return data, nil
}

// replace writes a file beside the old one and puts it in its place.
func (f *FileStore) replace(name string, data []byte) error {
	temp := name + ".tmp"
	if err := f.root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		checkpoint("temporary " + name)
		err = f.root.Rename(temp, name)
	}
	if err != nil {
		_ = f.root.Remove(temp)
		return err
	}
	return f.sync()
}

func (f *FileStore) remove(name string) error {
	if err := f.root.Remove(name); err != nil {
		return err
	}
	return f.sync()
}

// sync makes renames and removals last. Not every file system can.
func (f *FileStore) sync() error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	_ = dir.Sync()
	return dir.Close()
}
