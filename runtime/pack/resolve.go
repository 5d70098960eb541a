package pack

import (
	"github.com/contractkit/contractkit/runtime/pack/glob"
	"github.com/contractkit/contractkit/runtime/pack/internal/authority"
)

// Layers are the scopes that the host grants to a call. They come from the host,
// never from a manifest or the caller's metadata. A layer without scopes of a kind
// grants nothing of that kind.
type Layers struct {
	Workspace, Lane, Task []Scope
}

// reservedFolder belongs to the kernel; no tool may declare to write there.
const reservedFolder = ".lumenflow"

// ReachesReserved reports whether a path pattern may match the kernel's own folder
// or anything below it.
func ReachesReserved(pattern string) bool {
	p, err := glob.Compile(pattern)
	return err == nil && p.Reaches(reservedFolder)
}

// enforce works out what all four layers grant to a tool, and fills it into g.
// Every scope that the tool requires has to keep something. why is "" then.
func (l Layers) enforce(tool []Scope, g *authority.Grant) (why string) {
	for _, s := range tool {
		if s.Type == "path" && s.Access == "write" && ReachesReserved(s.Pattern) {
			return "the tool declares to write " + quote(s.Pattern) + ", which is the kernel's own"
		}
	}
	var paths glob.Intersector
	posture, entries := intersectNetwork(l.Workspace, l.Lane, l.Task, tool)
	for _, s := range tool {
		switch {
		case s.Type == "network" && s.Posture == postureOff:
		case s.Type == "network":
			if posture == postureOff {
				return "the tool needs the network, " + quote(s.Posture) + ", which the workspace, lane and task do not grant together"
			}
			g.Posture, g.Allowlist = posture, entries
		case s.Type == "path" && (s.Access == "read" || s.Access == "write"):
			found := paths.Intersect(patternsOf(l.Workspace, s.Access), patternsOf(l.Lane, s.Access),
				patternsOf(l.Task, s.Access), compilePatterns([]string{s.Pattern}))
			if len(found) == 0 {
				return "the tool needs to " + s.Access + " " + quote(s.Pattern) + ", which the workspace, lane and task do not grant together"
			}
			if s.Access == "read" {
				g.Read = appendDistinct(g.Read, found)
			} else {
				g.Write = appendDistinct(g.Write, found)
			}
		default:
			return "the tool has a scope of an unknown kind"
		}
	}
	if len(tool) == 0 {
		return "the tool declares no scope"
	}
	return ""
}

func patternsOf(scopes []Scope, access string) []glob.Pattern {
	var texts []string
	for _, s := range scopes {
		if s.Type == "path" && s.Access == access {
			texts = append(texts, s.Pattern)
		}
	}
	return compilePatterns(texts)
}

func appendDistinct(list, more []glob.Pattern) []glob.Pattern {
	for _, p := range more {
		known := false
		for _, q := range list {
			known = known || q.String() == p.String()
		}
		if !known {
			list = append(list, p)
		}
	}
	return list
}
