package migrate

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/contractkit/contractkit/runtime/pack/internal/canon"
)

// Format names the form of a receipt.
const Format = "pack-migration/1"

// The outcomes of a run.
const (
	RunApplied     = "applied"
	RunNothingToDo = "nothing_to_do"
	RunRefused     = "refused"
)

// The codes of a refused run.
const (
	CodeDowngrade = "MIGRATION_DOWNGRADE" // the installed version is above the manifest's
	CodeConflict  = "MIGRATION_CONFLICT"  // a step found old and new side by side
)

// Receipt tells what a run did, or would do.
type Receipt struct {
	Format         string `json:"receipt" jsonschema:"enum=pack-migration/1"`
	PackID         string `json:"pack_id"`
	FromVersion    string `json:"from_version"`
	ToVersion      string `json:"to_version" jsonschema_description:"The old version when the run was refused."`
	DryRun         bool   `json:"dry_run"`
	Outcome        string `json:"outcome" jsonschema:"enum=applied,enum=nothing_to_do,enum=refused"`
	Code           string `json:"code,omitempty" jsonschema_description:"Why the run was refused."`
	Hops           []Hop  `json:"hops"`
	StateBefore    string `json:"state_before" jsonschema_description:"Digest of the canonical JSON of the state."`
	StateAfter     string `json:"state_after" jsonschema_description:"Equal to state_before unless applied."`
	ManifestDigest string `json:"manifest_digest" jsonschema_description:"Digest of the pack's id, version and migrations."`
}

// Hop is one migration of a run.
type Hop struct {
	From            string       `json:"from" jsonschema_description:"Range."`
	To              string       `json:"to" jsonschema_description:"Version."`
	MigrationDigest string       `json:"migration_digest"`
	Steps           []StepResult `json:"steps"`
}

// StepResult is one step of a hop.
type StepResult struct {
	Kind      Kind              `json:"kind"`
	Arguments map[string]string `json:"arguments"`
	Outcome   Outcome           `json:"outcome" jsonschema:"enum=applied,enum=already,enum=absent,enum=conflict"`
}

// Conflict returns the step that stopped a refused run.
func (r *Receipt) Conflict() (hop Hop, step int, found bool) {
	for _, h := range r.Hops {
		for i, s := range h.Steps {
			if s.Outcome == Conflict {
				return h, i, true
			}
		}
	}
	return Hop{}, 0, false
}

// same reports whether two receipts are of one run repeated.
func (r *Receipt) same(o *Receipt) bool {
	return r.PackID == o.PackID && r.StateBefore == o.StateBefore && r.ManifestDigest == o.ManifestDigest && r.Outcome == o.Outcome
}

func parseReceipt(line []byte) (*Receipt, error) {
	if _, err := canon.Parse(line); err != nil {
		return nil, err
	}
	var r Receipt
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	if r.Format != Format {
		return nil, fmt.Errorf("it is no receipt of the form %s", Format)
	}
	if r.PackID == "" {
		return nil, errors.New("it names no pack")
	}
	return &r, nil
}
