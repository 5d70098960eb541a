package pack

import (
	"slices"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
)

// executables are the fields that name code, in the order they are reported.
var executables = []string{"tools", "capability_factory", "policy_factory", "cli_commands", "mcp_tools"}

// present reports whether a field is there as far as the closure goes: a list has
// to hold something, and what failed its type check is left out.
func (r *reader) present(field string) bool {
	n := r.root.Get(field)
	switch field {
	case "capabilities":
		return n != nil // its shape matters to isolated packs only
	case "tools", "cli_commands", "mcp_tools", "policies":
		return len(n.List()) > 0
	}
	return n != nil && n.Kind == tree.String
}

func checkTier(r *reader) {
	if r.origin != tierMalformed {
		return
	}
	r.report(Diagnostic{Code: CodeTrustTierMalformed, Severity: Warning, Path: "/trust_tier",
		Message: r.name() + " declares trust_tier " + written(r.root.Get("trust_tier")) + "; it is treated as declarative",
		Hint:    `the tiers are "declarative", "trusted-host-adapter" and "isolated"`})
}

// why says where the declarative tier comes from.
func (r *reader) why() string {
	switch r.origin {
	case tierDefault:
		return "no trust_tier is declared, so the pack is declarative"
	case tierMalformed:
		return "its trust_tier " + written(r.root.Get("trust_tier")) + " is malformed, so the pack is declarative"
	}
	return "the pack is declarative"
}

const tierHint = `pick trust_tier "trusted-host-adapter" or "isolated" for a pack with executables;
picking a tier grants nothing: a host has to register the adapter_id`

func checkExecutables(r *reader) {
	if r.tier != Declarative {
		return
	}
	fields := slices.DeleteFunc(slices.Clone(executables), func(f string) bool { return !r.present(f) })
	if len(fields) == 0 {
		return
	}
	r.report(Diagnostic{Code: CodeExecutableForbidden, Data: Data{Fields: fields},
		Message: r.name() + " ships executable entry points (" + strings.Join(fields, ", ") + "), but " + r.why(),
		Hint:    tierHint})
}

func checkPolicies(r *reader) {
	if r.tier == Declarative && r.present("policies") {
		r.report(Diagnostic{Code: CodePoliciesForbidden, Path: "/policies",
			Message: r.name() + " ships policies, but " + r.why(), Hint: tierHint})
	}
}

func checkAdapterForbidden(r *reader) {
	if r.tier == Declarative && r.present("adapter_id") {
		r.report(Diagnostic{Code: CodeAdapterForbidden, Path: "/adapter_id",
			Message: r.name() + " names the adapter_id " + written(r.root.Get("adapter_id")) + ", but " + r.why(),
			Hint:    "remove adapter_id, or declare the trust_tier that it belongs to"})
	}
}

func checkAdapterRequired(r *reader) {
	if r.tier != Declarative && r.root.Get("adapter_id") == nil {
		r.report(Diagnostic{Code: CodeAdapterRequired, Path: "/adapter_id",
			Message: r.name() + " has the trust_tier " + quote(string(r.tier)) + ", which needs an adapter_id",
			Hint:    "by convention it is " + quote(string(r.tier)+":"+r.out.id) + "; it counts once a host has registered it for this pack"})
	}
}

func checkCapabilitiesForbidden(r *reader) {
	if r.tier != Isolated && r.present("capabilities") {
		r.report(Diagnostic{Code: CodeCapabilitiesForbidden, Path: "/capabilities",
			Message: r.name() + " declares capabilities, but its tier is " + quote(string(r.tier)),
			Hint:    `only packs of the trust_tier "isolated" declare capabilities; remove them or change the tier`})
	}
}

func checkCapabilitiesRequired(r *reader) {
	if r.tier == Isolated && !r.present("capabilities") {
		r.report(Diagnostic{Code: CodeCapabilitiesRequired, Path: "/capabilities",
			Message: r.name() + ` is isolated and must declare its capabilities`,
			Hint:    "memory.limit_mb and cpu.time_limit_ms have no defaults; everything else is refused unless it is named"})
	}
}
