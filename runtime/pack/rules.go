package pack

import (
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack/glob"
	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// manifestRule is a rule over one contract v2 manifest that its schema cannot
// say. Each looks at values of the right kind only, so that none of them repeats
// what the schema has said. schemas/pack/invariants.md lists them with the CEL
// expression that each is to become.
type manifestRule struct {
	id    string // as in invariants.md
	code  Code
	check func(*reader)
}

// manifestRules in the order of their diagnostics.
var manifestRules = []manifestRule{
	{"version-strict", CodeVersionInvalid, checkVersion},
	{"compatibility-ranges", CodeRangeInvalid, checkCompatibility},
	{"dependency-ranges", CodeRangeInvalid, checkDependencyRanges},
	{"migration-ranges", CodeRangeInvalid, checkMigrationRanges},
	{"migration-targets", CodeVersionInvalid, checkMigrationTargets},
	{"migration-within-version", CodeMigrationToExceedsVersion, checkMigrationVersions},
	{"migration-noop", CodeMigrationNoopStep, checkNoopSteps},
	{"capability-globs", CodeCapabilityGlobUnsafe, checkCapabilityGlobs},
	{"tool-names-unique", CodeToolDuplicate, checkToolNames},
	{"tier-wellformed", CodeTrustTierMalformed, checkTier},
	{"closure-executables", CodeExecutableForbidden, checkExecutables},
	{"closure-policies", CodePoliciesForbidden, checkPolicies},
	{"closure-adapter-forbidden", CodeAdapterForbidden, checkAdapterForbidden},
	{"closure-adapter-required", CodeAdapterRequired, checkAdapterRequired},
	{"closure-capabilities-forbidden", CodeCapabilitiesForbidden, checkCapabilitiesForbidden},
	{"closure-capabilities-required", CodeCapabilitiesRequired, checkCapabilitiesRequired},
	{"depends-on-self", CodeDependsOnSelf, checkDependsOnSelf},
	{"depends-on-once", CodeDependsOnDuplicate, checkDependsOnOnce},
}

// text returns the string at a place that the schema found no fault with.
func (r *reader) text(n *tree.Node, at string) (string, bool) {
	if r.bad[at] {
		return "", false
	}
	return n.Str()
}

func index(at string, i int, rest string) string { return at + "/" + strconv.Itoa(i) + rest }

// version reads the pack's own version; ok is false when it is none.
func (r *reader) version() (v semrange.Version, ok bool) {
	text, ok := r.text(r.root.Get("version"), "/version")
	if !ok {
		return v, false
	}
	v, err := semrange.ParseVersion(text)
	return v, err == nil
}

func checkVersion(r *reader) {
	if text, ok := r.text(r.root.Get("version"), "/version"); ok {
		r.strictVersion(text, "/version")
	}
}

func (r *reader) strictVersion(text, at string) {
	if _, err := semrange.ParseVersion(text); err != nil {
		r.report(Diagnostic{Code: CodeVersionInvalid, Path: at,
			Message: r.name() + ": " + place(at) + " is " + quote(text) + ", which is no strict SemVer 2.0.0 version: " + err.Error(),
			Hint:    `write three numbers without leading zeros, as in "1.2.3" or "2.0.0-rc.1"`})
	}
}

func (r *reader) validRange(n *tree.Node, at string) {
	text, ok := r.text(n, at)
	if !ok {
		return
	}
	if _, err := semrange.ParseRange(text); err != nil {
		r.report(Diagnostic{Code: CodeRangeInvalid, Path: at,
			Message: r.name() + ": " + place(at) + " is " + quote(text) + ", which is no range of versions: " + err.Error(),
			Hint:    `write a range in npm's grammar, as in "^6.0.0" or ">=6.0.0 <7.0.0"`})
	}
}

func checkCompatibility(r *reader) {
	c := r.root.Get("compatibility")
	r.validRange(c.Get("kernel"), "/compatibility/kernel")
	r.validRange(c.Get("host"), "/compatibility/host")
}

func checkDependencyRanges(r *reader) {
	for i, d := range r.root.Get("depends_on").List() {
		r.validRange(d.Get("version_range"), index("/depends_on", i, "/version_range"))
	}
}

func checkMigrationRanges(r *reader) {
	for i, m := range r.root.Get("migrations").List() {
		r.validRange(m.Get("from"), index("/migrations", i, "/from"))
	}
}

func checkMigrationTargets(r *reader) {
	for i, m := range r.root.Get("migrations").List() {
		at := index("/migrations", i, "/to")
		if text, ok := r.text(m.Get("to"), at); ok {
			r.strictVersion(text, at)
		}
	}
}

func checkMigrationVersions(r *reader) {
	own, known := r.version()
	if !known {
		return
	}
	for i, m := range r.root.Get("migrations").List() {
		text, _ := m.Get("to").Str()
		if to, err := semrange.ParseVersion(text); err == nil && to.Compare(own) > 0 {
			r.report(Diagnostic{Code: CodeMigrationToExceedsVersion, Path: index("/migrations", i, "/to"),
				Message: r.name() + " has a migration to " + quote(text) + ", beyond its own version " + quote(own.String()),
				Hint:    "lower the migration's version, or raise the version of the pack"})
		}
	}
}

func checkNoopSteps(r *reader) {
	for i, m := range r.root.Get("migrations").List() {
		for j, step := range m.Get("steps").List() {
			kind, _ := step.Get("kind").Str()
			from, ok1 := step.Get("from").Str()
			to, ok2 := step.Get("to").Str()
			if ok1 && ok2 && from == to && strings.HasPrefix(kind, "rename_") {
				r.report(Diagnostic{Code: CodeMigrationNoopStep, Severity: Warning, Path: index(index("/migrations", i, "/steps"), j, ""),
					Message: r.name() + " renames " + quote(from) + " to itself", Hint: "remove the step, or correct one of the names"})
			}
		}
	}
}

func checkCapabilityGlobs(r *reader) {
	if r.tier != Isolated {
		return
	}
	fs := r.root.Get("capabilities").Get("filesystem")
	for _, access := range []string{"read", "write"} {
		for i, n := range fs.Get(access).List() {
			at := index("/capabilities/filesystem/"+access, i, "")
			text, ok := r.text(n, at)
			if !ok {
				continue
			}
			if _, err := glob.Compile(text); err != nil {
				r.report(Diagnostic{Code: CodeCapabilityGlobUnsafe, Path: at,
					Message: r.name() + " asks to " + access + " " + quote(text) + ": " + err.Error(),
					Hint:    `write a relative pattern of literals, *, ?, ** and {a,b}, as in "data/**"`})
			}
		}
	}
}

func checkToolNames(r *reader) {
	first := map[string]int{}
	for i, tool := range r.root.Get("tools").List() {
		at := index("/tools", i, "/name")
		name, ok := r.text(tool.Get("name"), at)
		if !ok {
			continue
		}
		j, twice := first[name]
		if !twice {
			first[name] = i
			continue
		}
		r.report(Diagnostic{Code: CodeToolDuplicate, Path: at, Data: Data{Tool: name},
			Message: r.name() + " declares the tool " + quote(name) + " twice: here and at " + r.where(index("/tools", j, "/name")),
			Hint:    "give one of them another name"})
	}
}

// where prints a pointer with its line.
func (r *reader) where(at string) string {
	if r.spent(Error) {
		return at
	}
	_, pos := r.root.At(at)
	return at + " (line " + strconv.Itoa(pos.Line) + ")"
}

func checkDependsOnSelf(r *reader) {
	for i, d := range r.root.Get("depends_on").List() {
		at := index("/depends_on", i, "/id")
		if id, ok := r.text(d.Get("id"), at); ok && id == r.out.id && id != "" {
			r.report(Diagnostic{Code: CodeDependsOnSelf, Path: at, Message: r.name() + " depends on itself",
				Hint: "remove the dependency"})
		}
	}
}

func checkDependsOnOnce(r *reader) {
	first := map[string]int{}
	for i, d := range r.root.Get("depends_on").List() {
		at := index("/depends_on", i, "/id")
		id, ok := r.text(d.Get("id"), at)
		if !ok {
			continue
		}
		j, twice := first[id]
		if !twice {
			first[id] = i
			continue
		}
		r.report(Diagnostic{Code: CodeDependsOnDuplicate, Path: at,
			Message: r.name() + " depends on " + quote(id) + " twice: here and at " + r.where(index("/depends_on", j, "/id")),
			Hint:    "keep one of them, with a range that says it all"})
	}
}
