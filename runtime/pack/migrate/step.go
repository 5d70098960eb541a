package migrate

import (
	"slices"
	"strings"
)

// Outcome says what a step met.
type Outcome string

// The outcomes of a step. Already and absent are fine: they make it safe to run a
// migration again, and over a part of an installation.
const (
	Applied  Outcome = "applied"
	Already  Outcome = "already"  // the change had been made before
	Absent   Outcome = "absent"   // there is nothing to change
	Conflict Outcome = "conflict" // old and new are both there, or the new place is taken
)

// apply changes s. since is the version that the migration leads to.
func (st Step) apply(s *State, since string) Outcome {
	switch st.Kind {
	case RenameStateNamespace:
		return rename(s.StateNamespaces, st.From, st.To)
	case RenameEventKind:
		return rename(s.EventKinds, st.From, st.To)
	case RenameConfigKey:
		return move(s.config, strings.Split(st.From, "."), strings.Split(st.To, "."))
	case DeprecateTool:
		if mark, marked := s.DeprecatedTools[st.Name]; marked {
			if mark.Replacement == st.Replacement {
				return Already
			}
			return Conflict
		}
		if !slices.Contains(s.Tools, st.Name) {
			return Absent
		}
		s.DeprecatedTools[st.Name] = Deprecation{Replacement: st.Replacement, Since: since}
		return Applied
	}
	panic("migrate: a step of an unknown kind; Check refuses those")
}

func rename(names []string, from, to string) Outcome {
	old, isThere := slices.Index(names, from), slices.Contains(names, to)
	if o, done := settled(old >= 0, isThere, from == to); done {
		return o
	}
	names[old] = to
	return Applied
}

// settled is the part that all renames share. A name that is renamed to itself has
// arrived.
func settled(from, to, same bool) (Outcome, bool) {
	switch {
	case !from && !to:
		return Absent, true
	case same || !from:
		return Already, true
	case to:
		return Conflict, true
	}
	return "", false
}

// move takes the value at one path of the config to another. Parents of the new
// place are made, parents of the old one stay, though they may be empty then.
func move(config map[string]any, from, to []string) Outcome {
	source, isThere := find(config, from)
	_, isTaken := find(config, to)
	if o, done := settled(isThere, isTaken, slices.Equal(from, to)); done {
		return o
	}
	if len(to) > len(from) && slices.Equal(from, to[:len(from)]) {
		return Conflict // a value cannot be moved into itself
	}
	parent := config
	for _, name := range to[:len(to)-1] { // look before anything is changed
		child, found := parent[name]
		if !found {
			break
		}
		object, isObject := child.(map[string]any)
		if !isObject {
			return Conflict
		}
		parent = object
	}
	value := source[from[len(from)-1]]
	delete(source, from[len(from)-1])
	parent = config
	for _, name := range to[:len(to)-1] {
		child, found := parent[name].(map[string]any)
		if !found {
			child = map[string]any{}
			parent[name] = child
		}
		parent = child
	}
	parent[to[len(to)-1]] = value
	return Applied
}

// find returns the object that holds the last name of the path.
func find(config map[string]any, path []string) (map[string]any, bool) {
	for _, name := range path[:len(path)-1] {
		child, isObject := config[name].(map[string]any)
		if !isObject {
			return nil, false
		}
		config = child
	}
	_, found := config[path[len(path)-1]]
	return config, found
}
