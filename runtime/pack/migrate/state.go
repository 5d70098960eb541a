package migrate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/contractkit/contractkit/runtime/pack/internal/canon"
)

// MaxState is how large a state document may be, in bytes.
const MaxState = 16 << 20

// State is what a host has installed of a pack.
type State struct {
	PackID          string
	Version         string   // strict SemVer
	StateNamespaces []string // namespaces that hold stored state; sorted when written
	EventKinds      []string // kinds in use; sorted when written
	Tools           []string // names of the installed tools, in the host's order
	DeprecatedTools map[string]Deprecation

	config map[string]any // numbers keep their text
}

// Deprecation is the mark of a tool that should no longer be used.
type Deprecation struct {
	Replacement string // "" when there is none
	Since       string // version
}

// ParseState reads a state document. It must hold every member of the format and
// no other: what this version does not know, it could not carry over.
func ParseState(data []byte) (*State, error) {
	if len(data) > MaxState {
		return nil, fmt.Errorf("the state has %d bytes; at most %d are read", len(data), MaxState)
	}
	tree, err := canon.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("the state is not one JSON document: %w", err)
	}
	top, isObject := tree.(map[string]any)
	if !isObject {
		return nil, errors.New("the state must be an object")
	}
	r := reader{object: top}
	s := &State{
		PackID: r.text("pack_id"), Version: r.text("version"),
		StateNamespaces: r.names("state_namespaces"), EventKinds: r.names("event_kinds"), Tools: r.names("tools"),
		config: r.members("config"), DeprecatedTools: map[string]Deprecation{},
	}
	marks := r.members("deprecated_tools")
	for _, tool := range canon.Names(marks) {
		m := reader{at: "deprecated_tools: " + tool + ": "}
		if m.object, isObject = marks[tool].(map[string]any); !isObject {
			m.failf("must be an object")
		} else {
			d := Deprecation{Since: m.text("since")}
			if v, found := m.object["replacement"]; !found {
				m.failf("needs the member replacement")
			} else if v != nil {
				d.Replacement = m.text("replacement")
			}
			s.DeprecatedTools[tool] = d
			m.closed("replacement", "since")
		}
		r.faults = append(r.faults, m.faults...)
	}
	r.closed("pack_id", "version", "state_namespaces", "event_kinds", "config", "tools", "deprecated_tools")
	if len(r.faults) > 0 {
		return nil, fmt.Errorf("the state is malformed: %w", errors.Join(r.faults...))
	}
	return s, nil
}

// JSON returns the document, members sorted and indented.
func (s *State) JSON() []byte { return canon.Indent(s.tree()) }

// Digest returns "sha256:" and the digest of the document's canonical JSON.
func (s *State) Digest() string { return canon.Digest(s.tree()) }

func (s *State) tree() map[string]any {
	marks := map[string]any{}
	for tool, d := range s.DeprecatedTools {
		mark := map[string]any{"since": d.Since, "replacement": nil}
		if d.Replacement != "" {
			mark["replacement"] = d.Replacement
		}
		marks[tool] = mark
	}
	config := s.config
	if config == nil {
		config = map[string]any{}
	}
	return map[string]any{
		"pack_id": s.PackID, "version": s.Version,
		"state_namespaces": list(sorted(s.StateNamespaces)), "event_kinds": list(sorted(s.EventKinds)),
		"config": config, "tools": list(s.Tools), "deprecated_tools": marks,
	}
}

// clone shares nothing that a step changes. It fails for a State that was built by
// hand and that no document could hold.
func (s *State) clone() (*State, error) { return ParseState(canon.Append(nil, s.tree())) }

// Config returns the pack's settings as JSON.
func (s *State) Config() []byte {
	if s.config == nil {
		return []byte("{}")
	}
	return canon.Append(nil, s.config)
}

// SetConfig replaces the pack's settings; data must be a JSON object.
func (s *State) SetConfig(data []byte) error {
	tree, err := canon.Parse(data)
	if err != nil {
		return err
	}
	object, isObject := tree.(map[string]any)
	if !isObject {
		return errors.New("a config must be an object")
	}
	s.config = object
	return nil
}

func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.SortFunc(out, canon.Compare)
	return out
}

func list(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// reader takes members out of an object and remembers what is wrong with them.
type reader struct {
	object map[string]any
	at     string
	faults []error
}

func (r *reader) failf(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf(r.at+format, args...))
}

func (r *reader) text(name string) string {
	s, isText := r.object[name].(string)
	if !isText || s == "" {
		r.failf("%s must be a string that is not empty", name)
	}
	return s
}

func (r *reader) members(name string) map[string]any {
	m, isObject := r.object[name].(map[string]any)
	if !isObject {
		r.failf("%s must be an object", name)
	}
	return m
}

func (r *reader) names(name string) []string {
	items, isList := r.object[name].([]any)
	if !isList {
		r.failf("%s must be a list", name)
	}
	out := make([]string, 0, len(items))
	seen := map[string]bool{}
	for i, item := range items {
		s, isText := item.(string)
		if !isText || s == "" {
			r.failf("%s/%d must be a string that is not empty", name, i)
		} else if seen[s] {
			r.failf("%s/%d repeats %q", name, i, s)
		}
		seen[s] = true
		out = append(out, s)
	}
	return out
}

func (r *reader) closed(known ...string) {
	for _, name := range canon.Names(r.object) {
		if !slices.Contains(known, name) {
			r.failf("the member %q is not known", name)
		}
	}
}
