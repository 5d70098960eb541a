// Package authority mints execution authorities and knows which of them live.
//
// It is internal so that no program can mint: what an authority may do is in a
// record that only this package makes, and whether it still may is in the table of
// the kernel that minted it, not in the value that handlers hold.
package authority

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/contractkit/contractkit/runtime/pack/glob"
)

// Grant is what one call may do. It is not changed after minting.
type Grant struct {
	Epoch                       uint64 // of the registration that the pack came with
	Pack, Version, Integrity    string
	Tool                        string
	Receipt, Run, Task, Session string
	Read, Write                 []glob.Pattern
	Posture                     string   // off, allowlist or full
	Allowlist                   []string // for the posture allowlist
}

// Authority is a call's permission to act, for as long as the call lasts.
//
// It is a reference: copies live and die together. The zero Authority, one that
// outlived its call, and one of another kernel are good for nothing: every check
// fails and every accessor returns its zero value. It cannot be made outside the
// kernel, not even by decoding JSON into one, and has nothing to set.
type Authority struct{ rec *record }

type record struct {
	grant Grant
	table *Table
	shard uint64
}

// Table holds the live authorities of one kernel. It is safe for concurrent use.
type Table struct {
	minted atomic.Uint64
	shards [16]struct {
		mu   sync.RWMutex
		live map[*record]struct{}
	}
}

// Mint returns a live authority. Records are never used again, so a dead
// authority cannot come back to life.
func (t *Table) Mint(g Grant) Authority {
	rec := &record{grant: g, table: t, shard: t.minted.Add(1) % uint64(len(t.shards))}
	s := &t.shards[rec.shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		s.live = map[*record]struct{}{}
	}
	s.live[rec] = struct{}{}
	return Authority{rec}
}

// End kills an authority; its checks fail from now on.
func (t *Table) End(a Authority) {
	if a.rec == nil {
		return
	}
	s := &t.shards[a.rec.shard%uint64(len(t.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, a.rec)
}

// Grant returns what a may do if t minted it and its call lasts. It does not
// allocate; the grant must not be changed.
func (t *Table) Grant(a Authority) (*Grant, bool) {
	if a.rec == nil {
		return nil, false
	}
	s := &t.shards[a.rec.shard%uint64(len(t.shards))]
	s.mu.RLock()
	_, live := s.live[a.rec]
	s.mu.RUnlock()
	if !live {
		return nil, false
	}
	return &a.rec.grant, true
}

// Live counts the authorities whose calls last.
func (t *Table) Live() (n int) {
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.RLock()
		n += len(s.live)
		s.mu.RUnlock()
	}
	return n
}

var dead Grant

func (a Authority) grant() *Grant {
	if a.rec == nil || a.rec.table == nil {
		return &dead
	}
	if g, ok := a.rec.table.Grant(a); ok {
		return g
	}
	return &dead
}

// Valid reports whether the call that the authority was minted for still lasts.
func (a Authority) Valid() bool { return a.grant() != &dead }

// PackID returns the id of the registered pack that owns the tool.
func (a Authority) PackID() string { return a.grant().Pack }

// PackVersion returns the version of that pack.
func (a Authority) PackVersion() string { return a.grant().Version }

// PackIntegrity returns the integrity hash that the host registered it with.
func (a Authority) PackIntegrity() string { return a.grant().Integrity }

// Tool returns the name of the tool that is being called.
func (a Authority) Tool() string { return a.grant().Tool }

// ReceiptID returns the id of the call's receipt.
func (a Authority) ReceiptID() string { return a.grant().Receipt }

// RunID returns the id of the run that the call belongs to, "" for none.
func (a Authority) RunID() string { return a.grant().Run }

// TaskID returns the id of the task that the call belongs to, "" for none.
func (a Authority) TaskID() string { return a.grant().Task }

// SessionID returns the id of the session that the call belongs to, "" for none.
func (a Authority) SessionID() string { return a.grant().Session }

// Patterns returns the allowed path patterns for "read" or "write", as a copy.
func (a Authority) Patterns(access string) []string {
	var texts []string
	for _, p := range a.grant().patterns(access) {
		texts = append(texts, p.String())
	}
	return texts
}

// Network returns the posture of the network ("off", "allowlist" or "full") and
// the allowed entries, as a copy.
func (a Authority) Network() (posture string, entries []string) {
	g := a.grant()
	if g.Posture == "" {
		return "off", nil
	}
	return g.Posture, slices.Clone(g.Allowlist)
}

func (g *Grant) patterns(access string) []glob.Pattern {
	switch access {
	case "read":
		return g.Read
	case "write":
		return g.Write
	}
	return nil
}

// AllowsPath reports whether the call may access, "read" or "write", a path: clean
// and relative to the workspace, symbolic links already resolved. Neither access
// implies the other. Everything else is refused, and so is every path once the
// call has ended.
func (a Authority) AllowsPath(access, path string) bool {
	return slices.ContainsFunc(a.grant().patterns(access), func(p glob.Pattern) bool { return p.Match(path) })
}

// String names the call without saying what it may do.
func (a Authority) String() string {
	if !a.Valid() {
		return "authority(invalid)"
	}
	return fmt.Sprintf("authority(%q of %q)", a.Tool(), a.PackID())
}

// GoString is String, so that no verb of fmt walks into the record.
func (a Authority) GoString() string { return a.String() }
