package cli

import (
	"strings"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/runtime/contract"
)

// pairSchema is the schema of the documents that name none, in functions of pairs.
const pairSchema = catalog.TaskToPRProjectionSchemaID

// evalAdapters asks whether the projections "first" and "second" say the same of the
// work, the first with extensions of local adapters and the second of cloud adapters.
// The rules of sets say so; here their paths get the arguments' names.
func evalAdapters(e *entry, input []byte) (issues contract.Issues, _ []byte, fault string) {
	if e.set == nil {
		return nil, nil, noRules
	}
	var first, second []byte
	first, second, issues, fault = twoOf(input, "first", "second")
	if fault != "" || issues != nil {
		return issues, nil, fault
	}
	issues = e.set([][]byte{first, second})
	for i := range issues {
		for place, name := range map[string]string{"/0": "/first", "/1": "/second"} {
			if rest, ok := strings.CutPrefix(issues[i].Path, place); ok && (rest == "" || rest[0] == '/') {
				issues[i].Path = name + rest
				break
			}
		}
	}
	return issues, nil, ""
}

// twoOf takes two arguments from the input.
func twoOf(input []byte, x, y string) (a, b []byte, issues contract.Issues, fault string) {
	args, fault := membersOf(input, x, y)
	if fault != "" {
		return nil, nil, nil, fault
	}
	for _, name := range []string{x, y} {
		if args[name] == nil {
			issues = append(issues, contract.Issue{Path: "/" + name, Code: contract.CodeRequired, Message: "this argument is missing"})
		}
	}
	return args[x], args[y], issues, ""
}

// inside puts issues below a path.
func inside(path string, issues contract.Issues) contract.Issues {
	for i := range issues {
		issues[i].Path = path + issues[i].Path
	}
	return issues
}
