package pack

import "slices"

// Scope is something a tool needs, or a layer grants.
type Scope struct {
	Type      string   `json:"type"`                        // path or network
	Access    string   `json:"access,omitempty"`            // of a path: read or write
	Pattern   string   `json:"pattern,omitempty"`           // of a path
	Posture   string   `json:"posture,omitempty"`           // of the network: off, allowlist or full
	Allowlist []string `json:"allowlist_entries,omitempty"` // for the posture allowlist
}

// PathScope is access, "read" or "write", to the paths that a pattern matches.
func PathScope(access, pattern string) Scope {
	return Scope{Type: "path", Access: access, Pattern: pattern}
}

// NetworkScope is "off", "full", or "allowlist" with its entries.
func NetworkScope(posture string, entries ...string) Scope {
	return Scope{Type: "network", Posture: posture, Allowlist: entries}
}

func cloneScopes(scopes []Scope) []Scope {
	scopes = slices.Clone(scopes)
	for i := range scopes {
		scopes[i].Allowlist = slices.Clone(scopes[i].Allowlist)
	}
	return scopes
}
