package migrate

import (
	"context"
	"errors"
)

// ErrNoState means that the store holds no state of the pack: it is not installed.
var ErrNoState = errors.New("the pack has no installed state")

// ErrChanged means that the state is no longer the one that the plan was made for.
var ErrChanged = errors.New("the state has changed since the plan was made; run again")

// Store keeps the installed state of packs and the receipts of their migrations.
// [FileStore] is one; a host with a database writes its own.
type Store interface {
	// Recover finishes or undoes what a killed Commit has left behind.
	Recover(ctx context.Context, packID string) error

	// Load returns the state, or an error that wraps ErrNoState.
	Load(ctx context.Context, packID string) (*State, error)

	// Commit replaces the state whose digest is r.StateBefore by next and adds r to
	// the receipts, both or neither. Any other state is an error that wraps
	// ErrChanged. After a kill, the state alone says which of both it was; Recover
	// brings the receipts in line.
	Commit(ctx context.Context, next *State, r *Receipt) error

	// Record adds the receipt of a run that was refused, unless the same run has
	// one.
	Record(ctx context.Context, r *Receipt) error

	// Receipts returns the receipts of a pack, oldest first.
	Receipts(ctx context.Context, packID string) ([]*Receipt, error)
}
