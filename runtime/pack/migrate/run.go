package migrate

import (
	"context"
	"fmt"

	"github.com/contractkit/contractkit/runtime/pack/internal/canon"
)

// Plan works out where the migrations of p lead from s, and what happens on the
// way. It changes neither and writes nothing. next is s itself unless the outcome is
// applied. An error means that p or s is malformed or that they do not belong
// together; a refusal is no error but a receipt.
func Plan(p Pack, s *State) (next *State, r *Receipt, err error) {
	if err := p.Check(); err != nil {
		return nil, nil, fmt.Errorf("the migrations cannot be run: %w", err)
	}
	if s.PackID != p.ID {
		return nil, nil, fmt.Errorf("the state is of the pack %q, not of %q", s.PackID, p.ID)
	}
	if !isVersion(s.Version) {
		return nil, nil, fmt.Errorf("the state's version %q is not a semantic version", s.Version)
	}
	work, err := s.clone()
	if err != nil {
		return nil, nil, err
	}
	before := work.Digest()
	r = &Receipt{Format: Format, PackID: p.ID, FromVersion: s.Version, ToVersion: s.Version, Outcome: RunNothingToDo,
		Hops: []Hop{}, StateBefore: before, StateAfter: before, ManifestDigest: p.digest()}
	switch order := compare(s.Version, p.Version); {
	case order == 0:
		return s, r, nil
	case order > 0:
		r.Outcome, r.Code = RunRefused, CodeDowngrade
		return s, r, nil
	}
	for {
		m, found := nextMigration(p, work.Version)
		if !found {
			break
		}
		hop, ok := m.apply(work)
		r.Hops = append(r.Hops, hop)
		if !ok {
			r.Outcome, r.Code = RunRefused, CodeConflict
			return s, r, nil
		}
		work.Version = m.To // rises with every hop, so there is an end
	}
	work.Version = p.Version
	r.Outcome, r.ToVersion, r.StateAfter = RunApplied, p.Version, work.Digest()
	return work, r, nil
}

// nextMigration picks the candidate that leads least far; the first one in the
// manifest when there are several.
func nextMigration(p Pack, version string) (best Migration, found bool) {
	for _, m := range p.Migrations {
		if compare(version, m.To) < 0 && (!found || compare(m.To, best.To) < 0) && satisfies(version, m.From) {
			best, found = m, true
		}
	}
	return best, found
}

func (m Migration) apply(s *State) (Hop, bool) {
	hop := Hop{From: m.From, To: m.To, MigrationDigest: canon.Digest(m.tree()), Steps: []StepResult{}}
	for _, st := range m.Steps {
		result := StepResult{Kind: st.Kind, Arguments: map[string]string{}, Outcome: st.apply(s, m.To)}
		for name, v := range st.arguments() {
			result.Arguments[name] = v.(string)
		}
		hop.Steps = append(hop.Steps, result)
		if result.Outcome == Conflict {
			return hop, false
		}
	}
	return hop, true
}

// Options of a run.
type Options struct {
	DryRun bool // plan and tell, write nothing
}

// Run migrates the state that the store holds of p. A refusal is a receipt with the
// outcome refused; the state is as it was then. Errors, for errors.Is:
// [ErrNoState], [ErrChanged] when another run was faster.
func Run(ctx context.Context, store Store, p Pack, opt Options) (*Receipt, error) {
	if !opt.DryRun {
		if err := store.Recover(ctx, p.ID); err != nil {
			return nil, err
		}
	}
	s, err := store.Load(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	next, r, err := Plan(p, s)
	if err != nil {
		return nil, err
	}
	if opt.DryRun {
		r.DryRun = true
		return r, nil
	}
	switch r.Outcome {
	case RunApplied:
		err = store.Commit(ctx, next, r)
	case RunRefused:
		err = store.Record(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}
