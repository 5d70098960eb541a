package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/contractkit/contractkit/internal/spelling"
	"github.com/contractkit/contractkit/runtime/contract"
)

// evalTransition asks whether the document "current" may follow on "previous". Both have
// to be valid by themselves; only then the rules of the change count, if the schema has
// any, whose issues have paths in the current one.
func evalTransition(e *entry, input []byte) (issues contract.Issues, _ []byte, fault string) {
	var old, data []byte
	old, data, issues, fault = twoOf(input, "previous", "current")
	if fault != "" || issues != nil {
		return issues, nil, fault
	}
	before, current, between := e.change(old, data)
	issues = append(inside("/previous", before), inside("/current", current)...)
	return append(issues, between...), nil, ""
}

// evalHistory asks whether the "documents" are versions of one, oldest first. Paths begin
// with the index of a version.
func evalHistory(e *entry, input []byte) (contract.Issues, []byte, string) {
	return evalList(e, e.history, input)
}

// evalSet asks whether the "documents" belong together. Paths begin with an index.
func evalSet(e *entry, input []byte) (contract.Issues, []byte, string) {
	return evalList(e, e.set, input)
}

// evalList judges a list by its rules, or where the schema has none each document.
func evalList(e *entry, judge func(docs [][]byte) contract.Issues, input []byte) (issues contract.Issues, _ []byte, fault string) {
	docs, fault := documentsOf(input)
	if fault != "" {
		return nil, nil, fault
	}
	if judge != nil {
		return judge(docs), nil, ""
	}
	for i, data := range docs {
		issues = append(issues, inside(fmt.Sprintf("/%d", i), e.Check(data))...)
	}
	return issues, nil, ""
}

// documentsOf takes a list of documents from the input.
func documentsOf(input []byte) (docs [][]byte, fault string) {
	members, fault := membersOf(input, "documents")
	if fault != "" {
		return nil, fault
	}
	var list []jsontext.Value
	if text := members["documents"]; text == nil || text.Kind() != '[' || json.Unmarshal(text, &list, lenient) != nil {
		return nil, `the input has no list of "documents"`
	}
	for _, d := range list {
		docs = append(docs, d)
	}
	return docs, ""
}

// membersOf returns the members of an object of which each has one of the names and no
// name comes twice.
func membersOf(input []byte, names ...string) (members map[string]jsontext.Value, fault string) {
	members = map[string]jsontext.Value{}
	why := eachMember(input, func(name string, value jsontext.Value) {
		_, twice := members[name]
		switch {
		case fault != "":
		case !slices.Contains(names, name):
			fault = fmt.Sprintf("the input has a member %.100q; it takes %s%s", name, inWords(names), meant(name, names))
		case twice:
			fault = fmt.Sprintf("the input has two members %q", name)
		default:
			members[name] = value
		}
	})
	if why != "" {
		return nil, "the input is not an object with " + inWords(names)
	}
	return members, fault
}

// inWords prints names as people list them.
func inWords(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}

// meant is the question whether another name was meant, if one is close.
func meant(name string, names []string) string {
	if best := spelling.Closest(name, names); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// strangers are issues at documents of a list that name another schema than the first
// one, by which all would be judged; the request has named none.
func strangers(lib *library, e *entry, input []byte) contract.Issues {
	docs, _ := documentsOf(input)
	var issues contract.Issues
	for i, data := range docs {
		if other, _, err := lib.identify(data); err == nil && other != nil && other.id != e.id && len(issues) < mostIssues {
			path := fmt.Sprintf("/%d", i)
			if _, none := contract.SchemaID(data, dispatchMember); none == nil {
				path += "/" + dispatchMember
			}
			issues = append(issues, contract.Issue{Path: path, Code: contract.CodeValue,
				Message: fmt.Sprintf("this document is of the schema %q and the first of %q: documents of one list have one schema", other.id, e.id)})
		}
	}
	return issues
}

// theCurrent and theFirst are the documents that name the schema of a change and of a
// list; nil without.
func theCurrent(input []byte) []byte {
	_, current, _, _ := twoOf(input, "previous", "current")
	return current
}

func theFirst(input []byte) []byte {
	if docs, _ := documentsOf(input); len(docs) > 0 {
		return docs[0]
	}
	return nil
}
