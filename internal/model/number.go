package model

import "github.com/contractkit/contractkit/runtime/contract"

// isIntegral reports whether a number's text has an integral value, by the very
// code that judges documents.
func isIntegral(text string) bool { return contract.IsIntegral([]byte(text)) }
