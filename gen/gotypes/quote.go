package gotypes

import "github.com/contractkit/contractkit/runtime/contract"

// quoteName writes a member's name as JSON.
func quoteName(name string) string { return string(contract.AppendString(nil, name)) }
