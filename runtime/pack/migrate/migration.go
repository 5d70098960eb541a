package migrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack/internal/canon"
)

// Pack is the part of a manifest that decides about a migration.
type Pack struct {
	ID         string
	Version    string // strict SemVer; where the state shall end up
	Migrations []Migration
}

// Migration leads from any version in a range to one version.
type Migration struct {
	From        string // range, npm's grammar
	To          string // strict SemVer, at most the pack's version
	Description string
	Steps       []Step
}

// Kind says what a step does. The set is closed.
type Kind string

// The kinds of steps.
const (
	RenameStateNamespace Kind = "rename_state_namespace" // From, To
	RenameEventKind      Kind = "rename_event_kind"      // From, To
	RenameConfigKey      Kind = "rename_config_key"      // From, To: dotted paths inside the config
	DeprecateTool        Kind = "deprecate_tool"         // Name, Replacement
)

// Step is one change. Only the fields that its kind names may be set.
type Step struct {
	Kind        Kind
	From, To    string
	Name        string
	Replacement string // "" when there is none
}

// Bounds of a plan. A run looks at all migrations once a hop.
const (
	maxMigrations = 1_000
	maxSteps      = 100_000 // of all migrations together
	maxConfigPath = 64      // segments
)

// Check reports everything that keeps the pack's migrations from being run. The
// manifest's own validation finds the same faults with their positions; this is for
// callers who build a Pack themselves.
func (p Pack) Check() error {
	var faults []error
	failf := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if p.ID == "" {
		failf("the pack has no id")
	}
	if !isVersion(p.Version) {
		failf("the pack's version %q is not a semantic version", p.Version)
	}
	if len(p.Migrations) > maxMigrations {
		return fmt.Errorf("the pack has %d migrations; at most %d are run", len(p.Migrations), maxMigrations)
	}
	steps := 0
	for i, m := range p.Migrations {
		if !isRange(m.From) {
			failf("migration %d: from %q is not a version range", i, m.From)
		}
		if !isVersion(m.To) {
			failf("migration %d: to %q is not a semantic version", i, m.To)
		} else if isVersion(p.Version) && compare(m.To, p.Version) > 0 {
			failf("migration %d: to %q is beyond the pack's version %q", i, m.To, p.Version)
		}
		if len(m.Steps) == 0 {
			failf("migration %d has no steps", i)
		}
		if steps += len(m.Steps); steps > maxSteps {
			return fmt.Errorf("the pack has more than %d steps", maxSteps)
		}
		for j, s := range m.Steps {
			if err := s.check(); err != nil {
				failf("migration %d, step %d: %w", i, j, err)
			}
		}
	}
	return errors.Join(faults...)
}

func (s Step) check() error {
	switch s.Kind {
	case RenameStateNamespace, RenameEventKind, RenameConfigKey:
		if s.From == "" || s.To == "" {
			return fmt.Errorf("%s needs from and to", s.Kind)
		}
		if s.Name != "" || s.Replacement != "" {
			return fmt.Errorf("%s has neither name nor replacement", s.Kind)
		}
		if s.Kind == RenameConfigKey {
			return errors.Join(checkPath(s.From), checkPath(s.To))
		}
	case DeprecateTool:
		if s.Name == "" {
			return fmt.Errorf("%s needs a name", s.Kind)
		}
		if s.From != "" || s.To != "" {
			return fmt.Errorf("%s has neither from nor to", s.Kind)
		}
	default:
		return fmt.Errorf("no step has the kind %q; the kinds are %s, %s, %s and %s, and none runs code",
			s.Kind, RenameStateNamespace, RenameEventKind, RenameConfigKey, DeprecateTool)
	}
	return nil
}

func checkPath(dotted string) error {
	segments := strings.Split(dotted, ".")
	if len(segments) > maxConfigPath || slices.Contains(segments, "") {
		return fmt.Errorf("%.200q is no path of 1 to %d names with dots between them", dotted, maxConfigPath)
	}
	return nil
}

// arguments is the step without its kind, as receipts hold it.
func (s Step) arguments() map[string]any {
	if s.Kind == DeprecateTool {
		a := map[string]any{"name": s.Name}
		if s.Replacement != "" {
			a["replacement"] = s.Replacement
		}
		return a
	}
	return map[string]any{"from": s.From, "to": s.To}
}

func (m Migration) tree() map[string]any {
	steps := make([]any, len(m.Steps))
	for i, s := range m.Steps {
		step := s.arguments()
		step["kind"] = string(s.Kind)
		steps[i] = step
	}
	tree := map[string]any{"from": m.From, "to": m.To, "steps": steps}
	if m.Description != "" {
		tree["description"] = m.Description
	}
	return tree
}

// digest stands for all that decides about a run besides the state.
func (p Pack) digest() string {
	migrations := make([]any, len(p.Migrations))
	for i, m := range p.Migrations {
		migrations[i] = m.tree()
	}
	return canon.Digest(map[string]any{"id": p.ID, "version": p.Version, "migrations": migrations})
}
