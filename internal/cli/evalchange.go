package cli

import (
	"fmt"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	issues = append(inside("/previous", e.Check(old)), inside("/current", e.Check(data))...)
	if issues == nil && e.transition != nil {
		issues = e.transition(old, data)
	}
	return issues, nil, ""
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
	var args struct {
		Documents *[]jsontext.Value `json:"documents"`
	}
	if err := json.Unmarshal(input, &args, lenient); err != nil || args.Documents == nil {
		return nil, `the input is not an object with a list of "documents"`
	}
	for _, d := range *args.Documents {
		docs = append(docs, d)
	}
	return docs, ""
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
