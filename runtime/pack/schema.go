package pack

import (
	"strings"

	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
)

// schema reports what the generated validator finds, and remembers the places.
func (r *reader) schema(doc []byte) {
	r.bad = map[string]bool{}
	for _, issue := range r.check(doc) {
		if r.bad[issue.Path] {
			continue // one fault a place: an empty id does not match its pattern either
		}
		r.bad[issue.Path] = true
		r.report(r.fromIssue(issue))
	}
}

// fromIssue puts an issue into the contract's words.
func (r *reader) fromIssue(issue contract.Issue) Diagnostic {
	d := Diagnostic{Code: CodeSchema, Path: issue.Path, Data: Data{Keyword: issue.Keyword}}
	message := issue.Message
	if issue.Code == contract.CodeUnion {
		// A scope or step, told by the member that the path ends with; or an entry of their
		// list that is no mapping.
		parent, member := issue.Path[:strings.LastIndexByte(issue.Path, '/')], issue.Path[strings.LastIndexByte(issue.Path, '/')+1:]
		node, _ := r.root.At(parent)
		if node.Kind == tree.List {
			node, _ = r.root.At(issue.Path)
		}
		switch {
		case node.Kind != tree.Map:
			d.Data.Keyword, message = "type", "must be a mapping, not "+node.Kind.String()
		case node.Get(member) == nil:
			d.Data.Keyword, message = "required", "the member "+quote(member)+" is missing"
		case member == "kind":
			return Diagnostic{Code: CodeMigrationStepKind, Path: issue.Path,
				Message: r.name() + " declares a migration step of kind " + written(node.Get(member)),
				Hint: "the kinds are rename_state_namespace, rename_event_kind, rename_config_key and deprecate_tool;\n" +
					"a migration is data and never runs code"}
		default:
			d.Data.Keyword, message = "enum", `must be one of "path", "network"`
		}
	}
	found := ""
	if node, _ := r.root.At(d.Path); node != nil && d.Data.Keyword != "type" && d.Data.Keyword != "additionalProperties" {
		found = ", not " + written(node)
	}
	d.Message = r.name() + ": " + place(d.Path) + ": " + message + found
	return d
}

// place names a path inside a message.
func place(path string) string {
	if path == "" {
		return "the manifest"
	}
	if len(path) > 200 {
		return strings.ToValidUTF8(path[:200], "") + "…"
	}
	return path
}
