// Package output compares a closed set of files with the disk, and makes the
// disk equal to it.
//
// A closure.Set and a folder enter; Compare gives a Plan that knows every
// missing, stale, edited and orphaned file. Apply carries a plan out: all or
// nothing, under a lock, through a journal that survives a kill. Only files
// below the folder are touched, and only those that checksums.json lists are
// removed.
package output

import (
	"fmt"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/diag"
)

// State says how a file on the disk relates to what its sources produce.
type State string

// The states of a file.
const (
	Equal      State = "equal"
	Missing    State = "missing"
	Stale      State = "stale"       // as written by an earlier run, but sources produce something else now
	HandEdited State = "hand-edited" // neither what was recorded nor what sources produce
	Orphan     State = "orphan"      // recorded, but no source produces it
	Tampered   State = "tampered"    // a seal contradicts files that are as they should be
	Blocked    State = "blocked"     // something stands in the way that is never touched
)

// Entry is the verdict on one file.
type Entry struct {
	Path   string
	State  State
	Reason string // what exactly, where the state does not say it all
	Line   int    // of the first difference, from 1; 0 when there is none to show
	Diff   string // unified, from the disk to what sources produce; may be cut
	Edited bool   // of an Orphan: it was changed since it was recorded

	code string // of a Blocked entry
	want []byte
	have string // digest on the disk; "" when there is no file
}

// Plan is the read-only result of Compare, ordered by path.
type Plan struct {
	Entries     []Entry
	Interrupted bool // a run was cut off, or is at work right now

	set *closure.Set
	dir string
}

// Clean reports whether the disk equals the set.
func (p *Plan) Clean() bool {
	for i := range p.Entries {
		if p.Entries[i].State != Equal {
			return false
		}
	}
	return !p.Interrupted
}

// Count returns how many entries have the state.
func (p *Plan) Count(state State) int {
	n := 0
	for i := range p.Entries {
		if p.Entries[i].State == state {
			n++
		}
	}
	return n
}

const (
	runGenerate = "run contracts generate"
	runForce    = "put the change into the schema; contracts generate --force overwrites the file"
)

// Diagnostics returns one diagnostic for each file that is not equal.
func (p *Plan) Diagnostics() diag.List {
	var list diag.List
	if p.Interrupted {
		list.Add(diag.Diagnostic{Code: "output.interrupted", Message: "an earlier contracts generate was cut off in the middle, or is still at work",
			Hint: "run contracts generate: it first completes or undoes what is half done"})
	}
	for i := range p.Entries {
		if e := &p.Entries[i]; e.State != Equal {
			list.Add(e.diagnostic())
		}
	}
	return list
}

func (e *Entry) diagnostic() diag.Diagnostic {
	d := diag.Diagnostic{Code: "output." + string(e.State), Pos: diag.Pos{File: e.Path}, Detail: e.Diff, Hint: runGenerate}
	if e.Line > 0 {
		d.Pos.Line, d.Pos.Col = e.Line, 1
	}
	switch e.State {
	case Missing:
		d.Message = "the file is missing"
	case Stale:
		d.Message = "the file is not what its sources produce now"
	case HandEdited:
		d.Message, d.Hint = "the file was changed by hand", runForce
	case Orphan:
		d.Message = "no source produces this file"
		if e.Edited {
			d.Code, d.Message = "output.hand-edited", "no source produces this file, and it was changed by hand"
			d.Hint = "remove it, or run contracts generate --force"
		}
	case Tampered:
		d.Message = "the seal contradicts files that are as they should be"
	case Blocked:
		d.Code, d.Hint = e.code, "remove it, or choose another out folder"
	}
	if e.Reason != "" {
		d.Message = e.Reason
	}
	return d
}

func (p *Plan) String() string {
	return fmt.Sprintf("%d missing, %d stale, %d hand-edited, %d orphaned, %d tampered, %d blocked",
		p.Count(Missing), p.Count(Stale), p.Count(HandEdited), p.Count(Orphan), p.Count(Tampered), p.Count(Blocked))
}
