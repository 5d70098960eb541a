package pack

import (
	"strconv"

	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
)

// The member names of the objects that may have others, which are ignored with a
// warning. A test holds them against schemas/pack.
var (
	manifestKeys = keySet("id", "version", "contract_version", "publisher", "compatibility", "depends_on", "migrations",
		"trust_tier", "adapter_id", "capabilities", "capability_factory", "policy_factory", "cli_commands", "mcp_tools",
		"namespaces", "task_types", "tools", "policies", "evidence_types", "state_aliases", "lane_templates",
		"config_key", "config_schema")
	toolKeys = keySet("name", "entry", "permission", "required_scopes", "internal_only", "input_schema", "output_schema")
	pathKeys = keySet("type", "pattern", "access")
	netKeys  = keySet("type", "posture", "allowlist_entries")
	ruleKeys = keySet("id", "trigger", "decision", "reason")
	laneKeys = keySet("id", "title", "description")
)

func keySet(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// unknownKeys warns of members that nothing reads.
func (r *reader) unknownKeys() {
	r.unknownIn(r.root, "", manifestKeys)
	for i, tool := range r.root.Get("tools").List() {
		at := "/tools/" + strconv.Itoa(i)
		r.unknownIn(tool, at, toolKeys)
		for j, scope := range tool.Get("required_scopes").List() {
			switch kind, _ := scope.Get("type").Str(); kind {
			case "path":
				r.unknownIn(scope, at+"/required_scopes/"+strconv.Itoa(j), pathKeys)
			case "network":
				r.unknownIn(scope, at+"/required_scopes/"+strconv.Itoa(j), netKeys)
			}
		}
	}
	for i, rule := range r.root.Get("policies").List() {
		r.unknownIn(rule, "/policies/"+strconv.Itoa(i), ruleKeys)
	}
	for i, lane := range r.root.Get("lane_templates").List() {
		r.unknownIn(lane, "/lane_templates/"+strconv.Itoa(i), laneKeys)
	}
}

func (r *reader) unknownIn(n *tree.Node, at string, known map[string]bool) {
	if n.Kind != tree.Map {
		return
	}
	for _, m := range n.Members {
		if r.spent(Warning) {
			return
		}
		if !known[m.Name] {
			r.report(Diagnostic{Code: CodeUnknownKey, Severity: Warning, Path: at + "/" + tree.Escape(m.Name),
				Message: r.name() + ": the key " + quote(m.Name) + " is not known and has no effect", Hint: "remove it, or look for a misspelling"})
		}
	}
}
